"""The command ggp-agent: one subcommand per file.

A subcommand's file is imported only when it runs, so that `--help` and `games` do not load kernels.
Exit codes: 0: success. 1: the check failed (faulty rules, an unfinished match). 2: wrong usage. 130: Ctrl-C, where a
command does not print what is known so far.

Parts of subcommands: `played`, `simulated`, `faults` and `check_settings` (check), `live` (match), `blind_step`,
`moves` and `picture` (step), `knowledge` (study), `certificates` and `kept_value` (solve), the files in `templates`
(new). Shared parts: `console`, `compiling` (progress of compilation), `completion` (of the shell), `descriptors`
(standard streams), `finite_range`, `hints` (after errors), `installed` (the command that installs an extra),
`interruption` (Ctrl-C), `outputs` (files), `paths` (types of options), `tables`, `words`.
"""

from __future__ import annotations

import contextlib
import difflib
import errno
import importlib
from collections.abc import Iterator
from typing import Any

import click
from click.shell_completion import CompletionItem

from agent.cli.descriptors import open_standard_descriptors
from agent.cli.hints import with_hint
from agent.errors import AgentError, SettingsError, SpecError
from agent.gamemaster.errors import GameError, SeatError
from agent.resources import DISTRIBUTION, own_version
from agent.tournament.errors import OtherResultsError, PlanError
from reasoner.errors import ReasonerError
from search.errors import SearchError

COMMANDS = {
    "play": "Play a game against the agent in the browser.",
    "serve": "Run the agent: answer game managers over HTTP.",
    "match": "Play a game between agents and record it.",
    "study": "Learn a game before the match, by self-play.",
    "tournament": "Play many matches between players, and rate them.",
    "new": "Write a template of a game or of a player.",
    "check": "Check rulesheets for errors.",
    "show": "Print an intermediate form of a game in the reasoner.",
    "convert": "Convert a rulesheet between KIF and infix notation.",
    "step": "Step through a game by hand.",
    "solve": "Compute the exact value of a game or position.",
    "puzzles": "Find positions with one best move, proven and graded.",
    "report": "Measure a rulesheet: balance, length, depth and more.",
    "bench": "Measure the speed of random playouts.",
    "games": "List the bundled rulesheets.",
    "doctor": "Report what this machine can run.",
}
"""Subcommands with their help lines. A name is also the name of the file and of the function."""

INTERRUPTED = 130
"""Exit code after Ctrl-C, the one that shells give."""

WRONG_USE = (SettingsError, SpecError, GameError, SeatError, PlanError, OtherResultsError)


FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EROFS, errno.EIO)
"""Error numbers of a full, read-only or broken disk; any output can raise them."""


class WrongUse(click.ClickException):
    """Wrong usage: an unknown game, a misspelled player or setting."""

    exit_code = 2


@contextlib.contextmanager
def expected_errors() -> Iterator[None]:
    """Turn an expected error into one message."""
    try:
        yield
    except WRONG_USE as error:
        raise WrongUse(with_hint(error)) from error
    except (AgentError, ReasonerError, SearchError) as error:
        raise click.ClickException(with_hint(error)) from error
    except RuntimeError as error:
        if "no locator available" not in str(error):  # numba's words for: no folder is writable
            raise
        raise click.ClickException(
            "no folder for compiled kernels is writable: set NUMBA_CACHE_DIR to a writable one"
        ) from error
    except KeyboardInterrupt:
        click.echo(err=True)  # a terminal shows ^C without a line break
        raise click.exceptions.Exit(INTERRUPTED) from None
    except UnicodeEncodeError as error:
        raise click.ClickException(
            f"the output's encoding, {error.encoding}, lacks the character {error.object[error.start]!a}: "
            "set PYTHONIOENCODING=utf-8"
        ) from error
    except OSError as error:
        if error.errno == errno.ENOENT and error.filename is None:  # of os.getcwd
            raise click.ClickException("the current folder was removed: change to another one") from error
        if error.errno not in FULL:
            raise
        raise click.ClickException(f"cannot write {error.filename or 'the output'}: {error.strerror}") from error


class LazyGroup(click.Group):
    """A group that imports a subcommand on use."""

    def list_commands(self, _ctx: click.Context) -> list[str]:
        """Return the names of the subcommands in the order of the help text."""
        return list(COMMANDS)

    def get_command(self, _ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import the subcommand."""
        if cmd_name not in COMMANDS:
            return None
        command: click.Command = getattr(importlib.import_module(f"agent.cli.{cmd_name}"), cmd_name)
        return command

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        """Complete the names of subcommands without importing them."""
        names = [CompletionItem(name, help=text) for name, text in COMMANDS.items() if name.startswith(incomplete)]
        return names if incomplete[:1] != "-" else super().shell_complete(ctx, incomplete)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Resolve the subcommand; suggest the nearest name for a misspelled one."""
        if args and args[0] not in COMMANDS and not args[0].startswith("-"):
            near = difflib.get_close_matches(args[0], COMMANDS, n=1)
            hint = f"Did you mean {near[0]}?" if near else f"The commands are {', '.join(COMMANDS)}."
            ctx.fail(f"unknown command {args[0]:.40}. {hint}")
        return super().resolve_command(ctx, args)

    def format_commands(self, _ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the table of subcommands without importing them."""
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))

    def make_context(
        self, info_name: str | None, args: list[str], parent: click.Context | None = None, **extra: object
    ) -> click.Context:
        """Read the options, among them --help, whose output may fail."""
        with expected_errors():
            return super().make_context(info_name, args, parent, **extra)

    def invoke(self, ctx: click.Context) -> Any:  # noqa: ANN401 -- click's own signature
        """Run the subcommand."""
        with expected_errors():
            return super().invoke(ctx)


@click.group(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(own_version(), package_name=DISTRIBUTION)
def main() -> None:
    """A general game player: it reads the rules of an unknown game and plays it within the clock."""
    open_standard_descriptors()
