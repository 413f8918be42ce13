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
        "a rule put away between Lisp's signs, with another inside",
        """
(role solver) (init (lamp off))
#| the first try:
(<= (legal solver smash) (true (lamp off))) #| and this one: (legal solver sleep) |#
|#
(<= (legal solver press) (true (lamp off)))
(<= (next (lamp on)) (does solver press))
(<= terminal (true (lamp on))) (goal solver 100)
""",
        (("warning", "foreign-comment", 3, "`;`"),),
        ("(<= (legal solver press) (true (lamp off)))",),
        ("(legal solver sleep)", "(<= (legal solver smash) (true (lamp off)))"),
    ),
    Sheet(
        "rules put away behind Python's signs",
        """
# Doors, by group 7
(role guard)
(init (door shut))
(<= (legal guard open) (true (door shut)))
# (<= (legal guard wait) (true (door shut)))
(<= (next (door ajar)) (does guard open))
(<= terminal (true (door ajar)))
(goal guard 80)
""",
        (("warning", "foreign-comment", 2, "`;`"), ("warning", "foreign-comment", 6, "`;`")),
        ("(<= (legal guard open) (true (door shut)))",),
        ("(<= (legal guard wait) (true (door shut)))",),
    ),
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
        "conditions joined by the sign of another language",
        """
(role miner) (init (depth 0)) (init lit) (below 0 1)
(<= (legal miner dig) (true (depth 0)) && (true lit))
(<= (next (depth ?e)) (does miner dig) (true (depth ?d)) (below ?d ?e))
(<= terminal (true (depth 1))) (goal miner 100)
""",
        (("error", "sign-alone", 3, "Remove it"),),
    ),
    Sheet(
        "a fact of the state asked without `true`",
        """
(role frog) (init (pad 1)) (after 1 2) (after 2 3)
(<= (legal frog hop) (true (pad ?p)) (distinct ?p 3))
(<= (next (pad ?q)) (does frog hop) (pad ?p) (after ?p ?q))
(<= terminal (true (pad 3))) (<= (goal frog 100) (true (pad 3))) (<= (goal frog 0) (not (true (pad 3))))
""",
        (("warning", "undefined-relation", 4, "(true (pad …))"), ("warning", "no-legal-move", 3, "terminal")),
    ),
    Sheet(
        "`next` forgotten in a head",
        """
(role cook) (init (pan cold))
(<= (legal cook heat) (true (pan cold)))
(<= (pan hot) (does cook heat))
(<= terminal (true (pan hot))) (goal cook 100)
""",
        (("warning", "unused-relation", 4, "write (next (pan …))"), ("warning", "no-legal-move", 3, "terminal")),
    ),
    Sheet(
        "adding in a term",
        """
(role teller) (init (coins 0))
(<= (legal teller count) (true (coins ?c)))
(<= (next (coins (+ ?c 1))) (does teller count) (true (coins ?c)))
(<= terminal (true (coins 2))) (goal teller 100)
""",
        (("warning", "arithmetic-term", 4, "table of facts"),),
    ),
    Sheet(
        "the body written as a third argument",
        """
(role nurse) (init awake)
(legal nurse (sing) (true awake))
(<= (next asleep) (does nurse (sing)))
(<= terminal (true asleep)) (goal nurse 100)
""",
        (
            ("error", "keyword-arity", 3, "parentheses"),
            ("error", "keyword-in-term", 3, "parentheses"),
            ("warning", "never-does", 4, "Add a rule that makes it"),
        ),
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
            ("error", "no-name", 3, "(<= HEAD BODY…)"),
            ("warning", "never-does", 4, "Add a rule that makes it"),
            ("error", "missing-legal", 0, "legal"),
        ),
    ),
    Sheet(
        "an arrow that points forward",
        """
(role judge) (init hearing)
(<= (legal judge speak) (true hearing))
(<= (next closed) (does judge speak))
(=> (true closed) terminal)
(goal judge 50)
""",
        (("error", "foreign-arrow", 5, "(<= HEAD BODY…)"),),
    ),
    Sheet(
        "`or` between two conditions",
        """
(role diver) (init (air 2))
(<= (legal diver breathe) (true (air 2)) or (true (air 1)))
(<= (next (air 1)) (true (air 2))) (<= (next (air 0)) (true (air 1)))
(<= terminal (true (air 0))) (goal diver 100)
""",
        (("error", "connective-as-name", 3, "(or LITERAL LITERAL)"),),
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
        "a capital for the sign of a variable, and a name mistyped at the start",
        """
(role sheep) (role shepherd) (init (place barn)) (init (near filed barn)) (path barn field)
(<= (legal sheep (go ?b)) (true (place ?a)) (path ?a ?b)) (legal shepherd noop)
(<= (next (place ?b)) (does sheep (go ?b)))
(<= (next (near field ?p)) (true (near field ?p)) (not (true (near field P))))
(<= terminal (true (place field))) (goal sheep 100) (goal shepherd 100)
""",
        (("warning", "rare-name", 2, "`field`"), ("warning", "constant-like-variable", 5, "?p")),
    ),
    Sheet(
        "a character that an editor put there",
        """
(role typist) (init (page 1))
(<= (legal typist type) (true (pa\u200bge 1)))
(<= (next (page 2)) (does typist type))
(<= terminal (true (page 2))) (goal typist 100)
""",
        (("error", "invisible-character", 3, "Remove"),),
    ),
    Sheet(
        "comparing as other languages do",
        """
(role monk) (init (bell 1)) (tick 1 2) (tick 2 3)
(<= (legal monk ring) (true (bell ?b)) (!= ?b 3))
(<= (legal monk rest) (true (bell ?b)) (not (equals 3 ?b)))
(<= (next (bell ?c)) (true (bell ?b)) (tick ?b ?c))
(<= terminal (true (bell 3))) (goal monk 100)
""",
        (
            ("warning", "undefined-relation", 3, "(distinct ?b 3)"),
            ("warning", "undefined-relation", 4, "Write 3 for ?b"),
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
        (("error", "syntax", 3, "Or is `|`"),),
    ),
    Sheet(
        "Prolog's sign for not",
        """
role(dog). init(bone(buried)).
legal(dog, dig) :- \\+ true(bone(found)).
next(bone(found)) :- does(dog, dig).
terminal :- true(bone(found)). goal(dog, 100).
""",
        (("error", "syntax", 3, "Not is `~`"),),
    ),
    Sheet(
        "words for signs",
        """
role(owl)
init(hour(1))
legal(owl,hoot) if true(hour(1)) and not asleep
asleep if true(hour(2)) or true(hour(3))
next(hour(2)) if does(owl,hoot)
terminal if asleep
goal(owl,100)
""",
        (
            *(("warning", "word-for-sign", 4, sign) for sign in ("`:-`", "`&`", "`~`")),
            *(("warning", "word-for-sign", 5, sign) for sign in ("`:-`", "`|`")),
            ("warning", "word-for-sign", 6, "`:-`"),
            ("warning", "word-for-sign", 7, "`:-`"),
        ),
        ("(<= (legal owl hoot) (true (hour 1)) (not asleep))", "(<= asleep (true (hour 3)))"),
    ),
    Sheet(
        "a sign lost at the end of a line",
        """
role(baker)
init(oven(cold)) init(dough)
warm :- true(oven(hot))
legal(baker,bake) :- true(dough) &
                     true(oven(cold))
                     warm
next(oven(hot)) :- does(baker,bake)
terminal :- true(oven(hot))
goal(baker,100)
""",
        (("warning", "unused-relation", 4, "Remove"), ("warning", "missing-and", 7, "`&`")),
    ),
    Sheet(
        "a sign lost before what is no statement",
        """
role(smith)
init(iron(cold))
legal(smith,forge) :- true(iron(cold))
  ~true(iron(hot))
next(iron(hot)) :- does(smith,forge)
terminal :- true(iron(hot))
goal(smith,100)
""",
        (("error", "literal-alone", 5, "`&`"),),
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
        "a small letter for a variable",
        """
role(clerk)
init(file(1)) init(file(2))
legal(clerk,read(n)) :- true(file(N))
next(done(N)) :- does(clerk,read(N))
terminal :- true(done(1))
goal(clerk,100)
""",
        (("warning", "constant-like-variable", 4, "N"), ("warning", "no-legal-move", 4, "noop")),
    ),
    Sheet(
        "arithmetic in a body",
        """
role(miller). init(sacks(0)).
legal(miller, grind).
next(sacks(M)) :- true(sacks(N)), M is N + 1.
terminal :- true(sacks(3)). goal(miller, 100).
""",
        (("error", "syntax", 4, "no arithmetic"),),
    ),
    Sheet(
        "commas between statements, and one that should join",
        """
role(fox), role(hen),
init(gate(open)),
legal(R,wait) :- role(R), true(gate(open)),
next(gate(shut)) :- true(gate(open)),
terminal :- true(gate(shut)),
goal(fox,0), goal(hen,100)
""",
        (("error", "unclear-comma", 4, "`&`"),),
    ),
    Sheet(
        "commas between statements alone, as Stanford writes",
        """
role(bee), init(nectar(1)),
legal(bee,fly) :- true(nectar(1)) & role(bee),
next(nectar(0)) :- does(bee,fly),
terminal :- true(nectar(0)),
goal(bee,100)
""",
        (),
        ("(<= (legal bee fly) (true (nectar 1)) (role bee))", "(goal bee 100)"),
    ),
    Sheet(
        "a comma where a rule ends",
        """
role(elf). init(star(dim)).
legal(elf, shine) :- true(star(dim)), role(elf),
next(star(bright)) :- does(elf, shine).
terminal :- true(star(bright)). goal(elf, 100).
""",
        (("warning", "comma-in-body", 3, "`&`"), ("warning", "comma-for-dot", 3, "`.`")),
        ("(<= (legal elf shine) (true (star dim)) (role elf))", "(<= (next (star bright)) (does elf shine))"),
    ),
    Sheet(
        "rules put away in the ways of C and Python",
        """
// Tides, version 2
role(moon)
init(tide(low))
/* legal(moon,rest) :- true(tide(low))
   next(tide(low)) :- does(moon,rest) */
legal(moon,pull) :- true(tide(low))
# goal(moon,50)
next(tide(high)) :- does(moon,pull)
terminal :- true(tide(high))
goal(moon,100)
""",
        tuple(("warning", "foreign-comment", line, "`%`") for line in (2, 5, 8)),
        ("(goal moon 100)",),
        ("(goal moon 50)", "(<= (legal moon rest) (true (tide low)))"),
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
