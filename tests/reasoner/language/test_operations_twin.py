"""Random operations, as plain GDL and as the newer language defines them, lead to the same states."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from reasoner.relational.machine import RelationalMachine
from reasoner.rules.read import read_program

FACTS = ("p", "q", "r")
CALLS = {"go": ("first", "second"), "first": ("second",), "second": ()}
"""Each action and those that its operations may call."""

Literals = dict[str, bool]
Operation = tuple[str, Literals, Literals, list[str]]
"""An action, the facts that it asks, the facts that it adds (True) or deletes, and the actions that it calls."""

LITERALS = st.dictionaries(st.sampled_from(FACTS), st.booleans(), max_size=2)


@st.composite
def operations(draw: st.DrawFn) -> list[Operation]:
    found = []
    for _ in range(draw(st.integers(1, 6))):
        action = draw(st.sampled_from(sorted(CALLS)))
        calls = draw(st.lists(st.sampled_from(CALLS[action]), max_size=1)) if CALLS[action] else []
        effects = draw(LITERALS)
        if effects or calls:
            found.append((action, draw(LITERALS), effects, calls))
    return found


def written(literals: Literals) -> list[str]:
    return [name if positive else f"~{name}" for name, positive in literals.items()]


def rulesheet(found: list[Operation], start: set[str]) -> str:
    lines = [f"role(a) legal(go) goal(a,1) :- role(a) terminal :- over {' '.join(f'init({f})' for f in sorted(start))}"]
    lines += [f"base({fact})" for fact in FACTS]
    lines += ["go :: never ==> first", "first :: never ==> second", "second :: never ==> over"]  # all are operations
    for action, condition, effects, calls in found:
        effect = " & ".join([*written(effects), *calls])
        asked = " & ".join(written(condition))
        lines.append(f"{action} :: {asked} ==> {effect}" if asked else f"{action} :: {effect}")
    return "\n".join(lines)


def following(found: list[Operation], state: set[str]) -> set[str]:
    """The state after `go`: less what is deleted, and what is added; all conditions are asked of the state before."""
    added: set[str] = set()
    deleted: set[str] = set()
    waiting, done = ["go"], set()
    while waiting:
        action = waiting.pop()
        done.add(action)
        for other, condition, effects, calls in found:
            if other == action and all((fact in state) == positive for fact, positive in condition.items()):
                added |= {fact for fact, positive in effects.items() if positive}
                deleted |= {fact for fact, positive in effects.items() if not positive}
                waiting += [call for call in calls if call not in done]
    return (state - deleted) | added


@settings(max_examples=60, deadline=None)
@given(operations(), st.sets(st.sampled_from(FACTS)))
def test_plain_gdl_plays_operations_as_they_are_defined(found: list[Operation], state: set[str]):
    machine = RelationalMachine(read_program(rulesheet(found, state))[0])
    here = machine.initial()
    for _ in range(3):
        assert set(map(str, machine.facts(here))) == state
        here, state = machine.next(here, ["go"]), following(found, state)
