"""Runs a program at a pseudo-terminal, types a line at each question, and prints what was seen as JSON.

A question ends with `] ` or `: `, where the program waits. `null` is the end of input (Ctrl-D), and
so is every question after the last line.
"""

import json
import os
import pty
import sys

request = json.loads(sys.argv[1])
lines = request["lines"]
pid, terminal = pty.fork()
if pid == 0:
    os.environ["PATH"] = request["path"]
    os.execvp(request["command"][0], request["command"])
text = b""
while True:
    try:
        piece = os.read(terminal, 4096)
    except OSError:
        break
    if not piece:
        break
    text += piece
    if text.endswith((b"] ", b": ")):
        line = lines.pop(0) if lines else None
        os.write(terminal, b"\x04" if line is None else line.encode() + b"\n")
_, status = os.waitpid(pid, 0)
seen = {"status": os.waitstatus_to_exitcode(status), "text": text.decode().replace("\r\n", "\n")}
json.dump({**seen, "left": lines}, sys.stdout)
