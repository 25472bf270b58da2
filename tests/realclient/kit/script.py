"""Chooses which scripted turn answers a request, and records every request.

A script is a name and its list of turns: `main`, a subagent's mark, `compact`. The API
decides which request belongs to which script; here they only advance, each on its own.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from kit.turns import Turn

OUT_OF_TURNS = "(the script has no further turn)"


@dataclass(frozen=True)
class Asked:
    """One request of the client."""
    script: str
    turn: int
    body: dict[str, Any]
    headers: dict[str, str]


@dataclass
class Script:
    """The replies of the model, and the requests to it."""
    main: list[Turn]
    subagents: dict[str, list[Turn]] = field(default_factory=dict)  # by a mark in their prompt
    summary: str = "<summary>The scripted summary.</summary>"
    aside: str = "ok"                                               # titles and the like
    asked: list[Asked] = field(default_factory=list)
    person: Callable[[Turn], None] = lambda _: None                 # acts before the model answers

    def __post_init__(self) -> None:
        self._lock = threading.Lock()
        self._next: dict[str, int] = {}
        self._given: dict[str, int] = {}
        self._serial = 0

    def answer(self, script: str, body: dict[str, Any], headers: dict[str, str], conversation: Any) -> Turn:
        """The turn that answers. The same conversation again is a retry."""
        with self._lock:
            key = script + json.dumps(conversation, sort_keys=True)
            if key not in self._given:
                self._given[key] = self._next.get(script, 0)
                self._next[script] = self._given[key] + 1
            turn = self._given[key]
            is_new = all(asked.script != script or asked.turn != turn for asked in self.asked)
            self.asked.append(Asked(script, turn, body, headers))
        turns = self._turns(script)
        answer = turns[turn] if turn < len(turns) else Turn(OUT_OF_TURNS)
        if is_new:
            self.person(answer)
        return answer

    def serial(self) -> int:
        """A number never given before, for ids."""
        with self._lock:
            self._serial += 1
            return self._serial

    def mark_in(self, text: str) -> str | None:
        """The subagent whose mark is in the text."""
        return next((mark for mark in self.subagents if mark in text), None)

    def _turns(self, script: str) -> list[Turn]:
        if script == "main":
            return self.main
        if script in self.subagents:
            return self.subagents[script]
        return [Turn(self.summary if script == "compact" else self.aside)] * 99
