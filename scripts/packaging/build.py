"""What every kind of package is made from: the program, its pages, the licences, and what Cargo.toml says."""

from __future__ import annotations

import functools
import json
import os
import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from . import platform
from .bytes_of import File, Tree
from .platform import Platform, Problem

ROOT = Path(__file__).resolve().parent.parent.parent
SHELLS = {"bash": "flyball.bash", "zsh": "_flyball", "fish": "flyball.fish", "powershell": "flyball.ps1",
          "elvish": "flyball.elv"}


@dataclass(frozen=True)
class About:
    """What Cargo.toml says; the same for all platforms."""
    version: str
    summary: str
    repository: str
    license: str
    keywords: list[str]
    epoch: int          # the time in all packages: SOURCE_DATE_EPOCH, or that of the commit

    def readme(self) -> bytes:
        return (f"# flyball\n\n{self.summary}.\n\n    flyball demo      # see what it does\n"
                f"    flyball init      # in your project\n    flyball doctor    # what works, what is missing\n\n"
                f"What it is, and all else: <{self.repository}>\n").encode()


@dataclass(frozen=True)
class Build:
    """The program for one platform."""
    about: About
    platform: Platform
    program: bytes
    pages: Tree             # the manual, by file name
    completions: Tree       # by the name of the shell
    level: int              # of compression

    @property
    def name(self) -> str:
        return f"flyball-{self.about.version}-{self.platform.target}"


def gather(binary: Path, level: int) -> Build:
    found = platform.of_binary(binary)
    with tempfile.TemporaryDirectory() as folder:
        run(binary, "man", "--dir", folder)
        pages = {path.name: File(path.read_bytes()) for path in sorted(Path(folder).iterdir())}
    completions = {shell: File(run(binary, "completions", shell)) for shell in SHELLS}
    return Build(about(), found, binary.read_bytes(), pages, completions, level)


def run(binary: Path, *words: str) -> bytes:
    """Asks the program itself, in a home of its own."""
    with tempfile.TemporaryDirectory() as home:
        variables = {"PATH": os.environ["PATH"], "HOME": home, "USERPROFILE": home,
                     "SYSTEMROOT": os.environ.get("SYSTEMROOT", "")}
        try:
            done = subprocess.run([binary.resolve(), *words], env=variables, capture_output=True, cwd=home, check=False)
        except OSError as cause:
            raise Problem(f"{binary} does not start: {cause.strerror}",
                          "make the packages of a platform on that platform") from cause
    if done.returncode != 0:
        raise Problem(f"`{binary} {' '.join(words)}` failed: {done.stderr.decode().strip()}", "see above")
    return done.stdout


@functools.cache
def metadata(target: str | None = None) -> dict[str, Any]:
    command = ["cargo", "metadata", "--locked", "--format-version=1"]
    command += ["--filter-platform", target] if target else ["--no-deps"]
    return json.loads(output(command))


@functools.cache
def about() -> About:
    ours = next(package for package in metadata()["packages"] if package["name"] == "flyball")
    epoch = os.environ.get("SOURCE_DATE_EPOCH") or output(["git", "log", "-1", "--format=%ct"])
    return About(ours["version"], ours["description"], ours["repository"], ours["license"], ours["keywords"], int(epoch))


def output(command: list[str]) -> str:
    try:
        return subprocess.run(command, cwd=ROOT, check=True, stdout=subprocess.PIPE, text=True).stdout
    except FileNotFoundError as cause:
        raise Problem(f"{command[0]} is not on the search path", f"install {command[0]}") from cause
    except subprocess.CalledProcessError as cause:
        raise Problem(f"`{' '.join(command)}` failed", "see above") from cause


def licences() -> Tree:
    """Our own."""
    return {path.name: File(path.read_bytes()) for path in sorted(ROOT.glob("LICENSE-*"))}
