"""What the tests of the packages share: a release made once, and homes in which nothing of this machine is seen."""

from __future__ import annotations

import atexit
import functools
import os
import re
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
VERSION = re.search(r'^version = "(.+)"$', (ROOT / "Cargo.toml").read_text(), re.MULTILINE)[1]


@functools.cache
def tool(variable: str, name: str) -> Path:
    """A pinned program."""
    kind = "packages" if variable == "FLYBALL_PACKAGES_DIR" else "linters"
    folder = os.environ.get(variable)
    if not folder:
        raise RuntimeError(f"{variable} is not set: export {variable}=$(scripts/tools {kind})")
    return Path(folder, "bin", name)


@functools.cache
def scratch() -> Path:
    folder = Path(tempfile.mkdtemp(prefix="flyball-packages-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return folder


@functools.cache
def program() -> Path:
    """A copy without symbols, so that packing takes less."""
    built = sorted((ROOT / "target").glob("*/debug/flyball"), key=lambda path: path.stat().st_mtime)
    named = os.environ.get("FLYBALL_BIN") or (built[-1] if built else None)
    if named is None:
        raise RuntimeError("no flyball to pack: run `cargo build -p flyball`, or set FLYBALL_BIN")
    copy = scratch() / "built" / "flyball"
    copy.parent.mkdir()
    subprocess.run(["strip", "-o", copy, named], check=True)
    return copy


@functools.cache
def release() -> Path:
    """A folder with all that is made for the platform of this machine."""
    out = scratch() / "out"
    only = ["archive", "sbom", "npm", "wheel", "deb", "image"] + (["rpm"] if shutil.which("rpmbuild") else [])
    package("platform", program(), out, "--level", "1", "--only", *only)
    package("release", out, "--level", "1")
    return out


def package(*words: object, **more: str) -> str:
    command = [ROOT / "scripts" / "package", *words]
    return subprocess.run([str(word) for word in command], check=True, text=True, stdout=subprocess.PIPE,
                          env=os.environ | more).stdout


def one(pattern: str) -> Path:
    found = list(release().glob(pattern))
    assert len(found) == 1, f"{pattern}: {found}"
    return found[0]


class PackageCase(unittest.TestCase):
    """A test with a home and a project of its own."""

    def setUp(self) -> None:
        self.world = Path(tempfile.mkdtemp(dir=scratch()))
        self.home, self.project = self.world / "home", self.world / "project"
        for folder in (self.home, self.project):
            folder.mkdir()

    def env(self, **more: str) -> dict[str, str]:
        # As a person: where a variable says that an agent runs this, flyball refuses to change hooks.
        return {"PATH": os.environ["PATH"], "HOME": str(self.home), "TMPDIR": str(self.world),
                "npm_config_offline": "true", "UV_OFFLINE": "1", "PIP_NO_INDEX": "1"} | more

    def run_in(self, folder: Path, *words: object, **more: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run([str(word) for word in words], cwd=folder, env=self.env(**more), text=True,
                              capture_output=True, stdin=subprocess.DEVNULL, timeout=120, check=False)

    def passed(self, *words: object, **more: str) -> str:
        done = self.run_in(self.project, *words, **more)
        self.assertEqual(done.returncode, 0, f"{words}\n{done.stdout}{done.stderr}")
        return done.stdout
