"""Do the other policies of the loop pack work inside the real clients, and are they silent where they should be?"""

from __future__ import annotations

import itertools
from dataclasses import replace
from typing import Any

from kit import claude, codex
from kit.case import ScenarioCase
from kit.outcome import Outcome
from kit.registration import Flyball
from kit.turns import Turn, say, use

QUIET = '[quality]\nmode = "off"\n'


def on(*policies: str) -> str:
    return QUIET + "".join(f'[{policy}]\nmode = "enforce"\n' for policy in policies)


ALL = on("loop.workflow", "loop.feedback", "loop.gate", "loop.iterations", "loop.completion",
         "loop.output", "loop.compaction", "loop.session", "notify")
MANIFEST = "feature_name: login\ncurrent_phase: building\nstatus: in_progress\n"
APPROVED = "## Review Result\n\nREVIEW_APPROVED\n"
PLANNED = "## Test Planning Result\n\nTEST_PLAN_READY\n"
PASSED = "## Test Result\n\nTESTS_PASSED\n"
# Two agents with the very same prompt would look like one that asks again.
NUMBERS = itertools.count(1)


def bash(command: str) -> Turn:
    return use("Bash", command=command, description="run a command")


def write(name: str, content: str) -> Turn:
    return use("Write", file_path=f"{{PROJECT}}/{name}", content=content)


def spawn(role: str, **more: Any) -> Turn:
    """A subagent of this role; what it does is scripted under the role in capitals."""
    prompt = f"{role.upper()}: do the work, number {next(NUMBERS)}."
    return use("Agent", description=f"Ask the {role}", prompt=prompt, subagent_type=role,
               run_in_background=False, **more)


def role(name: str) -> dict[str, str]:
    return {f".claude/agents/{name}.md": f"---\nname: {name}\ndescription: A {name}.\n---\nWork.\n"}


def with_context(turn: Turn, tokens: int) -> Turn:
    """The turn of a model whose context has this many tokens."""
    return replace(turn, usage={"input_tokens": tokens})


class LoopAgentsCase(ScenarioCase):
    client = "claude"

    def play(self, config: str, *main: Turn, files: dict[str, str] | None = None,
             **more: Any) -> Outcome:
        files = role("writer") | role("reviewer") | role("tester") | (files or {})
        return self.ended_well(claude.run(Flyball(config), main, client=self.client, limit_s=60,
                                          files=files, person=True, **more))

    def stances(self, kind: str) -> list[str]:
        return [entry["stance"] for entry in self.logged(kind)]

    def deny_reasons(self, kind: str) -> list[str]:
        return [entry["said"] for entry in self.logged(kind) if entry["stance"] == "deny"]

    def notices(self) -> list[str]:
        return [notice for entry in self.outcome.hooks for notice in entry.get("notices", [])]

    def assert_silent(self) -> None:
        self.assertEqual([entry for entry in self.outcome.hooks
                          if entry["stance"] not in ("silent", "allow")], [])
        self.assertEqual(self.notices(), [])


class AgentsInClaude(LoopAgentsCase):
    # loop.completion

    OWED = on("loop.completion") + """
[[loop.completion.role]]
agents = ["writer"]
headings = ["## Summary"]
"""

    def test_an_agent_is_asked_once_for_what_it_owes(self) -> None:
        run = self.play(self.OWED, spawn("writer"), say("Done."),
                        subagents={"WRITER": [say("Short."), say("## Summary\n\nLONG-ANSWER")]})
        self.assertEqual(self.stances("agent_stop"), ["deny", "silent"])
        self.assertIn("it has no heading `## Summary`", self.deny_reasons("agent_stop")[0])
        self.assertIn("main", run.seen_by("LONG-ANSWER"))
        self.assertEqual(self.notices(), [])

    def test_an_agent_that_insists_is_released_and_the_user_is_notified(self) -> None:
        self.play(self.OWED, spawn("writer"), say("Done."),
                  subagents={"WRITER": [say("Short."), say("I cannot.")]})
        self.assertEqual(self.stances("agent_stop"), ["deny", "silent"])
        self.assertEqual(len(self.notices()), 1)

    # loop.output

    def test_an_agent_moves_its_document_to_where_it_belongs(self) -> None:
        move = ("mkdir -p .claude/.output/agents/x && mv -n -- notes.md .claude/.output/agents/x/notes.md")
        run = self.play(on("loop.output"), bash("printf mine > mine.md"), spawn("writer"), say("Done."),
                        subagents={"WRITER": [write("notes.md", "# Notes\n"), say("THE-RESULT: done."),
                                              bash(move), say("THE-RESULT: done, and moved.")]})
        self.assertEqual(self.stances("agent_stop"), ["deny", "silent"])
        reason = self.deny_reasons("agent_stop")[0]
        self.assertIn("notes.md", reason)
        self.assertIn("mv -n", reason)
        self.assertIn("repeat your whole answer", reason)
        self.assertNotIn("mine.md", reason)
        self.assertEqual(self.stances("stop"), ["silent"])
        self.assertIn(".claude/.output/agents/x/notes.md", run.files)
        self.assertEqual(self.notices(), [])

    def test_a_document_of_the_user_blocks_nobody(self) -> None:
        self.play(on("loop.output"), bash("printf mine > mine.md"), spawn("writer"), say("Done."),
                  subagents={"WRITER": [write("docs/notes.md", "# Notes\n"), say("Done.")]})
        self.assert_silent()

    def test_a_document_that_leaks_out_of_a_worktree_is_found(self) -> None:
        self.play(on("loop.output"), bash("git worktree add -q ../tree"), spawn("writer"), say("Done."),
                  say("Done."),
                  subagents={"WRITER": [bash("cd ../tree && printf x > leak.md"), say("Done."),
                                        bash("rm ../tree/leak.md"), say("Done.")]})
        self.assertEqual(self.stances("agent_stop"), ["deny", "silent"])
        self.assertIn("leak.md", self.deny_reasons("agent_stop")[0])
        self.assertEqual(self.stances("stop"), ["silent"])

    # Several of them at once

    def test_all_that_is_missing_is_asked_for_at_once_and_the_result_is_not_lost(self) -> None:
        config = self.OWED + '[loop.output]\nmode = "enforce"\n'
        answer = "## Summary\n\nTHE-RESULT\n"
        run = self.play(config, spawn("writer"), say("Done."),
                        subagents={"WRITER": [write("notes.md", "x"), say(answer),
                                              bash("rm notes.md"), say("I removed the file."),
                                              say(answer)]})
        # The second answer is only about the file: it is asked for the whole once more.
        self.assertEqual(self.stances("agent_stop"), ["deny", "deny", "silent"])
        self.assertIn("main", run.seen_by("THE-RESULT"))

    def test_an_agent_that_owes_three_things_is_blocked_once_for_all_of_them(self) -> None:
        config = on("loop.feedback", "loop.completion", "loop.output") + """
[[loop.completion.role]]
agents = ["reviewer"]
headings = ["## Summary"]
"""
        answer = "## Summary\n\nTHE-RESULT\n\n" + APPROVED
        run = self.play(config, write("app.py", "x = 1\n"), spawn("reviewer"), say("Done."), say("Done."),
                        say("Done."),
                        subagents={"REVIEWER": [write("notes.md", "x"), say("Looks fine."),
                                                bash("rm notes.md"), say(answer)]})
        self.assertEqual(self.stances("agent_stop"), ["deny", "silent"])
        reason = self.deny_reasons("agent_stop")[0]
        for part in ("[flyball loop.feedback ", "REVIEW_APPROVED", "[flyball loop.completion ", "## Summary",
                     "[flyball loop.output ", "notes.md"):
            self.assertIn(part, reason)
        self.assertIn("main", run.seen_by("THE-RESULT"))
        self.assertNotIn("review:", self.deny_reasons("stop")[0])

    def test_a_result_that_was_given_counts_when_the_next_answer_is_about_a_file(self) -> None:
        self.play(on("loop.feedback", "loop.output"), write("app.py", "x = 1\n"), spawn("reviewer"),
                  say("Done."), say("Done."), say("Done."),
                  subagents={"REVIEWER": [write("notes.md", "x"), say(APPROVED), bash("rm notes.md"),
                                          say("I removed the file."), say(APPROVED)]})
        self.assertLessEqual(len(self.stances("agent_stop")), 3)
        self.assertEqual(self.stances("agent_stop")[-1], "silent")
        self.assertNotIn("1. review", self.deny_reasons("stop")[0])

    def test_all_that_blocks_a_stop_is_named_at_once(self) -> None:
        again = [write("notes.md", "x"), say("Done."), say("It stays.")]
        review = {"REVIEWER": [say(APPROVED)], "TESTER": [bash("pytest -q"), say(PASSED)],
                  "LEAD": [say(PLANNED)]}
        # Of the files that both look at, only the loop speaks.
        self.play(on("loop.feedback", "loop.output", "loop.gate") + 'paths = ["**/*.yaml"]\n',
                  write("app.py", "x = 1\n"), write("tool.yaml", "x"), spawn("writer"), say("Done."),
                  bash("rm notes.md"), spawn("reviewer"), spawn("test-lead"), spawn("tester"), say("Now."),
                  subagents={"WRITER": again, "TEST-LEAD": review.pop("LEAD")} | review,
                  files=role("test-lead"), programs={"pytest": "#!/bin/sh\necho 1 passed\n"})
        self.assertEqual(self.stances("stop"), ["deny", "silent"])
        reason = self.deny_reasons("stop")[0]
        for part in ("[flyball loop.feedback ", "[flyball loop.gate ", "`tool.yaml`", "[flyball loop.output ", "notes.md"):
            self.assertIn(part, reason)

    # loop.gate

    def test_a_stop_is_blocked_once_and_released_when_reviewed_and_tested(self) -> None:
        self.play(on("loop.gate"), write("tool.lua", "x = 1\n"), say("Done."),
                  spawn("reviewer"), bash("pytest -q"), say("Done now."),
                  subagents={"REVIEWER": [say("Fine.")]},
                  programs={"pytest": "#!/bin/sh\necho 1 passed\n"})
        self.assertEqual(self.stances("stop"), ["deny", "silent"])
        self.assertIn("no review of `tool.lua`; no tests of `tool.lua`", self.deny_reasons("stop")[0])
        self.assertEqual(self.notices(), [])

    def test_an_agent_that_cannot_is_released_and_the_user_is_notified(self) -> None:
        self.play(on("loop.gate"), write("tool.lua", "x = 1\n"), say("Done."), say("I cannot."))
        self.assertEqual(self.stances("stop"), ["deny", "silent"])
        self.assertEqual(len(self.notices()), 1)

    # loop.workflow and loop.compaction

    COMMAND = {".claude/commands/feature.md": "Build the feature $ARGUMENTS.\n"}

    def test_a_command_of_the_user_begins_a_workflow_that_brings_its_own_review(self) -> None:
        self.play(on("loop.workflow", "loop.gate"), write("tool.lua", "x = 1\n"), say("Done."),
                  prompts=["/feature login"], files=self.COMMAND)
        self.assertEqual(self.stances("stop"), ["silent"])
        self.assertEqual(self.notices(), [])

    def test_a_prompt_that_mentions_a_workflow_begins_none(self) -> None:
        self.play(on("loop.workflow", "loop.gate"), write("tool.lua", "x = 1\n"), say("Done."),
                  say("Done."), prompts=["Do not use /feature here."], files=self.COMMAND)
        self.assertEqual(self.stances("stop")[0], "deny")

    def test_no_agent_starts_in_a_full_context_and_one_does_after_it_is_smaller(self) -> None:
        run = self.play(on("loop.workflow", "loop.compaction"),
                        write(".claude/.output/features/login/MANIFEST.yaml", MANIFEST),
                        # The client writes its transcript a little later than it calls.
                        *[with_context(bash("ls"), 180_000)] * 3, with_context(spawn("writer"), 180_000),
                        *[with_context(bash("ls"), 20_000)] * 3, with_context(spawn("writer"), 20_000),
                        say("Done."), prompts=["/feature login"], files=self.COMMAND,
                        subagents={"WRITER": [say("FROM-THE-WRITER")]})
        spawns = [entry["stance"] for entry in self.logged("before_tool") if entry["tool"] == "spawn_agent"]
        self.assertEqual(spawns, ["deny", "silent"])
        self.assertEqual(run.seen_by("ask the user for `/compact`"), {"main"})
        self.assertIn("building", run.seen("ask the user for `/compact`")[0][2])
        self.assertIn("main", run.seen_by("FROM-THE-WRITER"))

    # loop.session

    def test_a_session_is_given_its_texts_and_again_after_compaction(self) -> None:
        config = QUIET + ('[loop.session]\nmode = "enforce"\nreminder = "REMINDED-OF-IT"\n'
                          'inject = [{ file = "docs/rules.md" }]\n')
        run = self.play(config, say("Hello."), say("Hello again."),
                        files={"docs/rules.md": "THE-RULES\n"}, prompts=["Hi.", "/compact", "Go on."])
        first, last = run.requests()[0], run.requests()[-1]
        for request in (first, last):
            shown = "\n".join(text for _, text in run.shown(request.body))
            self.assertIn("THE-RULES", shown)
            self.assertIn("REMINDED-OF-IT", shown)

    # notify

    def test_the_user_is_notified_that_the_agent_is_done_and_nobody_waits(self) -> None:
        config = QUIET + '[notify]\nmode = "enforce"\n[[notify.rule]]\non = "stop"\ntext = "ALL-DONE"\n'
        hanging = ('#!/bin/sh\nprintf "%s\\n" began "$@" > "$CLAUDE_PROJECT_DIR/${0##*/}.txt"\n'
                   'sleep 20\necho ended >> "$CLAUDE_PROJECT_DIR/${0##*/}.txt"\n')
        run = self.play(config, say("Done."), say("Done again."), prompts=["Hi.", "Go on."],
                        programs={"afplay": hanging, "osascript": hanging})
        self.assertEqual(run.final_text(), "Done again.")
        self.assertEqual(self.stances("stop"), ["silent", "silent"])
        heard = run.files["afplay.txt"].splitlines()
        self.assertEqual((heard[:3], heard[-1].rsplit("/", 1)[-1]), (["began", "-v", "0.50"], "tone-100.wav"))
        shown = 'display notification "ALL-DONE" with title "flyball: project"'
        self.assertEqual(run.files["osascript.txt"].splitlines(), ["began", "-e", shown])


class AgentsInOlderClaude(AgentsInClaude):
    client = "claude-old"


class NoFalseAlarms(LoopAgentsCase):
    """All policies of the pack are on, and nothing is wrong: no stop is blocked and there are no notices."""

    def test_edits_of_documents(self) -> None:
        self.play(ALL, write("README.md", "# Hi\n"), write("docs/a.md", "# A\n"), say("Done."))
        self.assert_silent()

    def test_a_question(self) -> None:
        self.play(ALL, say("Forty-two."))
        self.assert_silent()

    def test_an_agent_that_only_reads(self) -> None:
        self.play(ALL, bash("ls; git status; git log --oneline | head"),
                  use("Read", file_path="{PROJECT}/flyball.toml"), say("Seen."))
        self.assert_silent()

    def test_planning(self) -> None:
        self.play(ALL, bash("ls"), say("Here is the plan: create `src/new.rs`."), mode="plan")
        self.assert_silent()

    def test_a_subagent_that_explores(self) -> None:
        self.play(ALL, spawn("Explore"), say("Done."),
                  subagents={"EXPLORE": [bash("ls"), say("There is `src/gone.rs` to be created.")]})
        self.assert_silent()

    def test_a_subagent_that_writes_tests(self) -> None:
        # Only the loop and the gate have tests reviewed.
        config = ALL.replace('[loop.feedback]\nmode = "enforce"', '[loop.feedback]\nmode = "off"')
        config = config.replace('[loop.gate]\nmode = "enforce"', '[loop.gate]\nmode = "off"')
        self.play(config, spawn("tester"), say("Done."),
                  subagents={"TESTER": [write("tests/test_a.py", "def test_a():\n    pass\n"),
                                        write("tests/fixtures/in.md", "x"),
                                        say("I wrote `tests/test_a.py`.\n\n" + PASSED)]})
        self.assert_silent()

    def test_a_dirty_tree_of_the_user(self) -> None:
        # What changed before the agent works is nobody's edit.
        self.play(ALL, spawn("writer"), say("Done."), files={"left.md": "mine", "left.py": "x = 1\n"},
                  subagents={"WRITER": [bash("ls"), say("I looked.")]})
        self.assert_silent()

    def test_moving_between_branches_and_worktrees(self) -> None:
        self.play(ALL, bash("git checkout -q -b other"),
                  bash("git stash push -q -m before; git checkout -q main"),
                  bash("git worktree add -q ../tree other"), bash("cd ../tree && git log --oneline"),
                  bash("git worktree remove ../tree"), say("Done."),
                  files={"app.py": "x = 1\n", "b.lua": "x = 1\n"})
        self.assert_silent()


class AgentsInCodex(ScenarioCase):
    def test_nothing_breaks_with_everything_on(self) -> None:
        add = "*** Add File: docs/notes.md\n+hello\n"
        self.ended_well(codex.run(Flyball(ALL), [codex.patch(add), say("Done.")]))
        self.assertEqual([entry["stance"] for entry in self.logged("stop")], ["silent"])
        self.assertEqual([entry for entry in self.outcome.hooks if entry.get("notices")], [])

    def test_the_gate_blocks_once(self) -> None:
        add = "*** Add File: tool.lua\n+x = 1\n"
        self.ended_well(codex.run(Flyball(on("loop.gate")),
                                  [codex.patch(add), say("Done."), say("I cannot.")]))
        self.assertEqual([entry["stance"] for entry in self.logged("stop")], ["deny", "silent"])
