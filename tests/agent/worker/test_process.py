"""What a worker does with commands that do not fit what came before: it answers why, and lives on."""

import pytest
from structlog.testing import capture_logs

from agent.players.legal import LegalPlayer
from agent.protocol.messages import Start
from agent.settings import load_settings
from agent.worker.process import OUT_OF_MEMORY, _CommandLoop
from agent.worker.worker_messages import (
    Advance,
    Begin,
    BeginGame,
    Choose,
    Examine,
    Follow,
    ReadRules,
    RefereeFailed,
    Refused,
    Think,
)
from reasoner.errors import LimitError
from reasoner.relational.limits import TERM_FIX
from reasoner.rules.read import read_program
from tests.agent.rules import STONES


class Channel:
    def __init__(self):
        self.events = []

    def send(self, event):
        self.events.append(event)


@pytest.mark.parametrize("command", [Examine(0, facts=[]), Think(0), BeginGame(1), Advance([None]), Follow(["go"])])
@pytest.mark.parametrize("rules", [None, "(role a"])
def test_what_needs_rules_is_refused_where_none_were_read(command, rules):
    channel = Channel()
    loop = _CommandLoop(channel, load_settings(environment={}), LegalPlayer)
    if rules is not None:
        loop._obey(ReadRules(rules))
    loop._obey(command)
    assert isinstance(channel.events[-1], RefereeFailed)


def test_a_player_that_exits_while_it_is_made_refuses_the_match_with_the_reason():
    def leave():
        raise SystemExit(3)

    channel = Channel()
    loop = _CommandLoop(channel, load_settings(environment={}), leave)
    loop._obey(Begin(Start("m", "a", "(role a)", 1, 1), 0.0, [], None, 0))
    (event,) = channel.events
    assert isinstance(event, Refused)
    assert event.reason.startswith("the player cannot be created: SystemExit: 3 (")


@pytest.mark.parametrize("command", [ReadRules("(role a)"), Examine(0, facts=[])])
def test_rules_that_take_too_much_memory_are_told_before_the_process_ends(command, monkeypatch):
    """Whoever only sees the end of the process cannot know why it came."""

    def fail(*_):
        raise MemoryError

    channel = Channel()
    loop = _CommandLoop(channel, load_settings(environment={}), LegalPlayer)
    loop._referee._program = read_program(STONES)[0]
    monkeypatch.setattr("agent.worker.referee.read_program", fail)
    monkeypatch.setattr("agent.worker.process.Analyst", fail)
    monkeypatch.setattr("os.nice", lambda _: None)
    with pytest.raises(MemoryError):
        loop._obey(command)
    assert channel.events == [RefereeFailed(OUT_OF_MEMORY)]


class Outgrown:
    """A match whose rules build too large terms."""

    def play(self, _command):
        raise LimitError("relation next/1 builds terms of more than 10000 words", "size")


def test_terms_past_their_limit_are_told_once_with_what_to_change():
    loop = _CommandLoop(Channel(), load_settings(environment={}), LegalPlayer)
    loop._session = Outgrown()
    with capture_logs() as logs:
        for number in (1, 2, 3):
            loop._obey(Choose(number, 1.0, apply=True, joint=["go"], repeated=False))
    (entry,) = logs
    assert entry["log_level"] == "error"
    assert "moves may be illegal" in entry["event"]
    assert (entry["reason"], entry["fix"]) == ("relation next/1 builds terms of more than 10000 words", TERM_FIX)
