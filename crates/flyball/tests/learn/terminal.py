"""Runs a program at a pseudo-terminal, types a line at each question, and prints what was seen as JSON.

A question ends with `] ` or `: `, where the program waits; behind the last line comes the end of input. What was
typed is not echoed. The process that starts the program is nobody's child any more: who runs the tests is not among
the program's parents.
"""

import json
import os
import pty
import sys
import termios
import time


def drive(words, answers):
    pid, terminal = pty.fork()
    if pid == 0:
        modes = termios.tcgetattr(0)
        modes[3] &= ~termios.ECHO
        termios.tcsetattr(0, termios.TCSANOW, modes)
        os.execvp(words[0], words)
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
            os.write(terminal, answers.pop(0).encode() + b"\n" if answers else b"\x04")
    _, status = os.waitpid(pid, 0)
    return {"status": os.waitstatus_to_exitcode(status), "text": text.decode().replace("\r\n", "\n")}


order = json.loads(sys.argv[1])
reader, writer = os.pipe()
starter = os.fork()
if starter == 0:
    os.close(reader)
    mine = os.getpid()
    if os.fork() == 0:
        while os.getppid() == mine:
            time.sleep(0.001)
        with os.fdopen(writer, "w") as out:
            json.dump(drive(order["words"], order["answers"]), out)
        os._exit(0)
    os._exit(0)
os.close(writer)
os.waitpid(starter, 0)
with os.fdopen(reader) as answer:
    sys.stdout.write(answer.read())
