"""Does a model that fixes findings stay within its bounds? One real client starts another.

The outer client's model writes a file with a finding that no formatter fixes. flyball's hook
starts the inner client, whose model is scripted too: its conversation begins with the task.
"""

from __future__ import annotations

import json
from typing import Any

from kit import claude, tools
from kit.case import ScenarioCase
from kit.outcome import Outcome
from kit.registration import Flyball
from kit.turns import Turn, hang, say, use

BAD = "def total(items):\n    unused = 1\n    return sum(items)\n"
GOOD = "def total(items):\n    return sum(items)\n"
FINDING = "F841"
# The mark by which the scripted model knows the inner conversation.
FIXER = "Fix what linters found in"
CONFIG = '[quality]\nat_stop = "off"\n[quality.fixer]\nenabled = true\n'
# A hook of the user's own for what only the inner client does: it must not run.
SPY = {"hooks": {event: [{"matcher": "Read|Edit", "hooks": [
    {"type": "command", "command": "touch '{PROJECT}/hook-of-the-fixer'"}]}]
    for event in ("PreToolUse", "PostToolUse")}}


def read(path: str = "src/app.py") -> Turn:
    return use("Read", file_path=path)


def edit(old: str, new: str, path: str = "src/app.py") -> Turn:
    return use("Edit", file_path=path, old_string=old, new_string=new)


class FixerInClaude(ScenarioCase):
    client = "claude"

    def play(self, *fixer: Turn, config: str = "", **more: Any) -> Outcome:
        ruff = f"#!/bin/sh\nexec '{tools.linter('ruff')}' \"$@\"\n"
        files = {"other.py": "x = 1\n", "pyproject.toml": "[tool.ruff.lint]\n", "../home/.claude/settings.json": json.dumps(SPY)}
        programs = {"ruff": ruff, **more.pop("programs", {})}
        write = use("Write", file_path="{PROJECT}/src/app.py", content=BAD)
        return self.ended_well(claude.run(
            Flyball(CONFIG + config), [write, say("Done.")], client=self.client, files=files,
            subagents={FIXER: list(fixer)}, programs=programs, limit_s=60, **more))

    def assert_left_to_the_agent(self, run: Outcome) -> None:
        """The file is as the agent wrote it, nothing else changed, and the agent gets the finding."""
        self.assertEqual(run.changed(), {"src/app.py": BAD})
        self.assertIn("main", run.seen_by(FINDING))

    def test_an_honest_fix_is_accepted(self) -> None:
        run = self.play(read(), edit("    unused = 1\n", ""), say("Done."))
        self.assertEqual(run.changed(), {"src/app.py": GOOD})
        # The agent is told what was done, not what was found.
        self.assertEqual(run.seen_by("a model fixed F841 in line 2"), {"main"})
        self.assertEqual(run.seen_by("never used"), {FIXER})
        # One edit of the outer client, and none of the inner one, came to flyball.
        self.assertEqual(len(self.logged("after_tool")), 1)
        self.assertEqual(len(run.requests(FIXER)), 3)

    def test_it_has_no_tools_but_its_own(self) -> None:
        bash = use("Bash", command="touch '{PROJECT}/by-bash'", description="make a file")
        run = self.play(bash, use("Write", file_path="src/app.py", content=GOOD), say("Done."))
        self.assertEqual(len(run.at("error", FIXER)), 2)
        self.assert_left_to_the_agent(run)

    def test_a_suppression_is_refused(self) -> None:
        run = self.play(read(), edit("unused = 1", "unused = 1  # noqa: F841"), say("Done."))
        self.assert_left_to_the_agent(run)

    def test_a_deleted_function_is_refused(self) -> None:
        run = self.play(read(), edit(BAD, "x = 1\n"), say("Done."))
        self.assert_left_to_the_agent(run)

    def test_another_file_beside_the_copy_is_refused(self) -> None:
        run = self.play(read(), edit("    unused = 1\n", ""), edit("", "x = 1\n", "src/new.py"),
                        say("Done."))
        self.assert_left_to_the_agent(run)

    def test_a_file_of_the_project_is_out_of_reach(self) -> None:
        other = "{PROJECT}/other.py"
        run = self.play(read(), edit("    unused = 1\n", ""), read(other), edit("1", "2", other),
                        say("Done."))
        self.assertEqual(len(run.at("error", FIXER)), 2)
        self.assert_left_to_the_agent(run)

    def test_a_model_that_hangs_is_left_at_the_limit(self) -> None:
        run = self.play(read(), hang(), config="timeout_seconds = 5\n")
        self.assert_left_to_the_agent(run)

    def test_a_client_that_crashes_does_no_harm(self) -> None:
        run = self.play(config='program = "broken-client"\n',
                        programs={"broken-client": "#!/bin/sh\necho boom >&2\nexit 3\n"})
        self.assertEqual(run.requests(FIXER), [])
        self.assert_left_to_the_agent(run)


class FixerInOlderClaude(FixerInClaude):
    client = "claude-old"
