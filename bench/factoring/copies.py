"""Rulesheet of Multiple Buttons and Lights in any number of copies that must all be solved, in KIF.

Buttons and Lights is the example of the chapter on factoring in Genesereth and Thielscher's *General Game Playing*: of
three lights, all off, button a switches p, b swaps p and q, c swaps q and r. A copy takes at least six steps, and one
button of one copy is pressed in a step.
"""

from __future__ import annotations

SOLUTION = 6
"""Steps that one copy needs."""

SPARE = 2
"""Steps that the clock allows beyond the fewest for all copies."""

HEAD = """\
; {count} groups of buttons and lights: with all lights of all groups on the game is won, in {fewest} steps at best;
; after {steps} it is too late. Button a switches light p of its group, b swaps p and q, c swaps q and r.

(role player)

{groups}

(light p)
(light q)
(light r)

(button a)
(button b)
(button c)

; (moves button from to): what shows in one light before is in the other after; button a switches p besides.

(moves a q q)
(moves a r r)
(moves b p q)
(moves b q p)
(moves b r r)
(moves c p p)
(moves c q r)
(moves c r q)

{ticks}
"""

RULES = """
(<= (base (lit ?group ?light))
    (group ?group)
    (light ?light))
(base (step 0))
(<= (base (step ?n))
    (tick ?before ?n))

(<= (input player (press ?group ?button))
    (group ?group)
    (button ?button))

(<= (legal player (press ?group ?button))
    (group ?group)
    (button ?button))

(init (step 0))

(<= (next (lit ?group ?to))
    (does player (press ?group ?button))
    (moves ?button ?from ?to)
    (true (lit ?group ?from)))
(<= (next (lit ?group p))
    (does player (press ?group a))
    (not (true (lit ?group p))))
(<= (next (lit ?group ?light))
    (does player (press ?other ?button))
    (distinct ?group ?other)
    (true (lit ?group ?light)))
(<= (next (step ?n))
    (true (step ?before))
    (tick ?before ?n))

(<= (dark ?group)
    (group ?group)
    (light ?light)
    (not (true (lit ?group ?light))))
(<= left
    (dark ?group))

(<= terminal
    (not left))
"""

END = """\
(<= terminal
    (true (step {steps})))

(<= (goal player 100)
    (not left))
(<= (goal player 0)
    left)
"""


def copies(count: int, spare: int = SPARE) -> str:
    """Return the rules of `count` copies, at least one, with `spare` steps more than all of them need."""
    if count < 1:
        raise ValueError("there must be at least one copy")
    fewest = SOLUTION * count
    steps = fewest + spare
    groups = "\n".join(f"(group {group})" for group in range(1, count + 1))
    ticks = "\n".join(f"(tick {step} {step + 1})" for step in range(steps))
    head = HEAD.format(count=_counted(count), fewest=fewest, steps=steps, groups=groups, ticks=ticks)
    return head + RULES + END.format(steps=steps)


def _counted(count: int) -> str:
    words = ("One", "Two", "Three", "Four", "Five", "Six", "Seven", "Eight", "Nine", "Ten")
    return words[count - 1] if count <= len(words) else str(count)
