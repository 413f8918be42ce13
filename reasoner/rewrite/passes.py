"""The rewritings in the order of application, each with its reason."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import lru_cache

from reasoner.rewrite.asked_columns import asked_columns
from reasoner.rewrite.determined_columns import determine_columns
from reasoner.rewrite.drop_unused import drop_unused
from reasoner.rewrite.free_columns import free_columns
from reasoner.rewrite.join_apart import join_apart
from reasoner.rewrite.keys import Keys, find_keys
from reasoner.rewrite.lone_facts import lone_facts
from reasoner.rewrite.split_bodies import split_bodies
from reasoner.rewrite.unfold_copies import unfold_copies
from reasoner.rewrite.unfold_large import unfold_large
from reasoner.rules.program import Program


@dataclass(frozen=True, slots=True)
class Pass:
    """A rewriting that preserves the model of every relation that the state machine evaluates."""

    name: str
    reason: str
    apply: Callable[[Program], Program]
    explain: Callable[[Program], tuple[str, ...]] = lambda _: ()
    """Explain each change to a program, one line each."""


PASSES: tuple[Pass, ...] = (
    Pass("drop_unused", "no answer of the state machine depends on these rules", drop_unused),
    Pass("free_columns", "a column that a rule does not restrict needs no rows", free_columns),
    Pass("determine_columns", "a column whose value every reader determines needs no rows", determine_columns),
    Pass("unfold_large", "a large view is cheaper joined where it is read", unfold_large),
    Pass("join_apart", "large views that keys separate need no rows", join_apart),
    Pass(
        "split_bodies", "joining and projecting one local variable at a time grounds to fewer instances", split_bodies
    ),
    Pass("unfold_copies", "rows that views only copy need no atoms of their own", unfold_copies),
    Pass("asked_columns", "rows that no reader of a large view can ask for need no atoms", asked_columns),
)


@lru_cache(maxsize=1 + len(PASSES))
def rewrite(program: Program, passes: tuple[Pass, ...] = PASSES) -> Program:
    """Return `program` after all `passes`; cached, including the results of the first passes."""
    return passes[-1].apply(rewrite(program, passes[:-1])) if passes else program


def relied_on(program: Program) -> Keys:
    """Return the keys that `rewrite` splits by, and the lone facts by which it removes columns.

    The rewritten program is equivalent only in states that obey them.
    """
    names = [one.name for one in PASSES]
    determine = names.index("determine_columns")
    before, after = rewrite(program, PASSES[:determine]), rewrite(program, PASSES[: determine + 1])
    keys = find_keys(rewrite(program, PASSES[: names.index("split_bodies")]))
    return keys if after is before else replace(keys, lone=lone_facts(before))
