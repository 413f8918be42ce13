from agent.journal.replayed_match import opening, tell
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
    story = tell([FIRST, play(1, None), answer(1, "go"), play(2, ["go"]), applied(2, 0, ["go"]), answer(2, "on")])
    assert story.start == START
    assert (story.joints, story.untaken, story.number, story.moves) == ([["go"]], {}, 2, ("go",))
    assert (story.applied, story.answer, story.last_answer, story.heard) == (True, "on", "on", 12.0)


def test_moves_that_came_and_were_not_taken_in_are_kept_in_their_order():
    story = tell([FIRST, play(1, None), answer(1, "go"), play(2, ["go"]), play(3, ["on"], gap=True), play(4, ["off"])])
    assert (story.joints, story.untaken) == ([], {2: [["go"]], 3: [None, ["on"]]})
    assert (story.moves, story.applied, story.answer, story.last_answer) == (("off",), False, None, "go")
    story = tell([FIRST, play(1, None), play(2, ["go"]), play(3, ["on"]), applied(2, 0, ["go"])])
    assert (story.joints, story.untaken, story.applied) == ([["go"]], {}, False)


def test_the_end_is_told():
    assert tell([FIRST, {"is": "end", "at": 0.0, "reason": "stopped", "moves": None}]).ended == "stopped"


def test_what_is_no_journal_of_ours_tells_nothing():
    assert tell([]) is None
    assert tell([play(1, None)]) is None
    assert tell([{"is": "start", "at": 1.0}]) is None
    assert tell([FIRST, {"is": "play"}]) is None
