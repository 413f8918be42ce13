"""Translation of the same rules and features to a Prolog program, and its run by SWI-Prolog.

Facts of the state are split into relations as in this project's engine, so that Prolog's indexes see their arguments.
Either all relations with rules are tabled, or only the recursive ones, which could not be evaluated otherwise.
"""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterable, Sequence
from pathlib import Path

from bench.features.draw import Feature
from reasoner.language.parse import read_conjunction
from reasoner.language.terms import Compound, Constant, Term, Variable
from reasoner.relational.bytecode.fact_relations import Shapes
from reasoner.relational.bytecode.layout import STATE
from reasoner.relational.bytecode.strata import Units, cut
from reasoner.rules.program import Atom, Condition, Distinct, Literal, Program, Rule

DRIVER = """
:- initialization(main, main).
main :- findall(I-Fs, position(I, Fs), Positions), forall(one(Positions, Line), writeln(Line)).
one(Positions, Line) :-
    member(I-Facts, Positions),
    statistics(cputime, T0),
    clear, abolish_all_tables, maplist(assertz, Facts),
    findall(N, feature_count(N), Counts),
    statistics(cputime, T1), T is T1 - T0,
    with_output_to(string(Line), (write('['), write(I), write(','), write(T), write(','), write(Counts), write(']'))).
distinct_count(Template, Goal, N) :- findall(Template, Goal, Found), sort(Found, Set), length(Set, N).
"""


def units_for(program: Program, features: Sequence[Feature]) -> Units:
    """Return the rules by shape that the features depend on."""
    conditions = [c for text, _ in features for c in read_conjunction(text) if isinstance(c, Literal)]
    return cut(program, {c.atom.relation for c in conditions})


def prolog_program(
    program: Program, features: Sequence[Feature], positions: Sequence[Iterable[Term]], table_all: bool
) -> str:
    """Return the text of the program; each position is a line ``[number, seconds, [counts]]`` of its output."""
    units = units_for(program, features)
    shapes = units.shapes
    lines = [
        ":- set_prolog_flag(double_quotes, codes).",
        ":- style_check(-singleton).",
        ":- style_check(-discontiguous).",
    ]
    state = [r for r, level in units.levels.items() if level == STATE and r[0].startswith("true ")]
    lines += [f":- dynamic {_name(name)}/{arity}." for name, arity in state]
    for unit in units.units:
        if unit.rules and (table_all or unit.recursive):
            lines += [f":- table {_name(name)}/{arity}." for name, arity in unit.relations]
        lines += [_clause(rule) for rule in (*unit.facts, *unit.rules)]
    lines.append(f"clear :- {', '.join(f'retractall({_blank(r)})' for r in state) or 'true'}.")
    for text, counted in features:
        body = ", ".join(_condition(c, shapes) for c in read_conjunction(text))
        names = ", ".join(_term(Variable(name[1:])) for name in counted)
        lines.append(f"feature_count(N) :- distinct_count(t({names}), ({body}), N).")
    for number, facts in enumerate(positions):
        known = [shapes.atom(Atom("true", (fact,))) for fact in facts]
        held = ", ".join(_atom(atom) for atom in known if atom.relation in state)
        lines.append(f"position({number}, [{held}]).")
    return "\n".join([*lines, DRIVER])


def run(text: str, folder: Path, seconds: float) -> list[tuple[float, list[int]]]:
    """Return the CPU seconds and the counts for each position."""
    file = folder / "features.pl"
    file.write_text(text)
    command = ["swipl", "-O", "--stack-limit=4g", str(file)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=seconds, check=True)
    return [(row[1], row[2]) for row in map(json.loads, done.stdout.splitlines())]


def _clause(rule: Rule) -> str:
    body = ", ".join(_condition(c, None) for c in _safe(rule.body))
    return f"{_atom(rule.head)} :- {body}." if body else f"{_atom(rule.head)}."


def _safe(body: Sequence[Condition]) -> list[Condition]:
    """Order tests after the conditions that bind their variables."""
    return sorted(body, key=lambda c: isinstance(c, Distinct) or not c.positive)


def _condition(condition: Condition, shapes: Shapes | None) -> str:
    if isinstance(condition, Distinct):
        return f"{_term(condition.left)} \\== {_term(condition.right)}"
    atom = _atom(shapes.atom(condition.atom) if shapes else condition.atom)
    return atom if condition.positive else f"\\+ {atom}"


def _atom(atom: Atom) -> str:
    return f"{_name(atom.name)}({', '.join(map(_term, atom.arguments))})" if atom.arguments else _name(atom.name)


def _term(term: Term) -> str:
    if isinstance(term, Variable):
        return "V_" + "".join(c if c.isalnum() else "_" for c in term.name)
    if isinstance(term, Compound):
        return f"{_name(term.functor)}({', '.join(map(_term, term.arguments))})"
    assert isinstance(term, Constant)
    return _name(term.name)


def _name(name: str) -> str:
    return "'" + name.replace("\\", "\\\\").replace("'", "\\'") + "'"


def _blank(relation: tuple[str, int]) -> str:
    return f"{_name(relation[0])}({', '.join('_' * relation[1])})"
