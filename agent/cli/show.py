"""`ggp-agent show`: the intermediate forms of a game in the reasoner, as text."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import click

from agent.cli.completion import complete_game
from agent.errors import KnowledgeError, SettingsError
from agent.gamemaster.games import find_game
from agent.settings import load_settings

if TYPE_CHECKING:
    from reasoner.circuit.circuit import Circuit
    from reasoner.rewrite.passes import Pass
    from search.minimax.lesson import Lesson

STAGE_NAMES = (
    "parsed",
    "rules",
    "strata",
    "static",
    "rewritten",
    "ground",
    "circuit",
    "state",
    "factors",
    "plan",
    "features",
)

PLANNING = 10.0
"""Seconds of search for a plan."""
LONGEST_PLAN = 1000
"""Maximum moves of a plan shown."""
LEARNING = 10.0
"""Seconds of learning for the features."""


@click.command()
@click.argument("game", shell_complete=complete_game)
@click.option("--stage", type=click.Choice(STAGE_NAMES), default="rules", show_default=True, help="What to print.")
@click.option("--with", "on", multiple=True, metavar="PASS", help="Enable a rewriting, for `rewritten`.")
@click.option("--without", "off", multiple=True, metavar="PASS", help="Disable a rewriting.")
@click.option("--json", "as_json", is_flag=True, help="Print the stage as JSON.")
@click.option("--dot", "as_dot", is_flag=True, help="Print `factors` as a graph for Graphviz.")
@click.option("--after", "moves", multiple=True, metavar="MOVE", help="Print `factors` after this move; repeatable.")
def show(
    game: str,
    stage: str,
    on: tuple[str, ...],
    off: tuple[str, ...],
    as_json: bool,
    as_dot: bool,
    moves: tuple[str, ...],
) -> None:
    """Print a stage of GAME (a bundled name, a file or a URL).

    parsed: the syntax tree; rules: the normal form; strata: the order of evaluation; static: the constant facts;
    rewritten: the rules before grounding; ground: rules without variables; circuit: the gates; state: the initial
    state; factors: the independent subgames, optionally after moves (one --after per move, in the order of steps and
    roles; omit roles without a choice); plan: for a game of one role, the best line found in ten seconds, and the
    result of each solver; features: features that are generated from the rules, and in games of pieces the evaluation
    that was learned in a study, or else that a match would learn in a start clock of twenty seconds, with all weights,
    the largest first.
    """
    if moves and stage != "factors":
        raise click.UsageError("--after needs `--stage factors`")
    if as_dot and (stage != "factors" or as_json):
        raise click.UsageError("--dot needs `--stage factors`, without --json")
    from reasoner.stages import STAGES, rewritten  # late import: not needed for --help

    passes = _passes(on, off) if on or off or stage == "rewritten" else ()
    text = find_game(game).text
    if stage == "factors":
        click.echo(_factors(text, moves, as_json, as_dot))
        return
    if stage == "plan":
        click.echo(_plan(text, as_json))
        return
    if stage == "features":
        click.echo(_features(text, as_json))
        return
    shown = rewritten(text, passes) if stage == "rewritten" else STAGES[stage](text)
    click.echo(json.dumps(shown.data, indent=1) if as_json else shown.text)


def _passes(on: tuple[str, ...], off: tuple[str, ...]) -> tuple[Pass, ...]:
    from reasoner.rewrite.optional import chosen  # late import: it loads compiled kernels

    try:
        return chosen(on, off)
    except ValueError as error:
        raise click.UsageError(str(error)) from None


def _factors(text: str, moves: tuple[str, ...], as_json: bool, as_dot: bool) -> str:
    """Format the subgames of a game after moves."""
    from reasoner.stages import built  # late import, as above
    from search.factoring import factor, show

    circuit = built(text)
    if moves:
        circuit = _left(circuit, text, moves)
    found = factor(circuit)
    if as_json:
        return json.dumps(show.data(circuit, found), indent=1)
    return (show.dot if as_dot else show.text)(circuit, found)


def _plan(text: str, as_json: bool) -> str:
    """Format the best line of a game of one role, and the solver that found it."""
    from reasoner import load_text  # late import, as above
    from reasoner.rules.chance import is_chance
    from search import MonotonicClock, Search, SearchOptions

    machine, clock = load_text(text), MonotonicClock()
    if len(machine.roles) != 1 or is_chance(machine.roles[0]):
        raise click.UsageError("--stage plan needs a game of one role, which is not chance")
    state = machine.initial()
    search = Search(machine, 0, state, SearchOptions(), clock)
    search.think(clock.now() + PLANNING)
    told, line = search.report(), list[str]()
    while not machine.terminal(state) and machine.legal(state)[0] and len(line) < LONGEST_PLAN:
        joint = (search.best(),)
        line.append(str(joint[0]))
        state = machine.next(state, joint)
        search.advance(joint, state)
    found = {"points": machine.goal(state)[0], "proven": told.solved, "by": told.by, "moves": line}
    if as_json:
        return json.dumps({**found, "solvers": list(told.solvers)}, indent=1)
    proven = ", proven" if told.solved else ""
    head = f"{found['points']} points in {len(line)} moves{proven}; found by {told.by or 'the tree search'}"
    return "\n".join([head, *(f"  {solver}" for solver in told.solvers), *line])


def _features(text: str, as_json: bool) -> str:
    """Format generated features and, in games of pieces, the features of a learned evaluation."""
    from reasoner import load_text  # late import, as above
    from search import MonotonicClock, SearchOptions, warm_up
    from search.features.generate import generate_features
    from search.features.weights import Weighed, show, weigh
    from search.minimax.start_learning import StartLearning, has_pieces
    from search.native.search import NativeSearch

    machine, options, clock = load_text(text), SearchOptions(threads=1), MonotonicClock()
    features = generate_features(machine).features
    weighed: Weighed | None = None
    data: dict[str, object] = {"used": False, "features": []}
    head = "; no evaluation: only games of two roles with pieces that can be captured learn one"
    studied = _studied_evaluation(text) if has_pieces(machine) else None
    if studied is not None:
        data = studied.data()
        head = f"; learned in a study, in {studied.seconds:.0f} seconds\n{studied.text(machine.roles[0])}"
    elif has_pieces(machine):
        warm_up()
        learning = StartLearning(machine, options, clock)
        other = NativeSearch(machine, 0, machine.initial(), options, clock)
        while not learning.finished:
            learning.run(other, clock.now() + 2 * LEARNING, None)
        if learning.lesson is None or learning.sample is None:
            head = f"; no evaluation: {learning.fault or 'no game of self-play ended in ten seconds'}"
        else:
            data, head = learning.lesson.data(), learning.lesson.text(machine.roles[0])
            weighed = weigh(machine, learning.sample, features)
    generated, shown = show(features, weighed)
    return json.dumps({**data, "generated": generated}, indent=1) if as_json else f"{head}\n{shown}"


def _studied_evaluation(text: str) -> Lesson | None:
    """Return the stored evaluation of a game, if matches use studied games and there is one."""
    from agent.knowledge.folder import identity_of, knowledge_of  # late imports, as above
    from search.errors import StorageError

    try:
        settings = load_settings().knowledge
        stored = knowledge_of(settings).find_evaluation(identity_of(text)) if settings.use else None
    except (KnowledgeError, SettingsError, StorageError) as fault:
        click.echo(f"the studied evaluation is not shown: {fault}", err=True)
        return None
    return stored.lesson if stored is not None else None


def _left(circuit: Circuit, text: str, moves: tuple[str, ...]) -> Circuit:
    """Return the circuit of the subgames that remain after moves."""
    from agent.cli.moves import state_after  # late import, as above
    from reasoner import load_text
    from search.subgames.restricted_circuit import packed, residual

    machine = load_text(text, engine="relational")
    facts = set(map(str, machine.facts(state_after(machine, moves))))
    bits = [str(base) in facts for base in circuit.bases]
    return residual(circuit, packed(bits)).circuit
