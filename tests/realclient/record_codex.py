#!/usr/bin/env python3
"""Records the payloads that the pinned Codex sends to its hooks, as fixtures of its adapter.

    FLYBALL_TOOLS_DIR=$(scripts/tools clients) tests/realclient/record_codex.py

Writes crates/flyball-clients/fixtures/codex/EVENT[-KIND].json and an index.json; the tests of
that crate then show whether the adapter reads anything differently. What needs
a user (permissions, interrupts, /compact) goes over `codex app-server`, the rest over
`codex exec`.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent))

from kit import codex, responses_api, tools
from kit.codex_server import Server, trust_hooks
from kit.outcome import Outcome
from kit.registration import Canned
from kit.scrub import scrub
from kit.stage import Play, staged
from kit.turns import Call, Turn, say

FIXTURES = tools.ROOT / "crates/flyball-clients/fixtures/codex"
EVENTS = ["SessionStart", "UserPromptSubmit", "PreToolUse", "PermissionRequest", "PostToolUse",
          "PreCompact", "PostCompact", "SubagentStart", "SubagentStop", "Stop", "Interrupt",
          "SessionEnd", "PreModelRequest", "PostModelRequest"]
MCP = f"""
[mcp_servers.demo]
command = "{sys.executable}"
args = ["{Path(__file__).resolve().parent / 'kit/mcp_echo.py'}"]
"""
HEREDOC = "apply_patch <<'EOF'\n*** Begin Patch\n*** Add File: c.txt\n+c\n*** End Patch\nEOF"


def main() -> None:
    listening = Canned(listen=EVENTS)
    runs = {
        "tools": codex.run(listening, [
            codex.shell("echo hi"), codex.shell("ls missing"), codex.shell(HEREDOC),
            codex.patch("*** Add File: new.txt\n+line1\n"),
            codex.patch("*** Update File: a.txt\n*** Move to: b.txt\n@@\n-one\n+two\n"
                        "*** Delete File: old.txt\n"),
            Turn(calls=(Call("view_image", {"path": "dot.png"}),)),
            Turn(calls=(Call("update_goal", {"status": "complete"}),)),
            Turn(calls=(Call("echo", {"text": "hello"}, namespace="mcp__demo"),)),
            say("Done."), say("Resumed.")],
            files={"a.txt": "one\n", "old.txt": "x\n"}, resume="And on.", config=MCP),
        "subagent": codex.run(listening, [
            codex.spawn("HELPER: write notes"), codex.shell("sleep 2"), say("Done.")],
            subagents={"HELPER": [codex.shell("echo notes > notes"), say("Written.")]}),
        "compaction": codex.run(listening, [
            Turn(calls=codex.shell("echo one").calls,
                 usage={"input_tokens": 50000, "total_tokens": 50020}), say("Done.")],
            config="model_auto_compact_token_limit = 20000"),
        "blocked stop": codex.run(Canned({"Stop": [{
            "json": {"decision": "block", "reason": "Run the tests."}, "times": 1}]}),
            [say("Done."), say("Now done.")]),
        "app-server": over_server(listening),
    }
    save(runs)


def over_server(listening: Canned) -> Outcome:
    """A declined command, a declined patch, /compact, and a command that is interrupted."""
    escalated = {"cmd": "touch zz.txt", "sandbox_permissions": "require_escalated",
                 "justification": "need to write"}
    play = Play(listening, [Turn(calls=(Call("exec_command", escalated),)),
                            codex.patch("*** Add File: new.txt\n+line1\n"), say("Done."),
                            codex.shell("sleep 30")])
    with staged(play, "codex", responses_api, codex.HOOKS_FILE) as stage:
        env = codex.seed_home(stage, "")
        trust_hooks(stage, env)
        server = Server(stage, env)
        thread = server.call("thread/start", cwd=str(stage.world.project),
                             approvalPolicy="on-request", sandbox="read-only")["thread"]["id"]
        server.turn(thread, "Go.")
        server.call("thread/compact/start", threadId=thread)
        server.until("turn/completed")
        server.turn(thread, "Again.", interrupt_at="commandExecution")
        server.close()
    return stage.outcome


def save(runs: dict[str, Outcome]) -> None:
    FIXTURES.mkdir(parents=True, exist_ok=True)
    for old in FIXTURES.glob("*.json"):
        old.unlink()
    saved: dict[str, dict[str, str]] = {}
    for run, outcome in runs.items():
        root = Path(outcome.names["PROJECT"]).parent
        for name, payload in named(outcome):
            if name not in saved:
                saved[name] = {"event": payload["hook_event_name"], "run": run}
                write(f"{name}.json", scrub(payload, root))
    pins = json.loads((tools.ROOT / "tests/tools/clients/package.json").read_text())
    version = pins["dependencies"]["@openai/codex"]
    write("index.json", {"client": "codex", "version": version, "model": codex.MODEL, "payloads": {
        f"{name}.json": saved[name] | {"source": "recorded"} for name in sorted(saved)}})
    missing = set(EVENTS) - {entry["event"] for entry in saved.values()}
    print(f"{len(saved)} payloads in {FIXTURES.relative_to(tools.ROOT)}, "
          f"no payload of {sorted(missing) or 'none'}")


def named(outcome: Outcome) -> Iterator[tuple[str, dict[str, Any]]]:
    for hook in outcome.hooks:
        payload = hook["payload"]
        yield "-".join([payload["hook_event_name"], *kinds(payload)]), payload


def kinds(payload: dict[str, Any]) -> Iterator[str]:
    """What distinguishes this payload from others of its event."""
    command = str(payload.get("tool_input", {}).get("command", ""))
    for key in ("tool_name", "source", "trigger"):
        if key in payload:
            yield payload[key]
    if "apply_patch <<" in command:
        yield "heredoc"
    if "*** Update File" in command:
        yield "update"
    if "ls missing" in command:
        yield "failed"
    if payload.get("stop_hook_active"):
        yield "active"
    if "agent_id" in payload and not payload["hook_event_name"].startswith("Subagent"):
        yield "subagent"


def write(name: str, value: Any) -> None:
    (FIXTURES / name).write_text(json.dumps(value, indent=1) + "\n")


if __name__ == "__main__":
    main()
