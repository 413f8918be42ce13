"""The journals of the running matches, one for each if there is a folder for them."""

from __future__ import annotations

from agent.journal.folder import Journals
from agent.journal.journal import Journal
from agent.protocol.messages import Moves, Start

STOPPING = "the agent stops"
"""Why a match ends that is to be resumed."""


class MatchJournals:
    """The journals by match id; nothing is written without a `folder`."""

    def __init__(self) -> None:
        self.folder: Journals | None = None
        self._written: dict[str, Journal] = {}

    def begin(self, message: Start, manager: str | None) -> Journal | None:
        """Open the journal of a new match."""
        journal = self.folder.begin(message, manager) if self.folder is not None else None
        if journal is not None and message.joints:
            journal.add("applied", n=0, keep=0, added=message.joints)
        return journal

    def register(self, match_id: str, journal: Journal | None) -> None:
        """Note which journal a running match has."""
        if journal is not None:
            self._written[match_id] = journal

    def refuse(self, match_id: str, manager: str | None) -> None:
        """Write that another manager was refused."""
        if journal := self._written.get(match_id):
            journal.add("refused", manager=manager)

    def end(self, match_id: str, reason: str, moves: Moves) -> None:
        """Write the last line of the journal of a match, unless the match is to be resumed after a restart."""
        journal = self._written.pop(match_id, None)
        if journal is None or self.folder is None:
            return
        if reason == STOPPING:
            journal.close()
        else:
            journal.add("end", reason=reason, moves=moves)
            self.folder.end(journal)
