"""Do the packages install with the clients that people use, without a network, and does the program run from them, also
as the hook of the plugin?"""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import time
import unittest
from pathlib import Path

from kit import ROOT, VERSION, PackageCase, one, tool

CALL = {"session_id": "s", "hook_event_name": "PreToolUse", "tool_name": "Bash", "tool_use_id": "t",
        "tool_input": {"command": "git push --force origin main"}}


def plugin(case: PackageCase, event: str, **more: str) -> dict:
    """What the plugin's hook answers, started by a shell as the client starts it."""
    hooks = json.loads((ROOT / "plugin/hooks/hooks.json").read_text())["hooks"]
    line = hooks[event][0]["hooks"][0]["command"]
    payload = CALL | {"hook_event_name": event, "cwd": str(case.project), "transcript_path": str(case.world / "none")}
    done = subprocess.run(["sh", "-c", line], input=json.dumps(payload), cwd=case.project, text=True,
                          env=case.env(CLAUDE_PROJECT_DIR=str(case.project), **more), capture_output=True, check=False)
    case.assertEqual((done.returncode, done.stderr), (0, ""), line)
    return json.loads(done.stdout)


class Plugin(PackageCase):
    def test_without_the_program_it_says_where_to_get_it(self) -> None:
        said = plugin(self, "SessionStart", PATH="/usr/bin:/bin")["systemMessage"]
        self.assertRegex(said, r"^Install flyball \(https://\S+#install\): it guards agents in this project, and is not "
                               r"installed here\.")
        self.assertIn("## Install\n", (ROOT / "README.md").read_text())


class Npm(PackageCase):
    def install(self, *packages: object) -> None:
        self.passed("npm", "init", "--yes")
        self.passed("npm", "install", "--no-audit", "--no-fund", *packages)

    def test_the_program_runs_from_both_packages_and_stops_with_the_launcher(self) -> None:
        self.install(one("flyball-npm-*.tgz"), one("flyball-linux-*.tgz"))
        self.assertEqual(self.passed("npx", "flyball", "--version").split()[:2], ["flyball", VERSION])
        self.assertIn("flyball init", self.passed("npx", "flyball", "demo"))
        done = self.run_in(self.project, "npx", "flyball", "no-such-command")
        self.assertEqual((done.returncode, done.stdout), (2, ""))
        self.stop_the_launcher(self.project / "node_modules" / ".bin" / "flyball")

    def test_without_the_package_of_the_platform_it_says_what_to_install(self) -> None:
        self.install(one("flyball-npm-*.tgz"))
        done = self.run_in(self.project, "npx", "flyball", "--version")
        self.assertEqual((done.returncode, done.stdout), (1, ""))
        self.assertRegex(done.stderr, r"^error: the package @flyball/linux-\w+, which has the program for this machine, "
                                      rf"is not there\n  fix: .*--include=optional flyball@{VERSION}\n")

    def stop_the_launcher(self, launcher: Path) -> None:
        # The tool server waits for its client.
        started = subprocess.Popen([launcher, "mcp"], cwd=self.project, env=self.env(), stdin=subprocess.PIPE,
                                   stdout=subprocess.DEVNULL, start_new_session=True)
        self.addCleanup(started.stdin.close)
        children = Path(f"/proc/{started.pid}/task/{started.pid}/children")
        deadline = time.monotonic() + 30
        while not (found := children.read_text().split()):
            self.assertLess(time.monotonic(), deadline, "the launcher started nothing")
            time.sleep(0.02)
        started.send_signal(signal.SIGTERM)
        self.assertEqual(started.wait(30), -signal.SIGTERM)
        self.assertFalse(os.path.exists(f"/proc/{found[0]}/exe"), "the program still runs")

    def test_installed_for_all_projects_hooks_start_the_program_and_not_the_launcher(self) -> None:
        self.install("--global", f"--prefix={self.world / 'node'}", one("flyball-npm-*.tgz"), one("flyball-linux-*.tgz"))
        path = f"{self.world / 'node' / 'bin'}:{os.environ['PATH']}"
        self.assertEqual(plugin(self, "PreToolUse", PATH=path)["hookSpecificOutput"]["permissionDecision"], "deny")
        self.passed("git", "init", "--quiet")
        self.passed("flyball", "init", "--yes", PATH=path)
        link = self.home / ".local" / "state" / "flyball" / "bin" / "flyball"
        self.assertRegex(str(link.resolve()), r"/node_modules/@flyball/linux-\w+/bin/flyball$")
        shown = self.run_in(self.project, "flyball", "doctor", PATH=path).stdout
        self.assertNotIn("is another program", shown)

    def test_in_a_project_init_warns_that_the_packages_of_a_project_go(self) -> None:
        self.install(one("flyball-npm-*.tgz"), one("flyball-linux-*.tgz"))
        self.passed("git", "init", "--quiet")
        shown = self.passed("npx", "flyball", "init", "--dry-run")
        self.assertIn("is in the packages of a project: if it is deleted, hooks fail.", shown)


class Python(PackageCase):
    def test_pip_installs_the_wheel(self) -> None:
        # A pip of its own would take a virtual environment ten times as long to make.
        self.passed(sys.executable, "-m", "venv", "--without-pip", self.world / "venv")
        pip = [sys.executable, "-m", "pip", "--python", self.world / "venv/bin/python", "--disable-pip-version-check"]
        self.passed(*pip, "install", one("*.whl"))
        self.assertEqual(self.passed(self.world / "venv/bin/flyball", "--version").split()[:2], ["flyball", VERSION])
        path = f"{self.world / 'venv/bin'}:{os.environ['PATH']}"
        self.assertEqual(plugin(self, "PreToolUse", PATH=path)["hookSpecificOutput"]["permissionDecision"], "deny")
        shown = self.passed(*pip, "show", "--files", "flyball")
        self.assertRegex(shown, r"(?s)Name: flyball\n.*\.dist-info/licenses/LICENSE-MIT\n")
        self.passed(*pip, "uninstall", "--yes", "flyball")
        self.assertFalse((self.world / "venv/bin/flyball").exists())

    def test_uvx_runs_the_wheel(self) -> None:
        self.passed("git", "init", "--quiet")
        done = self.run_in(self.project, tool("FLYBALL_PACKAGES_DIR", "uvx"), "--from", one("*.whl"), "flyball", "doctor")
        # 1: something is to be fixed, because nothing is registered yet.
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertIn("1 thing to fix", done.stdout)


class Linux(PackageCase):
    def test_the_deb_has_its_files_where_debian_wants_them(self) -> None:
        root = self.world / "root"
        self.passed("dpkg-deb", "-x", one("*.deb"), root)
        self.assertEqual(self.passed(root / "usr/bin/flyball", "--version").split()[:2], ["flyball", VERSION])
        for name in ("usr/share/man/man1/flyball-init.1.gz", "usr/share/bash-completion/completions/flyball",
                     "usr/share/doc/flyball/copyright"):
            self.assertTrue((root / name).is_file(), name)
        self.passed("dpkg-deb", "--control", one("*.deb"), self.world / "control")
        sums = subprocess.run(["md5sum", "--check", "--quiet", self.world / "control" / "md5sums"], cwd=root, check=False)
        self.assertEqual(sums.returncode, 0)
        fields = self.passed("dpkg-deb", "--field", one("*.deb"), "Package", "Version", "Recommends")
        self.assertEqual(fields, f"Package: flyball\nVersion: {VERSION}\nRecommends: git\n")

    @unittest.skipUnless(shutil.which("rpmbuild"), "rpmbuild is not installed; the release workflow has it")
    def test_the_rpm_installs_into_a_root(self) -> None:
        root = self.world / "root"
        self.passed("rpm", "--root", root, "--dbpath", "/db", "--install", "--nodeps", "--noscripts", "--ignorearch",
                    one("*.rpm"))
        self.assertEqual(self.passed(root / "usr/bin/flyball", "--version").split()[:2], ["flyball", VERSION])
        self.assertTrue((root / "usr/share/man/man1/flyball-init.1.gz").is_file())

    def test_the_program_of_the_image_runs_in_an_empty_root(self) -> None:
        # There is no container engine here: what the image holds must not need anything beside it.
        found = one("image/*/flyball")
        copies = [line.split() for line in (ROOT / "scripts/packaging/Dockerfile").read_text().splitlines()
                  if line.startswith("COPY")]
        self.assertEqual(copies, [["COPY", "--chmod=755", "image/${TARGETARCH}/flyball", "/flyball"]])
        root = self.world / "root"
        root.mkdir()
        shutil.copy(found, root / "flyball")
        (root / "flyball").chmod(0o755)
        shown = self.passed("unshare", "--user", "--map-root-user", "--root", root, "/flyball", "--version")
        self.assertEqual(shown.split()[:2], ["flyball", VERSION])
