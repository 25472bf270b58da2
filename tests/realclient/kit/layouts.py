"""The layouts that the tests of the program use: projects as people have them."""

from __future__ import annotations

import re
from pathlib import Path

FOLDER = Path(__file__).resolve().parents[3] / "crates/flyball/tests/it/layouts"


def files(name: str) -> dict[str, str]:
    """The files of a layout: each is below a line `-- NAME --`."""
    parts = re.split(r"^-- (.+) --\n", (FOLDER / f"{name}.txt").read_text(), flags=re.MULTILINE)
    return dict(zip(parts[1::2], parts[2::2], strict=True))
