"""Stand-in of `agent.report` for tests: measures until it is interrupted; the game's name may say otherwise."""

import json
import signal
import sys


def tell(said):
    sys.stdout.write(json.dumps(said) + "\n")
    sys.stdout.flush()


def main():
    """Answer like `agent.report.__main__`."""
    asked = json.loads(sys.stdin.readline())
    if asked["game"] == "dies":
        sys.exit(1)
    if asked["game"] == "quick":
        tell({"report": {}, "sections": [], "html": ""})
        return
    signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        tell({"step": "random play"})
        signal.pause()
    except KeyboardInterrupt:
        tell({"report": asked, "sections": [], "html": ""})


if __name__ == "__main__":
    main()
