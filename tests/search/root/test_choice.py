"""The choice of the move to play, from the results of a search."""

from types import SimpleNamespace

import numpy as np

from reasoner.language.terms import Constant
from search import SearchOptions
from search.root.choice import BestLine, best


def test_a_known_line_is_followed_although_the_tree_rounds_its_value_up():
    """The tree has its values in single precision, in which 0.6 is larger."""
    moves = SimpleNamespace(legal=((0, 1),))
    found = SimpleNamespace(moves=moves, by_slot=[SimpleNamespace(bests=[float(np.float32(0.6)), 0.2], visits=[9, 1])])
    own = Constant("x"), Constant("y")
    assert best(found, 0, own, BestLine(own[1], 0.6), SearchOptions(), 1) == own[1]
    assert best(found, 0, own, BestLine(own[1], 0.5), SearchOptions(), 1) == own[0]
