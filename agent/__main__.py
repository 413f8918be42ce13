"""Entry point of the command ggp-agent, and of `python -m agent`."""

from __future__ import annotations

import signal


def main() -> None:
    """Run the command. Ctrl-C ends the process without a traceback, also while the command is imported."""
    before = signal.getsignal(signal.SIGINT)
    if before is signal.default_int_handler:  # not if it is ignored, as in background jobs of scripts
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    from agent.cli import main as command

    signal.signal(signal.SIGINT, before)
    command()


if __name__ == "__main__":
    main()
