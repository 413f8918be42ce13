"""Fuzz test: `python -m bench.fuzz` sends an agent malformed messages and rulesheets.

Messages come from a grammar of the protocol and from real ones with bytes changed; rulesheets are real ones with words
and subtrees swapped, dropped and doubled. Each must be answered within its limit, the log may contain no traceback, and
the agent must play a match correctly afterwards.
"""

from __future__ import annotations

import asyncio
import random
import time
from dataclasses import dataclass, field
from pathlib import Path

import click

from agent.gamemaster.games import BUNDLED, find_game
from agent.protocol.elements import tokens
from bench.soak import LOG, AgentProcess, Bout, Rows, Tally, quantile, soak_command

ANSWER = 5.0
"""Time limit in seconds for an answer to a message without a clock."""
CLOCK = 1.0
"""Seconds of every clock in a message, so that a START takes no longer."""
TOGETHER = 8
"""Concurrent messages."""

_WORDS = (
    *("nil", "NIL", "noop", "()", "(mark 1 1)", "a", "?x", "not", "<=", "0", "-1", "1e9"),
    *("é", '"', "\\", "'", "%00"),
)
_KEYWORDS = ("START", "play", "Stop", "ABORT", "info", "PREVIEW", "ping", "HELLO", "<script>", "")


@dataclass
class Figures:
    """How the messages were answered."""

    ready: int = 0  # mutated rulesheets that could be played
    unanswered: list[str] = field(default_factory=list)
    slow: list[str] = field(default_factory=list)
    seconds: list[float] = field(default_factory=list)


def message(rng: random.Random, rules: list[str]) -> bytes:
    """Return a message by the grammar, with deviations."""
    kind = rng.choice(_KEYWORDS)
    ident = rng.choice(("m", "fuzz", "x" * 300, "(a)", *_WORDS))
    parts = [kind, ident]
    if kind.lower() in ("start", "preview"):
        text = rng.choice(rules) if rng.random() < 0.5 else _nested(rng, 6)
        parts += [rng.choice(("first", "x", "white", "(r)")), f"({text})", f"{CLOCK:g}", f"{CLOCK:g}"]
    else:
        parts += [_nested(rng, 4) for _ in range(rng.randrange(3))]
    while rng.random() < 0.3:
        place = rng.randrange(len(parts))
        parts[place : place + rng.randrange(2)] = [_nested(rng, 3)]
    text = rng.choice(("({})", "( {} )", "{}", "{}()", "(({}))", "({}", "{})")).format(" ".join(parts))
    data = text.encode("utf-8", "surrogatepass")
    return changed(rng, data) if rng.random() < 0.5 else data


def changed(rng: random.Random, data: bytes) -> bytes:
    """Return the data with some bytes changed, dropped, doubled or moved."""
    out = bytearray(data)
    for _ in range(rng.randrange(1, 6)):
        at = rng.randrange(len(out) + 1)
        match rng.randrange(5):
            case 0:
                out[at : at + 1] = rng.randbytes(1)
            case 1:
                del out[at : at + rng.randrange(1, 20)]
            case 2:
                out[at:at] = out[at : at + rng.randrange(1, 40)]
            case 3:
                out[at:at] = rng.choice((b"(", b")", b" ", b"\x00", b"\xff", b"\n", b";"))
            case _:
                out[at:at] = b"(" * rng.randrange(1, 300)
    return bytes(out)


def mutated(rng: random.Random, text: str) -> str:
    """Return a rulesheet with a few words or subtrees swapped, dropped or doubled."""
    words = tokens(text)
    for _ in range(rng.randrange(1, 4)):
        (a, b), (c, d) = _subtree(rng, words), _subtree(rng, words)
        match rng.randrange(4):
            case 0:
                del words[a:b]
            case 1:
                words[c:c] = words[a:b]
            case 2:
                words[a:b] = words[c:d]
            case _:
                plain = [n for n, word in enumerate(words) if word not in "()"] or [0]
                words[rng.choice(plain)] = words[rng.choice(plain)] if rng.random() < 0.9 else rng.choice(words)
        if not words:
            break
    return " ".join(words)


def _subtree(rng: random.Random, words: list[str]) -> tuple[int, int]:
    """Return the start and end of a random word or list."""
    if not words:
        return 0, 0
    start = end = rng.choice([n for n, word in enumerate(words) if word != ")"] or [0])
    depth = 0
    while end < len(words):
        depth += {"(": 1, ")": -1}.get(words[end], 0)
        end += 1
        if depth <= 0:
            break
    return start, end


def _nested(rng: random.Random, depth: int) -> str:
    if depth == 0 or rng.random() < 0.4:
        return rng.choice(_WORDS)
    return f"({' '.join(_nested(rng, depth - 1) for _ in range(rng.randrange(4)))})"


async def fire(agent: AgentProcess, body: bytes, limit: float, figures: Figures) -> str:
    """Send one message, and record how it was answered."""
    began = time.monotonic()
    try:
        answer = await agent.ask(body, limit + 30.0)
    except (OSError, TimeoutError):
        answer = ""
    seconds = time.monotonic() - began
    figures.seconds.append(seconds)
    if not answer:
        figures.unanswered.append(repr(body[:200]))
    if seconds > limit:
        figures.slow.append(f"{seconds:.2f} s: {body[:200]!r}")
    return answer


async def messages(agent: AgentProcess, count: int, rng: random.Random, figures: Figures) -> None:
    """Send so many fuzzed messages, some concurrently."""
    rules = [find_game(game).text for game in ("ticTacToe", "nim", "lightsOut")]

    async def some(share: int) -> None:
        for _ in range(share):
            await fire(agent, message(rng, rules), ANSWER, figures)

    await asyncio.gather(*(some(count // TOGETHER + (n < count % TOGETHER)) for n in range(TOGETHER)))


async def sheets(agent: AgentProcess, count: int, rng: random.Random, folder: Path, figures: Figures) -> None:
    """Send so many mutated rulesheets, each in a match that is aborted."""
    texts = [path.read_text(errors="replace") for path in sorted(folder.rglob("*.kif"))]
    roles = [_a_role(text) for text in texts]
    for number in range(count):
        which = rng.randrange(len(texts))
        text = mutated(rng, texts[which])
        start = f"(START s{number} {roles[which]} ({text}) {CLOCK:g} {CLOCK:g})".encode()
        answer = await fire(agent, start, CLOCK + 0.5, figures)
        figures.ready += answer == "ready"
        if answer == "ready":
            await fire(agent, f"(PLAY s{number} NIL)".encode(), CLOCK + 0.5, figures)
            await fire(agent, f"(ABORT s{number})".encode(), ANSWER, figures)


def _a_role(text: str) -> str:
    words = tokens(text)
    return next((words[n + 1] for n, word in enumerate(words[:-1]) if word.lower() == "role"), "x")


async def correct(agent: AgentProcess) -> bool:
    """Return whether the agent plays a match correctly."""
    await agent.until("available")
    bout, tally = Bout(agent, "afterwards", find_game("ticTacToe"), (2.0, 1.0), "1"), Tally()
    await bout.begin(tally)
    await bout.turns(tally)
    return await bout.finish() == "done" and not tally.illegal


async def run(folder: Path, *, count: int, rulesheets: int, games: Path, seed: int, player: str, engine: str) -> Rows:
    """Send an agent malformed messages and rulesheets."""
    figures, rng = Figures(), random.Random(seed)
    settings: dict[str, object] = {"server_takeover": 0.2, "clock_silence": 1.0, "server_starts_per_minute": 100_000}
    settings |= {"worker_engine": engine, "journal_folder": folder / "journal"}
    with AgentProcess(folder / LOG, player, **settings) as agent:
        await messages(agent, count, rng, figures)
        await agent.until("available")
        await sheets(agent, rulesheets, rng, games, figures)
        well = await correct(agent)
        tracebacks = agent.tracebacks()
    found = {"unanswered": figures.unanswered, "slow": figures.slow, "tracebacks": tracebacks, "incorrect": not well}
    return {
        "messages": count,
        "sheets": rulesheets,
        "ready": figures.ready,
        **found,
        "slowest_s": round(max(figures.seconds, default=0.0), 3),
        "p99_s": round(quantile(figures.seconds, 0.99), 3),
        "faults": [name for name, what in found.items() if what],
    }


main = soak_command(
    run,
    click.Option(["--count"], type=int, default=10_000, show_default=True, help="Messages."),
    click.Option(["--sheets", "rulesheets"], type=int, default=2_000, show_default=True, help="Mutated rulesheets."),
    click.Option(["--games"], type=click.Path(path_type=Path, exists=True), default=BUNDLED, help="Their folder."),
)

if __name__ == "__main__":
    main()
