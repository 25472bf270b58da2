"""Checks what no compiler does: sizes of files, import circles, arguments in tuples, names of clients, what only one system has, paths of machines, stubs, links."""

from __future__ import annotations

import functools
import os
import re
import subprocess
import sys
from pathlib import Path

import client_names
import rust_modules
import signatures

LONGEST_FILE = 600
FORBIDDEN = {
    "a stub": re.compile(r"\b(todo!|unimplemented!)\(|^\s*#\[ignore"),
    "a path outside the project": re.compile(r"\.\./shared"),
}
OWN = Path(__file__).name


@functools.cache
def tracked() -> list[Path]:
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        check=True, capture_output=True, text=True).stdout
    return [Path(name) for name in listed.split("\0") if name and Path(name).is_file()]


def lines_of_code(path: Path) -> int:
    return len(path.read_text().splitlines())


def is_test(path: Path) -> bool:
    return "tests" in path.parts or path.name in ("tests.rs", "laws.rs")


def problems(path: Path) -> list[str]:
    try:
        text = path.read_text()
    except UnicodeDecodeError:
        return []
    found = []
    if path.suffix == ".rs" and not is_test(path) and lines_of_code(path) > LONGEST_FILE:
        found.append(f"{path}: {lines_of_code(path)} lines; split it (the limit is {LONGEST_FILE})")
    checked = "" if path.name in (OWN, "Cargo.lock") else text
    for number, line in enumerate(checked.splitlines(), 1):
        for what, pattern in FORBIDDEN.items():
            if pattern.search(line):
                found.append(f"{path}:{number}: {what}: {line.strip()[:80]}")
        for place in machine_paths():
            if place in line:
                found.append(f"{path}:{number}: a path of this machine: {line.strip()[:80]}")
    if path.suffix == ".md":
        found += broken_links(path, text)
    return found


@functools.cache
def machine_paths() -> list[str]:
    """The folder above the checkout and the home, unless they are too common to be of this machine."""
    places = [str(Path.cwd().parent) + "/", os.environ.get("HOME", "").rstrip("/") + "/"]
    common = {f"/{name}/" for name in ("tmp", "home", "var", "usr", "opt", "srv", "mnt", "etc", "dev")}
    return [place for place in places if place.count("/") >= 2 and place not in common]


def broken_links(path: Path, text: str) -> list[str]:
    found = []
    for target in re.findall(r"\]\(([^)#\s]+)(?:#[^)]*)?\)", text):
        if "://" not in target and not target.startswith("mailto:") and not (path.parent / target).exists():
            found.append(f"{path}: the link to {target} leads nowhere")
    return found


def circles() -> list[str]:
    """The circles of modules that import from each other, crate by crate."""
    found = []
    for folder in sorted(Path("crates").iterdir()):
        root = next((at for at in (folder / "src/lib.rs", folder / "src/main.rs") if at.is_file()), None)
        if root is None:
            continue
        arrows = rust_modules.Crate(root).arrows()
        for circle in rust_modules.circles(arrows):
            found.append(f"{folder}: {len(circle)} modules import from each other: {ties(circle, arrows)}")
    return found


def ties(circle: list[tuple[str, ...]], arrows: dict) -> str:
    """The arrows of a circle, a few of them, with the names that each takes."""
    tied = [f"{'::'.join(one) or 'crate'} → {'::'.join(other) or 'crate'} ({', '.join(sorted(names)[:3])})"
            for one in circle for other, names in arrows[one].items() if other in circle]
    return "; ".join(tied[:8]) + ("; …" if len(tied) > 8 else "")


def is_production(path: Path) -> bool:
    return path.suffix == ".rs" and "src" in path.parts and not is_test(path)


def packed() -> list[str]:
    return [problem for path in tracked() if is_production(path) for problem in signatures.packed(path)]


# What git was asked, and then that it may not have answered is forgotten.
FORGOTTEN = re.compile(r"\.(?:git|changed_files)\([^;{}?]*?\)\s*\.(?:ok|unwrap_or\w*|is_ok\w*)\(")


def forgotten_trouble() -> list[str]:
    """Where "git could not be asked" would become "nothing there": its error is passed on, or matched by name."""
    found = []
    for path in filter(is_production, tracked()):
        text = path.read_text()
        for place in FORGOTTEN.finditer(text):
            number = text.count("\n", 0, place.start()) + 1
            found.append(f"{path}:{number}: an error of git is dropped; use `?` or match `Err`")
    return found


# What only one system has, and where it may be named: everywhere else `flyball_system` is used.
OF_ONE_SYSTEM = re.compile(r"\b(?:std::os::|rustix::|signal_hook::|libc::|tokio::signal::unix)")
SYSTEMS = (
    "crates/flyball-system/", "crates/flyball-seatbelt/", "crates/flyball-world/src/workshop/unix/",
    # One call each, with another one for other systems beside it.
    "crates/flyball-core/src/uptime.rs", "crates/flyball-board/src/server/interrupt.rs",
    "crates/flyball-world/src/processes.rs", "crates/flyball-world/src/snapshots/survey.rs",
    # Only where there is glibc.
    "crates/flyball/src/start.rs",
    # Not shipped.
    "crates/flyball-dev/", "crates/flyball-testkit/",
)


def of_one_system() -> list[str]:
    found = []
    for path in filter(is_production, tracked()):
        if str(path).startswith(SYSTEMS) or path.name.startswith("test_"):
            continue
        code = path.read_text().split("#[cfg(test)]\nmod ")[0]
        for place in OF_ONE_SYSTEM.finditer(code):
            number = code.count("\n", 0, place.start()) + 1
            found.append(f"{path}:{number}: `{place.group()}` is not on every system; use `flyball_system`")
    return found


SHOWN = [Path("docs/failure-modes.md"), Path("docs/quality.md")]


def unshown() -> list[str]:
    """Rows of tables that end with a column of tests, and name none or one that does not exist."""
    tests = set()
    for path in tracked():
        if path.suffix == ".rs":
            text = re.sub(r"^ +", "", path.read_text(), flags=re.MULTILINE)
            tests.update(re.findall(r"#\[test\]\n(?:#\[.*\n)*fn (\w+)", text))
    return [problem for page in SHOWN for problem in unshown_rows(page, tests)]


def unshown_rows(page: Path, tests: set[str]) -> list[str]:
    found = []
    in_table = False
    for number, line in enumerate(page.read_text().splitlines(), 1):
        in_table = line.startswith("|") and (in_table or line.endswith("| test |"))
        if not in_table or line.startswith("|---") or line.endswith("| test |"):
            continue
        named = re.findall(r"`([a-z_0-9]+)`", line.rsplit("|", 2)[1])
        found += [f"{page}:{number}: there is no test `{name}`" for name in named if name not in tests]
        if not named:
            found.append(f"{page}:{number}: this row names no test")
    return found


def main() -> int:
    found = [problem for path in tracked() for problem in problems(path)]
    found += client_names.found([path for path in tracked() if is_production(path)])
    found += circles() + packed() + forgotten_trouble() + of_one_system() + unshown()
    for problem in found:
        print(problem)
    print(f"{len(tracked())} files looked at, {len(found)} problems")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
