#!/usr/bin/env python3
"""Puts the functions that a hook runs side by side in the program.

A hook is a new process for every event, and what costs is not what it computes but the pages of code that
it touches for the first time. In the order of the linker these functions lie scattered over 25 MB.

  hot_order.py train PROGRAM   run PROGRAM with recorded events under callgrind, and write the order
  hot_order.py check PROGRAM   say how much of the order PROGRAM knows; ends with 1 if it is stale
  hot_order.py link ARGUMENT…  link with cc, in that order (`scripts/cc` calls it)

The order has names as people read them, without the hashes of a compiler, so that it outlives a new compiler, a
new version of a library and most changes of the code. A name that is gone is passed over: a stale order makes a
slower program, never a broken build.
"""

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import zlib
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
ORDER = ROOT / "scripts" / "hot-functions.txt"
FIXTURES = ROOT / "crates" / "flyball-clients" / "fixtures"
BENCH = ROOT / "bench"
# The folder that the recorded events are about.
RECORDED_PROJECT = "/home/dev/project"
# Of longer names, the rest is a checksum.
LONGEST_NAME = 80
# Below this share of known names the order is stale.
KNOWN_SHARE = 0.8

# What agents run all day, one of a kind.
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
]


def main(arguments):
    match arguments:
        case ["train", program]:
            return train(Path(program).resolve())
        case ["check", program]:
            return check(program)
        case ["link", *rest]:
            return link(rest)
    print(__doc__, file=sys.stderr)
    return 2


def link(arguments):
    """Links twice: the first program tells what the functions are called in this build."""
    output = arguments[arguments.index("-o") + 1]
    with tempfile.TemporaryDirectory() as folder:
        order = write_order(arguments, output, Path(folder) / "order")
        if order is None:
            return subprocess.run(["cc", *arguments]).returncode
        ordered = [f"-Wl,--symbol-ordering-file={order}", "-Wl,--no-warn-symbol-ordering"]
        done = subprocess.run(["cc", *arguments, *ordered], capture_output=True)
    if done.returncode != 0:
        # A linker that cannot order: GNU's, for example.
        return subprocess.run(["cc", *arguments]).returncode
    sys.stderr.buffer.write(done.stderr)
    return 0


def write_order(arguments, output, path):
    """The order in the names of this build; None if there is none to be had."""
    with_names = [argument for argument in arguments if argument not in ("-Wl,--strip-all", "-Wl,--strip-debug")]
    try:
        if subprocess.run(["cc", *with_names], capture_output=True).returncode != 0:
            return None
        by_name = functions(output)
    except (OSError, subprocess.CalledProcessError):
        return None
    symbols = [symbol for name in hot_names() for symbol in by_name.get(name, [])]
    path.write_text("\n".join(symbols) + "\n")
    return path


def check(program):
    names = hot_names()
    known = functions(program)
    missing = [name for name in names if name not in known]
    share = 1 - len(missing) / len(names)
    print(f"{share:.0%} of {len(names)} functions in {ORDER.relative_to(ROOT)} are known to {program}")
    if share >= KNOWN_SHARE:
        return 0
    print("the order is stale, so hooks are slower than they could be; write it anew with the release build:")
    print("  scripts/hot_order.py train target/x86_64-unknown-linux-gnu/release/flyball")
    return 1


def hot_names():
    return [line for line in ORDER.read_text().splitlines() if line and not line.startswith("#")]


def functions(program):
    """Name as people read it → symbols."""
    by_name = {}
    for symbol, name in zip(nm(program), nm(program, "--demangle=rust")):
        if symbol[0] in "tTwW":
            by_name.setdefault(readable(name[2:]), []).append(symbol[2:])
    return by_name


def nm(program, *options):
    command = ["nm", "--no-sort", "--format=posix", *options, str(program)]
    # Type and name; names as people read them contain spaces.
    pattern = re.compile(r"^(.*) ([A-Za-z]) (?:[0-9a-f]+ ?){0,2}$")
    lines = subprocess.run(command, check=True, capture_output=True, text=True, errors="replace").stdout
    found = (pattern.match(line) for line in lines.splitlines())
    return [f"{match[2]} {match[1]}" if match else "? ?" for match in found]


def readable(name):
    """Without what a compiler adds to the names of parts of a function. Types make some names very long."""
    name = re.sub(r" \(?\.(llvm|cold|isra|constprop|part)\.?[0-9]*\)?", "", name)
    if len(name) <= LONGEST_NAME:
        return name
    return f"{name[:LONGEST_NAME]}… {zlib.crc32(name.encode()):08x}"


def train(program):
    for tool in ("valgrind", "nm"):
        if shutil.which(tool) is None:
            print(f"{tool} is needed to train: install it (Debian: valgrind, binutils)", file=sys.stderr)
            return 2
    names = {symbol: name for name, symbols in functions(program).items() for symbol in symbols}
    if not names:
        print(f"{program} has no symbols: build it with CARGO_PROFILE_RELEASE_STRIP=false", file=sys.stderr)
        return 2
    first, uses = {}, Counter()
    with tempfile.TemporaryDirectory() as folder:
        scratch = Path(folder)
        events = recorded(scratch)
        for number, (client, event) in enumerate(events, 1):
            print(f"\r{number} of {len(events)}", end="", file=sys.stderr, flush=True)
            called = {names[symbol] for symbol in trace(program, scratch, client, event) if symbol in names}
            uses.update(called)
            for name in sorted(called):
                first.setdefault(name, number)
    print(file=sys.stderr)
    # What most events need comes first; what few need, beside what is needed with it.
    often = [name for name in uses if uses[name] > 1]
    hot = sorted(often, key=lambda name: (-uses[name], first[name], name))
    comment = f"# Written by `scripts/hot_order.py train` from {len(events)} events. Do not edit.\n"
    ORDER.write_text(comment + "\n".join(hot) + "\n")
    print(f"{len(hot)} functions in {ORDER.relative_to(ROOT)}")
    return 0


def recorded(scratch):
    """(client, event) of every kind: what the clients sent, and what agents run all day."""
    project = scratch / "project"
    (project / "src").mkdir(parents=True)
    (project / "src" / "a.py").write_text("x = 1\n")
    subprocess.run(["git", "init", "-q", str(project)], check=True)
    events = []
    for client in ("claude-code", "codex"):
        for path in sorted((FIXTURES / client).glob("*.json")):
            event = json.loads(path.read_text())
            if isinstance(event, dict) and "hook_event_name" in event:
                events.append((client, event))
    template = json.loads((BENCH / "before-shell.json").read_text().replace("{SESSION}", "everyday"))
    template["transcript_path"] = str(scratch / "transcript.jsonl")
    for command in [*COMMANDS, (BENCH / "script.sh").read_text()]:
        for name in ("PreToolUse", "PostToolUse"):
            event = {**template, "hook_event_name": name, "tool_input": {"command": command}}
            if name == "PostToolUse":
                event["tool_response"] = {"stdout": "done", "stderr": "", "interrupted": False}
            events.append(("claude-code", event))
    text = json.dumps(events).replace(RECORDED_PROJECT, str(project))
    return json.loads(text)


def trace(program, scratch, client, event):
    """The symbols of all functions that one event runs."""
    event = {**event, "cwd": str(scratch / "project"), "tool_use_id": f"id-{os.urandom(4).hex()}"}
    output = scratch / "callgrind"
    command = ["valgrind", "--tool=callgrind", f"--callgrind-out-file={output}", "--demangle=no"]
    command += ["--compress-strings=no", "--compress-pos=no", str(program), "hook", "--client", client]
    environment = {
        "PATH": os.environ["PATH"],
        "HOME": str(scratch),
        "FLYBALL_STATE_DIR": str(scratch / "state"),
        "FLYBALL_CONFIG_DIR": str(scratch / "config"),
    }
    done = subprocess.run(command, input=json.dumps(event).encode(), env=environment, capture_output=True)
    if done.returncode not in (0, 1, 2):
        sys.exit(f"the hook ended with {done.returncode}, so nothing can be learned from it:\n{done.stderr.decode()}")
    lines = output.read_text(errors="replace").splitlines()
    # A recursive function has its depth behind its name.
    return {line[3:].split("'")[0] for line in lines if line.startswith("fn=")}


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
