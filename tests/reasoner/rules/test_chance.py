"""Who plays by chance is decided in one place."""

import re
from pathlib import Path

import pytest

from reasoner.rules.chance import is_chance

ROOT = Path(__file__).resolve().parents[3]
PYTHON = re.compile(r"""(?<!kind )[!=]= ?(CHANCE\b|["']random["'])|["']random["'] (not )?in \w*\.?roles""")
PAGE = re.compile(r"""["']random["']""")


@pytest.mark.parametrize("role", ["random", "RANDOM", "Random", "rAnDoM"])
def test_random_is_chance_in_any_case(role):
    """A keyword is recognised however it is spelled."""
    assert is_chance(role)


@pytest.mark.parametrize("role", ["randomizer", "red", "a-random", ""])
def test_no_other_name_is_chance(role):
    """The name is compared as a whole."""
    assert not is_chance(role)


def test_no_other_module_compares_a_role_with_random():
    """Manager, tournament, page, search, environments and benches all ask `is_chance`."""
    sources = [path for room in ("agent", "search", "reasoner", "bench") for path in (ROOT / room).rglob("*.py")]
    found = [
        f"{path.relative_to(ROOT)}: {line.strip()}"
        for path in sources
        for line in path.read_text(encoding="utf-8").splitlines()
        if PYTHON.search(line) and "wrong ==" not in line  # of a batch: what is done with a wrong action
    ]
    assert set(found) == {
        "reasoner/rules/chance.py: return role.lower() == CHANCE",
        'agent/players/spec.py: if name == "random":',  # the player `random`, no role
        'agent/environments/opponents.py: if given == "random":',
    }
    scripts = (ROOT / "agent" / "page" / "static").rglob("*.js")
    assert [path.name for path in scripts if PAGE.search(path.read_text(encoding="utf-8"))] == ["roles.js"]
