#!/usr/bin/env python3
"""Puts what a hook runs and reads side by side in the program.

A hook is a new process for every event, as is a command in the seatbelt, and what costs is not what it computes but the
pages of the program that it touches for the first time. In the order of the linker they lie scattered over 40 MB.

  hot_order.py train PROFILE   run the program with recorded events under valgrind, and write the order
  hot_order.py relink PROFILE  link the program again in the order that is there now, without compiling anything
  hot_order.py check PROGRAM   say how much of the order PROGRAM knows; ends with 1 if it is stale
  hot_order.py link ARGUMENT…  link with cc, in that order (`scripts/cc` calls it)

PROFILE is `release` or `dist`, built before. The order has names as people read them, without the hashes of a compiler,
and checksums of constants that have no name, so that it outlives a new compiler, a new version of a library and most
changes of the code. What is gone is passed over: a stale order makes a slower program, never a broken build.
"""

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from hot_events import Trainer
from program_layout import Constants, symbols

ROOT = Path(__file__).resolve().parent.parent
ORDER = ROOT / "scripts" / "hot-symbols.txt"
CONSTANTS = ROOT / "scripts" / "hot-constants.txt"
TARGET = "x86_64-unknown-linux-gnu"
# Beside the program of a profile: what it was linked from.
LINKED_FROM = "flyball.link"
# Below this share of known names the order is stale.
KNOWN_SHARE = 0.8
# What comes behind such a line is needed by the same.
GROUP = "# needed by: "


def main(arguments):
    match arguments:
        case ["train", profile]:
            return train(profile_folder(profile))
        case ["relink", profile]:
            return relink(profile_folder(profile))
        case ["check", program]:
            return check(program)
        case ["link", *rest]:
            return link(rest)
    print(__doc__, file=sys.stderr)
    return 2


def profile_folder(profile):
    target = Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target"))
    return target / TARGET / profile


def link(arguments):
    """Links twice: the first program tells what everything is called in this build."""
    keep(arguments)
    with tempfile.TemporaryDirectory() as folder:
        ordered = order_options(arguments, Path(folder))
        if ordered is None:
            return subprocess.run(["cc", *arguments]).returncode
        done = subprocess.run(["cc", *arguments, *ordered], capture_output=True)
    if done.returncode != 0:
        # A linker that cannot order: GNU's, for example.
        return subprocess.run(["cc", *arguments]).returncode
    sys.stderr.buffer.write(done.stderr)
    return 0


def keep(arguments):
    """Keeps what the program is linked from, so that it can be linked again: the compiler deletes some of it."""
    output = Path(arguments[arguments.index("-o") + 1])
    folder = output.parent.parent / LINKED_FROM
    try:
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir()
        kept = []
        for number, argument in enumerate(arguments):
            if argument.endswith(".o") and os.path.isfile(argument):
                place = folder / f"{number}-{os.path.basename(argument)}"
                shutil.copyfile(argument, place)
                argument = str(place)
            kept.append(argument)
        (folder / "arguments.json").write_text(json.dumps({"folder": os.getcwd(), "arguments": kept}))
    except OSError as cause:
        print(f"the order of the program cannot be trained from this build: {cause}", file=sys.stderr)


def kept_arguments(folder):
    try:
        kept = json.loads((folder / LINKED_FROM / "arguments.json").read_text())
    except OSError:
        sys.exit(f"{folder} has no program to link: run `cargo build --profile {folder.name} -p flyball` first")
    os.chdir(kept["folder"])
    return kept["arguments"]


def order_options(arguments, folder):
    """The options of the linker that put this build in order; None if it cannot be."""
    program = folder / "program"
    if not link_with_names(arguments, program):
        return None
    try:
        by_name = symbols(program)
        # Half of what is shipped cannot be ordered if this fails.
        sections = hot_sections(Constants(program, folder / "map"))
    except (OSError, subprocess.CalledProcessError, StopIteration, IndexError) as cause:
        print(f"the program is not ordered: {cause}", file=sys.stderr)
        return None
    ordered = [symbol for name in hot_names() for symbol in by_name.get(name, [])]
    (folder / "symbols").write_text("\n".join(ordered) + "\n")
    options = [f"-Wl,--symbol-ordering-file={folder / 'symbols'}", "-Wl,--no-warn-symbol-ordering"]
    if any(sections):
        (folder / "script").write_text(linker_script(sections))
        options.append(f"-Wl,-T,{folder / 'script'}")
    return options


def link_with_names(arguments, program):
    """Links a program with its symbols, its relocations and a map beside it."""
    named = [argument for argument in arguments if argument not in ("-Wl,--strip-all", "-Wl,--strip-debug")]
    named[named.index("-o") + 1] = str(program)
    more = ["-Wl,--emit-relocs", f"-Wl,-Map={program.parent / 'map'}"]
    return subprocess.run(["cc", *named, *more], capture_output=True).returncode == 0


def hot_sections(constants):
    """The sections of the constants that are needed, those together that the same need."""
    by_identity = constants.by_identity()
    groups = []
    for line in CONSTANTS.read_text().splitlines() if CONSTANTS.exists() else []:
        if line.startswith(GROUP):
            groups.append([])
        elif groups and line:
            groups[-1].extend(by_identity.get(line, []))
    return groups


def linker_script(groups):
    content = []
    for sections in groups:
        # Of Rust, each has a name of its own; of C, it is named with the object that it is in.
        alone = dict.fromkeys(section for section in sections if not section.startswith("*"))
        content += [f"*({' '.join(alone)})"] if alone else []
        content += dict.fromkeys(section for section in sections if section.startswith("*"))
    lines = "\n".join(content)
    return f"SECTIONS {{ .rodata.hot : {{\n{lines}\n}} }} INSERT BEFORE .rodata;\n"


def relink(folder):
    arguments = kept_arguments(folder)
    output = Path(arguments[arguments.index("-o") + 1])
    with tempfile.TemporaryDirectory() as scratch:
        ordered = order_options(arguments, Path(scratch))
        if ordered is None:
            return 1
        if subprocess.run(["cc", *arguments, *ordered]).returncode != 0:
            return 1
    program = folder / "flyball"
    program.unlink(missing_ok=True)
    shutil.copy2(output, program)
    print(program)
    return 0


def check(program):
    names = hot_names()
    known = symbols(program)
    missing = [name for name in names if name not in known]
    share = 1 - len(missing) / len(names)
    print(f"{share:.0%} of {len(names)} names in {ORDER.relative_to(ROOT)} are known to {program}")
    if share >= KNOWN_SHARE:
        return 0
    print("the order is stale, so hooks are slower than they could be; write it anew:")
    print("  scripts/dist")
    return 1


def hot_names():
    return [line for line in ORDER.read_text().splitlines() if line and not line.startswith("#")]


def train(folder):
    for tool in ("valgrind", "nm"):
        if shutil.which(tool) is None:
            print(f"{tool} is needed to train: install it (Debian: valgrind, binutils)", file=sys.stderr)
            return 2
    arguments = kept_arguments(folder)
    with tempfile.TemporaryDirectory() as scratch:
        program = Path(scratch) / "flyball"
        if not link_with_names(arguments, program):
            print("the linker cannot link with relocations and a map: lld can", file=sys.stderr)
            return 2
        trained = Trainer(program, Path(scratch)).run()
    comment = f"# Written by `scripts/hot_order.py train` from {trained.runs.total()} runs. Do not edit."
    ORDER.write_text("\n".join([comment, *trained.names()]) + "\n")
    groups = [[GROUP + kinds, *constants] for kinds, constants in trained.constants()]
    CONSTANTS.write_text("\n".join([comment, *(line for group in groups for line in group)]) + "\n")
    print(f"{len(trained.names())} names, {sum(len(group) - 1 for group in groups)} constants")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
