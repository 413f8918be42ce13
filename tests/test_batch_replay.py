"""Batches follow recorded games, and hold every recorded state that is set; `make agree` takes all of them."""

import pytest

from reasoner import load
from tests.batch_replay import BatchReplayer
from tests.shared import SHARED, needs_shared
from tests.test_lane_replay import small_recordings

RECORDED = small_recordings()


@needs_shared
@pytest.mark.parametrize("recording", RECORDED, ids=lambda recording: recording.name)
def test_batches_see_recorded_play_as_it_was_and_states_set_are_read_back(recording):
    replayer = BatchReplayer(load(recording.rulesheet(SHARED), "circuit"), recording)
    assert replayer.run() is None
    assert replayer.compared == recording.steps()
