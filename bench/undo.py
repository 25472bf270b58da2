#!/usr/bin/env python3
"""What copies for `flyball undo` cost before a call: the time of `flyball hook`, with undo on and off.

    cargo build --release -p flyball
    bench/undo.py target/*/release/flyball [OTHER_BUILD ...] [--files 20 20000] [--rounds 40]

Both settings, and all builds, take turns. Shown is what undo adds: to the time until the hook has ended (p10: what it costs
when nothing gets in the way), and to the processor time of the hook and all that it starts, which a busy machine changes
less. `git status` in the same tree is there to compare with.
"""

from __future__ import annotations

import argparse
import itertools
import json
import os
import resource
import shutil
import subprocess
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

CALLS = {
    "reads only (`ls`)": ("Bash", {"command": "ls"}),
    "`git status`": ("Bash", {"command": "git status"}),
    "a build, nothing changed since": ("Bash", {"command": "cargo build"}),
    "a build, one file changed": ("Bash", {"command": "cargo build"}),
    "a build, one file replaced": ("Bash", {"command": "cargo build"}),
    "a build, one new file": ("Bash", {"command": "cargo build"}),
    "an edit": ("Edit", {"file_path": "{root}/d0/f0.py", "old_string": "1", "new_string": "2"}),
}
TICK = 0.05
NUMBERS = itertools.count()


def repository(root: Path, files: int) -> None:
    for number in range(files):
        file = root / f"d{number // 50}" / f"f{number}.py"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(f"value = {number}\n" * 40)
    git(root, "init", "--quiet")
    git(root, "add", ".")
    git(root, "-c", "user.name=b", "-c", "user.email=b@example.org", "commit", "--quiet", "-m", "first")


def git(root: Path, *words: str) -> None:
    subprocess.run(["git", *words], cwd=root, check=True, stdout=subprocess.DEVNULL)


class Took(NamedTuple):
    """The time of a process, in milliseconds."""

    until_end: float
    processor: float


def processor() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def change(root: Path, call: str, number: int) -> None:
    """Does what a call is to find."""
    match call:
        case "a build, one file changed":
            (root / "d0/f1.py").write_text(f"value = {number}\n")
        case "a build, one file replaced":
            (root / "d0/new").write_text(f"value = {number}\n")
            (root / "d0/new").rename(root / "d0/f1.py")
        case "a build, one new file":
            (root / f"d0/new{number}.py").write_text(f"value = {number}\n")
        case _:
            return
    # What has just been written may be written again in the same tick of the clock: it is looked at twice.
    time.sleep(TICK)


def hook(program: Path, home: Path, root: Path, call: str) -> Took:
    tool, given = CALLS[call]
    given = {key: value.replace("{root}", str(root)) for key, value in given.items()}
    payload = {
        "session_id": "00000000-0000-4000-8000-000000000001",
        "transcript_path": str(home / "transcript.jsonl"),
        "cwd": str(root),
        "hook_event_name": "PreToolUse",
        "permission_mode": "default",
        "tool_name": tool,
        "tool_input": given,
        "tool_use_id": f"toolu_{next(NUMBERS)}",
    }
    environment = {"HOME": str(home), "PATH": os.environ["PATH"], "CLAUDECODE": "1", "CLAUDE_PROJECT_DIR": str(root)}
    words = [program, "hook", "--client", "claude-code", "--event", "PreToolUse"]
    begun, used = time.perf_counter(), processor()
    ran = subprocess.run(words, cwd=root, env=environment, input=json.dumps(payload).encode(), capture_output=True)
    took = Took((time.perf_counter() - begun) * 1000, (processor() - used) * 1000)
    assert ran.returncode == 0, ran.stderr
    return took


def p10(times: tuple[float, ...]) -> float:
    return sorted(times)[len(times) // 10]


def measure(programs: list[Path], files: int, rounds: int) -> None:
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder).resolve() / "project"
        repository(root, files)
        homes = {}
        for place, program in enumerate(programs):
            for mode in ("off", "enforce"):
                home = homes[program, mode] = Path(folder).resolve() / f"{mode}{place}"
                config = home / ".config/flyball/config.toml"
                config.parent.mkdir(parents=True)
                config.write_text(f'[undo]\nmode = "{mode}"\n')
                first = hook(program, home, root, "a build, nothing changed since")
                if mode == "enforce":
                    print(f"{files} files, {program}: the first snapshot {first.until_end:.1f} ms")
        print(f"| {files} files | build | off | undo adds | of the processor |\n|---|---|---:|---:|---:|")
        for call in CALLS:
            times: dict[tuple[Path, str], list[Took]] = {key: [] for key in homes}
            time.sleep(TICK)
            for (program, _), home in homes.items():
                hook(program, home, root, call)
            for number in range(rounds):
                change(root, call, number)
                for (program, mode), home in homes.items():
                    times[program, mode].append(hook(program, home, root, call))
            for program in programs:
                off, on = (Took(*map(p10, zip(*times[program, mode]))) for mode in ("off", "enforce"))
                adds = f"{on.until_end - off.until_end:.1f} ms | {on.processor - off.processor:.1f} ms"
                print(f"| {call} | {program.name} | {off.until_end:.1f} ms | {adds} |", flush=True)
        status = []
        for _ in range(rounds):
            begun, used = time.perf_counter(), processor()
            git(root, "status", "--porcelain")
            status.append(Took((time.perf_counter() - begun) * 1000, (processor() - used) * 1000))
        took = Took(*map(p10, zip(*status)))
        print(f"| `git status` by itself | | | {took.until_end:.1f} ms | {took.processor:.1f} ms |\n")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("programs", type=Path, nargs="+")
    parser.add_argument("--files", type=int, nargs="+", default=[20, 20_000])
    parser.add_argument("--rounds", type=int, default=40)
    options = parser.parse_args()
    if not shutil.which("git"):
        parser.error("git is needed")
    for files in options.files:
        measure([program.resolve() for program in options.programs], files, options.rounds)


if __name__ == "__main__":
    main()
