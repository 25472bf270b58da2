#!/usr/bin/env python3
"""What an event costs in counts that other work on the machine changes little: instructions, page faults, peak memory,
system calls.

    cargo build --release -p flyball
    bench/counts.py target/*/release/flyball [OTHER …]

Needs valgrind, strace and gcc. The programs are copied first, because what people install is a copy. `--keep FOLDER`
leaves what `callgrind_annotate` reads; a build with `CARGO_PROFILE_RELEASE_STRIP=false` has the names for it.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
import zlib
from pathlib import Path
from typing import NamedTuple

BENCH = Path(__file__).resolve().parent
POLICIES = BENCH.parent / "crates" / "flyball-policies" / "src"
COMMAND = "cd api && uv run pytest -q tests/test_parser.py 2>&1 | tail -n 40"
REMOVES = "rm -rf build dist && uv run python -m build --wheel . 2>&1 | tee build.log"
PACKS = re.compile(r'(?:quality|loop\.|memory\.|task\.)[a-z.]*')
SESSIONS = 6
# The first event of a session looks for protected files.
WARM = 2
PROBES = 5
# Seconds after which a file counts as settled.
FRESH = 0.1


class Event(NamedTuple):
    """A row: what the client sends, and in which project."""

    template: str
    command: str = ""
    project: str = "project"


def script() -> str:
    return (BENCH / "script.sh").read_text()


def rows() -> dict[str, Event]:
    shell = "before-shell.json"
    return {
        "a shell command": Event(shell, COMMAND),
        "the same with `rm`": Event(shell, REMOVES),
        "an edit": Event("before-edit.json"),
        "the end of a turn": Event("stop.json"),
        "an edit, all packs on": Event("before-edit.json", project="packs"),
        "the end of a turn, all packs on": Event("stop.json", project="packs"),
        "a script of 3 KB": Event(shell, script()),
        "440 lines of `cp`": Event(shell, "".join(f"cp src/file{at}.py build/file{at}.py\n" for at in range(440))),
    }


def off_by_default() -> list[str]:
    """The policies of packs that a project can switch on."""
    found = []
    for path in sorted(POLICIES.glob("**/mod.rs")):
        text = path.read_text()
        policy = re.search(r'id: PolicyId::new\("([^"]+)"\)', text) or re.search(r'ID: PolicyId = PolicyId::new\("([^"]+)"\)', text)
        if policy and PACKS.fullmatch(policy[1]) and "mode: Mode::Off" in text:
            found.append(policy[1])
    return found


class Stage:
    """Projects in a scratch folder, and sessions in them."""

    def __init__(self, folder: Path, program: Path) -> None:
        self.folder, self.calls, self.state = folder.resolve(), 0, "state"
        self.program = self.folder / "flyball"
        shutil.copyfile(program, self.program)
        self.program.chmod(0o755)
        self.probe = self._compiled("probe")
        # The hook looks for a client among the processes that started it.
        self.caller = self.folder / "claude"
        shutil.copyfile("/bin/sh", self.caller)
        self.caller.chmod(0o755)
        (self.folder / "config").mkdir()
        (self.folder / "config" / "config.toml").write_text(f'[trust]\nprojects = ["{self.folder}"]\n')
        self._project("project", "")
        self._project("packs", "".join(f'[{policy}]\nmode = "enforce"\n' for policy in off_by_default()))

    def _compiled(self, name: str) -> Path:
        made = self.folder / name
        subprocess.run(["gcc", "-static", "-O2", "-o", str(made), str(BENCH / f"{name}.c")], check=True)
        return made

    def _project(self, name: str, more: str) -> None:
        files = {
            "flyball.toml": (BENCH / "flyball.toml").read_text() + "\n" + more,
            "pyproject.toml": '[project]\nname = "bench"\nversion = "0.1.0"\n',
            "uv.lock": "version = 1\n",
            "src/app.py": "def greet(name):\n    return 'Hello ' + name\n",
            ".git/keep": "",
        }
        for file, text in files.items():
            path = self.folder / name / file
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)

    def payload(self, event: Event) -> bytes:
        self.calls += 1
        project = self.folder / event.project
        number = 0 if self.state == "state-counted" else self.calls % SESSIONS
        filled = {
            "SESSION": f"{zlib.crc32(repr(event).encode()):x}-{number}",
            "TRANSCRIPT": self.folder / "none.jsonl",
            "PROJECT": project,
            "CALL": f"call-{self.calls}",
        }
        text = (BENCH / event.template).read_text()
        for key, value in filled.items():
            text = text.replace(f"{{{key}}}", str(value))
        sent = json.loads(text)
        if event.command:
            sent["tool_input"]["command"] = event.command
        return json.dumps(sent).encode()

    def environment(self, event: Event) -> dict[str, str]:
        named = {
            "HOME": self.folder,
            "FLYBALL_STATE_DIR": self.folder / self.state / "flyball",
            "FLYBALL_CONFIG_DIR": self.folder / "config",
            "CLAUDE_PROJECT_DIR": self.folder / event.project,
        }
        more = {key: str(value) for key, value in named.items()}
        return {"PATH": os.environ["PATH"], "LANG": "C.UTF-8", "CLAUDECODE": "1", **more}

    def run(self, event: Event, before: list[str]) -> subprocess.CompletedProcess:
        """The hook at such an event, below `before`, started by something that is called like a client."""
        hook = [*before, str(self.program), "hook", "--client", "claude-code"]
        command = [str(self.caller), "-c", '"$@"; exit $?', "claude", *hook]
        done = subprocess.run(
            command, input=self.payload(event), env=self.environment(event), capture_output=True, check=False
        )
        if done.returncode != 0:
            sys.exit(f"{event} ended with {done.returncode}:\n{done.stderr.decode()}")
        return done

    def warm(self, event: Event) -> None:
        """Each session's first events."""
        for _ in range(SESSIONS * WARM):
            self.run(event, [])

    def instructions(self, event: Event, keep: Path | None) -> int:
        """Under valgrind it is another program for the cache of the config, so it has a state of its own."""
        self.state = "state-counted"
        for _ in range(WARM):
            self._collected(event, None)
        counted = self._collected(event, keep)
        self.state = "state"
        return counted

    def _collected(self, event: Event, keep: Path | None) -> int:
        out = keep or Path(os.devnull)
        done = self.run(event, ["valgrind", "--tool=callgrind", f"--callgrind-out-file={out}"])
        found = re.search(r"Collected : (\d+)", done.stderr.decode())
        return int(found[1]) if found else 0

    def pages(self, event: Event) -> tuple[int, int]:
        """Page faults, and the peak in KiB."""
        probed = [self.run(event, [str(self.probe)]).stdout.split() for _ in range(PROBES)]
        return min(int(it[1]) for it in probed), max(int(it[0]) for it in probed)

    def system_calls(self, event: Event) -> int:
        trace = self.folder / "trace"
        self.run(event, ["strace", "-f", "-qq", "-o", str(trace)])
        return sum(bool(re.match(r"\d+ +[a-z]", line)) for line in trace.read_text(errors="replace").splitlines())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("programs", nargs="+", type=Path)
    parser.add_argument("--keep", type=Path, help="a folder for the profiles")
    parser.add_argument("--only", default="", help="only rows with this in their names")
    arguments = parser.parse_args()
    for tool in ("valgrind", "strace", "gcc"):
        if shutil.which(tool) is None:
            sys.exit(f"{tool} is needed: install it (Debian: {tool})")
    if arguments.keep:
        arguments.keep.mkdir(parents=True, exist_ok=True)
    for program in arguments.programs:
        print(f"{program}\n\n| | instructions | page faults | peak memory | system calls |\n|---|---:|---:|---:|---:|")
        with tempfile.TemporaryDirectory() as folder:
            stage = Stage(Path(folder), program)
            # A config that was just written is not cached.
            time.sleep(FRESH)
            for name, event in rows().items():
                if arguments.only not in name:
                    continue
                kept = arguments.keep and arguments.keep / re.sub(r"\W+", "-", name)
                stage.warm(event)
                instructions = stage.instructions(event, kept)
                faults, peak = stage.pages(event)
                calls = stage.system_calls(event)
                print(f"| {name} | {instructions:,} | {faults} | {peak / 1024:.1f} MiB | {calls} |", flush=True)
        print()


if __name__ == "__main__":
    main()
