"""Players that do what a player should not."""

# ruff: noqa: ARG002, T201 what they do not do is the point, and one prints

import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import structlog

from agent.players.base import Player

MARKER = "ODD_PLAYER_MARKER"
ORPHAN = """
import os, signal
child = os.fork()
if child:
    print(child)
else:
    os.setsid()
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    signal.pause()
"""


def first_time() -> bool:
    """Whether this is the first call in all processes, by a file that the test names."""
    try:
        Path(os.environ[MARKER]).touch(exist_ok=False)
    except FileExistsError:
        return False
    return True


class Last(Player):
    def play(self, game, turn):
        return game.legal[-1]


class Dies(Player):
    """Ends its process in the middle of each move, after it has offered one."""

    def play(self, game, turn):
        turn.offer(game.legal[-1])
        os.kill(os.getpid(), signal.SIGKILL)


class DiesOnce(Player):
    def play(self, game, turn):
        if first_time():
            os.kill(os.getpid(), signal.SIGKILL)
        return game.legal[-1]


class DiesBetween(Player):
    def play(self, game, turn):
        return game.legal[-1]

    def ponder(self, game, turn):
        if first_time():
            os.kill(os.getpid(), signal.SIGKILL)


class DiesAtStart(Player):
    def start(self, game, turn):
        os.kill(os.getpid(), signal.SIGKILL)

    def play(self, game, turn):
        return game.legal[-1]


class Hangs(Player):
    """Never looks at the clock."""

    def play(self, game, turn):
        turn.offer(game.legal[-1])
        while True:
            time.sleep(60)


class HangsStarting(Player):
    """Prepares for ever."""

    def start(self, game, turn):
        while True:
            time.sleep(60)

    def play(self, game, turn):
        return game.legal[-1]


class HangsTelling(Player):
    """Comes back with a move, and never from what is asked then."""

    def play(self, game, turn):
        return game.legal[-1]

    def report(self):
        while True:
            pass


class HangsPondering(Player):
    """Uses the time of the others, and does not notice that it is over."""

    def play(self, game, turn):
        return game.legal[-1]

    def ponder(self, game, turn):
        time.sleep(3600)


class HangsOnce(Player):
    def play(self, game, turn):
        while first_time():
            time.sleep(60)
        return game.legal[-1]


class Hoards(Player):
    """Takes memory without end."""

    def play(self, game, turn):
        turn.offer(game.legal[-1])
        hoard = []
        while not turn.over():
            hoard.append(bytearray(1 << 24))
        return game.legal[0]


class Waits(Player):
    """Uses its time to the end."""

    def start(self, game, turn):
        while not turn.over():
            time.sleep(0.001)

    def play(self, game, turn):
        self.start(game, turn)
        return game.legal[-1]


class Raises(Player):
    def start(self, game, turn):
        raise RuntimeError("at start")

    def play(self, game, turn):
        raise RuntimeError("in play")

    def ponder(self, game, turn):
        raise RuntimeError("between")


class Cheats(Player):
    def play(self, game, turn):
        turn.offer("(take 99)")
        return "(take 99)"


class Forgets(Player):
    """Looks at its moves and returns none of them."""

    def play(self, game, turn):
        game.legal[-1]


class Unmade(Player):
    """Looks for a file that is not there."""

    def __init__(self):
        raise FileNotFoundError("no model here")

    def play(self, game, turn):
        return game.legal[-1]


class Unlimited(Last):
    """Cannot be limited."""

    def limit(self, simulations):
        raise RuntimeError("no limit here")


class Prints(Player):
    def play(self, game, turn):
        print("this must not reach the server")
        os.write(1, b"nor this\n")
        return str(game.legal[-1])


class Floods(Player):
    """Writes raw, by itself and by a program, more than any limit; then its process is killed."""

    def play(self, game, turn):
        turn.offer(game.legal[-1])
        for _ in range(64):
            os.write(2, b"flood of the player " * 5000)
        flood = "import os; [os.write(fd, b'flood of a program ' * 5000) for fd in (1, 2) for _ in range(32)]"
        subprocess.run([sys.executable, "-c", flood], check=True)
        print("printed after the flood")
        os.write(2, b"the last words")
        if first_time():
            os.kill(os.getpid(), signal.SIGKILL)
        return game.legal[-1]


class Meddles(Player):
    """Changes objects that are the agent's, once."""

    def play(self, game, turn):
        legal = game.legal[-1]
        if first_time():
            game.machine.next = None
            structlog.get_config()["processors"].clear()
        return legal


class Exits(Player):
    """Ends its process with each word about itself, or would."""

    def play(self, game, turn):
        return game.legal[-1]

    def report(self):
        sys.exit(1)


class TellsNothing(Last):
    def report(self):
        return 7


class TellsNonsense(Last):
    """Figures that no JSON, no counter and no line of the log has a place for."""

    def report(self):
        told = {"event": "x", "engine": ["y"], "turn": 1, "move": 2, "level": 3, "match": 4, "self": self, "by": ") ("}
        told |= {"playouts": 10**400, "seconds": 5e-324, "value": float("nan"), "nodes": float("inf"), "moves": 5}
        told |= {"simulations": -1e308, 7: 8, "told": told, "solved": b"\xff"}
        told["itself"] = told
        return told


class NotOne:
    pass


class WithoutPlay(Player):
    pass


class Draws(Last):
    """Writes down a number of each of the generators that all code shares."""

    def start(self, game, turn):
        with Path(os.environ[MARKER]).open("a") as file:
            print(random.random(), np.random.random(), file=file)


class Breeds(Player):
    """Starts processes that end with nothing: in its own group, in others, and by one that ends at once."""

    def start(self, game, turn):
        sleep = [sys.executable, "-c", "import signal; signal.pause()"]
        born = [subprocess.Popen(sleep).pid, subprocess.Popen(sleep, start_new_session=True).pid]
        born += [int(subprocess.check_output([sys.executable, "-c", ORPHAN]))]
        child = os.fork()
        while not child:
            signal.pause()
        Path(os.environ[MARKER]).write_text(" ".join(map(str, [*born, child])))

    def play(self, game, turn):
        return game.legal[-1]
