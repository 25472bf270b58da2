"""Wraps one hook command, or answers instead of it, and records what passed.

    hook_recorder.py LOG LABEL COMMAND [ARGUMENT...]
    hook_recorder.py LOG LABEL --answer JSON

An answer has `json` or `stdout`, `stderr`, `exit`, and `times`: how often to give it before
falling silent.
"""

import fcntl
import json
import os
import subprocess
import sys


def main() -> int:
    log, label, *command = sys.argv[1:]
    payload = sys.stdin.buffer.read()
    if command[0] == "--answer":
        stdout, stderr, code = canned(json.loads(command[1]), f"{log}.{label}")
    else:
        done = subprocess.run(command, input=payload, capture_output=True)
        stdout, stderr, code = done.stdout, done.stderr, done.returncode
    append(log, {"label": label, "payload": json.loads(payload), "newline": payload[-1:] == b"\n",
                 "cwd": os.getcwd(), "stdout": stdout.decode(), "stderr": stderr.decode(),
                 "exit": code})
    sys.stdout.buffer.write(stdout)
    sys.stderr.buffer.write(stderr)
    return code


def canned(answer: dict, counter: str) -> tuple[bytes, bytes, int]:
    if calls_before(counter) >= answer.get("times", sys.maxsize):
        return b"", b"", 0
    stdout = json.dumps(answer["json"]) if "json" in answer else answer.get("stdout", "")
    return stdout.encode(), answer.get("stderr", "").encode(), answer.get("exit", 0)


def calls_before(counter: str) -> int:
    with open(counter, "a+") as state:
        fcntl.flock(state, fcntl.LOCK_EX)
        state.write("x")
        return state.tell() - 1


def append(log: str, entry: dict) -> None:
    with open(log, "a") as out:
        fcntl.flock(out, fcntl.LOCK_EX)
        out.write(json.dumps(entry) + "\n")


if __name__ == "__main__":
    sys.exit(main())
