"""Runs the real Claude Code once, in a scratch world, against the scripted model."""

from __future__ import annotations

import json
import threading
from collections.abc import Sequence
from typing import Any

from kit import messages_api
from kit.outcome import Outcome
from kit.process import Process
from kit.registration import Registration
from kit.scratch import Scratch
from kit.stage import Play, Stage, staged
from kit.turns import Turn

HOOKS_FILE = ".claude/settings.json"
KEY = "dummy-key-for-the-scripted-model"
# How long the user takes to answer a permission request. A hook that decides is faster; if none
# does, the test need not wait for its limit.
ANSWER_S = 5


def run(registration: Registration, main: Sequence[Turn], *, client: str = "claude",
        prompts: Sequence[str] = ("Go.",), mode: str = "bypassPermissions",
        flags: Sequence[str] = (), limit_s: float = 30, person: bool = False,
        **more: Any) -> Outcome:
    """One prompt is given as `-p PROMPT`; several over stream-json, each after the last result.

    With `person`, a program stands between the client and a person, as an editor does; else
    nobody is there.

    `more` is what else a Play has: subagents, files, project.
    """
    with staged(Play(registration, main, **more), client, messages_api, HOOKS_FILE) as stage:
        seed_home(stage.world)
        argv = [str(stage.program), "-p", "--output-format", "stream-json", "--verbose",
                "--permission-mode", mode, *flags]
        streams = len(prompts) > 1 or "--permission-prompt-tool" in flags
        argv += ["--input-format", "stream-json"] if streams else prompts
        env = client_env(stage) | ({"CLAUDE_CODE_ENTRYPOINT": "sdk-ts"} if person else {})
        process = Process(argv, stage.world.project, env, limit_s)
        converse(stage, process, [user_line(prompt) for prompt in prompts] if streams else [])
    return stage.outcome


def converse(stage: Stage, process: Process, waiting: list[dict[str, Any]]) -> None:

    def next_prompt() -> None:
        process.send(waiting.pop(0)) if waiting else process.close_input()

    next_prompt()
    for line in process.lines():
        stage.outcome.printed.append(line)
        if line.get("type") == "control_request":
            threading.Timer(ANSWER_S, process.send, [refusal(line)]).start()
        if line.get("type") == "result":
            next_prompt()
    stage.outcome.ended(process)


def client_env(stage: Stage) -> dict[str, str]:
    return stage.world.env(
        ANTHROPIC_BASE_URL=stage.url, ANTHROPIC_API_KEY=KEY,
        CLAUDE_CODE_TMPDIR=str(stage.world.root / "tmp"),
        CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC="1", DISABLE_AUTOUPDATER="1",
        DISABLE_ERROR_REPORTING="1", DISABLE_TELEMETRY="1",
        IS_SANDBOX="1")  # lets root use bypassPermissions


def seed_home(world: Scratch) -> None:
    """The answers to the questions of a first start."""
    trusted = {"hasTrustDialogAccepted": True, "hasCompletedProjectOnboarding": True}
    (world.home / ".claude.json").write_text(json.dumps({
        "hasCompletedOnboarding": True, "bypassPermissionsModeAccepted": True,
        "customApiKeyResponses": {"approved": [KEY[-20:]], "rejected": []},
        "projects": {str(world.project): trusted}}))


def user_line(prompt: str) -> dict[str, Any]:
    return {"type": "user", "message": {"role": "user", "content": prompt}}


def refusal(request: dict[str, Any]) -> dict[str, Any]:
    """The user's answer, if no hook has decided."""
    return {"type": "control_response", "response": {
        "subtype": "success", "request_id": request["request_id"],
        "response": {"behavior": "deny", "message": "refused at the keyboard"}}}
