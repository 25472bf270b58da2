"""Does the real Codex honour what flyball answers? Its parser is strict: with one key too many
in an answer, the call goes ahead. So each scenario checks the effect."""

from __future__ import annotations

from typing import Any

from kit import codex, tools
from kit.case import ScenarioCase
from kit.outcome import Outcome
from kit.registration import Flyball
from kit.turns import Turn, say

NO_PIP = """
[[rule]]
id = "no-pip"
events = ["before_tool"]
tool = ["shell"]
when = 'tool.command.contains("pip install")'
action = "deny"
message = "Use `uv add` instead of pip ({{tool.command}})"
"""


class Codex(ScenarioCase):
    def play(self, config: str, *main: Turn, **more: Any) -> Outcome:
        return self.ended_well(codex.run(Flyball(config), main, **more))

    def test_a_denied_command_is_not_run_and_the_model_gets_the_reason(self) -> None:
        run = self.play(NO_PIP, codex.shell("pip install requests"), say("Done."),
                        programs={"pip": "#!/bin/sh\ntouch made-by-pip\n"})
        self.assertEqual(run.changed(), {})
        self.assert_one(run.at("result"), "Command blocked by PreToolUse hook: ",
                        "Use `uv add` instead of pip (pip install requests)")
        self.assertEqual([entry["stance"] for entry in self.logged("before_tool")], ["deny"])
        self.assertEqual(self.logged("after_tool"), [])

    def test_other_calls_pass_silently(self) -> None:
        run = self.play(NO_PIP, codex.shell("echo hi > made"),
                        codex.patch("*** Add File: new.txt\n+line\n"), say("Done."))
        self.assertEqual(run.changed(), {"made": "hi\n", "new.txt": "line\n"})
        self.assertEqual(run.seen("uv add"), [])
        self.assertEqual([entry["tool"] for entry in self.logged("before_tool")], ["shell", "edit"])
        self.assertEqual([entry["tool"] for entry in self.logged("after_tool")], ["shell", "edit"])

    def test_context_reaches_the_model_that_it_is_meant_for(self) -> None:
        run = self.play("""
            [[rule]]
            id = "at-start"
            events = ["session_start"]
            action = "inject"
            message = "START-CONTEXT"

            [[rule]]
            id = "at-prompt"
            events = ["prompt_submit"]
            action = "inject"
            message = "PROMPT-CONTEXT"

            [[rule]]
            id = "at-agent"
            events = ["agent_start"]
            action = "inject"
            message = "AGENT-CONTEXT"
            """, codex.spawn("HELPER: write notes"), codex.shell("sleep 2"), say("Done."),
            subagents={"HELPER": [codex.shell("echo notes > notes"), say("Written.")]})
        developer = run.at("developer")
        self.assert_one(developer, "START-CONTEXT")
        self.assert_one(developer, "PROMPT-CONTEXT")
        self.assertEqual(run.seen_by("AGENT-CONTEXT"), {"HELPER"})

    def test_a_stop_is_blocked_once_and_then_released(self) -> None:
        run = self.play("""
            [[rule]]
            id = "tests-first"
            events = ["stop"]
            action = "deny"
            message = "STOP-REASON: run the tests first"
            once = "session"
            """, say("Done."), say("The tests pass; done."))
        self.assertEqual(len(run.requests()), 2)
        self.assert_one(run.at("user"), "<hook_prompt", "STOP-REASON: run the tests first")
        self.assertEqual([entry["stance"] for entry in self.logged("stop")], ["deny", "silent"])

    def test_feedback_after_a_tool_is_shown_beside_its_result(self) -> None:
        run = self.play("""
            [[rule]]
            id = "review"
            events = ["after_tool"]
            tool = ["edit"]
            action = "deny"
            message = "AFTER-FEEDBACK: add a test"
            """, codex.patch("*** Add File: new.txt\n+line\n"), say("Done."))
        self.assertEqual(run.changed(), {"new.txt": "line\n"})
        self.assert_one(run.at("developer"), "AFTER-FEEDBACK: add a test")
        self.assert_one(run.at("result"), "Success. Updated the following files")

    def test_doctor_proves_from_inside_a_session_that_hooks_fire(self) -> None:
        run = self.play("", codex.shell(f"{tools.flyball()} doctor --live"), say("Done."))
        self.assert_one(run.at("result"), "✓", "before_tool")

    def test_what_a_subagent_does_carries_its_id(self) -> None:
        self.play("", codex.spawn("HELPER: write notes"), codex.shell("sleep 2"), say("Done."),
                  subagents={"HELPER": [codex.shell("echo notes > notes"), say("Written.")]})
        started = self.logged("agent_start")[0]["agent"]
        self.assertEqual(started["role"], "explorer")
        inside = [entry for entry in self.logged("before_tool") if "agent" in entry]
        self.assertEqual([(entry["tool"], entry["agent"]) for entry in inside],
                         [("shell", started)])
        self.assertEqual([entry["agent"] for entry in self.logged("agent_stop")], [started])
        self.assertEqual(len({entry["session"] for entry in self.outcome.hooks}), 1)

    def test_flyball_guards_its_config_and_its_registration(self) -> None:
        attempts = []
        for name, line in (("flyball.toml", "[[rule]]"), (codex.HOOKS_FILE, "{")):
            delete = f"*** Begin Patch\n*** Delete File: {name}\n*** End Patch"
            attempts += [
                codex.patch(f"*** Add File: {name}\n+\n"),
                codex.patch(f"*** Delete File: {name}\n"),
                codex.patch(f"*** Update File: {name}\n*** Move to: elsewhere\n@@\n-{line}\n+\n"),
                codex.shell(f"apply_patch <<'EOF'\n{delete}\nEOF"),
                codex.shell(f"echo > {name}")]
        run = self.play(NO_PIP, *attempts, say("Done."))
        self.assertEqual(run.changed(), {})
        denied = [entry for entry in self.logged("before_tool") if entry["stance"] == "deny"]
        self.assertEqual(len(denied), len(attempts))
        for entry in denied:
            self.assertIn("guard.self", [ruling["policy"] for ruling in entry["rulings"]
                                         if ruling["stance"] == "deny"])
