"""How far a first start has come, as a line."""

import io

import pytest

from agent.progress import first_word, progress_line, read_progress


def test_what_is_told_is_read_again():
    assert read_progress(progress_line(12, 340)) == (12, 340)


@pytest.mark.parametrize(
    "line", ["", "warm", "listening on http://127.0.0.1:9147", "compiling what playing fast needs"]
)
def test_any_other_line_tells_nothing_of_it(line):
    assert read_progress(line) is None


def test_who_waits_for_an_address_reads_past_it():
    lines = io.StringIO(f"{progress_line(1, 9)}\n{progress_line(8, 9)}\nlistening on http://host\nopen it\n")
    assert first_word(lines) == "listening on http://host"
    assert lines.read() == "open it\n"
    assert first_word(io.StringIO(progress_line(1, 9))) == ""
