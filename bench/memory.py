#!/usr/bin/env python3
"""What rules cost at an edit: the instructions of `flyball hook`, counted by callgrind.

    cargo build --release -p flyball
    bench/memory.py target/*/release/flyball [OTHER …]

Instructions are the same on every machine and however busy it is; a build with `CARGO_PROFILE_RELEASE_STRIP=false` and
`--keep FOLDER` leaves what `callgrind_annotate` reads.
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
from pathlib import Path

BENCH = Path(__file__).resolve().parent
ON = '[memory.context]\nmode = "enforce"\n'
FILE = "src/shop/orders/api/views.py"
RULES = """\
Never build SQL by string concatenation; parameters are passed to `execute`.
Amounts are `Decimal`, never `float`, and carry their currency.
Every view checks `request.user.has_perm` before it reads anything.
Use `logger.info` with named fields; `print` is not allowed.
Dates are stored in UTC; convert with `to_local` only where they are shown.
Do not catch `Exception` without raising it again.
Public functions have type hints and a docstring.
Never edit files in `gen/`; run `make gen` instead.
Tests use the factories in `tests/factories.py`, not fixtures.
Requests to other services go through `clients/http.py`, which sets timeouts.
A migration is never changed after a release; write a new one.
Settings are read in `settings.py` only, never with `os.environ`.
Tasks of the queue take ids and can run twice.
Text that a user sees is translated with `gettext`.
Prefer `pathlib` to `os.path`.
Secrets come from the vault and are never logged.
Lists that an endpoint returns are paged, 50 at most.
Components in `web/` are functions, one for each file.
Colours and spacing come from `theme.css`.
Run `make check` before you commit.
"""
EDITS = [
    ("    total = 0\n    return total", "    total = sum(line.price for line in order.lines)\n    return round(total, 2)"),
    ("def index(request):\n    return render(request)", "def index(request):\n    print(request.user)\n    return render(request)"),
    ("    now = None", "    now = datetime.now()"),
]


def node(number: int, count: int) -> str:
    lines = RULES.splitlines()
    chosen = [lines[(number * 3 + place) % len(lines)] for place in range(count)]
    items = "\n".join(f"- {line}" for line in chosen)
    return f"# Part {number}\n\nA part of the shop.\n\n## Conventions\n\n{items}\n"


def twenty(name: str) -> dict[str, str]:
    return {name: node(0, 20)}


def two_hundred() -> dict[str, str]:
    """The file is covered by five nodes; the others are in other folders."""
    folders = ["", "src/", "src/shop/", "src/shop/orders/", "src/shop/orders/api/"]
    folders += [f"src/part{number % 14}/inner{number}/" for number in range(195)]
    return {f"{folder}AGENTS.md": node(number, 6) for number, folder in enumerate(folders)}


CASES = {
    "memory off": ("", {}),
    "memory on, no rules": (ON, {}),
    "20 rules in AGENTS.md": (ON, twenty("AGENTS.md")),
    "20 rules in CLAUDE.md, which the client loads": (ON, twenty("CLAUDE.md")),
    "200 nodes of 6 rules, 5 of them above the file": (ON, two_hundred()),
}


class Stage:
    """A project in a scratch folder, and a session in it."""

    def __init__(self, folder: Path, program: Path) -> None:
        self.folder, self.program, self.calls = folder.resolve(), program, 0
        self.project = self.folder / "project"

    def fill(self, config: str, files: dict[str, str]) -> None:
        (self.project / ".git").mkdir(parents=True)
        (self.folder / "config").mkdir()
        (self.folder / "config" / "config.toml").write_text(f'[trust]\nprojects = ["{self.folder}"]\n')
        for name, text in {"flyball.toml": config, FILE: "".join(old for old, _ in EDITS), **files}.items():
            path = self.project / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)

    def event(self, name: str) -> dict:
        self.calls += 1
        text = (BENCH / name).read_text()
        filled = {"SESSION": "memory", "TRANSCRIPT": f"{self.folder}/transcript.jsonl", "PROJECT": str(self.project)}
        for key, value in {**filled, "CALL": f"call-{self.calls}"}.items():
            text = text.replace(f"{{{key}}}", value)
        return json.loads(text)

    def edit(self, number: int) -> dict:
        event = self.event("before-edit.json")
        old, new = EDITS[number % len(EDITS)]
        event["tool_input"] = {"file_path": f"{self.project}/{FILE}", "old_string": old, "new_string": new}
        return event

    def environment(self) -> dict[str, str]:
        named = {"HOME": self.folder, "FLYBALL_STATE_DIR": self.folder / "state", "FLYBALL_CONFIG_DIR": self.folder / "config"}
        return {"PATH": os.environ["PATH"], **{key: str(value) for key, value in named.items()}}

    def run(self, event: dict, keep: Path | None) -> tuple[int, str]:
        command = [str(self.program), "hook", "--client", "claude-code"]
        return instructions(command, json.dumps(event), self.environment(), keep)


def instructions(
    command: list[str], given: str, environment: dict[str, str], keep: Path | None
) -> tuple[int, str]:
    """How many instructions a process executes, and what it prints."""
    out = keep or Path(os.devnull)
    valgrind = ["valgrind", "--tool=callgrind", f"--callgrind-out-file={out}", *command]
    done = subprocess.run(valgrind, input=given, env=environment, capture_output=True, text=True, check=False)
    found = re.search(r"Collected : (\d+)", done.stderr)
    if done.returncode != 0 or found is None:
        sys.exit(f"{command[0]} ended with {done.returncode}:\n{done.stderr}")
    return int(found[1]), done.stdout


def measure(program: Path, case: str, keep: Path | None) -> tuple[int, int]:
    """The instructions of the first edit of a session, and of later ones on average."""
    with tempfile.TemporaryDirectory() as folder:
        stage = Stage(Path(folder), program)
        stage.fill(*CASES[case])
        # The first event of all compiles the config and looks for protected files.
        stage.run(stage.event("before-shell.json"), None)
        counts, shown = [], ""
        for number in range(1 + len(EDITS)):
            name = re.sub(r"\W+", "-", case)
            count, answer = stage.run(stage.edit(number), keep and keep / f"{name}.{number}")
            counts.append(count)
            shown += answer
        if ("Conventions" in "".join(CASES[case][1].values())) != ("project's rules" in shown):
            sys.exit(f"{case}: not what was to be measured: {shown}")
        return counts[0], sum(counts[1:]) // len(EDITS)


def yardstick() -> int:
    with tempfile.TemporaryDirectory() as folder:
        program = Path(folder) / "trivial"
        subprocess.run(["gcc", "-static", "-O2", "-o", str(program), str(BENCH / "trivial.c")], check=True)
        return instructions([str(program)], "", {}, None)[0]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("programs", nargs="+", type=Path)
    parser.add_argument("--keep", type=Path, help="a folder for the profiles")
    arguments = parser.parse_args()
    if shutil.which("valgrind") is None:
        sys.exit("valgrind is needed: install it (Debian: valgrind)")
    if arguments.keep:
        arguments.keep.mkdir(parents=True, exist_ok=True)
    print(f"T: {yardstick():,} instructions\n")
    for program in arguments.programs:
        print(f"{program}\n\n| | first edit | later edits |\n|---|---:|---:|")
        for case in CASES:
            first, later = measure(program.resolve(), case, arguments.keep)
            print(f"| {case} | {first:,} | {later:,} |")
        print()


if __name__ == "__main__":
    main()
