import asyncio
import json

import pytest
import pytest_asyncio

from agent.worker.worker_messages import PlayerFailed, Reported
from tests.agent.rules import BROKEN, STONES
from tests.agent.server.client import agent

pytestmark = pytest.mark.asyncio(loop_scope="module")


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def a():
    async with agent() as one:
        yield one


async def get(a, path):
    answer = (await a.raw(f"GET {path} HTTP/1.0\r\n\r\n".encode())).decode()
    head, _, body = answer.partition("\r\n\r\n")
    return head, body


async def figures(a):
    _, body = await get(a, "/metrics")
    lines = [line.rsplit(" ", 1) for line in body.splitlines() if not line.startswith("#")]
    return {name: float(value) for name, value in lines}


async def test_health_reports_in_a_word_how_it_stands(a):
    head, body = await get(a, "/healthz")
    assert head.startswith("HTTP/1.0 200 ")
    assert "Content-Type: application/json" in head
    assert "nosniff" in head
    assert json.loads(body) == {"status": "available", "matches": 0}
    await a.start(STONES, "first")
    assert json.loads((await get(a, "/healthz"))[1]) == {"status": "busy", "matches": 1}
    await a.ask("(ABORT m)")


@pytest.mark.long  # it compiles the kernels of portable code
async def test_health_reports_which_code_circuits_get_where_there_may_be_circuits():
    async with agent(worker__engine="auto", build__emitter="portable") as a:
        assert json.loads((await get(a, "/healthz"))[1])["lanes"] == "portable"


async def test_an_agent_that_stops_is_not_healthy_and_takes_no_match():
    async with agent() as a:
        await a.matches.finish(1.0)
        head, body = await get(a, "/healthz")
        assert head.startswith("HTTP/1.0 503 ")
        assert json.loads(body)["status"] == "stopping"
        assert "busy" in await a.ask("(INFO)")
        assert await a.start(STONES, "first") == "busy"


async def test_figures_count_matches_moves_margins_and_errors(a):
    before = await figures(a)
    await a.start(STONES, "first", clocks="1 60")
    await a.ask("(PLAY m NIL)")
    assert (await figures(a))["ggp_agent_matches"] == 1
    async with asyncio.timeout(60):
        while (await figures(a))["ggp_agent_worker_memory_bytes"] < 1 << 20:
            pass  # it is told after the answer
    await a.ask("(STOP m NIL)")
    await a.start(BROKEN, "a")
    await a.reply("(HELLO)")
    now = await figures(a)
    grown = {name: now[name] - before.get(name, 0) for name in now if now[name] != before.get(name, 0)}
    assert grown["ggp_agent_matches_started_total"] == 2
    assert grown['ggp_agent_matches_ended_total{reason="stopped"}'] == 1
    assert grown["ggp_agent_moves_total"] == 1
    assert grown['ggp_agent_move_margin_seconds_bucket{le="+Inf"}'] == 1
    assert 'ggp_agent_move_margin_seconds_bucket{le="0.0"}' not in grown
    assert grown['ggp_agent_errors_total{kind="match refused"}'] == 1
    assert grown['ggp_agent_errors_total{kind="message refused"}'] == 1
    assert all(name.startswith("ggp_agent_") for name in now)


async def test_a_start_sent_again_before_any_play_is_one_start(a):
    before = (await figures(a))["ggp_agent_matches_started_total"]
    assert [await a.start(STONES, "first") for _ in range(3)] == ["ready"] * 3
    assert (await figures(a))["ggp_agent_matches_started_total"] == before + 1
    assert await a.ask("(PLAY m NIL)") == "(take 1)"
    await a.ask("(ABORT m)")


async def test_more_starts_than_the_settings_allow_are_answered_busy():
    async with agent(server__starts_per_minute=2) as a:
        for name in "xyz":
            answer = await a.start(STONES, "first", match=name)
            await a.ask(f"(ABORT {name})")
        assert answer == "busy"
        assert "busy" in await a.ask("(INFO)")  # a START would be, too
        assert (await figures(a))['ggp_agent_errors_total{kind="too many starts"}'] == 1


async def test_rules_in_error_do_not_count_as_starts_and_take_no_place_from_a_match_that_is_begun_beside():
    """Junk from the same address costs an honest manager nothing, also when it comes at the same moment."""
    async with agent(server__starts_per_minute=1) as a:
        junk = [asyncio.create_task(a.start(BROKEN, "a", match=f"junk{n}", clocks="20 1")) for n in range(6)]
        honest = asyncio.create_task(a.start(STONES, "first", clocks="20 1"))
        assert await asyncio.gather(*junk) == ["busy"] * 6
        assert await honest == "ready"
        assert await a.ask("(PLAY m NIL)") == "(take 1)"


async def test_a_start_with_too_long_a_clock_is_refused_with_the_setting_that_says_so(tmp_path):
    """Also one that an earlier agent had taken is not gone on with."""
    journal = {"journal__folder": str(tmp_path / "journal")}
    async with agent(**journal) as a:
        for clocks in ("1000000 1", "1 1000000", "3601 1"):
            status, text = await a.reply(f"(START m first ({STONES}) {clocks})")
            assert status == 400
            assert "clock.longest" in text
        assert await a.start(STONES, "first", clocks="1 3600") == "ready"
    async with agent(**journal, clock__longest=60.0) as a:
        assert "available" in await a.ask("(INFO)")


async def test_a_match_whose_manager_has_gone_makes_room_for_another():
    async with agent(server__takeover=0.0) as a:
        assert await a.start(STONES, "first", clocks="1 0.01", match="left") == "ready"
        await a.ask("(PLAY left NIL)")
        await a.until_info_says("available")
        assert await a.start(STONES, "first", match="next") == "ready"
        assert await a.ask("(PLAY left NIL)") == "busy"


async def test_a_match_whose_manager_is_in_time_keeps_its_place():
    async with agent(server__takeover=0.0) as a:
        assert await a.start(STONES, "first", clocks="60 60") == "ready"
        assert "busy" in await a.ask("(INFO)")
        assert await a.start(STONES, "first", match="next") == "busy"


async def test_a_player_that_raises_is_counted(a):
    a.matches.metrics.heard(PlayerFailed())
    assert (await figures(a))['ggp_agent_errors_total{kind="player failed"}'] == 1


async def test_moves_found_with_what_was_studied_are_counted(a):
    for figures_told in ({"network": "weight 0.5"}, {"nodes": 7}):
        a.matches.metrics.heard(Reported("circuit", figures_told, 1))
    assert (await figures(a))["ggp_agent_studied_moves_total"] == 1
