"""Makes recorded payloads neutral: no path, id or date of a real machine.

Paths become /home/dev/..., ids are numbered in the order in which they appear.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

UUID = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")
CALL = re.compile(r"\bcall_[0-9]{24}\b")
DAY = re.compile(r"/20\d\d/\d\d/\d\d/rollout-20\d\d-\d\d-\d\dT\d\d-\d\d-\d\d-")
NICKNAME = re.compile(r'"nickname":"[^"]*"')
WORLD = re.compile(r"flyball-realclient-|/tmp/|" + re.escape(str(Path.home()) + "/"))


def scrub(value: Any, root: Path) -> Any:
    """The value as if it had been recorded in /home/dev; `root` is where it was."""
    clean = _scrub(value, root, {})
    left = WORLD.search(str(clean))
    if left:
        raise ValueError(f"`{left[0]}` is left in {clean}")
    return clean


def _scrub(value: Any, root: Path, ids: dict[str, str]) -> Any:
    if isinstance(value, dict):
        return {key: _scrub(part, root, ids) for key, part in value.items()}
    if isinstance(value, list):
        return [_scrub(part, root, ids) for part in value]
    return _text(value, root, ids) if isinstance(value, str) else value


def _text(text: str, root: Path, ids: dict[str, str]) -> str:
    for real, neutral in ((f"{root}/project", "/home/dev/project"), (f"{root}/home", "/home/dev")):
        text = text.replace(real, neutral)
    text = DAY.sub("/2026/01/01/rollout-2026-01-01T00-00-00-", text)
    text = CALL.sub("call_1", text)
    text = NICKNAME.sub('"nickname":"Leibniz"', text)
    return UUID.sub(lambda found: ids.setdefault(
        found[0], f"00000000-0000-7000-8000-{len(ids) + 1:012d}"), text)
