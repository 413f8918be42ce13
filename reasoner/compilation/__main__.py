"""The fork server of builds: ``python -m reasoner.compilation``, started by `handle`; it compiles what builds use."""

from __future__ import annotations

import gc

from reasoner.compilation.child import serve
from reasoner.compilation.warm import warm_up
from reasoner.fork_server import ForkServer, control_socket


def main() -> None:
    """Compile everything, then fork whenever asked."""
    control = control_socket()
    gc.disable()  # builds make many objects that live to the end and hold no cycles
    warm_up()
    ForkServer(control, serve).run()


if __name__ == "__main__":
    main()
