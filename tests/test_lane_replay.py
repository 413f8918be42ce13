"""Lanes follow recorded games: every recorded state in a lane of its own, the recorded moves forced."""

import pytest

from reasoner import load
from reasoner.compilation import BuildLimits
from reasoner.lanes.emitters import EMITTERS, why_not
from tests.lane_replay import LaneReplayer
from tests.shared import SHARED, needs_shared
from tests.traces import small_recordings

pytestmark = pytest.mark.long  # dozens of recorded games, each of them built


@needs_shared
@pytest.mark.parametrize("emitter", EMITTERS)
@pytest.mark.parametrize("recording", small_recordings(8), ids=lambda recording: recording.name)
def test_recorded_states_and_moves_lead_on_as_recorded_in_every_lane(recording, emitter):
    if reason := why_not(emitter):
        pytest.skip(f"no {emitter} lanes: {reason}")
    machine = load(recording.rulesheet(SHARED), "circuit", BuildLimits(emitter=emitter))
    replayer = LaneReplayer(machine, recording)
    assert replayer.run() is None
    assert replayer.compared == recording.steps()
