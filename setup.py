"""The packages, and the folders `config` and `games`, which an installation has inside the package `agent`."""

from setuptools import find_namespace_packages, setup

OWN = ["agent*", "ggp_agent*", "reasoner*", "search*"]
FOLDERS = {
    "agent.bundled.config": "config",
    "agent.bundled.games": "games",
    "agent.bundled.games.infix": "games/infix",
    "agent.bundled.games.puzzles": "games/puzzles",
}
"""Folders by the package that contains them in an installation (`agent.resources`)."""

setup(packages=[*find_namespace_packages(include=OWN), *FOLDERS], package_dir=FOLDERS)
