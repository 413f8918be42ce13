"""Run a command in a folder on some cores: `python pinned.py CORES FOLDER COMMAND...`.

CORES is a list such as ``0,2``, or ``-`` for any core.
"""

import os
import sys

if __name__ == "__main__":
    cores, folder, *command = sys.argv[1:]
    if cores != "-" and hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {int(core) for core in cores.split(",")})
    os.chdir(folder)
    os.execv(command[0], command)
