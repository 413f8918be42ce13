"""What moves do and with what is said apart, and play is the same."""

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reasoner.circuit.optimize import passes
from reasoner.circuit.optimize.split_by_moved_piece import said_apart
from reasoner.compilation import stages
from reasoner.compilation.limits import BuildLimits
from reasoner.lanes.machine import CircuitMachine
from reasoner.relational.machine import RelationalMachine
from reasoner.rules.read import read_program

BOARD = """
(role w) (role b) (init (control w)) (init (step 0)) {squares} {pieces} {start} {steps}
(<= (legal ?r (move ?p ?x ?y)) (true (control ?r)) (owner ?r ?p) (true (at ?x ?p)) (square ?y) (distinct ?x ?y)
    (not (own ?r ?y)))
(<= (legal ?r noop) (role ?r) (not (true (control ?r))))
(<= (own ?r ?y) (owner ?r ?p) (true (at ?y ?p)))
(<= (next (at ?y ?p)) (does ?r (move ?p ?x ?y)) (not (crowned ?p ?y)))
(<= (next (at ?y ?q)) (does ?r (move ?p ?x ?y)) (crowned ?p ?y) (crown ?r ?q)) (crown w wq) (crown b bq) {crowned}
(<= (next (at ?z ?p)) (true (at ?z ?p)) (not (touched ?z)))
(<= (touched ?x) (does ?r (move ?p ?x ?y))) (<= (touched ?y) (does ?r (move ?p ?x ?y)))
(<= (next (control w)) (true (control b))) (<= (next (control b)) (true (control w)))
(<= (next (step ?n)) (true (step ?m)) (succ ?m ?n)) (<= terminal (true (step 9))) (<= (goal ?r 50) (role ?r))
"""

WHITE, BLACK = ("wk", "wq", "wn", "wp"), ("bk", "bq", "bn", "bp")


def board(squares, kinds, placed, promotes):
    """Rules of pieces on squares; `placed` says who stands where, and a pawn may become a queen on square 1."""
    pieces = [*WHITE[:kinds], *BLACK[:kinds]]
    return BOARD.format(
        squares=" ".join(f"(square {i})" for i in range(squares)),
        pieces=" ".join(f"(owner {piece[0]} {piece})" for piece in pieces),
        crowned="(crowned wp 1) (crowned bp 1)" if promotes else "(crowned none 1)",
        start=" ".join(f"(init (at {i} {pieces[p % len(pieces)]}))" for i, p in enumerate(placed[: squares - 1])),
        steps=" ".join(f"(succ {i} {i + 1})" for i in range(9)),
    )


def always(patch):
    """Let the pass rewrite whether it makes the graph smaller or not; notes in how many ways it did."""
    noted = []

    def rewritten(logic, ways):
        found = [other for subjects in ways if (other := said_apart(logic, subjects)) is not logic]
        noted.append(len(found))
        return found[-1] if found else logic

    patch.setattr(passes, "use_subjects", rewritten)
    return noted


def agree(rules, seed):
    """Play at random on the circuit and beside it on the relational machine."""
    program, _ = read_program(rules)
    relational, random = RelationalMachine(program), Random(seed)
    built = stages.build_circuit(program, BuildLimits(emitter="portable"), lambda _: None)
    machine = CircuitMachine(built, relational)
    for _ in range(5):
        one, other = machine.initial(), relational.initial()
        while not relational.terminal(other):
            assert machine.legal(one) == relational.legal(other)
            joint = [random.choice(moves) for moves in relational.legal(other) if moves]
            if len(joint) < 2:
                break
            one, other = machine.next(one, joint), relational.next(other, joint)
            assert machine.facts(one) == relational.facts(other)


@pytest.fixture(autouse=True)
def _rules_as_written():
    """Rules are not split before they are grounded, which would tell subjects apart already."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(stages, "rewrite", lambda program, *_: program)
        yield


def test_play_is_the_same_where_moves_are_said_apart(monkeypatch):
    noted = always(monkeypatch)
    agree(board(7, 4, [0, 1, 2, 4, 5, 6, 7], promotes=True), seed=1)
    assert noted == [1]


@given(
    st.integers(4, 6),
    st.integers(2, 4),
    st.lists(st.integers(0, 7), min_size=5, max_size=5),
    st.booleans(),
    st.integers(0, 2**32),
)
@settings(max_examples=25, deadline=None)
def test_play_is_the_same_on_any_board(squares, kinds, placed, promotes, seed):
    with pytest.MonkeyPatch.context() as patch:
        always(patch)
        agree(board(squares, kinds, placed, promotes), seed)


def test_a_board_takes_fewer_gates(monkeypatch):
    program, _ = read_program(board(12, 4, [0, 1, 2, 3, 4, 5, 6, 7], promotes=False))
    built = stages.build_circuit(program, BuildLimits(emitter="portable"), lambda _: None)
    monkeypatch.setattr(passes, "use_subjects", lambda logic, _: logic)
    other = stages.build_circuit(program, BuildLimits(emitter="portable"), lambda _: None)
    assert len(built.circuit.left) < 0.95 * len(other.circuit.left)
