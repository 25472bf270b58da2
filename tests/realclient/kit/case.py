"""What the scenarios of all clients share."""

from __future__ import annotations

import unittest
from typing import Any

from kit.outcome import Outcome


class ScenarioCase(unittest.TestCase):
    """A test about one run of a client; when it fails, it also reports what happened in that run."""
    outcome: Outcome | None = None

    def ended_well(self, outcome: Outcome) -> Outcome:
        self.outcome = outcome
        self.assertFalse(outcome.timed_out, "the client did not end in time")
        self.assertEqual(outcome.exit, 0)
        return outcome

    def assert_one(self, texts: list[str], *parts: str) -> None:
        """Exactly one of the texts contains all the parts."""
        found = [text for text in texts if all(part in text for part in parts)]
        self.assertEqual(len(found), 1, f"{parts} in {[text[-200:] for text in texts]}")

    def logged(self, kind: str) -> list[dict[str, Any]]:
        """The entries of flyball's own log about one kind of event."""
        return [entry for entry in self.outcome.hooks if entry["kind"] == kind]

    def _formatMessage(self, *arguments: Any) -> str:
        message = super()._formatMessage(*arguments)
        return f"{message}\n\n{self.outcome.report()}" if self.outcome else message
