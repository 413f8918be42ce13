"""A wheel of this checkout, built without a network, and environments to install it in."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PACKAGES = {"agent", "ggp_agent", "reasoner", "search"}
FOLDERS = {"config": "agent/bundled/config", "games": "agent/bundled/games"}
"""Folders of the checkout, and where they are in a wheel."""


def built_wheel(tmp_path_factory) -> Path:
    """The wheel's file, in a folder of its own."""
    copy, folder = tmp_path_factory.mktemp("copy"), tmp_path_factory.mktemp("wheel")
    for name in (*PACKAGES, *FOLDERS):
        shutil.copytree(ROOT / name, copy / name, ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("pyproject.toml", "setup.py", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, copy / name)
    script = f"from setuptools.build_meta import build_wheel; build_wheel({str(folder)!r})"
    done = subprocess.run([sys.executable, "-c", script], cwd=copy, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    (built,) = folder.glob("*.whl")
    return built


def fresh_environment(folder: Path, below: Path | None = None) -> Path:
    """Its interpreter; what is installed into `below` it has, too."""
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", folder], check=True)
    if below is not None:
        (packages(folder) / "below.pth").write_text(f"{packages(below)}\n", encoding="utf-8")
    return folder / "bin" / "python"


def packages(environment: Path) -> Path:
    (found,) = environment.glob("lib/python*/site-packages")
    return found
