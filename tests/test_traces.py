"""The first recorded steps of many public games; `make agree` compares all of them."""

import pytest

from reasoner import load
from tests.shared import SHARED, needs_shared
from tests.traces import Replayer, infix_recordings, recordings

pytestmark = [needs_shared, pytest.mark.long]  # hundreds of recorded games

STEPS = 6
SLOW = {"chess", "slaughter", "amazons", "amazonsTorus", "gt_two_thirds_6p", "gt_two_thirds_4p"}
IN_INFIX = infix_recordings(SHARED) if SHARED else ()
RECORDED = [r for r in recordings(SHARED) if r.game not in SLOW] if SHARED else []


@pytest.mark.parametrize("recording", RECORDED, ids=lambda recording: recording.game)
def test_the_relational_engine_agrees_with_recorded_play(recording):
    machine = load(recording.rulesheet(SHARED), engine="relational")
    assert Replayer(machine, recording).run(STEPS).disagreement is None


@pytest.mark.parametrize("recording", IN_INFIX, ids=lambda recording: recording.game)
def test_the_newer_language_agrees_with_its_own_interpreter(recording):
    machine = load(recording.rulesheet(SHARED), engine="relational")
    assert Replayer(machine, recording).run().disagreement is None


def test_the_rulesheet_without_a_recording_is_read_and_begins():
    recorded = {recording.game for recording in IN_INFIX}
    (other,) = [path for path in (SHARED / "games_infix").glob("*.gdl") if path.stem not in recorded]
    machine = load(other, engine="relational")
    assert machine.legal(machine.initial())[0]
