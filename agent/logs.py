"""Logging with structlog to standard error, as text or JSON. Text from outside is escaped and shortened."""

from __future__ import annotations

import contextlib
import logging
import os
import re
import sys
from collections.abc import Iterator
from typing import TextIO, cast

import structlog
from structlog.typing import EventDict, Processor, WrappedLogger

from agent.queued_output import COLORS, queued_log
from agent.settings import LogSettings

_UNSAFE = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069\ud800-\udfff]")
MAX_TRACEBACK = 20_000
"""Maximum characters of a traceback."""
EVENT_LENGTH = 200
"""Minimum limit of the event, which is the agent's own text, or that of a library."""


class Sanitizer:
    """A processor that escapes control characters in every text and cuts it to `length` characters."""

    def __init__(self, length: int) -> None:
        self._length = length

    def __call__(self, _logger: WrappedLogger, _method: str, event: EventDict) -> EventDict:
        """Return the event with all texts sanitized."""
        return {key: self._clean(key, value) if isinstance(value, str) else value for key, value in event.items()}

    def _clean(self, key: str, text: str) -> str:
        length = max(self._length, EVENT_LENGTH) if key == "event" else self._length
        if key == "exception":
            text = _shortened(text)
        elif len(text) > length:
            text = f"{text[:length]} ... ({len(text) - length} more characters)"
        return escaped(text)


def escaped(text: str) -> str:
    """Escape control characters, which a terminal would obey, and characters that change the direction of text."""
    return _UNSAFE.sub(lambda m: f"\\u{ord(m.group()):04x}", text)


def _shortened(traceback: str) -> str:
    """Cut the middle out of a traceback that is too long; the message of an exception may have any length."""
    if (more := len(traceback) - MAX_TRACEBACK) <= 0:
        return traceback
    half = MAX_TRACEBACK // 2
    return f"{traceback[:half]}\n... ({more} more characters) ...\n{traceback[-half:]}"


class _Lossy:
    """A stream that drops failed writes: a full disk or a closed pipe loses log lines, but ends no process."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream

    def write(self, text: str) -> int:
        """See `TextIO`."""
        with contextlib.suppress(OSError):
            self._stream.write(text)
        return len(text)

    def flush(self) -> None:
        """See `TextIO`."""
        with contextlib.suppress(OSError):
            self._stream.flush()


class _Forward(logging.Handler):
    """Forwards library logs to structlog. A malformed HTTP request becomes one line without a traceback."""

    def emit(self, record: logging.LogRecord) -> None:
        log = structlog.get_logger()
        error = record.exc_info[1] if record.exc_info else None
        # compare the name, because workers also log and must not import aiohttp
        if isinstance(error, ConnectionError) or type(error).__module__ == "aiohttp.http_exceptions":
            log.warning("bad http request", reason=str(error).splitlines()[0] if str(error) else type(error).__name__)
        else:
            log.log(record.levelno, record.getMessage(), source=record.name, exc_info=error)


def configure_logs(settings: LogSettings, stream: TextIO | None = None) -> None:
    """Configure logging to `stream` (default: standard error). Bound values (the match id) appear on each line."""
    stream = stream or sys.stderr
    level = getattr(logging, settings.level.upper())
    structlog.configure(
        processors=[
            structlog.contextvars.merge_contextvars,
            structlog.processors.format_exc_info,
            Sanitizer(settings.length),
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=settings.format == "json"),
            _renderer(settings.format, colors=stream.isatty() or COLORS in os.environ),
        ],
        wrapper_class=structlog.make_filtering_bound_logger(level),
        # one write per line: the lines of several processes stay whole, even if standard error is not buffered
        logger_factory=structlog.WriteLoggerFactory(cast(TextIO, _Lossy(stream))),
        cache_logger_on_first_use=False,
    )
    logging.basicConfig(level=max(level, logging.WARNING), handlers=[_Forward()], force=True)


@contextlib.contextmanager
def logs_of_agent(settings: LogSettings) -> Iterator[None]:
    """Configure logging to standard error, so that neither this process nor its children wait for a stalled reader."""
    with queued_log(sys.stderr, _report_lost) as stream, contextlib.redirect_stderr(stream):
        configure_logs(settings, stream)
        yield


def _report_lost(lines: int) -> None:
    structlog.get_logger().warning("lines of the log are lost", lines=lines, reason="standard error was not read")


def _renderer(style: str, *, colors: bool) -> Processor:
    if style == "json":
        return structlog.processors.JSONRenderer()
    return structlog.dev.ConsoleRenderer(colors=colors)
