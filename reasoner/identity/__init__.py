"""What a game is, whatever its words: one key for all spellings of its rules, the words matched, and its symmetries.

`rule_graph` draws the rules as a graph in which names are vertices; `refinement` colours it by structure alone.
`labelling` searches the canonical order of the names, and finds the automorphisms on the way. `rule_forms` writes rules
in such an order, as text that a key is made of. `identify` puts this together, `translation` takes terms from one
spelling to another, and `symmetries` gives automorphisms as permutations of facts and moves, once `sorts` has told
apart what is numbered alike.
"""

from reasoner.identity.identify import Identity, identify
from reasoner.identity.symmetries import Symmetries, symmetries
from reasoner.identity.translation import Translation

__all__ = ["Identity", "Symmetries", "Translation", "identify", "symmetries"]
