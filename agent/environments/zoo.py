"""PettingZoo environments: `aec_env` (agents move one after the other) and `parallel_env` (simultaneously).

An agent is the name of a role other than chance. An action is an index into the role's moves, an observation is
``{"observation": true facts, "action_mask": legal actions}``; in a game with `sees`, the percepts of the last joint
move replace the facts. The reward is the goal at the end, 0..1. A game in which a role has no move in a non-terminal
state is truncated without a reward. The action -1 means a random legal move. An illegal action raises IllegalMoveError
before any game changes, or with ``wrong="random"`` is replaced by a random legal one.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from agent.environments.actions import checked, mask_of
from agent.environments.actions import width_of as actions_of
from agent.environments.extras import extra
from agent.environments.game_batch import GameBatch, sheet_of
from agent.environments.opponents import opponent_of
from agent.environments.sight import check_render_mode, listed, seen_by, width_of
from agent.environments.table import players_of
from reasoner.batch import NONE, Batch
from reasoner.errors import IllegalMoveError, StateError
from reasoner.rules.points import worth

with extra("pettingzoo"):
    from gymnasium import spaces
    from pettingzoo import AECEnv, ParallelEnv

Seen = dict[str, NDArray[np.int8]]
Info = dict[str, Any]

MAX_STEPS = 10_000


class _Roles:
    """The game of an environment, by agent; F facts, M moves."""

    def __init__(self, game: str | Path, wrong: str) -> None:
        self.batch = GameBatch(sheet_of(game), 1, wrong)
        machine = self.batch.machine
        self.agents = [machine.roles[number] for number in players_of(machine)]
        self.role = {name: machine.roles.index(name) for name in self.agents}
        self.observation_spaces = {name: self._space(self.role[name]) for name in self.agents}
        self.action_spaces = {name: spaces.Discrete(actions_of(self.batch, self.role[name])) for name in self.agents}
        self.steps = 0

    def reset(self, seed: int | None) -> None:
        if seed is not None:
            self.batch.sow(seed)
        self.batch.reset()
        self.steps = 0

    def action(self, name: str, given: ArrayLike) -> int:
        """Validate an agent's action for `step`. Raises the exceptions of `checked`."""
        return int(checked(self.batch, self.role[name], np.reshape(given, -1), np.ones(1, np.bool_))[0])

    def step(self, actions: dict[str, int]) -> None:
        """Make a joint move; missing moves (forced ones and chance) are drawn."""
        joint = np.full((1, len(self.batch.roles)), NONE)
        for name, action in actions.items():
            joint[0, self.role[name]] = action
        self.batch.step(joint)
        self.steps += 1

    @property
    def ended(self) -> bool:
        """Whether the state is terminal."""
        return bool(self.batch.ended[0] and self.batch.terminal[0])

    @property
    def truncated(self) -> bool:
        """Whether the game was truncated: too many steps, or a role without a move."""
        return not self.ended and (self.steps >= MAX_STEPS or bool(self.batch.ended[0]))

    def seen(self, name: str) -> Seen:
        role = self.role[name]
        return {"observation": seen_by(self.batch, role)[0], "action_mask": mask_of(self.batch, role)[0]}

    def reward(self, name: str) -> float:
        return worth(int(self.batch.goals[0, self.role[name]]), self.batch.machine.points) if self.ended else 0.0

    def to_choose(self) -> list[str]:
        """Return the agents with a choice; in a game with `sees` all agents, because every state may have percepts."""
        hides = self.batch.machine.hides
        return [name for name in self.agents if hides or self.batch.legal_of(self.role[name])[0].sum() > 1]

    def shown(self) -> str:
        """Format the true facts, one per line; in a game with `sees`, each role's percepts below its name."""
        if not self.batch.machine.hides:
            return listed(self.batch, 0)
        return "\n".join(f"{name}\n{listed(self.batch, role)}".rstrip() for name, role in self.role.items())

    def _space(self, role: int) -> spaces.Dict[Any]:
        seen = spaces.Box(0, 1, (width_of(self.batch, role),), np.int8)
        mask = spaces.Box(0, 1, (actions_of(self.batch, role),), np.int8)
        return spaces.Dict({"observation": seen, "action_mask": mask})


class _Seated:
    """Common base of both environments."""

    agents: list[str]
    render_mode: str | None

    def _sit(self, game: str | Path, wrong: str, render_mode: str | None) -> None:
        check_render_mode(render_mode)
        self.render_mode = render_mode
        self._roles = _Roles(game, wrong)
        self.possible_agents = list(self._roles.agents)
        self.observation_spaces, self.action_spaces = self._roles.observation_spaces, self._roles.action_spaces

    @property
    def batch(self) -> Batch:
        """The game as a batch of size 1."""
        return self._roles.batch

    def _check_begun(self) -> None:
        if not self.agents:
            raise StateError("no game is running: call reset() first")

    def observation_space(self, agent: str) -> spaces.Dict[Any]:
        """Return an agent's observation space: the same object at each call."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Discrete[np.int64]:
        """Return an agent's action space."""
        return self.action_spaces[agent]


class GameAEC(_Seated, AECEnv):  # type: ignore[misc]  # PettingZoo ships no types
    """Environment in which agents with a choice move in turn; simultaneous choices are hidden from each other."""

    metadata = {"render_modes": ["ansi"], "name": "ggp_v0", "is_parallelizable": False}  # noqa: RUF012 PettingZoo's

    def __init__(self, game: str | Path, wrong: str = "raise", render_mode: str | None = None) -> None:
        super().__init__()
        self._sit(game, wrong, render_mode)
        self.agents: list[str] = []

    def reset(self, seed: int | None = None, options: Info | None = None) -> None:  # noqa: ARG002 no options exist
        """Start a new game; `seed` seeds all random draws."""
        self._roles.reset(seed)
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, Info] = {name: {} for name in self.agents}
        self._chosen: dict[str, int] = {}
        self._to_choose: list[str] = []
        self._go_on()
        self._accumulate_rewards()  # needed if the game has ended without any choice

    def last(self, observe: bool = True) -> tuple[Seen | None, float, bool, bool, Info]:
        """See `AECEnv.last`."""
        self._check_begun()
        told: tuple[Seen | None, float, bool, bool, Info] = super().last(observe)
        return told

    def step(self, action: int | None) -> None:
        """Apply the action of the selected agent; the action must be None if the agent's game is over."""
        self._check_begun()
        name = self.agent_selection
        if self.terminations[name] or self.truncations[name]:
            self._was_dead_step(action)
            return
        if action is None:
            raise ValueError(f"{name} must move, but the action is None")
        chosen = self._roles.action(name, action)
        self._cumulative_rewards[name] = 0.0
        self._clear_rewards()
        self._chosen[name] = chosen
        self._to_choose.remove(name)
        if not self._to_choose:
            self._roles.step(self._chosen)
            self._chosen = {}
        self._go_on()
        self._accumulate_rewards()

    def observe(self, agent: str) -> Seen:
        """Return the agent's observation and its legal actions."""
        return self._roles.seen(agent)

    def render(self) -> str:
        """Return the observation as text."""
        return self._roles.shown()

    def close(self) -> None:
        """Do nothing."""

    def _go_on(self) -> None:
        """Skip the states without a choice, and select the next agent."""
        roles = self._roles
        while not self._to_choose and not (roles.ended or roles.truncated):
            self._to_choose = roles.to_choose()
            if not self._to_choose:
                roles.step({})
        if self._to_choose:
            self.agent_selection = self._to_choose[0]
            return
        self.rewards = {name: roles.reward(name) for name in self.agents}
        self.terminations = dict.fromkeys(self.agents, roles.ended)
        self.truncations = dict.fromkeys(self.agents, roles.truncated)
        self.agent_selection = self.agents[0]


class GameParallel(_Seated, ParallelEnv):  # type: ignore[misc]  # PettingZoo ships no types
    """Environment in which all agents move in every step, also those without a choice."""

    metadata = {"render_modes": ["ansi"], "name": "ggp_v0"}  # noqa: RUF012 PettingZoo's

    def __init__(self, game: str | Path, wrong: str = "raise", render_mode: str | None = None) -> None:
        self._sit(game, wrong, render_mode)
        self.agents: list[str] = []

    def reset(
        self,
        seed: int | None = None,
        options: Info | None = None,  # noqa: ARG002 no options exist
    ) -> tuple[dict[str, Seen], dict[str, Info]]:
        """Start a new game; `seed` seeds all random draws."""
        self._roles.reset(seed)
        self.agents = list(self.possible_agents)
        return self._each(self._roles.seen), self._each(lambda _: {})

    def step(
        self, actions: dict[str, int]
    ) -> tuple[dict[str, Seen], dict[str, float], dict[str, bool], dict[str, bool], dict[str, Info]]:
        """Make a joint move: one action per agent; forced ones may be omitted."""
        self._check_begun()
        roles = self._roles
        roles.step(self._checked(actions))
        ended, truncated = roles.ended, roles.truncated
        told = (
            self._each(roles.seen),
            self._each(roles.reward),
            self._each(lambda _: ended),
            self._each(lambda _: truncated),
            self._each(lambda _: {}),
        )
        if ended or truncated:
            self.agents = []
        return told

    def render(self) -> str:
        """Return the observation as text."""
        return self._roles.shown()

    def _checked(self, actions: dict[str, int]) -> dict[str, int]:
        if not isinstance(actions, Mapping):
            raise IllegalMoveError(f"{actions!r:.40} is no dict: give the actions of {', '.join(self.agents)} by name")
        if strangers := sorted(map(str, actions.keys() - self._roles.role.keys())):
            raise IllegalMoveError(f"{strangers[0]:.40} is not an agent: give actions of {', '.join(self.agents)}")
        if self._roles.ended or self._roles.truncated:  # over at the start: no action has a meaning
            return {}
        given = {name: self._roles.action(name, action) for name, action in actions.items()}
        missing = [name for name in self._roles.to_choose() if name not in given]
        if missing and self.batch.wrong == "raise":
            raise IllegalMoveError(f"{missing[0]} must move: give its action, or -1 for a random one")
        return given

    def _each(self, tell: Callable[[str], Any]) -> dict[str, Any]:
        return {name: tell(name) for name in self.agents}


def aec_env(game: str | Path, wrong: str = "raise", render_mode: str | None = None) -> GameAEC:
    """Create the environment with alternating agents. Raises GameError, RulesError."""
    return GameAEC(game, wrong, render_mode)


def parallel_env(game: str | Path, wrong: str = "raise", render_mode: str | None = None) -> GameParallel:
    """Create the environment with simultaneous moves. Raises GameError, RulesError."""
    return GameParallel(game, wrong, render_mode)


def policy(spec: str = "mcts", seconds: float = 1.0) -> Callable[[GameAEC, str], int]:
    """Return a player of the agent as a policy ``policy(env, agent)``. Raises SpecError."""
    opponent = opponent_of(spec, seconds)

    def act(env: GameAEC, agent: str) -> int:
        batch, asked = env.batch, np.ones(1, np.bool_)
        role = batch.roles.index(agent)
        chosen = int(opponent(batch, role, asked)[0])
        return (
            chosen if chosen != NONE else int(np.random.default_rng().choice(np.flatnonzero(batch.legal_of(role)[0])))
        )

    return act
