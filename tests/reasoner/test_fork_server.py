"""Processes forked on request: their descriptors, the report of their exit code, and how they are killed."""

import os
import signal
import socket
import subprocess
import sys
import threading

import pytest

from bench.processes import blocked_signals, descendants
from reasoner.fork_server import (
    BY_MAIN_THREAD,
    HERE,
    PING,
    REQUEST,
    ROOT,
    Forks,
    ForkServer,
    abandoned,
    ask,
    command,
    environment,
)


@pytest.fixture(scope="module")
def forks():
    found = Forks("tests.reasoner.forking")
    yield found
    found._disconnect()
    found.server.wait()


def first_line(end):
    with end.makefile("rb") as source:
        return source.readline()


def test_a_fork_holds_nothing_of_the_servers_but_its_own_socket(forks):
    """Neither what the server listens to, nor the sockets about the lives of the forks before it."""
    before = [forks.fork() for _ in range(2)]
    talk, life = forks.fork()
    assert first_line(talk) == b"socket\n"
    for end in (talk, life, *(end for pair in before for end in pair)):
        end.close()


def test_a_server_hears_no_interrupt_even_while_it_begins(forks):
    """Ctrl-C goes to all processes of a terminal; Python prints a traceback if it is importing."""
    for end in forks.fork():
        end.close()
    blocked = blocked_signals(forks.server.pid)
    if blocked is None:
        pytest.skip("the masks of a process are read as Linux tells them")
    assert blocked >> (signal.SIGINT - 1) & 1
    assert signal.SIGINT not in signal.pthread_sigmask(signal.SIG_BLOCK, ())


def test_a_server_whose_client_ended_while_it_was_loaded_is_abandoned():
    """It has no parent any more whose end the system would tell."""
    ours, theirs = socket.socketpair()
    with theirs:
        assert not abandoned(theirs)
        ours.send(PING)
        assert not abandoned(theirs)
        assert theirs.recv(1) == PING
        theirs.send(b"line")  # unread: the system resets the connection
        ours.close()
        assert abandoned(theirs)
        assert abandoned(theirs)


@pytest.mark.parametrize("by_main", [True, False])
def test_a_server_ends_with_the_thread_that_started_it_only_if_this_is_the_main_thread(monkeypatch, by_main):
    """Another thread may end while a third one waits for its build."""
    commands = []
    monkeypatch.setattr("reasoner.fork_server.subprocess.Popen", lambda given, **_: commands.append(given))
    client = Forks("tests.reasoner.forking")
    thread = threading.Thread(target=client._started)
    (client._started if by_main else thread.start)()
    if not by_main:
        thread.join()
    assert (BY_MAIN_THREAD in commands[0]) is by_main
    client._close()


@pytest.mark.parametrize("where", ["_disconnect", "server.wait"])
def test_a_second_interrupt_at_the_exit_leaves_no_traceback(monkeypatch, where):
    def interrupted(*_):
        raise KeyboardInterrupt

    closing = Forks("tests.reasoner.forking")
    for end in closing.fork():
        end.close()
    with monkeypatch.context() as patch:
        patch.setattr(closing.server if "." in where else closing, where.removeprefix("server."), interrupted)
        closing._close()
    closing._close()
    closing.server.wait()


def test_the_exit_code_of_a_fork_is_sent_on_the_socket_that_watches_it(forks):
    talk, life = forks.fork()
    talk.sendall(b"7")
    assert life.recv(16) == b"7"


def test_an_abandoned_fork_is_killed(forks):
    talk, life = forks.fork()
    assert first_line(talk) == b"socket\n"
    life.shutdown(socket.SHUT_WR)
    assert life.recv(16) == b"-9"
    assert talk.recv(1) == b""


def test_a_fork_whose_life_is_not_watched_needs_one_socket_only(forks):
    ours, theirs = socket.socketpair()
    with theirs:
        ask(forks._started(), theirs)
    assert first_line(ours) == b"socket\n"
    ours.sendall(b"0")
    assert ours.recv(1) == b""


def test_a_stopped_fork_does_not_outlive_its_server():
    """It cannot notice that its client has ended."""
    server = Forks("tests.reasoner.forking")
    ours, theirs = socket.socketpair()
    with theirs:
        ask(server._started(), theirs)
    assert first_line(ours) == b"socket\n"
    for process in descendants(server.server.pid):
        os.kill(process, signal.SIGSTOP)
    server._disconnect()
    ours.settimeout(20)
    assert ours.recv(1) == b""
    server.server.wait()


def test_a_request_without_free_descriptors_closes_its_sockets(monkeypatch):
    """The system passes some of the descriptors or none, and reports it."""
    server, reasons = ForkServer.__new__(ForkServer), []
    server._control, server._failed = None, reasons.append
    ours, theirs = socket.socketpair()
    for handed in ([], [theirs.detach()]):
        found = (REQUEST, handed, socket.MSG_CTRUNC, None)
        monkeypatch.setattr(socket, "recv_fds", lambda *_, found=found: found)
        server._handle_request()
    assert reasons == ["too many open files"] * 2
    assert ours.recv(1) == b""


def test_a_server_whose_client_was_killed_ends_silently():
    """What nobody has read makes the end of its socket a reset."""
    ours, theirs = socket.socketpair()
    code = "import tests.reasoner.forking as f; control = f.control_socket(); control.sendall(b'warm');"
    code += "f.ForkServer(control, f.serve).run()"
    with theirs:
        command = [sys.executable, "-c", code]
        process = subprocess.Popen(command, stdin=theirs.fileno(), stderr=subprocess.PIPE, text=True)
    assert ours.recv(4, socket.MSG_PEEK) == b"warm"
    ours.close()
    assert process.communicate(timeout=60)[1] == ""
    assert process.returncode == 0


def test_a_server_answers_a_ping(forks):
    control = forks._started()
    control.sendall(PING)
    assert control.recv(16) == f"{HERE}\n".encode()


def test_a_server_stops_on_request_and_leaves_unread_requests_to_the_next():
    """It kills none that it has forked, and its own sockets are closed in them."""
    ours, theirs = socket.socketpair()
    watch, word = socket.socketpair()
    code = f"import socket, os, tests.reasoner.forking as f; word = socket.socket(fileno={word.fileno()});"
    code += "server = f.ForkServer(f.control_socket(), f.serve); server.run(word); os.wait()"
    with theirs, word:
        command = [sys.executable, "-c", code]
        process = subprocess.Popen(command, stdin=theirs.fileno(), pass_fds=[word.fileno()])
        talk, its = socket.socketpair()
        with its:
            ask(ours, its)
        assert first_line(talk) == b"socket\n"
        word.close()
        watch.shutdown(socket.SHUT_WR)
        assert watch.recv(1) == b""  # the server has let go
        later, its_later = socket.socketpair()
        with its_later:
            ask(ours, its_later)
        assert theirs.recv(8) == REQUEST
        talk.sendall(b"0")
        assert process.wait(60) == 0
    later.close()


def test_a_client_that_exits_leaves_no_running_server():
    """Python would warn about a process that still runs."""
    begin = "from reasoner.fork_server import Forks; forks = Forks('tests.reasoner.forking')"
    code = f"{begin}; ends = forks.fork(); ends[0].recv(1); [end.close() for end in ends]"
    command = [sys.executable, "-W", "always::ResourceWarning", "-c", code]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=True)
    assert done.stderr == ""


def test_a_fork_server_keeps_no_descriptor_that_its_parent_left_open():
    """uvloop leaves copies of the control socket, and a player wrote lines to the agent with one."""
    ours, theirs = socket.socketpair()
    left = os.dup(theirs.fileno())
    code = (
        "import os\n"
        "from reasoner.fork_server import control_socket\n"
        "control = control_socket()\n"
        "mine = os.fstat(control.fileno()).st_ino\n"
        "print([fd for fd in range(64) if os.path.exists(f'/dev/fd/{fd}') and os.fstat(fd).st_ino == mine] "
        "== [control.fileno()])"
    )
    with ours, theirs:
        command = [sys.executable, "-c", code]
        done = subprocess.run(
            command, stdin=theirs.fileno(), pass_fds=[left], capture_output=True, text=True, check=True
        )
    os.close(left)
    assert done.stdout == "True\n"


def test_a_program_finds_its_packages_whatever_files_are_in_the_current_folder(tmp_path, monkeypatch):
    """A folder with players may hold a file agent.py, search.py or random.py."""
    for name in ("random", "reasoner", "search"):
        (tmp_path / f"{name}.py").write_text("raise RuntimeError('the wrong module')")
    programs = tmp_path / "programs"
    programs.mkdir()
    (programs / "mine.py").write_text("import random, reasoner, search\nprint(reasoner.__file__)")
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(programs))
    monkeypatch.syspath_prepend(str(tmp_path))  # as for a player of this folder
    found = subprocess.run(command("mine"), env=environment(), capture_output=True, text=True, check=False)
    assert found.stdout == f"{ROOT / 'reasoner' / '__init__.py'}\n", found.stderr
