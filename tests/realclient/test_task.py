"""Does a task survive subagents, compaction and stops, inside the real clients?"""

from __future__ import annotations

import itertools
import json
import uuid
from typing import Any

from kit import claude
from kit.case import ScenarioCase
from kit.outcome import Outcome
from kit.registration import Flyball, Recorded
from kit.turns import Turn, say, use

FOLDER = ".claude/tasks/20261115-120000_orders_task"
PLAN = f"{FOLDER}/PLAN.md"
TEXT = """status: pending

# Orders

<!-- ALL -->
CONSTRAINT-FOR-ALL: no new dependencies.
<!-- /ALL -->

<!-- DEV -->
CONSTRAINT-FOR-DEV: pure functions.
<!-- /DEV -->

<!-- TEST -->
CONSTRAINT-FOR-TEST: no mocks.
<!-- /TEST -->

## Phase 1: Model

- [ ] make model.py

## Phase 2: Service

- [ ] make service.py

## Phase 3: Tests

- [ ] make test_service.py

## Decisions

- DECISION-ONE: amounts are integers
"""
LESSON = json.dumps({"ts": "2026-11-15T12:00:00.000Z", "t": "❌", "src": "dev",
                     "txt": "LESSON-CANARY: floats lose cents in service.py, use integers."},
                    ensure_ascii=False) + "\n"
FILES = {PLAN: TEXT, f"{FOLDER}/KNOWLEDGE.jsonl": LESSON, ".claude/TASK.md": PLAN + "\n"}
NUMBERS = itertools.count(1)


def bash(command: str) -> Turn:
    return use("Bash", command=command, description="run a command")


def tick(item: str) -> Turn:
    return bash(f"sed -i 's/- \\[ \\] make {item}/- [x] make {item}/' {PLAN}")


def spawn(role: str, prompt: str) -> Turn:
    return use("Agent", description=f"Ask the {role}", subagent_type=role, run_in_background=False,
               prompt=f"{role.upper()}: {prompt}, number {next(NUMBERS)}")


def agent(role: str) -> dict[str, str]:
    return {f".claude/agents/{role}.md": f"---\nname: {role}\ndescription: {role}\n---\nDo it.\n"}


class TaskInClaude(ScenarioCase):
    client = "claude"

    def play(self, *main: Turn, agents: dict[str, list[str]] | None = None, config: str = "",
             **more: Any) -> Outcome:
        replies = {role.upper(): [say(text) for text in texts]
                   for role, texts in (agents or {}).items()}
        files = FILES | more.pop("files", {})
        registration = more.pop("registration", Flyball(config, ("task",)))
        for role in agents or {}:
            files |= agent(role)
        return self.ended_well(claude.run(
            registration, main, client=self.client, limit_s=60, subagents=replies,
            files=files, **more))

    def stops(self) -> list[str]:
        return [entry["stance"] for entry in self.logged("stop")]

    def block_reasons(self) -> list[str]:
        return [entry["said"] for entry in self.logged("stop") if entry["stance"] == "deny"]

    def notices(self) -> str:
        return "\n".join(text for entry in self.outcome.hooks for text in entry.get("notices", []))

    def test_three_phases_two_subagents_and_a_compaction(self) -> None:
        run = self.play(
            bash("flyball task start"),
            spawn("developer", "make model.py and service.py"), tick("model.py"),
            *[say(f"I pause, {n}.") for n in range(4)],  # blocked three times, then released
            tick("service.py"), spawn("tester", "make test_service.py"), say("Done?"),
            tick("test_service.py"), bash("flyball task finish"), say("All is done."),
            agents={"developer": ["Made."], "tester": ["Tested."]},
            prompts=["Go.", "/compact", "Go on."])
        # The workers got the constraints of their role and the lesson, once.
        self.assertEqual(run.seen_by("CONSTRAINT-FOR-ALL") - {"main", "compact"},
                         {"DEVELOPER", "TESTER"})
        self.assertIn("DEVELOPER", run.seen_by("CONSTRAINT-FOR-DEV"))
        self.assertNotIn("TESTER", run.seen_by("CONSTRAINT-FOR-DEV"))
        self.assertIn("TESTER", run.seen_by("CONSTRAINT-FOR-TEST"))
        self.assertIn("DEVELOPER", run.seen_by("LESSON-CANARY"))
        # It was blocked, with phase and next step, until the plan was finished.
        self.assertEqual(self.stops(), ["deny"] * 3 + ["silent", "deny", "silent"])
        self.assertIn("make service.py", self.block_reasons()[0])
        self.assertIn("make test_service.py", self.block_reasons()[-1])
        # What is open is in the summary's prompt, and in front of the model after it.
        asked = run.requests("compact")[0].body["messages"]
        self.assertIn("DECISION-ONE", str([it for it in asked if it["role"] == "user"][-1]))
        after = str(run.requests("main")[-1].body)
        for part in (PLAN, "The current phase is 2 (Service)", "DECISION-ONE", "LESSON-CANARY"):
            self.assertIn(part, after)
        self.assertIn("status: finished", run.files[PLAN])
        self.assertEqual(run.final_text(), "All is done.")

    def test_an_agent_without_progress_is_released_and_the_user_is_notified(self) -> None:
        self.play(bash("flyball task start"), *[say(f"Stop {n}.") for n in range(14)])
        stops = self.stops()
        self.assertEqual(stops[0], "deny")
        self.assertEqual(stops[-1], "silent")
        self.assertIn("`cancel` or `release 20261115-120000_orders`", self.notices())

    def test_an_agent_cannot_release_itself(self) -> None:
        run = self.play(bash("flyball task start"), bash("flyball task release"),
                        bash("flyball task cancel"), tick("model.py"), tick("service.py"),
                        tick("test_service.py"), bash("flyball task finish"), say("Done."))
        denied = [entry for entry in self.logged("before_tool") if entry["stance"] == "deny"]
        self.assertEqual(len(denied), 2)
        self.assertEqual(run.final_text(), "Done.")

    def test_a_session_without_the_task_is_not_blocked(self) -> None:
        run = self.play(bash("flyball task start"), *[say(f"Stop {n}.") for n in range(4)],
                        say("Hello."), prompts=["Go.", "/clear", "Hi."])
        by_session: dict[str, list[str]] = {}
        for entry in self.logged("stop"):
            by_session.setdefault(entry["session"], []).append(entry["stance"])
        self.assertEqual(list(by_session.values()), [["deny"] * 3 + ["silent"], ["silent"]])
        # The new session gets a notice of the task, but is not bound to it.
        last = self.logged("session_start")[-1]
        self.assertIn("that no session works on; to start it, run `flyball task start`", str(last["notices"]))
        self.assertIn("that no session works on; to start it, run `flyball task start`",
                      str(run.requests("main")[-1].body))
        self.assertEqual(json.loads(run.files[f"{FOLDER}/.lock"])["session_id"],
                         next(iter(by_session)))

    def test_a_task_that_is_given_up_is_blocked_once(self) -> None:
        run = self.play(bash("flyball task start"),
                        bash(f"sed -i 's/^status: .*/status: failed/' {PLAN}"),
                        say("It failed."), say("The bank is closed."))
        self.assertEqual(self.stops(), ["deny", "silent"])
        self.assertIn("is over: failed in phase 1 of 3", self.notices())
        self.assertEqual(run.final_text(), "The bank is closed.")

    def test_the_coordinator_binds_and_workers_are_sent_to_it(self) -> None:
        lock = {"task_path": PLAN, "started_at": "2026-11-15T12:00:00.000Z"}
        run = self.play(
            spawn("bc-coordinator", "initialize the task"), spawn("developer", "make model.py"),
            tick("model.py"), tick("service.py"), tick("test_service.py"),
            bash("flyball task finish"), say("Done."),
            agents={"bc-coordinator": ["Initialised."], "developer": ["Made."]},
            files={f"{FOLDER}/.lock": json.dumps(lock)})
        self.assertIn("DEVELOPER", run.seen_by("CONSTRAINT-FOR-DEV"))
        self.assertNotIn("BC-COORDINATOR", run.seen_by("CONSTRAINT-FOR-DEV"))
        self.assertIn("main", run.seen_by("bc-coordinator"))

    def test_the_permission_to_start_agents_is_still_asked_for(self) -> None:
        run = self.play(bash("flyball task start"), spawn("developer", "make model.py"),
                        *[say(f"Stop {n}.") for n in range(4)], agents={"developer": ["Made."]},
                        registration=Recorded(Flyball("", ("task",))))
        asked = [json.loads(hook["stdout"])["hookSpecificOutput"] for hook in run.hooks
                 if hook["label"].startswith("PreToolUse") and '"updatedInput"' in hook["stdout"]]
        self.assertEqual([sorted(answer) for answer in asked], [["hookEventName", "updatedInput"]])
        self.assertIn("CONSTRAINT-FOR-DEV", asked[0]["updatedInput"]["prompt"])
        self.assertIn("DEVELOPER", run.seen_by("CONSTRAINT-FOR-DEV"))

    def test_the_clients_own_worker_gets_the_constraints_and_is_reported(self) -> None:
        run = self.play(bash("flyball task start"),
                        use("Agent", description="Make it", subagent_type="general-purpose",
                            run_in_background=False, prompt="GENERAL: make model.py"),
                        *[say(f"Stop {n}.") for n in range(4)],
                        agents={"general": ["Made."]})
        self.assertIn("GENERAL", run.seen_by("CONSTRAINT-FOR-ALL"))
        self.assertIn("GENERAL", run.seen_by("LESSON-CANARY"))
        # No coordinator is defined here, so none is named.
        seen = str(run.requests("main")[-1].body)
        self.assertIn("GENERAL-PURPOSE done (task `20261115-120000_orders`, phase 1 of 3)", seen)
        self.assertIn(f"tick the boxes that are done in `{PLAN}`", seen)
        self.assertEqual(run.seen_by("bc-coordinator"), set())

    def bound_elsewhere(self, *main: Turn, **more: Any) -> Outcome:
        """Plays in a session that another tool has bound to the task, by its lock file."""
        session = str(uuid.uuid4())
        lock = {"task_path": PLAN, "started_at": "2026-11-15T12:00:00.000Z",
                "session_id": session, "bound_at": "2026-11-15T12:01:00.000Z"}
        return self.play(*main, files={f"{FOLDER}/.lock": json.dumps(lock)},
                         flags=["--session-id", session], **more)

    def test_a_lock_of_another_tool_blocks_the_stop(self) -> None:
        run = self.bound_elsewhere(*[say(f"Stop {n}.") for n in range(4)])
        self.assertEqual(self.stops(), ["deny"] * 3 + ["silent"])
        self.assertIn("- make model.py", self.block_reasons()[0])
        self.assertEqual(run.final_text(), "Stop 3.")

    def test_plan_mode_is_not_blocked(self) -> None:
        run = self.bound_elsewhere(say("Plan 0."), say("Plan 1."), mode="plan")
        self.assertEqual(self.stops(), ["silent"])
        self.assertEqual(run.final_text(), "Plan 0.")

    def test_a_task_that_the_user_pauses_does_not_block_until_they_continue(self) -> None:
        run = self.play(bash("flyball task start"), *[say(f"Stop {n}.") for n in range(4)],
                        say("Paused."), say("It costs little."), *[say(f"More {n}.") for n in range(4)],
                        prompts=["Go.", "Good work. Let's pause here for today.", "What does it cost?",
                                 "Continue, please."])
        self.assertEqual(self.stops(), ["deny"] * 3 + ["silent"] * 3 + ["deny"] * 3 + ["silent"])
        self.assertIn("is paused, as the user asked", str(run.requests("main")[-1].body))
        self.assertIn("is paused: the agent may stop", self.notices())
        self.assertIn("is resumed", self.notices())

    def test_a_command_in_the_background_is_waited_for(self) -> None:
        run = self.play(bash("flyball task start"),
                        use("Bash", command="sleep 3", description="wait", run_in_background=True),
                        say("I wait."), *[say(f"Stop {n}.") for n in range(4)],
                        prompts=["Go.", "Go on."])
        # It was free to stop while the command ran.
        self.assertEqual(self.stops()[0], "silent")
        self.assertIn("deny", self.stops())
        self.assertIn("I wait.", str(run.requests("main")[-1].body))

    def test_a_task_is_made_from_nothing(self) -> None:
        made = "flyball task new 'Orders by day' --phases 'Model,Tests' --json"
        tick_all = "sed -i 's/- \\[ \\]/- [x]/' .claude/tasks/*_orders_by_day_task/PLAN.md"
        run = self.play(bash(made), bash("flyball task start orders_by_day"), say("Ready?"),
                        bash(tick_all), bash("flyball task finish"), say("Done."),
                        files={PLAN: TEXT.replace("pending", "finished")})
        self.assertEqual(self.stops(), ["deny", "silent"])
        self.assertIn("Replace this with the first step", self.block_reasons()[0])
        self.assertEqual(run.final_text(), "Done.")


class TaskInOlderClaude(TaskInClaude):
    client = "claude-old"


SEARCH = """
[[task.search.tool]]
name = "CANARY-INDEX"
marker = ".finder"
index = ".finder/index"
command = ["git", "grep"]
server_tool = "find_code"

[[task.search.tool]]
name = "CANARY-BARE"
marker = ".bare"
index = ".bare/index"
"""


class SearchInClaude(ScenarioCase):
    """What a subagent is told of the project's semantic index."""
    client = "claude"

    def prompt_of(self, **files: str) -> str:
        """The first message of a subagent in a project with these files."""
        run = self.ended_well(claude.run(
            Flyball(SEARCH, ("task",)),
            [use("Agent", description="Look", subagent_type="general-purpose", run_in_background=False,
                 prompt="FINDER: find the login"), say("Done.")],
            client=self.client, limit_s=60, subagents={"FINDER": [say("Found.")]},
            files={"src/app.py": "x = 1\n"} | {name.replace("__", "/"): text for name, text in files.items()}))
        asked = run.requests("FINDER")[0].body["messages"]
        prompt = str([it for it in asked if it["role"] == "user"])
        self.assertIn("FINDER: find the login", prompt)
        return prompt

    def test_an_index_that_is_there_is_named_with_how_it_is_asked(self) -> None:
        prompt = self.prompt_of(**{".finder__index": "x", ".bare__index": "x"})
        self.assertIn("CANARY-INDEX", prompt)
        self.assertIn("git grep", prompt)
        self.assertIn("ask CANARY-BARE", prompt)
        server = json.dumps({"mcpServers": {"code": {"command": "git", "args": ["--version"]}}})
        prompt = self.prompt_of(**{".finder__index": "x", ".mcp.json": server})
        self.assertIn("mcp__code__find_code", prompt)
        self.assertNotIn("CANARY-BARE", prompt)

    def test_one_that_is_not_there_is_not_named(self) -> None:
        # The folder alone is no index.
        prompt = self.prompt_of(**{".finder__readme": "x"})
        self.assertNotIn("CANARY-INDEX", prompt)
        self.assertNotIn("CANARY-BARE", prompt)
        self.assertNotIn("finds code by meaning", prompt)


class SearchInOlderClaude(SearchInClaude):
    client = "claude-old"
