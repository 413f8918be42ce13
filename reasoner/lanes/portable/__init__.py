"""Portable emitter: a lane program as a list of row operations, run by code that numba compiles for any machine.

`emit` builds the list: `order` orders the gates, and `place` allocates a row for each gate. `run` is the kernel.
"""

from __future__ import annotations

from reasoner.lanes.portable.emit import PortableCode, emit

__all__ = ["PortableCode", "emit"]
