"""The strata of a game's rules: units that are evaluated as a whole, in order of dependency."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from reasoner.language.terms import Term
from reasoner.relational.bytecode.fact_relations import GOAL, PLACES, Shapes, named
from reasoner.relational.bytecode.layout import JOINT, STATE, STATIC
from reasoner.rules.dependencies import Graph, components, dependencies, reached
from reasoner.rules.program import Atom, Program, Relation, Rule
from reasoner.rules.strata import stratify

KEYWORDS = frozenset({"init", "next", "legal", "goal", "terminal"})
OUTPUTS: tuple[Relation, ...] = (("init", 1), ("next", 1), ("legal", 2), ("goal", 2), ("terminal", 0))


@dataclass(frozen=True)
class Unit:
    """Mutually dependent relations, and their rules; `facts` are the rules without a body.

    `negative`: the cycle contains a negation.
    """

    relations: tuple[Relation, ...]
    facts: tuple[Rule, ...]
    rules: tuple[Rule, ...]
    recursive: bool
    level: int
    negative: bool = False


@dataclass(frozen=True)
class Units:
    """All units in an order of evaluation; `shapes` knows the relations of facts and moves."""

    units: tuple[Unit, ...]
    levels: dict[Relation, int]
    shapes: Shapes
    graph: Graph[Relation]

    def needed(self, outputs: Iterable[Relation]) -> list[int]:
        """Return the numbers of the units that these relations depend on, in order."""
        wanted = reached(self.graph, outputs)
        return [i for i, u in enumerate(self.units) if wanted.intersection(u.relations)]

    def is_output(self, unit: Unit) -> bool:
        """Whether the unit has a relation that is read as a whole: a keyword's, or one outside the program."""
        return any(r not in self.graph or r[0].split(" ", 1)[0] in KEYWORDS for r in unit.relations)

    def by_keyword(self, keyword: str) -> list[Relation]:
        """Return the relations of a keyword, by shape."""
        return [r for r in self.levels if r[0] == keyword or r[0].startswith(f"{keyword} ")]


def cut(program: Program, wanted: Iterable[Relation] = OUTPUTS, foreseen: Sequence[Term] = ()) -> Units:
    """Return the units that `wanted` depend on; states may also contain the facts `foreseen`, which no rule makes."""
    needed = reached(dependencies(program.rules).every, wanted)
    rules = [rule for rule in program.rules if rule.head.relation in needed]
    shapes = Shapes(program, foreseen)
    if any(c.negative_cycle and GOAL in c.relations for c in stratify(Program(tuple(rules), program.roles))):
        shapes.opened[GOAL] = 1
    flat = shapes.rules(rules)
    graph = dependencies(flat)
    levels: dict[Relation, int] = {}
    units = []
    for members in components(graph.every):
        negative = any(graph.negative[r] & set(members) for r in members)
        units.append(_unit(members, [r for r in flat if r.head.relation in set(members)], levels, negative))
    for relation in {literal.atom.relation for r in flat for literal in r.literals()}:
        levels.setdefault(relation, _given_level(relation))
    _add_given(shapes, levels)
    return Units(tuple(units), levels, shapes, graph.every)


def _unit(members: list[Relation], rules: list[Rule], levels: dict[Relation, int], negative: bool) -> Unit:
    read = {literal.atom.relation for r in rules for literal in r.literals()}
    level = max((levels.get(r, _given_level(r)) for r in read - set(members)), default=STATIC)
    levels.update(dict.fromkeys(members, level))
    facts = tuple(r for r in rules if not r.body)
    return Unit(tuple(members), facts, tuple(r for r in rules if r.body), bool(read & set(members)), level, negative)


def _add_given(shapes: Shapes, levels: dict[Relation, int]) -> None:
    """Add a relation for every fact and move that the rules can make, even if it is not read."""
    for fact in shapes.foreseen:
        shapes.atom(Atom("true", (fact,)))
    for given, made in (("true", ("next", "init", "true")), ("does", ("legal",))):
        for shape in [shape for keyword in made for shape in shapes.known.get(keyword, ())]:
            shapes.known.setdefault(given, {})[shape] = None
            relation = (named(given, shape), PLACES[given] + max(shape[1], 0))
            levels.setdefault(relation, _given_level(relation))


def _given_level(relation: Relation) -> int:
    if relation[0].startswith("true "):
        return STATE
    return JOINT if relation[0].startswith("does ") else STATIC
