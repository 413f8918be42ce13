"""Matches of an earlier run of the agent, read from their journals.

A journal holds rules and moves; a referee replays the moves when a visitor opens the match. Search figures are not
stored.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from itertools import islice, takewhile
from pathlib import Path
from sys import intern  # matches of one game share the text of its rules

from agent.errors import reason_of
from agent.gamemaster.games import bundled, bundled_game, role_names
from agent.journal.folder import KEY, Journals, replayed_from
from agent.journal.replayed_match import ReplayedMatch, known
from agent.page.errors import PageError, ProcessError, RefereeError, RulesFaultError
from agent.page.history import PAGE_GAME, MatchLog, number_of
from agent.page.host import Host
from agent.page.referee import Referee
from agent.page.titles import title_of
from agent.page.watching import REASONS
from agent.protocol.messages import JointOrGap, Start
from agent.protocol.observation import is_observed
from agent.worker.worker_messages import Position

SAME = 5.0
"""Maximum difference in seconds between the end of a match in its journal and in the history."""
NO_MOVES = "the moves are not known, because the game has hidden information"


def of_page(start: Start) -> bool:
    """Whether a match belongs to a game on the page, which cannot continue after a restart."""
    found = PAGE_GAME.fullmatch(start.match_id)
    return found is not None and found[2] is not None


class Archive:
    """The matches in the history that were read from journals; their positions are computed on demand."""

    def __init__(self, host: Host) -> None:
        self._host = host
        self._journals: Journals | None = None
        self._lock = asyncio.Lock()  # replay one match at a time

    async def remember(self, journals: Journals, limit: int) -> None:
        """Add the last `limit` finished matches to the history; a thread reads the journals."""

        def read() -> list[tuple[Path, MatchLog]]:
            return [(path, self._log(replayed)) for path, replayed in islice(journals.finished(), limit)]

        self._journals = journals
        history = self._host.gallery.history
        for path, log in reversed(await asyncio.to_thread(read)):
            if PAGE_GAME.fullmatch(log.match_id) and history.get(number_of(log.match_id, log.ended)) is not None:
                continue  # another seat of the same game on the page
            log.unread = path
            history.add(log)

    async def forget(self, log: MatchLog) -> None:
        """Delete the journals of a finished match, so that later runs of the agent do not show the match.

        Raises PageError if one cannot be deleted.
        """
        journals = self._journals
        if journals is None:
            return

        def delete() -> None:
            for path in _journals_of(log, journals):
                path.unlink(missing_ok=True)

        try:
            await asyncio.to_thread(delete)
        except OSError as error:
            raise PageError(
                f"the journal of this match cannot be deleted ({reason_of(error)}); check the folder of {KEY}"
            ) from None

    async def fill(self, log: MatchLog) -> None:
        """Replay a match, unless its positions are known. Raises ProcessError, after which it may be tried again."""
        async with self._lock:
            path, log.unread = log.unread, None
            if path is None:
                return
            try:
                replayed = await asyncio.to_thread(replayed_from, path)  # up to 64 MiB
                if replayed is None:
                    log.note = "its journal file no longer exists"
                else:
                    await self._played_again(log, replayed)
            except (asyncio.CancelledError, ProcessError):  # the next visitor starts the replay again
                log.forget_positions()
                log.unread = path
                raise

    def _log(self, replayed: ReplayedMatch) -> MatchLog:
        start = replayed.start
        log = MatchLog(start.match_id, _title(replayed), replayed.began, start.start_clock, start.play_clock)
        self._name_roles(log, role_names(start.rules), start.role)
        log.ended = replayed.heard
        log.status = REASONS.get(replayed.ended or "", replayed.ended or "")
        log.untold = known(replayed.joints) + (replayed.last is not None)
        log.note = "an earlier run of the agent played it; search figures are not stored"
        if replayed.damaged:
            log.note += "; its journal has damaged lines"
        return log

    def _name_roles(self, log: MatchLog, roles: Sequence[str], role: str) -> None:
        log.roles = tuple(roles)
        log.role = next((index for index, name in enumerate(roles) if name.casefold() == role.casefold()), None)
        log.players = tuple(self._host.name if index == log.role else "" for index in range(len(roles)))

    async def _played_again(self, log: MatchLog, replayed: ReplayedMatch) -> None:
        referee = self._host.new_referee()
        log.rules = intern(replayed.start.rules)
        try:
            _, roles = await referee.read(replayed.start.rules)
            self._name_roles(log, roles, replayed.start.role)
            first = await referee.begin(0)
            log.may_hold(first)
            log.take(first, replayed.began)
            whole = await _followed(log, referee, replayed)
            log.partial = None in replayed.joints and not whole
            if any(map(is_observed, _items(replayed))):
                log.partial, log.note = True, f"{log.note}; {NO_MOVES}"
        except ProcessError:
            raise
        except RulesFaultError as error:
            log.note, log.faults = str(error), error.faults
        except RefereeError as error:
            log.partial = replayed.damaged
            log.note = f"{log.note}; the rest of the match cannot be shown: {error}"
        finally:
            referee.close()


async def _followed(log: MatchLog, referee: Referee, replayed: ReplayedMatch) -> bool:
    """Take in the positions up to the first gap or observation, and those after a gap if nothing was missed there.

    Nothing was if all later moves are legal without any and lead to the end of the game; then return True. Raises
    RefereeError if a move before the first gap is not legal.
    """
    timed = zip(takewhile(_is_joint_or_gap, _items(replayed)), [*replayed.times, replayed.heard], strict=False)
    for joint, at in timed:
        if joint is None:
            break
        log.take(await referee.follow(joint), at)
    later = list[tuple[Position, float]]()
    try:
        for joint, at in timed:
            later += [] if joint is None else [(await referee.follow(joint), at)]
    except ProcessError:
        raise
    except RefereeError:
        return False
    if not later or not later[-1][0].terminal:
        return False
    for position, at in later:
        log.take(position, at)
    return True


def _is_joint_or_gap(item: JointOrGap) -> bool:
    return item is None or not is_observed(item)


def _items(replayed: ReplayedMatch) -> list[JointOrGap]:
    """Return all joint moves and observations of a match, and its gaps."""
    return [*replayed.joints, *([] if replayed.last is None else [replayed.last])]


def _journals_of(log: MatchLog, journals: Journals) -> list[Path]:
    """Return the finished journals of a match; a game on the page has one for each of the agent's roles."""
    games = set(map(_game_of, log.seats or (log.match_id,)))
    finished = ((path, one) for path, one in journals.finished() if _game_of(one.start.match_id) in games)
    found = [(abs(one.heard - log.ended), path) for path, one in finished]
    if not PAGE_GAME.fullmatch(log.match_id):  # other matches may have the same id
        found = [min(found)] if found and min(found)[0] < SAME else []
    return [path for _, path in found]


def _game_of(match_id: str) -> str:
    """Return what the ids of all matches of one game on the page have in common; of other matches, the id."""
    page = PAGE_GAME.fullmatch(match_id)
    return match_id.rpartition(".")[0] if page and page[2] else match_id


def _title(replayed: ReplayedMatch) -> str:
    """Return the name of a game on the page, found by its rules; else the match's id."""
    if not of_page(replayed.start):
        return replayed.start.match_id
    rules = replayed.start.rules
    return next((name for name in bundled() if bundled_game(name).text == rules), None) or title_of(rules)
