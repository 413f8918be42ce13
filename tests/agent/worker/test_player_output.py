"""What a player prints reaches the log up to a limit, which is logged once."""

import io

from structlog.testing import capture_logs

from agent.worker.player_output import MAX_CHARACTERS, PlayerOutput


def test_a_flood_of_output_is_cut_and_reported_once():
    stream = io.StringIO()
    output = PlayerOutput(stream)
    with capture_logs() as logs:
        for _ in range(MAX_CHARACTERS // 50):
            print("x" * 99, file=output, flush=True)
    assert len(stream.getvalue()) == MAX_CHARACTERS
    assert [entry["event"] for entry in logs] == ["further output of the player is discarded"]
