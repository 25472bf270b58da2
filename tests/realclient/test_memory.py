"""Does the right knowledge reach the model at the right edit, inside the real clients?"""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from kit import claude, codex
from kit.case import ScenarioCase
from kit.outcome import Outcome
from kit.registration import Flyball
from kit.scratch import Scratch
from kit.turns import Turn, say, use

PENDING = ".intent-layer/mistakes/pending/"
ROOT = "# Project\n\n## Checks\n\n### Before release\n\n- [ ] CANARY-ROOT is looked at\n"
NESTED = ("# api\n\n## Pitfalls\n\n### Requests\n\nCANARY-NESTED: a request has a deadline.\n\n"
          "```md\n## Pitfalls\n```\n\nCANARY-BEHIND-FENCE\n")
ELSEWHERE = "# web\n\n## Pitfalls\n\nCANARY-ELSEWHERE\n"
NODES = {"AGENTS.md": ROOT, "api/AGENTS.md": NESTED, "web/CLAUDE.md": ELSEWHERE,
         "api/server.py": "x = 1\n"}


REPORT = """## Learning Report (Skeleton)

**ID**: SKELETON-1
**Type**: pitfall
**Title**: Bash in api
**Timestamp**: 2026-01-01T10:00:00Z
**Directory**: api
**Operation**: Bash in api
**Status**: skeleton (awaiting enrichment)

### What Went Wrong

A command failed.
"""
ACCEPTED = ["learn", "accept", "SKELETON-1", "--title", "CANARY-LEARNED", "--detail",
            "CANARY-DETAIL: the server is started with `api/run`."]


@dataclass
class Prepared(Flyball):
    """flyball, with commands that a person runs after `init`."""
    then: Sequence[Sequence[str]] = ()

    def register(self, world: Scratch, hooks_file: Path) -> None:
        super().register(world, hooks_file)
        for command in self.then:
            self._run(world, *command)


def bash(command: str) -> Turn:
    return use("Bash", command=command, description="run a command")


def write(name: str, content: str) -> Turn:
    return use("Write", file_path=f"{{PROJECT}}/{name}", content=content)


def read(name: str) -> Turn:
    return use("Read", file_path=f"{{PROJECT}}/{name}")


def edit(name: str, old: str, new: str) -> Turn:
    return use("Edit", file_path=f"{{PROJECT}}/{name}", old_string=old, new_string=new)


def spawn(role: str, prompt: str, *, background: bool = False) -> Turn:
    return use("Agent", description=f"Ask the {role}", prompt=f"{role.upper()}: {prompt}",
               subagent_type="general-purpose", run_in_background=background)


class MemoryInClaude(ScenarioCase):
    client = "claude"

    def play(self, *main: Turn, agents: dict[str, list[Turn]] | None = None,
             config: str = "", then: Sequence[Sequence[str]] = (), **more: Any) -> Outcome:
        more.setdefault("files", NODES)
        return self.ended_well(claude.run(
            Prepared(config, ("memory",), then), main, client=self.client, limit_s=60,
            subagents=agents or {}, **more))

    def injected(self, needle: str, script: str = "main") -> list[list[str]]:
        """For each request to the model: the texts of hooks that contain this."""
        return [[text for place, text in self.outcome.shown(asked.body)
                 if needle in text and "hook additional context" in text]
                for asked in self.outcome.requests(script)]

    def reports(self) -> list[str]:
        return [text for name, text in sorted(self.outcome.files.items())
                if name.startswith(PENDING) and name.endswith(".md")]

    def test_the_rules_of_all_covering_nodes_reach_the_model_before_the_edit(self) -> None:
        run = self.play(write("api/new/client.py", "y = 1\n"), say("Done."))
        for canary in ("CANARY-NESTED", "CANARY-BEHIND-FENCE"):
            self.assertEqual(run.seen_by(canary), {"main"}, canary)
        # With the first prompt, or because the client has loaded the file itself.
        self.assertEqual(len(run.seen("CANARY-ROOT")), 1)
        self.assertEqual(run.seen("CANARY-ELSEWHERE"), [])

    def test_what_comes_with_a_read_is_not_repeated_at_the_edit(self) -> None:
        run = self.play(read("api/server.py"), edit("api/server.py", "x = 1", "x = 2"), say("Done."))
        self.assertIn("main", run.seen_by("CANARY-NESTED"))
        # A newer client reads the file itself.
        injected = [text for _, _, text in run.seen("This project's rules for `api/server.py`")]
        self.assertLessEqual(len(injected), 1, injected)

    def test_they_come_once_and_again_when_they_changed(self) -> None:
        self.play(
            write("api/a.py", "a = 1\n"), write("api/b.py", "b = 1\n"),
            bash("sed -i 's/a deadline/a CHANGED deadline/' api/AGENTS.md"),
            write("api/c.py", "c = 1\n"), write("api/d.py", "d = 1\n"), say("Done."),
            config='[memory.instructions]\nedits = "allow"\n')
        last = "\n".join(self.injected("CANARY-NESTED")[-1])
        self.assertEqual(last.count("CANARY-NESTED: a request has a deadline"), 1, last)
        self.assertEqual(last.count("CANARY-NESTED: a request has a CHANGED deadline"), 1, last)

    def test_what_the_user_excludes_is_not_loaded_and_so_shown(self) -> None:
        rules = {"CLAUDE.md": "# App\n\n## Pitfalls\n\n- `open_session()` leaks: CANARY-EXCLUDED.\n"}
        edit_it = (write("api/a.py", "open_session()\n"), say("Done."))
        loaded = self.play(*edit_it, files=rules)
        self.assertIn("CANARY-EXCLUDED", str(loaded.requests("main")[0].body), "the client loads it")
        excluded = {".claude/settings.local.json": json.dumps({"claudeMdExcludes": ["**/CLAUDE.md"]})}
        run = self.play(*edit_it, files=rules | excluded)
        self.assertNotIn("CANARY-EXCLUDED", str(run.requests("main")[0].body))
        self.assertTrue(any(self.injected("CANARY-EXCLUDED")), "at the edit")

    def test_what_the_users_own_file_says_is_not_shown_again(self) -> None:
        rule = "- `open_session()` leaks a handle: CANARY-MINE.\n"
        rules = {"api/AGENTS.md": f"# api\n\n## Pitfalls\n\n{rule}"}
        edit_it = (write("api/a.py", "open_session()\n"), say("Done."))
        self.play(*edit_it, files=rules)
        self.assertTrue(any(self.injected("CANARY-MINE")))
        run = self.play(*edit_it, files=rules | {"../home/.claude/CLAUDE.md": f"# Mine\n\n{rule}"})
        self.assertIn("CANARY-MINE", str(run.requests("main")[0].body), "the client loads it in every project")
        self.assertFalse(any(self.injected("CANARY-MINE")))

    def test_an_edit_by_a_command_is_an_edit(self) -> None:
        run = self.play(bash("printf 'x = 2\\n' > api/server.py"), say("Done."))
        self.assertEqual(run.seen_by("CANARY-NESTED"), {"main"})

    def test_a_subagent_gets_the_rules_for_its_own_task(self) -> None:
        run = self.play(spawn("worker", "fix `api/server.py`, please."), say("Done."),
                        agents={"WORKER": [say("It is fixed.")]})
        self.assertIn("WORKER", run.seen_by("CANARY-NESTED"))
        self.assertEqual(run.seen("CANARY-ELSEWHERE"), [])

    def test_the_rules_come_again_after_compaction(self) -> None:
        run = self.play(write("api/a.py", "a = 1\n"), say("Done."),
                        write("api/b.py", "b = 1\n"), say("Done again."),
                        prompts=["Go.", "/compact", "Go on."])
        self.assertEqual(len(run.requests("compact")), 1)
        self.assertEqual(run.changed().keys() & {"api/a.py", "api/b.py"}, {"api/a.py", "api/b.py"})
        after = "\n".join(self.injected("CANARY-")[-1])
        self.assertEqual((after.count("CANARY-NESTED"), after.count("CANARY-BEHIND-FENCE")), (1, 1), after)

    def test_what_a_person_accepted_reaches_agent_and_subagent_and_outlives_compaction(self) -> None:
        run = self.play(
            write("api/a.py", "a = 1\n"), spawn("worker", "fix `api/server.py`, please."), say("Done."),
            write("api/b.py", "b = 1\n"), say("Done again."),
            agents={"WORKER": [say("It is fixed.")]}, prompts=["Go.", "/compact", "Go on."],
            files=NODES | {PENDING + "SKELETON-1.md": REPORT}, then=[ACCEPTED])
        self.assertIn("CANARY-DETAIL", run.files["api/AGENTS.md"])
        self.assertEqual([name.rsplit("/", 2)[1:] for name in run.files if "SKELETON-1" in name],
                         [["integrated", "SKELETON-1.md"]])
        self.assertEqual(run.seen_by("CANARY-DETAIL"), {"main", "WORKER", "compact"})
        self.assertIn("CANARY-DETAIL", "\n".join(self.injected("CANARY-DETAIL")[-1]))

    def test_agents_ask_and_report_over_the_tool_server(self) -> None:
        names = ("mcp__flyball__read_context", "mcp__flyball__report_learning")
        run = self.play(
            use("ToolSearch", query=f"select:{','.join(names)}", max_results=5),
            use(names[0], path="api/server.py"),
            use(names[1], type="pitfall", title="CANARY-REPORTED", detail="It was found out.", path="api"),
            say("Done."), then=[["init", "--yes", "--mcp"]],
            flags=["--settings", json.dumps({"enabledMcpjsonServers": ["flyball"]})])
        self.assert_one(run.at("result"), "Rules for `api/server.py`", "CANARY-NESTED")
        self.assert_one(self.reports(), "CANARY-REPORTED", "It was found out.", "**Directory**: api")
        self.assert_one(run.at("result"), "PITFALL-")

    def test_a_command_that_fails_again_becomes_a_report_for_people(self) -> None:
        failing = bash("flyball-no-such-program --frobnicate")
        run = self.play(failing, failing, say("Done."))
        reports = self.reports()
        self.assert_one(reports, "flyball-no-such-program --frobnicate", "not found")
        self.assertEqual(len(reports), 1)
        self.assertEqual(run.seen_by("`flyball learn`"), set())

    def test_an_edit_that_the_client_refuses_is_a_slip(self) -> None:
        wrong = edit("api/server.py", "not there at all", "z")
        self.play(read("api/server.py"), wrong, wrong, say("Done."))
        self.assertEqual(self.logged("tool_failed"), [])
        self.assertEqual(self.reports(), [])

    def test_a_failing_test_run_and_a_search_without_match_are_no_mistakes(self) -> None:
        self.play(bash("grep -q nothing-like-it api/server.py"),
                  bash("python3 -m unittest discover -s api -p 'test_*.py'"),
                  bash("false"), say("Done."),
                  files=NODES | {"api/test_it.py": "import unittest\n\n\n"
                                 "class T(unittest.TestCase):\n    def test_it(self):\n        self.fail('as expected')\n"})
        self.assertEqual(self.reports(), [])

    def test_the_same_failure_is_one_report(self) -> None:
        self.play(bash("flyball-no-such-program 1"), bash("flyball-no-such-program 2"), say("Done."))
        self.assertEqual(len(self.reports()), 1)

    def test_a_session_begins_with_what_was_learned_lately(self) -> None:
        run = self.play(say("Hello."), files=NODES | {PENDING + "SKELETON-1.md": REPORT}, then=[ACCEPTED])
        self.assertEqual(run.seen_by("CANARY-LEARNED"), {"main"})
        self.assertEqual(len(run.requests()), 1)

    def test_without_the_pack_nothing_is_injected_or_written(self) -> None:
        run = self.ended_well(claude.run(
            Flyball(""), [write("api/a.py", "a = 1\n"), bash("flyball-no-such-program"), say("Done.")],
            client=self.client, files=NODES))
        self.assertEqual(run.seen("CANARY-NESTED"), [])
        self.assertEqual([name for name in run.files if name.startswith(".intent-layer")], [])


class MemoryInOlderClaude(MemoryInClaude):
    client = "claude-old"


SHOP_CLAUDE = """# Shop

## Conventions

- CANARY-LOADED: amounts are integers of cents; never use `float` for an amount.
"""
SHOP_AGENTS = """# Shop

A shop in Python.

## Working agreement

- CANARY-GENERAL: ask before you make big changes.

## Code style

- CANARY-DATE: times are in UTC. Call `clock.now()` and never `datetime.now()`.
- CANARY-LOG: log with `logging`, never with `print`.

## Testing instructions

- CANARY-TEST: no `sleep()` in tests; wait for the condition.

## Gotchas

- CANARY-SQL: parameters of SQL are bound; never build a query from strings.
"""
SHOP_BILLING = """# Billing

## Contracts

- CANARY-WEBHOOK: a webhook comes more than once, so its handler looks up the event's id first.
- CANARY-ROUND: round half up, once, at the end of a calculation.

## Gotchas

- CANARY-PDF: the renderer of invoices loads fonts when `pdf` is imported.
"""
SHOP_SEARCH = """# Search

## Gotchas

- CANARY-INDEX: an index is never changed in place; build a new one and switch the alias.
- CANARY-STOPWORDS: Dutch and Frisian share an analyzer.
- CANARY-BATCH: the embedding service takes at most 96 texts.
"""
SHOP = {"CLAUDE.md": SHOP_CLAUDE, "AGENTS.md": SHOP_AGENTS, "services/billing/AGENTS.md": SHOP_BILLING,
        "services/search/CLAUDE.md": SHOP_SEARCH,
        "services/search/index.py": "def build(name):\n    return name\n",
        "services/billing/names.py": "first = 1\n"}
NOW = "from datetime import datetime\n\n\ndef stamp():\n    return datetime.now()\n"
HOOK = ("def webhook(request):\n    event = parse(request)\n    charge(event.customer)\n"
        "    return 202\n")
QUERY = "def find(name):\n    return db.query(\"select id from shop where name = '\" + name + \"'\")\n"
TEST = "import time\n\n\ndef test_a_customer_pays():\n    pay()\n    time.sleep(1)\n    assert paid()\n"
TEN_EDITS = [
    write("package.json", "{}\n"),
    write("app/times.py", NOW),
    write("app/words.py", "def words(text):\n    return text.split()\n"),
    write("services/billing/webhooks.py", HOOK),
    write("tests/test_pay.py", TEST),
    write("app/query.py", QUERY),
    read("services/search/index.py"),
    edit("services/search/index.py", "return name", "put_mapping(name)\n    return name"),
    write("app/price.py", "def discounted(amount):\n    return float(amount) * 0.9\n"),
    bash("sed -i 's/first/second/' services/billing/names.py"),
    write("app/more.py", "VALUE = 1\n"),
]


def hook_texts(text: str) -> list[str]:
    """What hooks added in a text, each with the name of its hook."""
    found: list[str] = []
    ours = ("- ", "From `", "#", "`", "No AGENTS.md", "This project", "1 rule", "Left out")
    is_inside = False
    for paragraph in text.replace("<system-reminder>", "").replace("</system-reminder>", "").split("\n\n"):
        paragraph = paragraph.strip()
        if " hook additional context: " in paragraph:
            found.append(paragraph)
            is_inside = True
        elif is_inside and paragraph.startswith(ours) and not paragraph.startswith("# "):
            found[-1] += "\n\n" + paragraph
        else:
            is_inside = False
    return found


class OrdinaryProjectInClaude(ScenarioCase):
    """Files of rules as most projects have them: what the model is shown in ten edits, two subagents, a compaction."""
    client = "claude"

    def shown_in(self, script: str) -> list[tuple[int, str]]:
        """What hooks showed to a model, by the number of its request; each text once."""
        found: dict[str, int] = {}
        for number, asked in enumerate(self.outcome.requests(script)):
            for _, text in self.outcome.shown(asked.body):
                if "hook additional context" in text or "hook success" in text:
                    found.setdefault(text, number)
        return [(number, text) for text, number in found.items()]

    def count(self, canary: str, script: str = "main") -> int:
        """How often a text with this was added; the last two requests of the main agent are after the compaction."""
        after = len(self.outcome.requests(script)) - 2 if script == "main" else 0
        parts = {(number >= after, part) for number, text in self.shown_in(script) for part in hook_texts(text)}
        return sum(part.count(canary) for _, part in parts)

    def transcript(self) -> str:
        """The texts of hooks, without what the client puts around them."""
        lines = [f"{self.client}: what hooks showed to the models"]
        seen: set[str] = set()
        for script in ("main", "BILLING", "SEARCHER"):
            for number, text in self.shown_in(script):
                for part in hook_texts(text):
                    if (script + part) not in seen:
                        seen.add(script + part)
                        lines += ["", f"--- {script}, request {number}: {part}"]
        return "\n".join(lines) + "\n"

    def test_each_rule_is_shown_where_it_helps_and_nothing_twice(self) -> None:
        self.ended_well(claude.run(
            Flyball("", ("memory",)),
            [*TEN_EDITS, spawn("billing", "handle the billing webhooks twice as fast"),
             spawn("searcher", "find out why the search pipeline mixes its index"), say("Done."),
             write("app/after.py", NOW), say("Done again.")],
            client=self.client, limit_s=120, files=SHOP, prompts=["Go.", "/compact", "Go on."],
            subagents={"BILLING": [say("It is fast.")], "SEARCHER": [say("It does not.")]}))
        if where := os.environ.get("FLYBALL_SHOWN"):
            with open(where, "a", encoding="utf-8") as file:
                file.write(self.transcript() + "\n")
        self.assertEqual(len(self.outcome.requests("compact")), 1)
        # At its edit, and again in the new context.
        self.assertEqual(self.count("CANARY-DATE"), 2)
        for canary in ("CANARY-WEBHOOK", "CANARY-TEST", "CANARY-SQL"):
            self.assertEqual(self.count(canary), 1, canary)
        # The client has loaded it; about to be broken, it is shown once.
        self.assertEqual(self.count("CANARY-LOADED"), 1)
        # The client loads it when a file there is read.
        self.assertEqual(self.count("CANARY-INDEX"), 0)
        # With each new context.
        self.assertEqual(self.count("CANARY-GENERAL"), 2)
        for canary in ("CANARY-LOG", "CANARY-ROUND", "CANARY-PDF", "CANARY-STOPWORDS", "CANARY-BATCH"):
            self.assertEqual(self.count(canary), 0, canary)
        self.assertEqual(self.count("CANARY-WEBHOOK", "BILLING"), 1)
        self.assertEqual(self.count("CANARY-INDEX", "SEARCHER"), 1)
        for script in ("BILLING", "SEARCHER"):
            self.assertEqual(self.count("CANARY-LOADED", script), 0, "its client has loaded it")
            self.assertEqual(self.count("CANARY-DATE", script), 0)
        self.assertEqual(self.count("CANARY-INDEX", "BILLING"), 0)


class OrdinaryProjectInOlderClaude(OrdinaryProjectInClaude):
    client = "claude-old"



class MemoryInCodex(ScenarioCase):
    def test_the_rules_reach_the_model_with_the_patch(self) -> None:
        add = "*** Add File: api/client.py\n+y = 1\n"
        run = self.ended_well(codex.run(Flyball("", ("memory",)), [codex.patch(add), say("Done.")],
                                        files=NODES))
        self.assertIn("main", run.seen_by("CANARY-NESTED"))
