"""Many games of one rulesheet at once, as arrays: what learning from play needs.

from reasoner import load
from reasoner.batch import Batch
batch = Batch(load(pathlib.Path("games/connectFour.kif"), "circuit"), 512, seed=1)
batch.step(actions)  # int32 [games, roles], NONE: drawn at random, STAY: not stepped

`batch` is the class, `blocks` its games in memory and who works on them. `step`, `actions` and `turn` are its kernels
(games in lanes, moves given and drawn, arrays turned into rows and back), `plan` what they are given and `bits` an
intrinsic of theirs; `trajectories` is what random play brings home.
"""

from reasoner.batch.batch import Batch
from reasoner.batch.plan import NONE, STAY
from reasoner.batch.trajectories import Trajectories

__all__ = ["NONE", "STAY", "Batch", "Trajectories"]
