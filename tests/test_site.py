"""What docs/build_site.py writes from the source is complete; `make docs` builds the site itself."""

from __future__ import annotations

import re
import runpy
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
SITE = runpy.run_path(str(ROOT / "docs" / "build_site.py"))


def test_the_page_of_settings_has_every_setting_with_its_meaning():
    """A setting without a comment in config/default.toml would have an empty cell."""
    page = SITE["settings_page"]()
    for section, keys in tomllib.loads((ROOT / "config" / "default.toml").read_text(encoding="utf-8")).items():
        assert f"## {section}\n" in page
        assert [key for key in keys if not re.search(rf"^\| `{key}` \| `.*` \| .+ \|$", page, re.MULTILINE)] == []


def test_the_page_of_endpoints_has_every_route_with_its_answer():
    """A handler without a docstring would have an empty cell."""
    rows = re.findall(r"^\| `(\w+ \S+)` \| (.*) \|$", SITE["endpoints_page"](), re.MULTILINE)
    assert {"GET /healthz", "GET /api/events", "POST /api/play/{key}/move"} <= {address for address, _ in rows}
    assert [address for address, text in rows if not text] == []


def test_the_site_names_every_page():
    """A page that the navigation leaves out cannot be found on the site."""
    navigation = (ROOT / "docs" / "mkdocs.yml").read_text(encoding="utf-8")
    pages = [*(ROOT / "docs").rglob("*.md"), *(ROOT / "research").rglob("*.md")]
    assert [page.name for page in pages if f"- {page.relative_to(ROOT)}\n" not in navigation] == []
