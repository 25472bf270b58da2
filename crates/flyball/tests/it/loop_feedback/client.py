"""Plays a client: starts hooks and what its agent runs, as each line of the input says, and prints what was seen.

    client.py

`{"hook": [WORD, ...], "payload": {...}}` starts a hook; `{"run": LINE}` a command of the agent, in a session of its own.
This process starts itself again under a client's name: the name of a process is that of the file that was run.
"""

import json
import os
import subprocess
import sys

if os.path.basename(sys.executable) != "claude":
    name = os.path.join(os.path.dirname(__file__), "claude")
    os.symlink(os.path.realpath(sys.executable), name)
    os.execv(name, [name, __file__])

for step in map(json.loads, sys.stdin):
    if "hook" in step:
        ran = subprocess.run(step["hook"], input=json.dumps(step["payload"]), capture_output=True, text=True,
                             env={**os.environ, "CLAUDECODE": "1"})
        seen = {"status": ran.returncode, "stdout": ran.stdout, "stderr": ran.stderr}
    else:
        ran = subprocess.run(["/bin/sh", "-c", step["run"]], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                             stderr=subprocess.DEVNULL, start_new_session=True, env={**os.environ, "CLAUDECODE": "1"})
        seen = {"status": ran.returncode}
    print(json.dumps(seen), flush=True)
