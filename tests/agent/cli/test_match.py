"""`ggp-agent match` as a process of its own, against players of this test's event loop."""

import asyncio
import json
import re
import signal
import sys

import pytest

from agent.progress import read_progress
from agent.protocol.messages import Start
from bench.processes import descendants, lives
from tests.agent.gamemaster.fakes import LegalFake, SleepyFake, WrongFake, serving
from tests.waiting import until


async def start(*args):
    pipe = asyncio.subprocess.PIPE
    return await asyncio.create_subprocess_exec(sys.executable, "-m", "agent", "match", *args, stdout=pipe, stderr=pipe)


async def finished(*args):
    """The exit code and both outputs, but for how far a first start has compiled."""
    process = await start(*args)
    out, err = await process.communicate()
    told = [line for line in err.decode().splitlines(keepends=True) if read_progress(line.rstrip()) is None]
    return process.returncode, out.decode(), "".join(told)


def seats(urls):
    return [word for url in urls for word in ("--player", url)]


async def test_one_match_is_told_move_by_move_in_plain_lines(tmp_path):
    async with serving(LegalFake(), LegalFake()) as urls:
        code, out, err = await finished("ticTacToe", *seats(urls), "--record", str(tmp_path))
    assert (code, err) == (0, "")
    assert f"cross: {urls[0]}, nought: {urls[1]}" in out
    assert "\n  1. cross (mark 1 1)   nought noop\n  3  . . .\n  2  . . .\n  1  x . .\n     1 2 3\n" in out
    assert f"cross ({urls[0]}) 100, nought ({urls[1]}) 0; 7 steps" in out
    assert f"{urls[0]}: 123 playouts per second" in out
    (record,) = tmp_path.iterdir()
    assert f"record: {record}" in out
    assert json.loads(record.read_text())["goalValues"] == [100, 0]
    assert "\x1b" not in out


@pytest.mark.usefixtures("forked_commands")
async def test_errors_are_reported_where_they_happen():
    async with serving(WrongFake()) as urls:
        code, out, _ = await finished("lightsOut", *seats(urls))
    assert code == 0
    assert out.count("no legal move ( jump far ); replaced by a random move") == 9


@pytest.mark.usefixtures("forked_commands")
async def test_the_results_of_earlier_matches_are_printed_if_a_player_refuses_a_later_one():
    class Once(LegalFake):
        async def answer(self, message):
            refused = isinstance(message, Start) and self.machine is not None
            return "busy" if refused else await super().answer(message)

    async with serving(Once()) as urls:
        code, out, err = await finished("lightsOut", *seats(urls), "--matches", "3", "--json")
    assert [match["completed"] for match in json.loads(out)["matches"]] == [True, False]
    assert (code, err.startswith(f"Error: {urls[0]} refused START of match lightsOut.")) == (1, True)


@pytest.mark.usefixtures("forked_commands")
async def test_many_matches_are_told_line_by_line_with_a_table():
    async with serving(LegalFake(), LegalFake()) as urls:
        code, out, err = await finished("nim", *seats(urls), "--matches", "3")
    assert code == 0
    assert err.startswith("1 of 3 matches repeat all moves of an earlier one.")
    assert [line[:3] for line in out.splitlines()[:3]] == ["1/3", "2/3", "3/3"]
    assert "95% interval" in out


@pytest.mark.usefixtures("forked_commands")
async def test_results_are_printed_as_json():
    async with serving(LegalFake(), LegalFake()) as urls:
        code, out, _ = await finished(
            *("nim", *seats(urls), "--matches", "2", "--json", "--seed", "5", "--scramble"),
            *("--play-clock", "1.5", "--start-clock", "20"),
        )
    report = json.loads(out)
    assert code == 0
    assert (report["game"], report["seed"], report["startClock"], report["playClock"]) == ("nim", 5, 20, 1.5)
    assert [player["score"]["mean"] for player in report["players"]] == [50, 50]
    assert report["difference"]["mean"] == 0
    assert report["repeated"] == 0
    assert [player["errors"] for player in report["players"]] == [{"TO": 0, "IL": 0, "CE": 0}] * 2
    first, second = report["matches"]
    assert first["players"] == {"first": urls[0], "second": urls[1]}
    assert second["players"] == {"first": urls[1], "second": urls[0]}
    assert first["goals"] == second["goals"]
    assert first["completed"]


@pytest.mark.usefixtures("forked_commands")
async def test_a_match_that_a_step_limit_cut_off_ends_with_1():
    """It has no result, as the help says of every match that was not played to its end."""
    async with serving(LegalFake(), LegalFake()) as urls:
        code, out, _ = await finished("nim", *seats(urls), "--max-steps", "2")
    assert code == 1
    assert "ended without a result after 2 steps" in out


@pytest.mark.usefixtures("forked_commands")
async def test_a_missing_player_is_one_message_and_exit_code_1():
    async with serving(LegalFake()) as urls:
        pass  # closed again
    code, _, err = await finished("hanoi", *seats(urls))
    assert code == 1
    assert err.startswith(f"Error: player {urls[0]} does not answer: ")
    assert "Traceback" not in err


@pytest.mark.usefixtures("forked_commands")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM], ids=lambda number: number.name)
async def test_an_interruption_aborts_and_records_the_match(number, tmp_path):
    asked = asyncio.Event()

    class Asked(SleepyFake):
        async def answer(self, message):
            if self.heard[-1].startswith("( PLAY"):
                asked.set()
            return await super().answer(message)

    fake = Asked()
    async with serving(fake) as urls:
        process = await start("hanoi", *seats(urls), "--play-clock", "1000", "--record", str(tmp_path))
        async with asyncio.timeout(60):
            await asked.wait()
        process.send_signal(number)
        _, err = await process.communicate()
    assert process.returncode == 1
    assert err.decode() == "Error: interrupted\n"
    assert fake.heard[-1].startswith("( ABORT")
    (record,) = tmp_path.iterdir()
    assert json.loads(record.read_text())["isAborted"]


@pytest.mark.usefixtures("forked_commands")
async def test_local_agents_play_any_number_of_matches_without_an_error(tmp_path, monkeypatch):
    monkeypatch.setenv("GGP_AGENT_SERVER_STARTS_PER_MINUTE", "1")  # for strangers, not for the manager's own players
    monkeypatch.setenv("GGP_AGENT_WORKER_ENGINE", "relational")  # the players need no other, which takes seconds
    code, out, err = await finished(
        *("nim", "--player", "legal", "--player", "random", "--start-clock", "3", "--play-clock", "20"),
        *("--record", str(tmp_path), "--scramble", "--json", "--matches", "2"),
    )
    assert (code, err) == (0, "")
    report = json.loads(out)
    assert [player["name"] for player in report["players"]] == ["legal", "random"]
    assert report["matches"][0]["completed"]
    assert [player["errors"] for player in report["players"]] == [{"TO": 0, "IL": 0, "CE": 0}] * 2


def local(*players):
    """Players as processes that need no circuit, with clocks that a busy machine can keep."""
    named = [word for player in players for word in ("--player", player)]
    return [*named, "--start-clock", "20", "--play-clock", "20", "--seed", "1"]


@pytest.mark.usefixtures("forked_commands")
async def test_a_player_that_fails_at_every_move_is_reported_with_its_reasons(tmp_path, monkeypatch):
    """The match looks whole, as a legal move is played: the lines, the log and exit code 1 tell that it is not."""
    monkeypatch.setenv("GGP_AGENT_WORKER_ENGINE", "relational")
    monkeypatch.setenv("GGP_AGENT_LOG_LEVEL", "error")
    monkeypatch.setenv("GGP_AGENT_LOG_FORMAT", "json")  # of the user; the players' logs are read all the same
    code, out, err = await finished(
        *("nim", *local("tests.agent.players.odd:Raises", "legal"), "--log", str(tmp_path / "logs"), "--json")
    )
    report = json.loads(out)
    (match,) = report["matches"]
    asked = list(range(1, match["steps"] + 1))
    assert code == 1
    assert match["failed"] == {"tests.agent.players.odd:Raises": asked, "legal": []}
    assert [player["failed"] for player in report["players"]] == [len(asked), 0]
    assert [player["errors"] for player in report["players"]] == [{"TO": 0, "IL": 0, "CE": 0}] * 2
    lines = err.splitlines()
    raised = next(line for line in lines if "play raised" in line)
    assert re.fullmatch(
        rf"tests\.agent\.players\.odd:Raises, {len(asked)} times: "
        r"play raised RuntimeError: in play \(odd\.py:\d+\); another legal move was played",
        raised,
    )
    assert any("start raised RuntimeError: at start" in line for line in lines)
    assert lines[-1] == "Error: tests.agent.players.odd:Raises failed at every move"
    assert sorted(path.name for path in (tmp_path / "logs").iterdir()) == [
        "legal.log",
        "tests.agent.players.odd_Raises.log",
    ]
    assert "Traceback" in (tmp_path / "logs" / "tests.agent.players.odd_Raises.log").read_text()


@pytest.mark.usefixtures("forked_commands")
@pytest.mark.parametrize(
    ("player", "words"),
    [("Forgets", "play returned an illegal move, None"), ("Cheats", "play returned an illegal move, (take 99)")],
)
async def test_no_move_and_an_illegal_one_are_failures_in_every_seat(monkeypatch, player, words):
    """A table of several matches has a column for them, whichever seat the player has."""
    monkeypatch.setenv("GGP_AGENT_WORKER_ENGINE", "relational")
    spec = f"tests.agent.players.odd:{player}"
    async with serving(LegalFake()) as urls:
        code, out, err = await finished("nim", *local(spec, *urls), "--matches", "2")
    steps = sum(int(steps) for steps in re.findall(r"(\d+) steps", out))
    assert code == 1
    assert f"{spec}, {steps} times: {words}" in err
    assert re.search(rf"{spec} .* 0 +0 +0 +{steps} *\n", out)
    assert re.search(rf"{urls[0]} .* 0 +0 +0 +\? *\n", out)


@pytest.mark.parametrize(
    ("player", "words"),
    [
        ("Unmade", "__init__ raised FileNotFoundError: no model here (odd.py:"),
        ("Unlimited", "limit raised RuntimeError: no limit here (odd.py:"),
    ],
)
@pytest.mark.usefixtures("forked_commands")
async def test_a_player_that_cannot_be_made_is_reported_with_the_reason(monkeypatch, player, words):
    """Its agent answers busy, and its log says why. Nobody plays random moves in its place."""
    monkeypatch.setenv("GGP_AGENT_WORKER_ENGINE", "relational")
    code, _, err = await finished("nim", *local(f"tests.agent.players.odd:{player}", "legal"))
    assert code == 1
    assert f"{player}, 1 time: {words}" in err
    assert f"Error: tests.agent.players.odd:{player} refused START of match" in err


@pytest.mark.long  # real starts of a manager, of an agent, and of what that builds with
async def test_an_interrupted_manager_leaves_no_agent_running():
    process = await start("hanoi", "--player", "mcts", "--start-clock", "1000", "--play-clock", "1000")
    async with asyncio.timeout(300):
        while (line := await process.stdout.readline()) and not line.startswith(b"hanoi"):
            pass  # said where kernels are compiled first; then the agent is ready and the match begins
    family = descendants(process.pid)
    process.send_signal(signal.SIGINT)
    await process.communicate()
    assert line.startswith(b"hanoi   mover: mcts")
    assert len(family) >= 1
    await until(lambda: not any(lives(each) for each in family))  # what was killed needs a moment to be gone


FIRE = """
(role a) (init p) (<= (legal a go) (true p)) (<= hit (does a go)) (<= (next p) (true p)) (<= (next q) (true p))
(<= terminal (true q) (not hit)) (<= (goal a 100) (true q)) (<= (goal a 0) (not (true q)))
"""


@pytest.mark.usefixtures("forked_commands")
async def test_a_match_reads_rules_leniently_where_that_is_asked_for(tmp_path, monkeypatch):
    """The manager and its local players take `does` before a move for nothing; without the option, all refuse it."""
    monkeypatch.setenv("GGP_AGENT_WORKER_ENGINE", "relational")
    (tmp_path / "fire.kif").write_text(FIRE)
    asked = (str(tmp_path / "fire.kif"), "--player", "legal", "--json", "--start-clock", "5")
    code, out, _ = await finished(*asked, "--lenient")
    (match,) = json.loads(out)["matches"]
    assert (code, match["goals"], match["steps"]) == (0, {"a": 100}, 1)
    assert [player["errors"] for player in json.loads(out)["players"]] == [{"TO": 0, "IL": 0, "CE": 0}]
    code, _, err = await finished(*asked)
    assert (code, "depends-on-does" in err) == (1, True)
