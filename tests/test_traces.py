"""The first recorded steps of many public games; `make agree` compares all of them."""

import pytest

from reasoner import load
from tests.shared import SHARED, needs_shared
from tests.traces import Replayer, recordings

pytestmark = needs_shared

STEPS = 6
SLOW = {"chess", "slaughter", "amazons", "amazonsTorus", "gt_two_thirds_6p", "gt_two_thirds_4p"}
RECORDED = [r for r in recordings(SHARED) if r.game not in SLOW] if SHARED else []


@pytest.mark.parametrize("recording", RECORDED, ids=lambda recording: recording.game)
def test_the_relational_engine_agrees_with_recorded_play(recording):
    machine = load(SHARED / "games" / f"{recording.game}.kif", engine="relational")
    assert Replayer(machine, recording).run(STEPS).disagreement is None
