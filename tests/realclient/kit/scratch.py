"""A throwaway world for one run: home, project, search path, environment."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Scratch:
    root: Path

    @property
    def home(self) -> Path:
        return self.root / "home"

    @property
    def project(self) -> Path:
        return self.root / "project"

    @property
    def names(self) -> dict[str, str]:
        """What {NAME} stands for in scripted turns."""
        return {"PROJECT": str(self.project), "HOME": str(self.home)}

    def env(self, **more: str) -> dict[str, str]:
        """A complete environment: nothing of the caller's own gets in."""
        node = shutil.which("node") or "/usr/bin/node"
        search = [self.root / "bin", Path(sys.executable).parent, Path(node).parent,
                  "/usr/local/bin", "/usr/bin", "/bin"]
        return {
            "HOME": str(self.home), "USER": "dev", "SHELL": "/bin/bash", "LANG": "C.UTF-8",
            "TERM": "xterm-256color", "TMPDIR": str(self.root / "tmp"),
            "PATH": ":".join(map(str, search)),
            # Nothing listens there: the clients reach nothing but the scripted model.
            "HTTPS_PROXY": "http://127.0.0.1:9", "NO_PROXY": "127.0.0.1",
            "FLYBALL_STATE_DIR": str(self.home / "state"),
            "FLYBALL_CONFIG_DIR": str(self.home / "config"),
            **more,
        }

    def put(self, files: Mapping[str, str]) -> None:
        """Writes files into the project."""
        for name, text in files.items():
            path = self.project / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)

    def install(self, programs: Mapping[str, str]) -> None:
        """Puts scripts on the search path, before any real program of the same name."""
        for name, text in programs.items():
            path = self.root / "bin" / name
            path.write_text(text)
            path.chmod(0o755)

    def on_search_path(self, name: str, program: Path) -> None:
        (self.root / "bin" / name).symlink_to(program)

    def commit(self, message: str) -> None:
        """Everything in the project becomes a commit; the first one makes the repository."""
        identity = ["-c", "user.name=dev", "-c", "user.email=dev@example.com"]
        steps = [["add", "-A"], [*identity, "commit", "-qm", message, "--allow-empty"]]
        if not (self.project / ".git").exists():
            steps.insert(0, ["init", "-q", "-b", "main"])
        for step in steps:
            subprocess.run(["git", *step], cwd=self.project, env=self.env(), check=True)

    def files(self) -> dict[str, str]:
        """The project's files as they are now."""
        return {str(path.relative_to(self.project)): path.read_text(errors="replace")
                for path in sorted(self.project.rglob("*"))
                if path.is_file() and ".git" not in path.relative_to(self.project).parts}


@contextmanager
def scratch(project: Path | None = None) -> Iterator[Scratch]:
    """A new world; `project` is copied into it. FLYBALL_KEEP=1 leaves it there and prints its path."""
    root = Path(tempfile.mkdtemp(prefix="flyball-realclient-")).resolve()
    try:
        for name in ("bin", "tmp", "home/state", "home/config"):
            (root / name).mkdir(parents=True)
        if project:
            shutil.copytree(project, root / "project", symlinks=True)
        else:
            (root / "project").mkdir()
        yield Scratch(root)
    finally:
        if os.environ.get("FLYBALL_KEEP"):
            print(f"kept {root}", file=sys.stderr)
        else:
            shutil.rmtree(root, ignore_errors=True)
