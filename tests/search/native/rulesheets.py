"""Small games as rulesheets, and their circuits."""

from __future__ import annotations

from pathlib import Path

from reasoner.lanes.machine import CircuitMachine
from tests.machines import built

GAMES = Path(__file__).resolve().parents[3] / "games"

PENNIES = """
(role row) (role column) (init begin)
(<= (legal row heads) (true begin)) (<= (legal row tails) (true begin))
(<= (legal column heads) (true begin)) (<= (legal column tails) (true begin))
(<= (next same) (does row ?side) (does column ?side))
(<= (next over) (true begin))
(<= terminal (true over))
(<= (goal row 100) (true same)) (<= (goal row 0) (not (true same)))
(<= (goal column 0) (true same)) (<= (goal column 100) (not (true same)))
"""

BEST_ANSWER = """
(role row) (role column) (init begin)
(<= (legal row ?m) (true begin) (move ?m)) (<= (legal column ?m) (true begin) (move ?m))
(move a) (move b) (move c)
(<= (next won) (does row b))
(<= (next over) (true begin))
(<= terminal (true over))
(<= (goal row 100) (true won)) (<= (goal row 0) (not (true won)))
(<= (goal column 0) (true won)) (<= (goal column 100) (not (true won)))
"""

DICE = """
(role player) (role random) (init begin)
(<= (legal player low) (true begin)) (<= (legal player high) (true begin)) (<= (legal random noop) (true begin))
(<= (next (die ?d)) (does player ?d))
(<= (legal player noop) (true (die ?d)))
(<= (legal random ?face) (true (die ?d)) (face ?d ?face ?points))
(<= (next (got ?points)) (true (die ?d)) (does random ?face) (face ?d ?face ?points))
(face low f1 0) (face low f2 20) (face high f1 90) (face high f2 100)
(<= terminal (true (got ?points)))
(<= (goal player ?points) (true (got ?points)))
(<= (goal random 100) (true (got ?points)))
"""

STUCK = """
(role left) (role right) (init begin)
(<= (legal left go) (true begin)) (<= (legal left stop) (true begin)) (<= (legal right noop) (true begin))
(<= (next gone) (does left go)) (<= (next stopped) (does left stop))
(<= (legal left on) (true stopped))
(<= terminal (true gone))
(<= (goal left 20) (true gone)) (<= (goal left 80) (true stopped))
(<= (goal right 100) (true gone)) (<= (goal right 20) (true stopped))
"""

CIRCLE = """
(role walker) (init (at 0))
(succ 0 1) (succ 1 2) (succ 2 3) (succ 3 4) (succ 4 5) (succ 5 6)
(<= (legal walker forward) (true (at ?p)) (succ ?p ?q))
(<= (legal walker back) (true (at ?p)) (succ ?q ?p))
(<= (legal walker out) (true (at ?p)))
(<= (next (at ?q)) (does walker forward) (true (at ?p)) (succ ?p ?q))
(<= (next (at ?q)) (does walker back) (true (at ?p)) (succ ?q ?p))
(<= (next gone) (does walker out))
(<= terminal (true gone)) (<= terminal (true (at 6)))
(<= (goal walker 10) (true gone)) (<= (goal walker 100) (true (at 6)))
"""


TRAPS = """
(role me) (role you) (init gate)
(<= (legal you lead) (true gate)) (<= (legal you push) (true gate)) (<= (legal me noop) (true gate))
(<= (next hall) (true gate))
{doors}
(<= (legal me (open ?door)) (true hall) (door ?door)) (<= (legal you noop) (true hall))
(<= (next (at 0)) (does me (open 1))) (<= (next lost) (does me (open ?door)) (distinct ?door 1))
{steps}
(<= (legal ?role left) (true (at ?step)) (mover ?role))
(<= (legal ?role right) (true (at ?step)) (mover ?role))
(<= (legal ?role noop) (true (at ?step)) (role ?role) (not (mover ?role)))
(<= (mover me) (not (true odd))) (<= (mover you) (true odd))
(<= (next odd) (true (at ?step)) (not (true odd)))
(<= (next (at ?after)) (true (at ?step)) (succ ?step ?after))
(<= (next ahead) (does ?role left) (not (true ahead))) (<= (next ahead) (does ?role right) (true ahead))
(<= terminal (true (at 40))) (<= terminal (true lost))
(<= (goal me 100) (true ahead)) (<= (goal me 0) (not (true ahead)))
(<= (goal you 0) (true ahead)) (<= (goal you 100) (not (true ahead)))
""".format(
    doors=" ".join(f"(door {n})" for n in range(1, 101)), steps=" ".join(f"(succ {n} {n + 1})" for n in range(40))
)


def machine(rules: str) -> CircuitMachine:
    """The circuit of a rulesheet, given as text or as the name of a bundled game."""
    text = rules if rules.strip().startswith("(") else (GAMES / f"{rules}.kif").read_text()
    return built(text)


PAWNS = """
(role a) (role b) (init (control a)) (other a b) (other b a)
(init (cell 0 0 a)) (init (cell 1 0 a)) (init (cell 2 0 a)) (init (cell 0 3 b)) (init (cell 1 3 b)) (init (cell 2 3 b))
(fwd a 0 1) (fwd a 1 2) (fwd a 2 3) (fwd b 3 2) (fwd b 2 1) (fwd b 1 0)
(side 0 1) (side 1 0) (side 1 2) (side 2 1)
(<= (full ?x ?y) (true (cell ?x ?y ?r)))
(<= (can ?r ?x ?y ?x ?z) (true (cell ?x ?y ?r)) (fwd ?r ?y ?z) (not (full ?x ?z)))
(<= (can ?r ?x ?y ?u ?z) (true (cell ?x ?y ?r)) (fwd ?r ?y ?z) (side ?x ?u) (true (cell ?u ?z ?o)) (other ?r ?o))
(<= (legal ?r (move ?x ?y ?u ?z)) (true (control ?r)) (can ?r ?x ?y ?u ?z))
(<= (legal ?r noop) (role ?r) (not (true (control ?r))))
(<= (next (control ?o)) (true (control ?r)) (other ?r ?o))
(<= (next (cell ?u ?z ?r)) (does ?r (move ?x ?y ?u ?z)))
(<= (next (cell ?x ?y ?r)) (true (cell ?x ?y ?r)) (not (touched ?x ?y)))
(<= (touched ?x ?y) (does ?r (move ?x ?y ?u ?z)))
(<= (touched ?u ?z) (does ?r (move ?x ?y ?u ?z)))
(<= (home a) (true (cell ?x 3 a))) (<= (home b) (true (cell ?x 0 b))) (<= won (home ?r))
(<= able (true (control ?r)) (can ?r ?x ?y ?u ?z))
(<= terminal won) (<= terminal (not able))
(<= (goal ?r 100) (home ?r)) (<= (goal ?o 0) (home ?r) (other ?r ?o)) (<= (goal ?r 50) (role ?r) (not won))
"""
"""Three pawns against three: a pawn at the other side wins, so many states have a winning move."""
