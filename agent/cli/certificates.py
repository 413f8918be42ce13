"""Certificates of `ggp-agent solve`: write the strategies of a solved position, and check a file."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import click

from agent.cli.console import counter, progress_console
from agent.cli.outputs import writing
from agent.cli.words import counted
from agent.gamemaster.games import bundled, bundled_game

if TYPE_CHECKING:
    from search.solver.strategy import Strategy


def write_certificate(
    file: Path, rules: str, facts: list[str] | None, strategies: Callable[[Callable[[int], None]], list[Strategy]]
) -> None:
    """Write the certificate of a solved position; facts: None for the initial state.

    strategies: makes the strategies; it takes a function that shows the number of positions found so far. If there are
    none, a message says why.
    """
    from search.solver import certificate  # late import: it loads compiled kernels

    with writing(file), progress_console().status("collecting strategies") as status:
        found = strategies(counter(status, "collecting strategies: {:,} positions"))
        if not found:
            raise click.ClickException(
                "no certificate is written: each role can only force its lowest goal, so there is nothing to prove"
            )
        certificate.write(file, rules, facts, found)


def check_certificate(file: Path, as_json: bool) -> None:
    """Check a certificate and print what it proves."""
    from search.solver.certificate import check  # late import, as above

    with progress_console().status("checking") as status:
        proof = check(file, counter(status, "checking: {:,} positions"))
    if as_json:
        record = proof._asdict() | {"claims": [claim._asdict() for claim in proof.claims]}
        click.echo(json.dumps(record, indent=1))
        return
    known = next((name for name in bundled() if bundled_game(name).text == proof.rules), None)
    click.echo(f"rules: {known or 'not those of a bundled game; --json prints them'}")
    click.echo(f"position: {'the start' if proof.position is None else ' '.join(proof.position)}")
    for claim in proof.claims:
        click.echo(
            f"{claim.role} can reach at least {claim.at_least}, in at most {counted(claim.moves, 'move')}: "
            f"{counted(claim.positions, 'position')} checked"
        )
