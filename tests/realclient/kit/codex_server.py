"""Talks to `codex app-server`: JSON-RPC lines over stdio, with a user who can be asked."""

from __future__ import annotations

import json
from typing import Any

from kit.process import Process
from kit.stage import Stage


class Server:
    """One app-server. Every question it asks is declined."""

    def __init__(self, stage: Stage, env: dict[str, str]) -> None:
        self._process = Process([str(stage.program), "app-server"], stage.world.project, env, 60)
        self._lines = self._process.lines()
        self._serial = 0
        self.call("initialize", clientInfo={"name": "flyball-tests", "version": "1"})
        self._process.send({"method": "initialized"})

    def call(self, method: str, **params: Any) -> dict[str, Any]:
        self._serial += 1
        self._process.send({"id": self._serial, "method": method, "params": params})
        for line in self._answered():
            if line.get("id") == self._serial and "method" not in line:
                return line["result"]
        raise AssertionError(f"codex app-server ended at {method}")

    def turn(self, thread: str, prompt: str, interrupt_at: str | None = None) -> None:
        """One prompt to its end; with `interrupt_at`, interrupted when such an item starts."""
        self.call("turn/start", threadId=thread, input=[{"type": "text", "text": prompt}])
        if interrupt_at:
            started = self.until("item/started", interrupt_at)
            self.call("turn/interrupt", threadId=thread, turnId=started["turnId"])
        else:
            self.until("turn/completed")

    def until(self, method: str, kind: str | None = None) -> dict[str, Any]:
        for line in self._answered():
            if line.get("method") == method:
                item = line["params"].get("item", {})
                if kind in (None, item.get("type")):
                    return line["params"]
        raise AssertionError(f"codex app-server ended before {method}")

    def close(self) -> None:
        self._process.close_input()
        for _ in self._lines:
            pass
        self._process.wait()

    def _answered(self) -> Any:
        """The lines that are not questions; those are answered on the way."""
        for line in self._lines:
            if "method" in line and "id" in line:
                self._process.send({"id": line["id"], "result": {"decision": "decline"}})
            else:
                yield line


def trust_hooks(stage: Stage, env: dict[str, str]) -> None:
    """Does what the user's review does: writes the hash of each hook into Codex's config."""
    server = Server(stage, env)
    found = server.call("hooks/list", cwds=[str(stage.world.project)])
    server.close()
    with (stage.world.home / ".codex/config.toml").open("a") as config:
        for hook in found["data"][0]["hooks"]:
            config.write(f'\n[hooks.state.{json.dumps(hook["key"])}]\n'
                         f'trusted_hash = "{hook["currentHash"]}"\nenabled = true\n')
