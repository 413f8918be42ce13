"""The error of a build without a result states how its process ended, and what to do."""

import signal

import pytest

from reasoner.compilation.exit_reasons import LOST, MEMORY, exit_reason
from reasoner.compilation.limits import BuildLimits


@pytest.mark.parametrize(
    ("code", "limit", "words"),
    [
        (-signal.SIGALRM, "time", "took more than 2 s"),
        (MEMORY, "memory", "needs more than 7 MB"),
        (-signal.SIGABRT, "memory", "needs more than 7 MB"),
        (-signal.SIGKILL, "memory", "lower this limit, or play on a larger machine"),
        (-signal.SIGSEGV, "crash", "(SIGSEGV), a bug of this program, not a fault of the rules: please report"),
        (-63, "crash", "signal 63"),
        (1, "crash", "the log says why"),
        (LOST, "crash", "was lost in stage ground"),
    ],
)
def test_each_end_has_its_words(code, limit, words):
    error = exit_reason(code, "ground", BuildLimits(seconds=2, memory_mb=7))
    assert error.limit == limit
    assert words in str(error)
