"""Is a gate closed whose program is gone? It is deleted, renamed, made useless or killed while a session runs."""

from __future__ import annotations

import os
import shutil
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from kit import claude, codex, tools
from kit.case import ScenarioCase
from kit.outcome import Outcome
from kit.registration import Flyball
from kit.scratch import Scratch
from kit.turns import say, use

GONE = "flyball is gone"


@dataclass
class Copied(Flyball):
    """flyball registered from a copy of its own, which is then spoiled. `has_state` is whether it ever ran here."""
    spoil: str = ""
    has_state: bool = True

    def register(self, world: Scratch, hooks_file: Path) -> None:
        self.copy = world.root / "opt" / "flyball"
        self.copy.parent.mkdir()
        # A link would be followed to the real one.
        shutil.copy2(tools.flyball(), self.copy)
        real, tools.flyball = tools.flyball, lambda: self.copy
        try:
            super().register(world, hooks_file)
        finally:
            tools.flyball = real
        (world.root / "bin" / "flyball").unlink()
        spoilt = {"deleted": self.copy.unlink, "useless": lambda: self.copy.chmod(0o644),
                  "renamed": lambda: self.copy.rename(self.copy.with_name("other")),
                  "killed": lambda: self._kills_itself()}
        spoilt[self.spoil]()
        if not self.has_state:
            shutil.rmtree(world.home / "state")

    def _kills_itself(self) -> None:
        self.copy.write_text("#!/bin/sh\nkill -KILL $$\n")

    def collect(self, world: Scratch) -> list[dict[str, Any]]:
        return []


WAYS = ("deleted", "renamed", "useless", "killed")


class GoneInClaude(ScenarioCase):
    client = "claude"

    def play(self, registration: Copied) -> Outcome:
        bash = use("Bash", command="touch made", description="make a file")
        return claude.run(registration, [bash, say("Done."), say("Done."), say("Done.")], client=self.client)

    def test_a_gate_that_is_gone_is_closed(self) -> None:
        for way in WAYS:
            with self.subTest(way=way):
                run = self.play(Copied(spoil=way))
                self.assertNotIn("made", run.changed())

    def test_where_it_never_was_the_gate_is_open(self) -> None:
        run = self.play(Copied(spoil="deleted", has_state=False))
        self.assertIn("made", run.changed())
        self.assertEqual(run.final_text(), "Done.")


class GoneInOlderClaude(GoneInClaude):
    client = "claude-old"


class GoneInCodex(GoneInClaude):
    def play(self, registration: Copied) -> Outcome:
        return codex.run(registration, [codex.shell("touch made"), say("Done."), say("Done.")])
