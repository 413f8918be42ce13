"""AArch64 code run by emulation on a machine of another kind: `emulated.c`, compiled for it, under `qemu-aarch64`."""

import os
import shutil
import struct
import subprocess
from pathlib import Path

import numpy as np
import pytest

HARNESS = Path(__file__).with_name("emulated.c")
COMPILER, EMULATOR = "aarch64-linux-gnu-gcc", "qemu-aarch64"


def missing_tools():
    """What is not installed of what emulation takes, as a reason to skip, or None."""
    absent = [tool for tool in (COMPILER, EMULATOR) if shutil.which(tool) is None]
    packages = "gcc-aarch64-linux-gnu, libc6-dev-arm64-cross, qemu-user"
    return f"no {' and no '.join(absent)}: install {packages}" if absent else None


class Emulator:
    """A process that runs sections of one kind of processor, one after the other."""

    def __init__(self, folder, processor="max"):
        if reason := missing_tools():
            pytest.skip(reason)
        program = Path(folder) / "emulated"
        command = [COMPILER, "-O1", "-static", "-o", program, HARNESS]
        subprocess.run(command, check=True, capture_output=True, text=True)
        self._process = subprocess.Popen(
            [EMULATOR, "-cpu", processor, program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=dict(os.environ)
        )

    def run(self, code, start, values):
        """The rows after the section that starts there; a caller's register that it changed is an error."""
        rows = len(values) // 8
        self._process.stdin.write(struct.pack("<4Q", len(code), rows, start, 0) + code + values.tobytes())
        self._process.stdin.flush()
        answer = self._process.stdout.read(8 + 64 * rows)
        assert len(answer) == 8 + 64 * rows, f"the section ended the process: {self._process.poll()}"
        assert int.from_bytes(answer[:8], "little") == 0, "registers of the caller were changed"
        return np.frombuffer(answer[8:], np.uint64).copy()

    def close(self):
        """End the process."""
        self._process.communicate()
