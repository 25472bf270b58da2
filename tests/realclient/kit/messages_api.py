"""The scripted model of Claude Code: the Messages API."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from kit.loopback import Handler
from kit.script import Script
from kit.turns import Turn

COMPACTION = ("create a detailed summary of the conversation",
              "create a detailed summary of the RECENT portion",
              "continuation of a conversation summary")
USAGE = {"input_tokens": 100, "output_tokens": 20,
         "cache_creation_input_tokens": 0, "cache_read_input_tokens": 0}


class Api(Handler):
    def reply(self, path: str, body: dict[str, Any], headers: dict[str, str]) -> None:
        if path == "/v1/messages/count_tokens":
            return self.send_json(200, {"input_tokens": 100})
        if path != "/v1/messages":
            return self.do_GET()
        turn = self.script.answer(script_of(body, self.script), body, headers, body["messages"])
        if turn.hangs:
            self.close_connection = True
            self.rfile.read(1)  # comes back when the client hangs up
            return None
        message = message_of(turn, body.get("model", ""), self.script)
        if body.get("stream"):
            return self.send_events(events_of(message))
        return self.send_json(200, message)


def script_of(body: dict[str, Any], script: Script) -> str:
    """A request for a summary, one without tools (a title), a subagent's, or the main one."""
    messages = body["messages"]
    # The last message of a hook may come after the last one of the user.
    last = next((it for it in reversed(messages) if it["role"] == "user"), messages[-1])
    if any(mark in plain(last["content"]) for mark in COMPACTION):
        return "compact"
    if not body.get("tools"):
        return "aside"
    opening = ""
    for message in messages:
        if message["role"] == "assistant":
            break
        opening += plain(message["content"]) + "\n"
    return script.mark_in(opening) or "main"


def message_of(turn: Turn, model: str, script: Script) -> dict[str, Any]:
    content: list[dict[str, Any]] = [{"type": "text", "text": turn.text}] if turn.text else []
    content += [{"type": "tool_use", "id": f"toolu_{script.serial():024d}",
                 "name": call.name, "input": call.input} for call in turn.calls]
    return {"id": f"msg_{script.serial():024d}", "type": "message", "role": "assistant",
            "model": model, "content": content, "stop_sequence": None,
            "stop_reason": "tool_use" if turn.calls else "end_turn",
            "usage": USAGE | turn.usage}


def events_of(message: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    """A message as it is streamed."""
    yield "message_start", {"message": message | {"content": [], "stop_reason": None}}
    for index, block in enumerate(message["content"]):
        if block["type"] == "text":
            empty, delta = {"text": ""}, {"type": "text_delta", "text": block["text"]}
        else:
            empty, delta = {"input": {}}, {"type": "input_json_delta",
                                           "partial_json": json.dumps(block["input"])}
        yield "content_block_start", {"index": index, "content_block": block | empty}
        yield "content_block_delta", {"index": index, "delta": delta}
        yield "content_block_stop", {"index": index}
    yield "message_delta", {"delta": {"stop_reason": message["stop_reason"],
                                      "stop_sequence": None}, "usage": message["usage"]}
    yield "message_stop", {}


def plain(content: Any) -> str:
    """All text in a message's content, tool results included."""
    return "\n".join(text for _, text in pieces("", content))


def shown(body: dict[str, Any]) -> list[tuple[str, str]]:
    """Everything a request shows the model, as (place, text).

    A place is `system`, `user`, `assistant`, `result` (of a tool), `error` (of a tool) or the
    call of a tool, `call:NAME`.
    """
    found = list(pieces("system", body.get("system")))
    for message in body.get("messages", []):
        found += pieces(message["role"], message["content"])
    return found


def pieces(place: str, content: Any) -> Iterator[tuple[str, str]]:
    if isinstance(content, str):
        yield place, content
        return
    for block in content or []:
        if block["type"] == "text":
            yield place, block["text"]
        elif block["type"] == "tool_result":
            yield from pieces("error" if block.get("is_error") else "result", block.get("content"))
        elif block["type"] == "tool_use":
            yield f"call:{block['name']}", json.dumps(block["input"])
