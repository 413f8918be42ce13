"""A manager's page like Stanford's Gamemaster, and the rules of its game in the newer language."""

import re
from pathlib import Path

FOLDER = Path(__file__).parent
RULES = [line for line in re.sub(r"%.*", "", (FOLDER / "claim.gdl").read_text()).splitlines() if line.strip()]
