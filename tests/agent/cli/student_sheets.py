"""Small faulty rulesheets in the ways that students write, and what `ggp-agent check` must say of each."""

from __future__ import annotations

from typing import NamedTuple


class Sheet(NamedTuple):
    """A rulesheet with its expected diagnostics (kind, code, line, part of the fix) and some rules it is read as."""

    name: str
    text: str
    told: tuple[tuple[str, str, int, str], ...]
    read: tuple[str, ...] = ()
    unread: tuple[str, ...] = ()  # rules that must not be there


KIF = (
    Sheet(
        "commas between arguments",
        """
(role painter)
(init (tile 1, white)) (init (tile 2, white))
(<= (legal painter (paint ?n)) (true (tile ?n, white)))
(<= (next (tile ?n, black)) (does painter (paint ?n)))
(<= terminal (true (tile 2, black))) (goal painter 100)
""",
        (("error", "comma-in-name", 3, "spaces"),),
    ),
    Sheet(
        "a rule as a list of lists",
        """
(role pilot) (init ground)
((legal pilot start) (true ground))
(<= (next air) (does pilot start))
(<= terminal (true air)) (goal pilot 100)
""",
        (
            ("warning", "never-asked", 2, "Correct its name"),
            ("error", "no-name", 3, "(<= HEAD BODY…)"),
            ("warning", "never-does", 4, "Add a rule that makes it"),
            ("error", "missing-legal", 0, "legal"),
        ),
    ),
    Sheet(
        "nobody can move when the other one is to",
        """
(role north) (role south) (init (turn north)) (init (rope 2)) (pull 2 1) (pull 1 0)
(<= (legal ?who heave) (true (turn ?who)))
(<= (next (rope ?m)) (true (rope ?n)) (pull ?n ?m))
(<= (next (turn south)) (true (turn north))) (<= (next (turn north)) (true (turn south)))
(<= terminal (true (rope 0))) (<= (goal ?who 50) (role ?who))
""",
        (("warning", "no-legal-move", 3, "(<= (legal south noop) (true (turn north)))"),),
    ),
    Sheet(
        "a rule for next without does, and no frame rule",
        """
(role ann) (role bob) (init (control ann)) (init (tower ann 0)) (init (tower bob 0)) (up 0 1) (up 1 2) (brick red)
(<= (legal ?r (build ?b)) (true (control ?r)) (brick ?b)) (<= (legal ?r noop) (role ?r) (not (true (control ?r))))
(<= (next (tower ?r ?m)) (true (control ?r)) (true (tower ?r ?n)) (up ?n ?m))
(<= (next (control bob)) (true (control ann))) (<= (next (control ann)) (true (control bob)))
(<= terminal (true (tower ?r 2))) (<= terminal (not (true (tower bob 0)))) (<= (goal ?r 50) (role ?r))
""",
        (
            ("warning", "unread-move", 3, "(does ROLE (build …))"),
            ("warning", "lost-facts", 4, "(<= (next (tower …)) (true (tower …)) …)"),
        ),
    ),
)

INFIX = (
    Sheet(
        "Prolog over several lines, with commas in its comments",
        """
role(thief).
init(room(hall)).
door(hall, vault).
legal(thief, sneak(To)) :-
    true(room(From)),     % where, now
    door(From, To),       % and whereto, of course.
    /* never, ever, back */ ~seen(To).
seen(To) :- true(been(To)).
next(room(To)) :- does(thief, sneak(To)).
terminal :- true(room(vault)).
goal(thief, 100).
""",
        (
            ("warning", "comma-in-body", 6, "`&`"),
            ("warning", "comma-in-body", 7, "`&`"),
            ("warning", "foreign-comment", 8, "`%`"),
            ("warning", "never-true", 9, "Add a rule that makes it"),
        ),
        ("(<= (legal thief (sneak ?To)) (true (room ?From)) (door ?From ?To) (not (seen ?To)))",),
        ("(door ?From ?To)",),
    ),
    Sheet(
        "Prolog's signs for or",
        """
role(cat). init(mood(bored)).
legal(cat, purr) :- true(mood(bored)) ; true(mood(happy)).
next(mood(happy)) :- does(cat, purr).
terminal :- true(mood(happy)). goal(cat, 100).
""",
        (("error", "syntax", 3, "Write `|` for or"),),
    ),
    Sheet(
        "Prolog's sign for not",
        """
role(dog). init(bone(buried)).
legal(dog, dig) :- \\+ true(bone(found)).
next(bone(found)) :- does(dog, dig).
terminal :- true(bone(found)). goal(dog, 100).
""",
        (("error", "syntax", 3, "Write `~` for not"),),
    ),
    Sheet(
        "names with capital letters",
        """
role(Anna)
init(card(1))
legal(Anna,play) :- true(card(1))
next(card(2)) :- does(Anna,play)
terminal :- true(card(2))
goal(Anna,100) :- true(card(2))
""",
        (
            ("error", "variable-in-fact", 2, "anna"),
            ("error", "unsafe-variable", 4, "role(Anna)"),
            ("error", "unsafe-variable", 7, "role(Anna)"),
        ),
    ),
    Sheet(
        "a rule for next that asks legal",
        """
role(fox)
init(at(1))
legal(fox,go(Y)) :- true(at(X)) & way(X,Y)
next(at(Y)) :- legal(fox,go(Y))
way(1,2)
way(1,3)
terminal :- true(at(3))
terminal :- true(at(2))
goal(fox,100)
""",
        (("warning", "unread-move", 4, "does(ROLE,go(…))"),),
    ),
    Sheet(
        "an arrow of KIF",
        """
role(goat)
init(hill(low))
legal(goat,climb) <= true(hill(low))
next(hill(high)) <= does(goat,climb)
terminal <= true(hill(high))
goal(goat,100)
""",
        (("error", "syntax", 4, "HEAD :- LITERAL"),),
    ),
    Sheet(
        "a relation asked as a fact of the state, and a dot for a sign",
        """
role(lamb). init(wool(thin)).
cold :- true(wool(thin)).
legal(lamb, shiver) :- true(cold).
legal(lamb, eat) :- true(wool(thin)). cold.
next(wool(thick)) :- does(lamb, eat).
terminal :- true(wool(thick)). goal(lamb, 100).
""",
        (
            ("warning", "unused-relation", 3, "Remove the `true`"),
            ("warning", "never-true", 4, "drop `true`"),
            ("warning", "missing-and", 5, "`&`"),
        ),
    ),
)
