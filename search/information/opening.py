"""Opening of a sweep: games start some joint moves back, and the others choose by their trees up to the present.

The belief weights states as if the others had drawn their moves uniformly. In the opening, the others choose as in the
search instead, so the games that reproduce our percepts reflect that the others have reasons for their moves. Games
with other percepts continue from another root of our tree. The trees of the others learn from these games, too, because
the others do not know our percepts.
"""

from __future__ import annotations

import numpy as np

from reasoner.arrays import Bools, Ints, Words
from search.belief.belief import Belief
from search.belief.games import DRAWN, Games

MAX_OPENING_MOVES = 2
"""Maximum number of joint moves of an opening."""
MIN_REACHED_SHARE = 0.15
"""Minimum share of games that reproduce our percepts; if it is lower, the opening is shortened."""
_MIX = np.uint64(0xD6E8FEB86659FD93)
_LOST = np.uint64(0x9FB21C651E98DF25)


class Opening:
    """The last `back` joint moves; fewer if we missed our move or our percepts in one of them."""

    def __init__(self, belief: Belief, games: Games, back: int, seed: int) -> None:
        self._games, self._role = games, belief.role
        self._rng = np.random.default_rng(seed)
        self._weights = belief.now.weights
        self.back = 0
        self.root = np.uint64(0)  # mark of our root
        self.begun = self.reached = 0  # number of games, and of those that reproduced our percepts
        for turns in range(min(back, belief.turns), 0, -1):
            if self._follows(belief, turns):
                break
        if not self.back:
            games.hold(belief.now.states)

    def _follows(self, belief: Belief, turns: int) -> bool:
        """Start `turns` joint moves back, if possible; return whether this is possible."""
        before, since = belief.before(turns)
        marks = [None if seen.percepts is None else self._games.mark(self._role, seen.percepts) for seen in since]
        if None in marks or any(seen.move is None for seen in since):
            return False
        self._games.hold(before.states)
        self._weights, self.back = before.weights, turns
        self._moves = [seen.move for seen in since if seen.move is not None]
        for mark in marks:
            self.root = mixed(np.array([self.root], np.uint64), np.array([mark], np.uint64))[0]
        return True

    @property
    def rare(self) -> bool:
        """Whether too few games reproduce our percepts."""
        return self.back > 0 and self.reached < MIN_REACHED_SHARE * self.begun

    def begin(self, count: int) -> None:
        """Set the first `count` games to states drawn from the belief before the opening."""
        self._games.begin(self._rng.choice(len(self._weights), count, p=self._weights))

    def own(self, turn: int) -> tuple[Ints, Bools]:
        """Return for each game our move in a turn of the opening, and whether it is illegal.  # [room]."""
        number, legal = self._games.number(self._role, self._moves[turn]), self._games.legal(self._role)
        wrong = ~legal[:, number] if 0 <= number < legal.shape[1] else np.ones(len(legal), np.bool_)
        return np.where(wrong, DRAWN, number).astype(np.int32), wrong

    def seen(self, marks: Words, wrong: Bools) -> Words:
        """Return the hash of our percepts in each game after a joint move of the opening.  # [room].

        marks: the hashes before it; wrong: games in which our move was illegal; they get a special hash.
        """
        return np.where(wrong, _LOST, mixed(marks, self._games.marks(self._role)))

    def count(self, marks: Words) -> None:
        """Count the games, and those that reproduced our percepts; marks: the hash of each game's percepts."""
        self.begun += len(marks)
        self.reached += int((marks == self.root).sum())


def mixed(marks: Words, seen: Words) -> Words:
    """Combine the hashes of earlier percepts, `marks`, with those of new percepts, `seen`.  # [N]."""
    return (marks ^ seen) * _MIX + (seen >> np.uint64(29))
