"""Parts of the invariants of circuits; checked mode (`reasoner.kernels.checked`) tests them after every stage."""

from __future__ import annotations

from typing import Any

import numpy as np

from reasoner.arrays import Literals
from reasoner.kernels.checked import CHECKED

__all__ = ["CHECKED", "require", "require_apart", "require_literals", "require_order"]


def require(holds: object, what: str) -> None:
    """Raise AssertionError with the message `what` unless `holds` is true."""
    if not holds:
        raise AssertionError(f"invariant broken: {what}")


def require_literals(literals: Any, end: int, what: str) -> None:  # noqa: ANN401  # an array, or one literal
    """Raise AssertionError unless the node of every literal is less than `end`."""
    numbers = np.atleast_1d(literals)
    wrong = numbers[(numbers < 0) | (numbers >= 2 * end)]
    require(not len(wrong), f"{what}: literal {wrong[:1]} is not of the {end} nodes that it may read")


def require_order(left: Literals, right: Literals, first: int) -> None:
    """Raise AssertionError unless every gate, from node `first` on, reads nodes before it."""
    require(len(left) == len(right), f"{len(left)} left operands but {len(right)} right operands")
    nodes = np.arange(first, first + len(left))
    for operands in (left, right):
        late = np.flatnonzero((operands < 0) | (operands >> 1 >= nodes))
        require(not len(late), f"gates {late[:3] + first} read later literals {operands[late[:3]]}")


def require_apart(literals: Literals, hidden: range, what: str) -> None:
    """Raise AssertionError if the node of a literal is in `hidden`."""
    nodes = literals >> 1
    wrong = nodes[(nodes >= hidden.start) & (nodes < hidden.stop)]
    require(not len(wrong), f"{what} read node {wrong[:1]}, one of {hidden} that they must not read")
