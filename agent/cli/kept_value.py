"""The value of a solved game in the folder of studied games, for `ggp-agent solve`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from agent.errors import KnowledgeError, SettingsError
from agent.settings import load_settings

if TYPE_CHECKING:
    from agent.knowledge.solved import SolvedGame, SolvedGames
    from search.solve import Solution
    from search.solver.kept_proofs import KeptProofs


class KeptValue:
    """The kept value of a game, if any, and the place to keep it.

    roles:    the roles in the order of the rules.
    solution: the kept value; None: it is not known.
    text:     when it was proven, and how to forget it.
    """

    def __init__(self, rules: str) -> None:
        from agent.knowledge.folder import identity_of  # late imports: not needed for --help
        from agent.knowledge.solved import solved_games
        from reasoner.rules.read import read_program

        self.solution: Solution | None = None
        self.text = ""
        self._games: SolvedGames | None = None
        try:
            settings = load_settings().knowledge
            if not settings.use:
                return
            self.roles = tuple(map(str, read_program(rules)[0].roles))
            self._identity, self._games = identity_of(rules), solved_games(settings)
            self._show(self._games.find(self._identity, self.roles))
        except (KnowledgeError, SettingsError) as fault:
            click.echo(f"kept values are not used: {fault}", err=True)
            self._games = None

    def _show(self, game: SolvedGame | None) -> None:
        from search.solve import Solution  # late import, as above

        if game is None or self._games is None:
            return
        goals = tuple(game.goals[role] for role in self.roles)
        bounds = tuple((goal, goal) for goal in goals)
        self.solution = Solution(
            True, goals, bounds, tuple(game.line), game.positions, game.seconds, distance=game.distance
        )
        self.text = f"proven on {game.date}; remove {self._games.path(self._identity)} to solve it again"

    def keep_proofs(self, proofs: KeptProofs) -> None:
        """Store the proofs, for matches."""
        if self._games is None:
            return
        try:
            self._games.keep_proofs(self._identity, proofs)
        except KnowledgeError as fault:
            click.echo(f"the proofs are not kept: {fault}", err=True)

    def keep(self, found: Solution) -> str:
        """Store the value `found`; return a message. It is empty if the value is not exact or cannot be stored."""
        from agent.knowledge.solved import solved_today  # late import, as above

        if self._games is None or not found.solved or found.goals is None or found.mixed:
            return ""
        try:
            game = solved_today(self.roles, found.goals, found.line, found.positions, found.seconds, found.distance)
            return f"kept in {self._games.keep(self._identity, game)}"
        except KnowledgeError as fault:
            click.echo(f"the value is not kept: {fault}", err=True)
            return ""
