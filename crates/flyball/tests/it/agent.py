"""Plays a client and what its agent runs, in processes of their own, and prints what was seen as JSON.

    agent.py REQUEST

This process becomes a client: it starts itself again under a client's name. `how` says what the agent does:

  detached   a program that forks twice and makes a terminal of its own, without any variable
  held       the same, at a terminal whose other end the client holds
  command    a command of the agent, without any variable but those that flyball needs
  hook       nothing: the client itself starts the program, as a hook
  left       the same with the first line of the input; with the second, a program that left its parents does
"""

import json
import os
import pty
import subprocess
import sys
import time

request = json.loads(sys.argv[1])
command, how, clean = request["command"], request["how"], request["variables"]
# What a client sets for the commands of its agent.
TOOL = {**clean, "CLAUDECODE": "1", "CLAUDE_CODE_EXECPATH": "/x/claude"}


def at_terminal(argv, terminal, pid):
    """All that is seen at a terminal; each question is answered with yes."""
    text, answered = b"", 0
    while True:
        try:
            piece = os.read(terminal, 4096)
        except OSError:
            break
        if not piece:
            break
        text += piece
        if text.count(b"[y/N] ") > answered:
            answered += 1
            os.write(terminal, b"y\n")
    status = os.waitpid(pid, 0)[1] if pid else 0
    return {"status": os.waitstatus_to_exitcode(status), "text": text.decode().replace("\r\n", "\n")}


def orphan(work):
    """Runs `work` in a process that has left its parents, and returns what it returns."""
    reader, writer = os.pipe()
    first = os.fork()
    if first == 0:
        os.setsid()
        mine = os.getpid()
        if os.fork() == 0:
            while os.getppid() == mine:
                time.sleep(0.001)
            with os.fdopen(writer, "w") as out:
                json.dump(work(), out)
        os._exit(0)
    os.close(writer)
    os.waitpid(first, 0)
    with os.fdopen(reader) as answer:
        return json.loads(answer.read())


def detached():
    def work():
        pid, terminal = pty.fork()
        if pid == 0:
            os.execve(command[0], command, clean)
        return at_terminal(command, terminal, pid)
    return orphan(work)


def attached():
    """Runs the program at a terminal of somebody else."""
    def work():
        os.setsid()
        # The first terminal that a leader of a session opens is its own.
        own = os.open(request["terminal"], os.O_RDWR)
        return subprocess.Popen(command, stdin=own, stdout=own, stderr=own, env=clean).wait()
    return orphan(work)


def left():
    """Starts the program in a process that has left its parents."""
    return orphan(lambda: plain(command, clean))


def held():
    terminal, slave = pty.openpty()
    again = {**request, "how": "tool", "then": "attached", "terminal": os.ttyname(slave)}
    status = json.loads(tool(again)["text"])
    os.close(slave)
    return {**at_terminal(command, terminal, 0), "status": status}


def tool(again):
    """What a command of the agent does: not the client any more, and without its variables."""
    return without_variables([os.path.realpath(sys.executable), __file__, json.dumps(again)])


def without_variables(argv):
    # A shell that does not replace itself, as that of the client.
    pairs = [f"{name}={value}" for name, value in clean.items()]
    return plain(["/bin/sh", "-c", '"$@"; exit $?', "sh", "env", "-i", *pairs, *argv], TOOL)


def plain(argv, variables):
    done = subprocess.run(argv, env=variables, input=request.get("input", ""), capture_output=True, text=True)
    return {"status": done.returncode, "text": done.stdout + done.stderr}


if request.get("is_client"):
    if how == "tool":
        print(json.dumps({"detached": detached, "attached": attached, "left": left}[request["then"]]()))
    elif how == "detached":
        print(tool({**request, "how": "tool", "then": "detached"})["text"])
    elif how == "left":
        first, second = request["input"].splitlines()
        request["input"] = first
        plain(command, {**clean, "CLAUDECODE": "1"})
        print(tool({**request, "input": second, "how": "tool", "then": "left"})["text"])
    elif how == "command":
        print(json.dumps(without_variables(command)))
    elif how == "held":
        print(json.dumps(held()))
    else:
        print(json.dumps(plain(command, {**clean, "CLAUDECODE": "1", **request.get("hook", {})})))
else:
    # The name of a process is that of the file that was run.
    name = os.path.join(request["folder"], "claude")
    os.symlink(os.path.realpath(sys.executable), name)
    os.execve(name, [name, __file__, json.dumps({**request, "is_client": True})], clean)
