"""OpenSpiel's search plays matches of ours, as an agent of its own over HTTP."""

import asyncio
import json
import os
import sys

import pytest

from tests.agent.gamemaster.fakes import BlindFake, LegalFake, serving
from tests.reasoner.test_percepts import BOXES

pytest.importorskip("pyspiel", reason="the extra openspiel is not installed")
pytestmark = [pytest.mark.usefixtures("forked_commands"), pytest.mark.long]  # an agent against OpenSpiel's players


async def played(game, *options):
    """What `ggp-agent match` reports, its agents having a circuit when a match begins."""
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "agent", "match", str(game), "--json", "--seed", "1", *options),
        env={**os.environ, "GGP_AGENT_WORKER_ENGINE": "circuit"},
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    out, err = await process.communicate()
    assert process.returncode == 0, err.decode()
    return json.loads(out)


CLOCKS = ("--start-clock", "60", "--play-clock", "20")


async def test_it_wins_against_who_plays_the_first_legal_move():
    async with serving(LegalFake()) as (other,):
        report = await played(
            "ticTacToe", "--player", "openspiel:mcts,simulations=160,seed=1", "--player", other, *CLOCKS
        )
    spiel, _ = report["players"]
    assert spiel["score"]["mean"] == 100
    assert spiel["errors"] == {"TO": 0, "IL": 0, "CE": 0}


async def test_it_plays_what_it_does_not_see(tmp_path):
    sheet = tmp_path / "boxes.kif"
    sheet.write_text(BOXES)
    async with serving(BlindFake()) as (other,):
        report = await played(sheet, "--player", "openspiel:mcts,simulations=40,seed=1", "--player", other, *CLOCKS)
    assert report["players"][0]["errors"] == {"TO": 0, "IL": 0, "CE": 0}
