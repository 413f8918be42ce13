"""A position as plain values for people to look at: the facts, and at the end what it is worth."""

from __future__ import annotations

from typing import Any

from reasoner.machine import Machine, State

MAX_FACTS = 5_000
"""Facts of a state that are told; nobody reads more."""


def view_of(machine: Machine, state: State) -> dict[str, Any]:
    """``facts`` as sorted text, ``terminal``, and ``goals`` per role in a terminal state, else None.

    Raises ReasonerError past a limit of the machine.
    """
    facts = sorted(map(str, machine.facts(state)))
    terminal = machine.terminal(state)
    goals = list(machine.goal(state)) if terminal else None
    return {"facts": facts[:MAX_FACTS], "terminal": terminal, "goals": goals}
