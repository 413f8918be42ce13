"""Portable emitter: a lane program as a list of row operations, run by code that numba compiles for any machine.

`emit` builds the list: the `order` of the gates and a `place` for each. `run` is the kernel.
"""

from __future__ import annotations

from reasoner.lanes.portable.emit import PortableCode, emit

__all__ = ["PortableCode", "emit"]
