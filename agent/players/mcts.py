"""The agent's own player: Monte Carlo tree search, in time slices so that it can switch to a faster machine."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from random import Random

import structlog

from agent.players.base import Game, Player, Turn
from agent.players.options import MctsOptions
from agent.players.thinking import thinking_of
from reasoner.lanes.machine import CircuitMachine
from reasoner.language.terms import Term
from reasoner.machine import Machine
from search import Search, SearchOptions
from search.errors import NetworkError, StorageError
from search.information.search import InformationSearch
from search.minimax.lesson import Lesson
from search.minimax.start_learning import learnable
from search.native.engine import default_threads
from search.network.storage import Model, load
from search.report import Report

SLICE = 0.1
"""Seconds of a search slice. After each slice, the player checks for a faster machine and offers the best move."""
LEFT = 3 * SLICE
"""Seconds that a single-player search waits for the build after each slice, because both may share one core."""
PAUSE = 0.02
"""Polling interval for messages in seconds, while waiting for a build."""
MAX_LATE_SHARE = 1 / 8
"""Maximum share of the play clock that a message may wait for a pondering simulation."""
ASKING = 0.1
"""Share of a turn, at its end, for the evaluation of the information gain of moves in GDL-II."""

log = structlog.get_logger()


class MctsPlayer(Player):
    """Player that searches until the clock ends, and on the opponents' time.

    With a circuit, the player uses a studied network of the game: from the file in the options, or from the knowledge
    folder, even if it is found there only after the start of the match. Without a network it uses a studied evaluation.
    """

    def __init__(self, options: SearchOptions) -> None:
        self._options = options
        self._file = options.network if isinstance(options, MctsOptions) else ""
        self._knows = options.knowledge if isinstance(options, MctsOptions) else True
        self._studied: Model | None = None
        self._lesson: Lesson | None = None  # of a study
        self._proves = False  # whether the search uses the proofs of a solver
        self._asked: Machine | None = None  # the machine for which they were looked up
        self._search: Search | None = None
        self._factors: str | None = None  # last logged subgames
        self._solved: bool | None = None  # last logged `solved`
        self._information: InformationSearch | None = None  # in GDL-II
        self._came = False  # whether a faster machine became ready while waiting
        self._began_at = 0.0  # when the search began
        self._slow = False  # whether a pondering simulation took so long that no other may start

    def limit(self, simulations: int) -> None:
        """Limit the simulations per move, and do not ponder."""
        if simulations:
            self._options = replace(self._options, simulations=simulations)

    def start(self, game: Game, turn: Turn) -> None:
        """Wait for the circuit, then search from the initial state until the start clock ends."""
        if self._await_circuit(game, turn):
            self._think(game, turn)

    def play(self, game: Game, turn: Turn) -> Term:
        """Return the best move found in time; at once if there is no choice."""
        self._slow = False
        if game.belief is not None:
            return self._informed(game, turn)
        search = self._search or self._renewed(game, turn)
        if not search.forced:
            search = self._think(game, turn)
        move = search.best()
        search.commit(move)
        report = search.report()
        self._tell_factors(report)
        self._log_solvers(report)
        return move

    def moved(self, game: Game, joint: tuple[Term, ...]) -> None:
        """Keep the subtree below the joint move."""
        if self._search is not None:
            self._search.advance(joint, game.state)

    def changed(self, game: Game) -> None:  # noqa: ARG002 the new search reads it later
        """Discard the search."""
        self._search = self._information = None

    def ponder(self, game: Game, turn: Turn) -> None:
        """Search on the opponents' time if the options allow it.

        A simulation cannot be interrupted by a message. It gets no more time than in the player's own turn. If one took
        a large part of the play clock, no further simulation is started.
        """
        if self._options.ponders and not self._slow and game.belief is None and self._await_circuit(game, turn):
            self._think(game, turn, within=max(game.play_clock, 2 * SLICE))

    def report(self) -> Mapping[str, float | str]:
        """Return the counts of the last search and its value in points (0..100)."""
        if self._information is not None:
            return self._knowledge(self._information)
        if self._search is None:
            return {}
        report = self._search.report()
        figures: dict[str, float | str] = {
            "simulations": report.simulations,
            "playouts": report.playouts,
            "seconds": round(report.seconds, 3),
            "nodes": report.nodes,
            "tree_bytes": report.tree_bytes,
        }
        if report.elsewhere:
            figures["elsewhere"] = report.elsewhere
        if report.factors:
            figures["factors"] = report.factors
            figures["looking"] = round(report.looking, 3)
        if report.solvers:
            figures["solvers"] = "; ".join(report.solvers)
        if report.by:
            figures |= {"by": report.by, "solved": "yes" if report.solved else "no"}
        if report.network:
            figures["network"] = report.network
        if report.moves:
            figures["value"] = round(report.value, 1)
        return figures

    def thinking(self) -> Mapping[str, object]:
        """Return the searched moves and the principal variation."""
        if self._information is not None:
            return thinking_of(self._information.report(), self._information.likeliest())
        if self._search is None:
            return {}
        report = self._search.report()
        return thinking_of(report, self._search.best() if report.moves else None)

    def _informed(self, game: Game, turn: Turn) -> Term:
        """Return the best move in GDL-II, from the belief."""
        if game.unready:
            log.warning("a random move is played", reason="the kernels for imperfect information are not compiled yet")
            return Random(self._options.seed + game.belief.turns if game.belief else 0).choice(game.legal)
        legal, asking = game.legal, turn.deadline - ASKING * max(turn.left(), 0.0)
        search = self._information = self._began(game, turn)
        while len(legal) > 1 and turn.clock.now() < asking and not turn.interrupted():
            turn.offer(search.likeliest())  # the first sweep of the search may take all the time
            search.think(min(asking, turn.clock.now() + SLICE), turn.interrupted, asking)
            turn.offer(search.likeliest())
            turn.tell(self.thinking)
            if game.improve():
                search = self._information = self._began(game, turn)
        return search.best(turn.deadline) if len(legal) > 1 else legal[0]

    def _began(self, game: Game, turn: Turn) -> InformationSearch:
        assert game.belief is not None
        return InformationSearch(game.belief, turn.clock, self._options.seed, mixes=self._options.mix_hidden)

    def _knowledge(self, search: InformationSearch) -> dict[str, float | str]:
        """Return figures of the last move in GDL-II."""
        report, belief = search.report(), search.belief
        return {
            "simulations": report.simulations,
            "playouts": report.playouts,
            "seconds": round(report.seconds, 3),
            "nodes": report.nodes,
            "states": len(belief.now.states),
            "exact": "yes" if belief.now.exact else "no",
            "fitted": round(belief.propagation.fitted / max(belief.propagation.tried, 1), 4),
            "died": belief.died,
            **({"value": round(report.value, 1)} if report.moves else {}),
        }

    def _think(self, game: Game, turn: Turn, within: float = math.inf) -> Search:
        search = self._search or self._renewed(game, turn)
        self._use_proofs(search, game)
        while self._slice(search, turn, within) or self._awaited(search, game, turn):
            if self._improved(game, turn) or self._found_since(game):
                search = self._renewed(game, turn)
                self._use_proofs(search, game)
                continue
            self._use_proofs(search, game)
            if not search.forced:
                turn.offer(search.best())
            turn.tell(self.thinking)  # also while pondering and with a forced move
        return search

    def _use_proofs(self, search: Search, game: Game) -> None:
        """Use the stored proofs of the game, once they are found."""
        if not self._proves and self._knows and (proofs := game.proofs()) is not None:
            self._proves = True
            search.use_proofs(proofs)

    def _awaited(self, search: Search, game: Game, turn: Turn) -> bool:
        """Wait for a faster machine if the search has finished; return whether it became ready."""
        if search.solved or self._options.simulations or turn.deadline == math.inf:
            return False
        self._came = not isinstance(game.machine, CircuitMachine) and self._comes(game, turn, turn.deadline)
        return self._came

    def _improved(self, game: Game, turn: Turn) -> bool:
        """Switch to a faster machine if one is ready and worthwhile; return whether it switched.

        Any circuit is far faster than the relational machine, and a single-player search leaves CPU time to the build
        of the circuit. A switch between circuits costs a new search, so it needs more remaining time than the search
        took so far.
        """
        came, self._came = self._came, False
        if came:
            return True
        now = turn.clock.now()
        if isinstance(game.machine, CircuitMachine):
            return turn.left() > now - self._began_at and game.improve()
        alone = len(game.machine.roles) == 1 and not self._options.simulations
        return game.improve() or (alone and self._comes(game, turn, now + LEFT))

    def _await_circuit(self, game: Game, turn: Turn) -> bool:
        """Wait for a circuit that is being built; return whether there is time left to search.

        A search on the relational machine would delay the build and the next move. One-player games are searched
        meanwhile, because they may be solved without a circuit.
        """
        alone = len(game.machine.roles) == 1
        if isinstance(game.machine, CircuitMachine) or not game.building or alone or self._options.simulations:
            return True
        if self._comes(game, turn, turn.deadline):
            self.changed(game)
        return not turn.over()

    def _comes(self, game: Game, turn: Turn, until: float) -> bool:
        """Wait for a faster machine; return whether it became ready."""
        while game.building and not turn.over() and (left := until - turn.clock.now()) > 0:
            if game.improve(min(PAUSE, left)):
                return True
        return False

    def _slice(self, search: Search, turn: Turn, within: float) -> bool:
        """Search for one slice; return whether to continue in this turn."""
        now = turn.clock.now()
        end = now + SLICE
        until, interrupted = min(turn.deadline, now + within), turn.interrupted
        search.think(until, lambda: turn.clock.now() >= end or interrupted(), interrupted)
        late = turn.clock.now() - end
        self._slow = late > MAX_LATE_SHARE * within
        return late >= 0 and not self._slow and not turn.over()

    def _tell_factors(self, report: Report) -> None:
        """Log the subgames once, and the seconds spent on factoring."""
        if report.factors != self._factors:
            self._factors = report.factors
            log.info("subgames", found=report.factors or "none: searched whole", seconds=round(report.looking, 3))

    def _log_solvers(self, report: Report) -> None:
        """Log the results of the single-player solvers: at the first move, and when the game is solved."""
        if report.solvers and report.solved != self._solved:
            self._solved = report.solved
            log.info("puzzle", solved=report.solved, points=report.line, found="; ".join(report.solvers))

    def _renewed(self, game: Game, turn: Turn) -> Search:
        self._began_at, self._proves = turn.clock.now(), False
        if isinstance(game.machine, CircuitMachine) and self._asked is not game.machine:
            self._asked, self._studied = game.machine, self._known(game)
            self._lesson = game.lesson() if self._knows and not self._file else None
        try:
            self._search = self._new_search(game, turn)
        except NetworkError as error:
            log.error("network", error=str(error), instead="a search without it")
            self._studied, self._knows = None, False
            self._search = self._new_search(game, turn)
        return self._search

    def _found_since(self, game: Game) -> bool:
        """Whether something studied has become available since the search began; the next search then uses it."""
        if self._studied or self._lesson or self._file or not self._knows or self._asked is not game.machine:
            return False
        if not game.studied() and not game.lesson():
            return False
        self._asked = None
        return True

    def _new_search(self, game: Game, turn: Turn) -> Search:
        options = self._options
        elsewhere = game.elsewhere(options, self._studied) if not options.simulations else None
        if self._lesson is not None and learnable(game.machine, options):
            lesson: Lesson | None = self._lesson.on_threads(options.threads or default_threads())
        else:
            lesson = self._search.lesson if self._search is not None else None
        return Search(game.machine, game.role, game.state, options, turn.clock, self._studied, elsewhere, lesson)

    def _known(self, game: Game) -> Model | None:
        """Load and log the studied network of the game."""
        try:
            studied = load(Path(self._file)) if self._file else game.studied() if self._knows else None
        except StorageError as error:
            log.error("network", error=str(error), instead="a search without it")
            return None
        if studied is not None:
            log.info("network", weight=studied.weight, prior=studied.prior, about=dict(studied.about))
        return studied
