"""Runs a program with what clients start all day, events and commands in the seatbelt, and finds out which parts of it that needs."""

import bisect
import json
import os
import shlex
import subprocess
import sys
from collections import Counter
from functools import partial
from pathlib import Path

from program_layout import Constants, at, places

ROOT = Path(__file__).resolve().parent.parent
FIXTURES = ROOT / "crates" / "flyball-clients" / "fixtures"
BENCH = ROOT / "bench"
CLIENT = "claude-code"
CLIENTS = [CLIENT, "codex"]
# The folder that the recorded events are about.
RECORDED_PROJECT = "/home/dev/project"
# Constants that so many of a hundred events need are read by most hooks.
OFTEN = 10

# What agents run all day, one of a kind, in files so that no shell ever reads them.
COMMANDS = [
    "ls -la src",
    "git status --short && git diff --stat | head -50",
    "cd api && uv run pytest -q tests/test_parser.py 2>&1 | tail -n 40",
    "rm -rf build dist && uv run python -m build --wheel . 2>&1 | tee build.log",
    "cargo test -p parser 2>&1 | tail -20",
    "grep -rn 'fn main' --include='*.rs' . | sort | uniq -c | head",
    "for file in src/*.py; do echo \"$file\"; wc -l < \"$file\"; done",
    "python3 -c 'import json; print(json.load(open(\"package.json\"))[\"name\"])'",
    "git add -A && git commit -m 'Read the header once' && git push",
    "npm run build && npm test -- --watch=false",
    "sed -n '1,80p' README.md; find . -name '*.toml' -not -path './target/*'",
    "curl -s http://localhost:8080/health | jq .status",
    "git reset --hard HEAD~1",
    "mkdir -p notes && cat > notes/a.md <<'END'\n# A\n\nText.\nEND",
    "pip install requests",
]

# The same for what is started in the seatbelt; none of them would do harm if it ran.
STARTED = [
    "ls -la src",
    "git status --short && git diff --stat | head -50",
    "cd src && uv run pytest -q tests/test_parser.py 2>&1 | tail -n 40",
    "cargo test -p parser 2>&1 | tail -20",
    "python3 -c 'import json; print(1)'",
    "npm run build && npm test -- --watch=false",
    "git add -A && git commit -m 'Read the header once'",
]

# All that a project can switch on.
PACKS = "".join(
    f'[{policy}]\nmode = "enforce"\n'
    for policy in ["loop.feedback", "memory.context", "memory.agents", "memory.failures", "task.stop", "task.agents"]
)

# Of x86-64, in bytes.
LONGEST_INSTRUCTION = 15

# The same function for another processor than valgrind's.
SIBLINGS = [("_avx2", "_evex"), ("_avx", "_evex"), ("_sse2", "_avx2"), ("soft::compress", "x86_shani::compress")]


class Trainer:
    def __init__(self, program, scratch):
        self.program = program
        self.scratch = scratch
        self.places = places(program)
        self.constant_parts = Constants(program, program.parent / "map")
        self.references = self.constant_parts.references()
        self.known = {name for _, _, name in self.places}
        # What is needed by which number of events, and by which first.
        self.uses, self.first, self.constant_uses = Counter(), {}, Counter()
        self.events = 0

    def run(self):
        runs = [partial(self._answer, client, event) for client, event in self._events()]
        runs += [partial(self._start, line) for line in STARTED]
        self.events = len(runs)
        for number, run in enumerate(runs, 1):
            print(f"\r{number} of {len(runs)}", end="", file=sys.stderr, flush=True)
            names, constants = self._needed(run())
            self.uses.update(names)
            self.constant_uses.update(constants)
            for name in sorted(names):
                self.first.setdefault(name, number)
        print(file=sys.stderr)
        return self

    def names(self):
        """What most events need comes first; what few need, beside what is needed with it."""
        often = [name for name in self.uses if self.uses[name] > 1]
        return sorted(often, key=lambda name: (-self.uses[name], self.first[name], name))

    def constants(self):
        limit = self.events * OFTEN / 100
        used = {self.constant_parts.identity(start, end): count for (start, end), count in self._all_constants()}
        often = sorted(identity for identity, count in used.items() if count >= limit)
        rarely = sorted(identity for identity, count in used.items() if 1 < count < limit)
        return often, rarely

    def _all_constants(self):
        return self.constant_uses.items()

    def _needed(self, executed):
        """The names and the constants that some instructions need."""
        names, constants = set(), set()
        for address in executed:
            if symbol := at(self.places, address):
                names.add(symbol[2])
            # The number is within the instruction.
            place = bisect.bisect_left(self.references, address, key=lambda it: it[0])
            while place < len(self.references) and self.references[place][0] < address + LONGEST_INSTRUCTION:
                if self._is_within(address, self.references[place][0], executed):
                    named = self.references[place][1]
                    (names if isinstance(named, str) else constants).add(named)
                place += 1
        for name in list(names):
            for own, other in SIBLINGS:
                sibling = name.replace(own, other)
                if sibling != name and sibling in self.known:
                    names.add(sibling)
        return names, self.constant_parts.closure(constants)

    def _is_within(self, start, address, executed):
        """Whether no other instruction that was executed begins between the two."""
        return not any(between in executed for between in range(start + 1, address + 1))

    def _answer(self, client, event):
        """The addresses of the instructions that one event executes."""
        event = {**event, "tool_use_id": f"id-{os.urandom(4).hex()}"}
        return self._trace([self.program, "hook", "--client", client], json.dumps(event).encode())

    def _start(self, line):
        """The same of one command in the seatbelt, up to where it would become the shell."""
        link = self.scratch / "flyball-run"
        if not link.exists():
            link.symlink_to(self.program)
        # It cannot be started: valgrind would write nothing about a process that is another program at the end.
        shell = self.scratch / "no-program" / "bash"
        shell.parent.mkdir(exist_ok=True)
        shell.touch()
        agents = f"eval {shlex.quote(line)} < /dev/null && pwd -P >| {self.scratch / 'folder'}"
        return self._trace([link, agents], b"", folder=self.scratch / "project", more={"SHELL": str(shell)}, ends=[127])

    def _trace(self, command, sent, *, folder=None, more={}, ends=(0, 1, 2)):
        output = self.scratch / "trace"
        valgrind = ["valgrind", "--tool=callgrind", "--dump-instr=yes", "--compress-pos=no", f"--callgrind-out-file={output}"]
        environment = {
            "PATH": os.environ["PATH"],
            "HOME": str(self.scratch),
            "FLYBALL_STATE_DIR": str(self.scratch / "state"),
            "FLYBALL_CONFIG_DIR": str(self.scratch / "config"),
            "CLAUDECODE": "1",
            **more,
        }
        # The hook looks for a client among the processes that started it.
        caller = self.scratch / "claude"
        if not caller.exists():
            caller.symlink_to("/bin/sh")
        done = subprocess.run(
            [caller, "-c", '"$@"; exit $?', "claude", *valgrind, *command],
            input=sent,
            cwd=folder,
            env=environment,
            capture_output=True,
        )
        if done.returncode not in ends:
            sys.exit(f"it ended with {done.returncode}, so nothing can be learned from it:\n{done.stderr.decode()}")
        with open(output, "rb") as lines:
            # `0x241794 3 5`: an address, a line, how often.
            return {int(line.split(b" ", 1)[0], 16) for line in lines if line.startswith(b"0x")}

    def _events(self):
        """(client, event) of every kind: what the clients sent, and what agents do all day, without packs and with all."""
        folders = [self._project("project", ""), self._project("packs", PACKS)]
        config = self.scratch / "config"
        config.mkdir()
        (config / "config.toml").write_text(f'[trust]\nprojects = ["{self.scratch}"]\n')
        events = [(client, self._at(folders[0], event)) for client in CLIENTS for event in fixtures(client)]
        events += [(CLIENT, event) for event in self._commands(folders[0])]
        for folder in folders:
            events += [(CLIENT, event) for event in self._edits_and_stops(folder)]
        return events

    def _project(self, name, more):
        folder = self.scratch / name
        (folder / "src").mkdir(parents=True)
        (folder / "src" / "app.py").write_text("def greet(name):\n    return 'Hello ' + name\n")
        (folder / "pyproject.toml").write_text('[project]\nname = "app"\nversion = "0.1.0"\n')
        (folder / "uv.lock").write_text("version = 1\n")
        (folder / "flyball.toml").write_text((BENCH / "flyball.toml").read_text() + more)
        subprocess.run(["git", "init", "-q", str(folder)], check=True)
        return folder

    def _at(self, folder, event):
        text = json.dumps(event).replace(RECORDED_PROJECT, str(folder))
        return {**json.loads(text), "cwd": str(folder)}

    def _filled(self, template, folder):
        values = {"{SESSION}": f"everyday-{folder.name}", "{PROJECT}": str(folder), "{CALL}": "call"}
        values["{TRANSCRIPT}"] = str(self.scratch / "transcript.jsonl")
        text = (BENCH / template).read_text()
        for name, value in values.items():
            text = text.replace(name, value)
        return json.loads(text)

    def _commands(self, folder):
        shell = self._filled("before-shell.json", folder)
        done = {"stdout": "done", "stderr": "", "interrupted": False}
        for command in [*COMMANDS, (BENCH / "script.sh").read_text()]:
            before = {**shell, "tool_input": {"command": command}}
            yield before
            yield {**before, "hook_event_name": "PostToolUse", "tool_response": done}

    def _edits_and_stops(self, folder):
        edit, stop = self._filled("before-edit.json", folder), self._filled("stop.json", folder)
        for _ in range(3):
            yield from [edit, {**edit, "hook_event_name": "PostToolUse", "tool_response": {}}, stop]


def fixtures(client):
    """What a client sent: one event of each kind and tool."""
    events = (json.loads(path.read_text()) for path in sorted((FIXTURES / client).glob("*.json")))
    events = (event for event in events if isinstance(event, dict) and "hook_event_name" in event)
    kinds = {(event["hook_event_name"], event.get("tool_name")): event for event in events}
    return list(kinds.values())
