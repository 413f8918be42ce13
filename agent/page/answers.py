"""JSON messages of the page's answers and events, described in ``/api/openapi.json``."""

# no `from __future__ import annotations`: `typing.TypedDict` must see which keys are required

from collections.abc import Mapping, Sequence
from typing import Any, NotRequired, TypedDict

from agent.boards.pictures import MoveView, Picture
from agent.worker.worker_messages import Fault

Figures = Mapping[str, Any]
"""Search figures of a player; see docs/how-to/thinking.md."""


class Refusal(TypedDict):
    """The reason of a refused request; `busy`: whether too few match slots are free; `faults`: errors in the rules."""

    error: str
    busy: NotRequired[bool]
    faults: NotRequired[Sequence[Fault]]


class NamedRules(TypedDict):
    """The rules of a bundled game."""

    name: str
    rules: str


class TitledRules(TypedDict):
    """Rules with their title."""

    title: str
    rules: str


class Sketch(TypedDict):
    """The picture of a bundled game; `kinds` are words for its kind, such as "two players"."""

    name: str
    picture: Picture
    kinds: Sequence[str]


class Puzzle(TypedDict):
    """A position in which one move of `role` keeps `goal`; `level`: simulations to find it, 0: more than were tried."""

    role: str
    move: str
    goal: int
    legal: int
    level: int
    facts: Sequence[str]


class PositionView(TypedDict):
    """A position of a match; `at` in milliseconds since 1970."""

    step: int
    joint: Sequence[str]
    errors: Sequence[str]
    picture: Picture | None
    at: int


class StepView(PositionView):
    """A position of a match, with the search figures."""

    thinking: Figures | None


class Story(TypedDict):
    """Lists with an item per step from step `first` on. `values` are by role; `choosers` and `blunders` list roles."""

    first: int
    values: Sequence[Sequence[float | None]]
    joints: Sequence[Sequence[str]]
    seconds: Sequence[float | None]
    choosers: Sequence[Sequence[int]]
    blunders: Sequence[Sequence[int]]


class MatchFields(TypedDict):
    """A match without its steps; `began` in milliseconds since 1970."""

    key: int
    title: str
    matchId: str
    began: int
    roles: Sequence[str]
    players: Sequence[str]
    role: int | None
    goals: Sequence[int | None] | None
    points: int
    status: str
    opposed: bool
    note: str
    startClock: float
    playClock: float


class MatchSummary(MatchFields):
    """An entry of the history; `steps` is the number of joint moves."""

    steps: int


class ReplayView(MatchFields):
    """A whole match."""

    rates: Sequence[Sequence[float]]
    faults: Sequence[Fault]
    story: Story
    steps: Sequence[StepView]


class RunningClock(TypedDict):
    """A running clock: its start in milliseconds since 1970, and its length."""

    at: int
    seconds: float


class RunningMatchView(MatchSummary):
    """The running match."""

    asked: RunningClock | None
    position: PositionView


class RefusedStart(TypedDict):
    """A START that was answered busy; `at` in milliseconds since 1970."""

    matchId: str
    reason: str
    at: int


class AgentView(TypedDict):
    """The agent and its match slots; `playing`: whether any match is running."""

    name: str
    player: str
    version: str
    free: bool
    room: int
    places: int
    ready: bool
    playing: bool
    beside: Sequence[str]
    turnedAway: Sequence[RefusedStart]


class ThinkingView(TypedDict):
    """The search figures of a position, and the playout rates."""

    step: int
    figures: Figures
    rates: Sequence[Sequence[float]]
    role: int | None


class AgentEvents(TypedDict):
    """Events of the agent's page."""

    time: int
    agent: AgentView
    match: RunningMatchView | None
    story: Story | None
    thinking: ThinkingView | None
    history: Sequence[MatchSummary]


class CheckAnswer(TypedDict):
    """Diagnostics and roles of a rulesheet."""

    faults: Sequence[Fault]
    roles: Sequence[str]


class GameKey(TypedDict):
    """The secret key of a game."""

    key: str


class GamePhase(TypedDict):
    """A game against the agent."""

    key: str
    title: str
    phase: str


class EngineView(TypedDict):
    """The engine of the last search, and its simulations per second."""

    engine: Any
    building: Any
    missing: Any
    rate: float | None


class PersonGameView(MatchSummary):
    """A game against the agent from the person's point of view."""

    table: str
    phase: str
    person: int | None
    notes: Sequence[str]
    percepts: Sequence[str]
    back: int | None
    hides: bool
    remote: bool
    simulations: int
    game: str | None
    engine: EngineView | None
    waiting: bool
    terminal: bool
    asked: RunningClock | None
    position: PositionView
    moves: Sequence[MoveView]


class PersonGameEvents(TypedDict):
    """Events of a game against the agent."""

    time: int
    agent: AgentView
    table: PersonGameView
    story: Story
    thinking: ThinkingView | None


class Hint(TypedDict):
    """The agent's move for the person, and its value."""

    move: str
    value: float | None


class SheetKey(TypedDict):
    """The key of stored rules."""

    sheet: str


class StudyText(TypedDict):
    """A study as JSON text, in a request and in an answer."""

    study: str


class StudyKey(TypedDict):
    """The key of a stored study."""

    study: str


class Image(TypedDict):
    """An SVG image."""

    svg: str


class Animation(TypedDict):
    """The file of an animation in base64."""

    data: str


class NodeEntry(TypedDict):
    """A position in the tree of an analysis; `values` are expected goals by role, 0 to 100."""

    node: int
    parent: int | None
    passed: bool
    step: int
    joint: Sequence[str]
    choosers: Sequence[int]
    terminal: bool
    goals: Sequence[int | None] | None
    values: Sequence[float | None]


class NodeView(NodeEntry):
    """A position of an analysis, with the moves of each role and its search figures by role."""

    picture: Picture
    facts: Sequence[str]
    moves: Sequence[Sequence[MoveView]]
    figures: Mapping[int, Figures]


class TreeView(TypedDict):
    """An analysis with all its positions."""

    key: str
    title: str
    source: Mapping[str, Any] | None
    roles: Sequence[str]
    opposed: bool
    points: int
    nodes: Sequence[NodeEntry]


class OpenedTree(TreeView):
    """A new analysis; `note` says why some moves of the request are missing, if any are."""

    note: str


class Searches(TypedDict):
    """Whether the search runs; if not, the analysis waits in the queue."""

    searches: bool


class SearchedNode(TypedDict):
    """The figures of the searched position."""

    node: int
    figures: Mapping[int, Figures]
    values: Sequence[float | None]


class Waiting(TypedDict):
    """A place in the queue of analyses, from 1, and the seconds until its turn."""

    place: int
    seconds: int


class AnalysisEvents(TypedDict):
    """Events of an analysis.

    `closed`: why it was closed, if it was; `free`: it may search; `queue`: its place in the queue for a search.
    """

    time: int
    agent: AgentView
    closed: str | None
    thought: SearchedNode | None
    free: bool
    queue: Waiting | None


class RelayAnswer(TypedDict, total=False):
    """The reply to a Gamemaster message, and the receiver of the reply; an empty object if there is no reply."""

    to: str
    text: str
