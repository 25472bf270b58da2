"""Commands of agents in the seatbelt, in the real client: what the kernel refuses, and that nothing else changes.

The scripts hide what they touch, so that reading does not stop them.
"""

from __future__ import annotations

import json

from kit import claude, tools
from kit.case import ScenarioCase
from kit.outcome import Outcome
from kit.registration import Flyball
from kit.turns import Turn, say, use

RULES = "line-length = 80\n"
# Where the kernel allows no namespaces, `init` registers nothing.
HOLDS = tools.seatbelt_holds()

# Each a script that changes what guards it; the name is put together so that no reader finds it.
ATTACKS = {
    "config.py": "open('fly' + 'ball.toml', 'a').write('[guard.commands]\\nmode = \"off\"\\n')\n",
    "rules.py": ("import os\nname = [name for name in os.listdir('.') if name.startswith('ru')][0]\n"
                 "open(name, 'w').write('line-length = 400\\n')\n"),
    "settings.py": ("import os\nfolder = [name for name in os.listdir('.') if name.endswith('ude')][0]\n"
                    "for name in os.listdir(folder):\n    open(os.path.join(folder, name), 'w').write('{}')\n"),
    "folder.py": ("import os\nfolder = [name for name in os.listdir('.') if name.endswith('ude')][0]\n"
                  "os.rename(folder, 'elsewhere')\n"),
    "project.py": "import os\nhere = os.getcwd()\nos.rename(here, here + '-gone')\n",
    "hooks.py": ("import os\nfolder = '.g' + 'it/ho' + 'oks'\nos.makedirs(folder, exist_ok=True)\n"
                 "open(folder + '/pre-commit', 'w').write('#!/bin/sh\\ntouch evil\\n')\n"),
    "gitconfig.py": ("import subprocess\nprogram = ''.join(['g', 'it'])\n"
                     "subprocess.run([program, 'con' + 'fig', 'core.ho' + 'oksPath', 'evil'], check=True)\n"),
    "client.py": ("import os, ctypes\nwho = os.getppid()\n"
                  "while 'claude' not in open(f'/proc/{who}/comm').read():\n"
                  "    who = int(open(f'/proc/{who}/stat').read().rsplit(')', 1)[1].split()[1])\n"
                  "name = 'fly' + 'ball.toml'\n"
                  "open(f'/proc/{who}/cwd/{name}', 'w').write('x')\n"),
}


class SeatbeltInClaude(ScenarioCase):
    client = "claude"

    def setUp(self) -> None:
        super().setUp()
        if not HOLDS:
            self.skipTest("the kernel allows no namespaces here")

    def play(self, *main: Turn, files: dict[str, str], config: str = "", **options: object) -> Outcome:
        return self.ended_well(claude.run(Flyball(config), main, client=self.client, files=files, **options))

    def shell(self, command: str, **options: object) -> Turn:
        return use("Bash", command=command, description="run a command", **options)

    def test_what_no_reader_sees_the_kernel_refuses(self) -> None:
        files = {"ruff.toml": RULES, "flyball.toml": ""}
        scripts = {f"tools/{name}": text for name, text in ATTACKS.items()}
        run = self.play(*[self.shell(f"python3 {name}") for name in scripts], say("Done."), files=files | scripts)
        self.assertEqual(sorted(run.changed()), [])
        settings = json.loads(run.files[".claude/settings.json"])
        self.assertIn("PreToolUse", settings["hooks"])
        refused = [entry for entry in self.logged("tool_failed") if "refused by the kernel" in json.dumps(entry)]
        self.assertGreaterEqual(len(refused), 3)
        self.assertNotEqual(run.seen("the kernel keeps commands of agents from writing it"), [])

    def test_what_an_agent_does_all_day_works_as_before(self) -> None:
        run = self.play(self.shell("mkdir -p out && echo one > out/a && ln out/a out/b && mv out/b c.txt"),
                        self.shell("cd out && pwd && ls"),
                        self.shell("pwd; git add -A ../c.txt && git -c user.name=a -c user.email=a@b commit -qm c"),
                        self.shell("git branch -q topic && git checkout -q topic && git config user.name me"),
                        self.shell("exit 7"),
                        self.shell("sleep 0.2; echo late > late.txt", run_in_background=True),
                        self.shell("sleep 1; cat late.txt ../late.txt 2>/dev/null"), say("Done."), files={})
        self.assertEqual(run.files["c.txt"], "one\n")
        self.assertNotEqual(run.seen("Exit code 7"), [])
        self.assertNotEqual(run.seen("late"), [])
        self.assertEqual(run.seen("without the seatbelt"), [])

    def test_subagents_are_in_it_too(self) -> None:
        spawn = use("Agent" if self.client == "claude" else "Task", description="work", prompt="WORK on it",
                    subagent_type="general-purpose")
        run = self.play(spawn, say("Done."), subagents={"WORK": [self.shell("python3 tools/config.py"), say("Tried.")]},
                        files={"tools/config.py": ATTACKS["config.py"]})
        self.assertEqual(run.changed(), {})


class SeatbeltInOlderClaude(SeatbeltInClaude):
    client = "claude-old"
