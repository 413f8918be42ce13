"""`ggp-agent step --role`: step through a game with the knowledge of one role; the others move at random."""

from __future__ import annotations

from random import Random

import click

from agent.cli.moves import answers, chosen
from agent.cli.picture import Picture
from reasoner.machine import Machine, State
from search.belief.belief import Belief
from search.belief.state_set import Observation

HELP = """  a number or a move     make this move; the others move at random
  Enter                  make the only legal move
  u                      undo the last joint move
  s                      show the known facts again
  h                      show this help
  q                      quit"""

CERTAIN = 1 - 1e-9
"""A fact with at least this probability is shown as certain."""
MAX_SHOWN_FACTS = 20
"""Maximum number of uncertain facts shown."""


class BlindWalk:
    """Moves and percepts of one role, and the hidden state."""

    def __init__(self, machine: Machine, role: int, picture: Picture, seed: int) -> None:
        self._machine = machine
        self._role = role
        self._picture = picture
        self._rng = Random(seed)
        self._path: list[State] = [machine.initial()]
        self._seen: list[Observation] = []
        self._belief = Belief(machine, role)

    def run(self) -> None:
        """Answer inputs until the end of the input."""
        self._show()
        for answer in answers(lambda: f"{self._machine.roles[self._role]} (number, move, u, q, h) > "):
            self._obey(answer)

    def _obey(self, answer: str) -> None:
        if answer == "h":
            click.echo(HELP)
        elif answer == "s":
            self._show()
        elif answer == "u":
            self._undo()
        elif self._machine.terminal(self._path[-1]):
            click.echo("The game is over. u: undo the last move. q: quit.")
        else:
            self._move(answer)

    def _move(self, answer: str) -> None:
        state = self._path[-1]
        legal = self._machine.legal(state)
        move = chosen(answer, legal[self._role])
        if move is None or not all(legal):
            click.echo("Not a legal move. Enter a number from the list or the move's text; h for help.")
            return
        joint = [move if role == self._role else self._rng.choice(moves) for role, moves in enumerate(legal)]
        self._path.append(self._machine.next(state, joint))
        self._seen.append(Observation(move, self._machine.percepts(self._path[-1])[self._role]))
        if not self._machine.terminal(self._path[-1]):
            self._belief.observe(self._seen[-1])
        self._show()

    def _undo(self) -> None:
        if not self._seen:
            click.echo("This is the initial state.")
            return
        self._path.pop()
        self._seen.pop()
        self._belief = Belief(self._machine, self._role)
        for seen in self._seen:
            self._belief.observe(seen)
        self._show()

    def _show(self) -> None:
        click.echo(f"\nstep {len(self._seen)}")
        if self._seen:
            percepts = sorted(map(str, self._seen[-1].percepts or ()))
            click.echo(f"seen: {'  '.join(percepts) or 'nothing'}")
        if self._machine.terminal(self._path[-1]):
            self._show_end()
        else:
            self._show_known()
            for number, move in enumerate(self._machine.legal(self._path[-1])[self._role], 1):
                click.echo(f"  {number:3} {move}")

    def _show_end(self) -> None:
        self._picture.show(self._machine.facts(self._path[-1]))
        goals = zip(self._machine.roles, self._machine.goal(self._path[-1]), strict=True)
        click.echo("goals: " + ", ".join(f"{role} {'none' if goal is None else goal}" for role, goal in goals))

    def _show_known(self) -> None:
        """Show the certain facts, then the uncertain facts by descending probability."""
        now, facts = self._belief.now, self._belief.facts()
        self._picture.show(fact for fact, share in facts.items() if share >= CERTAIN)
        doubtful = sorted((-share, str(fact)) for fact, share in facts.items() if share < CERTAIN)
        for share, fact in doubtful[:MAX_SHOWN_FACTS]:
            click.echo(f"  {-share:6.1%} {fact}")
        count = f"{len(now.states)} state{'s' if len(now.states) > 1 else ''}"
        click.echo(f"{count} possible" if now.exact else f"{count} sampled from the possible states")
