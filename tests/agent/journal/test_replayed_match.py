from agent.journal.replayed_match import opening, replay
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
    assert (replayed.joints, replayed.untaken, replayed.number, replayed.moves) == ([["go"]], {}, 2, ("go",))
    assert (replayed.applied, replayed.answer, replayed.last_answer, replayed.heard) == (True, "on", "on", 12.0)


def test_moves_that_came_and_were_not_taken_in_are_kept_in_their_order():
    replayed = replay(
        [FIRST, play(1, None), answer(1, "go"), play(2, ["go"]), play(3, ["on"], gap=True), play(4, ["off"])]
    )
    assert (replayed.joints, replayed.untaken) == ([], {2: [["go"]], 3: [None, ["on"]]})
    assert (replayed.moves, replayed.applied, replayed.answer, replayed.last_answer) == (("off",), False, None, "go")
    replayed = replay([FIRST, play(1, None), play(2, ["go"]), play(3, ["on"]), applied(2, 0, ["go"])])
    assert (replayed.joints, replayed.untaken, replayed.applied) == ([["go"]], {}, False)


def test_the_end_is_told():
    assert replay([FIRST, {"is": "end", "at": 0.0, "reason": "stopped", "moves": None}]).ended == "stopped"


def test_what_is_no_journal_of_ours_tells_nothing():
    assert replay([]) is None
    assert replay([play(1, None)]) is None
    assert replay([{"is": "start", "at": 1.0}]) is None
    assert replay([FIRST, {"is": "play"}]) is None
