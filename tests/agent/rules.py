"""Small rulesheets that the agent's tests play."""

from reasoner.machine import Machine
from reasoner.relational.machine import RelationalMachine
from reasoner.rules.read import read_program

# Two players take one or two stones in turn; who takes the last wins.
STONES = """
(role first) (role second)
(init (heap 9)) (init (turn first))
(other first second) (other second first)
(less 9 1 8) (less 8 1 7) (less 7 1 6) (less 6 1 5) (less 5 1 4) (less 4 1 3) (less 3 1 2) (less 2 1 1) (less 1 1 0)
(<= (less ?a 2 ?c) (less ?a 1 ?b) (less ?b 1 ?c))
(<= (legal ?r (take ?n)) (true (turn ?r)) (true (heap ?a)) (less ?a ?n ?b))
(<= (legal ?r noop) (role ?r) (not (true (turn ?r))))
(<= (next (heap ?b)) (does ?r (take ?n)) (true (heap ?a)) (less ?a ?n ?b))
(<= (next (turn ?s)) (true (turn ?r)) (other ?r ?s))
(<= terminal (true (heap 0)))
(<= (goal ?r 100) (true (heap 0)) (true (turn ?s)) (other ?r ?s))
(<= (goal ?r 0) (role ?r) (true (turn ?r)))
(<= (goal ?r 0) (true (turn ?s)) (other ?r ?s) (not (true (heap 0))))
"""

# Two players wait or step at the same time for twenty turns; every joint move is legal in every state.
ALIKE = """
(role a) (role b)
(init (step 0))
(<= (legal ?r wait) (role ?r))
(<= (legal ?r go) (role ?r))
(<= (next (step ?n)) (true (step ?m)) (after ?m ?n))
(<= terminal (true (step 20)))
(<= (goal ?r 50) (role ?r))
""" + " ".join(f"(after {n} {n + 1})" for n in range(20))

# The open move of the second turn is not the one of the first: a joint move is never legal twice in a row.
LADDER = """
(role a)
(init (at 0))
(<= (legal a (to ?n)) (true (at ?m)) (after ?m ?n))
(<= (next (at ?n)) (does a (to ?n)))
(<= terminal (true (at 20)))
(goal a 100)
""" + " ".join(f"(after {n} {n + 1})" for n in range(20))

# One player waits in any state, or names the state that follows.
WAITING = (
    LADDER
    + "(<= (legal a wait) (true (at ?m)) (after ?m ?n))"
    + ("(<= (next (at ?n)) (does a wait) (true (at ?m)) (after ?m ?n))")
)

# A function that grows in every state: no finite grounding, but every single state is small.
GROWING = """
(role a)
(init (tower z))
(<= (legal a on) (true (tower ?t)))
(<= (legal a off) (true (tower ?t)))
(<= (next (tower (s ?t))) (true (tower ?t)))
(<= terminal (true (tower done)))
(goal a 100)
"""

# A function that grows without end while the rules are evaluated once.
ENDLESS = GROWING + "(number z) (<= (number (s ?n)) (number ?n))" + "(<= (legal a ?n) (number ?n))"

# Not a meaningful rule in it.
BROKEN = "(role a) (<= (legal a ?x) (not (true ?x))) (next)"


def machine(rules: str) -> Machine:
    """The plain machine of a rulesheet."""
    program, _ = read_program(rules)
    return RelationalMachine(program)


def legal_after(rules: str, *joints: tuple[str, ...]) -> list[set[str]]:
    """Per role the texts of the legal moves after some joint moves."""
    game = machine(rules)
    return [set(map(str, moves)) for moves in game.legal(reached(game, joints))]


def reached(game: Machine, joints):
    """The state after joint moves."""
    state = game.initial()
    for joint in joints:
        state = game.next(state, joint)
    return state
