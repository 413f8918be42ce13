"""What the log and the tables say of an exception that a player raised."""

import pytest

from agent.players.base import Player
from agent.worker.blame import blame


def exec_of_no_python():
    exec("x = (\n")


def raises(error):
    def call():
        raise error

    return call


def with_note():
    error = ValueError("no such cell")
    error.add_note("in line 3")
    return error


@pytest.mark.parametrize(
    ("call", "reason"),
    [
        (raises(KeyError("a")), "KeyError: 'a'"),
        (raises(ValueError("two\n  lines")), "ValueError: two lines"),
        (raises(with_note()), "ValueError: no such cell in line 3"),
        (raises(ValueError), "ValueError"),
        (raises(SystemExit(3)), "SystemExit: 3"),
        (exec_of_no_python, "SyntaxError: '(' was never closed"),
    ],
)
def test_a_reason_has_the_type_and_all_lines_of_the_message(call, reason):
    with pytest.raises(BaseException) as info:  # noqa: PT011 each case raises another one
        call()
    assert blame(info.value, None)["reason"] == reason


class Short(Player):
    def play(self, game):
        return game.legal[0]


def test_a_call_with_a_wrong_number_of_arguments_is_placed_at_the_method():
    player = Short()
    with pytest.raises(TypeError) as info:
        player.play(None, None)
    # As in the agent, the traceback has no line of the player's module.
    error = info.value.with_traceback(None)
    assert blame(error, player, "play")["place"] == f"test_blame.py:{Short.play.__code__.co_firstlineno}"
