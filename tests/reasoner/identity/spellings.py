"""The same game in other words, and games that differ in one rule."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace

from agent.gamemaster.scramble import Scrambler, keeps_spelling, words
from agent.protocol.elements import tokens
from reasoner.language.literals import Atom, Condition, Distinct, Literal
from reasoner.language.terms import Compound, Constant, Term, Variable
from reasoner.rules.program import Program, Rule
from reasoner.rules.read import read_program


def shuffled(program: Program, seed: int) -> Program:
    """The rules, their conditions and the sides of each `distinct` in another order, variables renamed."""
    rng = random.Random(seed)
    rules = [_shuffled(rule, rng) for rule in rng.sample(program.rules, len(program.rules))]
    return Program(tuple(rules), program.roles)


def _shuffled(rule: Rule, rng: random.Random) -> Rule:
    body = [_turned(condition, rng) for condition in rng.sample(rule.body, len(rule.body))]
    variables = list(dict.fromkeys(rule.variables()))
    names = {v: Variable(f"v{n}") for n, v in enumerate(rng.sample(variables, len(variables)))}
    return Rule(rule.head, tuple(body)).substituted(names)


def _turned(condition: Condition, rng: random.Random) -> Condition:
    if isinstance(condition, Distinct) and rng.random() < 0.5:
        return Distinct(condition.right, condition.left)
    return condition


def numbers_too(text: str, values: set[str], seed: int) -> Scrambler:
    """A renaming that also gives numbers other names, but for those that goals are worth."""
    numbers = [t for t in dict.fromkeys(tokens(text)) if t.lstrip("+-").isdigit() and t not in values]
    fresh = words(random.Random(seed), {t.lower() for t in tokens(text)})
    plain = Scrambler.of(text, seed)
    taken = set(plain.names.values())
    names = {number: next(word for word in fresh if word not in taken) for number in numbers}
    return Scrambler(plain.names | names)


def scrambled(text: str, seed: int) -> tuple[Program, Scrambler]:
    """The game under made-up names, shuffled."""
    scrambler = Scrambler.of(text, seed)
    return shuffled(read_program(scrambler.rules(text))[0], seed), scrambler


def mutants(program: Program, seed: int, count: int) -> Iterator[tuple[str, Program]]:
    """Programs that differ in one rule, and what was done: a literal dropped, negated, or a constant changed."""
    rng = random.Random(seed)
    while count:
        place = rng.randrange(len(program.rules))
        done, rule = rng.choice((_drop, _negate, _change))(program, program.rules[place], rng)
        if rule is not None and rule != program.rules[place] and rule not in program.rules:
            count -= 1
            rules = (*program.rules[:place], rule, *program.rules[place + 1 :])
            yield f"{done}: {rule}", Program(rules, program.roles)


def _drop(_program: Program, rule: Rule, rng: random.Random) -> tuple[str, Rule | None]:
    if not rule.body:
        return "dropped", None
    place = rng.randrange(len(rule.body))
    return "dropped", replace(rule, body=(*rule.body[:place], *rule.body[place + 1 :]))


def _negate(_program: Program, rule: Rule, rng: random.Random) -> tuple[str, Rule | None]:
    literals = [n for n, condition in enumerate(rule.body) if isinstance(condition, Literal)]
    if not literals:
        return "negated", None
    place = rng.choice(literals)
    literal = rule.body[place]
    assert isinstance(literal, Literal)
    body = (*rule.body[:place], replace(literal, positive=not literal.positive), *rule.body[place + 1 :])
    return "negated", replace(rule, body=body)


def _change(program: Program, rule: Rule, rng: random.Random) -> tuple[str, Rule | None]:
    own = sorted({name for part in (rule.head, *rule.body) for name in _constants(part)})
    every = sorted({name for other in program.rules for name in _constants(other.head)})
    if not own or not every:
        return "changed", None
    old, new = rng.choice(own), rng.choice(every)
    head = Atom(rule.head.name, tuple(_replaced(a, old, new) for a in rule.head.arguments))
    return f"{old} to {new}", replace(rule, head=head)


def _constants(part: Atom | Condition) -> Iterator[str]:
    terms: tuple[Term, ...]
    if isinstance(part, Distinct):
        terms = (part.left, part.right)
    else:
        terms = (part if isinstance(part, Atom) else part.atom).arguments
    for term in terms:
        yield from _constants_of(term)


def _constants_of(term: Term) -> Iterator[str]:
    if isinstance(term, Constant) and not keeps_spelling(term.name):
        yield term.name
    elif isinstance(term, Compound):
        for argument in term.arguments:
            yield from _constants_of(argument)


def _replaced(term: Term, old: str, new: str) -> Term:
    if isinstance(term, Compound):
        return Compound(term.functor, tuple(_replaced(a, old, new) for a in term.arguments))
    return Constant(new) if term == Constant(old) else term
