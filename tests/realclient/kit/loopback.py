"""A small HTTP server on loopback: what both scripted models have in common."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from kit.script import Script


class Handler(BaseHTTPRequestHandler):
    """Answers JSON or a stream of server-sent events; the rest is the API's."""
    protocol_version = "HTTP/1.1"
    script: Script

    def reply(self, path: str, body: dict[str, Any], headers: dict[str, str]) -> None:
        raise NotImplementedError

    def do_POST(self) -> None:
        raw = self.rfile.read(int(self.headers.get("content-length") or 0))
        headers = {name.lower(): value for name, value in self.headers.items()}
        self.reply(self.path.split("?")[0], json.loads(raw or b"{}"), headers)

    def do_GET(self) -> None:
        self.send_json(404, {"error": {"type": "not_found_error", "message": "not scripted"}})

    do_HEAD = do_GET

    def send_json(self, status: int, value: dict[str, Any]) -> None:
        data = json.dumps(value).encode()
        self.send_response(status)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(data)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(data)

    def send_events(self, events: Iterable[tuple[str, dict[str, Any]]]) -> None:
        data = b"".join(
            f"event: {kind}\ndata: {json.dumps({'type': kind, **fields})}\n\n".encode()
            for kind, fields in events)
        self.send_response(200)
        self.send_header("content-type", "text/event-stream")
        self.send_header("content-length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, *_: Any) -> None:
        pass


class Loopback(ThreadingHTTPServer):
    """`with Loopback(Handler, script) as model:` serves at `model.url` until the block ends."""
    daemon_threads = True

    def __init__(self, handler: type[Handler], script: Script) -> None:
        super().__init__(("127.0.0.1", 0), type("Bound", (handler,), {"script": script}))
        self.url = f"http://127.0.0.1:{self.server_address[1]}"

    def __enter__(self) -> Loopback:
        threading.Thread(target=self.serve_forever, args=(0.05,), daemon=True).start()
        return self

    def __exit__(self, *_: Any) -> None:
        self.shutdown()
        self.server_close()

    def handle_error(self, *_: Any) -> None:
        """A client may hang up in mid-answer, as on an interrupt: that is not an error."""
