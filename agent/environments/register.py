"""Registration of the bundled games with Gymnasium on import, without loading kernels.

``ggp/NAME-v0`` is a bundled game, ``ggp/Game-v0`` any other game: ``gymnasium.make("ggp/Game-v0", game="my.kif")``.
"""

from __future__ import annotations

from agent.environments.extras import extra
from reasoner.language.bundled import bundled_sheets

with extra("gymnasium"):
    import gymnasium

for name in ("Game", *sorted(bundled_sheets())):
    gymnasium.register(
        f"ggp/{name}-v0",
        entry_point="agent.environments.gym:GameEnv",
        vector_entry_point="agent.environments.vector:GameVectorEnv",
        kwargs={} if name == "Game" else {"game": name},
        disable_env_checker=True,
    )
