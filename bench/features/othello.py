"""Othello as a rulesheet, and a domain theory in the style of Fawcett's as Kaneko and others use it.

Squares are s11 … s88, file first. The rulesheet defines `adjacent` squares and, in the state, the owner of a `cell`.
The theory defines `owns`, `neighbor` and `span` (a run of one player's pieces), and the other relations of features.
"""

from __future__ import annotations

DIRECTIONS = {
    "n": (0, 1),
    "ne": (1, 1),
    "e": (1, 0),
    "se": (1, -1),
    "s": (0, -1),
    "sw": (-1, -1),
    "w": (-1, 0),
    "nw": (-1, 1),
}

RULES = """
(role x) (role o) (opponent x o) (opponent o x)
(init (cell s44 o)) (init (cell s55 o)) (init (cell s45 x)) (init (cell s54 x)) (init (control x))
(<= (run ?a ?a ?d ?p) (true (cell ?a ?p)) (direction ?d))
(<= (run ?a ?c ?d ?p) (run ?a ?b ?d ?p) (adjacent ?b ?d ?c) (true (cell ?c ?p)))
(<= (held ?s) (true (cell ?s ?p)))
(<= (free ?s) (square ?s) (not (held ?s)))
(<= (captures ?p ?s ?a ?b ?d) (free ?s) (adjacent ?s ?d ?a) (run ?a ?b ?d ?q) (opponent ?p ?q)
    (adjacent ?b ?d ?e) (true (cell ?e ?p)))
(<= (can_mark ?p ?s) (captures ?p ?s ?a ?b ?d))
(<= (can_move ?p) (can_mark ?p ?s))
(<= (legal ?p (mark ?s)) (true (control ?p)) (can_mark ?p ?s))
(<= (legal ?p pass) (true (control ?p)) (not (can_move ?p)))
(<= (legal ?q noop) (true (control ?p)) (opponent ?p ?q))
(<= (turned ?c) (does ?p (mark ?s)) (captures ?p ?s ?a ?b ?d) (run ?a ?c ?d ?q) (run ?c ?b ?d ?q))
(<= (next (cell ?s ?p)) (does ?p (mark ?s)))
(<= (next (cell ?c ?p)) (does ?p (mark ?s)) (turned ?c))
(<= (next (cell ?c ?p)) (true (cell ?c ?p)) (not (turned ?c)))
(<= (next (control ?q)) (true (control ?p)) (opponent ?p ?q))
(<= terminal (not (can_move x)) (not (can_move o)))
(<= (goal ?p 50) (role ?p))
"""

THEORY = """
(<= (owns ?p ?s) (true (cell ?s ?p)))
(<= (neighbor ?a ?d ?b) (adjacent ?a ?d ?b))
(<= (blank ?s) (free ?s))
(<= (span ?a ?b ?d ?p) (run ?a ?b ?d ?p))
(<= (mark ?s ?p) (can_mark ?p ?s))
(<= (frontier ?s ?p) (owns ?p ?s) (neighbor ?s ?d ?t) (blank ?t))
(<= (flips ?p ?s ?c ?d) (captures ?p ?s ?a ?b ?d) (span ?a ?c ?d ?q) (span ?c ?b ?d ?q))
(<= (semistable ?s ?p ?d) (owns ?p ?s) (direction ?d) (not (inside ?s ?d)))
(<= (semistable ?s ?p ?d) (semistable ?t ?p ?d) (neighbor ?s ?d ?t) (owns ?p ?s))
(<= (inside ?s ?d) (neighbor ?s ?d ?t))
"""


def rulesheet() -> str:
    """Return the rules with their 64 squares and 420 pairs of adjacent ones."""
    facts = [f"(direction {d})" for d in DIRECTIONS]
    for file in range(1, 9):
        for rank in range(1, 9):
            facts.append(f"(square s{file}{rank})")
            facts += [f"(corner s{file}{rank})"] * (file in (1, 8) and rank in (1, 8))
            facts += [f"(edge s{file}{rank})"] * (file in (1, 8) or rank in (1, 8))
            for d, (right, up) in DIRECTIONS.items():
                if 1 <= file + right <= 8 and 1 <= rank + up <= 8:
                    facts.append(f"(adjacent s{file}{rank} {d} s{file + right}{rank + up})")
    return RULES + "\n".join(facts)
