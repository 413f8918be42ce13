"""Find faults of a rulesheet by random play.

The checks: games begin and end, no state lasts forever, every role can move, each role has one goal and it is in
range, and `base` and `input` declare all facts and moves that occur. Each fault has the shortest sequence of joint
moves found that leads to it. A found fault is certain; if no fault is found, there may still be faults.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from reasoner.errors import LimitError
from reasoner.language.terms import Compound, Constant, Term, Variable
from reasoner.machine import State
from reasoner.relational.limits import TERM_FIX
from reasoner.relational.machine import RelationalMachine
from reasoner.rules.chance import is_chance
from reasoner.rules.points import FULL, points_of

Joint = tuple[Term, ...]

FAULTS = {
    "terminal-at-start": "the game is over before the first move",
    "endless-play": "the game is not over after the maximum number of steps",
    "stuck-play": "the game never ends: each role has one legal move, and the state comes back",
    "no-legal-move": "a role has no legal move in a state that is not terminal",
    "no-goal": "a role has no goal in a terminal state",
    "several-goals": "a role has several goals in a terminal state",
    "goal-out-of-range": "a goal is not an integer from 0 to 100",
    "term-too-large": "the rules build a term past the limits of the relational engine",
    "undeclared-fact": "a fact occurs that `base` does not declare",
    "undeclared-move": "a move is legal that `input` does not declare",
}

FIXES = {
    "terminal-at-start": "Check the rules of `terminal` and the `init` facts.",
    "endless-play": "Count the steps, and let `terminal` hold at the last one.",
    "stuck-play": "Let `terminal` hold in this state, or correct the rules of `next` and `legal` that lead there.",
    "no-legal-move": "Add a rule for its moves, such as (<= (legal ROLE noop) …).",
    "no-goal": "Add a `goal` rule that applies in this state.",
    "several-goals": "Let the bodies of the `goal` rules exclude each other.",
    "goal-out-of-range": "Scale the goals to 0..100.",
    "term-too-large": TERM_FIX,
    "undeclared-fact": "Add a `base` rule for it, or leave `base` out.",
    "undeclared-move": "Add an `input` rule for it, or leave `input` out.",
}
_IDLE = ("noop", "pass", "wait", "skip")
"""Common names of moves without effect."""
_SHOWN_CYCLE = 4  # maximum joint moves shown of those that repeat


@dataclass(frozen=True, slots=True)
class Fault:
    """A fault and the joint moves from the initial state to the state that shows it."""

    code: str
    detail: str
    moves: tuple[Joint, ...]
    fix: str = ""
    role: str = ""  # the role that has no move


@dataclass
class Verification:
    """Statistics of the games played, and for each code the fault with the fewest moves."""

    roles: tuple[str, ...]
    declared: dict[str, bool]  # whether the rulesheet has `base` and `input`
    lengths: list[int] = field(default_factory=list)  # joint moves of each game
    choices: Counter[int] = field(default_factory=Counter)  # how often a role had each number of legal moves
    goals: list[tuple[int | None, ...]] = field(default_factory=list)  # the goals of each game that ended
    faults: dict[str, Fault] = field(default_factory=dict)
    games_with: Counter[str] = field(default_factory=Counter)  # number of games in which each fault occurred
    _seen: set[str] = field(default_factory=set)  # faults in the current game

    def note(self, code: str, detail: str, moves: list[Joint], fix: str = "", role: str = "") -> None:
        """Record a fault; for each code, only the fault with the fewest moves is stored."""
        self._seen.add(code)
        known = self.faults.get(code)
        if known is None or len(moves) < len(known.moves):
            self.faults[code] = Fault(code, detail, tuple(moves), fix or FIXES.get(code, ""), role)

    def game_over(self) -> None:
        """Count the faults of the current game, which is over."""
        self.games_with.update(self._seen)
        self._seen.clear()


def verify(
    machine: RelationalMachine, games: int, steps: int, seed: int, stop: Callable[[], bool] = lambda: False
) -> Verification:
    """Play `games` random games of at most `steps` joint moves; `stop` is checked between two steps."""
    heads = {rule.head.relation for rule in machine.program.rules}
    found = Verification(machine.roles, {"base": ("base", 1) in heads, "input": ("input", 2) in heads})
    checks = _Declarations(machine, found)
    for number in range(games):
        if not _play(machine, random.Random(f"{seed}/{number}"), steps, found, checks, stop):
            break
        found.game_over()
    found.game_over()
    return found


def _play(
    machine: RelationalMachine,
    chance: random.Random,
    steps: int,
    found: Verification,
    checks: _Declarations,
    stop: Callable[[], bool],
) -> bool:
    """Play one game, up to a term past a limit; return False if it was stopped."""
    moves = list[Joint]()
    try:
        if not _play_on(machine, chance, steps, found, checks, stop, moves):
            return False
    except LimitError as error:
        if not error.of_terms:
            raise
        found.note("term-too-large", str(error), moves)
    found.lengths.append(len(moves))
    return True


def _play_on(
    machine: RelationalMachine,
    chance: random.Random,
    steps: int,
    found: Verification,
    checks: _Declarations,
    stop: Callable[[], bool],
    moves: list[Joint],
) -> bool:
    """Play one game, and add its joint moves to `moves`; return False if it was stopped."""
    state = machine.initial()
    forced = dict[State, int]()  # the states since the last choice of a role, with their steps
    if machine.terminal(state):
        found.note("terminal-at-start", "`terminal` holds", moves)
    while not machine.terminal(state):
        if stop():
            return False
        checks.facts(state, moves)
        if len(moves) >= steps:
            found.note("endless-play", f"{steps} joint moves were made", moves)
            break
        legal = machine.legal(state)
        checks.moves(legal, moves)
        found.choices.update(map(len, legal))
        if not all(legal):
            stuck = [role for role, own in zip(machine.roles, legal, strict=True) if not own]
            fix = missing_move(machine, stuck[0], state)
            found.note("no-legal-move", f"{', '.join(stuck)} cannot move", moves, fix, stuck[0])
            break
        if any(len(own) > 1 for own in legal):
            forced.clear()
        else:
            forced[state] = len(moves)
        moves.append(tuple(chance.choice(own) for own in legal))
        state = machine.next(state, moves[-1])
        if (begin := forced.get(state)) is not None:
            only = ", then ".join(" ".join(map(str, joint)) for joint in moves[begin:][:_SHOWN_CYCLE])
            found.note("stuck-play", f"only {only} can be played", moves[:begin])
    else:
        checks.facts(state, moves)
        _check_goals(machine, state, found, moves)
        found.goals.append(machine.goal(state))
    return True


def missing_move(machine: RelationalMachine, role: str, state: State) -> str:
    """Return the fix if `role` has no move: a rule by which the role waits while another role has the turn."""
    heads = [rule.head.arguments for rule in machine.program.rules if rule.head.relation == ("legal", 2)]
    moves = {str(move) for _, move in heads if isinstance(move, Constant)}
    idle = next((name for name in _IDLE if name in moves), _IDLE[0])
    turn = _turn_of_another(machine, role, state)
    if turn is not None:
        return f"Add a rule: (<= (legal {role} {idle}) (true {turn}))."
    if any(isinstance(who, Variable) or str(who) == role for who, _ in heads):
        return f"Add a rule (<= (legal {role} {idle}) …) for this state, or let `terminal` hold in it."
    return f"Add its moves, or (legal {role} {idle}) where it has none."


def _turn_of_another(machine: RelationalMachine, role: str, state: State) -> Term | None:
    """Return the shortest fact of a state that names one role other than `role`, such as ``(control black)``."""
    others = {name for name in machine.roles if name != role}
    facts = [
        fact
        for fact in machine.facts(state)
        if isinstance(fact, Compound) and len(fact.arguments) == 1 and str(fact.arguments[0]) in others
    ]
    return min(facts, key=lambda fact: (len(str(fact)), str(fact)), default=None)


def _check_goals(machine: RelationalMachine, state: State, found: Verification, moves: list[Joint]) -> None:
    value = Variable("v")
    for role in machine.roles:
        goals = [str(answer[value]) for answer in machine.query(state, f"(goal {role} ?v)")]
        if not goals and not is_chance(role):
            found.note("no-goal", f"{role} has none", moves)
        elif len(goals) > 1:
            found.note("several-goals", f"{role} has {', '.join(goals)}", moves)
        for goal in goals:
            if (points := points_of(goal)) is None or points > FULL:
                found.note("goal-out-of-range", f"{role} has {goal}", moves)


class _Declarations:
    """The facts and moves that `base` and `input` declare; empty if the rulesheet has none."""

    def __init__(self, machine: RelationalMachine, found: Verification) -> None:
        self._machine = machine
        self._found = found
        start = machine.initial()
        self._base = set(self._answers(start, "(base ?v)")) if found.declared["base"] else None
        self._inputs = [
            set(self._answers(start, f"(input {role} ?v)")) if found.declared["input"] else None
            for role in machine.roles
        ]

    def facts(self, state: State, moves: list[Joint]) -> None:
        """Check that the facts of a state are declared."""
        if self._base is not None and (extra := self._machine.facts(state) - self._base):
            self._found.note("undeclared-fact", min(map(str, extra)), moves)

    def moves(self, legal: tuple[Joint, ...], moves: list[Joint]) -> None:
        """Check that the legal moves are declared."""
        for role, own, declared in zip(self._machine.roles, legal, self._inputs, strict=True):
            if declared is not None and (extra := set(own) - declared):
                self._found.note("undeclared-move", f"{min(map(str, extra))} of {role}", moves)

    def _answers(self, state: State, query: str) -> Iterator[Term]:
        return (answer[Variable("v")] for answer in self._machine.query(state, query))
