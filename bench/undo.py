#!/usr/bin/env python3
"""What copies for `flyball undo` cost before a call: the time of `flyball hook`, with undo on and off.

    cargo build --release -p flyball
    bench/undo.py target/*/release/flyball [--files 20 20000] [--rounds 40]

Both settings take turns, and the p10 is shown: what it costs when nothing gets in the way. `git status` in the same tree
is there to compare with.
"""

from __future__ import annotations

import argparse
import itertools
import json
import os
import shutil
import subprocess
import tempfile
import time
from pathlib import Path

CALLS = {
    "reads only (`ls`)": ("Bash", {"command": "ls"}),
    "`git status`": ("Bash", {"command": "git status"}),
    "a build, nothing changed since": ("Bash", {"command": "cargo build"}),
    "a build, one file changed": ("Bash", {"command": "cargo build"}),
    "an edit": ("Edit", {"file_path": "{root}/d0/f0.py", "old_string": "1", "new_string": "2"}),
}
CHANGES = "a build, one file changed"
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


def hook(program: Path, home: Path, root: Path, call: str) -> float:
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
    begun = time.perf_counter()
    ran = subprocess.run(words, cwd=root, env=environment, input=json.dumps(payload).encode(), capture_output=True)
    took = time.perf_counter() - begun
    assert ran.returncode == 0, ran.stderr
    return took * 1000


def p10(times: list[float]) -> float:
    return sorted(times)[len(times) // 10]


def measure(program: Path, files: int, rounds: int) -> None:
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder).resolve() / "project"
        repository(root, files)
        homes = {mode: Path(folder).resolve() / mode for mode in ("off", "enforce")}
        for mode, home in homes.items():
            config = home / ".config/flyball/config.toml"
            config.parent.mkdir(parents=True)
            config.write_text(f'[undo]\nmode = "{mode}"\n')
            first = [hook(program, home, root, "a build, nothing changed since") for _ in range(2)]
            if mode == "enforce":
                print(f"{files} files: the first snapshot {first[0]:.1f} ms")
        print(f"| {files} files | off | on |\n|---|---:|---:|")
        for call in CALLS:
            times: dict[str, list[float]] = {mode: [] for mode in homes}
            for number in range(rounds):
                if call == CHANGES:
                    (root / "d0/f1.py").write_text(f"value = {number}\n")
                for mode, home in homes.items():
                    times[mode].append(hook(program, home, root, call))
            print(f"| {call} | {p10(times['off']):.2f} ms | {p10(times['enforce']):.2f} ms |")
        status = []
        for _ in range(rounds):
            begun = time.perf_counter()
            git(root, "status", "--porcelain")
            status.append((time.perf_counter() - begun) * 1000)
        print(f"| `git status` by itself | {p10(status):.2f} ms | |\n")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("program", type=Path)
    parser.add_argument("--files", type=int, nargs="+", default=[20, 20_000])
    parser.add_argument("--rounds", type=int, default=40)
    options = parser.parse_args()
    if not shutil.which("git"):
        parser.error("git is needed")
    for files in options.files:
        measure(options.program.resolve(), files, options.rounds)


if __name__ == "__main__":
    main()
