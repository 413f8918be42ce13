"""Dialogues of game managers, byte for byte in their form, replayed over a raw socket.

A fixture in `dialogues/` holds requests after `>>>` and the body of each answer after `<<<`. Heads of requests end
their lines with CR LF on the wire; a body is one line without an end. The agent plays its first legal move, so that
its answers are known.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
import pytest_asyncio

from agent.protocol.messages import Play, Start, Stop
from agent.protocol.observation import item_of_percepts
from agent.protocol.read import read_message
from agent.worker.observed_turns import ObservedTurns
from reasoner import load
from reasoner.rules.convert import convert
from tests.agent.server.client import Agent, agent

DIALOGUES = sorted(Path(__file__).with_name("dialogues").glob("*.txt"))
GGP_BASE = [path for path in DIALOGUES if path.stem.startswith("ggp_base")]
DRESDEN = [path for path in DIALOGUES if path.stem.startswith("dresden")]
HIDDEN = [path for path in DIALOGUES if path.stem.startswith("gdl2")]


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def one() -> AsyncIterator[Agent]:
    """An agent that plays its first legal move."""
    async with agent("legal") as made:
        yield made


@dataclass(frozen=True)
class Exchange:
    """One message and the body of its answer."""

    request: bytes
    answer: str

    @property
    def body(self) -> str:
        """The message."""
        return self.request.partition(b"\r\n\r\n")[2].decode("ascii")


def exchanges(path: Path) -> list[Exchange]:
    return [_exchange(part) for part in path.read_text(encoding="ascii").split("\n>>>\n")[1:]]


def _exchange(part: str) -> Exchange:
    request, _, answer = part.partition("\n<<<\n")
    head, _, body = request.partition("\n\n")
    return Exchange("\r\n".join([*head.split("\n"), "", body]).encode("ascii"), answer.strip())


def by_length(raw: bytes) -> tuple[dict[str, str], str]:
    """Headers and body as a manager reads them that counts Content-Length characters."""
    head, _, rest = raw.partition(b"\r\n\r\n")
    status, *lines = head.decode("ascii").split("\r\n")
    assert status == "HTTP/1.0 200 OK"
    headers = {name.lower(): value for name, value in (line.split(": ", 1) for line in lines)}
    return headers, rest.decode("ascii")[: int(headers["content-length"])]


def to_the_end(raw: bytes) -> str:
    """The body as a manager reads it that skips the head and takes all until the connection closes."""
    return raw.partition(b"\r\n\r\n")[2].decode("ascii")


async def replay(one: Agent, dialogue: list[Exchange]) -> list[bytes]:
    return [await one.raw(exchange.request) for exchange in dialogue]


def test_there_are_dialogues_of_both_managers_in_both_roles_and_both_vocabularies():
    assert (len(GGP_BASE), len(DRESDEN), len(HIDDEN)) == (4, 2, 2)
    assert all(b"Host: localhost\r\n" in e.request for path in GGP_BASE for e in exchanges(path))
    assert all(b"\r\nhost:" not in e.request.lower() for path in [*DRESDEN, *HIDDEN] for e in exchanges(path))


@pytest.mark.parametrize("path", DIALOGUES, ids=lambda path: path.stem)
def test_each_request_of_a_fixture_names_its_own_length(path):
    for exchange in exchanges(path):
        head, _, body = exchange.request.partition(b"\r\n\r\n")
        assert head.lower().endswith(b"content-length: %d" % len(body))


@pytest.mark.asyncio(loop_scope="module")
@pytest.mark.parametrize("path", DIALOGUES, ids=lambda path: path.stem)
async def test_each_answer_is_the_expected_one_however_a_manager_reads_it(one, path):
    dialogue = exchanges(path)
    for exchange, raw in zip(dialogue, await replay(one, dialogue), strict=True):
        headers, body = by_length(raw)
        assert body == to_the_end(raw) == exchange.answer, exchange.body
        assert headers["content-type"] == "text/acl"
        assert headers["connection"] == "close"
        assert not {"transfer-encoding", "content-encoding"} & set(headers)


@pytest.mark.parametrize("path", GGP_BASE + DRESDEN, ids=lambda path: path.stem)
def test_each_expected_move_is_legal_by_the_rules_of_start(path):
    start, *turns, stop = map(read_message, (e.body for e in exchanges(path)))
    assert isinstance(start, Start)
    assert isinstance(stop, Stop)
    machine = load(start.rules, engine="relational")
    role = machine.roles.index(start.role)
    state = machine.initial()
    for play, moves, exchange in zip(turns, joints([*turns, stop]), exchanges(path)[1:], strict=False):
        assert isinstance(play, Play)
        assert exchange.answer in map(str, machine.legal(state)[role])
        assert moves[role] == exchange.answer
        state = machine.next(state, moves)
    assert machine.terminal(state)


@pytest.mark.parametrize("path", HIDDEN, ids=lambda path: path.stem)
def test_each_message_of_gdl_ii_reports_what_its_role_may_see_after_the_expected_move(path):
    start, *turns, stop = map(read_message, (e.body for e in exchanges(path)))
    assert isinstance(start, Start)
    turns_seen = ObservedTurns(load(start.rules, engine="relational"), load(start.rules).roles.index(start.role))
    answered = None
    for number, (message, exchange) in enumerate(zip([*turns, stop], exchanges(path)[1:], strict=True)):
        assert isinstance(message, Play | Stop)
        if isinstance(message, Stop):
            break  # states that are over are not believed in
        turns_seen.apply(item_of_percepts(number, answered, message.moves or ()))
        assert turns_seen.belief.alive
        assert exchange.answer in map(str, turns_seen.legal)
        answered = exchange.answer
    assert turns_seen.belief.turns == len(turns) - 1


def joints(messages: list[Play | Stop]) -> Iterator[tuple[str, ...]]:
    """The joint moves that the messages after the first one carry."""
    for message in messages[1:]:
        assert message.moves is not None
        yield message.moves


@pytest.mark.asyncio(loop_scope="module")
@pytest.mark.parametrize("path", [GGP_BASE[0], DRESDEN[0]], ids=lambda path: path.stem)
async def test_a_dialogue_in_which_every_play_is_sent_twice_has_the_same_answers(one, path):
    start, *turns, stop = exchanges(path)
    dialogue = [start, *(turn for turn in turns for _ in range(2)), stop]
    assert [to_the_end(raw) for raw in await replay(one, dialogue)] == [exchange.answer for exchange in dialogue]


@pytest.mark.asyncio(loop_scope="module")
async def test_a_dialogue_broken_off_before_stop_can_be_played_again_under_the_same_match_id(one):
    dialogue = exchanges(GGP_BASE[0])
    await replay(one, dialogue[:-1])
    assert [to_the_end(raw) for raw in await replay(one, dialogue)] == [exchange.answer for exchange in dialogue]


def in_infix(exchange: Exchange) -> bytes:
    """The request with the rules of START in the other notation, whose constants have no capitals."""
    body = exchange.body.lower()
    message = read_message(body)
    if isinstance(message, Start):
        body = body.replace(message.rules, convert(message.rules, "infix").text)
    return b"POST / HTTP/1.0\r\nContent-length: %d\r\n\r\n%s" % (len(body.encode()), body.encode())


@pytest.mark.asyncio(loop_scope="module")
@pytest.mark.parametrize("path", DRESDEN + HIDDEN, ids=lambda path: path.stem)
async def test_dresdens_messages_are_answered_alike_where_the_rules_are_in_infix(one, path):
    """Two turns without a percept look like one message sent twice, and only the rules tell that they are none."""
    answers = [to_the_end(await one.raw(in_infix(exchange))) for exchange in exchanges(path)]
    assert answers == [exchange.answer.lower() for exchange in exchanges(path)]
