"""What the fork server says once it is warm."""

import socket
from contextlib import nullcontext

import pytest
from structlog.testing import capture_logs

from agent.settings import load_settings
from agent.worker import __main__ as server
from reasoner.errors import LimitError, ReasonerError


@pytest.mark.parametrize(
    ("emitter", "why", "event", "more"),
    [
        ("auto", None, "circuits play in avx2 lanes", {}),
        ("auto", "avx2: no AVX2", "circuits play in avx2 lanes", {"reason": "avx2: no AVX2"}),
        ("portable", "avx2: no AVX2", "circuits play in portable lanes", {}),
    ],
)
def test_the_log_names_the_emitter_and_the_reason_for_portable_lanes_unless_requested(
    monkeypatch, emitter, why, event, more
):
    for name in ("warm_up_first", "warm_up_rest", "rest_kept"):
        monkeypatch.setattr(server, name, lambda *_: None)
    monkeypatch.setattr(server, "compiling", lambda _: nullcontext())
    monkeypatch.setattr(server, "best", lambda: "avx2")
    monkeypatch.setattr(server, "why_portable", lambda: why)
    settings = load_settings(environment={}, flags={"build.emitter": emitter})
    with capture_logs() as logs:
        server._warm(settings, lambda *_: None)
    assert logs == [{"event": event, "log_level": "info", **more}]


def test_a_build_that_is_killed_while_the_agent_warms_up_is_no_wrong_setting(monkeypatch):
    """Taken for one, it would end all later matches; the emitter is still refused where it cannot run."""

    def killed(_):
        raise LimitError("the process that built the circuit was lost", limit="crash")

    def refused(_):
        raise ReasonerError("this machine cannot run avx512 lanes")

    monkeypatch.setattr(server, "compiling", lambda _: nullcontext())
    monkeypatch.setattr(server, "warm_up_first", killed)
    with capture_logs() as logs:
        server._warm(load_settings(environment={}), lambda *_: None)
    assert (logs[0]["log_level"], logs[0]["reason"][:11]) == ("warning", "the process")
    monkeypatch.setattr(server, "warm_up_first", refused)
    with pytest.raises(ReasonerError, match="cannot run"):
        server._warm(load_settings(environment={}), lambda *_: None)


def test_the_fork_server_of_an_agent_that_was_killed_ends_without_a_traceback():
    ours, theirs = socket.socketpair()
    ours.close()
    with theirs, pytest.raises(SystemExit) as ended:
        server._say(theirs, "compiling")
    assert ended.value.code is None


@pytest.mark.parametrize(
    ("spec", "mib", "warned"), [("mcts", 300, 1), ("mcts:seed=1", 300, 1), ("mcts", 400, 0), ("random", 300, 0)]
)
def test_memory_that_is_little_for_a_search_is_warned_of_at_start(monkeypatch, spec, mib, warned):
    """Else only the errors of single moves in the log say so."""
    monkeypatch.setattr(server, "data_memory", lambda: 200 << 20)
    with capture_logs() as logs:
        server._warn_of_little_memory(
            load_settings(environment={}, flags={"player.spec": spec, "worker.memory_mib": mib})
        )
    assert [entry["reason"].partition(" (")[0] for entry in logs] == [
        "setting worker.memory_mib: 300; set at least 328"
    ] * warned
