"""Runs a program at a pseudo-terminal, types answers, and prints what was seen as JSON.

Each `[y/N] ` is answered, as long as there are answers. With `lines`, everything that ends like a question (`] ` or `: `)
is: answers are not echoed then, and the end of input follows the last one.

The process that starts the program is detached, so that whatever runs the tests is not among the
program's parents.
"""

import json
import os
import pty
import sys
import termios
import time


def drive(command, answers, lines):
    pid, terminal = pty.fork()
    if pid == 0:
        if lines:
            modes = termios.tcgetattr(0)
            modes[3] &= ~termios.ECHO
            termios.tcsetattr(0, termios.TCSANOW, modes)
        os.execvp(command[0], command)
    text = b""
    while True:
        try:
            piece = os.read(terminal, 4096)
        except OSError:
            break
        if not piece:
            break
        text += piece
        if lines and text.endswith((b"] ", b": ")):
            os.write(terminal, answers.pop(0).encode() + b"\n" if answers else b"\x04")
        while not lines and answers and text.count(b"[y/N] ") > len(asked):
            asked.append(answers.pop(0))
            os.write(terminal, asked[-1].encode() + b"\n")
    _, status = os.waitpid(pid, 0)
    return {"status": os.waitstatus_to_exitcode(status), "text": text.decode().replace("\r\n", "\n")}


asked = []
request = json.loads(sys.argv[1])
reader, writer = os.pipe()
starter = os.fork()
if starter == 0:
    os.close(reader)
    mine = os.getpid()
    if os.fork() == 0:
        while os.getppid() == mine:
            time.sleep(0.001)
        with os.fdopen(writer, "w") as out:
            json.dump(drive(request["command"], request["answers"], request.get("lines", False)), out)
        os._exit(0)
    os._exit(0)
os.close(writer)
os.waitpid(starter, 0)
with os.fdopen(reader) as answer:
    sys.stdout.write(answer.read())
