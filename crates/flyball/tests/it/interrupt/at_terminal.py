"""Runs a program at a pseudo-terminal of 120 by 30, and once a text was seen, presses keys or sends signals.

Each step is a text to wait for (behind what was waited for before) and what comes then: keys, or `SIGTERM` and the like.
Nothing is done before the file `there` has something in it. With `out`, standard output goes to that file; standard error stays at the terminal. Prints JSON: how it ended (a negative
number for a signal), the steps that were not come to, all that was written to the terminal, and whether the terminal's
modes are as they were.
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

order = json.loads(sys.argv[1])
terminal, inside = pty.openpty()
fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 30, 120, 0, 0))
before = termios.tcgetattr(inside)
pid = os.fork()
if pid == 0:
    os.login_tty(inside)
    if order.get("out"):
        os.dup2(os.open(order["out"], os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), 1)
    os.execvp(order["words"][0], order["words"])
steps = order["steps"]


def is_there():
    return not order.get("there") or (os.path.exists(order["there"]) and os.path.getsize(order["there"]) > 0)


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
