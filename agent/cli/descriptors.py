"""The standard descriptors, which some programs close before they start a command (``serve <&-``)."""

from __future__ import annotations

import os


def open_standard_descriptors() -> None:
    """Open the null device for each of the descriptors 0, 1 and 2 that is closed.

    Otherwise the next opened file or event loop would get its number, and be taken for a standard stream by children.
    """
    for number in range(3):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, os.O_RDWR)  # gets the lowest free number
