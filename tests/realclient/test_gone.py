"""Is a gate closed whose program is gone? It is deleted, renamed, made useless or killed while a session runs."""

from __future__ import annotations

import shutil
import subprocess
import threading
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from kit import claude, codex, tools
from kit.case import ScenarioCase
from kit.outcome import Outcome
from kit.registration import Flyball
from kit.scratch import Scratch
from kit.turns import Turn, say, use

# The first command of the agent says that the session has begun, and waits until the program is gone.
READY = "touch ready; while [ ! -e spoilt ]; do sleep 0.1; done"
MADE = "touch made"
KILLS_ITSELF = "#!/bin/sh\nkill -KILL $$\n"


@dataclass
class Copied(Flyball):
    """flyball registered from a copy of its own, which is spoilt during the session."""
    how: str = ""
    # Without the program, commands cannot be started in it: it is the hooks that these tests are about.
    has_seatbelt: bool = field(default=False, kw_only=True)

    def register(self, world: Scratch, hooks_file: Path) -> None:
        self.copy = world.root / "opt" / "flyball"
        self.copy.parent.mkdir()
        # By another process: what is open for writing here is inherited by whatever another thread starts meanwhile, and
        # a program that is open for writing cannot be started.
        subprocess.run(["cp", "-p", str(tools.flyball()), str(self.copy)], check=True)
        super().register(world, hooks_file)
        # The gate would find it there; what `init` remembers is the copy.
        (world.root / "bin" / "flyball").unlink()
        link = world.home / "state" / "bin" / "flyball"
        link.unlink()
        link.symlink_to(self.copy)
        threading.Thread(target=self.spoil, args=[world.project], daemon=True).start()

    def program(self) -> Path:
        return self.copy

    def spoil(self, project: Path) -> None:
        deadline = time.monotonic() + 60
        while not (project / "ready").exists():
            if time.monotonic() > deadline or not project.exists():
                return
            time.sleep(0.05)
        if self.how == "deleted":
            self.copy.unlink()
        elif self.how == "renamed":
            self.copy.rename(self.copy.with_name("other"))
        elif self.how == "useless":
            self.copy.chmod(0o644)
        else:
            other = self.copy.with_name("other")
            other.write_text(KILLS_ITSELF)
            other.chmod(0o755)
            other.rename(self.copy)
        (project / "spoilt").touch()

    def collect(self, world: Scratch) -> list[dict[str, Any]]:
        return []


@dataclass
class NeverThere(Copied):
    """The committed settings of a colleague, on a machine that never had flyball."""

    def register(self, world: Scratch, hooks_file: Path) -> None:
        super().register(world, hooks_file)
        self.copy.unlink()
        shutil.rmtree(world.home / "state")

    def spoil(self, project: Path) -> None:
        pass


class GoneInClaude(ScenarioCase):
    client = "claude"

    def play(self, registration: Copied, *commands: str) -> Outcome:
        turns: list[Turn] = [use("Bash", command=command, description="x") for command in commands]
        # A stop is held once.
        return claude.run(registration, [*turns, say("Done."), say("Really.")], client=self.client, limit_s=60)

    def last_message(self, run: Outcome) -> str | None:
        return run.final_text()

    def closed(self, how: str) -> None:
        run = self.play(Copied(how=how), READY, MADE)
        self.assertIn("ready", run.changed())
        self.assertNotIn("made", run.changed())
        self.assertEqual(self.last_message(run), "Really.")

    def test_deleted(self) -> None:
        self.closed("deleted")

    def test_renamed(self) -> None:
        self.closed("renamed")

    def test_not_executable(self) -> None:
        self.closed("useless")

    def test_killed(self) -> None:
        run = self.play(Copied(how="killed"), READY, MADE)
        self.assertIn("ready", run.changed())
        self.assertNotIn("made", run.changed())

    def test_where_it_never_was_the_gate_is_open(self) -> None:
        run = self.play(NeverThere(), MADE)
        self.assertIn("made", run.changed())
        self.assertEqual(self.last_message(run), "Done.")


class GoneInOlderClaude(GoneInClaude):
    client = "claude-old"


class GoneInCodex(GoneInClaude):
    def play(self, registration: Copied, *commands: str) -> Outcome:
        turns = [codex.shell(command) for command in commands]
        return codex.run(registration, [*turns, say("Done."), say("Really.")], limit_s=60)

    def last_message(self, run: Outcome) -> str | None:
        items = [line.get("item", {}) for line in run.printed]
        return [item["text"] for item in items if item.get("type") == "agent_message"][-1]
