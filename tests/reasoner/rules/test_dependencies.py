from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from reasoner.rules.dependencies import components, dependencies, reached, reversed_graph
from tests.reasoner.rules.sheets import program

GRAPHS = st.integers(1, 9).flatmap(
    lambda n: st.fixed_dictionaries({node: st.lists(st.integers(0, n), max_size=4) for node in range(n)})
)


def test_a_rule_depends_on_all_relations_of_its_body_and_marks_negated_ones():
    found = dependencies(program("(<= (p ?x) (role ?x) (not (q ?x)) (distinct ?x a)) (q b) (p c)").rules)
    assert found.every["p", 1] == {("role", 1), ("q", 1)}
    assert found.negative["p", 1] == {("q", 1)}
    assert found.every["q", 1] == frozenset()


@given(GRAPHS)
def test_two_nodes_share_a_component_exactly_when_they_reach_each_other(graph: dict[int, list[int]]):
    found = components(graph)
    assert sorted(node for members in found for node in members) == sorted(graph)
    for members in found:
        for node in members:
            mutual = {other for other in graph if other in reached(graph, [node]) and node in reached(graph, [other])}
            assert mutual == set(members)


@given(GRAPHS)
def test_components_come_after_all_they_depend_on(graph: dict[int, list[int]]):
    done: set[int] = set()
    for members in components(graph):
        done.update(members)
        assert all(target in done for node in members for target in graph[node] if target in graph)


@given(GRAPHS)
def test_turning_a_graph_twice_gives_its_edges_back(graph: dict[int, list[int]]):
    turned = reversed_graph(reversed_graph(graph))
    assert turned == {node: set(targets) for node, targets in graph.items() if targets}


def test_a_long_chain_is_no_recursion():
    chain = {node: [node + 1] for node in range(50_000)}
    assert len(components(chain)) == 50_000
