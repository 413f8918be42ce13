"""JSON messages of the page's requests; a key without `NotRequired` must be present.

`agent.page.schema` reads requests by these types, and describes them in ``/api/openapi.json``.
"""

# no `from __future__ import annotations`: `typing.TypedDict` must see which keys are required

from typing import Annotated, NotRequired, TypedDict

from agent.page.schema import MaxItems, Range, Text

MAX_LINE = 2_000
"""Maximum joint moves in a request; no log or analysis has more positions."""
MAX_ROLES = 1_000
"""Maximum roles of a joint move in a request."""
MAX_NODES = 2_000
"""Maximum positions of one analysis."""
MAX_SIMULATIONS = 1_000_000
MAX_SECONDS = 3600.0
MAX_REPORT_MINUTES = 30.0
MAX_FRAMES = 2_001
"""Maximum frames of an animation; no match or analysis has more positions."""

Clock = Annotated[float, Range(0.1, MAX_SECONDS, "a clock")]
Joint = Annotated[list[str], MaxItems(MAX_ROLES)]
NodeNumber = Annotated[int, Range(0, MAX_NODES)]


class Nothing(TypedDict):
    """A request or an answer without content."""


class RulesRequest(TypedDict, total=False):
    """Rules by name, text, key, URL, match or analysis, and moves from the initial position or from `facts`."""

    game: Text  # a bundled game
    rules: Text
    name: str | None  # title of `rules`
    sheet: Text  # key of stored rules
    url: Text
    match: int  # key of a match in the history
    analysis: Text  # key of an analysis
    facts: Text  # the position that the moves start from
    moves: Annotated[list[Joint], MaxItems(MAX_LINE)]


class PlayRequest(RulesRequest):
    """A game against the agent; `random`: roles without a match slot may move at random.

    `opponent`: the name of another player, of `/api/opponents`.
    """

    startClock: Clock
    playClock: Clock
    role: NotRequired[Text | None]
    simulations: NotRequired[Annotated[int, Range(0, MAX_SIMULATIONS)]]
    random: NotRequired[bool | None]
    opponent: NotRequired[Text | None]


class PeopleRequest(RulesRequest):
    """A game between people: the role of the one who asks, and the seconds per move (0: no limit)."""

    role: Text
    seconds: Annotated[float, Range(0.0, MAX_SECONDS, "the time of a move")]


class JoinRequest(TypedDict):
    """The role that an invited person takes. A request repeated with its secret `token` gets the same place."""

    role: Text
    token: NotRequired[Text]


class OpenRequest(RulesRequest, total=False):
    """An analysis. If `record` is true, the moves are from a match record, and must all be legal."""

    record: bool | None


class ReportRequest(RulesRequest):
    """Rules to measure, and the time for the measurements after the build; `moves` and `facts` are ignored."""

    minutes: Annotated[float, Range(0.1, MAX_REPORT_MINUTES, "the time of a report")]


class AnimationRequest(TypedDict):
    """PNG images in base64, the time of each, and the form of the file: gif or webp."""

    frames: Annotated[list[Text], MaxItems(MAX_FRAMES)]
    milliseconds: Annotated[int, Range(20, 60_000)]
    form: Text


class CheckRequest(TypedDict, total=False):
    """Rules to check: their text, or a URL."""

    rules: Text
    url: Text


class SheetRequest(TypedDict):
    """Rules to store."""

    rules: Text
    name: NotRequired[str | None]


class MoveRequest(TypedDict):
    """The person's move after `step` joint moves."""

    step: int
    move: Text


class AwaitRequest(TypedDict):
    """Whether the agent's next move waits for the circuit."""

    wait: bool


class AgainRequest(TypedDict):
    """The same game from the position after `step` joint moves."""

    step: Annotated[int, Range(0, MAX_LINE)]
    role: NotRequired[Text | None]


class TryRequest(TypedDict):
    """A position and a joint move; without the joint move: the position with another role to move."""

    node: NodeNumber
    joint: NotRequired[Joint | None]


class PlaceRequest(TypedDict):
    """A position by its facts; `facts_of` refuses an empty one."""

    facts: str


class ThinkRequest(TypedDict, total=False):
    """Search a position for a role, by default the first role with a choice; without a position, stop the search."""

    node: NodeNumber | None
    role: Annotated[int, Range(0, MAX_ROLES)] | None
    seconds: Annotated[float, Range(0.1, MAX_SECONDS)]
