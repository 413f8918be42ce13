"""The agent's own player: Monte Carlo tree search, thinking in slices so that a faster machine is taken up soon."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from random import Random

import structlog

from agent.errors import AgentError
from agent.players.base import Game, Player, Turn
from agent.players.features import features_from
from agent.players.options import MctsOptions
from agent.players.thinking import thinking_of
from reasoner.errors import ReasonerError
from reasoner.lanes.machine import CircuitMachine
from reasoner.language.terms import Term
from reasoner.machine import Machine
from search import Search, SearchOptions
from search.errors import NetworkError, StorageError
from search.evaluation.evaluation import Evaluation
from search.evaluation.features import CountedFeature, propose
from search.evaluation.learn import learn
from search.information.search import InformationSearch
from search.network.storage import Studied, load
from search.report import Report

SLICE = 0.1
"""Seconds between two looks at whether a faster machine is ready, and between two offers."""
LEFT = 3 * SLICE
"""Seconds that a search of one role leaves to a build after each slice, as both may share one core."""
PAUSE = 0.02
"""Seconds between two looks at whether a message has come, while nothing but a build is waited for."""
PATIENCE = 1 / 8
"""Share of the play clock that a message may have to wait for a simulation on the others' time."""
ASKING = 0.1
"""Share of a turn in which it is asked what moves would tell of the state, where that is not known."""
LEARNING = 1 / 4
"""Share of the time left in a turn that an evaluation may be learned in, ..."""
LONGEST_LEARNING = 5.0
"""... and seconds that it takes at most."""
LEAST_R2 = 0.1
"""An evaluation of proposed features that explains less of random games is not used: their ends say more."""

log = structlog.get_logger()


class MctsPlayer(Player):
    """Searches as long as the clock allows, and on the others' time.

    What was studied of the game is used where the machine is a circuit, also when it is found later than that: a file
    that the options name, or what the game knows of.
    """

    def __init__(self, options: SearchOptions) -> None:
        self._options = options
        self._file = options.network if isinstance(options, MctsOptions) else ""
        self._knows = options.knowledge if isinstance(options, MctsOptions) else True
        self._studied: Studied | None = None
        self._asked: Machine | None = None  # the machine that what was studied is for, also if nothing was
        self._features = options.features if isinstance(options, MctsOptions) else ""
        self._search: Search | None = None
        self._evaluation: Evaluation | None = None
        self._learned: Machine | None = None  # the machine that the evaluation is for, also if there is none
        self._factors: str | None = None  # what was last told of subgames
        self._solved: bool | None = None  # whether it was last told that the game is solved
        self._information: InformationSearch | None = None  # where the state is not known
        self._came = False  # whether a faster machine came while it was waited for
        self._began_at = 0.0  # when the search began
        self._slow = False  # whether a simulation on the others' time was too long to try another

    def limit(self, simulations: int) -> None:
        """Search with so many descents a position, and not on the others' time."""
        if simulations:
            self._options = replace(self._options, simulations=simulations)

    def start(self, game: Game, turn: Turn) -> None:
        """Search from the initial state until the start clock ends."""
        self._think(game, turn)

    def play(self, game: Game, turn: Turn) -> Term:
        """The best move found in time; at once where there is no choice."""
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
        self._tell_ideas(report)
        return move

    def moved(self, game: Game, joint: tuple[Term, ...]) -> None:
        """Keep the part of the tree below what was played."""
        if self._search is not None:
            self._search.advance(joint, game.state)

    def changed(self, game: Game) -> None:  # noqa: ARG002 a new search reads it when it begins
        """Begin a new search."""
        self._search = self._information = None

    def ponder(self, game: Game, turn: Turn) -> None:
        """Search on the others' time where the options allow it.

        A message may come at any moment, and nobody can interrupt a simulation: it gets no more time than one in
        one's own turn would, and where it took a good part of the play clock there is no second.
        """
        if self._options.ponders and not self._slow and game.belief is None:
            self._think(game, turn, within=max(game.play_clock, 2 * SLICE))

    def report(self) -> Mapping[str, float | str]:
        """The counts of the last move's search, and its value in points (0..100)."""
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
        if report.ideas:
            figures["ideas"] = "; ".join(report.ideas)
        if report.by:
            figures |= {"by": report.by, "solved": "yes" if report.solved else "no"}
        if report.network:
            figures["network"] = report.network
        if report.moves:
            figures["value"] = round(report.value, 1)
        if self._evaluation is not None:
            figures["r2"] = " ".join(f"{r2:.2f}" for r2 in self._evaluation.r2)
        return figures

    def thinking(self) -> Mapping[str, object]:
        """Every move that was looked at, and the line expected."""
        if self._information is not None:
            return thinking_of(self._information.report(), self._information.likeliest())
        if self._search is None:
            return {}
        report = self._search.report()
        return thinking_of(report, self._search.best() if report.moves else None)

    def _informed(self, game: Game, turn: Turn) -> Term:
        """The best move by what is known, where the state is not."""
        if game.unready:
            log.warning("a move at random", reason="the kernels of hidden games are still being compiled")
            return Random(self._options.seed + game.belief.turns if game.belief else 0).choice(game.legal)
        legal, asking = game.legal, turn.deadline - ASKING * max(turn.left(), 0.0)
        search = self._information = self._began(game, turn)
        while len(legal) > 1 and turn.clock.now() < asking and not turn.interrupted():
            turn.offer(search.likeliest())  # before there is a search, too: its first sweep may take all the time
            search.think(min(asking, turn.clock.now() + SLICE), turn.interrupted, asking)
            turn.offer(search.likeliest())
            turn.tell(self.thinking)
            if game.improve():
                search = self._information = self._began(game, turn)
        return search.best(turn.deadline) if len(legal) > 1 else legal[0]

    def _began(self, game: Game, turn: Turn) -> InformationSearch:
        assert game.belief is not None
        return InformationSearch(game.belief, turn.clock, self._options.seed, mixes=self._options.equilibrium)

    def _knowledge(self, search: InformationSearch) -> dict[str, float | str]:
        """Figures of the last move where the state is not known."""
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
        while self._slice(search, turn, within) or self._awaited(search, game, turn):
            if self._improved(game, turn) or self._found_since(game):
                search = self._renewed(game, turn)
                continue
            if not search.forced:
                turn.offer(search.best())
            turn.tell(self.thinking)  # also on the others' time, where one's own move is forced
        return search

    def _awaited(self, search: Search, game: Game, turn: Turn) -> bool:
        """Whether a faster machine comes in this turn, where nothing else is left to do: moves are not taken back."""
        if search.solved or self._options.simulations or turn.deadline == math.inf:
            return False
        self._came = not isinstance(game.machine, CircuitMachine) and self._comes(game, turn, turn.deadline)
        return self._came

    def _improved(self, game: Game, turn: Turn) -> bool:
        """Whether there is a faster machine, and time to use it.

        Any circuit is far better than the relational machine, and one role, which nobody hurries, leaves its build
        some time; from one circuit to a better one a new search takes the time again that was spent.
        """
        came, self._came = self._came, False
        if came:
            return True
        now = turn.clock.now()
        if isinstance(game.machine, CircuitMachine):
            return turn.left() > now - self._began_at and game.improve()
        alone = len(game.machine.roles) == 1 and not self._options.simulations
        return game.improve() or (alone and self._comes(game, turn, now + LEFT))

    def _comes(self, game: Game, turn: Turn, until: float) -> bool:
        """Wait for a faster machine; whether it came."""
        while game.building and not turn.over() and (left := until - turn.clock.now()) > 0:
            if game.improve(min(PAUSE, left)):
                return True
        return False

    def _slice(self, search: Search, turn: Turn, within: float) -> bool:
        """Search for a while; whether there is more to be done in this turn."""
        now = turn.clock.now()
        end = now + SLICE
        search.think(min(turn.deadline, now + within), lambda: turn.clock.now() >= end or turn.interrupted())
        late = turn.clock.now() - end
        self._slow = late > PATIENCE * within
        return late >= 0 and not self._slow and not turn.over()

    def _tell_factors(self, report: Report) -> None:
        """Log into what the game came apart, or that it does not, once; and how long was spent on looking so far."""
        if report.factors != self._factors:
            self._factors = report.factors
            log.info("subgames", found=report.factors or "none: searched whole", seconds=round(report.looking, 3))

    def _tell_ideas(self, report: Report) -> None:
        """Log what the ways to solve a game of one role found: with the first move, and when it is solved."""
        if report.ideas and report.solved != self._solved:
            self._solved = report.solved
            log.info("puzzle", solved=report.solved, points=report.line, found="; ".join(report.ideas))

    def _renewed(self, game: Game, turn: Turn) -> Search:
        self._began_at = turn.clock.now()
        if self._options.cutoff and self._learned is not game.machine:
            self._learn(game, turn)
        if isinstance(game.machine, CircuitMachine) and self._asked is not game.machine:
            self._asked, self._studied = game.machine, self._known(game)
        try:
            self._search = self._new_search(game, turn)
        except NetworkError as error:
            log.error("network", error=str(error), instead="a search without it")
            self._studied, self._knows = None, False
            self._search = self._new_search(game, turn)
        return self._search

    def _found_since(self, game: Game) -> bool:
        """Whether something was found that the search under way does not know; it is then asked for again."""
        if self._studied or self._file or not self._knows or self._asked is not game.machine or not game.studied():
            return False
        self._asked = None
        return True

    def _new_search(self, game: Game, turn: Turn) -> Search:
        options = self._options
        elsewhere = game.elsewhere(options, self._studied) if not options.simulations else None
        known = self._trusted(game), self._studied, elsewhere
        return Search(game.machine, game.role, game.state, options, turn.clock, *known)

    def _known(self, game: Game) -> Studied | None:
        """What was studied of the game, told in the log."""
        try:
            studied = load(Path(self._file)) if self._file else game.studied() if self._knows else None
        except StorageError as error:
            log.error("network", error=str(error), instead="a search without it")
            return None
        if studied is not None:
            log.info("network", weight=studied.weight, prior=studied.prior, about=dict(studied.about))
        return studied

    def _learn(self, game: Game, turn: Turn) -> None:
        """Fit an evaluation on random play from here, where the game has a circuit and several roles."""
        machine, now = game.machine, turn.clock.now()
        self._learned, self._evaluation = machine, None
        if isinstance(machine, CircuitMachine) and len(machine.roles) > 1:
            deadline = now + min(LEARNING * turn.left(), LONGEST_LEARNING)
            features = self._read(machine)
            self._evaluation = learn(machine, features, game.state, self._options.seed, turn.clock, deadline)
            told = self._evaluation.told(machine.roles) if self._evaluation else "none: no random game ended in time"
            log.info("evaluation", fit=told, seconds=round(turn.clock.now() - now, 3))

    def _trusted(self, game: Game) -> Evaluation | None:
        """The evaluation, where it says enough of one's own goal or its features were given."""
        found = self._evaluation
        return found if found is not None and (self._features or found.r2[game.role] >= LEAST_R2) else None

    def _read(self, machine: CircuitMachine) -> tuple[CountedFeature, ...]:
        """The features of the file, or those proposed where there is none or it does not fit the game."""
        if self._features:
            try:
                return features_from(self._features, machine)
            except (AgentError, ReasonerError) as error:
                log.warning("features", error=str(error), instead="those proposed from the rules")
        return propose(machine.circuit)
