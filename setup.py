"""What pyproject.toml cannot say: the folders `config` and `games` of a checkout go into the package `agent`."""

from setuptools import find_namespace_packages, setup

OWN = ["agent*", "reasoner*", "search*"]
FOLDERS = {"agent.bundled.config": "config", "agent.bundled.games": "games", "agent.bundled.games.infix": "games/infix"}
"""Where `agent.resources` finds them, and where they lie here."""

setup(packages=[*find_namespace_packages(include=OWN), *FOLDERS], package_dir=FOLDERS)
