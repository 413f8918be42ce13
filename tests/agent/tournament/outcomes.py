"""Results for the tests of what is made of them."""

from agent.tournament.store import Outcome


def outcome(players, goals, number=1, game="nim", errors=(), completed=True):
    """A match between players named by one letter each."""
    return Outcome(
        key=f"{game}/{number}",
        game=game,
        match_id=f"{game}.{number}",
        players=tuple(players),
        roles=tuple(f"r{seat}" for seat in range(len(players))),
        goals=tuple(goals) if completed else (),
        errors=tuple(errors) or ("",) * len(players),
        steps=7,
        seconds=1.5,
        ended=float(number),
        completed=completed,
    )
