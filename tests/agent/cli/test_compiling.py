"""A first start that compiles kernels shows its progress."""

import io

from rich.console import Console

from agent.cli.compiling import ONCE, CompilingDisplay


def test_where_there_is_no_terminal_each_word_is_a_line():
    out = Console(file=io.StringIO())
    with CompilingDisplay(out) as display:
        display.tell(3, 9)
        display.tell(8, 9)
    assert out.file.getvalue() == "compiling 3 of at most 9 kernels\ncompiling 8 of at most 9 kernels\n"


def test_on_a_terminal_a_bar_counts_and_is_taken_away_at_the_end():
    out = Console(file=io.StringIO(), force_terminal=True, width=120)
    with CompilingDisplay(out) as display:
        display.tell(3, 9)
        display.tell(8, 9)
    shown = out.file.getvalue()
    assert ONCE in shown
    assert "8/9" in shown
    assert shown.endswith("\x1b[2K")  # the line is erased


def test_where_nothing_is_compiled_nothing_is_shown():
    out = Console(file=io.StringIO(), force_terminal=True)
    with CompilingDisplay(out):
        pass
    assert out.file.getvalue() == ""
