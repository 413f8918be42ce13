import json
import os
import socket
import threading
from pathlib import Path

import numpy as np

from agent.worker.channel import Channel


def test_commands_come_in_order_and_events_go_out_one_a_line():
    inside, commands = os.pipe()
    events, outside = os.pipe()
    closed = threading.Event()
    channel = Channel(os.fdopen(inside, "rb"), os.fdopen(outside, "wb"), closed.set)
    assert not channel.waiting()
    assert channel.receive(0) is None
    os.write(commands, b'{"do": "one"}\n{"do": "tw')
    assert channel.receive() == {"do": "one"}
    assert channel.receive(0.001) is None
    os.write(commands, b'o"}\n')
    assert channel.receive() == {"do": "two"}
    channel.send("offer", move="(a\nb)")
    assert json.loads(os.fdopen(events, "rb").readline()) == {"is": "offer", "move": "(a\nb)"}
    os.close(commands)
    assert closed.wait(10)


def test_a_server_that_is_killed_with_events_unread_is_noticed():
    server, worker = socket.socketpair()
    closed = threading.Event()
    channel = Channel(worker.makefile("rb"), worker.makefile("wb"), closed.set)
    channel.send("offer", move="noop")
    server.close()  # the unread event makes this a reset, not an end
    assert closed.wait(10)


def test_to_send_to_a_server_that_is_gone_is_no_failure_but_the_end():
    """A server that stops while a worker is being born closes its end before the first event."""
    server, worker = socket.socketpair()
    sender = threading.get_ident()
    noticed: list[int] = []
    server.close()
    channel = Channel(worker.makefile("rb"), worker.makefile("wb"), lambda: noticed.append(threading.get_ident()))
    channel.send("born", pid=1)
    assert sender in noticed


def test_what_json_has_no_word_for_is_told_in_its_own_words():
    """Players tell what they like: numbers of numpy's, objects, tables by odd keys; a worker must not die of it."""
    server, worker = socket.socketpair()
    channel = Channel(worker.makefile("rb"), worker.makefile("wb"), lambda: None)
    numbers = {"sure": np.bool_(True), "count": np.int32(3), "value": np.float32(0.5)}
    channel.send("thinking", figures={**numbers, "path": Path("a"), ("odd", "key"): 1})
    told = json.loads(server.makefile("rb").readline())
    assert told == {"is": "thinking", "figures": {"sure": True, "count": 3, "value": 0.5, "path": "a"}}
    server.close()
