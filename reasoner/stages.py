"""The intermediate forms of the rules, as text for people and as data for programs.

A stage imports compiled kernels only if it needs them; parsing and printing rules needs none.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from reasoner.errors import LimitError
from reasoner.language.cleaning import rules_source
from reasoner.language.expressions import Expression, Word
from reasoner.language.grammar import parse
from reasoner.language.write import pretty
from reasoner.language.write_infix import pretty_infix
from reasoner.rewrite.passes import PASSES, Pass, rewrite
from reasoner.rules.program import Atom, Program, Rule
from reasoner.rules.read import STANDARD, read_program
from reasoner.rules.statements import rule_list
from reasoner.rules.strata import Component, static_relations, stratify

if TYPE_CHECKING:
    from reasoner.circuit.circuit import Circuit
    from reasoner.relational.machine import RelationalMachine


@dataclass(frozen=True, slots=True)
class Stage:
    """A form of the rules: `text` for people, `data` as JSON values."""

    text: str
    data: object


def parsed(text: str) -> Stage:
    """Return the statements as written, without comments; the data are nested lists of words."""
    source = rules_source(text, STANDARD)
    expressions = rule_list(parse(source, STANDARD))
    shown = (pretty_infix if source.infix else pretty)(expressions)
    return Stage(shown, [_nested(expression) for expression in expressions])


def rules(text: str) -> Stage:
    """Return the rules in normal form, one per line."""
    program, _ = read_program(text)
    return Stage(str(program), [_rule_data(rule) for rule in program.rules])


def strata(text: str) -> Stage:
    """Return the components in evaluation order, one per line."""
    found = stratify(read_program(text)[0])
    lines = [f"{number:>3}  {_component_line(component)}" for number, component in enumerate(found, 1)]
    return Stage("\n".join(lines), [_component_data(component) for component in found])


def static(text: str) -> Stage:
    """Return the rows of static relations; for a relation that exceeds a limit, the limit."""
    program, _ = read_program(text)
    machine = _relational(program)
    found = {}
    for name, arity in sorted(static_relations(program) & {rule.head.relation for rule in program.rules}):
        try:
            rows = machine.relation((name, arity))
            found[f"{name}/{arity}"] = sorted(str(Atom(name, row)) for row in rows)
        except LimitError as limit:
            found[f"{name}/{arity}"] = [f"; {limit}"]
    lines = [line for name, atoms in found.items() for line in (f"; {name}: {_counted(len(atoms), 'row')}", *atoms)]
    return Stage("\n".join(lines), found)


def rewritten(text: str, passes: tuple[Pass, ...] = PASSES) -> Stage:
    """Return the rules after all rewritings, and the effect of each with its reason."""
    program, _ = read_program(text)
    lines, steps = [], []
    for one in passes:
        after, reasons = rewrite(program, [one]).program, one.explain(program)
        gone, new = set(program.rules) - set(after.rules), set(after.rules) - set(program.rules)
        lines.append(f"; {one.name}: {one.reason}; {_counted(len(gone), 'rule') or 'none'} replaced or dropped")
        lines += [f";   {reason}" for reason in reasons]
        step = {"pass": one.name, "reason": one.reason, "dropped": sorted(map(str, gone)), "added": len(new)}
        steps.append({**step, "reasons": list(reasons)})
        program = after
    return Stage("\n".join([*lines, str(program)]), {"passes": steps, "rules": [_rule_data(r) for r in program.rules]})


def ground(text: str) -> Stage:
    """Return the relevant ground rules, one per line; raises LimitError if there are more than MAX_SHOWN_RULES."""
    from reasoner.ground.collect import ground as ground_program

    grounded = ground_program(rewrite(read_program(text)[0]).program, MAX_SHOWN_RULES)
    lines = str(grounded)
    return Stage(lines, {"rules": lines.splitlines(), "atoms": dict(grounded.texts())})


def circuit(text: str) -> Stage:
    """The compiled circuit; raises LimitError if it cannot be built."""
    from reasoner.circuit import show

    compiled = built(text)
    return Stage(show.text(compiled), show.data(compiled))


def built(text: str) -> Circuit:
    """Return the circuit of a rulesheet; raises LimitError if it cannot be built."""
    from reasoner.compilation import BuildLimits, CircuitBuild

    return CircuitBuild(read_program(text)[0], BuildLimits()).result().circuit


def state(text: str) -> Stage:
    """The initial state: its facts, and the goal and legal moves of each role."""
    machine = _relational(read_program(text)[0])
    initial = machine.initial()
    facts, goals = sorted(map(str, machine.facts(initial))), machine.goal(initial)
    legal = {role: list(map(str, moves)) for role, moves in zip(machine.roles, machine.legal(initial), strict=True)}
    lines = [*facts, f"; terminal: {'yes' if machine.terminal(initial) else 'no'}"]
    for (role, moves), goal in zip(legal.items(), goals, strict=True):
        lines.append(f"; {role}: goal {'none' if goal is None else goal}, {_counted(len(moves), 'legal move')}")
        lines += [f"(legal {role} {move})" for move in moves]
    data = {"facts": facts, "terminal": machine.terminal(initial), "goals": dict(zip(legal, goals, strict=True))}
    return Stage("\n".join(lines), {**data, "legal": legal})


MAX_SHOWN_RULES = 2_000_000
"""Maximum number of printed ground rules."""

STAGES: dict[str, Callable[[str], Stage]] = {
    "parsed": parsed,
    "rules": rules,
    "strata": strata,
    "static": static,
    "rewritten": rewritten,
    "ground": ground,
    "circuit": circuit,
    "state": state,
}
"""The stages by name. Each takes the text of a rulesheet and raises RulesError if it is invalid."""


def _relational(program: Program) -> RelationalMachine:
    from reasoner.relational.machine import RelationalMachine

    return RelationalMachine(program)


def _nested(expression: Expression) -> object:
    return expression.text if isinstance(expression, Word) else [_nested(item) for item in expression.items]


def _rule_data(rule: Rule) -> dict[str, object]:
    return {
        "head": str(rule.head),
        "body": [str(condition) for condition in rule.body],
        "line": rule.span.line if rule.span else None,
    }


def _names(component: Component) -> list[str]:
    return [f"{name}/{arity}" for name, arity in sorted(component.relations)]


def _component_line(component: Component) -> str:
    facts = sum(not rule.body for rule in component.rules)
    derived = len(component.rules) - facts
    parts = [_counted(facts, "fact"), _counted(derived, "rule")]
    parts += ["recursive"] * component.recursive + ["negative cycle"] * component.negative_cycle
    return f"{' '.join(_names(component))}: {', '.join(filter(None, parts))}"


def _counted(count: int, noun: str) -> str:
    return f"{count} {noun}{'' if count == 1 else 's'}" if count else ""


def _component_data(component: Component) -> dict[str, object]:
    return {
        "relations": _names(component),
        "rules": len(component.rules),
        "recursive": component.recursive,
        "negative_cycle": component.negative_cycle,
    }
