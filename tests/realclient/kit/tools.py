"""Finds what the tests run: the built flyball and the pinned clients. Missing is a failure."""

from __future__ import annotations

import os
import subprocess
import tempfile
from collections.abc import Mapping
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
CLIENTS = {
    "claude": "node_modules/@anthropic-ai/claude-code/bin/claude.exe",
    "claude-old": "node_modules/claude-old/bin/claude.exe",
    "codex": "node_modules/.bin/codex",
}


class Missing(AssertionError):
    """Something that the tests need is missing. The text has the fix."""


def flyball(environ: Mapping[str, str] = os.environ) -> Path:
    named = environ.get("FLYBALL_BIN")
    if named:
        if os.access(named, os.X_OK):
            return Path(named).resolve()
        raise Missing(f"FLYBALL_BIN is `{named}`, which is not a program: build it, or unset it")
    built = [*ROOT.glob("target/*/debug/flyball"), *ROOT.glob("target/debug/flyball")]
    if not built:
        raise Missing("flyball is not built: run `cargo build`, or set FLYBALL_BIN")
    return max(built, key=lambda path: path.stat().st_mtime)


def seatbelt_holds() -> bool:
    """Whether the kernel lets flyball protect files from commands here."""
    with tempfile.TemporaryDirectory() as folder:
        tried = subprocess.run([str(flyball()), "run", "--prove", f"{folder}/proof"], capture_output=True, text=True)
    # Landlock, which is tried where there are no namespaces, does not protect files of the project.
    return tried.returncode == 0 and tried.stdout.strip() != "Landlock"


def client(name: str, environ: Mapping[str, str] = os.environ) -> Path:
    folder = environ.get("FLYBALL_TOOLS_DIR")
    if not folder:
        raise Missing("FLYBALL_TOOLS_DIR is not set: "
                      "run `export FLYBALL_TOOLS_DIR=$(scripts/tools clients)`")
    program = Path(folder) / CLIENTS[name]
    if not os.access(program, os.X_OK):
        raise Missing(f"no {name} in FLYBALL_TOOLS_DIR (`{folder}`): "
                      "run `export FLYBALL_TOOLS_DIR=$(scripts/tools clients)`")
    return program.absolute()


def linter(name: str, environ: Mapping[str, str] = os.environ) -> Path:
    folder = environ.get("FLYBALL_LINTERS_DIR")
    program = Path(folder or "/nowhere") / "bin" / name
    if not os.access(program, os.X_OK):
        raise Missing(f"no {name} in FLYBALL_LINTERS_DIR (`{folder or 'not set'}`): "
                      "run `export FLYBALL_LINTERS_DIR=$(scripts/tools linters)`")
    return program.resolve()
