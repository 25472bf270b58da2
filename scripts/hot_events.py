"""Runs a program with what clients start all day, events and commands in the seatbelt, and finds out which parts of it that needs."""

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
# What is started all day, the most frequent first. What most of the first kind needs lies together at the beginning, and
# there what the second kind needs as well comes first, and so on.
KINDS = ["command", "edit", "stop", "line", "after command", "after edit", "packs: edit", "packs: stop", "script", "recorded"]
# It is of a kind if one of so many runs of that kind needs it.
SHARE = 4

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

# What valgrind writes of a program that executes, reads and writes, and how much of it is taken at once.
ACCESSES = (b"I  ", b" L ", b" S ", b" M ")
LINES_AT_ONCE = 1 << 24
# Above the program there are its heap and its stack.
HIGHEST = 1 << 27

# The same function for another processor than valgrind's.
SIBLINGS = [("_avx2", "_evex"), ("_avx", "_evex"), ("_sse2", "_avx2"), ("soft::unroll::compress", "x86_sha::compress")]


class Trainer:
    def __init__(self, program, scratch):
        self.program = program
        self.scratch = scratch
        self.places = places(program)
        self.constant_parts = Constants(program, program.parent / "map")
        self.known = {name for _, _, name in self.places}
        # For each name, and for each constant: how many runs of each kind need it.
        self.uses, self.constant_uses = {}, {}
        self.identities = {}
        # How many there are of each kind.
        self.runs = Counter()

    def run(self):
        runs = [(kind, partial(self._answer, client, event)) for kind, client, event in self._events()]
        runs += [("line", partial(self._start, line)) for line in STARTED]
        for number, (kind, run) in enumerate(runs, 1):
            print(f"\r{number} of {len(runs)}", end="", file=sys.stderr, flush=True)
            self.runs[kind] += 1
            names, constants = self._needed(run())
            for needed, uses in [(names, self.uses), (constants, self.constant_uses)]:
                for one in needed:
                    uses.setdefault(one, Counter())[kind] += 1
        print(file=sys.stderr)
        return self

    def names(self):
        return [name for _, names in self._groups(self.uses) for name in names]

    def constants(self):
        """(kinds, constants that just these need), in the order in which they should lie."""
        return self._groups(self.constant_uses)

    def _groups(self, uses):
        """What is needed by the same kinds, together: (the kinds, names)."""
        groups = {}
        for name, by_kind in uses.items():
            if by_kind.total() > 1:
                kinds = tuple(by_kind[kind] * SHARE >= self.runs[kind] > 0 for kind in KINDS)
                groups.setdefault(kinds, []).append((-by_kind.total(), name))
        ordered = sorted(groups.items(), key=lambda group: [not is_of for is_of in group[0]])
        title = lambda kinds: ", ".join(kind for kind, is_of in zip(KINDS, kinds) if is_of) or "few"
        return [(title(kinds), [name for _, name in sorted(names)]) for kinds, names in ordered]

    def _needed(self, addresses):
        """The names and the constants that are executed, read or written."""
        names, constants = set(), set()
        for address in addresses:
            if constant := at(self.constant_parts.ranges, address):
                constants.add(constant)
            elif symbol := at(self.places, address):
                names.add(symbol[2])
        for name in list(names):
            for own, other in SIBLINGS:
                sibling = name.replace(own, other)
                if sibling != name and sibling in self.known:
                    names.add(sibling)
        return names, {self._identity(constant) for constant in constants}

    def _identity(self, constant):
        if constant not in self.identities:
            self.identities[constant] = self.constant_parts.identity(*constant)
        return self.identities[constant]

    def _answer(self, client, event):
        """The addresses that one event executes, reads and writes."""
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
        valgrind = ["valgrind", "--tool=lackey", "--trace-mem=yes", f"--log-file={output}"]
        # The hook looks for a client among the processes that started it.
        caller = self.scratch / "claude"
        if not caller.exists():
            caller.symlink_to("/bin/sh")
        done = subprocess.run(
            [caller, "-c", '"$@"; exit $?', "claude", *valgrind, *command],
            input=sent,
            cwd=folder,
            env=self._environment() | more,
            capture_output=True,
        )
        if done.returncode not in ends:
            sys.exit(f"it ended with {done.returncode}, so nothing can be learned from it:\n{done.stderr.decode()}")
        addresses = set()
        with open(output, "rb") as lines:
            while some := lines.readlines(LINES_AT_ONCE):
                # `I  00ac9630,4`, ` L 1ffeffffe8,8`: an address and a length; a tenth of the lines are different ones.
                addresses.update(line[3:].partition(b",")[0] for line in set(some) if line[:3] in ACCESSES)
        output.unlink()
        return {address for address in (int(text, 16) for text in addresses) if address < HIGHEST}

    def _environment(self):
        return {
            "PATH": os.environ["PATH"],
            "HOME": str(self.scratch),
            "FLYBALL_STATE_DIR": str(self.scratch / "state"),
            "FLYBALL_CONFIG_DIR": str(self.scratch / "config"),
            "CLAUDECODE": "1",
        }

    def _events(self):
        """(kind, client, event): what the clients sent, and what agents do all day, without packs and with all."""
        folders = [self._project("project", ""), self._project("packs", PACKS)]
        config = self.scratch / "config"
        config.mkdir(exist_ok=True)
        (config / "config.toml").write_text(f'[trust]\nprojects = ["{self.scratch}"]\n')
        events = [("recorded", client, self._at(folders[0], event)) for client in CLIENTS for event in fixtures(client)]
        events += [(kind, CLIENT, event) for kind, event in self._commands(folders[0])]
        for folder, more in zip(folders, ["", "packs: "]):
            for kind, event in self._edits_and_stops(folder):
                events.append((more + kind if more + kind in KINDS else kind, CLIENT, event))
        return events

    def _project(self, name, more):
        folder = self.scratch / name
        (folder / "src").mkdir(parents=True)
        (folder / "src" / "app.py").write_text("def greet(name):\n    return 'Hello ' + name\n")
        (folder / "pyproject.toml").write_text('[project]\nname = "app"\nversion = "0.1.0"\n')
        (folder / "uv.lock").write_text("version = 1\n")
        (folder / "flyball.toml").write_text((BENCH / "flyball.toml").read_text() + more)
        subprocess.run(["git", "init", "-q", str(folder)], check=True)
        # What clients read there, the hook reads too.
        subprocess.run([self.program, "init", "--yes"], cwd=folder, env=self._environment(), check=True, capture_output=True)
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
        commands = [("command", command) for command in COMMANDS]
        for kind, command in [*commands, ("script", (BENCH / "script.sh").read_text())]:
            before = {**shell, "tool_input": {"command": command}}
            yield kind, before
            yield "after command", {**before, "hook_event_name": "PostToolUse", "tool_response": done}

    def _edits_and_stops(self, folder):
        edit, stop = self._filled("before-edit.json", folder), self._filled("stop.json", folder)
        for _ in range(3):
            after = {**edit, "hook_event_name": "PostToolUse", "tool_response": {}}
            yield from [("edit", edit), ("after edit", after), ("stop", stop)]


def fixtures(client):
    """What a client sent: one event of each kind and tool."""
    events = (json.loads(path.read_text()) for path in sorted((FIXTURES / client).glob("*.json")))
    events = (event for event in events if isinstance(event, dict) and "hook_event_name" in event)
    kinds = {(event["hook_event_name"], event.get("tool_name")): event for event in events}
    return list(kinds.values())
