"""What the agent raises.

AgentError
├── ProtocolError   a message that cannot be read or is not served
│   └── CrowdedError  too many wait already
├── SettingsError   a setting that is unknown, misspelled or of a wrong type
├── SpecError       a player's specification that names no player
└── KnowledgeError  a studied game that cannot be kept, found or removed
"""

from __future__ import annotations


class AgentError(Exception):
    """The root of the tree; its text is one clear message for a person."""


class ProtocolError(AgentError):
    """A message that cannot be read. The text says what and where, and repeats nothing of the message."""


class CrowdedError(ProtocolError):
    """A message that could be served at another time; too many wait for answers now."""


class SettingsError(AgentError):
    """A setting is unknown or of a wrong type. The text names the source, the key and what would be right."""


class SpecError(AgentError):
    """A player's specification is wrong. The text says how to write it."""


class KnowledgeError(AgentError):
    """A studied game cannot be kept, found or removed. The text says which, and how to mend it."""
