"""After any message the process of a match may end: the next one, a worker or a fallback, gives legal moves, too."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agent.journal.untaken_moves import UntakenMoves
from agent.players.legal import LegalPlayer
from agent.protocol.messages import Start
from agent.server.applied_moves import AppliedMoves
from agent.settings import load_settings
from agent.worker import engines
from agent.worker.fallback import Fallback
from agent.worker.session import Session
from agent.worker.worker_messages import Answered, Applied, Choose, Offered
from reasoner import load
from search.clock import MonotonicClock
from tests.agent.rules import LADDER, STONES
from tests.agent.worker.test_session import LOOKOUT, TOLD, FakeBuild, FakeChannel
from tests.reasoner.test_percepts import BOXES
from tests.search.information.sheets import BLIND_TIC_TAC_TOE

SETTINGS = load_settings(environment={})


class Worker:
    """The session of a worker."""

    def __init__(self, begin, clock):
        self._channel = FakeChannel()
        self._session = Session(begin, LegalPlayer(), SETTINGS, self._channel, clock)
        self._session.start(begin)

    def events(self):
        told, self._channel.events = self._channel.events, []
        return told

    def obey(self, choose):
        self._session.play(choose)


class Spare:
    """The fallback process."""

    def __init__(self, begin, _clock):
        self._told = []
        self._fallback = Fallback(SETTINGS, lambda event: self._told.append(event))
        self._fallback.obey(begin)

    def events(self):
        told, self._told = self._told, []
        return told

    def obey(self, choose):
        self._fallback.obey(choose)


class Server:
    """What `agent.server.match` keeps of a match between its processes."""

    def __init__(self, rules, role):
        self.start = Start("m", role, rules, 1.0, 1.0)
        self.joints, self.untaken, self.clock = AppliedMoves(), UntakenMoves(), MonotonicClock()
        self.number, self.answered, self.process = 0, None, None

    def ask(self, told, before, between, *, repeated=False):
        """Answer a PLAY; `before` and `between`: the kinds of processes that begin before it, and before the answer."""
        self.number += 1
        self.told, self.own, self.applied, move = told, self.answered, False, None
        if before or self.process is None:
            self._begin(before or Worker)
        self._choose(repeated)
        move = self._hear()
        if between and self.applied:
            self._begin(between)
            self._choose(repeated)
            move = self._hear()
        if told is not None and not self.applied:
            self.untaken.keep(self.number, told, self.own, gap=False)
        self.answered = move
        return move

    def hear_again(self):
        """Keep a repetition of the last message that no process takes in; the fallback answers as before."""
        self.number += 1
        self.untaken.keep(self.number, self.told, self.answered, repeated=True)
        self.process = None

    def _begin(self, kind):
        answered = None if self.applied else self.answered
        begin = self.joints.begin(self.start, self.clock.now() + 30.0, answered, self.untaken)
        self.process = kind(begin, self.clock)
        self._hear()

    def _choose(self, repeated):
        told = None if self.told is None else list(self.told)
        deadline = self.clock.now() + 30.0
        self.process.obey(Choose(self.number, deadline, not self.applied, told, repeated, False, self.own))

    def _hear(self):
        move = None
        for event in self.process.events():
            if isinstance(event, Applied):
                self.applied |= event.number == self.number
                self.joints.put(event.keep, event.added, event.position)
                self.untaken.drop(event.number)
            elif isinstance(event, Answered | Offered) and event.number == self.number:
                move = event.move
        return move


def as_joint(_turn, _role, joint, _percepts):
    return joint


def as_percepts(_turn, _role, _joint, percepts):
    return percepts


def as_observed(turn, role, joint, percepts):
    return [f"observed {turn}", joint[role], *percepts]


GAMES = [
    pytest.param(STONES, ("first", "second"), as_joint, id="plain"),
    pytest.param(LADDER, ("a",), as_joint, id="one role"),
    *(
        pytest.param(rules, roles, form, id=f"{name}, {form.__name__}")
        for name, rules, roles in [
            ("boxes", BOXES, ("seeker", "rival")),
            ("lookout", LOOKOUT, ("left", "right")),
            ("blind", BLIND_TIC_TAC_TOE, ("x", "o")),
            ("told", STONES + TOLD, ("first", "second")),
        ]
        for form in (as_joint, as_percepts, as_observed)
    ),
]
KINDS = st.sampled_from([None, Worker, Spare])
TURN = st.tuples(KINDS, KINDS, st.booleans(), st.booleans(), st.integers(0, 99))


@pytest.fixture(autouse=True)
def no_circuit(monkeypatch):
    monkeypatch.setattr(engines, "CircuitBuild", FakeBuild)
    monkeypatch.setattr("agent.worker.match_game.RECORD_EVERY", 2)


@pytest.mark.parametrize(("rules", "roles", "form"), GAMES)
@given(data=st.data())
@settings(max_examples=12, deadline=None)
def test_each_answer_is_legal_whichever_processes_give_it(rules, roles, form, data):
    game, ours = load(rules, "relational"), data.draw(st.sampled_from(roles))
    role = list(map(str, game.roles)).index(ours)
    server, state = Server(rules, ours), game.initial()
    told = ["observed 0", "NIL"] if form is as_observed else None
    for turn in range(6):
        if game.terminal(state):
            return
        before, between, twice, unheard, draw = data.draw(TURN)
        legal = [list(map(str, own)) for own in game.legal(state)]
        move = server.ask(told, before, between)
        assert move in legal[role]
        if twice and form is as_joint and told is not None and not _possible(told, legal):
            assert server.ask(told, before, None, repeated=True) in legal[role]
            if unheard:
                server.hear_again()
        joint = [move if own is legal[role] else own[draw % len(own)] for own in legal]
        state = game.next(
            state,
            [
                dict(zip(map(str, own), own, strict=True))[made]
                for own, made in zip(game.legal(state), joint, strict=True)
            ],
        )
        told = form(turn + 1, role, joint, sorted(map(str, game.percepts(state)[role])))


def _possible(told, legal):
    return all(move in own for move, own in zip(told, legal, strict=True))
