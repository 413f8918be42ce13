"""Batches follow recorded games, and hold every recorded state that is set; `make agree` takes all of them."""

import pytest

from reasoner import load
from tests.batch_replay import BatchReplayer
from tests.shared import SHARED, needs_shared
from tests.traces import infix_recordings, recordings

pytestmark = pytest.mark.long  # dozens of recorded games, each of them built

SMALL = 4000
"""Characters of a rulesheet that builds in about a second, ..."""
SLOW = {"atariGo_7x7", "gomoku_15x15", "knightazons", "simultaneousWin2"}
"""... but for these, or has long games."""


def small_recordings():
    if SHARED is None:
        return []
    found = [*recordings(SHARED), *infix_recordings(SHARED)]
    return [r for r in found if r.rulesheet(SHARED).stat().st_size < SMALL and r.name not in SLOW]


@needs_shared
@pytest.mark.parametrize("recording", small_recordings(), ids=lambda recording: recording.name)
def test_batches_see_recorded_play_as_it_was_and_states_set_are_read_back(recording):
    replayer = BatchReplayer(load(recording.rulesheet(SHARED), "circuit"), recording)
    assert replayer.run() is None
    assert replayer.compared == recording.steps()
