"""`ggp-agent step`: step through a game by hand."""

from __future__ import annotations

import click

from agent.cli.completion import complete_game
from agent.cli.console import console
from agent.cli.moves import answers, chosen
from agent.cli.picture import Picture
from agent.gamemaster.games import find_game
from reasoner import load_text
from reasoner.errors import ReasonerError
from reasoner.language.terms import Term
from reasoner.machine import Machine, State

HELP = """  a number or a move     select this move for the current role
  Enter                  select the only legal move
  u                      undo the last joint move (or the last selection)
  ?QUERY                 evaluate a literal or conjunction, as ?(true (cell ?x ?y b))
  s                      show the state again
  h                      show this help
  q                      quit"""


@click.command()
@click.argument("game", shell_complete=complete_game)
@click.option("--role", help="Show only this role's knowledge; other roles move at random.")
@click.option("--seed", type=int, default=1, show_default=True, help="Random seed for --role.")
def step(game: str, role: str | None, seed: int) -> None:
    """Step through GAME by hand: show the state and legal moves, select a move per role, undo, query.

    Reads one answer per line from a terminal or a pipe, until `q` or the end of the input.
    """
    machine = load_text(find_game(game).text, engine="relational")
    picture = Picture(machine, console())
    if role is None:
        Walk(machine, picture).run()
        return
    if role not in machine.roles:
        raise click.UsageError(f"--role: the roles are {', '.join(machine.roles)}")
    from agent.cli.blind_step import BlindWalk  # late import: it loads compiled kernels

    BlindWalk(machine, machine.roles.index(role), picture, seed).run()


class Walk:
    """The path of states, and the moves selected so far for the next step."""

    def __init__(self, machine: Machine, picture: Picture) -> None:
        self._machine = machine
        self._picture = picture
        self._path: list[State] = [machine.initial()]
        self._picked: list[Term] = []

    def run(self) -> None:
        """Answer inputs until the end of the input."""
        self._show()
        for answer in answers(self._question):
            self._obey(answer)

    def _question(self) -> str:
        if self._machine.terminal(self._path[-1]):
            return "the game is over (u, q, h) > "
        return f"{self._machine.roles[len(self._picked)]} (number, move, u, ?query, q, h) > "

    def _obey(self, answer: str) -> None:
        if answer == "h":
            click.echo(HELP)
        elif answer == "s":
            self._show()
        elif answer == "u":
            self._undo()
        elif answer.startswith("?"):
            self._query(answer[1:])
        elif self._machine.terminal(self._path[-1]):
            click.echo("The game is over. u: undo the last move. q: quit.")
        else:
            self._pick(answer)

    def _show(self) -> None:
        state = self._path[-1]
        click.echo(f"\nstep {len(self._path) - 1}")
        self._picture.show(self._machine.facts(state))
        if self._machine.terminal(state):
            goals = zip(self._machine.roles, self._machine.goal(state), strict=True)
            click.echo("goals: " + ", ".join(f"{role} {'none' if goal is None else goal}" for role, goal in goals))
        else:
            self._show_moves()

    def _show_moves(self) -> None:
        role = len(self._picked)
        moves = self._machine.legal(self._path[-1])[role]
        click.echo(f"moves of {self._machine.roles[role]}:" + ("" if moves else " none; enter u or q"))
        for number, move in enumerate(moves, 1):
            click.echo(f"  {number:3} {move}")

    def _tell_percepts(self) -> None:
        """Print the percepts of each role, if the rules have `sees`."""
        if self._machine.hides:
            for role, seen in zip(self._machine.roles, self._machine.percepts(self._path[-1]), strict=True):
                click.echo(f"{role} sees {'  '.join(sorted(map(str, seen))) or 'nothing'}")

    def _undo(self) -> None:
        if self._picked:
            self._picked.pop()
        elif len(self._path) > 1:
            self._path.pop()
        else:
            click.echo("This is the initial state.")
            return
        self._show()

    def _query(self, text: str) -> None:
        try:
            answers = self._machine.query(self._path[-1], text)
        except ReasonerError as error:
            click.echo(f"{error}")
            return
        for answer in answers:
            click.echo("  " + (", ".join(f"{variable} = {term}" for variable, term in answer.items()) or "yes"))
        if not answers:
            click.echo("  no")

    def _pick(self, answer: str) -> None:
        moves = self._machine.legal(self._path[-1])[len(self._picked)]
        move = chosen(answer, moves)
        if move is None:
            click.echo("Not a legal move. Enter a number from the list or the move's text; h for help.")
            return
        self._picked.append(move)
        if len(self._picked) == len(self._machine.roles):
            self._path.append(self._machine.next(self._path[-1], self._picked))
            self._tell_percepts()
            self._picked = []
            self._show()
        else:
            self._show_moves()
