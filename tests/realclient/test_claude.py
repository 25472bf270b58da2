"""Does the real Claude Code honour what flyball answers?

Each scenario is one conversation with a scripted model. It checks only what that model was shown
next, how the files changed, and what flyball's log has. Both pinned versions run all of it; where
they differ, the class of the older one has the differences.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from kit import claude
from kit.case import ScenarioCase
from kit.outcome import Outcome
from kit.registration import Flyball
from kit.turns import Turn, say, together, use

NO_PIP = """
[[rule]]
id = "no-pip"
events = ["before_tool"]
tool = ["shell"]
when = 'tool.command.contains("pip install")'
action = "{action}"
message = "Use `uv add` instead of pip ({{{{tool.command}}}})"
"""
HELPER = use("Agent", description="Write notes", prompt="HELPER: write notes.md.",
             subagent_type="general-purpose", run_in_background=False)
HELPER_WRITES = {"HELPER": [use("Write", file_path="{PROJECT}/notes.md", content="notes\n"),
                            say("Written.")]}


def bash(command: str) -> Turn:
    return use("Bash", command=command, description="run a command")


class NewestClaude(ScenarioCase):
    client = "claude"
    denial = "PreToolUse:Bash hook error: "  # what the client puts before a reason
    feedback_place = "system"                # where it shows feedback after a tool
    asking: Sequence[str] = ()               # the flags with which it asks for permission

    def play(self, config: str, *main: Turn, **more: Any) -> Outcome:
        return self.ended_well(claude.run(Flyball(config), main, client=self.client, **more))

    # The gate before a tool

    def test_a_denied_call_is_not_made_and_the_model_gets_the_reason(self) -> None:
        run = self.play(NO_PIP.format(action="deny"), bash("pip install requests"), say("Done."),
                        programs={"pip": "#!/bin/sh\ntouch made-by-pip\n"})
        self.assertEqual(run.changed(), {})
        self.assertEqual(len(run.at("error")), 1)
        self.assertTrue(run.at("error")[0].startswith(self.denial), run.at("error"))
        self.assert_one(run.at("error"), "Use `uv add` instead of pip (pip install requests)")
        self.assertEqual([entry["stance"] for entry in self.logged("before_tool")], ["deny"])
        self.assertEqual(self.logged("after_tool"), [])

    def test_other_calls_pass_silently(self) -> None:
        run = self.play(NO_PIP.format(action="deny"), bash("echo hi > made"), say("Done."))
        self.assertEqual(run.changed(), {"made": "hi\n"})
        self.assertEqual(run.at("error"), [])
        self.assertEqual(run.seen("uv add"), [])

    def test_doctor_proves_from_inside_a_session_that_hooks_fire(self) -> None:
        run = self.play("", bash("flyball doctor --live"), say("Done."))
        self.assert_one(run.at("result"), "✓", "before_tool")
        self.assertEqual(run.at("error"), [])

    def test_asking_where_nobody_can_answer_refuses_with_the_reason(self) -> None:
        run = self.play(NO_PIP.format(action="ask"), bash("pip install requests"), say("Done."),
                        programs={"pip": "#!/bin/sh\ntouch made-by-pip\n"})
        self.assertEqual(run.changed(), {})
        self.assert_one(run.at("error"), "Use `uv add` instead of pip (pip install requests)")

    def test_a_rewritten_prompt_is_what_the_subagent_gets(self) -> None:
        run = self.play("""
            [[rule]]
            id = "house-rules"
            events = ["before_tool"]
            tool = ["spawn_agent"]
            action = "rewrite"
            rewrite = { prepend = "HOUSE-RULE: keep it short.\\n" }
            """, HELPER, say("Done."), subagents=HELPER_WRITES)
        self.assertEqual(run.seen_by("HOUSE-RULE"), {"HELPER"})
        self.assert_one([text for _, _, text in run.seen("HOUSE-RULE")],
                        "HOUSE-RULE: keep it short.\nHELPER: write notes.md.")
        self.assertEqual(run.changed(), {"notes.md": "notes\n"})

    # Context

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
            """, HELPER, say("Done."), subagents=HELPER_WRITES)
        self.assertEqual(run.seen_by("START-CONTEXT"), {"main"})
        self.assertEqual(run.seen_by("PROMPT-CONTEXT"), {"main"})
        self.assertEqual(run.seen_by("AGENT-CONTEXT"), {"HELPER"})
        first = run.shown(run.requests()[0].body)
        for context in ("START-CONTEXT", "PROMPT-CONTEXT"):
            self.assert_one([text for _, text in first if context in text], context)

    def test_a_warning_is_not_for_the_model(self) -> None:
        run = self.play(NO_PIP.format(action="warn"), bash("pip install requests"), say("Done."),
                        programs={"pip": "#!/bin/sh\ntouch made-by-pip\n"})
        self.assertEqual(run.changed(), {"made-by-pip": ""})
        self.assertEqual(run.seen("uv add"), [])

    # After a tool, at the end of a turn

    def test_feedback_after_a_tool_reaches_the_model_and_the_file_stays(self) -> None:
        run = self.play("""
            [[rule]]
            id = "review"
            events = ["after_tool"]
            tool = ["edit"]
            action = "deny"
            message = "AFTER-FEEDBACK: add a test"
            """, use("Write", file_path="{PROJECT}/app.py", content="x = 1\n"), say("Done."))
        self.assertEqual(run.changed(), {"app.py": "x = 1\n"})
        self.assertEqual([place for _, place, _ in run.seen("AFTER-FEEDBACK")],
                         [self.feedback_place])
        self.assert_one([text for _, _, text in run.seen("AFTER-FEEDBACK")],
                        "PostToolUse:Write hook blocking error from command: ",
                        "AFTER-FEEDBACK: add a test")

    def test_a_stop_is_blocked_once_and_then_released(self) -> None:
        run = self.play("""
            [[rule]]
            id = "tests-first"
            events = ["stop"]
            action = "deny"
            message = "STOP-REASON: run the tests first"
            once = "session"
            """, say("Done."), say("The tests pass; done."))
        self.assertEqual(run.final_text(), "The tests pass; done.")
        self.assertEqual(len(run.requests()), 2)
        self.assert_one(run.at("user"), "Stop hook feedback:\n", "STOP-REASON: run the tests first")
        self.assertEqual([entry["stance"] for entry in self.logged("stop")], ["deny", "silent"])

    # Permissions

    def ask_permission(self, action: str) -> Outcome:
        return self.play(f"""
            [[rule]]
            id = "decide"
            events = ["permission_asked"]
            tool = ["edit"]
            action = "{action}"
            message = "PERMISSION-REASON"
            """, use("Write", file_path="{PROJECT}/app.py", content="x = 1\n"), say("Done."),
            mode="default", flags=self.asking)

    def test_a_permission_is_granted_instead_of_the_user(self) -> None:
        run = self.ask_permission("allow")
        self.assertEqual(run.changed(), {"app.py": "x = 1\n"})
        self.assertEqual(run.at("error"), [])

    def test_a_permission_is_refused_instead_of_the_user(self) -> None:
        run = self.ask_permission("deny")
        self.assertEqual(run.changed(), {})
        self.assert_one(run.at("error"), "PERMISSION-REASON")

    # Compaction, sessions

    def test_nothing_from_flyball_gets_into_the_summary(self) -> None:
        run = self.play("""
            [[rule]]
            id = "compacting"
            events = ["before_compact"]
            action = "warn"
            message = "COMPACT-NOTICE"
            """, say("A long story. " * 50), bash("echo one"), say("One."), say("Going on."),
            prompts=["Tell.", "Echo.", "/compact keep the names", "Go on."])
        self.assertEqual(len(run.requests("compact")), 1)
        self.assertEqual(len(self.logged("before_compact")), 1)
        self.assertEqual(run.seen("COMPACT-NOTICE"), [])
        request = json.dumps(run.requests("compact")[0].body["messages"][-1])
        self.assertIn("keep the names", request)
        for trace in ("flyball", "systemMessage", "hookSpecificOutput"):
            self.assertNotIn(trace, request)

    def test_clear_starts_another_session(self) -> None:
        run = self.play("", say("Hello."), say("Hello again."), prompts=["Hi.", "/clear", "Hi."])
        self.assertEqual(run.final_text(), "Hello again.")
        stops = [entry["session"] for entry in self.logged("stop")]
        self.assertEqual(len(set(stops)), 2)
        self.assertEqual([entry["session"] for entry in self.logged("session_start")], stops)
        self.assertEqual([entry["session"] for entry in self.logged("session_end")], stops)

    # The record

    def test_parallel_calls_are_all_recorded(self) -> None:
        files = {f"{n}.txt": f"{n}\n" for n in range(5)}
        run = self.play("", together(
            *(use("Read", file_path=f"{{PROJECT}}/{name}") for name in files),
            *(bash(f"cat {name}") for name in files),
            *(use("Write", file_path=f"{{PROJECT}}/new-{name}", content="x\n") for name in files),
        ), say("Done."), files=files)
        self.assertEqual(run.at("error"), [])
        for kind in ("before_tool", "after_tool"):
            calls = self.logged(kind)
            self.assertEqual(sorted(entry["tool"] for entry in calls),
                             ["edit"] * 5 + ["read"] * 5 + ["shell"] * 5)
            self.assertEqual(len({json.dumps(entry["call"]) for entry in calls}), 15)
            self.assertFalse(any(entry.get("duplicate") for entry in calls))

    def test_what_a_subagent_does_carries_its_id(self) -> None:
        self.play("", HELPER, say("Done."), subagents=HELPER_WRITES)
        started = self.logged("agent_start")[0]["agent"]
        self.assertEqual(started["role"], "general-purpose")
        self.assertEqual(
            [(entry["kind"], entry["tool"], entry.get("agent")) for entry in self.outcome.hooks
             if entry["kind"] in ("before_tool", "after_tool")],
            [("before_tool", "spawn_agent", None), ("before_tool", "edit", started),
             ("after_tool", "edit", started), ("after_tool", "spawn_agent", None)])
        self.assertEqual([entry["agent"] for entry in self.logged("agent_stop")], [started])
        self.assertEqual(len({entry["session"] for entry in self.outcome.hooks}), 1)

    # flyball itself

    def test_flyball_guards_its_config_and_its_registration(self) -> None:
        # Before it asks any hook, the client refuses to write a file that was not read, and to
        # make its settings invalid.
        attempts = []
        for name, old, new in (
                ("flyball.toml", 'action = "deny"', 'action = "allow"'),
                (claude.HOOKS_FILE, '"hooks": {', '"disableAllHooks": true, "hooks": {')):
            path = f"{{PROJECT}}/{name}"
            attempts += [use("Write", file_path=path, content="{}\n"),
                         use("Edit", file_path=path, old_string=old, new_string=new),
                         bash(f"echo > {name}"), bash(f"cd . && rm -f ./{name}")]
        reads = [use("Read", file_path="{PROJECT}/flyball.toml"),
                 use("Read", file_path=f"{{PROJECT}}/{claude.HOOKS_FILE}")]
        run = self.play(NO_PIP.format(action="deny"), *reads, *attempts, say("Done."))
        self.assertEqual(run.changed(), {})
        self.assertEqual(len(run.at("error")), len(attempts))
        denied = [entry for entry in self.logged("before_tool") if entry["stance"] == "deny"]
        self.assertEqual(len(denied), len(attempts))
        for entry in denied:
            self.assertIn("guard.self", [ruling["policy"] for ruling in entry["rulings"]
                                         if ruling["stance"] == "deny"])


class OlderClaude(NewestClaude):
    """2.1.197: gives reasons without a prefix, shows feedback beside the result, asks only if a user is there."""
    client = "claude-old"
    denial = "no-pip: Use `uv add`"
    feedback_place = "user"
    asking = ("--permission-prompt-tool", "stdio")
