import pytest

from agent.journal.lines import DAMAGED
from agent.journal.replayed_match import (
    known,
    opening,
    replay,
)
from agent.journal.untaken_moves import MAX_CHARACTERS, MAX_MESSAGES, UntakenMoves
from agent.protocol.messages import Start

START = Start("m", "a", "(role a)", 1.0, 2.0, 3, 4)
FIRST = {"is": "start", "at": 10.0, **opening(START)}


def play(n, moves, gap=False):
    return {"is": "play", "at": 10.0 + n, "n": n, "moves": moves, "gap": gap}


def applied(n, keep, *added):
    return {"is": "applied", "at": 0.0, "n": n, "keep": keep, "added": list(added)}


def answer(n, move):
    return {"is": "answer", "at": 0.0, "n": n, "move": move}


def test_a_match_is_told_as_far_as_it_went():
    replayed = replay([FIRST, play(1, None), answer(1, "go"), play(2, ["go"]), applied(2, 0, ["go"]), answer(2, "on")])
    assert replayed.start == START
    assert (replayed.joints, replayed.untaken.items, replayed.number, replayed.moves) == ([["go"]], [], 2, ("go",))
    assert (replayed.applied, replayed.answer, replayed.last_answer, replayed.heard) == (True, "on", "on", 12.0)


def test_the_last_position_is_known_unless_the_moves_before_it_have_changed():
    first = {**applied(2, 0, ["go"], ["on"]), "position": ["(at 2)"]}
    later = [FIRST, play(1, None), first, play(3, ["up"]), applied(3, 2, ["up"])]
    assert replay(later).known == ([["go"], ["on"], ["up"]], 2, ["(at 2)"])
    assert replay([*later, applied(4, 0, ["go"], ["on"])]).known == ([["go"], ["on"]], 2, ["(at 2)"])
    assert replay([*later, applied(4, 1, ["up"])]).known == ([["go"], ["up"]], 0, [])
    wrong = {**applied(4, 3, ["go"]), "position": []}  # it was a wrong guess
    assert replay([*later, wrong]).known[1:] == (0, [])


def test_the_moves_of_the_last_messages_are_known():
    replayed = replay([FIRST, play(1, None), *(play(n, [f"x{n}"]) for n in range(2, 7))])
    assert (replayed.earlier, replayed.moves) == ([("x3",), ("x4",), ("x5",)], ("x6",))
    assert replay([FIRST, play(1, None), play(2, ["x2"])]).earlier == [None]


def test_moves_that_came_and_were_not_applied_are_kept_in_their_order():
    replayed = replay(
        [FIRST, play(1, None), answer(1, "go"), play(2, ["go"]), play(3, ["on"], gap=True), play(4, ["off"])]
    )
    assert (replayed.joints, replayed.untaken.items) == ([], [["go"], None, ["on"]])
    assert (replayed.untaken.told, replayed.own) == ((3, ["go", None, None], [False] * 3), None)
    assert (replayed.moves, replayed.applied, replayed.answer, replayed.last_answer) == (("off",), False, None, None)
    replayed = replay([FIRST, play(1, None), play(2, ["go"]), play(3, ["on"]), applied(2, 0, ["go"])])
    assert (replayed.joints, replayed.untaken.items, replayed.applied) == ([["go"]], [], False)


def test_a_repeated_message_that_was_not_applied_is_known_as_one():
    """A new process took it for a new turn after a loss."""
    again = {**play(3, ["go"]), "repeated": True}
    replayed = replay([FIRST, play(1, None), play(2, ["go"]), applied(2, 0, ["go"]), answer(2, "on"), again])
    assert replayed.repeated
    replayed = replay(
        [FIRST, play(1, None), play(2, ["go"]), applied(2, 0, ["go"]), answer(2, "on"), again, play(4, [])]
    )
    assert (replayed.untaken.told, replayed.repeated) == ((3, ["on"], [True]), False)


def test_the_last_answer_is_unknown_after_a_message_without_one():
    """The agent was killed during PLAY 2: the manager chose the move, so the answer to PLAY 1 says nothing of it."""
    before = [FIRST, play(1, None), answer(1, "go"), play(2, ["go"])]
    assert replay(before).last_answer == "go"
    assert replay([*before, play(3, ["on"])]).last_answer is None


STORY = [
    FIRST,
    *(play(1, None), applied(1, 0), answer(1, "a1")),
    *(play(2, ["m1"]), applied(2, 0, ["m1"]), answer(2, "a2")),
    *(play(3, ["m2"]), applied(3, 1, ["m2"]), answer(3, "a3")),
]


@pytest.mark.parametrize("lost", range(1, len(STORY) - 1))
def test_after_a_damaged_line_the_rest_of_the_match_is_known(lost):
    """A bit that changed in one line cost all moves after it."""
    replayed = replay([*STORY[:lost], DAMAGED, *STORY[lost + 1 :]])
    assert (replayed.number, replayed.answer, replayed.last_answer, replayed.damaged) == (3, "a3", "a3", True)
    moves = [item for item in [*replayed.joints, *replayed.untaken.items, replayed.moves] if item is not None]
    assert list(moves[-1]) == ["m2"]
    assert replayed.joints[0] in (["m1"], None)
    assert replayed.applied or replayed.moves == ("m2",)


@pytest.mark.parametrize("end", [None, ["m3"]])
@pytest.mark.parametrize("lost", [number for number, entry in enumerate(STORY) if entry["is"] == "applied"])
def test_the_moves_of_a_damaged_line_are_those_of_its_message(lost, end):
    """A finished match lost a step, and so its result."""
    last = {"is": "end", "at": 20.0, "reason": "stopped", "moves": end}
    replayed = replay([*STORY[:lost], DAMAGED, *STORY[lost + 1 :], last])
    assert list(map(list, replayed.joints)) == [["m1"], ["m2"]]
    assert len(replayed.times) == 2


def test_a_guess_after_a_restart_knows_the_answers_before_it():
    """Moves and noops alternated; a wrong guess was kept as the last answer."""
    guessed = {**answer(3, "noop"), "guessed": True}
    replayed = replay(
        [FIRST, play(1, None), answer(1, "(a)"), play(2, ["x"]), answer(2, "noop"), play(3, ["y"]), guessed]
    )
    assert (replayed.last_answer, replayed.answers.guess(4), replayed.answers.guess(5)) == ("noop", "noop", "(a)")


def test_the_end_is_reported():
    assert replay([FIRST, {"is": "end", "at": 0.0, "reason": "stopped", "moves": None}]).ended == "stopped"


def test_what_is_no_journal_of_ours_tells_nothing():
    assert replay([]) is None
    assert replay([play(1, None)]) is None
    assert replay([{"is": "start", "at": 1.0}]) is None
    assert replay([FIRST, {"is": "play"}]) is None


WRONG = [
    *({**FIRST, field: wrong} for field in FIRST if field not in ("is",) for wrong in (None, [1], {}, True)),
    *({**FIRST, field: wrong} for field in ("at", "line", "start_clock") for wrong in (-1, float("nan"), 10**400, "1")),
    *({**play(1, ["go"]), "moves": wrong} for wrong in ("go", [1], [["go"]], {"go": 1}, 7)),
    *({**play(1, None), "n": wrong} for wrong in (None, "1", 1.5, -1, True)),
    *({**applied(1, 0, ["go"]), "added": wrong} for wrong in (None, "go", ["go"], [[1]], {})),
    *({**applied(1, 0), "keep": wrong} for wrong in (None, "0", -1, 0.5)),
    *({**applied(1, 0, ["go"]), "position": wrong} for wrong in (None, "go", [1], [["go"]])),
    *({**answer(1, "go"), "move": wrong} for wrong in (None, 7, ["go"])),
    *({"is": "end", "at": 0.0, "reason": wrong, "moves": None} for wrong in (None, 7, ["x"])),
    {"is": "again", "at": 0.0, "up": "soon"},
]


@pytest.mark.parametrize("wrong", WRONG, ids=str)
def test_entries_of_wrong_types_make_no_match(wrong):
    """Their checksum may be right: an edited journal must not stop the agent's start."""
    assert replay([wrong] if wrong["is"] == "start" else [FIRST, play(1, None), wrong]) is None


def test_a_match_of_which_the_journal_does_not_tell_all_is_not_gone_on_with():
    assert replay([FIRST, play(1, None), {"is": "full", "at": 1.0}]).full


@pytest.mark.parametrize(("count", "length"), [(1_000, 1), (9, MAX_CHARACTERS // 4)])
def test_untaken_moves_are_bounded_and_the_oldest_count_as_missed(count, length):
    untaken = UntakenMoves()
    for number in range(count):
        untaken.keep(number, ["x" * length], f"{number - 1}", gap=False)
    assert untaken.items[0] is None
    assert untaken.items.count(None) == 1
    assert len(untaken) <= MAX_MESSAGES
    assert known(untaken.items) * length <= MAX_CHARACTERS
    last, own, repeated = untaken.told
    assert last == count - 1
    assert len(own) == len(repeated) == len(untaken.items)
    assert own[-1] == f"{count - 2}"


def test_a_journal_of_moves_that_were_never_applied_is_replayed_within_the_same_bounds():
    replayed = replay([FIRST, *(play(number, [f"x{number}"]) for number in range(1, 1_000))])
    assert len(replayed.untaken) <= MAX_MESSAGES
