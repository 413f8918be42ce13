// Short rulesheets to begin with, one for each kind of game.
export const TEMPLATES = [
  {
    title: 'Two players in turns, on a board',
    rules: `; Three in a row on a board of any size: change the index facts and the rule of line.

(role white)
(role black)

(index 1) (index 2) (index 3)
(succ 1 2) (succ 2 3)
(other white black)
(other black white)

; The board is empty at the start, and white begins.

(<= (init (cell ?x ?y empty)) (index ?x) (index ?y))
(init (control white))

; Whoever is in control places a piece on an empty cell.

(<= (legal ?p (place ?x ?y)) (true (control ?p)) (true (cell ?x ?y empty)))
(<= (legal ?p noop) (other ?p ?q) (true (control ?q)))

(<= (placed ?x ?y) (does ?p (place ?x ?y)))
(<= (next (cell ?x ?y ?p)) (does ?p (place ?x ?y)))
(<= (next (cell ?x ?y ?c)) (true (cell ?x ?y ?c)) (not (placed ?x ?y)))
(<= (next (control ?q)) (true (control ?p)) (other ?p ?q))

; Three pieces side by side in a row or a column win.

(<= (line ?p) (role ?p) (true (cell ?a ?y ?p)) (succ ?a ?b) (true (cell ?b ?y ?p)) (succ ?b ?c) (true (cell ?c ?y ?p)))
(<= (line ?p) (role ?p) (true (cell ?x ?a ?p)) (succ ?a ?b) (true (cell ?x ?b ?p)) (succ ?b ?c) (true (cell ?x ?c ?p)))
(<= open (true (cell ?x ?y empty)))

(<= terminal (line ?p))
(<= terminal (not open))

(<= (goal ?p 100) (line ?p))
(<= (goal ?p 0) (other ?p ?q) (line ?q))
(<= (goal ?p 50) (role ?p) (not (line white)) (not (line black)))
`
  },
  {
    title: 'A puzzle for one player',
    rules: `; A hero walks to the treasure in few steps.

(role hero)

(succ 1 2) (succ 2 3) (succ 3 4) (succ 4 5)
(<= (adjacent ?a ?b) (succ ?a ?b))
(<= (adjacent ?a ?b) (succ ?b ?a))
(wall 2 1) (wall 2 2) (wall 4 3)

(init (at 1 1))
(init (step 0))

(<= (legal hero (go ?a ?y)) (true (at ?x ?y)) (adjacent ?x ?a) (not (wall ?a ?y)))
(<= (legal hero (go ?x ?b)) (true (at ?x ?y)) (adjacent ?y ?b) (not (wall ?x ?b)))

(<= (next (at ?x ?y)) (does hero (go ?x ?y)))
(<= (next (step ?m)) (true (step ?n)) (after ?n ?m))
(after 0 1) (after 1 2) (after 2 3) (after 3 4) (after 4 5) (after 5 6) (after 6 7) (after 7 8)

(<= found (true (at 4 4)))
(<= terminal found)
(<= terminal (true (step 8)))
(<= (goal hero 100) found)
(<= (goal hero 0) (not found))
`
  },
  {
    title: 'Moves at the same time',
    rules: `; Rock, paper, scissors: both roles choose at once, and the first to win two rounds wins.

(role left)
(role right)
(other left right) (other right left)
(beats rock scissors) (beats scissors paper) (beats paper rock)
(sign rock) (sign paper) (sign scissors)

(<= (init (won ?p 0)) (role ?p))
(after 0 1) (after 1 2)

(<= (legal ?p (show ?s)) (role ?p) (sign ?s))

(<= (wins ?p) (other ?p ?q) (does ?p (show ?s)) (does ?q (show ?t)) (beats ?s ?t))
(<= (next (won ?p ?m)) (wins ?p) (true (won ?p ?n)) (after ?n ?m))
(<= (next (won ?p ?n)) (true (won ?p ?n)) (not (wins ?p)))

(<= terminal (true (won ?p 2)))
(<= (goal ?p 100) (true (won ?p 2)))
(<= (goal ?p 0) (other ?p ?q) (true (won ?q 2)))
(<= (goal ?p 50) (role ?p) (not (true (won left 2))) (not (true (won right 2))))
`
  },
  {
    title: 'A game with dice',
    rules: `; A race with a die. The role named random is chance: all its legal moves have equal probability.

(role red)
(role blue)
(role random)

(other red blue) (other blue red)
(side 1) (side 2) (side 3)
(plus 0 1 1) (plus 0 2 2) (plus 0 3 3) (plus 1 1 2) (plus 1 2 3) (plus 1 3 4) (plus 2 1 3) (plus 2 2 4) (plus 2 3 5)
(plus 3 1 4) (plus 3 2 5) (plus 3 3 6) (plus 4 1 5) (plus 4 2 6) (plus 4 3 6) (plus 5 1 6) (plus 5 2 6) (plus 5 3 6)

(init (at red 0))
(init (at blue 0))
(init (control red))
(init throw)

; Chance throws the die; then the player in control may go, or leave the throw to the other one.

(<= (legal random (roll ?n)) (true throw) (side ?n))
(<= (legal random noop) (not (true throw)))
(<= (legal ?p go) (true (die ?n)) (true (control ?p)))
(<= (legal ?p pass) (true (die ?n)) (true (control ?p)))
(<= (legal ?p noop) (other ?p ?q) (true throw))
(<= (legal ?p noop) (other ?p ?q) (not (true throw)) (true (control ?q)))

(<= (next (die ?n)) (does random (roll ?n)))
(<= (next throw) (not (true throw)))
(<= (next (control ?p)) (true (control ?p)) (true throw))
(<= (next (control ?q)) (true (control ?p)) (other ?p ?q) (not (true throw)))
(<= (moves ?p ?n) (does ?p go) (true (die ?n)))
(<= (moves ?q ?n) (does ?p pass) (other ?p ?q) (true (die ?n)))
(<= (moved ?p) (moves ?p ?n))
(<= (next (at ?p ?c)) (moves ?p ?n) (true (at ?p ?a)) (plus ?a ?n ?c))
(<= (next (at ?p ?a)) (true (at ?p ?a)) (not (moved ?p)))

(<= terminal (true (at ?p 6)))
(<= (goal ?p 100) (true (at ?p 6)))
(<= (goal ?p 0) (other ?p ?q) (not (true (at ?p 6))))
(goal random 0)
`
  },
  {
    title: 'Hidden information',
    rules: `; One role hides a coin, and the other guesses. The rules for sees give each role its percepts (GDL-II).

(role hider)
(role guesser)

(hand left) (hand right)

(init begin)

(<= (legal hider (hide ?h)) (true begin) (hand ?h))
(<= (legal hider noop) (not (true begin)))
(<= (legal guesser noop) (true begin))
(<= (legal guesser (guess ?h)) (true (coin ?c)) (hand ?h))

(<= (next (coin ?h)) (does hider (hide ?h)))
(<= (next (coin ?h)) (true (coin ?h)))
(<= (next (guessed ?h)) (does guesser (guess ?h)))

(<= (sees hider (coin ?h)) (does hider (hide ?h)))
(<= (sees ?r (guessed ?h)) (role ?r) (does guesser (guess ?h)))

(<= right (true (guessed ?h)) (true (coin ?h)))
(<= terminal (true (guessed ?h)))
(<= (goal guesser 100) right)
(<= (goal guesser 0) (not right))
(<= (goal hider 0) right)
(<= (goal hider 100) (not right))
`
  },
  {
    title: 'The same in infix notation: take stones',
    rules: `% Seven stones; take one or two. Who takes the last stone wins.
role(first)
role(second)
other(first,second)
other(second,first)

init(heap(7))
init(control(first))

legal(P,take(1)) :- true(control(P)) & true(heap(N)) & less(N,1,M)
legal(P,take(2)) :- true(control(P)) & true(heap(N)) & less(N,2,M)
legal(P,noop) :- other(P,Q) & true(control(Q))

next(heap(M)) :- does(P,take(K)) & true(heap(N)) & less(N,K,M)
next(control(Q)) :- true(control(P)) & other(P,Q)

less(7,1,6) less(6,1,5) less(5,1,4) less(4,1,3) less(3,1,2) less(2,1,1) less(1,1,0)
less(7,2,5) less(6,2,4) less(5,2,3) less(4,2,2) less(3,2,1) less(2,2,0)

terminal :- true(heap(0))
goal(P,100) :- true(heap(0)) & other(P,Q) & true(control(Q))
goal(P,0) :- true(heap(0)) & true(control(P))
goal(P,50) :- role(P) & ~true(heap(0))
`
  }
]
