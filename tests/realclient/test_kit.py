"""Does the kit itself work? Parts by themselves, then both clients with canned hooks."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tempfile
import unittest
import urllib.request
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from kit import claude, codex, messages_api, responses_api, tools
from kit.case import ScenarioCase
from kit.loopback import Loopback
from kit.registration import RECORDER, Canned, Recorded
from kit.scratch import Scratch, scratch
from kit.script import OUT_OF_TURNS, Script
from kit.scrub import scrub
from kit.turns import Call, Turn, fill, say, together, use


def ask(model: Loopback, path: str, body: dict[str, Any]) -> str:
    request = urllib.request.Request(model.url + path, json.dumps(body).encode())
    with urllib.request.urlopen(request, timeout=5) as answer:
        return answer.read().decode()


def events(stream: str) -> list[dict[str, Any]]:
    return [json.loads(line.removeprefix("data: "))
            for line in stream.splitlines() if line.startswith("data: ")]


class ScriptTest(unittest.TestCase):
    def test_each_script_has_its_own_turns_and_a_retry_gets_the_same_again(self) -> None:
        script = Script([say("one"), say("two")], {"HELPER": [say("sub")]})
        asked = [("main", ["a"]), ("main", ["a"]), ("HELPER", ["h"]), ("main", ["a", "b"]),
                 ("main", ["a", "b", "c"]), ("compact", ["s"]), ("aside", ["t"])]
        replies = [script.answer(name, {}, {}, messages).text for name, messages in asked]
        self.assertEqual(replies, ["one", "one", "sub", "two", OUT_OF_TURNS,
                                   "<summary>The scripted summary.</summary>", "ok"])
        self.assertEqual([asked.turn for asked in script.asked], [0, 0, 0, 1, 2, 0, 0])

    def test_names_are_filled_in_everywhere(self) -> None:
        turn = together(use("Write", file_path="{PROJECT}/a", list=["{HOME}"]),
                        Turn(calls=(Call("apply_patch", "{PROJECT}"),)))
        self.assertEqual(fill([turn], {"PROJECT": "/p", "HOME": "/h"}), [
            together(use("Write", file_path="/p/a", list=["/h"]),
                     Turn(calls=(Call("apply_patch", "/p"),)))])


class MessagesApiTest(unittest.TestCase):
    def test_a_turn_is_streamed_with_its_calls(self) -> None:
        script = Script([use("Bash", command="ls")])
        with Loopback(messages_api.Api, script) as model:
            stream = events(ask(model, "/v1/messages", {
                "model": "m", "stream": True, "tools": [{}],
                "messages": [{"role": "user", "content": "Go."}]}))
        self.assertEqual([event["type"] for event in stream], [
            "message_start", "content_block_start", "content_block_delta", "content_block_stop",
            "message_delta", "message_stop"])
        self.assertEqual(stream[2]["delta"]["partial_json"], '{"command": "ls"}')
        self.assertEqual(stream[4]["delta"]["stop_reason"], "tool_use")

    def test_requests_are_distinguished(self) -> None:
        script = Script([], {"HELPER": []})

        def of(text: str, **more: Any) -> str:
            messages = [{"role": "user", "content": [{"type": "text", "text": text}]}]
            return messages_api.script_of({"messages": messages, "tools": [{}], **more}, script)

        self.assertEqual(of("Go."), "main")
        self.assertEqual(of("HELPER: go"), "HELPER")
        self.assertEqual(of("A title?", tools=[]), "aside")
        self.assertEqual(of(f"Please {messages_api.COMPACTION[0]}."), "compact")

    def test_everything_shown_has_its_place(self) -> None:
        self.assertEqual(messages_api.shown({
            "system": [{"type": "text", "text": "s"}],
            "messages": [
                {"role": "user", "content": "u"},
                {"role": "assistant", "content": [
                    {"type": "text", "text": "a"},
                    {"type": "tool_use", "name": "Bash", "input": {"command": "ls"}}]},
                {"role": "user", "content": [
                    {"type": "tool_result", "content": "r"},
                    {"type": "tool_result", "is_error": True,
                     "content": [{"type": "text", "text": "e"}]}]}]}),
            [("system", "s"), ("user", "u"), ("assistant", "a"), ("call:Bash", '{"command": "ls"}'),
             ("result", "r"), ("error", "e")])


class ResponsesApiTest(unittest.TestCase):
    def test_a_turn_is_streamed_with_its_calls(self) -> None:
        script = Script([together(codex.shell("ls"), codex.patch("*** Delete File: a\n"))])
        with Loopback(responses_api.Api, script) as model:
            stream = events(ask(model, "/v1/responses", {"input": []}))
        self.assertEqual([event["type"] for event in stream], [
            "response.created", "response.output_item.done", "response.output_item.done",
            "response.completed"])
        self.assertEqual([event["item"] for event in stream[1:3]], [
            {"type": "function_call", "call_id": "call_000000000000000000000002",
             "name": "exec_command", "arguments": '{"cmd": "ls"}'},
            {"type": "custom_tool_call", "call_id": "call_000000000000000000000003",
             "name": "apply_patch",
             "input": "*** Begin Patch\n*** Delete File: a\n*** End Patch\n"}])

    def test_everything_shown_has_its_place(self) -> None:
        self.assertEqual(responses_api.shown({"instructions": "i", "input": [
            {"type": "message", "role": "developer",
             "content": [{"type": "input_text", "text": "d"}]},
            {"type": "function_call", "name": "exec_command", "arguments": "{}"},
            {"type": "function_call_output", "output": "r"},
            {"type": "custom_tool_call", "name": "apply_patch", "input": "p"},
            {"type": "custom_tool_call_output", "output": [{"type": "input_text", "text": "q"}]}]}),
            [("instructions", "i"), ("developer", "d"), ("call:exec_command", "{}"),
             ("result", "r"), ("call:apply_patch", "p"), ("result", "q")])


class RecorderTest(unittest.TestCase):
    def call(self, log: str, *command: str) -> subprocess.CompletedProcess[bytes]:
        return subprocess.run([sys.executable, str(RECORDER), log, "Stop-0", *command],
                              input=b'{"a": 1}', capture_output=True)

    def test_passes_everything_on_and_records_it(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            done = self.call(f"{folder}/log", "/bin/sh", "-c", "cat; echo oops >&2; exit 2")
            self.assertEqual((done.stdout, done.stderr, done.returncode),
                             (b'{"a": 1}', b"oops\n", 2))
            entry = json.loads(Path(f"{folder}/log").read_text())
        self.assertEqual((entry["label"], entry["payload"], entry["exit"], entry["stderr"]),
                         ("Stop-0", {"a": 1}, 2, "oops\n"))

    def test_a_canned_answer_is_given_a_number_of_times(self) -> None:
        answer = json.dumps({"stderr": "no", "exit": 2, "times": 1})
        with tempfile.TemporaryDirectory() as folder:
            codes = [self.call(f"{folder}/log", "--answer", answer).returncode for _ in range(2)]
        self.assertEqual(codes, [2, 0])


class ScratchTest(unittest.TestCase):
    def test_a_world_is_a_committed_copy_and_goes_away(self) -> None:
        with scratch(Path(__file__).parent / "kit") as world:
            world.commit("start")
            status = subprocess.run(["git", "status", "--porcelain"], cwd=world.project,
                                    env=world.env(), capture_output=True, text=True)
            self.assertEqual((status.stdout, status.returncode), ("", 0))
            self.assertIn("scratch.py", world.files())
        self.assertFalse(world.root.exists())

    def test_nothing_of_the_callers_environment_gets_in(self) -> None:
        with scratch() as world:
            env = world.env(MORE="1")
        self.assertEqual(sorted(env), [
            "FLYBALL_CONFIG_DIR", "FLYBALL_STATE_DIR", "HOME", "HTTPS_PROXY", "LANG", "MORE",
            "NO_PROXY", "PATH", "SHELL", "TERM", "TMPDIR", "USER"])
        self.assertEqual(env["HOME"], str(world.home))


class ScrubTest(unittest.TestCase):
    def test_paths_ids_and_dates_become_neutral(self) -> None:
        one, two = "0e12c687-5fe7-48e7-a0e4-0c506faa23b8", "1e12c687-5fe7-48e7-a0e4-0c506faa23b8"
        self.assertEqual(scrub({
            "session_id": one, "turn_id": two, "cwd": "/x/w/project/a",
            "transcript_path": f"/x/w/home/s/2031/02/03/rollout-2031-02-03T04-05-06-{one}.jsonl",
            "calls": ["call_000000000000000000000007", 7, None]}, Path("/x/w")), {
            "session_id": "00000000-0000-7000-8000-000000000001",
            "turn_id": "00000000-0000-7000-8000-000000000002", "cwd": "/home/dev/project/a",
            "transcript_path": "/home/dev/s/2026/01/01/rollout-2026-01-01T00-00-00-"
                               "00000000-0000-7000-8000-000000000001.jsonl",
            "calls": ["call_1", 7, None]})

    def test_what_it_does_not_know_is_refused(self) -> None:
        with self.assertRaisesRegex(ValueError, "`/tmp/` is left in"):
            scrub({"file": "/tmp/other"}, Path("/x/w"))


class ToolsTest(unittest.TestCase):
    def test_what_is_missing_is_a_failure_with_a_fix(self) -> None:
        with self.assertRaisesRegex(tools.Missing, "build it, or unset it"):
            tools.flyball({"FLYBALL_BIN": "/missing"})
        with self.assertRaisesRegex(tools.Missing, "run `export FLYBALL_TOOLS_DIR="):
            tools.client("codex", {})
        with self.assertRaisesRegex(tools.Missing, "no claude in FLYBALL_TOOLS_DIR .`/missing`."):
            tools.client("claude", {"FLYBALL_TOOLS_DIR": "/missing"})

    def test_the_lock_files_name_no_registry(self) -> None:
        pins = tools.ROOT / "tests/tools"
        for kind in ("clients", "linters"):
            self.assertNotIn('"resolved"', (pins / kind / "package-lock.json").read_text())
        for lock in ("clients/package-lock.json", "linters/requirements.txt"):
            self.assertNotIn("://", (pins / lock).read_text())

    def test_each_pinned_wheel_has_its_hashes(self) -> None:
        lock = (tools.ROOT / "tests/tools/linters/requirements.txt").read_text()
        for pin in re.findall(r"^[a-z].*(?:\n .*)*", lock, re.MULTILINE):
            self.assertRegex(pin, r"\A\S+==\S+( ; .*)? \\\n +--hash=sha256:")


class FixturesTest(unittest.TestCase):
    def test_each_index_lists_its_payloads_by_event(self) -> None:
        for client in ("claude-code", "codex"):
            folder = tools.ROOT / "crates/flyball-clients/fixtures" / client
            found = {str(path.relative_to(folder)): json.loads(path.read_text())["hook_event_name"]
                     for path in folder.rglob("*.json") if path.name != "index.json"}
            index = json.loads((folder / "index.json").read_text())["payloads"]
            self.assertEqual({name: entry["event"] for name, entry in index.items()}, found)
            self.assertEqual({name for name, entry in index.items()
                              if entry["source"] == "documented"},
                             {name for name in found if name.startswith("documented/")})


@dataclass
class ExecForm:
    """One hook without a shell: a program and its arguments, as flyball registers itself."""
    program: str

    def register(self, world: Scratch, hooks_file: Path) -> None:
        hooks_file.parent.mkdir(exist_ok=True)
        hook = {"type": "command", "command": sys.executable, "args": ["-c", self.program]}
        hooks_file.write_text(json.dumps({"hooks": {"PreToolUse": [{"hooks": [hook]}]}}))

    def collect(self, world: Scratch) -> list[dict[str, Any]]:
        return []


def output(event: str, **fields: Any) -> dict[str, Any]:
    return {"json": {"hookSpecificOutput": {"hookEventName": event, **fields}}}


DENY = output("PreToolUse", permissionDecision="deny", permissionDecisionReason="DENY-REASON")
START = output("SessionStart", additionalContext="START-CONTEXT")
PROMPT = output("UserPromptSubmit", additionalContext="PROMPT-CONTEXT")
BLOCK = {"json": {"decision": "block", "reason": "STOP-REASON"}, "times": 1}


class ClaudeTest(ScenarioCase):
    client = "claude"
    denial = "PreToolUse:Bash hook error: DENY-REASON"

    def play(self, registration: Any, *main: Turn, **more: Any) -> Any:
        return self.ended_well(claude.run(registration, main, client=self.client, **more))

    def test_canned_hooks_are_honoured_and_recorded(self) -> None:
        run = self.play(Canned({"PreToolUse": [DENY], "SessionStart": [START],
                                "UserPromptSubmit": [PROMPT], "Stop": [BLOCK]}, ["SessionEnd"]),
                        use("Bash", command="touch made", description="x"), say("Done."),
                        say("Really done."))
        self.assertEqual(run.changed(), {})
        self.assertEqual(run.at("error"), [self.denial])
        self.assertEqual(run.seen_by("START-CONTEXT"), {"main"})
        self.assertEqual(run.seen_by("PROMPT-CONTEXT"), {"main"})
        self.assertIn("Stop hook feedback:\nSTOP-REASON", run.at("user"))
        self.assertEqual(run.final_text(), "Really done.")
        self.assertEqual([hook["label"] for hook in run.hooks],
                         ["SessionStart-0", "UserPromptSubmit-0", "PreToolUse-0", "Stop-0",
                          "Stop-0", "SessionEnd-0"])

    def test_a_hook_in_exec_form_runs_with_and_without_the_recorder(self) -> None:
        program = f"print({json.dumps(json.dumps(DENY['json']))})"
        for registration in (ExecForm(program), Recorded(ExecForm(program))):
            run = self.play(registration, use("Bash", command="touch made", description="x"),
                            say("Done."))
            self.assertEqual(run.at("error"), [self.denial])
        self.assertEqual([(hook["label"], json.loads(hook["stdout"])) for hook in run.hooks],
                         [("PreToolUse-0", DENY["json"])])

    def test_what_a_hook_prints_at_compaction_is_seen_in_the_summary(self) -> None:
        run = self.play(Canned({"PreCompact": [{"stdout": "COMPACT-OUTPUT"}]}),
                        say("A long story. " * 50), say("More."), say("Going on."),
                        prompts=["Tell.", "More.", "/compact", "Go on."])
        self.assertIn("compact", run.seen_by("COMPACT-OUTPUT"))


class OlderClaudeTest(ClaudeTest):
    client = "claude-old"
    denial = "DENY-REASON"


class CodexTest(ScenarioCase):
    def test_canned_hooks_are_honoured_and_recorded(self) -> None:
        run = self.ended_well(codex.run(
            Canned({"PreToolUse": [DENY], "SessionStart": [START], "UserPromptSubmit": [PROMPT],
                    "Stop": [BLOCK]}, ["SessionEnd"]),
            [codex.shell("touch made"), codex.patch("*** Add File: new.txt\n+line\n"), say("Done."),
             say("Really done.")]))
        self.assertEqual(run.changed(), {})
        blocked = "Command blocked by PreToolUse hook: DENY-REASON. Command: "
        self.assertEqual(run.at("result"), [
            blocked + "touch made",
            blocked + "*** Begin Patch\n*** Add File: new.txt\n+line\n*** End Patch\n"])
        for context in ("START-CONTEXT", "PROMPT-CONTEXT"):
            self.assertIn(context, run.at("developer"))
        self.assertRegex(run.at("user")[-1], "^<hook_prompt .*>STOP-REASON</hook_prompt>$")
        self.assertEqual(len(run.requests()), 4)
        self.assertEqual([hook["label"] for hook in run.hooks],
                         ["SessionStart-0", "UserPromptSubmit-0", "PreToolUse-0", "PreToolUse-0",
                          "Stop-0", "Stop-0", "SessionEnd-0"])

    def test_an_answer_with_a_key_too_many_lets_the_call_pass(self) -> None:
        answer = {"json": DENY["json"] | {"extra": 1}}
        run = self.ended_well(codex.run(Canned({"PreToolUse": [answer]}),
                                        [codex.shell("echo hi > made"), say("Done.")]))
        self.assertEqual(run.changed(), {"made": "hi\n"})
