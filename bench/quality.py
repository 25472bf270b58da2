#!/usr/bin/env python3
"""What linting after an edit costs, compared with the same tools run in other ways.

    cargo build --profile dist
    export FLYBALL_LINTERS_DIR=$(scripts/tools linters)
    bench/quality.py [--program FLYBALL] [--rounds N] [--files N] [--small N]

Each round runs every contestant once, in an order that is shuffled anew, on content that no one has
seen before; only ratios within one run mean something.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import shlex
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
# A linter acts only where the project chose it: by these files.
CHOICES = {
    "pyproject.toml": '[project]\nname = "bench"\nversion = "1"\n\n[tool.ruff]\nline-length = 100\n\n'
                      "[tool.ruff.format]\n\n[tool.ty]\n\n[tool.vulture]\nmin_confidence = 80\n\n[tool.bandit]\n",
    ".shellcheckrc": "",
    ".yamllint": "extends: default\n",
    "taplo.toml": "",
    ".markdownlint-cli2.yaml": "config:\n  default: true\n",
    "biome.json": '{\n  "root": true\n}\n',
    "Makefile": "fmt:\n\tshfmt -l .\n",
}
BLOCK = '''

def total_{n}(prices: list[float], rate: float = 0.2) -> float:
    """Return the sum of all prices with tax."""
    result = 0.0
    for price in prices:
        result += price*(1+rate)
    return round(result,2)
'''


def python_file(seed: int, blocks: int = 12) -> str:
    head = f'"""Module {seed}."""\n\nimport asyncio\n\n\nasync def main_{seed}() -> None:\n' \
           f'    """Wait."""\n    await asyncio.sleep(0)\n'
    return head + "".join(BLOCK.format(n=f"{seed}_{n}") for n in range(blocks))


# The commands of crates/flyball-programs/programs/python.toml, as anyone would type them.
FORMATTERS = ["ruff format --quiet -- {file}"]
CHECKS = [
    "ruff check --output-format=json -- {files}",
    "ty check --output-format gitlab -- {files}",
    "vulture --min-confidence 80 -- {files}",
    "bandit -f json -q -- {files}",
]
# What a hook in bash does with the same tools: one process per linter, another to read it.
BASH = """
set -u
f=$1
ruff format --quiet "$f"
ruff check --output-format=json "$f" | python3 -c 'import json,sys; json.load(sys.stdin)'
ty check --output-format gitlab "$f" | python3 -c 'import json,sys; json.load(sys.stdin)'
vulture --min-confidence 80 "$f" | sed -E 's/:/ /g'
bandit -f json -q "$f" | python3 -c 'import json,sys; json.load(sys.stdin)'
"""


class Bench:
    def __init__(self, program: Path, linters: Path, root: Path) -> None:
        self.program, self.root = program, root
        self.project = root / "project"
        self.project.mkdir()
        self.env = {**os.environ, "HOME": str(root / "home"), "FLYBALL_STATE_DIR": str(root / "state"),
                    "FLYBALL_CONFIG_DIR": str(root / "config"),
                    "PATH": f"{linters / 'bin'}:{os.environ['PATH']}"}
        (root / "home").mkdir()
        for name, text in CHOICES.items():
            (self.project / name).write_text(text)
        self.quiet(["git", "init", "-q"])
        self.quiet(["git", "add", "-A"])
        self.quiet(["git", "-c", "user.name=bench", "-c", "user.email=bench@localhost", "commit", "-qm", "x"])

    def quiet(self, command: list[str], text: str = "") -> subprocess.CompletedProcess[str]:
        return subprocess.run(command, cwd=self.project, env=self.env, input=text, text=True,
                              capture_output=True, check=False)

    def timed(self, run: Callable[[], None]) -> float:
        started = time.perf_counter()
        run()
        return time.perf_counter() - started

    def hook(self, name: str, session: str) -> subprocess.CompletedProcess[str]:
        path = str(self.project / name)
        event = {"session_id": session, "hook_event_name": "PostToolUse", "cwd": str(self.project),
                 "transcript_path": "", "permission_mode": "default", "tool_name": "Write",
                 "tool_use_id": f"t{time.monotonic_ns()}",
                 "tool_input": {"file_path": path, "content": ""},
                 "tool_response": {"type": "create", "filePath": path}}
        env = {"CLAUDE_PROJECT_DIR": str(self.project)}
        return subprocess.run([self.program, "hook", "--client", "claude-code", "--event", "PostToolUse"],
                              cwd=self.project, env={**self.env, **env}, input=json.dumps(event),
                              text=True, capture_output=True, check=False)

    def sequence(self, name: str, checks: list[str]) -> None:
        for command in [*FORMATTERS, *checks]:
            self.quiet(shlex.split(command.format(file=name, files=name)))

    def one_edit(self, rounds: int) -> dict[str, list[float]]:
        times: dict[str, list[float]] = {}
        contestants: dict[str, Callable[[str], object]] = {
            "flyball": lambda name: self.hook(name, "bench"),
            "one after the other": lambda name: self.sequence(name, CHECKS),
            "a hook in bash": lambda name: self.quiet(["bash", "-c", BASH, "bash", name]),
        }
        answer = self.fresh("look.py", 999)
        result = self.hook(answer, "look")
        if result.returncode or "bench" in result.stderr:
            sys.exit(f"the hook failed: {result.stderr}{result.stdout}")
        for number in range(rounds):
            order = list(contestants)
            random.shuffle(order)
            for place, who in enumerate(order):
                name = self.fresh(f"edit_{number}_{place}.py", number * 10 + place)
                times.setdefault(who, []).append(self.timed(lambda: contestants[who](name)))
                if who == "flyball":
                    again = self.timed(lambda: self.hook(name, "bench"))
                    times.setdefault("flyball, unchanged file", []).append(again)
                (self.project / name).unlink()
            progress(number + 1, rounds, "one edit")
        return times

    def fresh(self, name: str, seed: int) -> str:
        (self.project / name).write_text(python_file(seed))
        return name

    def many(self, count: int) -> dict[str, list[float]]:
        """`flyball lint` on a mixed project, against each tool over all its files, one after the other."""
        folder = self.project / "many"
        groups = {group: [] for group in MIX}
        for number in range(count):
            group = list(MIX)[number % len(MIX)]
            name = f"many/{number % 20}/file_{number}{MIX[group][0]}"
            path = self.project / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(MIX[group][1](number))
            groups[group].append(name)
        times: dict[str, list[float]] = {}

        def each_tool() -> None:
            for group, (_, _, commands) in MIX.items():
                for command in commands:
                    self.quiet([word for part in shlex.split(command)
                                for word in (groups[group] if part == "{files}" else [part])])

        def split(limit: int = 2) -> None:
            for group, (_, _, commands) in MIX.items():
                for command in commands:
                    size = max(1, (len(groups[group]) + limit - 1) // limit)
                    text = "\0".join(groups[group])
                    words = shlex.split(command.replace("{files}", ""))
                    self.quiet(["xargs", "-0", "-n", str(size), "-P", str(limit), *words], text)

        lint = [str(self.program), "lint", "--format", "json", "many"]
        times["flyball lint"] = [self.timed(lambda: self.quiet(lint))]
        times["flyball lint, again"] = [self.timed(lambda: self.quiet(lint))]
        times["each tool over all files"] = [self.timed(each_tool)]
        times["the same, files split over the cores"] = [self.timed(split)]
        shutil.rmtree(folder)
        return times

    def small(self, count: int, rounds: int) -> dict[str, list[float]]:
        """`flyball lint` on very many small files that nobody has changed, against ruff by hand."""
        for number in range(count):
            path = self.project / f"small/{number % 300}/file_{number}{SMALL[number // 300 % len(SMALL)]}"
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(small_file(number, path.suffix))
        self.quiet(["git", "add", "-A"])
        self.quiet(["git", "-c", "user.name=bench", "-c", "user.email=bench@localhost", "commit", "-qm", "x"])
        ruff = ["--linter", "ruff", "--linter", "ruff-format"]
        lint = [str(self.program), "lint", "--format", "json", *ruff, "small"]

        def by_hand(*extra: str) -> None:
            self.quiet(["ruff", "check", "--output-format=json", *extra, "small"])
            self.quiet(["ruff", "format", "--check", *extra, "small"])

        contestants: dict[str, Callable[[], object]] = {
            "ruff check and ruff format by hand": lambda: by_hand("--no-cache"),
            "the same again, with ruff's cache": by_hand,
            "flyball lint --scope file, nothing cached": lambda: self.quiet([*lint, "--scope", "file", "--no-cache"]),
            "flyball lint --scope file, again": lambda: self.quiet([*lint, "--scope", "file"]),
            "flyball lint, nothing cached": lambda: self.quiet([*lint, "--no-cache"]),
            "flyball lint, again": lambda: self.quiet(lint),
        }
        times: dict[str, list[float]] = {}
        for number in range(rounds + 1):
            for who, run in contestants.items():
                # ruff has a cache of its own, which a first run must not find.
                if "nothing cached" in who:
                    shutil.rmtree(self.project / ".ruff_cache", ignore_errors=True)
                took = self.timed(run)
                # The first round fills the caches.
                if number:
                    times.setdefault(who, []).append(took)
            progress(number, rounds, "small files")
        return times


# Half of them are for ruff; the others are only looked at.
SMALL = (".py", ".py", ".py", ".js", ".json", ".sh")


def small_file(number: int, suffix: str) -> str:
    return {
        ".py": f'"""Module {number}."""\n\n\ndef total_{number}(prices: list[float]) -> float:\n'
               f'    """Return the sum."""\n    return sum(prices) + {number}\n',
        ".js": f"export const value{number} = {number};\n",
        ".json": json.dumps({"n": number}) + "\n",
        ".sh": f'#!/bin/sh\nname="a{number}"\necho "$name"\n',
    }[suffix]


def yaml_file(n: int) -> str:
    return f"---\nname: thing-{n}\nitems:\n  - one\n  - two: {n}\n"


MIX: dict[str, tuple[str, Callable[[int], str], list[str]]] = {
    "python": (".py", lambda n: python_file(n, 3), [
        "ruff format --check -- {files}", *CHECKS]),
    "shell": (".sh", lambda n: f'#!/bin/sh\nname="a{n}"\necho "$name"\n',
              ["shfmt -l -i 2 -ci -bn {files}", "shellcheck -f json1 {files}"]),
    "yaml": (".yaml", yaml_file, ["yamllint -f parsable -- {files}"]),
    "json": (".json", lambda n: json.dumps({"n": n, "list": [1, 2, 3]}, indent=2) + "\n",
             ["python3 -c 'import json,sys; [json.load(open(f)) for f in sys.argv[1:]]' {files}"]),
    "toml": (".toml", lambda n: f'[package]\nname = "p{n}"\nversion = "1.0"\n',
             ["taplo fmt --check {files}", "taplo check {files}"]),
    "markdown": (".md", lambda n: f"# Title {n}\n\nSome text.\n", ["markdownlint-cli2 --no-globs {files}"]),
    "typescript": (".ts", lambda n: f"export const value{n} = {n};\n",
                   ["biome format {files}", "biome lint --reporter=json {files}"]),
}


def progress(done: int, every: int, what: str) -> None:
    if sys.stderr.isatty():
        print(f"\r{what} {done}/{every}", end="\n" if done == every else "", file=sys.stderr)


def table(times: dict[str, list[float]], base: str) -> Iterator[str]:
    unit = statistics.median(times[base])
    yield f"| | median | × {base} |"
    yield "|---|---:|---:|"
    for who, values in times.items():
        middle = statistics.median(values)
        yield f"| {who} | {middle * 1000:.1f} ms | {middle / unit:.2f} |"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    built = sorted(ROOT.glob("target/*/dist/flyball"))
    parser.add_argument("--program", type=Path, default=built[0] if built else None)
    parser.add_argument("--rounds", type=int, default=10)
    parser.add_argument("--files", type=int, default=1000)
    parser.add_argument("--small", type=int, default=60_000)
    given = parser.parse_args()
    linters = os.environ.get("FLYBALL_LINTERS_DIR")
    if not linters or not given.program:
        print("needs a build and FLYBALL_LINTERS_DIR, see the head of this file", file=sys.stderr)
        return 2
    with tempfile.TemporaryDirectory(prefix="flyball-bench-") as folder:
        bench = Bench(given.program.resolve(), Path(linters), Path(folder))
        print("one Python edit, all linters\n")
        print("\n".join(table(bench.one_edit(given.rounds), "one after the other")))
        print(f"\n{given.files} mixed files\n")
        print("\n".join(table(bench.many(given.files), "each tool over all files")))
        if given.small:
            print(f"\n{given.small} small files\n")
            times = bench.small(given.small, min(given.rounds, 3))
            print("\n".join(table(times, "ruff check and ruff format by hand")))
    return 0


if __name__ == "__main__":
    sys.exit(main())
