"""The fork server of builds, which preloads the kernels. `handle` starts it: ``python -m reasoner.compilation``."""

from __future__ import annotations

import contextlib
import gc
import sys

from reasoner.compilation.child import serve
from reasoner.compilation.warm import rest_kept, warm_up, warm_up_rest
from reasoner.fork_server import BY_MAIN_THREAD, ForkServer, abandoned, control_socket
from reasoner.platform_calls import ending_with_parent


def main() -> None:
    """Compile the kernels that a first match needs, load the other cached kernels, then serve fork requests."""
    control = control_socket()
    gc.disable()  # builds make many long-lived objects without cycles
    with ending_with_parent() if BY_MAIN_THREAD in sys.argv else contextlib.nullcontext():
        if abandoned(control):
            return
        warm_up()
        if rest_kept():
            warm_up_rest()
    ForkServer(control, serve).run()


if __name__ == "__main__":
    main()
