"""How hooks get into a client: flyball's own `init`, or canned answers for tests of the kit.

A registration has two parts: `register` before the client starts, `collect` after it ended.
"""

from __future__ import annotations

import json
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

from kit import tools
from kit.scratch import Scratch

RECORDER = Path(__file__).with_name("hook_recorder.py")


class Registration(Protocol):
    def register(self, world: Scratch, hooks_file: Path) -> None: ...
    def collect(self, world: Scratch) -> list[dict[str, Any]]: ...


@dataclass
class Flyball:
    """flyball with this project config, registered as a user does it. Collects its log."""
    config: str = ""
    packs: Iterable[str] = ()
    # Else it came with the repository and nobody has accepted it.
    is_trusted: bool = field(default=True, kw_only=True)
    # Else what an agent's command does to what is guarded is not refused by the kernel, and has to be noticed.
    has_seatbelt: bool = field(default=True, kw_only=True)

    def register(self, world: Scratch, hooks_file: Path) -> None:
        world.on_search_path("flyball", self.program())
        world.put({"flyball.toml": self.config})
        self._trust(world)
        hooks_file.parent.mkdir(exist_ok=True)  # the sign by which `init` finds the client
        packs = ["--packs", ",".join(self.packs)] if self.packs else []
        seatbelt = [] if self.has_seatbelt else ["--no-seatbelt"]
        self._run(world, "init", "--yes", *packs, *seatbelt)
        if not hooks_file.exists():
            raise AssertionError(f"`flyball init --yes` made no {hooks_file.name}")

    def collect(self, world: Scratch) -> list[dict[str, Any]]:
        """Its records, oldest first, also those of calls that arrived twice."""
        lines = self._run(world, "log", "--json", "--all", "--number", "10000").splitlines()
        return sorted(map(json.loads, lines), key=lambda record: record["at"])

    def _trust(self, world: Scratch) -> None:
        """The user trusts the projects in the scratch folder."""
        if not self.is_trusted:
            return
        folder = world.home / "config"
        folder.mkdir(parents=True, exist_ok=True)
        path = folder / "config.toml"
        before = path.read_text() if path.exists() else ""
        if "[trust]" not in before:
            path.write_text(f"{before}\n[trust]\nprojects = [{json.dumps(str(world.project))}]\n")

    def program(self) -> Path:
        """The flyball that is registered."""
        return tools.flyball()

    def _run(self, world: Scratch, *arguments: str) -> str:
        done = subprocess.run([str(self.program()), *arguments], cwd=world.project,
                              env=world.env(), capture_output=True, text=True, timeout=60)
        if done.returncode:
            raise AssertionError(f"`flyball {shlex.join(arguments)}` ended with "
                                 f"{done.returncode}:\n{done.stdout}{done.stderr}")
        return done.stdout


@dataclass
class Plugin(Flyball):
    """flyball as a plugin of the client, installed by the client's own commands.

    With `also_in_settings` it was registered in the project's settings before, by `init`.
    """
    client: str = "claude"
    also_in_settings: bool = False
    has_program: bool = True

    def register(self, world: Scratch, hooks_file: Path) -> None:
        if self.also_in_settings:
            super().register(world, hooks_file)
        elif self.has_program:
            world.on_search_path("flyball", tools.flyball())
        world.put({"flyball.toml": self.config})
        self._trust(world)
        marketplace = world.root / "marketplace"
        for part in ("plugin", ".claude-plugin"):
            shutil.copytree(tools.ROOT / part, marketplace / part)
        self.manage(world, "marketplace", "add", str(marketplace))
        self.manage(world, "install", "flyball@flyball")

    def manage(self, world: Scratch, *arguments: str) -> str:
        """Runs `claude plugin …` and returns its output."""
        done = subprocess.run([str(tools.client(self.client)), "plugin", *arguments], cwd=world.project,
                              env=world.env(), capture_output=True, text=True, timeout=60)
        if done.returncode:
            raise AssertionError(f"`claude plugin {shlex.join(arguments)}` ended with "
                                 f"{done.returncode}:\n{done.stdout}{done.stderr}")
        return done.stdout


@dataclass
class Canned:
    """Hooks with the answers of the test, which record what they are given.

    `answers` maps an event to a list of hooks: {"matcher"?, "json" | "stdout" | "stderr",
    "exit"?, "times"?}; events in `listen` get a silent hook.
    """
    answers: Mapping[str, list[dict[str, Any]]] = field(default_factory=dict)
    listen: Iterable[str] = ()

    def register(self, world: Scratch, hooks_file: Path) -> None:
        events = {event: [{}] for event in self.listen} | dict(self.answers)
        hooks = {event: [self._group(world, f"{event}-{n}", answer)
                         for n, answer in enumerate(answers)]
                 for event, answers in events.items()}
        hooks_file.parent.mkdir(exist_ok=True)
        hooks_file.write_text(json.dumps({"hooks": hooks}, indent=2))

    def collect(self, world: Scratch) -> list[dict[str, Any]]:
        return recorded(world)

    def _group(self, world: Scratch, label: str, answer: dict[str, Any]) -> dict[str, Any]:
        matcher = {"matcher": answer["matcher"]} if "matcher" in answer else {}
        command = behind_recorder(world, label, ["--answer", json.dumps(answer)])
        return {**matcher, "hooks": [{"type": "command", "command": command}]}


@dataclass
class Recorded:
    """Another registration with each of its commands behind the recorder, to look closer."""
    inner: Registration

    def register(self, world: Scratch, hooks_file: Path) -> None:
        self.inner.register(world, hooks_file)
        settings = json.loads(hooks_file.read_text())
        for event, groups in settings["hooks"].items():
            for n, hook in enumerate(hook for group in groups for hook in group["hooks"]):
                command = [hook["command"], *hook.pop("args")] if "args" in hook \
                    else ["/bin/sh", "-c", hook["command"]]
                hook["command"] = behind_recorder(world, f"{event}-{n}", command)
        hooks_file.write_text(json.dumps(settings, indent=2))

    def collect(self, world: Scratch) -> list[dict[str, Any]]:
        return recorded(world)


def behind_recorder(world: Scratch, label: str, command: list[str]) -> str:
    """A one-word command that runs a hook behind the recorder.

    It is a file because clients quote the command line of a failing hook to the model, and what
    the hook answers must not be seen there.
    """
    script = world.root / "hooks" / label
    script.parent.mkdir(exist_ok=True)
    script.write_text("#!/bin/sh\nexec " + shlex.join(
        [sys.executable, "-I", "-S", str(RECORDER), str(world.root / "hooks.jsonl"), label,
         *command]) + "\n")
    script.chmod(0o755)
    return str(script)


def recorded(world: Scratch) -> list[dict[str, Any]]:
    """Each call of a recorded hook: label, payload, stdout, stderr, exit."""
    log = world.root / "hooks.jsonl"
    return [json.loads(line) for line in log.read_text().splitlines()] if log.exists() else []
