"""Games that hide something from their roles (GDL-II), of the tests' own."""

from tests.reasoner.test_percepts import BOXES

__all__ = ["BOXES", "KUHN"]

KUHN = """
; Poker with three cards (Kuhn 1950): each player has one and has paid 1; who bets, or answers a bet, pays 1 more.
(role one) (role two) (role random)
(card jack) (card queen) (card king) (higher queen jack) (higher king jack) (higher king queen)
(player one) (player two) (other one two) (other two one) (action pass) (action bet)
; What was done so far, p for passes and b for bets; who plays then.
(plays start one) (plays p two) (plays b two) (plays pb one)
(after start pass p) (after start bet b) (after p pass pp) (after p bet pb)
(after b pass bp) (after b bet bb) (after pb pass pbp) (after pb bet pbb)
(init dealing)
(<= (legal random (deal ?a ?b)) (true dealing) (card ?a) (card ?b) (distinct ?a ?b))
(<= (legal random noop) (not (true dealing)))
(<= (acts ?p) (true (line ?l)) (plays ?l ?p))
(<= (legal ?p ?a) (acts ?p) (action ?a))
(<= (legal ?p noop) (player ?p) (not (acts ?p)))
(<= (next (holds one ?a)) (does random (deal ?a ?b)))
(<= (next (holds two ?b)) (does random (deal ?a ?b)))
(<= (next (holds ?p ?c)) (true (holds ?p ?c)))
(<= (next (line start)) (true dealing))
(<= (next (line ?m)) (true (line ?l)) (plays ?l ?p) (does ?p ?a) (after ?l ?a ?m))
(<= (sees one ?a) (does random (deal ?a ?b)))
(<= (sees two ?b) (does random (deal ?a ?b)))
(<= (sees ?q ?a) (other ?p ?q) (acts ?p) (does ?p ?a))
(<= (wins ?p) (true (holds ?p ?c)) (other ?p ?q) (true (holds ?q ?d)) (higher ?c ?d))
(<= terminal (true (line pp))) (<= terminal (true (line bp))) (<= terminal (true (line bb)))
(<= terminal (true (line pbp))) (<= terminal (true (line pbb)))
(<= (goal ?p 75) (true (line pp)) (wins ?p))
(<= (goal ?p 25) (true (line pp)) (player ?p) (not (wins ?p)))
(<= (called) (true (line bb))) (<= (called) (true (line pbb)))
(<= (goal ?p 100) (called) (wins ?p))
(<= (goal ?p 0) (called) (player ?p) (not (wins ?p)))
(<= (goal one 75) (true (line bp))) (<= (goal two 25) (true (line bp)))
(<= (goal one 25) (true (line pbp))) (<= (goal two 75) (true (line pbp)))
(goal random 0)
"""
