"""The scripted model of Codex: the Responses API, which it only speaks as a stream."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from kit.loopback import Handler
from kit.script import Script
from kit.turns import Call, Turn

COMPACTION = "CONTEXT CHECKPOINT COMPACTION"
USAGE = {"input_tokens": 100, "input_tokens_details": {"cached_tokens": 0}, "output_tokens": 20,
         "output_tokens_details": {"reasoning_tokens": 0}, "total_tokens": 120}


class Api(Handler):
    def reply(self, path: str, body: dict[str, Any], headers: dict[str, str]) -> None:
        if not path.endswith("/responses"):
            return self.do_GET()
        turn = self.script.answer(script_of(body, self.script), body, headers, body["input"])
        return self.send_events(events_of(turn, self.script))


def script_of(body: dict[str, Any], script: Script) -> str:
    prompts = [text for place, text in shown(body) if place == "user"]
    if prompts and COMPACTION in prompts[-1]:
        return "compact"
    return script.mark_in("\n".join(prompts)) or "main"


def events_of(turn: Turn, script: Script) -> Iterator[tuple[str, dict[str, Any]]]:
    answer_id = f"resp_{script.serial():024d}"
    yield "response.created", {"response": {"id": answer_id}}
    for item in items_of(turn, script):
        yield "response.output_item.done", {"item": item}
    yield "response.completed", {"response": {"id": answer_id, "usage": USAGE | turn.usage}}


def items_of(turn: Turn, script: Script) -> Iterator[dict[str, Any]]:
    if turn.text:
        yield {"type": "message", "role": "assistant", "id": f"msg_{script.serial():024d}",
               "content": [{"type": "output_text", "text": turn.text}]}
    for call in turn.calls:
        yield item_of(call, f"call_{script.serial():024d}")


def item_of(call: Call, call_id: str) -> dict[str, Any]:
    item: dict[str, Any] = {"call_id": call_id, "name": call.name}
    if call.namespace:
        item["namespace"] = call.namespace
    if isinstance(call.input, str):
        return item | {"type": "custom_tool_call", "input": call.input}
    return item | {"type": "function_call", "arguments": json.dumps(call.input)}


def shown(body: dict[str, Any]) -> list[tuple[str, str]]:
    """Everything a request shows the model, as (place, text).

    A place is `instructions`, a role (`developer`, `user`, `assistant`), `result` (of a tool)
    or the call of a tool, `call:NAME`.
    """
    found = [("instructions", body.get("instructions") or "")]
    for item in body.get("input", []):
        kind = item.get("type", "message")
        if kind == "message":
            found += [(item["role"], text) for text in texts(item["content"])]
        elif kind.endswith("_call_output"):
            found += [("result", text) for text in texts(item["output"])]
        elif kind.endswith("_call"):
            given = item.get("arguments") or item.get("input") or ""
            found.append((f"call:{item.get('name')}", given))
    return found


def texts(content: Any) -> list[str]:
    if isinstance(content, str):
        return [content]
    return [part.get("text", "") for part in content]
