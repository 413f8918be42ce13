"""What a player prints reaches the log up to a limit, which is logged once."""

import io
import json
import logging

import structlog
from structlog.testing import capture_logs

from agent.logs import configure_logs
from agent.settings import LogSettings
from agent.worker.player_output import MAX_CHARACTERS, LogBeside, PlayerOutput


def test_a_flood_of_output_is_cut_and_reported_once():
    stream = io.StringIO()
    output = PlayerOutput(stream)
    with capture_logs() as logs:
        for _ in range(MAX_CHARACTERS // 50):
            print("x" * 99, file=output, flush=True)
    assert len(stream.getvalue()) == MAX_CHARACTERS
    assert [entry["event"] for entry in logs] == ["further output of the player is discarded"]


def test_an_entry_of_the_log_begins_a_line_after_text_that_was_printed_without_an_end():
    stream = io.StringIO()
    output = PlayerOutput(stream)
    configure_logs(LogSettings("json", "info", 40), LogBeside(stream, output))
    print("thinking ...", end="", file=output)
    structlog.get_logger().info("moved")
    print("done", file=output)
    structlog.get_logger().info("ended")
    structlog.reset_defaults()
    logging.basicConfig(force=True)
    printed, moved, done, ended = stream.getvalue().splitlines()
    assert (printed, done) == ("thinking ...", "done")
    assert [json.loads(line)["event"] for line in (moved, ended)] == ["moved", "ended"]
