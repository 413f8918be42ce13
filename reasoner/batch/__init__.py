"""Many games of one rulesheet at once, as arrays: an environment for learning.

from reasoner import load
from reasoner.batch import Batch
batch = Batch(load(pathlib.Path("games/connectFour.kif"), "circuit"), 512, seed=1)
batch.step(actions)  # int32 [games, roles], NONE: drawn at random, STAY: not stepped

`batch` contains the class `Batch`; `blocks` stores the games in memory and distributes them among threads. The kernels
are in `step` (games in lanes), `actions` (given and drawn moves) and `turn` (conversion between arrays and rows).
`plan` defines the kernels' inputs, `bits` an intrinsic, and `trajectories` the record of random play.
"""

from reasoner.batch.batch import Batch
from reasoner.batch.plan import NONE, STAY
from reasoner.batch.trajectories import Trajectories

__all__ = ["NONE", "STAY", "Batch", "Trajectories"]
