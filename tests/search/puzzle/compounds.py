"""Small compound games drawn by hypothesis, as rulesheets, and their best ends by looking at every state."""

from __future__ import annotations

from functools import cache

from hypothesis import strategies as st

from reasoner.lanes.machine import CircuitMachine
from reasoner.machine import State

ACTIONS = ("a", "b")
STEPS = 6


@st.composite
def automata(draw: st.DrawFn, number: int) -> str:
    """The rules of one automaton: where each action leads, and where it goes when it is left alone."""
    states = draw(st.integers(2, 4))
    target = st.integers(0, states - 1)
    rules = [f"(init (at {number} 0))"]
    for state in range(states):
        able = [action for action in ACTIONS if draw(st.integers(0, 5))]
        rules += [f"(go {number} {state} {action} {draw(target)})" for action in able]
        after = state if draw(st.integers(0, 2)) else draw(target)  # left alone it mostly stays
        rules.append(f"(alone {number} {state} {after})")
        rules += [f"(shows {number} {state})"] * draw(st.integers(0, 1))
    return "\n".join(rules)


def literals(number: int) -> st.SearchStrategy[str]:
    """Something that an automaton shows, or shows not."""
    return st.sampled_from((f"(light {number})", f"(not (light {number}))"))


@st.composite
def formulas(draw: st.DrawFn, name: str, count: int) -> str:
    """A relation that holds under a random combination of what the automata show."""
    clauses = draw(st.lists(st.sets(st.integers(1, count), min_size=1), min_size=1, max_size=3))
    heads = [" ".join(draw(literals(number)) for number in sorted(clause)) for clause in clauses]
    return "\n".join(f"(<= {name} {body})" for body in heads)


MOVED_APART = """
(<= (legal robot (do ?i ?a)) (true (at ?i ?s)) (go ?i ?s ?a ?t))
(<= (acts ?i ?a) (does robot (do ?i ?a)))
(<= (acted ?i) (acts ?i ?a))
(<= (next (at ?i ?t)) (true (at ?i ?s)) (alone ?i ?s ?t) (not (acted ?i)))
"""


def moved_jointly(count: int) -> str:
    """The rules of moves that act on all automata."""
    names = [f"?a{number}" for number in range(1, count + 1)]
    move = f"(do {' '.join(names)})"
    able = " ".join(f"(can {number} {name})" for number, name in enumerate(names, 1))
    acts = "\n".join(f"(<= (acts {number} {name}) (does robot {move}))" for number, name in enumerate(names, 1))
    return f"(<= (can ?i ?a) (true (at ?i ?s)) (go ?i ?s ?a ?t))\n(<= (legal robot {move}) {able})\n{acts}"


def moved_in_turn(count: int) -> str:
    """The rules of moves that act on one automaton after the other, as the clock says."""
    rules = """
(<= (legal robot ?a) (turn ?i) (true (at ?i ?s)) (go ?i ?s ?a ?t))
(<= (acts ?i ?a) (turn ?i) (does robot ?a))
(<= (turn ?i) (true (step ?m)) (now ?m ?i))
(<= (next (at ?i ?t)) (true (at ?i ?s)) (alone ?i ?s ?t) (not (turn ?i)))
"""
    return rules + "\n".join(f"(now {step} {step * count // STEPS + 1})" for step in range(STEPS))


@st.composite
def compounds(draw: st.DrawFn) -> str:
    """A game of one role: two or three automata, moved jointly, apart, or in turn, with a clock that ends it."""
    count = draw(st.integers(2, 3))
    moved = draw(st.sampled_from((moved_jointly(count), MOVED_APART, moved_in_turn(count))))
    ends = draw(st.booleans())
    parts = [
        "(role robot)\n(init (step 0))\n(shows 0 0)\n(go 0 0 a 0)",
        *(f"(succ {step} {step + 1})" for step in range(STEPS)),
        *(draw(automata(number)) for number in range(1, count + 1)),
        moved,
        "(<= (next (at ?i ?t)) (true (at ?i ?s)) (acts ?i ?a) (go ?i ?s ?a ?t))",
        "(<= (next (step ?n)) (true (step ?m)) (succ ?m ?n))",
        "(<= (light ?i) (true (at ?i ?s)) (shows ?i ?s))",
        *(draw(formulas(name, count)) for name in ("fine", "good", *(["done"] if ends else []))),
        f"(<= terminal (true (step {STEPS})))",
        *(["(<= terminal done)"] if ends else []),
        "(<= (goal robot 100) fine)\n(<= (goal robot 60) good (not fine))",
        "(<= (goal robot 10) (not good) (not fine))",
    ]
    return "\n".join(parts)


def best_end(machine: CircuitMachine) -> int:
    """The best value of an end, by looking at every state."""

    @cache
    def best(state: State) -> int:
        moves = machine.legal(state)[0]
        if machine.terminal(state) or not moves:
            return machine.goal(state)[0] or 0
        return max(best(machine.next(state, (move,))) for move in moves)

    return best(machine.initial())
