"""Recorded play in the words of another spelling."""

from __future__ import annotations

from reasoner.identity import Translation
from reasoner.language.parse import read_term
from tests.traces import Recording


def translated(recording: Recording, translation: Translation, roles: tuple[str, ...]) -> Recording:
    """The recording as a machine with these roles knows it; the translation may exchange roles that are alike."""

    def spelled(text: str) -> str:
        term = translation.term(read_term(text))
        assert term is not None, f"{text} has no translation"
        return str(term)

    images = [spelled(role) for role in recording.roles]
    order = [images.index(role) for role in roles]

    def step(record: dict) -> dict:
        found = {"state": [*map(spelled, record["state"])], "terminal": record["terminal"]}
        if "goals" in record:
            found["goals"] = [record["goals"][place] for place in order]
        if "legal" in record:
            found["legal"] = [[*map(spelled, record["legal"][place])] for place in order]
        if "moves" in record:
            found["moves"] = [spelled(record["moves"][place]) for place in order]
        return found

    playouts = tuple([step(record) for record in playout] for playout in recording.playouts)
    return Recording(recording.game, roles, playouts, recording.folder, recording.ending)
