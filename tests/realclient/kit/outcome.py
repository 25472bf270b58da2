"""The results of one run of a client, and the queries that tests make about them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from kit.process import Process
from kit.script import Asked

Shown = Callable[[dict[str, Any]], list[tuple[str, str]]]


@dataclass
class Outcome:
    shown: Shown                                               # how to read this API's requests
    names: dict[str, str]                                      # {NAME} and the real path
    exit: int | None = None
    timed_out: bool = False
    printed: list[dict[str, Any]] = field(default_factory=list)  # the client's JSON lines
    stderr: str = ""
    asked: list[Asked] = field(default_factory=list)           # the requests to the model
    before: dict[str, str] = field(default_factory=dict)       # project files at the start
    files: dict[str, str] = field(default_factory=dict)        # and at the end
    hooks: list[dict[str, Any]] = field(default_factory=list)  # what the registration collected

    def ended(self, process: Process) -> None:
        self.exit = process.wait()
        self.timed_out = process.timed_out
        self.stderr = process.errors.read_text(errors="replace")

    def requests(self, script: str = "main") -> list[Asked]:
        return [asked for asked in self.asked if asked.script == script]

    def seen(self, needle: str) -> list[tuple[str, str, str]]:
        """Where a model was shown this, as (script, place, whole text); each only once."""
        found = [(asked.script, place, text) for asked in self.asked
                 for place, text in self.shown(asked.body) if needle in text]
        return list(dict.fromkeys(found))

    def seen_by(self, needle: str) -> set[str]:
        """The scripts whose model was shown this; its own calls do not count."""
        return {script for script, place, _ in self.seen(needle) if not place.startswith("call:")}

    def at(self, place: str, script: str = "main") -> list[str]:
        """The texts of one kind in the last request of a script."""
        requests = self.requests(script)
        return [text for where, text in self.shown(requests[-1].body) if where == place] \
            if requests else []

    def changed(self) -> dict[str, str | None]:
        """Files made or altered (the new text) or removed (None)."""
        names = sorted(self.before.keys() | self.files.keys())
        return {name: self.files.get(name) for name in names
                if self.before.get(name) != self.files.get(name)}

    def final_text(self) -> str | None:
        return next((line["result"] for line in reversed(self.printed)
                     if line.get("type") == "result" and "result" in line), None)

    def report(self) -> str:
        """For a failing test: what happened, short."""
        lines = [f"client exit {self.exit}{', TIMED OUT' if self.timed_out else ''}, "
                 f"{len(self.asked)} model requests, changed {sorted(self.changed())}"]
        for asked in self.asked:
            place, text = self.shown(asked.body)[-1]
            lines.append(f"  {asked.script} {asked.turn}: {place}: {text[-200:]!r}")
        lines += [f"  hook: {entry}"[:240] for entry in self.hooks]
        lines += ["  stderr: " + line for line in self.stderr.splitlines()[-10:]]
        return "\n".join(lines)
