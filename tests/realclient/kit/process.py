"""Starts a client and talks to it line by line, never longer than a limit."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any


class Process:
    """A client in a process group of its own, which speaks JSON lines on stdout."""

    def __init__(self, argv: list[str], cwd: Path, env: dict[str, str], limit_s: float) -> None:
        self.errors = cwd.parent / "stderr"
        with self.errors.open("ab") as errors:
            self._process = subprocess.Popen(
                argv, cwd=cwd, env=env, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                stderr=errors, start_new_session=True)
        self.timed_out = False
        self._watchdog = threading.Timer(limit_s, self._give_up)
        self._watchdog.daemon = True
        self._watchdog.start()

    def lines(self) -> Iterator[dict[str, Any]]:
        """What the client prints, until it ends."""
        for line in self._process.stdout or []:
            try:
                yield json.loads(line)
            except ValueError:
                yield {"type": "text", "text": line.decode(errors="replace")}

    def send(self, value: dict[str, Any]) -> None:
        try:
            self._process.stdin.write(json.dumps(value).encode() + b"\n")
            self._process.stdin.flush()
        except (OSError, ValueError):
            pass  # the client has gone, or its input is closed: its exit code shows it

    def close_input(self) -> None:
        with contextlib.suppress(OSError):
            self._process.stdin.close()

    def wait(self) -> int:
        code = self._process.wait()
        self._watchdog.cancel()
        self.close_input()
        self._process.stdout.close()
        return code

    def _give_up(self) -> None:
        self.timed_out = True
        os.killpg(self._process.pid, signal.SIGKILL)
