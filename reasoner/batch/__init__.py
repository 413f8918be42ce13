"""Many games of one rulesheet at once, as arrays: an environment for learning.

from reasoner import load
from reasoner.batch import Batch
batch = Batch(load(pathlib.Path("games/connectFour.kif"), "circuit"), 512, seed=1)
batch.step(actions)  # int32 [games, roles], NONE: drawn at random, STAY: not stepped

`batch` is the class, `blocks` its games in memory and the threads that step them. `step`, `actions` and `turn` are its
kernels (games in lanes, moves given and drawn, conversion between arrays and rows), `plan` their inputs and `bits` an
intrinsic; `trajectories` is the record of random play.
"""

from reasoner.batch.batch import Batch
from reasoner.batch.plan import NONE, STAY
from reasoner.batch.trajectories import Trajectories

__all__ = ["NONE", "STAY", "Batch", "Trajectories"]
