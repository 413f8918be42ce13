"""Split a game's rules into units of evaluation, in dependency order, and facts and moves into relations by shape.

``(true (cell ?x ?y b))`` becomes the relation ``true cell/3`` with three columns. A *shape* is a constant, or a
function with its arity. The last argument of `true`, `next`, `init`, `does` and `legal` is flattened, and that of
`goal` if a negative cycle needs it. A rule with a variable as this argument becomes one rule per shape that the
variable can have. Arguments inside the flattened term stay compound.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from reasoner.language.terms import CONSTANT, Compound, Constant, Shape, Term, Variable, shape_of
from reasoner.relational.bytecode.layout import JOINT, STATE, STATIC
from reasoner.rules.dependencies import Graph, components, dependencies, reached
from reasoner.rules.domains import Domains, domains, variable_domains
from reasoner.rules.program import Atom, Condition, Distinct, Literal, Program, Relation, Rule
from reasoner.rules.strata import stratify

OPENED: dict[Relation, int] = {("true", 1): 0, ("next", 1): 0, ("init", 1): 0, ("does", 2): 1, ("legal", 2): 1}
GOAL: Relation = ("goal", 2)
PLACES = {name: arity - 1 for name, arity in (*OPENED, GOAL)}
"""The column at which each keyword may be flattened: its last one."""


def named(keyword: str, shape: Shape) -> str:
    """Return the name of a keyword's relation for a shape; it contains a space, unlike all names of a rulesheet."""
    return f"{keyword} {shape[0]}" if shape[1] == CONSTANT else f"{keyword} {shape[0]}/{shape[1]}"


def spelled(relation: Relation, columns: Sequence[str]) -> str:
    """Return the GDL text of a row, from the texts of its terms."""
    keyword, _, shape = relation[0].partition(" ")
    place = PLACES.get(keyword)
    if not shape or place is None:
        return f"({' '.join((relation[0], *columns))})"
    inner = columns[place:]
    name = shape.rpartition("/")[0]
    term = f"({' '.join((name, *inner))})" if shape == f"{name}/{len(inner)}" else shape
    return f"({' '.join((keyword, *columns[:place], term))})"


def written_as(relation: Relation) -> Relation:
    """Return the rulesheet's relation that a relation by shape was made from."""
    keyword, _, shape = relation[0].partition(" ")
    return (keyword, PLACES[keyword] + 1) if shape and keyword in PLACES else relation


@dataclass
class Shapes:
    """Flattens the atoms and rules of one program, and records the shapes."""

    program: Program
    foreseen: Sequence[Term] = ()  # facts that a state may contain although no rule makes them
    opened: dict[Relation, int] = field(default_factory=lambda: dict(OPENED))
    known: dict[str, dict[Shape, None]] = field(default_factory=dict)
    whole: bool = False  # whether some variable matches a whole fact or move

    @cached_property
    def _domains(self) -> Domains:
        given = (Rule(Atom("true", (fact,))) for fact in self.foreseen)
        return domains(Program((*self.program.rules, *given), self.program.roles))

    def rules(self, rules: Iterable[Rule]) -> list[Rule]:
        """Return the rules over relations by shape."""
        return [self._flat(one) for rule in rules for one in self._instances(rule)]

    def atom(self, atom: Atom) -> Atom:
        """Flatten an atom whose last argument is not a variable."""
        place = self.opened.get(atom.relation)
        if place is None:
            return atom
        term = atom.arguments[place]
        shape = shape_of(term)
        assert shape is not None  # rules are instantiated if it is a variable
        self.known.setdefault(atom.name, {})[shape] = None
        inner = term.arguments if isinstance(term, Compound) else ()
        return Atom(named(atom.name, shape), (*atom.arguments[:place], *inner))

    def expects(self, relation: Relation, term: Term) -> bool:
        """Whether the rules may make a fact or move; if so, a rule with a variable for a whole fact covers it."""
        places = self._domains.get(relation)
        return places is not None and places[self.opened[relation]].holds(term)

    def _flat(self, rule: Rule) -> Rule:
        body: list[Condition] = [
            c if isinstance(c, Distinct) else Literal(self.atom(c.atom), c.positive) for c in rule.body
        ]
        return Rule(self.atom(rule.head), tuple(body), rule.span)

    def _instances(self, rule: Rule) -> Iterator[Rule]:
        """Yield one rule per shape of each variable that is a flattened argument."""
        variable = next(self._whole(rule), None)
        if variable is None:
            yield rule
            return
        self.whole = True
        domain = variable_domains(rule, self._domains).get(variable)
        if domain is None:
            return
        terms: list[Term] = [Constant(name) for name in sorted(domain.constants)]
        for functor, arity in sorted(domain.functions):
            terms.append(Compound(functor, tuple(Variable(f"{variable.name} {i}") for i in range(arity))))
        for term in terms:
            yield from self._instances(rule.substituted({variable: term}))

    def _whole(self, rule: Rule) -> Iterator[Variable]:
        for atom in (rule.head, *(literal.atom for literal in rule.literals())):
            place = self.opened.get(atom.relation)
            if place is not None and isinstance(term := atom.arguments[place], Variable):
                yield term


KEYWORDS = frozenset({"init", "next", "legal", "goal", "terminal"})
OUTPUTS: tuple[Relation, ...] = (("init", 1), ("next", 1), ("legal", 2), ("goal", 2), ("terminal", 0))


@dataclass(frozen=True)
class Unit:
    """A strongly connected component of relations, and its rules; `facts` are the rules without a body.

    `level`: STATIC, STATE or JOINT (`layout`); `negative`: a cycle of the component contains a negation.
    """

    relations: tuple[Relation, ...]
    facts: tuple[Rule, ...]
    rules: tuple[Rule, ...]
    recursive: bool
    level: int
    negative: bool = False


@dataclass(frozen=True)
class Units:
    """All units in dependency order; `shapes` has the relations of facts and moves."""

    units: tuple[Unit, ...]
    levels: dict[Relation, int]
    shapes: Shapes
    graph: Graph[Relation]

    def needed(self, outputs: Iterable[Relation]) -> list[int]:
        """Return the numbers of the units that these relations depend on, in order."""
        wanted = reached(self.graph, outputs)
        return [i for i, u in enumerate(self.units) if wanted.intersection(u.relations)]

    def is_output(self, unit: Unit) -> bool:
        """Whether a relation of the unit is read as a whole: it belongs to a keyword, or is not in the program."""
        return any(r not in self.graph or r[0].split(" ", 1)[0] in KEYWORDS for r in unit.relations)

    def by_keyword(self, keyword: str) -> list[Relation]:
        """Return the relations of a keyword, by shape."""
        return [r for r in self.levels if r[0] == keyword or r[0].startswith(f"{keyword} ")]


def cut(program: Program, wanted: Iterable[Relation] = OUTPUTS, foreseen: Sequence[Term] = ()) -> Units:
    """Return the units that the relations `wanted` depend on.

    `foreseen` are facts that states may contain although no rule makes them.
    """
    needed = reached(dependencies(program.rules).every, wanted)
    rules = [rule for rule in program.rules if rule.head.relation in needed]
    shapes = Shapes(program, foreseen)
    if any(c.negative_cycle and GOAL in c.relations for c in stratify(Program(tuple(rules), program.roles))):
        shapes.opened[GOAL] = 1
    flat = shapes.rules(rules)
    graph = dependencies(flat)
    levels: dict[Relation, int] = {}
    places: dict[Relation, list[int]] = defaultdict(list)  # of each relation's rules in `flat`
    for place, rule in enumerate(flat):
        places[rule.head.relation].append(place)
    units = []
    for members in components(graph.every):
        negative = any(graph.negative[r] & set(members) for r in members)
        own = sorted(place for relation in members for place in places[relation])
        units.append(_unit(members, [flat[place] for place in own], levels, negative))
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
    """Add a relation for the shape of every fact and move that the rules can make, even if no rule reads it."""
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
