"""Clients whose own sandbox is on: they take what flyball writes into their settings, and no seatbelt is put around their commands.

Whether the sandbox itself works depends on programs that need not be here; that is the client's business.
"""

from __future__ import annotations

import json

from kit import claude
from kit.case import ScenarioCase
from kit.registration import Flyball
from kit.turns import say, use
from kit.scratch import Scratch


class Belted(Flyball):
    """Registered with `--seatbelt`, whatever the kernel allows: the client's own sandbox needs nothing of it."""

    def _run(self, world: Scratch, *arguments: str) -> str:
        more = ["--seatbelt"] if arguments[0] == "init" and "--seatbelt" not in arguments else []
        return super()._run(world, *arguments, *more)


class OwnSandboxOfClaude(ScenarioCase):
    client = "claude"

    def test_it_takes_the_settings_and_no_seatbelt_is_put_around_commands(self) -> None:
        settings = {".claude/settings.local.json": json.dumps({"sandbox": {"enabled": True}})}
        run = self.ended_well(claude.run(Belted(""), [use("Bash", command="echo prefix=$CLAUDE_CODE_SHELL_PREFIX.", description="look"),
                                                     say("Done.")], client=self.client, files=settings))
        text = run.files[".claude/settings.local.json"]
        denied = json.loads(text)["sandbox"]["filesystem"]["denyWrite"]
        self.assertTrue(any(path.endswith("/flyball") for path in denied), denied)
        self.assertNotIn("CLAUDE_CODE_SHELL_PREFIX", text)
        self.assertNotEqual(self.logged("before_tool"), [])
        self.assertEqual([line for line in map(json.dumps, run.printed) if "nvalid setting" in line], [])


class OwnSandboxOfOlderClaude(OwnSandboxOfClaude):
    client = "claude-old"
