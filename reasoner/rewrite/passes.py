"""The rewritings in the order of application, each with its reason."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from reasoner.rewrite.asked_columns import asked_columns
from reasoner.rewrite.decompose_join import decompose_join
from reasoner.rewrite.determined_columns import determine_columns
from reasoner.rewrite.drop_unused import drop_unused
from reasoner.rewrite.free_columns import free_columns
from reasoner.rewrite.keys import Rewritten
from reasoner.rewrite.split_bodies import split_bodies
from reasoner.rewrite.unfold_views import unfold_copies, unfold_large
from reasoner.rules.program import Program


@dataclass(frozen=True, slots=True)
class Pass:
    """A rewriting that preserves the rows of every relation that the state machine evaluates."""

    name: str
    reason: str
    apply: Callable[[Program], Program | Rewritten]
    explain: Callable[[Program], tuple[str, ...]] = lambda _: ()
    """Describe each change that the rewriting makes to a program, one line each."""


PASSES: tuple[Pass, ...] = (
    Pass("drop_unused", "no answer of the state machine depends on these rules", drop_unused),
    Pass("free_columns", "a view needs no rows for the values of a column that a rule does not restrict", free_columns),
    Pass("determine_columns", "a view needs no column whose value every reader determines", determine_columns),
    Pass("unfold_large", "a large view costs less if its body is joined in the rules that read it", unfold_large),
    Pass("decompose_join", "large views need no rows if keys can split the joins that read them", decompose_join),
    Pass(
        "split_bodies", "joining and projecting one local variable at a time grounds to fewer instances", split_bodies
    ),
    Pass("unfold_copies", "a view that only copies rows needs no atoms", unfold_copies),
    Pass("asked_columns", "rows of a large view that no rule can look up need no atoms", asked_columns),
)


def rewrite(program: Program, passes: Iterable[Pass] = PASSES) -> Rewritten:
    """Return `program` after all `passes`."""
    made = Rewritten(program)
    for each in passes:
        made = made.then(each.apply)
    return made
