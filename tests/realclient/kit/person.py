"""A person who acts while the client runs: flyball in a terminal that no agent holds or made, an editor."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from kit import tools
from kit.scratch import Scratch
from kit.turns import Turn

# The same person as in the tests of the program.
TERMINAL = Path(__file__).parents[3] / "crates/flyball-testkit/src/terminal.py"


def act(world: Scratch, turn: Turn) -> None:
    if turn.person:
        run(world, turn.person)
    for name, text in turn.saves.items():
        (world.project / name).write_text(text)


def run(world: Scratch, arguments: Sequence[str]) -> None:
    request = json.dumps({"command": [str(tools.flyball()), *arguments], "answers": []})
    ran = subprocess.run([sys.executable, str(TERMINAL), request], cwd=world.project, env=world.env(),
                         capture_output=True, text=True, check=True)
    seen = json.loads(ran.stdout)
    if seen["status"] != 0:
        raise AssertionError(f"flyball {arguments}: {seen}")
