"""A stand-in for `ggp-agent serve`, run as `python -m tests.agent.cluster.waiting_stub FOLDER`.

It plays the first legal move once FOLDER holds a file `go`; asked for a move it leaves a file with its number there.
"""

import asyncio
import os
import sys
from pathlib import Path

from agent.protocol.messages import Play
from tests.agent.gamemaster.fakes import LegalFake, serving


class Waiting(LegalFake):
    def __init__(self, folder):
        super().__init__()
        self.folder = folder

    async def answer(self, message):
        if isinstance(message, Play):
            (self.folder / str(os.getpid())).touch()
            while not (self.folder / "go").exists():
                await asyncio.sleep(0.05)
        return await super().answer(message)


async def serve(folder):
    async with serving(Waiting(folder)) as urls:
        sys.stdout.write(f"listening on {urls[0]}\n")
        sys.stdout.flush()
        await asyncio.Event().wait()


if __name__ == "__main__":
    asyncio.run(serve(Path(sys.argv[1])))
