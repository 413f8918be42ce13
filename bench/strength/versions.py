"""Checkouts of other commits, and fingerprints of code."""

from __future__ import annotations

import hashlib
import io
import os
import subprocess
import tarfile
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
CHECKOUTS = Path(os.environ.get("XDG_CACHE_HOME", Path.home() / ".cache")) / "ggp-agent-versions"
PACKAGES = ("agent", "search", "reasoner", "config")


def checkout(name: str) -> Path:
    """Return the folder with the files of a commit, extracted on first use. Raises ValueError if it is unknown."""
    commit = _git("rev-parse", "--verify", "--quiet", f"{name}^{{commit}}").decode().strip()
    if not commit:
        raise ValueError(f"there is no commit {name!r:.80} in {ROOT}")
    folder = CHECKOUTS / commit[:12]
    if not folder.exists():
        CHECKOUTS.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=CHECKOUTS) as draft:  # renamed when it is complete
            with tarfile.open(fileobj=io.BytesIO(_git("archive", commit))) as files:
                files.extractall(Path(draft) / "files", filter="data")
            (Path(draft) / "files").rename(folder)
    return folder


def fingerprint(folder: Path) -> str:
    """Return eight digits that depend only on the code of the agent."""
    digest = hashlib.sha256()
    for package in PACKAGES:
        for path in sorted((folder / package).rglob("*")):
            if path.suffix in (".py", ".toml", ".lark"):
                digest.update(str(path.relative_to(folder)).encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()[:8]


def _git(*arguments: str) -> bytes:
    return subprocess.run(["git", "-C", str(ROOT), *arguments], capture_output=True, check=False).stdout
