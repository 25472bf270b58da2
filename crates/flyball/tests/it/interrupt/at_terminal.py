"""Runs a program at a pseudo-terminal of 120 by 30, and once a text was seen, presses keys or sends signals.

Each step is a text to wait for (after the one before) and what to do then: keys to press, or a signal like `SIGTERM`. No
step is done before the file `there` has content. With `out`, standard output goes to that file; standard error stays at
the terminal. Prints JSON: how the program ended (a negative number for a signal), the steps that were not reached,
everything that was written to the terminal, and whether the terminal's modes are restored.
"""

import fcntl
import json
import os
import pty
import select
import signal
import struct
import sys
import termios
import time

request = json.loads(sys.argv[1])
terminal, inside = pty.openpty()
fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 30, 120, 0, 0))
before = termios.tcgetattr(inside)
pid = os.fork()
if pid == 0:
    os.login_tty(inside)
    if request.get("out"):
        os.dup2(os.open(request["out"], os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), 1)
    os.execvp(request["command"][0], request["command"])
steps = request["steps"]


def is_there():
    return not request.get("there") or (os.path.exists(request["there"]) and os.path.getsize(request["there"]) > 0)


text, seen, status = "", 0, None
until = time.monotonic() + 120
while time.monotonic() < until:
    ready, _, _ = select.select([terminal], [], [], 0.05)
    if ready:
        text += os.read(terminal, 65536).decode(errors="replace")
    elif status is not None:
        break
    if steps and steps[0][0] in text[seen:] and is_there():
        seen = len(text)
        what = steps.pop(0)[1]
        if what.startswith("SIG"):
            os.kill(pid, signal.Signals[what])
        else:
            os.write(terminal, what.encode())
    if status is None:
        ended, code = os.waitpid(pid, os.WNOHANG)
        status = os.waitstatus_to_exitcode(code) if ended else None
if status is None:
    os.kill(pid, signal.SIGKILL)
json.dump({"status": status, "left": steps, "text": text, "restored": termios.tcgetattr(inside) == before}, sys.stdout)
