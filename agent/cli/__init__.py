"""The command ggp-agent, one subcommand a file.

A file is imported when its subcommand is asked for, so that `--help` and `games` need not wait for kernels.
Exit codes: 0 good, 1 the answer is no (rules in error, a match that could not be played), 2 wrong use.

Parts of subcommands: of check `played`, `simulated` and `check_settings`, of match `live`, of step `blind_step`,
`moves` and `picture`, of study `knowledge`. What several share: `console`, `compiling` (what a first start shows),
`completion` (of the shell), `hints` (under errors), `tables`, `words`.
"""

from __future__ import annotations

import difflib
import importlib
from typing import Any

import click
from click.shell_completion import CompletionItem

from agent.cli.hints import with_hint
from agent.errors import AgentError, SettingsError, SpecError
from agent.gamemaster.errors import GameError, SeatError
from agent.tournament.errors import PlanError
from reasoner.errors import ReasonerError
from search.errors import SearchError

COMMANDS = {
    "serve": "Run the agent: answer game managers over HTTP.",
    "match": "Play a game between agents and record it.",
    "study": "Learn a game before the match, by self-play.",
    "tournament": "Play many matches between many players, and compare them.",
    "check": "Find the faults of rulesheets.",
    "show": "Print a stage of a game's way through the reasoner.",
    "convert": "Write a rulesheet in the other notation.",
    "step": "Walk through a game by hand.",
    "bench": "Measure how fast random games are played.",
    "games": "List the bundled rulesheets.",
}
"""Each subcommand's name, which is also its file and its function, with its line in the help."""

WRONG_USE = (SettingsError, SpecError, GameError, SeatError, PlanError)


class WrongUse(click.ClickException):
    """What was asked for cannot be: an unknown game, a misspelled player or setting."""

    exit_code = 2


class LazyGroup(click.Group):
    """A group that imports a subcommand when it is used."""

    def list_commands(self, _ctx: click.Context) -> list[str]:
        """The names in the order of use."""
        return list(COMMANDS)

    def get_command(self, _ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The subcommand, imported now."""
        if cmd_name not in COMMANDS:
            return None
        command: click.Command = getattr(importlib.import_module(f"agent.cli.{cmd_name}"), cmd_name)
        return command

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        """The subcommands that begin so, without importing them."""
        names = [CompletionItem(name, help=text) for name, text in COMMANDS.items() if name.startswith(incomplete)]
        return names if incomplete[:1] != "-" else super().shell_complete(ctx, incomplete)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """The subcommand that is asked for; a misspelled one is answered with the right one."""
        if args and args[0] not in COMMANDS and not args[0].startswith("-"):
            near = difflib.get_close_matches(args[0], COMMANDS, n=1)
            hint = f"Did you mean {near[0]}?" if near else f"The commands are {', '.join(COMMANDS)}."
            ctx.fail(f"there is no command {args[0]:.40}. {hint}")
        return super().resolve_command(ctx, args)

    def format_commands(self, _ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The table of subcommands, without importing them."""
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))

    def invoke(self, ctx: click.Context) -> Any:  # noqa: ANN401 -- click's own signature
        """Runs the subcommand; an expected error becomes one message."""
        try:
            return super().invoke(ctx)
        except WRONG_USE as error:
            raise WrongUse(with_hint(error)) from error
        except (AgentError, ReasonerError, SearchError) as error:
            raise click.ClickException(with_hint(error)) from error


@click.group(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="ggp-agent")
def main() -> None:
    """A general game player: reads the rules of a game it has never seen, and plays it within the clock."""
