"""The identity of a game up to renaming: one key for all spellings of its rules, a matching of names, and symmetries.

`rule_graph` represents the rules as a graph in which names are vertices. `labelling` colours the graph by its
structure, searches the canonical order of the names, and finds automorphisms. `rule_forms` writes the rules with names
numbered in that order; this text is hashed to the key. `identify` combines these steps. `translation` translates terms
between spellings. `symmetries` converts automorphisms to permutations of facts and moves, after `sorts` has split
constants that are used for different kinds of things.
"""

from reasoner.identity.identify import Identity, identify
from reasoner.identity.symmetries import Symmetries, symmetries
from reasoner.identity.translation import Translation

__all__ = ["Identity", "Symmetries", "Translation", "identify", "symmetries"]
