"""Ways in which rulesheets write compound games: each comes apart, and its parts go their own ways."""

import pytest

from reasoner.stages import built
from search.factoring import factor
from tests.search.factoring.mixing import check

STEPS = "(init (step 0)) (<= (next (step ?n)) (true (step ?m)) (succ ?m ?n))" + "".join(
    f"(succ {n} {n + 1})" for n in range(9)
)

THREE_OF_FOUR = f"""
    (role p) {STEPS} (well 1) (well 2) (well 3) (well 4)
    (<= (init (at ?w 0)) (well ?w)) (<= (legal p (draw ?w)) (well ?w)) (<= (legal p (spill ?w)) (well ?w))
    (<= (next (at ?w ?b)) (does p (draw ?w)) (true (at ?w ?a)) (succ ?a ?b) (level ?b))
    (<= (next (at ?w 3)) (does p (draw ?w)) (true (at ?w 3))) (<= (next (at ?w 0)) (does p (spill ?w)))
    (<= (at_work ?w) (does p (draw ?w))) (<= (at_work ?w) (does p (spill ?w)))
    (<= (next (at ?w ?a)) (true (at ?w ?a)) (not (at_work ?w))) (level 1) (level 2) (level 3)
    (<= (full ?w) (true (at ?w 3))) (<= all (full 1) (full 2) (full 3) (full 4))
    (less 1 2) (less 1 3) (less 1 4) (less 2 3) (less 2 4) (less 3 4)
    (<= two (full ?a) (full ?b) (less ?a ?b))
    (<= terminal all) (<= terminal (true (step 8)))
    (<= (goal p 100) all) (<= (goal p 60) two (not all)) (<= (goal p 0) (not two))
"""

LIGHTS_AND_A_WALK = f"""
    (role p) {STEPS} (light 1) (light 2) (light 3)
    (near 1 1) (near 1 2) (near 2 2) (near 2 3) (near 3 3) (init (at 1))
    (road 1 2) (road 2 3) (road 3 1) (road 3 4) (road 4 5) (road 5 2) (road 5 6)
    (<= (legal p (push ?l)) (light ?l)) (<= (legal p (go ?b)) (true (at ?a)) (road ?a ?b))
    (<= (flip ?m) (does p (push ?l)) (near ?l ?m))
    (<= (next (lit ?m)) (true (lit ?m)) (not (flip ?m)))
    (<= (next (lit ?m)) (light ?m) (flip ?m) (not (true (lit ?m))))
    (<= walks (does p (go ?b))) (<= (next (at ?b)) (does p (go ?b))) (<= (next (at ?a)) (true (at ?a)) (not walks))
    (<= both (true (lit 1)) (true (lit 2)) (true (lit 3)) (true (at 6)))
    (<= terminal both) (<= terminal (true (step 9)))
    (<= (goal p 100) both) (<= (goal p 0) (not both))
"""

EITHER_BOARD = """
    (role x) (role o) (other x o) (other o x) (init (turn x)) (board l) (board r)
    (cell 1) (cell 2) (cell 3) (cell 4) (cell 5) (cell 6) (<= (init (blank ?b ?c)) (board ?b) (cell ?c))
    (pattern l 1 2 3) (pattern l 3 4 5) (pattern l 1 5 6) (pattern r 1 4 5) (pattern r 2 3 6) (pattern r 2 4 6)
    (<= (made ?b ?r) (pattern ?b ?x ?y ?z) (true (has ?r ?b ?x)) (true (has ?r ?b ?y)) (true (has ?r ?b ?z)))
    (<= (legal ?r (mark ?b ?c)) (true (turn ?r)) (true (blank ?b ?c)))
    (<= (legal ?r noop) (role ?r) (not (true (turn ?r))))
    (<= (next (has ?r ?b ?c)) (does ?r (mark ?b ?c))) (<= (next (has ?r ?b ?c)) (true (has ?r ?b ?c)))
    (<= (hit ?b ?c) (does ?r (mark ?b ?c))) (<= (next (blank ?b ?c)) (true (blank ?b ?c)) (not (hit ?b ?c)))
    (<= (next (turn x)) (true (turn o))) (<= (next (turn o)) (true (turn x)))
    (<= over (made ?b ?r)) (<= free (true (blank ?b ?c))) (<= terminal over) (<= terminal (not free))
    (<= (goal ?r 100) (made l ?r)) (<= (goal ?r 100) (other ?r ?s) (made r ?s))
    (<= (goal ?r 0) (made r ?r)) (<= (goal ?r 0) (other ?r ?s) (made l ?s)) (<= (goal ?r 50) (role ?r) (not over))
"""

TWO_SCORES = f"""
    (role a) (role b) {STEPS} (throw 1) (throw 2) (throw 3) (board x) (board y)
    (<= (init (score ?b ?r 0)) (board ?b) (role ?r)) (<= (legal ?r (play ?i ?j)) (role ?r) (throw ?i) (throw ?j))
    (<= (made ?r x ?i) (does ?r (play ?i ?j))) (<= (made ?r y ?j) (does ?r (play ?i ?j)))
    (beats x 1 2) (beats x 2 3) (beats x 3 1) (beats y 1 3) (beats y 2 1) (beats y 3 1)
    (<= (point ?b ?r) (made ?r ?b ?i) (made ?s ?b ?j) (distinct ?r ?s) (beats ?b ?i ?j))
    (<= (next (score ?b ?r ?n)) (true (score ?b ?r ?m)) (point ?b ?r) (more ?m ?n)) (more 0 1) (more 1 2) (more 2 2)
    (<= (next (score ?b ?r ?m)) (true (score ?b ?r ?m)) (not (point ?b ?r)))
    (<= terminal (true (step 5))) (worth 0 0 0) (worth 0 1 20) (worth 0 2 45) (worth 1 0 25) (worth 1 1 50)
    (worth 1 2 75) (worth 2 0 50) (worth 2 1 80) (worth 2 2 100)
    (<= (goal ?r ?v) (true (score x ?r ?i)) (true (score y ?r ?j)) (worth ?i ?j ?v))
"""

THREE_CORRIDORS = f"""
    (role p) {STEPS} (corridor 1) (corridor 2) (corridor 3) (last 1 4) (last 2 3) (last 3 2)
    (<= (init (at ?c 0)) (corridor ?c)) (legal p up) (legal p down) (legal p jump)
    (<= (out ?c) (last ?c ?x) (true (at ?c ?x)))
    (<= (in 1) (not (out 1))) (<= (in 2) (out 1) (not (out 2))) (<= (in 3) (out 1) (out 2) (not (out 3)))
    (<= (to ?x ?y up) (succ ?x ?y)) (<= (to ?x ?y down) (succ ?y ?x)) (<= (to ?x ?z jump) (succ ?x ?y) (succ ?y ?z))
    (<= (comes ?c ?y) (in ?c) (true (at ?c ?x)) (does p ?d) (to ?x ?y ?d) (room ?c ?y))
    (<= (room ?c ?y) (last ?c ?x) (upto ?x ?y)) (<= (upto ?x ?x) (last ?c ?x))
    (<= (upto ?x ?y) (upto ?x ?z) (succ ?y ?z)) (<= (leaves ?c) (comes ?c ?y))
    (<= (next (at ?c ?y)) (comes ?c ?y)) (<= (next (at ?c ?x)) (true (at ?c ?x)) (not (leaves ?c)))
    (<= terminal (out 3)) (<= terminal (true (step 9)))
    (<= (goal p 100) (out 3)) (<= (goal p 50) (out 2) (not (out 3))) (<= (goal p 0) (not (out 2)))
"""

NIM_THEN_KAYLES = """
    (role x) (role o) (other x o) (other o x) (init (turn x)) (init (stones l 3)) (init (stones m 2))
    (less 0 1) (less 0 2) (less 0 3) (less 1 2) (less 1 3) (less 2 3) (near 1 2) (near 2 3) (near 3 4)
    (<= (legal ?r (take ?h ?n)) (true (turn ?r)) (true (stones ?h ?k)) (less ?n ?k))
    (<= (next (stones ?h ?n)) (does ?r (take ?h ?n))) (<= (taken ?h) (does ?r (take ?h ?n)))
    (<= (next (stones ?h ?k)) (true (stones ?h ?k)) (not (taken ?h)))
    (<= left (true (stones ?h ?k)) (less 0 ?k)) (<= open (not left))
    (pin 1) (pin 2) (pin 3) (pin 4) (<= (init (up ?p)) (pin ?p))
    (<= (legal ?r (one ?p)) open (true (turn ?r)) (true (up ?p)))
    (<= (legal ?r (two ?p ?q)) open (true (turn ?r)) (near ?p ?q) (true (up ?p)) (true (up ?q)))
    (<= (legal ?r noop) (role ?r) (not (true (turn ?r))))
    (<= (hit ?p) (does ?r (one ?p))) (<= (hit ?p) (does ?r (two ?p ?q))) (<= (hit ?q) (does ?r (two ?p ?q)))
    (<= (next (up ?p)) (true (up ?p)) (not (hit ?p))) (<= (next (turn ?o)) (true (turn ?r)) (other ?r ?o))
    (<= some (true (up ?p))) (<= terminal (not some))
    (<= (goal ?r 0) (true (turn ?r))) (<= (goal ?r 100) (role ?r) (not (true (turn ?r))))
"""


@pytest.mark.parametrize(
    ("rules", "kind", "facts"),
    [
        pytest.param(THREE_OF_FOUR, "interdependent termination", [4, 4, 4, 4], id="a goal counts what is done"),
        pytest.param(LIGHTS_AND_A_WALK, "interdependent termination", [6, 3], id="most moves leave the other alone"),
        pytest.param(EITHER_BOARD, "parallel", [18, 18], id="one rule for all cells of both boards"),
        pytest.param(TWO_SCORES, "interdependent actions", [6, 6], id="a table of what two scores are worth"),
        pytest.param(
            NIM_THEN_KAYLES, "serial", [5, 4], id="the second's moves wait, and the first needs nobody to end"
        ),
        pytest.param(THREE_CORRIDORS, "serial", [5, 4, 3], id="the end of one opens the next, and that another"),
    ],
)
def test_a_compound_game_comes_apart_however_it_is_written(rules, kind, facts):
    circuit = built(rules)
    found = factor(circuit)
    assert (found.kind, sorted(map(len, (one.bases for one in found.subgames)), reverse=True)) == (kind, facts)
    assert sum(check(circuit, found, seed, steps=8) for seed in range(6)) > 10
