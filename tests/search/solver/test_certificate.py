"""A certificate proves the value to the relational engine; a changed one does not."""

from __future__ import annotations

import gzip
import json

import pytest
from hypothesis import given, settings

from search.errors import CertificateError
from search.solver import Solver
from search.solver.certificate import check, write
from search.solver.strategy import best_line, strategies
from tests.machines import built
from tests.search.solver.games import Duel, duels
from tests.search.solver.test_solver import NIM, SMALL, solved


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
        rules, claims = check(file)
        assert rules == duel.rules
        assert {c.role: c.at_least for c in claims} == {s.role: s.at_least for s in found}
        assert all(c.moves <= duel.limit for c in claims)


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
    assert [(claim.role, claim.at_least, claim.moves) for claim in checked(kept)[1]] == [("a", 100, 3)]


def damaged(kept):
    """Certificates with one fault each, by what the message says."""
    head, claim, first, *rest = kept
    yield "not the one move", [head, {**claim, "role": "b"}, first, *rest]
    yield "at least", [head, {**claim, "at_least": 101}, first, *rest]
    yield "no role", [head, {**claim, "role": "c"}, first, *rest]
    yield "whole numbers", [head, {**claim, "positions": "9"}, first, *rest]
    yield "from 1 to", [head, {**claim, "positions": 10**12}, first, *rest]
    yield "not the one move", [head, claim, ["(take 9)", *first[1:]], *rest]
    yield "not the one move", [head, claim, ["", *first[1:]], *rest]
    yield "answers", [head, claim, [*first, 1], *rest]
    yield "repeated", [head, claim, [first[0], 0], *rest]
    yield "numbers below", [head, claim, [first[0], 10_000], *rest]
    yield "list of a move", [head, claim, first, *rest[:-1]]
    yield "no strategy", [head]
    yield "format", [{**head, "format": "other"}, claim, first, *rest]
    yield "cannot be read", [{**head, "rules": "(role"}, claim, first, *rest]
    yield "record with", [[], claim, first, *rest]
    another = next(i for i, step in enumerate(rest) if len(step) == 4)
    swapped = [rest[another][0], *reversed(rest[another][1:])]
    yield "line", [head, claim, first, *rest[:another], swapped, *rest[another + 1 :]]


def test_a_changed_certificate_is_refused_with_the_line(lines):
    kept, checked = lines
    for text, changed in damaged(kept):
        with pytest.raises(CertificateError, match=text):
            checked(changed)


def test_a_file_of_another_kind_is_refused(tmp_path):
    (tmp_path / "c").write_text("hello")
    with pytest.raises(CertificateError, match="line 1"):
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
