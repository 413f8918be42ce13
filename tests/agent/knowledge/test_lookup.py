"""What was studied reaches a match, under any names, or one warning does."""

from __future__ import annotations

import subprocess
import sys
import threading
from pathlib import Path

import pytest
from structlog.testing import capture_logs

from agent.errors import SettingsError
from agent.gamemaster.games import find_game
from agent.gamemaster.scramble import Scrambler
from agent.knowledge.access import check_folder_at_start
from agent.knowledge.folder import Knowledge, identity_of
from agent.knowledge.lookup import Found, look_up, nothing
from agent.knowledge.solved import SolvedGames
from agent.settings import KnowledgeSettings
from reasoner.rules.read import read_program
from search.solver import Solver
from tests.agent.knowledge.test_folder import a_lesson
from tests.agent.players.test_network import studied as of_tic_tac_toe
from tests.agent.server.client import agent
from tests.machines import built
from tests.waiting import until

RULES = find_game("ticTacToe").text


def kept_in(folder: Path) -> Knowledge:
    knowledge = Knowledge(folder)
    knowledge.keep(of_tic_tac_toe(), RULES, "ticTacToe")
    return knowledge


def looked_up(rules: str, folder: Path, use: bool = True) -> tuple[Found, list[dict]]:
    with capture_logs() as logs:
        lookup = look_up(read_program(rules)[0], KnowledgeSettings(use, str(folder)))
        for thread in threading.enumerate():
            if thread.name == "knowledge":
                thread.join(60)
    return lookup(), [dict(line) for line in logs]


def test_scrambled_rules_find_what_was_kept_and_the_log_says_so(tmp_path: Path):
    kept_in(tmp_path)
    found, logs = looked_up(Scrambler.of(RULES, 3).rules(RULES), tmp_path)
    assert found.network is not None
    assert found.lesson is None
    assert (logs[0]["event"], logs[0]["game"]) == ("this game was studied", "ticTacToe")


def test_another_game_finds_nothing_and_says_nothing_to_people(tmp_path: Path):
    kept_in(tmp_path)
    found, logs = looked_up(find_game("connectFour").text, tmp_path)
    assert found == Found()
    assert {line["log_level"] for line in logs} <= {"debug"}


def test_an_evaluation_is_found_where_there_is_no_network(tmp_path: Path):
    path = Knowledge(tmp_path).keep_evaluation(a_lesson(), identity_of(RULES), "ticTacToe")
    found, logs = looked_up(Scrambler.of(RULES, 3).rules(RULES), tmp_path)
    assert found.network is None
    assert found.lesson is not None
    assert found.lesson.evaluation.weights.tolist() == a_lesson().evaluation.weights.tolist()
    assert (logs[0]["event"], logs[0]["game"]) == ("an evaluation of this game was studied", "ticTacToe")
    kept_in(tmp_path)
    found, _ = looked_up(RULES, tmp_path)
    assert found.network is not None
    assert found.lesson is None
    assert path.exists()


def test_a_damaged_evaluation_is_one_warning(tmp_path: Path):
    path = Knowledge(tmp_path).keep_evaluation(a_lesson(), identity_of(RULES), "ticTacToe")
    path.write_bytes(path.read_bytes()[:-3])
    found, logs = looked_up(RULES, tmp_path)
    assert found == Found()
    assert [line["event"] for line in logs if line["log_level"] == "warning"] == ["studied games are not used"]
    assert str(path) in logs[0]["reason"]


def test_an_evaluation_is_used_where_the_network_is_damaged(tmp_path: Path):
    Knowledge(tmp_path).keep_evaluation(a_lesson(), identity_of(RULES), "ticTacToe")
    kept_in(tmp_path)
    (path,) = tmp_path.glob("*.npz")
    path.write_bytes(path.read_bytes()[:-30])
    found, logs = looked_up(RULES, tmp_path)
    assert found.lesson is not None
    assert logs[0]["event"] == "studied games are not used"


def test_a_damaged_file_is_one_warning(tmp_path: Path):
    kept_in(tmp_path)
    (path,) = tmp_path.iterdir()
    path.write_bytes(path.read_bytes()[:-30])
    found, logs = looked_up(RULES, tmp_path)
    assert found == Found()
    assert [line["event"] for line in logs if line["log_level"] == "warning"] == ["studied games are not used"]
    assert str(path) in logs[0]["reason"]


def test_nothing_is_looked_up_where_nothing_is_kept_or_nothing_shall_be_used(tmp_path: Path):
    program = read_program(RULES)[0]
    assert look_up(program, KnowledgeSettings(True, str(tmp_path / "none"))) is nothing
    kept_in(tmp_path)
    assert look_up(program, KnowledgeSettings(False, str(tmp_path))) is nothing


async def _figures(folder: Path, use: bool) -> dict:
    scrambler = Scrambler.of(RULES, 4)
    flags = {"worker__engine": "auto", "knowledge__folder": str(folder), "knowledge__use": use}
    async with agent("mcts:memory_mib=16", **flags) as served:
        await served.start(" ".join(scrambler.rules(RULES).split()), scrambler.name("cross"), "3 2")
        move = await served.ask("(PLAY m nil)")
        assert scrambler.name("mark") in move
        (match,) = served.matches._matches.values()
        await until(lambda: "simulations" in match.report)  # it follows the move
        return dict(match.report)


@pytest.mark.long  # an agent with a study, and one without
async def test_an_agent_plays_a_scrambled_game_with_what_was_studied_unless_it_is_turned_off(tmp_path: Path):
    kept_in(tmp_path)
    assert (await _figures(tmp_path, use=True))["network"] == "weight 0.25, prior 2"
    assert "network" not in await _figures(tmp_path, use=False)


PLAIN = """
import asyncio, sys
from agent.settings import load_settings
from agent.players.spec import player_factory
from agent.worker import process, session
from reasoner import load
from agent.players.base import Game, Turn
from agent.knowledge.lookup import look_up
from search import MonotonicClock
from reasoner.rules.read import read_program
rules = open("games/ticTacToe.kif").read()
machine, clock = load(rules), MonotonicClock()
look_up(read_program(rules)[0], load_settings(environment={}).knowledge)
player = player_factory("mcts:simulations=50,memory_mib=16")()
player.play(Game(machine, 0), Turn(clock.now() + 60, clock))
print(*sorted({"torch", "ray", "pynauty", "networkx"} & set(sys.modules)))
"""


@pytest.mark.long  # it loads all that a match does
def test_a_match_with_nothing_studied_loads_no_library_of_studies():
    root = Path(__file__).resolve().parents[3]
    done = subprocess.run(
        [sys.executable, "-c", PLAIN], cwd=root, capture_output=True, text=True, timeout=300, check=False
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines()[-1] == ""


@pytest.mark.usefixtures("homeless")
def test_a_user_without_a_home_plays_without_studied_games():
    program, _ = read_program(RULES)
    with capture_logs() as logs:
        assert look_up(program, KnowledgeSettings(True, "auto")) is nothing
    assert [entry["event"] for entry in logs] == ["studied games are not used"]


async def test_an_agent_whose_named_folder_is_a_file_does_not_start(tmp_path):
    """Else each match would be played without the studied games, and nothing would say so."""
    (tmp_path / "file").touch()
    with pytest.raises(SettingsError, match="file: Not a directory; give another folder"):
        async with agent(knowledge__folder=str(tmp_path / "file")):
            pass


def test_an_automatic_folder_that_cannot_be_read_costs_the_studied_games_only(tmp_path, monkeypatch):
    (tmp_path / "ggp-agent").touch()
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    with capture_logs() as logs:
        check_folder_at_start(KnowledgeSettings(use=True, folder="auto"))
        check_folder_at_start(KnowledgeSettings(use=False, folder=str(tmp_path / "ggp-agent")))
    assert [entry["event"] for entry in logs] == ["studied games are not used"]


def test_proofs_of_a_solved_game_are_found_under_other_names_without_a_study(tmp_path: Path):
    identity, solver = identity_of(RULES), Solver(built(RULES), memory_mib=1)
    assert solver.run(60)
    SolvedGames(tmp_path).keep_proofs(identity, solver.kept_proofs())
    scrambler = Scrambler.of(RULES, 3)
    found, logs = looked_up(scrambler.rules(RULES), tmp_path)
    assert found.network is None
    assert found.proofs is not None
    assert str(found.proofs.role) == scrambler.name("cross")
    assert logs[0]["event"] == "this game was solved"


def test_damaged_proofs_are_one_warning_and_the_network_is_used(tmp_path: Path):
    kept_in(tmp_path)
    (tmp_path / f"{identity_of(RULES).key}.proofs").write_bytes(b"x")
    found, logs = looked_up(RULES, tmp_path)
    assert found.network is not None
    assert found.proofs is None
    (warning,) = [line for line in logs if line["log_level"] == "warning"]
    assert "remove it, and solve the game again" in warning["reason"]
