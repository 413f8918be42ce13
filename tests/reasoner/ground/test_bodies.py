"""Ground rules in flat arrays are the rules that were streamed, and their components are in order."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from reasoner.ground.bodies import bodies_by_head
from reasoner.ground.components import strongly_connected

ATOMS = 9
RULES = st.lists(
    st.tuples(st.integers(1, ATOMS), st.lists(st.integers(1, ATOMS) | st.integers(-ATOMS, -1), max_size=4)), max_size=20
)


def bodies_of(rules):
    stream = [word for head, body in rules for word in (head, len(body), *body)]
    return bodies_by_head(np.array(stream, np.int32), np.array([ATOMS], np.int32))


def below(rules, leaves):
    """For each atom all that it depends on, by repeated extension."""
    reach = {atom: set() for atom in range(ATOMS + 1)}
    for head, body in rules:
        if head not in leaves:
            reach[head] |= {abs(literal) for literal in body}
    for _ in reach:
        reach = {atom: seen.union(*(reach[other] for other in seen)) for atom, seen in reach.items()}
    return reach


@given(RULES)
def test_the_rules_of_each_head_are_kept_in_their_order(rules):
    bodies = bodies_of(rules)
    assert bodies.atoms == ATOMS + 1
    for atom in range(bodies.atoms):
        assert list(bodies.of(atom)) == [body for head, body in rules if head == atom]


@given(RULES, st.sets(st.integers(1, ATOMS)), st.lists(st.integers(1, ATOMS), min_size=1))
def test_components_are_sets_of_mutual_dependence_each_after_what_it_reads(rules, leaves, wanted):
    leaf = np.array([atom in leaves for atom in range(ATOMS + 1)])
    members, ends = strongly_connected(bodies_of(rules), np.array(wanted, np.int32), leaf)
    components = [set(part.tolist()) for part in np.split(members, ends)[:-1]]
    reach = below(rules, leaves)
    assert set(members.tolist()) == set(wanted).union(*(reach[atom] for atom in wanted))
    done = set()
    for component in components:
        for atom in component:
            assert component == {atom} | {other for other in reach[atom] if atom in reach[other]}
        done |= component
        assert all(reach[atom] <= done for atom in component)
