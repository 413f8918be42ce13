"""Games as environments of Gymnasium, an extra."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from agent.environments.gym import GameEnv
    from agent.environments.table import Opponent
    from agent.environments.vector import GameVectorEnv


def make(
    game: str | Path,
    role: int | str | None = None,
    opponent: str | Opponent = "random",
    **options: Any,  # noqa: ANN401 options of several types, which `GameEnv` checks
) -> GameEnv:
    """Return one role of a game as a Gymnasium environment: `reset`, `step`, `action_space`, `observation_space`.

    game:     a bundled name, a file or a URL.
    role:     the role's name or index; by default the first role except chance.
    opponent: plays the other roles: "random", "mcts:simulations=100" or another player, or a function.
    options:  `wrong` ("random" replaces an illegal action, "raise" raises IllegalMoveError), `seconds` per move of a
              searching opponent, `max_steps`, `render_mode`.

    Needs the extra `gymnasium`. Raises ReasonerError for rules in error, and GameError if the game has no circuit.
    """
    from agent.environments.gym import GameEnv

    return GameEnv(game, role, opponent, **options)


def make_vec(
    game: str | Path,
    num_envs: int = 1,
    role: int | str | None = None,
    opponent: str | Opponent = "random",
    **options: Any,  # noqa: ANN401 options of several types, which `GameEnv` checks
) -> GameVectorEnv:
    """Return `num_envs` games as a Gymnasium vector environment, stepped together; arguments as for `make`."""
    from agent.environments.vector import GameVectorEnv

    return GameVectorEnv(game, num_envs, role, opponent, **options)
