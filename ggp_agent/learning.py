"""Compilation of kernels and learning by self-play, with progress bars on terminals and in notebooks."""

from __future__ import annotations

import os
from pathlib import Path


def warm_up() -> None:
    """Compile all kernels, which takes about 40 seconds once for each version, and show the progress."""
    from agent.cli.compiling import CompilingDisplay
    from reasoner.jit_progress import compiling
    from search.warm import warm_up as compile_kernels

    with CompilingDisplay() as display, compiling(display.tell):
        compile_kernels()


def study(
    game: str | Path,
    folder: str | Path | None = None,
    minutes: float = 30.0,
    *,
    resume: bool = False,
    simulations: int = 400,
    threads: int | None = None,
    seed: int = 0,
) -> Path | None:
    """Learn a game by self-play; return the file of the network, None if no network has won its evaluation matches yet.

    game:        a bundled name, a file or a URL.
    folder:      the folder for all results; default: GAME.study in the current folder. `resume` continues its study.
    minutes:     total time of the study, resumed runs included.
    simulations: maximum number per move of self-play.
    threads:     number of self-play processes; default: one per processor.

    The player ``mcts:network=FILE`` uses the network. Needs the extra `study`. Each process imports the main module of
    a script, which must therefore be guarded by ``if __name__ == "__main__":``. Raises StudyError, and ReasonerError if
    the rules are in error or have no circuit.
    """
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # before numpy loads: one process per processor
    from agent.cli.console import console
    from agent.gamemaster.games import find_game
    from agent.study.display import StudyDisplay
    from agent.study.local import LocalActors
    from agent.study.run import study_game
    from reasoner.platform_calls import usable_processors
    from search.study.folder import StudyFolder
    from search.study.options import StudyOptions

    sheet = find_game(str(game))
    place = StudyFolder(Path(folder or f"{sheet.name}.study"))
    options = StudyOptions(seconds=60 * minutes, simulations=simulations, seed=seed)
    display = StudyDisplay(console(), options.seconds)
    record = study_game(sheet, place, options, lambda: LocalActors(threads or usable_processors()), display, resume)
    return place.result if record.generation else None
