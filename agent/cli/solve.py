"""`ggp-agent solve`: the exact value of a position, and certificates that prove it."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import click

from agent.cli.certificates import check_certificate, write_certificate
from agent.cli.completion import complete_game
from agent.cli.console import SLICE_SECONDS, counter, progress_console
from agent.cli.finite_range import FiniteRange
from agent.cli.interruption import interruptible
from agent.cli.kept_value import KeptValue
from agent.cli.outputs import check_outputs, writing
from agent.cli.paths import FILE, READABLE_FILE
from agent.cli.words import counted
from agent.gamemaster.games import find_game

if TYPE_CHECKING:
    from rich.status import Status

    from reasoner.machine import Machine, State
    from search.solve import Solution
    from search.solver import Solver
    from search.solver.job_tree import JobTree
    from search.solver.state_table import StateTable
    from search.solver.strategy import Strategy

FIRST_SECONDS = 1.0
"""Seconds of search on this machine before a cluster is used."""
LONG_SECONDS = 10.0
"""A value that took as long is kept with its proofs, and told before the search for the distance to the win."""


@click.command()
@click.argument("game", required=False, shell_complete=complete_game)
@click.option(
    "--position", metavar="FACTS", help='The true facts, as "((cell 1 1 b) (control x))". Default: the start.'
)
@click.option("--after", "moves", multiple=True, metavar="MOVE", help="Solve the position after this move; repeatable.")
@click.option(
    "--minutes", type=FiniteRange(min=0, min_open=True), default=10.0, show_default=True, help="Maximum time."
)
@click.option("--threads", type=click.IntRange(1, 256), help="Processors to use. Default: all.")
@click.option("--memory", type=click.IntRange(8, 2**20), default=1024, show_default=True, help="MiB for positions.")
@click.option("--table", type=FILE, metavar="FILE", help="Keep the positions in FILE; continue with those in it.")
@click.option("--cluster", metavar="ADDRESS", help="Search on all nodes of a Ray cluster: HOST:PORT, auto, or local.")
@click.option("--certificate", type=FILE, metavar="FILE", help="Write a strategy of each role, for --check.")
@click.option(
    "--check",
    type=READABLE_FILE,
    metavar="FILE",
    help="Check a certificate instead.",
)
@click.option("--json", "as_json", is_flag=True, help="Print the result as JSON.")
def solve(
    game: str | None,
    position: str | None,
    moves: tuple[str, ...],
    minutes: float,
    threads: int | None,
    memory: int,
    table: Path | None,
    cluster: str | None,
    certificate: Path | None,
    check: Path | None,
    as_json: bool,
) -> None:
    """Compute the exact value of GAME, for one role or for two opposed roles, and how soon a role wins.

    GAME may have chance or simultaneous moves if all its states fit into the memory. In any other game whose roles take
    turns, the command computes the goal that each role can force, whatever all others do.

    --after gives moves in the order of steps and roles; omit roles without a choice. With --certificate, the result is
    a file that proves the value: a move for every answer. --check replays such a file with the relational engine, which
    shares no code with the solver. The value of a game is stored. A later call without --certificate and --table prints
    it at once. Ctrl-C prints what is known. Exit code 1: not solved in the time, or the certificate is wrong.
    """
    if check is not None:
        if game is not None:
            raise click.UsageError("--check reads the rules from the certificate: omit GAME")
        check_certificate(check, as_json)
        return
    if game is None:
        raise click.UsageError("name a GAME, or a certificate with --check")
    check_outputs(game, table, certificate)
    _check_options(position, moves, cluster, table, certificate)
    from reasoner.platform_calls import usable_processors  # late import: not needed for --help

    sheet = find_game(game)
    kept = KeptValue(sheet.text) if position is None and not moves else None
    if kept is not None and kept.solution is not None and table is None and certificate is None:
        _show(kept.roles, kept.solution, as_json, kept.text)
        return
    machine, threads = loaded(sheet.text), threads or usable_processors()
    state = _state(machine, position, moves)
    if len(machine.roles) == 1:
        if table is not None or cluster is not None:
            raise click.UsageError("--table and --cluster are for games of two roles")
        result = _solve_puzzle(machine, state, 60 * minutes, threads, memory)
    else:
        with writing(table), _fitting(memory), progress_console().status("solving") as status:
            work = _Work(sheet.text, cluster, threads, memory, status, _Teller(machine.roles, kept))
            result = _solved(machine, state, 60 * minutes, work, table, certificate is None)
    found = result.solution
    _show(machine.roles, found, as_json, kept.keep(found) if kept is not None else "", result.more)
    if certificate is not None and (found.solved or found.line):
        facts = None if position is None and not moves else sorted(map(str, machine.facts(state)))
        write_certificate(certificate, sheet.text, facts, result.strategies)
    if not found.solved:
        raise click.exceptions.Exit(1)


def _check_options(
    position: str | None, moves: tuple[str, ...], cluster: str | None, table: Path | None, certificate: Path | None
) -> None:
    """Raise UsageError for options that exclude each other, and ClusterError if the cluster does not answer."""
    if position is not None and moves:
        raise click.UsageError("--position and --after exclude each other")
    if cluster is not None and (table is not None or certificate is not None):
        raise click.UsageError("--cluster has no proof in one place: omit --table and --certificate")
    if cluster is not None:
        from agent.cluster.connection import check_address  # late import: not needed for --help

        check_address(cluster)


def loaded(rules: str) -> Machine:
    """Build the circuit of a game, and compile its kernels and those of the solver. Shows the progress."""
    from agent.cli.compiling import CompilingDisplay  # late import: it loads compiled kernels
    from reasoner import load_text
    from reasoner.jit_progress import compiling
    from search.errors import UnsolvableError
    from search.solver import Solver

    with CompilingDisplay() as display, compiling(display.tell):
        machine = load_text(rules, engine="circuit")
        if len(machine.roles) > 1:
            with suppress(UnsolvableError):  # reported by the search
                Solver(machine, role=0, memory_mib=1).run(0.0)
    return machine


class _Work(NamedTuple):
    """Where the search of a game runs."""

    rules: str
    cluster: str | None  # its address
    threads: int
    memory: int  # MiB
    status: Status
    teller: _Teller


class _Teller(NamedTuple):
    """What tells and keeps a value before the distance to the win is known."""

    roles: tuple[str, ...]
    kept: KeptValue | None

    def tell(self, found: Solution, solver: Solver) -> None:
        """Keep a value; if a role wins, print it to standard error; then keep the longest proofs."""
        if found.goals is None:
            return
        if self.kept is not None:
            self.kept.keep(found)
        if solver.winner is not None:
            goals = ", ".join(f"{role}: {goal:g}" for role, goal in zip(self.roles, found.goals, strict=True))
            click.echo(
                f"{goals}; {found.positions:,} positions in {found.seconds:.1f} s. Now the number of moves to the win"
                " (Ctrl-C skips this)",
                err=True,
            )
        if self.kept is not None:
            with suppress(KeyboardInterrupt):
                self.kept.keep_proofs(solver.kept_proofs())


class _Found(NamedTuple):
    """What a search found, its solvers (none: a puzzle), and how a later call can continue it (empty: it cannot)."""

    solution: Solution
    solvers: list[Solver]
    more: str = ""
    puzzle: str | None = None  # the only role

    def strategies(self, progress: Callable[[int], None]) -> list[Strategy]:
        """Return the strategies of a certificate. progress: called with the number of positions found so far."""
        from search.solve import strategy_of_line  # late import: it loads compiled kernels
        from search.solver.strategy import strategies

        if self.puzzle is not None:
            return [strategy_of_line(self.puzzle, self.solution)]
        return [each for solver in self.solvers for each in strategies(solver, progress)]


def _solved(
    machine: Machine, state: State, seconds: float, work: _Work, table: Path | None, all_states: bool
) -> _Found:
    """Solve a position: by proof search, by a table if `all_states`, or only for the goals that roles can force."""
    from search import MonotonicClock  # late import: it loads compiled kernels
    from search.errors import SimultaneousError, UnopposedError, UnsolvableError
    from search.solve import TABLE_SHARE, force, hurry, solution_of
    from search.solver import Solver, with_opposed_ends

    began, status, clock = time.monotonic(), work.status, MonotonicClock()
    try:
        solver = with_opposed_ends(Solver(machine, state, memory_mib=work.memory, threads=work.threads, file=table))
        if work.cluster is not None:
            _run_on(work.cluster, solver, seconds, work)
        else:
            _run(solver, seconds, status)
        spent = time.monotonic() - began
        if spent >= LONG_SECONDS:
            work.teller.tell(solution_of(solver, spent), solver)
        hurrying = hurry(solver, spent, seconds, lambda each, left: _run(each, left, status))
        found = solution_of(solver, time.monotonic() - began, hurrying)
        last = solver if hurrying is None or found.distance is None else hurrying
        return _Found(found, [last], _how_to_continue(work.cluster, table))
    except (SimultaneousError, UnopposedError) as error:
        if table is not None:
            raise click.ClickException(f"{error}; --table is for games of two opposed roles") from None
        if isinstance(error, SimultaneousError) and not all_states:
            raise click.ClickException(f"{error}; --certificate is for roles that take turns") from None
        with interruptible() as stopped:
            if isinstance(error, SimultaneousError):
                return _Found(_by_table(machine, state, seconds, work, stopped), [])
            if all_states:
                with suppress(UnsolvableError):
                    found = _by_table(machine, state, TABLE_SHARE * seconds, work, stopped)
                    if found.solved:
                        return _Found(found, [])
            status.update(f"{error}; computing the goal that each role can force")
            left = began + seconds - time.monotonic()
            return _Found(*force(machine, state, left, work.threads, work.memory, clock, stopped))


def _how_to_continue(cluster: str | None, table: Path | None) -> str:
    """Return how a later call can continue a proof search that did not end."""
    kept = ", and --table FILE to continue later" if table is None else f"; the next call continues with {table}"
    return kept if cluster is None else "; a cluster keeps no positions: --table FILE without --cluster does"


def _by_table(machine: Machine, state: State, seconds: float, work: _Work, stopped: Callable[[], bool]) -> Solution:
    """Solve a position by a table of all states."""
    from search import MonotonicClock  # late import, as above
    from search.solve import solve_by_table

    show = counter(work.status, "finding all states: {:,}")

    def watch(table: StateTable) -> bool:
        show(table.states)
        return stopped()

    return solve_by_table(machine, state, seconds, work.memory, MonotonicClock(), watch)


@contextmanager
def _fitting(memory: int) -> Iterator[None]:
    """Turn a lack of memory into a message."""
    try:
        yield
    except MemoryError:
        raise click.ClickException(
            f"this machine has no {memory} MiB of memory for positions: lower --memory"
        ) from None


def _state(machine: Machine, position: str | None, moves: tuple[str, ...]) -> State:
    """Return the position to solve."""
    if position is not None:
        from reasoner.errors import StateError, TermError  # late imports, as above
        from reasoner.language.parse import read_terms

        try:
            return machine.state(map(str, read_terms(position)))  # text: an impossible fact is then refused by name
        except (TermError, StateError) as error:
            start = " ".join(sorted(map(str, machine.facts(machine.initial()))))
            raise click.UsageError(f"--position: {error}; the start is, as an example, ({start})") from None
    if moves:
        from agent.cli.moves import state_after  # late import, as above

        return state_after(machine, moves)
    return machine.initial()


def _run(solver: Solver, seconds: float, status: Status) -> None:
    """Search until the score is known, the time is over or the user interrupts, and show the progress."""
    began, end = time.monotonic(), time.monotonic() + seconds
    with suppress(KeyboardInterrupt):
        while not solver.solved and (now := time.monotonic()) < end:
            solver.run(min(SLICE_SECONDS, end - now))
            rate = solver.expansions / max(time.monotonic() - began, 1e-9)
            known, tried = _progress(solver)
            status.update(
                f"{known}: {solver.expansions:,} positions, {rate:,.0f} per s;"
                f" {tried} has proof number {solver.proof:,}, disproof number {solver.disproof:,}"
            )


def _run_on(cluster: str, solver: Solver, seconds: float, work: _Work) -> None:
    """Search here for some seconds, then on all nodes of a cluster."""
    from agent.cluster.solving import ClusterSolvers  # late imports, as above
    from search import MonotonicClock
    from search.solver.job_tree import solve_by_jobs

    began = time.monotonic()
    _run(solver, min(FIRST_SECONDS, seconds), work.status)
    if solver.solved:
        return
    with closing(ClusterSolvers(cluster, work.rules, work.memory)) as workers, suppress(KeyboardInterrupt):

        def show(tree: JobTree) -> None:
            _, _, proof, disproof = tree.root.numbers
            known, tried = _progress(solver)
            work.status.update(
                f"{known}: {workers.width} processors, {solver.expansions:,} positions;"
                f" {tried} has proof number {proof:,}, disproof number {disproof:,}"
            )

        solve_by_jobs(solver, workers, began + seconds - time.monotonic(), MonotonicClock(), show)


def _progress(solver: Solver) -> tuple[str, str]:
    """Return what is known of the score, and what the solver tries to prove."""
    from search.solver.solver import HORIZON  # late import, as above

    role = solver.machine.roles[solver.first]
    if not solver.hurries:
        span = str(solver.low) if solver.solved else f"{solver.low} to {solver.high}"
        return f"{role} gets {span}", f"{solver.trying} or more"
    least, most = solver.distance
    span = f"{least} to {most} moves" if most <= HORIZON else f"{least} moves or more"
    return f"{role} wins in {span} (Ctrl-C skips this)", f"at most {HORIZON - solver.trying} moves"


def _show(roles: tuple[str, ...], found: Solution, as_json: bool, kept: str, more: str = "") -> None:
    """Print the result, where it is kept, and how to continue."""
    if as_json:
        record = {
            "solved": found.solved,
            "goals": dict(zip(roles, found.goals, strict=True)) if found.goals is not None else None,
            "bounds": dict(zip(roles, found.bounds, strict=True)),
            "line": found.line,
            "distance": found.distance,
            "mixed": {role: dict(options) for role, options in zip(roles, found.mixed, strict=False)},
            "positions": found.positions,
            "seconds": round(found.seconds, 3),
            "kept": kept or None,
        }
        click.echo(json.dumps(record, indent=1))
    else:
        _show_text(roles, found, more)
        if kept:
            click.echo(kept)


def _show_text(roles: tuple[str, ...], found: Solution, more: str) -> None:
    for role, (low, high) in zip(roles, found.bounds, strict=True):
        forced = found.solved and found.goals is None
        other = f"{role}: at least {low:g}, whatever the others do" if forced else f"{role}: {low:g} to {high:g}"
        click.echo(f"{role}: {low:g}" if low == high else other)
    if found.distance is not None and found.goals is not None:
        winner = roles[found.goals.index(max(found.goals))]
        click.echo(f"{winner} wins in {counted(found.distance, 'move')}, those without a choice included")
    for role, options in zip(roles, found.mixed, strict=False):
        ordered = sorted(options, key=lambda option: -option.probability)
        click.echo(f"{role} plays {', '.join(f'{option.move} {option.probability:.0%}' for option in ordered)}")
    if found.line:
        which = " with a choice" if len(roles) > 1 else ""  # the line of a puzzle has all moves
        click.echo(f"best play, {counted(len(found.line), 'move')}{which}: {', '.join(found.line)}")
    if not found.solved:
        click.echo(f"not solved: give more --minutes{more}")
    click.echo(f"{found.positions:,} positions in {found.seconds:.1f} s")


def _solve_puzzle(machine: Machine, state: State, seconds: float, threads: int, memory: int) -> _Found:
    """Solve a game of one role."""
    from search import MonotonicClock  # late import, as above
    from search.solve import solve_puzzle

    with progress_console().status("solving"), interruptible() as stopped:
        found = solve_puzzle(machine, state, seconds, threads, memory, MonotonicClock(), stopped)
    return _Found(found, [], puzzle=machine.roles[0])
