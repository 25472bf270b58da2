"""Runs the real Codex once, in a scratch world, against the scripted model."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from kit import responses_api
from kit.outcome import Outcome
from kit.process import Process
from kit.registration import Registration
from kit.stage import Play, Stage, staged
from kit.turns import Call, Turn

HOOKS_FILE = ".codex/hooks.json"
# A model of the family that is offered `apply_patch`; one that Codex does not know is not.
MODEL = "gpt-5.5"
FREELY = ["--json", "--dangerously-bypass-approvals-and-sandbox",
          "--dangerously-bypass-hook-trust"]  # an untrusted hook is skipped silently


def shell(command: str) -> Turn:
    return Turn(calls=(Call("exec_command", {"cmd": command}),))


def patch(hunks: str) -> Turn:
    """A call of `apply_patch`, which takes the patch itself, not fields."""
    return Turn(calls=(Call("apply_patch", f"*** Begin Patch\n{hunks}*** End Patch\n"),))


def spawn(prompt: str, role: str = "explorer") -> Turn:
    fields = {"message": prompt, "agent_type": role}
    return Turn(calls=(Call("spawn_agent", fields, namespace="multi_agent_v1"),))


def run(registration: Registration, main: Sequence[Turn], *, prompt: str = "Go.",
        resume: str | None = None, config: str = "", limit_s: float = 30,
        **more: Any) -> Outcome:
    """`codex exec PROMPT`, then the same session resumed with the prompt `resume`, if any.

    `config` is added to config.toml; `more` is what else a Play has: subagents, files, project.
    """
    with staged(Play(registration, main, **more), "codex", responses_api, HOOKS_FILE) as stage:
        env = seed_home(stage, config)
        starts = [["exec", *FREELY, prompt]]
        if resume is not None:
            starts.append(["exec", "resume", "--last", *FREELY, resume])
        for start in starts:
            process = Process([str(stage.program), *start], stage.world.project, env, limit_s)
            process.close_input()
            stage.outcome.printed += process.lines()
            stage.outcome.ended(process)
    return stage.outcome


def seed_home(stage: Stage, config: str) -> dict[str, str]:
    """Codex's own home, with the scripted model as the only provider. Returns its environment."""
    home = stage.world.home / ".codex"
    home.mkdir(exist_ok=True)
    (home / "config.toml").write_text(f"""\
model = "{MODEL}"
model_provider = "scripted"
check_for_update_on_startup = false
{config}
[analytics]
enabled = false

[model_providers.scripted]
name = "scripted"
base_url = "{stage.url}/v1"
wire_api = "responses"
env_key = "SCRIPTED_MODEL_KEY"

[projects."{stage.world.project}"]
trust_level = "trusted"
""")
    return stage.world.env(CODEX_HOME=str(home), SCRIPTED_MODEL_KEY="dummy")
