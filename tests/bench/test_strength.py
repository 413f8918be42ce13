"""The arithmetic of matches that say how strong a search is, and small runs of it."""

import json
import random
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner

from agent.gamemaster.games import kif_game
from bench.optimal import main as optimal
from bench.optimal import placed, positions
from bench.strength import connectfour, versions
from bench.strength.__main__ import main
from bench.strength.courts import Clocks, chooser_for
from bench.strength.entries import Entry, entry
from bench.strength.exact import Exact
from bench.strength.inturn import Played
from bench.strength.ledger import Ledger, Row
from bench.strength.run import Meeting, Run, Runner
from bench.strength.scores import result_of, seat_in
from bench.strength.seat import Seat, options_of
from bench.strength.stockfish import cells, shared
from bench.strength.table import seat_that_decides, summed
from reasoner import load
from reasoner.batch import Batch
from reasoner.language.parse import read_term
from search.network.storage import Model, save
from search.solver import Solver
from search.solver.kept_proofs import save as save_proofs
from search.study.sequential import STRONGER, UNDECIDED, WEAKER, SequentialTest
from search.study.vocabulary import numbering
from tests.search.study.games import untrained

ROW = Row(
    "ours", "v1", "exact", "", "g#1", "wall", 1.0, 0.5, 1, 0, "red", 100.0, 100.0, "100 0", 9, 0, 0, 7.5, 0.0, 1.0,
    0.1, 0.2, "2026-01-01", "r.json", "",
)  # fmt: skip


def test_a_result_is_the_share_of_the_others_that_did_worse_ties_counting_half():
    assert result_of(("a", "b"), (100, 0), 0) == 100
    assert result_of(("a", "b"), (50, 50), 1) == 50
    assert result_of(("a", "random", "b", "c"), (30, 0, 30, 70), 0) == 25
    assert result_of(("a", "b"), (None, 0), 0) == 50


def test_optimal_choices_say_in_one_message_that_a_file_is_no_network(tmp_path):
    file = tmp_path / "rules.kif"
    file.write_text("(role red)")
    result = CliRunner().invoke(optimal, ["--network", str(file)])
    assert result.exit_code == 1
    assert result.output.startswith("Error: ")
    assert "not a file of a studied game" in result.output


def test_seats_are_taken_in_turn_and_chance_keeps_its_own():
    assert [seat_in(("a", "random", "b"), number) for number in range(4)] == [0, 2, 0, 2]


@pytest.mark.parametrize("spec", ["tests.agent.players.odd:Last", "legal", "mcts:simulations=5"])
def test_whom_a_match_takes_is_an_opponent_here(spec):
    """By the same words, played by this checkout's agent."""
    given = entry(spec)
    assert (given.kind, given.spec, given.searches) == ("player", spec, False)
    with pytest.raises(ValueError, match="give --clock wall"):
        chooser_for(given)


@pytest.mark.parametrize(
    ("spec", "said"),
    [
        ("nobody", "is not a player"),
        ("tests.agent.players.odd:Nobody", "has no Nobody; its players: Last"),
        ("mcts:speed=1", "speed"),
    ],
)
def test_who_is_no_opponent_is_reported_with_the_reason(spec, said):
    """What `match` says of it, and what can be given here."""
    with pytest.raises(ValueError, match=rf"is not a valid opponent: give ours.*module:Class \(.*{said}"):
        entry(spec)


@pytest.mark.long  # agents of their own
def test_a_player_of_ones_own_plays_by_the_walls_clock(tmp_path, monkeypatch):
    """From a module in the current directory, as in a match."""
    (tmp_path / "first_move.py").write_text(
        "from agent.players.base import Player\n"
        "class First(Player):\n    def play(self, game, turn):\n        return game.legal[0]\n"
    )
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setenv("GGP_AGENT_WORKER_ENGINE", "relational")  # a circuit costs more than the match
    clocks = Clocks("wall", 5.0, 2.0)
    run = Run(entry("first_move:First"), (entry("legal"),), (kif_game("nim"),), clocks, 1, 1)
    rows = []
    Runner(run, Ledger(tmp_path / "m.csv"), rows.append).play()
    (row,) = rows
    assert (row.fault, row.errors, row.opponent_errors) == ("", 0, 0)


def test_the_likelihood_ratio_counts_a_draw_as_half_a_win_and_half_a_loss():
    test = SequentialTest(50, 60)
    won, lost = test.ratio([100]), test.ratio([0])
    assert won == pytest.approx(0.18232, abs=1e-5)
    assert lost == pytest.approx(-0.22314, abs=1e-5)
    assert test.ratio([50]) == pytest.approx((won + lost) / 2)


def test_the_bounds_of_the_test_are_those_of_wald():
    low, high = SequentialTest(alpha=0.05, beta=0.1).bounds
    assert (low, high) == (pytest.approx(-2.2513, abs=1e-4), pytest.approx(2.8904, abs=1e-4))


def test_the_first_bound_that_is_reached_decides_whatever_follows():
    test = SequentialTest(50, 60)
    assert test.verdict([100] * 16) == UNDECIDED
    assert test.verdict([100] * 17) == STRONGER
    assert test.verdict([100] * 17 + [0] * 100) == STRONGER
    assert test.verdict([0] * 14) == WEAKER


@pytest.mark.parametrize(("mean", "wrong"), [(0.5, STRONGER), (0.6, WEAKER)])
def test_the_test_errs_no_more_often_than_it_says(mean, wrong):
    rng, test = random.Random(5), SequentialTest(50, 60, 0.05, 0.05)
    verdicts = []
    for _ in range(400):
        wins, losses, verdict = 0, 0, ""
        while not verdict:
            win = rng.random() < mean
            wins, losses = wins + win, losses + (not win)
            ratio, (low, high) = test.ratio([100 * wins / (wins + losses)] * (wins + losses)), test.bounds
            verdict = WEAKER if ratio <= low else STRONGER if ratio >= high else ""
        verdicts.append(verdict)
    assert verdicts.count(wrong) <= 0.08 * len(verdicts)


@pytest.mark.parametrize("numbers", [(60, 50, 0.05, 0.05), (0, 50, 0.05, 0.05), (40, 60, 0, 0.05), (40, 60, 0.05, 0.5)])
def test_what_is_no_test_is_refused(numbers):
    with pytest.raises(ValueError, match="give"):
        SequentialTest(*numbers)


def test_a_row_is_read_as_it_was_written_one_of_an_unfinished_match_too(tmp_path):
    rows = [ROW, replace(ROW, number=1, result=None, score=None, goals="", fault='said "no", twice')]
    ledger = Ledger(tmp_path / "m.csv")
    for row in rows:
        ledger.add(row)
    assert Ledger(tmp_path / "m.csv").rows == rows


def test_a_row_that_was_cut_off_is_forgotten_and_the_next_one_is_whole(tmp_path):
    path = tmp_path / "m.csv"
    Ledger(path).add(ROW)
    path.write_bytes(path.read_bytes() + b"ours,v1,ex")
    ledger = Ledger(path)
    assert ledger.rows == [ROW]
    ledger.add(replace(ROW, number=1))
    assert [row.number for row in Ledger(path).rows] == [0, 1]


def test_a_file_of_something_else_is_refused_and_left_as_it_is(tmp_path):
    path = tmp_path / "m.csv"
    path.write_text("a,b\n1,2\n")
    with pytest.raises(ValueError, match="not a results file of this version"):
        Ledger(path)
    assert path.read_text() == "a,b\n1,2\n"


def test_the_table_has_a_line_a_game_and_one_over_all():
    rows = [ROW, replace(ROW, number=1, result=0.0, score=0.0), replace(ROW, game="h#2", result=50.0, score=40.0)]
    lines = summed(rows, None)
    assert [line[:6] for line in lines] == [
        ("g#1", "2", "1", "0", "1", "50.0"),
        ("h#2", "1", "0", "1", "0", "50.0"),
        ("all", "3", "1", "1", "1", "50.0"),
    ]
    assert lines[2][7] == "46.7"


def test_a_game_that_one_role_always_wins_whoever_has_it_is_reported():
    assert seat_that_decides([ROW, replace(ROW, role="black", result=0.0)]) == "always red"
    assert seat_that_decides([ROW, replace(ROW, role="black", result=100.0)]) == ""
    assert seat_that_decides([ROW, replace(ROW, result=0.0)]) == ""


class _Court:
    """A court whose player wins every match, and breaks off where it is told to."""

    def __init__(self, breaks=()):
        self.numbers, self._breaks = [], breaks

    def play(self, sheet, number, seed):  # noqa: ARG002 it stands in for a seat
        self.numbers.append(number)
        if number in self._breaks:
            raise KeyboardInterrupt
        goals = (100, 0) if number % 2 == 0 else (0, 100)
        return Played(("x", "o"), ["( )"], [("a", "b")], [], goals)

    def close(self):
        pass


def _run(**changes):
    sheet = kif_game("ticTacToe")
    run = Run(Entry("ours", "ours"), (Entry("exact", "exact"),), (sheet,), Clocks("processor", 1.0, 1.0), 6)
    return replace(run, **changes)


def _played(monkeypatch, path, court, run):
    monkeypatch.setattr(Runner, "_court", lambda *_: court)
    runner = Runner(run, Ledger(path), lambda _: None)
    runner.play()
    return runner


def test_a_run_that_was_stopped_continues_with_the_match_that_is_missing(monkeypatch, tmp_path):
    first, second = _Court(breaks={2}), _Court()
    with pytest.raises(KeyboardInterrupt):
        _played(monkeypatch, tmp_path / "m.csv", first, _run())
    _played(monkeypatch, tmp_path / "m.csv", second, _run())
    assert (first.numbers, second.numbers) == ([0, 1, 2], [2, 3, 4, 5])


def test_matches_with_other_code_clocks_or_seed_do_not_count_as_played(monkeypatch, tmp_path):
    for changes in (
        {},
        {"player": Entry("ours", "ours", version="other")},
        {"clocks": Clocks("processor", 1.0, 2.0)},
        {"seed": 2},
    ):
        court = _Court()
        _played(monkeypatch, tmp_path / "m.csv", court, _run(matches=2, **changes))
        assert court.numbers == [0, 1]


def test_a_run_ends_when_its_test_is_decided(monkeypatch, tmp_path):
    court = _Court()
    runner = _played(monkeypatch, tmp_path / "m.csv", court, _run(matches=100, test=SequentialTest(50, 60)))
    assert len(court.numbers) == 17
    assert len(runner.rows(Entry("exact", "exact"))) == 17


def test_a_game_whose_matches_fail_three_times_in_a_row_is_left_out(monkeypatch, tmp_path):
    court = _Court()
    court.play = lambda *_: court.numbers.append(0) or (_ for _ in ()).throw(ValueError("no such move"))
    runner = _played(monkeypatch, tmp_path / "m.csv", court, _run(matches=10))
    assert len(court.numbers) == 3
    assert runner.rows(Entry("exact", "exact"))[0].fault == "ValueError: no such move"


def test_all_seatings_of_a_round_have_one_seed():
    run = _run()
    seeds = [Meeting(run.opponents[0], run.sheets[0], number).seed(run, 2) for number in range(4)]
    assert seeds[0] == seeds[1] != seeds[2] == seeds[3]


def test_an_entry_names_its_settings_and_an_unknown_one_is_refused():
    assert entry("ours:exploration=0.3,threads=1").spec == "mcts:exploration=0.3,threads=1"
    assert entry("http://127.0.0.1:9147").kind == "url"
    for text in ("theirs", "ours:exploration", "commit:nowhere", "exact:7"):
        with pytest.raises(ValueError, match=r"give|settings|commit"):
            entry(text)


@pytest.mark.parametrize(
    "settings", ["exploration=0.3:threads=1", "exploratoin=0.3", "decisive=perhaps", "memory_mib=1"]
)
def test_a_setting_that_the_search_would_refuse_is_refused_before_any_match(settings):
    with pytest.raises(ValueError, match=settings.partition("=")[0]):
        entry(f"ours:{settings}")


def test_a_studied_network_is_a_setting_of_entries_alone():
    assert dict(entry("ours:network=some.npz,threads=1").settings) == {"network": "some.npz", "threads": "1"}


def test_the_name_of_a_version_changes_with_its_code_alone(tmp_path):
    (tmp_path / "search").mkdir()
    (tmp_path / "search" / "a.py").write_text("x = 1\n")
    before = versions.fingerprint(tmp_path)
    (tmp_path / "README.md").write_text("words\n")
    assert versions.fingerprint(tmp_path) == before
    (tmp_path / "search" / "a.py").write_text("x = 2\n")
    assert versions.fingerprint(tmp_path) != before


def test_moves_between_two_cells_have_the_name_that_the_interface_gives_them():
    assert cells("(move 3 2 4 3)") == "c2d3"
    assert cells("(move wp c 2 d 3)") == "c2d3"
    assert cells("noop") == ""


def test_an_engine_searches_the_moves_that_are_legal_in_the_rulesheet_too():
    legal = [read_term("(move wp a 7 a 8)"), read_term("(move wk e 1 e 2)"), read_term("(move wr h 1 h 2)")]
    assert shared(["a7a8q", "a7a8r", "e1e2", "e1f1"], legal) == ["a7a8q", "e1e2"]


def test_exact_play_refuses_another_game():
    with pytest.raises(ValueError, match="is not Connect Four"):
        Exact().choose([], 0, [read_term("(mark 1 1)")], None)


def test_exact_play_draws_among_the_moves_that_keep_what_a_position_is_worth():
    # Three in the first column: yellow has to stop them. With eighteen stones elsewhere the position is solved at once.
    columns = (6, 3, 2, 4, 2, 2, 2, 6, 6, 2, 3, 5, 4, 6, 4, 3, 2, 5, 0, 1, 0, 1, 0)
    line = [f"(drop {column + 1})" for column in columns]
    played = [("noop", move) if turn % 2 else (move, "noop") for turn, move in enumerate(line)]
    legal = [read_term(f"(drop {column + 1})") for column in connectfour.open_columns(columns)]
    assert {Exact(seed).choose(played, 1, legal, None) for seed in range(4)} == {"(drop 1)"}


@pytest.mark.long  # matches in processes of their own
def test_a_tiny_run_is_played_kept_with_its_positions_and_not_played_again(tmp_path):
    path = tmp_path / "m.csv"
    arguments = ["ticTacToe", "--against", "ours:exploration=0.1", "--simulations", "20", "--matches", "2"]
    done = CliRunner().invoke(main, [*arguments, "--results", str(path)])
    assert done.exit_code == 0, done.output
    rows = Ledger(path).rows
    assert [row.number for row in rows] == [0, 1]
    assert all(row.result in (0, 50, 100) and 0 < row.simulations <= 20 for row in rows)
    record = json.loads(Path(rows[0].record).read_text())
    assert len(record["states"]) == len(record["moves"]) + 1 == rows[0].steps + 1
    assert "value" in next(iter(record["thoughts"][0].values()))
    again = CliRunner().invoke(main, [*arguments, "--results", str(path)])
    assert again.exit_code == 0
    assert Ledger(path).rows == rows


def test_positions_to_choose_in_are_of_every_stage_and_some_choice_there_is_wrong():
    found = list(positions(connectfour.Solver(), 6, 26, 28))
    assert [len(columns) for columns, _ in found] == [26, 27, 28, 26, 27, 28]
    assert all(0 < len(best) < len(connectfour.open_columns(columns)) for columns, best in found)


def test_a_position_is_placed_on_the_board_of_the_rulesheet():
    machine = load(kif_game("connectFour").text)
    facts = {str(fact) for fact in machine.facts(placed(machine, (3, 3, 0)))}
    assert {"(cell 4 1 red)", "(cell 4 2 yellow)", "(cell 1 1 red)", "(control yellow)"} <= facts


def test_a_seat_accepts_the_same_words_for_on_and_off_as_players():
    assert not options_of({"decisive": "off"}).decisive
    assert options_of({"mix_hidden": "Yes"}).mix_hidden
    with pytest.raises(ValueError, match="decisive=maybe is neither on nor off"):
        options_of({"decisive": "maybe"})


def test_a_seat_plays_with_the_studied_network_that_its_settings_name(tmp_path):
    rules = kif_game("ticTacToe").text
    vocabulary = numbering(Batch(load(rules, "circuit"), 1)).vocabulary
    save(tmp_path / "n.npz", Model(untrained(vocabulary), 0.5, 0.7))
    seat = Seat()
    seat.answer({"rules": rules})
    seat.answer({"begin": [0], "settings": {"network": str(tmp_path / "n.npz"), "simulations": "20"}})
    assert "(mark" in seat.answer({"think": [0], "seconds": None})["moves"][0]["move"]
    assert seat._searches[0].report().network == "weight 0.5, prior 0.7"


def test_a_search_begins_with_the_proofs_of_a_file(tmp_path: Path):
    rules = kif_game("ticTacToe").text
    solver = Solver(load(rules, "circuit"))
    assert solver.run(60)
    save_proofs(tmp_path / "t.proofs", solver.kept_proofs()._replace(key="t", symbols=()))
    seat = Seat()
    seat.answer({"rules": rules})
    seat.answer({"begin": [0], "settings": {"proofs": str(tmp_path / "t.proofs")}})
    proofs = seat._searches[0]._proofs
    assert proofs is not None
    assert len(proofs.hashes) == len(solver.kept_proofs().hashes) > 0


def test_a_role_without_a_choice_thinks_before_the_first_move_and_not_later():
    seat = Seat()
    seat.answer({"rules": kif_game("ticTacToe").text})
    seat.answer({"begin": [1], "settings": {"simulations": "20"}})
    before = seat.answer({"think": [1], "seconds": None})["moves"][1]["simulations"]
    seat.answer({"joint": ["(mark 1 1)", "noop"]})
    seat.answer({"joint": ["noop", "(mark 2 2)"]})
    assert before > 0
    assert seat.answer({"think": [1], "seconds": None})["moves"][1]["simulations"] == 0
