"""The relations of a state are those of the naive twin and of clingo, whichever way they are evaluated."""

from itertools import product

from hypothesis import example, given, settings

from reasoner.language.parse import read_term
from reasoner.relational.limits import EvaluationLimits
from reasoner.relational.machine import RelationalMachine
from reasoner.rules.read import read_program
from tests.reasoner.relational.programs import CONSTANTS, DERIVED, PRELUDE, clingo_model, naive_model, programs

TINY_STEPS = EvaluationLimits(small_facts=2, large_facts=4)
ON_DEMAND = EvaluationLimits(small_facts=0, large_facts=0)


def model(machine, state):
    """The true atoms of the derived relations, as KIF text."""
    atoms = set()
    for name, arity in DERIVED.items():
        atoms.update(f"({name} {' '.join(map(str, row))})" for row in machine.relation((name, arity), state))
    return atoms


KEYS_THAT_GROW = (
    PRELUDE
    + "(e a) (<= (s ?x) (e ?x)) (<= (s ?x) (s (g ?x ?x)))"
    + "".join(f"(<= ({name} {' '.join(['?x'] * arity)}) (e ?x))" for name, arity in DERIVED.items() if name != "s")
)


@given(programs())
@example((KEYS_THAT_GROW, []))
@settings(max_examples=50)
def test_the_model_is_the_naive_twin_s_and_clingo_s_also_past_every_allowance_and_asked_on_demand(program):
    text, facts = program
    atoms, rules, state = clingo_model(text, facts), read_program(text)[0], [*map(read_term, facts)]
    assert naive_model(text, facts) == atoms
    for limits in (EvaluationLimits(), TINY_STEPS):
        machine = RelationalMachine(rules, limits)
        assert model(machine, machine.state(state)) == atoms
    asking = RelationalMachine(rules, ON_DEMAND)
    answers_as(asking, asking.state(state), atoms)


def answers_as(machine, state, atoms):
    """Whether each atom is true, and for which second arguments, is answered as by the whole model."""
    for name, arity in known(machine):
        for rest in product(CONSTANTS, repeat=arity):
            atom = f"({name} {' '.join(rest)})"
            assert bool(machine.query(state, atom)) == (atom in atoms)
        for constant in CONSTANTS if arity == 2 else ():
            answers = [str(next(iter(a.values()))) for a in machine.query(state, f"({name} {constant} ?v)")]
            assert answers == sorted(
                atom.split(" ", 2)[2][:-1] for atom in atoms if atom.startswith(f"({name} {constant} ")
            )


def known(machine):
    """The derived relations that have a rule left: one that cannot hold is dropped from the normal form."""
    return DERIVED.items() & {rule.head.relation for rule in machine.program.rules}
