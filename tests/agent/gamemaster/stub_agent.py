"""A stand-in for `ggp-agent serve`, run as `python -m tests.agent.gamemaster.stub_agent SPEC`.

SPEC is `legal`, `random`, or `mute` (starts and says nothing of where), `broken` (ends at once with a message),
`compiling` (as legal, after it has told how far it is), `stubborn` (as legal, but ignores SIGTERM and has a child that
does too), `leaving` or `left` (as legal or broken, but has started a program in a session of its own, and logged its
id).
"""

import asyncio
import signal
import subprocess
import sys

from tests.agent.gamemaster.fakes import LegalFake, serving


async def serve(spec):
    if spec in ("leaving", "left"):
        program = subprocess.Popen(["sleep", "300"], start_new_session=True)
        sys.stderr.write(f"{program.pid}\n")
    if spec in ("broken", "left"):
        sys.exit("the settings are wrong")
    if spec == "stubborn":
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        subprocess.Popen(["sleep", "300"])
    if spec == "compiling":
        sys.stdout.write("compiling 3 of at most 9 kernels\ncompiling 8 of at most 9 kernels\n")
    async with serving(LegalFake()) as urls:
        if spec != "mute":
            sys.stdout.write(f"listening on {urls[0]}\n")
            sys.stdout.flush()
        await asyncio.Event().wait()


if __name__ == "__main__":
    asyncio.run(serve(sys.argv[1]))
