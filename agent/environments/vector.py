"""Gymnasium vector environment: many games of one rulesheet that make their steps together."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from agent.environments.actions import mask_of
from agent.environments.actions import width_of as actions_of
from agent.environments.extras import extra
from agent.environments.gym import MAX_STEPS, Bits, Info, table_for
from agent.environments.sight import seen_by, sights_of, width_of
from agent.environments.table import Opponent
from reasoner.arrays import Bools, Floats
from reasoner.batch import Batch

with extra("gymnasium"):
    from gymnasium import spaces
    from gymnasium.vector import AutoresetMode, VectorEnv
    from gymnasium.vector.utils import batch_space


class GameVectorEnv(VectorEnv[Bits, NDArray[np.int64], NDArray[Any]]):
    """`num_envs` games of one role, with the arguments of `agent.environments.gym.GameEnv`.

    A finished game restarts in the next step, which ignores its action. ``info["action_mask"]`` has the masks of all
    games.  # [games, M]
    """

    metadata = {"render_modes": [], "autoreset_mode": AutoresetMode.NEXT_STEP}  # noqa: RUF012 as Gymnasium has it

    def __init__(
        self,
        game: str | Path,
        num_envs: int = 1,
        role: int | str | None = None,
        opponent: str | Opponent = "random",
        wrong: str = "random",
        seconds: float = 1.0,
        max_steps: int = MAX_STEPS,
    ) -> None:
        if isinstance(num_envs, int | np.integer) and num_envs < 1:
            raise ValueError(f"num_envs={num_envs}: give at least 1")
        self._table = table_for(game, num_envs, role, opponent, wrong, seconds, max_steps)
        self.num_envs = num_envs
        self._told = np.zeros(num_envs, np.bool_)  # games that ended in the last step
        self.facts, self.moves = sights_of(self.batch, self._table.role), self.batch.moves[self._table.role]
        self.single_observation_space = spaces.MultiBinary(width_of(self.batch, self._table.role))
        self.single_action_space = spaces.Discrete(actions_of(self.batch, self._table.role))
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)

    @property
    def batch(self) -> Batch:
        """The batch of games."""
        return self._table.batch

    def reset(self, *, seed: int | list[int | None] | None = None, options: Info | None = None) -> tuple[Bits, Info]:
        """Restart all games; `seed` (of several, the first) seeds all random draws."""
        first = next(iter(seed), None) if isinstance(seed, list) else seed
        super().reset(seed=first, options=options)
        if first is not None:
            self.batch.sow(first)
        self._table.reset()
        self._told[:] = False
        return self._seen(), self._info()

    def step(self, actions: NDArray[np.int64]) -> tuple[Bits, Floats, Bools, Bools, Info]:
        """Make a move in every running game, and restart those that ended in the last step."""
        told = self._told
        self._table.step(actions, ~told)
        if told.any():
            self._table.reset(told)
        rewards = np.where(told, 0.0, self._table.rewards)
        ended, truncated = self._table.terminated & ~told, self._table.truncated & ~told
        self._told = ended | truncated
        return self._seen(), rewards, ended, truncated, self._info()

    def _seen(self) -> Bits:
        return seen_by(self.batch, self._table.role)

    def _info(self) -> Info:
        return {"action_mask": mask_of(self.batch, self._table.role)}
