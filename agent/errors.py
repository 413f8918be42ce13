"""Exceptions of the agent.

AgentError
├── ProtocolError   a message that cannot be read or is refused
│   └── CrowdedError  too many requests are waiting
├── SettingsError   an unknown or misspelled setting, or a value of the wrong type
├── SpecError       a specification that names no player
└── KnowledgeError  a studied game that cannot be stored, found or removed
"""

from __future__ import annotations

import os


class AgentError(Exception):
    """The root of the tree. Its text is one clear message for the user."""


class ProtocolError(AgentError):
    """A message that cannot be read. The text says what is wrong and where; it does not quote the message."""


class CrowdedError(ProtocolError):
    """A message that could be served later; too many requests are waiting now."""


class SettingsError(AgentError):
    """An unknown setting, or a value of the wrong type. The text names the source, the key and the allowed values."""


class SpecError(AgentError):
    """A wrong player specification. The text shows the right form."""


class KnowledgeError(AgentError):
    """A studied game cannot be stored, found or removed. The text names the game and the remedy."""


def reason_of(error: OSError) -> str:
    """Say why a folder cannot be created or used, for example because a file is in its place."""
    return "it is a file" if isinstance(error, FileExistsError) else error.strerror or str(error)


def listen_reason(error: OSError | UnicodeError) -> str:
    """Say why a server cannot listen on an address. `error` is a UnicodeError if the host name cannot be encoded."""
    if isinstance(error, UnicodeError):
        return str(error)
    number = error.errno or 0
    return os.strerror(number) if number > 0 else error.strerror or str(error)  # name resolution has negative numbers
