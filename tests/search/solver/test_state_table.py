"""A table of all states has the values of an exhaustive search, with chance and simultaneous moves, too."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from itertools import combinations, product
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reasoner.arrays import Floats
from reasoner.kernels import kernel
from search.errors import UnopposedError, UnsolvableError
from search.solver.matrix_game import matrix_value, tableau
from search.solver.state_space import EDGES, EXPANDED
from search.solver.state_table import StateTable
from tests.machines import built
from tests.search.solver.games import Duel, duels

GAMES = Path(__file__).parents[3] / "games"
TEAMS = (("a",), ("a", "b"), ("a", "random"), ("random", "a", "b"))


@kernel
def simplex(game: Floats, rows: int, columns: int, work: Floats, row_mix: Floats, column_mix: Floats) -> float:
    return matrix_value(game, rows, columns, work, row_mix, column_mix)


def table(rules: str | Path, **options: object) -> StateTable:
    found = StateTable(built(rules), memory_mib=1, **options)
    assert found.run(60)
    return found


def exact_value(game: Floats) -> float:
    """The value of a matrix game: some square part of it determines optimal strategies (Shapley and Snow 1950)."""
    rows, columns = game.shape
    for size in range(1, min(rows, columns) + 1):
        for some, others in product(combinations(range(rows), size), combinations(range(columns), size)):
            part = np.ones((size + 1, size + 1))
            part[:size, :size], part[size, size] = game[np.ix_(some, others)], 0
            part[:size, size] = -1
            try:
                right = np.append(np.zeros(size), 1.0)
                column = np.linalg.solve(part, right)
                part[:size, :size] = game[np.ix_(some, others)].T
                row = np.linalg.solve(part, right)
            except np.linalg.LinAlgError:
                continue
            x, y = np.zeros(rows), np.zeros(columns)
            x[list(some)], y[list(others)] = row[:size], column[:size]
            if min(x.min(), y.min()) > -1e-9 and (x @ game).min() >= (game @ y).max() - 1e-9:
                return float((x @ game).min())
    raise AssertionError("every matrix game has a value")


@given(st.integers(1, 5), st.integers(1, 5), st.data())
def test_a_matrix_game_has_the_value_that_both_players_can_ensure(rows: int, columns: int, data: st.DataObject):
    entries = st.lists(st.integers(-5, 5), min_size=rows * columns, max_size=rows * columns)
    game = np.array(data.draw(entries), np.float64)
    row_mix, column_mix = np.zeros(rows), np.zeros(columns)
    value = simplex(game, rows, columns, tableau(rows, columns), row_mix, column_mix)
    matrix = game.reshape(rows, columns)
    assert [row_mix.sum(), column_mix.sum()] == pytest.approx([1, 1])
    assert min(row_mix.min(), column_mix.min()) >= -1e-9
    assert (row_mix @ matrix).min() == pytest.approx(value, abs=1e-9)
    assert (matrix @ column_mix).max() == pytest.approx(value, abs=1e-9)


@pytest.mark.timeout(120)
def test_large_matrices_whose_entries_are_alike_are_solved_in_few_steps():
    """With Bland's rule from the beginning, about half of these never ended."""
    for seed in range(8):
        game = 100.0 * np.random.default_rng(seed).integers(0, 2, (60, 60))
        row_mix, column_mix = np.zeros(60), np.zeros(60)
        value = simplex(game.ravel(), 60, 60, tableau(60, 60), row_mix, column_mix)
        assert (row_mix @ game).min() == pytest.approx(value, abs=1e-6)
        assert (game @ column_mix).max() == pytest.approx(value, abs=1e-6)


@dataclass(frozen=True)
class Walk:
    """A walk through a graph: in each node some roles choose, at the same time, and all their moves lead to a node."""

    roles: tuple[str, ...]
    sizes: tuple[tuple[int, ...], ...]  # [nodes][roles] the number of moves
    following: tuple[tuple[int, ...], ...]  # [nodes][joint move] the next node
    worth: tuple[int, ...]  # [nodes] the goal of a; b has the rest of 100
    ends: frozenset[int]
    limit: int  # steps after which the game is over

    def joints(self, node: int) -> list[tuple[int, ...]]:
        return list(product(*map(range, self.sizes[node])))

    @property
    def rules(self) -> str:
        lines = [f"(role {role})" for role in self.roles] + ["(init (at n0)) (init (step s0))"]
        variables = " ".join(f"?m{k}" for k in range(len(self.roles)))
        for node, sizes in enumerate(self.sizes):
            lines += [f"(may {role} n{node} m{i})" for role, n in zip(self.roles, sizes, strict=True) for i in range(n)]
            for joint, after in zip(self.joints(node), self.following[node], strict=True):
                lines.append(f"(edge n{node} {' '.join(f'm{i}' for i in joint)} n{after})")
            lines.append(f"(worth a n{node} {self.worth[node]})")
            lines += [f"(worth b n{node} {100 - self.worth[node]})"] if "b" in self.roles else []
            lines += [f"(worth random n{node} 0)"] if "random" in self.roles else []
            lines += [f"(end n{node})"] if node in self.ends else []
        lines += [f"(then s{i} s{i + 1})" for i in range(self.limit)]
        moves = " ".join(f"(does {role} ?m{k})" for k, role in enumerate(self.roles))
        return (
            "\n".join(lines)
            + f"""
        (<= (legal ?r ?m) (true (at ?n)) (may ?r ?n ?m))
        (<= (next (at ?k)) (true (at ?n)) {moves} (edge ?n {variables} ?k))
        (<= (next (step ?j)) (true (step ?i)) (then ?i ?j))
        (<= terminal (true (at ?n)) (end ?n))
        (<= terminal (true (step s{self.limit})))
        (<= (goal ?r ?v) (true (at ?n)) (worth ?r ?n ?v))"""
        )

    def value(self) -> float:
        """The goal of a if all play perfectly, by trying everything."""

        @cache
        def value(node: int, step: int) -> float:
            if node in self.ends or step == self.limit:
                return self.worth[node]
            size = dict(zip(self.roles, self.sizes[node], strict=True))
            game = np.zeros((size["a"], size.get("b", 1)))
            for joint, after in zip(self.joints(node), self.following[node], strict=True):
                move = dict(zip(self.roles, joint, strict=True))
                game[move["a"], move.get("b", 0)] += value(after, step + 1) / size.get("random", 1)
            return exact_value(game)

        return value(0, 0)


@st.composite
def walks(draw: st.DrawFn) -> Walk:
    """Games of one or two players, with and without chance."""
    roles, count = draw(st.sampled_from(TEAMS)), draw(st.integers(2, 6))
    sizes = draw(st.lists(st.tuples(*[st.integers(1, 3)] * len(roles)), min_size=count, max_size=count))
    node = st.integers(0, count - 1)
    following = [tuple(draw(st.lists(node, min_size=n, max_size=n))) for n in map(int, map(np.prod, sizes))]
    worth = [*draw(st.lists(st.integers(0, 100), min_size=count - 2, max_size=count - 2)), 0, 100]
    ends = draw(st.frozensets(st.integers(1, count - 1), max_size=2))
    return Walk(roles, tuple(sizes), tuple(following), tuple(worth), ends, draw(st.integers(1, 6)))


@given(walks())
@settings(max_examples=30)
def test_the_value_is_that_of_an_exhaustive_search(walk: Walk):
    assert table(walk.rules).goals()[walk.roles.index("a")] == pytest.approx(walk.value(), abs=1e-6)


@given(duels())
@settings(max_examples=20)
def test_who_wins_hurries_and_who_does_not_win_delays(duel: Duel):
    found = table(duel.rules)
    assert (found.goals()[0], found.distance()) == (duel.value(), duel.distance())


def test_tic_tac_toe_is_a_draw_in_all_states_that_best_play_reaches():
    rules = GAMES / "ticTacToe.kif"
    found, machine = table(rules), built(rules)
    assert found.states == 5478  # as known
    assert found.goals() == (50, 50)
    state = machine.initial()
    while not machine.terminal(state):
        joint = [found.options(state, role)[-1].move for role in range(2)]
        legal = machine.legal(state)
        state = machine.next(state, [next(m for m in legal[r] if str(m) == joint[r]) for r in range(2)])
        assert found.goals(state) == (50, 50)


ROSHAMBO = """(role a) (role b) (init start)
(<= (legal ?r ?m) (role ?r) (beats ?m ?other)) (beats rock scissors) (beats scissors paper) (beats paper rock)
(<= (next (won a)) (does a ?x) (does b ?y) (beats ?x ?y))
(<= (next (won b)) (does a ?x) (does b ?y) (beats ?y ?x))
(<= terminal (not (true start)))
(<= (goal ?r 100) (true (won ?r))) (<= (goal ?r 0) (role ?r) (true (won ?s)) (distinct ?r ?s))
(<= (goal ?r 50) (role ?r) (not (true (won a))) (not (true (won b))))"""


def test_rock_paper_scissors_is_mixed_by_thirds():
    found = table(ROSHAMBO)
    assert found.goals() == (50, 50)
    for role in range(2):
        options = found.options(built(ROSHAMBO).initial(), role)
        assert [option.probability for option in options] == pytest.approx([1 / 3] * 3)


def test_games_without_exact_values_are_refused():
    with pytest.raises(UnopposedError, match="different sums"):
        table(ROSHAMBO.replace("(goal ?r 50)", "(goal ?r 40)"))
    with pytest.raises(UnsolvableError, match="positions repeat"):
        table(ROSHAMBO.replace("(not (true start))", "(true (won a))").replace("(init start)", "(init (won b))"))
    with pytest.raises(UnsolvableError, match="too many for the memory"):
        table(GAMES / "connectFour.kif")


def test_more_moves_at_once_than_the_simplex_method_can_take_are_refused():
    moves = "".join(f"(move m{i})" for i in range(600))
    rules = f"""(role a) (role b) (init start) {moves} (<= (legal ?r ?m) (role ?r) (move ?m))
    (<= (next same) (does a ?m) (does b ?m)) (<= terminal (not (true start)))
    (<= (goal a 100) (true same)) (<= (goal a 0) (not (true same)))
    (<= (goal b 0) (true same)) (<= (goal b 100) (not (true same)))"""
    with pytest.raises(UnsolvableError, match="up to 600 moves"):
        StateTable(built(rules), memory_mib=64).run(60)


def test_a_table_that_is_interrupted_can_be_continued():
    found = StateTable(built(GAMES / "ticTacToe.kif"), memory_mib=1)
    assert not found.run(60, stop=lambda: True)
    assert not found.solved
    assert found.run(60)
    assert found.states == 5478


def test_two_chance_roles_are_refused():
    rules = """
    (role a) (role random) (role RANDOM) (init s) (legal a noop) (<= (legal ?r h) (coin ?r)) (<= (legal ?r t) (coin ?r))
    (coin random) (coin RANDOM) (<= (next (shows ?r ?m)) (does ?r ?m)) (<= terminal (not (true s)))
    (<= both (true (shows random h)) (true (shows RANDOM h))) (<= (goal a 100) both) (<= (goal a 0) (not both))
    """
    with pytest.raises(UnsolvableError, match="one chance role; this game has 2"):
        StateTable(built(rules), memory_mib=1)


def test_a_first_position_in_which_a_role_has_no_move_has_no_line_and_no_mixture():
    rules = """
    (role a) (role b) (init s) (legal a x) (legal a y) (<= (legal b z) (true never)) (<= (next s) (true s))
    (<= (next never) (true never)) (<= terminal (true never)) (goal a 0) (goal b 0)
    """
    found = table(rules)
    assert found.line(10) == ()
    assert found.mixed() == ()


def test_a_block_of_states_with_very_many_joint_moves_ends_early():
    """A block cannot be interrupted; the states that it leaves are expanded by the next one."""
    moves = "".join(f"(move m{i})" for i in range(64))
    rules = f"""(role a) (role b) (init (s 0)) {moves} (<= (legal ?r ?m) (role ?r) (move ?m)) (then 0 1) (then 1 2)
    (<= (next (s ?y)) (true (s ?x)) (then ?x ?y)) (<= (next (k ?m)) (does a ?m))
    (<= (next win) (true (k ?m)) (does b ?m)) (<= terminal (true (s 2)))
    (<= (goal b 100) (true win)) (<= (goal b 0) (not (true win)))
    (<= (goal a 0) (true win)) (<= (goal a 100) (not (true win)))"""
    found = StateTable(built(rules), memory_mib=64)
    assert found._explore(1)
    assert found._explore(1)
    assert 1 < found._space.counts[EXPANDED] < 65
    assert found.run(60)
    assert found.goals() == (0, 100)
    assert found._space.counts[EDGES] == 65 * 64**2
