"""The standard descriptors, which some programs close before they start a command (``serve <&-``)."""

from __future__ import annotations

import os
import sys


def open_standard_descriptors() -> None:
    """Open the null device for each of the descriptors 0, 1 and 2 that is closed.

    Otherwise the next opened file or event loop would get its number, and be taken for a standard stream by children.
    Python's own stream, which is None then, is replaced as well.
    """
    for number, name in enumerate(("stdin", "stdout", "stderr")):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, os.O_RDWR)  # gets the lowest free number
            setattr(sys, name, open(number, "w" if number else "r", closefd=False))  # noqa: SIM115 open until the end
