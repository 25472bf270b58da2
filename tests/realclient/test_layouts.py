"""Is an innocent edit in a project as people have them silent, from the start of a session to its stop?"""

from __future__ import annotations

import json
from typing import Any

from kit import claude, codex, layouts
from kit.case import ScenarioCase
from kit.outcome import Outcome
from kit.registration import Flyball
from kit.turns import say, use

# Layout: the linters that its people have, and an edit of old code with findings in it.
EXPRESS = ("express", ("eslint",), "lib/relay.js", "'no route'", "'no such route'")
FLASK = ("flask", ("ruff", "mypy", "pyright"), "src/basin/config.py", '"""Settings by', '"""Settings, by')


class InnocentEdit(ScenarioCase):
    def assert_silent(self, run: Outcome, linters: tuple[str, ...], change: tuple[str, str]) -> None:
        self.ended_well(run)
        self.assertEqual(run.changed(), dict([change]), "only the edit")
        self.assertEqual(run.seen("flyball:") + run.seen("[flyball"), [], "shown to the model")
        shown = [line for line in run.printed if "[flyball" in json.dumps(line) or "flyball:" in json.dumps(line)]
        self.assertEqual(shown, [], "shown to the user")
        self.assertEqual({entry["stance"] for entry in run.hooks}, {"silent"})
        kinds = [entry["kind"] for entry in run.hooks]
        for kind in ("session_start", "after_tool", "stop"):
            self.assertIn(kind, kinds)
        records = json.dumps([entry["rulings"] for entry in self.logged("after_tool")])
        for linter in linters:
            self.assertIn(linter, records, "it ran")
        self.assertIn("older findings left out", records)


class InnocentEditInClaude(InnocentEdit):
    client = "claude"

    def play(self, layout: tuple[str, tuple[str, ...], str, str, str]) -> None:
        name, linters, file, old, new = layout
        files = layouts.files(name)
        path = f"{{PROJECT}}/{file}"
        turns = [use("Read", file_path=path),
                 use("Edit", file_path=path, old_string=old, new_string=new), say("Done.")]
        more: dict[str, Any] = {"files": files, "linters": linters, "client": self.client, "limit_s": 90}
        run = claude.run(Flyball(""), turns, **more)
        self.assert_silent(run, linters, (file, files[file].replace(old, new)))

    def test_in_a_project_like_express(self) -> None:
        self.play(EXPRESS)

    def test_in_a_project_like_flask(self) -> None:
        self.play(FLASK)


class InnocentEditInOlderClaude(InnocentEditInClaude):
    client = "claude-old"


class InnocentEditInCodex(InnocentEdit):
    def play(self, layout: tuple[str, tuple[str, ...], str, str, str]) -> None:
        name, linters, file, old, new = layout
        files = layouts.files(name)
        line = next(line for line in files[file].splitlines() if old in line)
        patch = f"*** Update File: {file}\n@@\n-{line}\n+{line.replace(old, new)}\n"
        run = codex.run(Flyball(""), [codex.patch(patch), say("Done.")], files=files, linters=linters, limit_s=90)
        self.assert_silent(run, linters, (file, files[file].replace(old, new)))

    def test_in_a_project_like_express(self) -> None:
        self.play(EXPRESS)

    def test_in_a_project_like_flask(self) -> None:
        self.play(FLASK)
