import io
from dataclasses import replace

import pytest
from rich.cells import cell_len
from rich.console import Console

from agent.cli.bench import speed_tables
from agent.cli.live import score_tables
from agent.cli.tables import Group, parted
from agent.cli.tournament import crosstables
from agent.gamemaster.series import PlayerScore
from agent.gamemaster.statistics import estimate
from agent.measure import Speed
from agent.tournament.elo import Rating
from agent.tournament.standings import elo_text, interval_text, standings
from tests.agent.tournament.outcomes import outcome

LONG = "mcts:simulations=200,exploration=0.7,ponder=false"
COLUMNS = ("matches", "mean", "95% interval", "Elo", "time-outs", "illegal", "lost", "failed")


def printed(tables, width):
    out = Console(file=io.StringIO(), width=width, highlight=False, soft_wrap=True)
    for table in tables:
        out.print(table)
    return out.file.getvalue()


def tournament_tables(width):
    listed = rows()
    return score_tables(listed, width, [(elo_text(row), interval_text(row)) for row in listed])


def rows():
    return standings([LONG, "random"], [outcome((LONG, "random"), (100, 0), number) for number in range(12)])


def test_no_heading_and_no_figure_is_cut_off_on_80_columns():
    """Every line fits, every word is whole, and the names go on in the next line."""
    text = printed([*tournament_tables(80), *crosstables(rows(), 80)], 80)
    assert max(map(len, text.splitlines())) <= 80
    assert "…" not in text
    assert all(heading in text for heading in COLUMNS)
    assert text.count("player") == 2  # in two parts, each with the names
    scores = [PlayerScore(LONG, LONG, estimate([100, 0]), {"TO": 0, "IL": 0, "CE": 0}, 3)] * 2
    text = printed(score_tables(scores, 80), 80)
    assert max(map(len, text.splitlines())) <= 80
    assert "…" not in text


def test_a_wide_terminal_has_one_table():
    text = printed(tournament_tables(160), 160)
    assert text.count("player") == 1
    assert LONG in text
    heading = next(line for line in text.splitlines() if "player" in line)
    assert [heading.find(name) for name in COLUMNS] == sorted(heading.find(name) for name in COLUMNS)


def test_names_are_shown_as_they_are():
    """Brackets are no markup, and wide letters are as wide as they are."""
    names = ["[red]one[/red]", "名前" * 20]
    text = printed(parted("player", names, [Group(("mean",), [("1",), ("2",)])], 60), 60)
    assert "[red]one[/red]" in text
    assert max(map(cell_len, text.splitlines())) <= 60


def test_speeds_of_games_fit_80_columns():
    """The widest table of all comes in parts."""
    sizes = (1, 12.34, 56_789, 20, 30, 1_234_567.0, 98_765_432.0)
    speed = Speed("hodgepodge", "circuit", "native", *sizes, 45.6, (50.0, 50.0), 1.0, 0.12)
    text = printed(speed_tables([speed], 80), 80)
    assert max(map(len, text.splitlines())) <= 80
    assert "…" not in text
    assert all(word in text for word in ("98,765,432", "playouts/s", "mean goals", "50.0 50.0", "emitter"))


def test_many_players_are_a_crosstable_in_parts():
    """Each part has all names; all columns are there once."""
    names = [f"player{number:02}" for number in range(20)]
    group = [Group((name,), [("50.0",)] * 20) for name in names]
    text = printed(parted("against", names, group, 80), 80)
    assert max(map(len, text.splitlines())) <= 80
    assert text.count("against") > 1
    assert text.count("player07") == text.count("against") + 1


@pytest.mark.parametrize(("elo", "shown"), [(-0.04, "+0"), (0.0, "+0"), (-0.5, "+0"), (-1.2, "-1"), (920.4, "+920")])
def test_a_rating_of_nothing_is_not_less_than_nothing(elo, shown):
    """A mean of zero is rounded to +0, never to -0."""
    assert elo_text(replace(rows()[0], rating=Rating(elo, elo - 9, elo + 9))) == shown
