import os
import socket
import threading
from pathlib import Path

import numpy as np

from agent.worker.channel import Channel
from agent.worker.worker_messages import BeginGame, Born, Offered, Rehearse, Thought, decode_event


def test_commands_come_in_order_and_events_go_out_one_a_line():
    inside, commands = os.pipe()
    events, outside = os.pipe()
    closed = threading.Event()
    channel = Channel(os.fdopen(inside, "rb"), os.fdopen(outside, "wb"), closed.set)
    assert not channel.waiting()
    assert channel.receive(0) is None
    os.write(commands, b'{"is": "Rehearse"}\n{"is": "BeginG')
    assert channel.receive() == Rehearse()
    assert channel.receive(0.001) is None
    os.write(commands, b'ame", "seed": 1}\n')
    assert channel.receive() == BeginGame(1)
    channel.send(Offered(1, "(a\nb)"))
    assert decode_event(os.fdopen(events, "rb").readline()) == Offered(1, "(a\nb)")
    os.close(commands)
    assert closed.wait(10)


def test_a_server_that_is_killed_with_events_unread_is_noticed():
    server, worker = socket.socketpair()
    closed = threading.Event()
    channel = Channel(worker.makefile("rb"), worker.makefile("wb"), closed.set)
    channel.send(Offered(1, "noop"))
    server.close()  # the unread event makes this a reset, not an end
    assert closed.wait(10)


def test_to_send_to_a_server_that_is_gone_is_no_failure_but_the_end():
    """A server that stops while a worker is being born closes its end before the first event."""
    server, worker = socket.socketpair()
    sender = threading.get_ident()
    noticed: list[int] = []
    server.close()
    channel = Channel(worker.makefile("rb"), worker.makefile("wb"), lambda: noticed.append(threading.get_ident()))
    channel.send(Born(1))
    assert sender in noticed


def test_what_json_has_no_word_for_is_reported_in_its_own_words():
    """Players tell what they like: numbers of numpy's, objects, tables by odd keys; a worker must not die of it."""
    server, worker = socket.socketpair()
    channel = Channel(worker.makefile("rb"), worker.makefile("wb"), lambda: None)
    numbers = {"sure": np.bool_(True), "count": np.int32(3), "value": np.float32(0.5)}
    channel.send(Thought(0, {**numbers, "path": Path("a"), ("odd", "key"): 1}))
    told = decode_event(server.makefile("rb").readline())
    assert told == Thought(0, {"sure": True, "count": 3, "value": 0.5, "path": "a"})
    server.close()
