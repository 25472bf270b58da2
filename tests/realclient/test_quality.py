"""Do findings reach the model inside the real clients, and does the work end once they are gone?"""

from __future__ import annotations

from typing import Any

from kit import claude, codex
from kit.case import ScenarioCase
from kit.outcome import Outcome
from kit.registration import Flyball
from kit.turns import Turn, say, use

BAD = '"""Adds."""\n\nimport os\n\n\ndef add(a, b):\n    total = a+b\n    return a + b\n'
GOOD = '"""Adds."""\n\n\ndef add(a, b):\n    return a + b\n'
# Ruff removes the import by itself; the unused variable is left for the model.
TIDIED = '"""Adds."""\n\n\ndef add(a, b):\n    total = a + b\n    return a + b\n'
FINDING = ("F841", "total")
FILES = {"ruff.toml": 'lint.select = ["E", "F", "I"]\n'}
ONLY_RUFF = {"files": FILES, "linters": ["ruff"]}


def write(name: str, content: str) -> Turn:
    return use("Write", file_path=f"{{PROJECT}}/{name}", content=content)


def read(name: str) -> Turn:
    return use("Read", file_path=f"{{PROJECT}}/{name}")


def bash(command: str) -> Turn:
    return use("Bash", command=command, description="run a command")


class QualityInClaude(ScenarioCase):
    client = "claude"

    def play(self, config: str, *main: Turn, **more: Any) -> Outcome:
        return self.ended_well(claude.run(Flyball(config), main, client=self.client, **more))

    def stances(self, kind: str) -> list[str]:
        return [entry["stance"] for entry in self.logged(kind)]

    def test_the_model_gets_the_findings_fixes_them_and_may_stop(self) -> None:
        run = self.play("", write("app.py", BAD), read("app.py"), write("app.py", GOOD),
                        say("Done."), **ONLY_RUFF)
        self.assertEqual(run.changed(), {"app.py": GOOD})
        self.assertEqual(self.stances("after_tool"), ["deny", "silent", "silent"])
        self.assertEqual(self.stances("stop"), ["silent"])
        for part in FINDING:
            self.assertNotEqual(run.seen(part), [])
        # It is shown to the model with the result of the call, before the model speaks again.
        second = run.requests()[1]
        findings = [text for _, text in run.shown(second.body) if "F841" in text]
        self.assertEqual(len(findings), 1)
        self.assertIn("Read it again", findings[0])

    def test_what_is_left_blocks_the_stop_once(self) -> None:
        run = self.play("", write("app.py", BAD), say("Done."), say("I leave it."), **ONLY_RUFF)
        self.assertEqual(run.changed(), {"app.py": TIDIED})
        self.assertEqual(self.stances("stop"), ["deny", "silent"])
        self.assert_one(run.at("user"), "Stop hook feedback:\n", "F841", "app.py")
        self.assertEqual(run.final_text(), "I leave it.")

    def test_a_file_written_by_a_command_is_checked_too(self) -> None:
        run = self.play("", bash("printf 'def f():\\n    x = 1\\n' > app.py"),
                        bash("printf 'def f():\\n    return 1\\n' > app.py"), say("Done."),
                        **ONLY_RUFF)
        self.assertEqual(self.stances("after_tool"), ["deny", "silent"])
        self.assertNotEqual(run.seen("F841"), [])
        self.assertEqual(self.stances("stop"), ["silent"])

    def test_clean_work_gets_no_answer(self) -> None:
        run = self.play("", write("app.py", GOOD), say("Done."), **ONLY_RUFF)
        self.assertEqual(run.changed(), {"app.py": GOOD})
        self.assertEqual(self.stances("after_tool"), ["silent"])
        self.assertEqual(run.seen("flyball:") + run.seen("[flyball "), [])


class QualityInOlderClaude(QualityInClaude):
    client = "claude-old"


class QualityInCodex(ScenarioCase):
    def test_the_model_gets_the_findings(self) -> None:
        patch = "*** Add File: app.py\n" + "".join(f"+{line}\n" for line in BAD.splitlines())
        run = self.ended_well(codex.run(Flyball(""), [codex.patch(patch), say("Done."),
                                                      say("I leave it.")], **ONLY_RUFF))
        self.assertEqual(run.changed(), {"app.py": TIDIED})
        for part in FINDING:
            self.assertNotEqual(run.seen(part), [])
