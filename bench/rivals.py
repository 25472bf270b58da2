#!/usr/bin/env python3
"""What a call costs with flyball, with other guards and with hand-written hooks, in one run.

    cargo build --profile dist -p flyball
    bench/rivals.py target/*/dist/flyball --write docs/comparison.md     # without --write it only prints the table

The others are installed once, into a cache folder.

Each program is set up in a home of its own as its makers say, with defaults, and started as it registers itself, without
the shell in front. A round starts every program once with every call, in random order. T is an empty program in C, linked
statically. Shown are medians and tenth percentiles in multiples of those of T. Nothing that is judged is run.
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
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).resolve().parent
SHELL = "before-shell.json"
CALLS = {
    "shell command": (SHELL, "cd api && uv run pytest -q tests/test_parser.py 2>&1 | tail -n 40"),
    "with `rm`": (SHELL, "rm -rf build dist && uv run python -m build --wheel . 2>&1 | tee build.log"),
    "edit": ("before-edit.json", ""),
    "script of 3 KB": (SHELL, (HERE / "script.sh").read_text()),
}
# How the line above the table begins.
BEGIN = "T: median"
# Most guards have an opinion on it; to see that they work.
PROOF = (SHELL, "git push --force origin main")


@dataclass(frozen=True)
class Rival:
    name: str
    install: list[str]      # command lines for the cache folder
    set_up: str = ""        # for its home; what it registers is then started
    start: str = ""         # or this


RIVALS = [
    Rival("ptuf 0.5.0", ["cargo install --quiet --locked --root . ptuf@0.5.0"], "bin/ptuf init claude-code"),
    Rival("openmoat 0.12.1", ["cargo install --quiet --locked --root . openmoat@0.12.1"],
          "bin/openmoat init --hosts claude-code --yes"),
    Rival("nah 0.11.0", [f"{sys.executable} -m venv venv", "venv/bin/python -m pip install --quiet nah==0.11.0"],
          "venv/bin/nah install claude"),
    Rival("cc-safety-net 2.4.5", ["npm install --silent --prefix . cc-safety-net@2.4.5"],
          start="node_modules/.bin/cc-safety-net hook --claude-code"),
]


@dataclass
class Contestant:
    name: str
    words: list[str]
    home: Path

    def environment(self) -> dict[str, str]:
        return {"HOME": str(self.home), "PATH": os.environ["PATH"], "CLAUDE_PROJECT_DIR": str(Path.cwd())}


class Bench:
    def __init__(self, scratch: Path, cache: Path) -> None:
        self.scratch, self.cache = scratch, cache
        self.calls = 0

    def home(self, name: str) -> Path:
        home = self.scratch / name.replace(" ", "-")
        (home / ".claude").mkdir(parents=True)
        return home

    def contestants(self, program: Path) -> Iterator[Contestant]:
        yield Contestant("T", [str(self.trivial())], self.home("T"))
        words = [str(program), "hook", "--client", "claude-code", "--event", "PreToolUse"]
        yield Contestant("**flyball**", words, self.home("flyball"))
        for rival in RIVALS:
            try:
                yield self.rival(rival)
            except subprocess.CalledProcessError as cause:
                print(f"{rival.name} is left out: `{shlex.join(map(str, cause.cmd))}` failed, see above", file=sys.stderr)
            except OSError as cause:
                print(f"{rival.name} is left out: {cause.filename} cannot be started: {cause.strerror}", file=sys.stderr)
        for name, starter, file in (("bash and jq", "bash", "guard.sh"), ("Node", "node", "guard.mjs")):
            yield Contestant(f"a hook in {name}", [found(starter), str(HERE / file)], self.home(starter))

    def trivial(self) -> Path:
        place = self.scratch / "trivial"
        subprocess.run([found("cc"), "-static", "-O2", "-o", place, HERE / "trivial.c"], check=True)
        return place

    def rival(self, rival: Rival) -> Contestant:
        folder = self.cache / rival.name.replace(" ", "-")
        if not (folder / "ready").exists():
            print(f"installing {rival.name} into {folder}", file=sys.stderr)
            folder.mkdir(parents=True, exist_ok=True)
            for line in rival.install:
                subprocess.run(shlex.split(line), cwd=folder, check=True, stdout=sys.stderr)
            (folder / "ready").touch()
        home = self.home(rival.name)
        contestant = Contestant(rival.name, [], home)
        if rival.set_up:
            words = in_folder(folder, rival.set_up)
            subprocess.run(words, env=contestant.environment(), check=True, stdin=subprocess.DEVNULL,
                           stdout=subprocess.DEVNULL)
            contestant.words = registered(home / ".claude/settings.json")
        else:
            contestant.words = in_folder(folder, rival.start)
        return contestant

    def payload(self, call: tuple[str, str]) -> Path:
        """What the client sends; no two calls have the same id."""
        self.calls += 1
        template, command = call
        values = {"SESSION": "3c1d9a52-0000-4000-8000-000000000001", "PROJECT": str(Path.cwd()), "COMMAND": command,
                  "TRANSCRIPT": str(self.scratch / "transcript.jsonl"), "CALL": f"toolu_{self.calls}"}
        text = (HERE / template).read_text()
        for name, value in values.items():
            text = text.replace("{" + name + "}", json.dumps(value)[1:-1])
        json.loads(text)
        place = self.scratch / "payload.json"
        place.write_text(text)
        return place

    def time(self, contestant: Contestant, call: tuple[str, str]) -> float:
        """Milliseconds until it has ended."""
        payload = str(self.payload(call))
        actions = [(os.POSIX_SPAWN_OPEN, 0, payload, os.O_RDONLY, 0)]
        actions += [(os.POSIX_SPAWN_OPEN, number, os.devnull, os.O_WRONLY, 0) for number in (1, 2)]
        words, environment = contestant.words, contestant.environment()
        begun = time.perf_counter_ns()
        child = os.posix_spawn(words[0], words, environment, file_actions=actions)
        os.waitpid(child, 0)
        return (time.perf_counter_ns() - begun) / 1e6

    def answer(self, contestant: Contestant) -> str:
        """What it says about something that most guards have an opinion on."""
        with self.payload(PROOF).open() as payload:
            done = subprocess.run(contestant.words, env=contestant.environment(), stdin=payload, capture_output=True,
                                  text=True, check=False)
        if done.returncode == 2:
            return "deny"
        if done.returncode != 0:
            sys.exit(f"error: {contestant.name} ended with {done.returncode}: {done.stderr.strip()}\n"
                     f"  fix: see whether `{shlex.join(contestant.words)}` is still how it is started")
        if not done.stdout.strip():
            return "nothing"
        return json.loads(done.stdout).get("hookSpecificOutput", {}).get("permissionDecision", "nothing")


def found(name: str) -> str:
    return shutil.which(name) or sys.exit(f"error: {name} is not on the search path\n  fix: install it")


def in_folder(folder: Path, line: str) -> list[str]:
    first, *rest = shlex.split(line)
    return [str(folder / first), *rest]


def registered(settings: Path) -> list[str]:
    """The command that a program has registered for shell commands."""
    for entry in json.loads(settings.read_text())["hooks"]["PreToolUse"]:
        if not {"Bash", "*", ""}.isdisjoint(entry.get("matcher", "").split("|")):
            return shlex.split(entry["hooks"][0]["command"])
    sys.exit(f"error: {settings} has no hook for Bash\n  fix: see how that program registers itself now")


def p10(times: list[float]) -> float:
    return sorted(times)[len(times) // 10]


def project(folder: Path) -> None:
    folder.mkdir()
    shutil.copy(HERE / "flyball.toml", folder)
    for line in ("git init --quiet", "git add .", "git -c user.name=b -c user.email=b@example.org commit --quiet -m x"):
        subprocess.run(shlex.split(line), cwd=folder, check=True)
    os.chdir(folder)


def measure(bench: Bench, contestants: list[Contestant], rounds: int) -> dict[tuple[str, str], list[float]]:
    pairs = [(contestant, call) for contestant in contestants for call in CALLS]
    times: dict[tuple[str, str], list[float]] = {(contestant.name, call): [] for contestant, call in pairs}
    for contestant, call in pairs:
        bench.time(contestant, CALLS[call])     # what a first run writes is not measured
    for number in range(rounds):
        if sys.stderr.isatty():
            print(f"\rround {number + 1} of {rounds} ", end="", file=sys.stderr)
        for contestant, call in random.sample(pairs, len(pairs)):
            times[contestant.name, call].append(bench.time(contestant, CALLS[call]))
    return times


def table(bench: Bench, contestants: list[Contestant], times: dict[tuple[str, str], list[float]]) -> str:
    # T does the same whatever it gets.
    base = [one for call in CALLS for one in times["T", call]]
    lines = [f"{BEGIN} {statistics.median(base):.2f} ms, p10 {p10(base):.2f} ms; {len(base) // len(CALLS)} rounds.", "",
             f"| × T: median (p10) | {' | '.join(CALLS)} | at `{PROOF[1]}` |", f"|---|{'---:|' * len(CALLS)}---|"]
    for contestant in contestants[1:]:
        cells = []
        for call in CALLS:
            taken = times[contestant.name, call]
            cells.append(f"{statistics.median(taken) / statistics.median(base):.2f} ({p10(taken) / p10(base):.2f})")
        lines.append(f"| {contestant.name} | {' | '.join(cells)} | {bench.answer(contestant)} |")
    return "\n".join(lines) + "\n"


def write(page: Path, text: str) -> None:
    """Puts the table where the last one is."""
    before, begin, rest = page.read_text().partition(BEGIN)
    if not begin:
        sys.exit(f"error: {page} has no line that begins with `{BEGIN}`\n  fix: write one where the table is to stand")
    # A line of figures, an empty one, and a table, which ends with an empty line.
    after = rest.split("\n\n", 2)[2:]
    page.write_text(before + text + "".join(f"\n{part}" for part in after))


def main() -> None:
    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache", "flyball", "rivals")
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", type=Path, help="the flyball to measure")
    parser.add_argument("--rounds", type=int, default=60)
    parser.add_argument("--cache", type=Path, default=cache, help="where the others are installed (%(default)s)")
    parser.add_argument("--write", type=Path, metavar="FILE", help="replace the table in this file")
    options = parser.parse_args()
    program, here = options.program.resolve(strict=True), Path.cwd()
    with tempfile.TemporaryDirectory() as folder:
        scratch = Path(folder).resolve()
        bench = Bench(scratch, options.cache.resolve())
        project(scratch / "project")
        contestants = list(bench.contestants(program))
        text = table(bench, contestants, measure(bench, contestants, options.rounds))
        os.chdir(here)
        print(text)
        if options.write:
            write(options.write, text)


if __name__ == "__main__":
    main()
