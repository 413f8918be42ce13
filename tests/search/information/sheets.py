"""Small rulesheets of imperfect information, our own, some as sloppy as public ones are."""

from __future__ import annotations

THREE_IN_A_ROW = """
(<= (line ?p) (true (cell ?x 1 ?p)) (true (cell ?x 2 ?p)) (true (cell ?x 3 ?p)))
(<= (line ?p) (true (cell 1 ?y ?p)) (true (cell 2 ?y ?p)) (true (cell 3 ?y ?p)))
(<= (line ?p) (true (cell 1 1 ?p)) (true (cell 2 2 ?p)) (true (cell 3 3 ?p)))
(<= (line ?p) (true (cell 1 3 ?p)) (true (cell 2 2 ?p)) (true (cell 3 1 ?p)))
"""

BLIND_TIC_TAC_TOE = (
    """
; Marks are hidden; who tries a square that is taken is told, and tries again.
(role x) (role o) (coordinate 1) (coordinate 2) (coordinate 3) (init (control x))
(<= (legal ?p (mark ?x ?y)) (true (control ?p)) (coordinate ?x) (coordinate ?y) (not (true (tried ?p ?x ?y))))
(<= (legal ?p noop) (role ?p) (not (true (control ?p))))
(<= (full ?x ?y) (true (cell ?x ?y ?p)))
(<= taken (does ?p (mark ?x ?y)) (full ?x ?y))
(<= (next (cell ?x ?y ?p)) (does ?p (mark ?x ?y)) (not (full ?x ?y)))
(<= (next (cell ?x ?y ?p)) (true (cell ?x ?y ?p)))
(<= (next (tried ?p ?x ?y)) (does ?p (mark ?x ?y)))
(<= (next (tried ?p ?x ?y)) (true (tried ?p ?x ?y)))
(<= (next (control ?p)) (true (control ?p)) taken)
(<= (next (control ?p)) (role ?p) (not (true (control ?p))) (not taken))
(<= (sees ?p yourTurn) (role ?p) (not (true (control ?p))) (not taken))
(<= (sees ?p taken) (does ?p (mark ?x ?y)) (full ?x ?y))
(<= open (coordinate ?x) (coordinate ?y) (not (full ?x ?y)))
(<= terminal (line ?p)) (<= terminal (not open))
(<= (goal ?p 100) (role ?p) (line ?p))
(<= (goal ?p 0) (role ?p) (line ?q) (distinct ?p ?q) (not (line ?p)))
(<= (goal ?p 50) (role ?p) (not (line x)) (not (line o)))
"""
    + THREE_IN_A_ROW
)

TIGER = """
; Behind one of two doors is a tiger; to listen tells where it roars, right three times in four. Random has a capital.
(role hunter) (role Random) (door left) (door right) (ear good) (ear better) (ear best) (ear bad) (init begin)
(other left right) (other right left) (follows 0 1) (follows 1 2) (follows 2 3) (init (time 0))
(<= (legal Random (hide ?d)) (true begin) (door ?d))
(<= (legal Random (hear ?e)) (not (true begin)) (ear ?e))
(<= (legal hunter wait) (true begin))
(<= (legal hunter listen) (not (true begin)))
(<= (legal hunter (open ?d)) (not (true begin)) (door ?d))
(<= (next (tiger ?d)) (or (does Random (hide ?d)) (true (tiger ?d))))
(<= (next (opened ?d)) (does hunter (open ?d)))
(<= (next (time ?n)) (true (time ?m)) (follows ?m ?n))
(<= (sees hunter (roar ?d)) (does hunter listen) (does Random (hear ?e)) (distinct ?e bad) (true (tiger ?d)))
(<= (sees hunter (roar ?d)) (does hunter listen) (does Random (hear bad)) (true (tiger ?c)) (other ?c ?d))
(<= terminal (or (true (opened ?d)) (true (time 3))))
(<= eaten (true (opened ?d)) (true (tiger ?d)))
(<= (goal hunter 100) (true (opened ?d)) (not eaten))
(<= (goal hunter 0) eaten) (<= (goal hunter 40) (not (true (opened left))) (not (true (opened right))))
(goal Random 0)
"""

CARDS = """
; Three cards, one each: bet or pass, then call or fold, as in Kuhn's poker. Nobody binds ?r in the first percept.
(role dealer1) (role dealer2) (role random) (card 1) (card 2) (card 3) (greater 2 1) (greater 3 1) (greater 3 2)
(init (phase deal))
(<= (legal random (deal ?c ?d)) (true (phase deal)) (card ?c) (card ?d) (distinct ?c ?d))
(<= (legal random noop) (not (true (phase deal))))
(<= (legal dealer1 noop) (not (true (phase open))))
(<= (legal dealer2 noop) (not (true (phase answer))))
(<= (legal dealer1 ?m) (true (phase open)) (choice ?m)) (choice bet) (choice pass)
(<= (legal dealer2 ?m) (true (phase answer)) (reply ?m)) (reply call) (reply fold)
(<= (next (holds dealer1 ?c)) (does random (deal ?c ?d)))
(<= (next (holds dealer2 ?d)) (does random (deal ?c ?d)))
(<= (next (holds ?r ?c)) (true (holds ?r ?c)))
(<= (next (phase open)) (true (phase deal)))
(<= (next (phase answer)) (does dealer1 bet))
(<= (next (phase over)) (does dealer1 pass)) (<= (next (phase over)) (true (phase answer)))
(<= (next (bet)) (does dealer2 call)) (<= (next folded) (does dealer2 fold))
(<= (sees ?r dealt) (true (phase deal)))
(<= (sees ?r (mine ?c)) (next (holds ?r ?c)))
(<= (sees ?r (legal ?q ?m)) (does ?q ?m) (distinct ?q random))
(<= terminal (true (phase over)))
(<= (higher ?r) (true (holds ?r ?c)) (true (holds ?q ?d)) (greater ?c ?d))
(<= (goal ?r 100) (higher ?r) (true (bet)))
(<= (goal ?r 0) (role ?r) (distinct ?r random) (not (higher ?r)) (true (bet)))
(<= (goal dealer1 75) (true folded)) (<= (goal dealer2 25) (true folded))
(<= (goal ?r 60) (higher ?r) (not (true (bet))) (not (true folded)))
(<= (goal ?r 40) (role ?r) (distinct ?r random) (not (higher ?r)) (not (true (bet))) (not (true folded)))
(goal random 0)
"""

VACUUM = """
; A cleaner in a row of four rooms, two of them dirty; it feels walls and sees the dirt where it stands. `BASE` and
; `INPUT` with a parenthesis too late.
(role cleaner) (role random) (room 1) (room 2) (room 3) (room 4) (next_to 1 2) (next_to 2 3) (next_to 3 4)
(<= (base (dirt ?x) (room ?x))) (<= (base (in ?x)) (room ?x)) (<= (input cleaner suck)) (<= (input ?r wait (role ?r)))
(init start) (init (step 1)) (follows 1 2) (follows 2 3) (follows 3 4) (follows 4 5) (follows 5 6) (follows 6 7)
(<= (legal random (spill ?x ?y)) (true start) (room ?x) (room ?y) (distinct ?x ?y))
(<= (legal random wait) (not (true start)))
(<= (legal cleaner wait) (true start))
(<= (legal cleaner ?a) (not (true start)) (action ?a)) (action left) (action right) (action suck)
(<= (next (dirt ?x)) (does random (spill ?x ?y))) (<= (next (dirt ?y)) (does random (spill ?x ?y)))
(<= (next (dirt ?x)) (true (dirt ?x)) (not (sucked ?x)))
(<= (sucked ?x) (does cleaner suck) (true (in ?x)))
(<= (next (in 2)) (true start))
(<= (moves ?x ?y) (does cleaner right) (next_to ?x ?y)) (<= (moves ?y ?x) (does cleaner left) (next_to ?x ?y))
(<= (next (in ?y)) (true (in ?x)) (moves ?x ?y))
(<= stays (true (in ?x)) (moves ?x ?y))
(<= (next (in ?x)) (true (in ?x)) (not stays))
(<= (next (step ?n)) (true (step ?m)) (follows ?m ?n))
(<= (sees cleaner bump) (not stays) (not (does cleaner suck)) (not (true start)))
(<= (sees cleaner dirty) (next (in ?x)) (next (dirt ?x)))
(<= dirty (true (dirt ?x)))
(<= clean (not dirty) (not (true start)))
(<= terminal clean) (<= terminal (true (step 7)))
(<= (goal cleaner 100) clean) (<= (goal cleaner 20) (not clean)) (goal random 0)
"""

WIRES = """
; One sees the bomb's colour and tells one word; the other hears it and cuts a wire.
(role teller) (role cutter) (role random) (colour red) (colour blue) (colour green) (init (at 1)) (follows 1 2)
(follows 2 3) (follows 3 4)
(<= (legal random (arm ?c)) (true (at 1)) (colour ?c)) (<= (legal random noop) (not (true (at 1))))
(<= (legal teller (say ?c)) (true (at 2)) (colour ?c)) (<= (legal teller noop) (not (true (at 2))))
(<= (legal cutter (cut ?c)) (true (at 3)) (colour ?c)) (<= (legal cutter noop) (not (true (at 3))))
(<= (next (armed ?c)) (does random (arm ?c))) (<= (next (armed ?c)) (true (armed ?c)))
(<= (next (cut ?c)) (does cutter (cut ?c)))
(<= (next (at ?n)) (true (at ?m)) (follows ?m ?n))
(<= (sees teller ?c) (does random (arm ?c)))
(<= (sees cutter ?m) (does teller ?m))
(<= terminal (true (at 4)))
(<= saved (true (cut ?c)) (true (armed ?c)))
(<= (goal ?r 100) (role ?r) saved) (<= (goal ?r 0) (role ?r) (not saved))
"""

HIDDEN_RANKS = """
; Two pieces a side on a strip of four fields; ranks are chosen unseen, and seen where pieces meet. The higher stays.
(role north) (role south) (rank 1) (rank 2) (rank 3) (field 1) (field 2) (field 3) (field 4) (init setup)
(beside 1 2) (beside 2 3) (beside 3 4) (more 2 1) (more 3 1) (more 3 2) (follows 1 2) (follows 2 3) (follows 3 4)
(follows 4 5) (follows 5 6) (follows 6 7) (follows 7 8) (follows 8 9) (init (time 1)) (home north 1) (home south 4)
(<= (legal ?p (choose ?r)) (true setup) (role ?p) (rank ?r))
(<= (legal ?p (go ?x ?y)) (true (control ?p)) (true (piece ?p ?r ?x)) (or (beside ?x ?y) (beside ?y ?x)))
(<= (legal ?p wait) (not (true setup)) (not (true (control ?p))))
(<= (legal ?p resign) (true (control ?p)))
(<= (next (piece ?p ?r ?x)) (does ?p (choose ?r)) (home ?p ?x))
(<= (next (control north)) (true setup))
(<= (next (control ?q)) (true (control ?p)) (role ?q) (distinct ?p ?q))
(<= (next (gone ?p)) (does ?p resign))
(<= (met ?p ?r ?q ?s) (does ?p (go ?x ?y)) (true (piece ?p ?r ?x)) (true (piece ?q ?s ?y)))
(<= (falls ?q) (met ?p ?r ?q ?s) (not (more ?s ?r))) (<= (falls ?p) (met ?p ?r ?q ?s) (not (more ?r ?s)))
(<= (moved ?p) (does ?p (go ?x ?y)))
(<= (next (piece ?p ?r ?y)) (does ?p (go ?x ?y)) (true (piece ?p ?r ?x)) (not (falls ?p)))
(<= (next (piece ?p ?r ?x)) (true (piece ?p ?r ?x)) (not (moved ?p)) (not (falls ?p)))
(<= (next (time ?n)) (true (time ?m)) (follows ?m ?n))
(<= (sees ?p (moved ?q ?x ?y)) (does ?q (go ?x ?y)))
(<= (sees ?p (rank ?q ?r)) (met ?q ?r ?s ?t)) (<= (sees ?p (rank ?s ?t)) (met ?q ?r ?s ?t))
(<= (has ?p) (true (piece ?p ?r ?x)))
(<= over (not (true setup)) (role ?p) (not (has ?p))) (<= over (true (gone ?p))) (<= over (true (time 9)))
(<= terminal over)
(<= (goal ?p 100) (has ?p) (role ?q) (distinct ?p ?q) (not (has ?q)))
(<= (goal ?p 0) (role ?p) (not (has ?p)))
(<= (goal ?p 50) (has north) (has south) (role ?p))
"""

SHEETS = {
    name.lower(): text
    for name, text in globals().items()
    if name.isupper() and isinstance(text, str) and "sees" in text
}
"""By name."""
