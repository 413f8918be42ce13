"""What the log and the tables say of an exception that a player raised."""

import pytest

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
