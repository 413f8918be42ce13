"""A certificate proves the value to the relational engine; a changed one does not."""

from __future__ import annotations

import gzip
import json

import pytest
from hypothesis import given, settings

from search.errors import CertificateError
from search.solve import solve
from search.solver import Solver
from search.solver.certificate import check, write
from search.solver.strategy import Strategy, best_line, strategies
from tests.machines import built
from tests.search.solver.games import Duel, duels
from tests.search.solver.test_solver import NIM, SMALL, shortest, solved


def certificate(file, rules: str, solver: Solver) -> None:
    write(file, rules, None, strategies(solver))


@given(duels())
@settings(max_examples=25, deadline=None)
def test_each_role_is_proven_to_reach_its_goal(tmp_path_factory, duel: Duel):
    file, value = tmp_path_factory.mktemp("c") / "c.gz", duel.value()
    solver = solved(duel.rules)
    found = strategies(solver)
    proven = {"a": value} if value > solver.lowest else {}
    proven |= {"b": 100 - value} if value < solver.highest else {}
    assert {s.role: s.at_least for s in found} == proven
    if found:
        write(file, duel.rules, None, found)
        rules, position, claims = check(file)
        assert (rules, position) == (duel.rules, None)
        assert {c.role: c.at_least for c in claims} == {s.role: s.at_least for s in found}
        assert all(c.moves <= duel.limit for c in claims)


@given(duels(fewest=1))
@settings(max_examples=20, deadline=None)
def test_a_win_is_proven_in_as_many_moves_as_its_distance(tmp_path_factory, duel: Duel):
    solver = solved(duel.rules)
    if solver.winner is not None:
        file = tmp_path_factory.mktemp("c") / "c.gz"
        certificate(file, duel.rules, hurrying := shortest(solver))
        (claim,) = check(file).claims
        assert (claim.role, claim.at_least, claim.moves) == (
            "ab"[solver.winner],
            hurrying.highest_goal,
            hurrying.distance[0],
        )


@pytest.fixture
def lines(tmp_path):
    """The lines of a valid certificate, and a function that checks changed ones."""
    file = tmp_path / "c.gz"
    certificate(file, NIM, solved(NIM))

    def checked(changed):
        with gzip.open(file, "wt", encoding="utf-8") as out:
            out.writelines(json.dumps(line) + "\n" for line in changed)
        return check(file)

    with gzip.open(file, "rt", encoding="utf-8") as text:
        return [json.loads(line) for line in text], checked


def test_the_longest_play_of_a_strategy_is_counted(lines):
    kept, checked = lines
    assert [(claim.role, claim.at_least, claim.moves) for claim in checked(kept).claims] == [("a", 100, 3)]


def damaged(kept):
    """Certificates with one fault each, by what the message says."""
    head, claim, first, *rest = kept
    yield "does not name one legal move", [head, {**claim, "role": "b"}, first, *rest]
    yield "at least", [head, {**claim, "at_least": 101}, first, *rest]
    yield "no role", [head, {**claim, "role": "c"}, first, *rest]
    yield "whole numbers", [head, {**claim, "positions": "9"}, first, *rest]
    yield "from 1 to", [head, {**claim, "positions": 10**12}, first, *rest]
    yield "does not name one legal move", [head, claim, ["(take 9)", *first[1:]], *rest]
    yield "does not name one legal move", [head, claim, ["", *first[1:]], *rest]
    yield "answers", [head, claim, [*first, 1], *rest]
    yield "repeated", [head, claim, [first[0], 0], *rest]
    yield "numbers below", [head, claim, [first[0], 10_000], *rest]
    yield "list of a move", [head, claim, first, *rest[:-1]]
    yield "no strategy", [head]
    yield "whole numbers", [head, {**claim, "at_least": True}, first, *rest]
    yield "list of facts", [{**head, "position": [["heap", 1]]}, claim, first, *rest]
    yield "format", [{**head, "format": "other"}, claim, first, *rest]
    yield "cannot be read", [{**head, "rules": "(role"}, claim, first, *rest]
    yield "line 1: the rules must be a text", [{**head, "rules": 7}, claim, first, *rest]
    yield "record with", [[], claim, first, *rest]
    another = next(i for i, step in enumerate(rest) if len(step) == 4)
    swapped = [rest[another][0], *reversed(rest[another][1:])]
    yield "line", [head, claim, first, *rest[:another], swapped, *rest[another + 1 :]]


def test_a_changed_certificate_is_refused_with_the_line(lines):
    kept, checked = lines
    for text, changed in damaged(kept):
        with pytest.raises(CertificateError, match=text):
            checked(changed)


STUCK = """
(role a) (role b) (init p) (<= (legal a x) (true p)) (<= (next q) (true q)) (<= (legal b x) (true q))
(<= terminal (true q)) (goal a 0) (goal b 100)
"""
"""B has no move at the start."""
GUESS = """
(role a) (role random) (init s) (<= (sees a start) (true s))
(<= (legal random (hide 1)) (true s)) (<= (legal random (hide 2)) (true s)) (<= (legal random noop) (not (true s)))
(<= (legal a noop) (true s)) (<= (legal a (name 1)) (not (true s))) (<= (legal a (name 2)) (not (true s)))
(<= (next (hidden ?x)) (does random (hide ?x))) (<= (next found) (does a (name ?x)) (true (hidden ?x)))
(<= (next over) (does a (name ?x))) (<= terminal (true over))
(<= (goal a 100) (true found)) (<= (goal a 0) (not (true found))) (goal random 0)
"""
"""A names what random has hidden."""
FALSE_PROOFS = {
    "stuck": (STUCK, [[]], "the goal is 0"),
    "guess": (GUESS, [["noop", 1, 2], ["(name 1)", 3], ["(name 2)", 4], [], []], "hides information"),
}


@pytest.mark.parametrize(("rules", "steps", "text"), FALSE_PROOFS.values(), ids=FALSE_PROOFS)
def test_a_false_proof_is_refused(lines, rules, steps, text):
    kept, checked = lines
    with pytest.raises(CertificateError, match=text):
        checked([{**kept[0], "rules": rules}, {"role": "a", "at_least": 100, "positions": len(steps)}, *steps])


def test_positions_that_differ_in_unused_facts_share_a_number(tmp_path):
    rules = NIM + "(<= (next (last ?k)) (does ?r (take ?k)))"
    certificate(tmp_path / "c", rules, solved(rules))
    certificate(tmp_path / "d", NIM, solved(NIM))
    (more,), (fewer,) = check(tmp_path / "c").claims, check(tmp_path / "d").claims
    assert more.positions > fewer.positions


def test_a_damaged_file_is_refused(tmp_path):
    file = tmp_path / "c"
    certificate(file, NIM, solved(NIM))
    content = bytearray(file.read_bytes())
    content[20:30] = b"damaged..."
    file.write_bytes(content)
    with pytest.raises(CertificateError, match="line 1"):
        check(file)


def test_a_certificate_that_cannot_be_written_leaves_the_earlier_one(tmp_path):
    file = tmp_path / "c"
    certificate(file, NIM, solved(NIM))
    before = file.read_bytes()

    def full():
        yield Strategy("left", 100, [])
        raise OSError("the disk is full")

    with pytest.raises(OSError, match="full"):
        write(file, NIM, None, full())
    assert file.read_bytes() == before
    assert list(tmp_path.iterdir()) == [file]


def test_a_strategy_with_too_many_answers_is_refused(lines, monkeypatch):
    monkeypatch.setattr("search.solver.certificate.MAX_ANSWERS", 5)
    kept, checked = lines
    with pytest.raises(CertificateError, match="more than 5 answers"):
        checked(kept)


def test_a_strategy_of_long_moves_is_refused_while_it_is_read(lines, monkeypatch):
    """A few lines of millions of characters each, which gzip makes small, cannot fill the memory."""
    monkeypatch.setattr("search.solver.certificate.MAX_TEXT", 250)
    head, claim, *_ = lines[0]
    with pytest.raises(CertificateError, match="line 5: the strategy has moves of more than 250 characters"):
        lines[1]([head, {**claim, "positions": 9}, *[["a" * 100, 1]] * 9])


def test_the_position_is_part_of_what_is_proven(lines):
    kept, checked = lines
    claim = {"role": "a", "at_least": 100, "positions": 1}
    facts = ["(heap 0)", "(control b)"]
    assert checked([{**kept[0], "position": facts}, claim, []]).position == facts


def test_a_file_of_another_kind_is_refused(tmp_path):
    (tmp_path / "c").write_text("hello")
    with pytest.raises(CertificateError, match="line 1: this is not a certificate"):
        check(tmp_path / "c")


def test_the_best_line_leads_to_the_value():
    machine = built(NIM)
    solver = Solver(machine, **SMALL)
    assert solver.run(60)
    state, line = machine.initial(), best_line(solver, 100)
    for move in line:
        legal = machine.legal(state)
        state = machine.next(state, [move if len(own) > 1 else own[0] for own in legal])
    while not machine.terminal(state):
        state = machine.next(state, [own[0] for own in machine.legal(state)])
    assert machine.goal(state) == (100, 0)


def test_the_line_of_a_game_that_never_ends_does():
    """Its value is known at once, because the goals are constant."""
    rules = """
    (role a) (role b) (init (turn a)) (legal b noop) (<= (legal a x) (true (turn a))) (<= (legal a y) (true (turn a)))
    (<= (legal a noop) (true (turn b))) (<= (next (turn b)) (true (turn a))) (<= (next (turn a)) (true (turn b)))
    (<= terminal (true over)) (goal a 50) (goal b 50)
    """
    solver = Solver(built(rules), **SMALL)
    assert solver.run(60)
    assert best_line(solver, 100) == ["x"]


def test_roles_that_choose_at_once_are_solved_even_if_their_goals_are_constant():
    rules = """
    (role a) (role b) (init s) (<= (legal ?r x) (role ?r) (true s)) (<= (legal ?r y) (role ?r) (true s))
    (<= (next (chose ?r ?m)) (does ?r ?m)) (<= terminal (not (true s))) (goal a 50) (goal b 50)
    """
    assert solve(built(rules), **SMALL).goals == (50, 50)
