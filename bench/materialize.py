"""Benchmark of materialized views: `python -m bench.materialize` measures how the cost of a state grows with n.

It measures each form of the chapter's example

k(X,Y) :- true(g(X,Y)) & j(Y)      j(Y) :- true(g(Y,Z)) & h(Z)      h(Z) :- true(f(Z))

over n constants, every g and f true. Counted are the facts that a top-down evaluation without indexes visits: as the
chapter counts them (a view is evaluated in full at each use), and with bindings passed down to it. Measured is the CPU
time of the relational engine, which evaluates each view once a state. The exponent is that of the best line through log
n, log cost.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator

import click
import numpy as np
from rich.table import Table

from agent.cli.console import console
from reasoner.language.terms import Compound, Term, Variable, substitute
from reasoner.language.unify import Bindings, resolve, unify
from reasoner.relational.machine import RelationalMachine
from reasoner.rewrite.facts import HOLDING
from reasoner.rewrite.keep_views import keep
from reasoner.rules.program import Literal, Program, Relation, Rule
from reasoner.rules.read import read_program

RULES = """
role(r)
init(g(X,Y)) :- index(X) & index(Y)
init(f(X)) :- index(X)
k(X,Y) :- true(g(X,Y)) & j(Y)
j(Y) :- true(g(Y,Z)) & h(Z)
h(Z) :- true(f(Z))
legal(r,take(X,Y)) :- k(X,Y)
next(g(X,Y)) :- true(g(X,Y)) & ~does(r,take(X,Y))
next(f(X)) :- true(f(X))
terminal :- ~true(f(1))
goal(r,50)
"""

FORMS: dict[str, tuple[Relation, ...]] = {
    "as written": (),
    "j kept": (("j", 1),),
    "h and j kept": (("h", 1), ("j", 1)),
    "k kept": (("k", 2),),
}


def program(n: int, kept: tuple[Relation, ...]) -> Program:
    """Return the example over n constants, with some views kept."""
    facts = " ".join(f"index({i})" for i in range(1, n + 1))
    return keep(read_program(RULES + facts)[0], kept)


class TopDown:
    """Answers literals of a state from left to right and depth first, visiting every fact of a relation each time."""

    def __init__(self, rules: Program, state: frozenset[Term], *, hand_down: bool) -> None:
        self.looked_at = 0
        self._hand_down = hand_down
        self._rules: dict[Relation, list[Rule]] = {}
        self._facts: dict[str, list[Term]] = {}
        for rule in rules.rules:
            self._rules.setdefault(rule.head.relation, []).append(rule)
        for fact in state:
            self._facts.setdefault(_functor(fact), []).append(fact)
        self._fresh = 0

    def answers(self, literals: tuple[Literal, ...], bindings: Bindings) -> Iterator[Bindings]:
        """Yield every way to make all the literals true."""
        if not literals:
            yield bindings
            return
        first, *rest = literals
        for found in self._answers(first, bindings):
            yield from self.answers(tuple(rest), found)

    def _answers(self, literal: Literal, bindings: Bindings) -> Iterator[Bindings]:
        arguments = literal.atom.arguments
        if literal.atom.relation in HOLDING:
            for fact in self._facts.get(_functor(arguments[0]), ()):
                self.looked_at += 1
                if (found := unify([(arguments[0], fact)], bindings)) is not None:
                    yield found
            return
        for rule in self._rules.get(literal.atom.relation, ()):
            yield from self._derived(rule, arguments, bindings)

    def _derived(self, rule: Rule, arguments: tuple[Term, ...], bindings: Bindings) -> Iterator[Bindings]:
        self._fresh += 1
        apart: Bindings = {v: Variable(f"{v.name}/{self._fresh}") for v in _variables(rule)}
        head = tuple(substitute(a, apart) for a in rule.head.arguments)
        body = tuple(_renamed(c, apart) for c in rule.body if isinstance(c, Literal))
        pairs = list(zip(arguments, head, strict=True))
        if self._hand_down:
            found = unify(pairs, bindings)
            yield from self.answers(body, found) if found is not None else ()
            return
        for answer in self.answers(body, {}):
            values = resolve(answer)
            found = unify([(a, substitute(h, values)) for a, h in pairs], bindings)
            if found is not None:
                yield found


def _functor(fact: Term) -> str:
    return fact.functor if isinstance(fact, Compound) else str(fact)


def _variables(rule: Rule) -> set[Variable]:
    return {*rule.head.variables(), *(v for c in rule.body for v in c.variables())}


def _renamed(literal: Literal, apart: Bindings) -> Literal:
    atom = literal.atom
    return Literal(type(atom)(atom.name, tuple(substitute(a, apart) for a in atom.arguments)), literal.positive)


def exponent(cost: Callable[[int], float], sizes: list[int]) -> float:
    """Return the slope of log cost over log n."""
    return float(np.polyfit(np.log(sizes), np.log([cost(n) for n in sizes]), 1)[0])


def looked_at(n: int, kept: tuple[Relation, ...], *, hand_down: bool) -> float:
    """Return the facts visited for all answers of k."""
    rules = program(n, kept)
    machine = RelationalMachine(rules)
    evaluator = TopDown(rules, machine.facts(machine.initial()), hand_down=hand_down)
    asked = next(rule.body[0] for rule in rules.rules if rule.head.name == "legal")
    assert isinstance(asked, Literal)
    sum(1 for _ in evaluator.answers((asked,), {}))
    return float(evaluator.looked_at)


def engine_seconds(n: int, kept: tuple[Relation, ...], repeats: int = 3) -> float:
    """Return the relational engine's CPU seconds for the moves of a new state, the best of several."""
    machine = RelationalMachine(program(n, kept))
    start = machine.initial()
    states = [start]
    for move in machine.legal(start)[0][: repeats + 1]:
        states.append(machine.next(states[-1], [move]))
    times = []
    for state in states[1:]:
        began = time.process_time()
        machine.legal(state)
        times.append(time.process_time() - began)
    return min(times)


@click.command(help=__doc__)
@click.option("--largest", type=int, default=9, show_default=True, help="Constants for the top-down evaluations.")
@click.option("--engine-largest", type=int, default=64, show_default=True, help="Constants for the engine.")
def main(largest: int, engine_largest: int) -> None:
    """Print the exponents of each form."""
    sizes = list(range(4, largest + 1))
    ours = [n for n in (16, 24, 32, 48, 64, 96, 128) if n <= engine_largest]
    table = Table("form", "top-down, views in full", "top-down, bindings passed down", "relational engine")
    for name, kept in FORMS.items():
        full = exponent(lambda n, kept=kept: looked_at(n, kept, hand_down=False), sizes)
        handed = exponent(lambda n, kept=kept: looked_at(n, kept, hand_down=True), sizes)
        engine = exponent(lambda n, kept=kept: engine_seconds(n, kept), ours)
        table.add_row(name, f"n^{full:.2f}", f"n^{handed:.2f}", f"n^{engine:.2f}")
    console().print(table)


if __name__ == "__main__":
    main()
