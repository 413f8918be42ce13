"""What counts late and illegal moves of hidden games."""

from __future__ import annotations

from pathlib import Path

from agent.tournament.plan import read_plan
from bench.imperfect.punctual import counted, plan_text, table


def row(match: str, player: str, errors: str = "", goal: str = "100") -> dict[str, str]:
    return {
        "match": match,
        "game": "x/meier.kif",
        "player": player,
        "errors": errors,
        "goal": goal,
        "steps": "3",
        "completed": "1" if goal else "0",
    }


def test_the_plan_is_one_that_tournaments_read(tmp_path: Path):
    file = tmp_path / "plan.toml"
    file.write_text(plan_text(["a.kif", "b.kif"], 13, (2.0, 1.0), 2, 20))
    plan = read_plan(file)
    assert (plan.games, plan.rounds, plan.play_clock, plan.max_steps) == (("a.kif", "b.kif"), 13, 1.0, 20)
    assert plan.players == {"agent": "mcts", "random": "random"}


def test_the_agents_errors_are_counted_by_kind_and_a_match_once_however_many_seats_it_has():
    rows = [row("1", "agent", "TO IL TO"), row("1", "agent"), row("1", "random", "IL"), row("2", "agent", goal="")]
    (sums,) = counted(rows).values()
    assert (sums["matches"], sums["ended"], sums["late"], sums["illegal"], sums["scored"]) == (2, 1, 2, 1, 2)


def test_the_table_has_a_line_of_all():
    assert table(counted([row("1", "agent", "TO", "50")])).splitlines()[1:] == [
        "meier  1  1  3  1  0  0  50",
        "all  1  1  3  1  0  0  50",
    ]
