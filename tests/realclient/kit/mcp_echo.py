"""The smallest MCP server: one tool, `echo`, over stdio."""

import json
import sys

TOOL = {"name": "echo", "description": "repeats the text", "inputSchema": {
    "type": "object", "properties": {"text": {"type": "string"}}, "required": ["text"]}}


def result(method: str, params: dict) -> dict:
    if method == "initialize":
        return {"protocolVersion": params["protocolVersion"], "capabilities": {"tools": {}},
                "serverInfo": {"name": "echo", "version": "1"}}
    if method == "tools/list":
        return {"tools": [TOOL]}
    if method == "tools/call":
        return {"content": [{"type": "text", "text": params["arguments"]["text"]}]}
    return {}


for line in sys.stdin:
    message = json.loads(line)
    if "id" in message:
        answer = result(message["method"], message.get("params", {}))
        print(json.dumps({"jsonrpc": "2.0", "id": message["id"], "result": answer}), flush=True)
