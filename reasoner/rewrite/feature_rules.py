"""Groups of features as rules: the solutions to count become a relation that is grounded as all others are.

The caller gives the domain of `true`: the possible facts in states of the compiled game. Therefore the rules about
moves, next states and the initial state are not grounded.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from reasoner.language.features import FeatureGroup
from reasoner.language.terms import Compound, Constant, Term
from reasoner.rewrite.drop_unused import drop_unused
from reasoner.rewrite.keep_views import is_kept
from reasoner.rewrite.split_bodies import split_bodies
from reasoner.rewrite.unfold_views import unfold_large
from reasoner.rules.program import Atom, Program, Relation, Rule

COUNTED: Relation = ("counted ", 2)
"""The relation of solutions; columns: the number of a group, and the values of its counted variables as one term."""

OPEN: frozenset[Relation] = frozenset({("true", 1), ("next", 1)})
"""The relations from which gringo reads the domain of the states."""

SOLUTION = "solution"


def feature_rules(
    program: Program, bases: Iterable[Term], always: Iterable[Term], groups: Sequence[FeatureGroup]
) -> Program:
    """Return rules that derive the solutions of all groups, rewritten to have few ground instances.

    `bases` are the facts that may be true in a state, `always` those that are true in all states. The groups must not
    depend on a move.
    """
    bases, always = ([fact for fact in facts if not is_kept(fact)] for facts in (bases, always))
    rules = [rule for rule in program.rules if rule.head.relation not in OPEN]
    rules += [Rule(Atom("next", (fact,)), ()) for fact in (*bases, *always)]
    rules += [_rule(number, group) for number, group in enumerate(groups)]
    outputs = OPEN | {COUNTED}
    needed = drop_unused(Program(tuple(rules), program.roles), outputs)
    rewritten = split_bodies(unfold_large(needed, outputs)).program
    known = [Rule(Atom("true", (fact,)), ()) for fact in always]  # last: passes would treat `true` as a view
    return replace(rewritten, rules=(*rewritten.rules, *known))


def _rule(number: int, group: FeatureGroup) -> Rule:
    solution = Compound(SOLUTION, group.counted) if group.counted else Constant(SOLUTION)
    return Rule(Atom(COUNTED[0], (Constant(str(number)), solution)), group.conditions)
