"""Random features from a seeded generator: chains of literals that share variables, with some solutions counted."""

from __future__ import annotations

from random import Random

SIGNATURES = {
    "owns": ("player", "square"),
    "blank": ("square",),
    "neighbor": ("square", "direction", "square"),
    "span": ("square", "square", "direction", "player"),
    "mark": ("square", "player"),
    "frontier": ("square", "player"),
    "flips": ("player", "square", "square", "direction"),
    "semistable": ("square", "player", "direction"),
    "corner": ("square",),
    "edge": ("square",),
    "opponent": ("player", "player"),
}
"""The kinds of the arguments of the theory's relations."""

WEIGHTS = {"owns": 4, "neighbor": 4, "span": 4, "blank": 2, "mark": 2, "frontier": 2, "flips": 1}
WEIGHTS |= {"corner": 1, "edge": 1}
LENGTHS = (2, 3, 3, 4, 4, 4, 4, 5, 5, 6)  # the mean is 4; rejected ones are more often long
PLAYERS = ("x", "o")

Feature = tuple[str, tuple[str, ...]]


def draw(random: Random) -> Feature:
    """Draw a conjunction of 2 to 6 literals, at least two of them joined, and the counted variables."""
    length = random.choice(LENGTHS)
    while True:
        literals, kinds, joins = _conjunction(random, length)
        if joins >= 1 and kinds and len(set(literals)) == length:
            break
    names = list(kinds)
    counted = random.sample(names, random.randint(1, min(3, len(names))))
    return " ".join(literals), tuple(sorted(counted))


def _conjunction(random: Random, length: int) -> tuple[list[str], dict[str, str], int]:
    kinds: dict[str, str] = {}  # of the variables so far
    literals, joins = [], 0
    for place in range(length):
        name = random.choices([*WEIGHTS], [*WEIGHTS.values()])[0]
        known = set(kinds)
        arguments: list[str] = []
        for kind in SIGNATURES[name]:
            arguments.append(_argument(random, kind, kinds, set(arguments) if place else set(kinds)))
        joins += bool(known & set(arguments))
        literals.append(f"({name} {' '.join(arguments)})")
    return literals, kinds, joins


def _argument(random: Random, kind: str, kinds: dict[str, str], taken: set[str]) -> str:
    """Return mostly a constant player or a variable of another literal, else a new variable."""
    if kind == "player" and random.random() < 0.8:
        return random.choice(PLAYERS)
    fitting = [name for name, known in kinds.items() if known == kind and name not in taken]
    if fitting and random.random() < 0.75:
        return random.choice(fitting)
    name = f"?{'abcdefghijklmnopqrstuvwxyz'[len(kinds)]}"
    kinds[name] = kind
    return name
