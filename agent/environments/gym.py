"""A game as a Gymnasium environment: one role against an opponent."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from agent.environments.actions import mask_of
from agent.environments.actions import width_of as actions_of
from agent.environments.extras import extra
from agent.environments.game_batch import GameBatch, sheet_of
from agent.environments.opponents import opponent_of
from agent.environments.sight import check_render_mode, listed, seen_by, sights_of, width_of
from agent.environments.table import Opponent, Table, seat_of
from reasoner.arrays import Bools
from reasoner.batch import Batch

with extra("gymnasium"):
    import gymnasium
    from gymnasium import spaces

Info = dict[str, Any]
Bits = NDArray[np.int8]

MAX_STEPS = 10_000


def table_for(
    game: str | Path,
    games: int,
    role: int | str | None,
    opponent: str | Opponent,
    wrong: str,
    seconds: float,
    max_steps: int,
) -> Table:
    """Create the games of an environment; arguments as for `GameEnv`."""
    batch = GameBatch(sheet_of(game), games, wrong)
    return Table(batch, seat_of(batch.machine, role), opponent_of(opponent, seconds, batch.machine), max_steps)


class GameEnv(gymnasium.Env[Bits, np.int64]):
    """One role of a game; F facts, M moves.

    An action is an index into `moves`. An observation marks which of `facts` are true; ``info["action_mask"]`` marks
    which actions are legal (for `action_space.sample(mask=…)`). The reward is the goal at the end, 0..1. States in
    which the role has no choice are skipped. In a game with `sees`, no state is skipped, `facts` are the possible
    percepts of the role, and the observation marks those that the last joint move caused.

    game:      a bundled name, a file or a URL.
    role:      a role's name or index; by default the first role except chance.
    opponent:  plays the other roles: "random", "mcts:simulations=100" or another player of the agent, or a function.
    wrong:     "random": replace an illegal action by a random legal one; "raise": IllegalMoveError. The action -1 is
               always a random legal move.
    seconds:   time per move of a searching opponent.
    max_steps: a game is truncated after this many steps, and also if a role has no move before the end.
    """

    metadata = {"render_modes": ["ansi"]}  # noqa: RUF012 as Gymnasium has it

    def __init__(
        self,
        game: str | Path,
        role: int | str | None = None,
        opponent: str | Opponent = "random",
        wrong: str = "random",
        seconds: float = 1.0,
        max_steps: int = MAX_STEPS,
        render_mode: str | None = None,
    ) -> None:
        check_render_mode(render_mode)
        self._table = table_for(game, 1, role, opponent, wrong, seconds, max_steps)
        self.facts, self.moves = sights_of(self.batch, self._table.role), self.batch.moves[self._table.role]
        self.observation_space = spaces.MultiBinary(width_of(self.batch, self._table.role))
        self.action_space = spaces.Discrete(actions_of(self.batch, self._table.role))
        self.render_mode = render_mode
        self._told_end = False  # a step has returned that the game is over or truncated

    @property
    def batch(self) -> Batch:
        """The game as a batch of size 1."""
        return self._table.batch

    def reset(self, *, seed: int | None = None, options: Info | None = None) -> tuple[Bits, Info]:
        """Start a new game; `seed` seeds all random draws."""
        super().reset(seed=seed, options=options)
        if seed is not None:
            self.batch.sow(seed)
        self._table.reset()
        self._told_end = False
        return self._seen(), self._info()

    def step(self, action: np.int64) -> tuple[Bits, float, bool, bool, Info]:
        """Make a move, and all moves up to the role's next choice. After the end, warn and return reward 0."""
        if self._told_end:
            gymnasium.logger.warn("step() was called after the end of the game: call reset() first")
        self._table.step(np.reshape(action, -1))
        ended, truncated = bool(self._table.terminated[0]), bool(self._table.truncated[0])
        reward = 0.0 if self._told_end else float(self._table.rewards[0])
        self._told_end = ended or truncated
        return self._seen(), reward, ended, truncated, self._info()

    def action_masks(self) -> Bools:
        """Return the mask of legal actions for sb3-contrib's maskable algorithms.  # [M]."""
        mask: Bools = mask_of(self.batch, self._table.role)[0].astype(np.bool_)
        return mask

    def render(self) -> str:
        """Return the role's observation as text, one line per term."""
        return listed(self.batch, self._table.role)

    def _seen(self) -> Bits:
        bits: Bits = seen_by(self.batch, self._table.role)[0]
        return bits

    def _info(self) -> Info:
        return {"action_mask": mask_of(self.batch, self._table.role)[0]}
