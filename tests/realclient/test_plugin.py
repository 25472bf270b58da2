"""Does flyball work as a plugin of the real client, alone and beside a registration in the settings?"""

from __future__ import annotations

import subprocess
from typing import Any

from kit import claude, tools
from kit.case import ScenarioCase
from kit.outcome import Outcome
from kit.registration import Plugin
from kit.scratch import scratch
from kit.turns import Turn, say, together, use

NO_PIP = """
[[rule]]
id = "no-pip"
events = ["before_tool"]
tool = ["shell"]
when = 'tool.command.contains("pip install")'
action = "deny"
message = "Use `uv add` instead"
"""
BLOCK_ONCE = """
[[rule]]
id = "once"
events = ["stop"]
when = '!stop.again'
action = "deny"
message = "Say it again"
"""
INJECT = """
[[rule]]
id = "forecast"
events = ["prompt_submit"]
action = "inject"
message = "The forecast has a timeout."
"""


def bash(command: str) -> Turn:
    return use("Bash", command=command, description="run a command")


class PluginInClaude(ScenarioCase):
    client = "claude"

    def play(self, plugin: Plugin, *main: Turn, **more: Any) -> Outcome:
        plugin.client = self.client
        return self.ended_well(claude.run(plugin, main, client=self.client, limit_s=60, **more))

    # The client's own validation

    def test_the_client_finds_nothing_wrong_with_the_plugin_and_its_marketplace(self) -> None:
        for folder in (tools.ROOT / "plugin", tools.ROOT):
            with scratch() as world:
                done = subprocess.run(
                    [str(tools.client(self.client)), "plugin", "validate", str(folder), "--strict"],
                    cwd=world.project, env=world.env(), capture_output=True, text=True, timeout=60)
            self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
            self.assertIn("Validation passed", done.stdout)

    # Alone

    def test_a_denied_call_is_not_made_and_the_model_gets_the_reason(self) -> None:
        run = self.play(Plugin(NO_PIP), bash("pip install requests"), say("Done."),
                        programs={"pip": "#!/bin/sh\ntouch made-by-pip\n"})
        self.assertEqual(run.changed(), {})
        self.assert_one(run.at("error"), "Use `uv add` instead")
        self.assertEqual([entry["stance"] for entry in self.logged("before_tool")], ["deny"])

    def test_an_agent_is_blocked_from_stopping(self) -> None:
        run = self.play(Plugin(BLOCK_ONCE), say("Done."), say("Done again."))
        self.assertEqual([entry["stance"] for entry in self.logged("stop")], ["deny", "silent"])
        self.assertEqual(run.final_text(), "Done again.")

    def test_the_commands_of_the_plugin_show_the_model_flyballs_status(self) -> None:
        run = self.play(Plugin(), say("Nothing is open."), prompts=["/flyball:status"])
        shown = "\n".join(text for _, _, text in run.seen("The loop of review and tests:"))
        self.assertIn("No loop is open", shown)
        self.assertNotIn("!`", shown)

    def test_a_session_without_the_program_shows_a_notice(self) -> None:
        run = self.play(Plugin(has_program=False), bash("true"), say("Done."))
        notices = [line for line in run.printed if "flyball is gone" in str(line) or "not installed here" in str(line)]
        self.assertTrue(notices, "there was no notice")

    # Beside a registration in the settings

    def test_registered_twice_each_call_counts_once(self) -> None:
        run = self.play(Plugin(NO_PIP, also_in_settings=True), bash("true"), bash("pip install requests"),
                        say("Done."), programs={"pip": "#!/bin/sh\ntouch made-by-pip\n"})
        self.assertEqual(run.changed(), {})
        for kind in ("session_start", "prompt_submit", "before_tool", "after_tool", "stop"):
            calls = self.logged(kind)
            counted = [entry for entry in calls if not entry.get("duplicate")]
            self.assertEqual(len(calls), 2 * len(counted), kind)
        denied = [entry for entry in self.logged("before_tool") if entry["stance"] == "deny"]
        self.assertEqual(len([entry for entry in denied if not entry.get("duplicate")]), 1)
        self.assertEqual(len(run.at("error")), 1)

    def test_registered_twice_an_agent_is_blocked_once_and_then_released(self) -> None:
        run = self.play(Plugin(BLOCK_ONCE, also_in_settings=True), say("Done."), say("Done again."))
        counted = [entry["stance"] for entry in self.logged("stop") if not entry.get("duplicate")]
        self.assertEqual(counted, ["deny", "silent"])
        self.assertEqual(run.final_text(), "Done again.")

    def test_registered_twice_context_is_injected_once(self) -> None:
        run = self.play(Plugin(INJECT, also_in_settings=True), say("Done."))
        shown = "\n".join(text for _, _, text in run.seen("The forecast has a timeout."))
        self.assertEqual(shown.count("The forecast has a timeout."), 1, shown)

    def test_registered_twice_parallel_calls_are_distinguished(self) -> None:
        self.play(Plugin(also_in_settings=True), together(bash("echo one"), bash("echo two")), say("Done."))
        counted = [entry["subject"] for entry in self.logged("before_tool") if not entry.get("duplicate")]
        self.assertEqual(sorted(counted), ["echo one", "echo two"])


class PluginInOlderClaude(PluginInClaude):
    client = "claude-old"
