"""Every form that rules take on their way to a machine, as a text to read and as data for programs."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from reasoner.language.expressions import Expression, Word
from reasoner.language.grammar import parse
from reasoner.language.source import Source
from reasoner.language.write import pretty
from reasoner.rules.program import Rule
from reasoner.rules.read import STANDARD, read_program
from reasoner.rules.statements import rule_list
from reasoner.rules.strata import Component, stratify


@dataclass(frozen=True, slots=True)
class Stage:
    """A form of the rules: `text` for people, `data` of what JSON knows."""

    text: str
    data: object


def parsed(text: str) -> Stage:
    """The statements as written, without comments; the data are nested lists of words."""
    expressions = rule_list(parse(Source(text), STANDARD))
    return Stage(pretty(expressions), [_nested(expression) for expression in expressions])


def rules(text: str) -> Stage:
    """The rules in normal form, one a line."""
    program, _ = read_program(text)
    return Stage(str(program), [_rule_data(rule) for rule in program.rules])


def strata(text: str) -> Stage:
    """The components in their order of evaluation, one a line."""
    found = stratify(read_program(text)[0])
    lines = [f"{number:>3}  {_component_line(component)}" for number, component in enumerate(found, 1)]
    return Stage("\n".join(lines), [_component_data(component) for component in found])


STAGES: dict[str, Callable[[str], Stage]] = {"parsed": parsed, "rules": rules, "strata": strata}
"""Each takes the text of a rulesheet and raises RulesError when it is in error."""


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
