"""Does install.sh install, update and remove, and change nothing where the checksum is wrong?"""

from __future__ import annotations

import functools
import http.server
import os
import shutil
import subprocess
import threading
from pathlib import Path

from kit import ROOT, VERSION, PackageCase, one, release


class Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_: object) -> None:
        pass


class Install(PackageCase):
    def setUp(self) -> None:
        super().setUp()
        self.bin = self.home / ".local" / "bin"
        self.program = self.bin / "flyball"

    def install(self, *words: object, **more: str) -> subprocess.CompletedProcess[str]:
        return self.run_in(self.project, "sh", ROOT / "install.sh", *words, **more)

    def installed(self, *words: object, **more: str) -> str:
        done = self.install(*words, **more)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        return done.stdout

    def refused(self, *words: object, **more: str) -> str:
        done = self.install(*words, **more)
        self.assertEqual((done.returncode, done.stdout), (1, ""), done.stderr)
        self.assertEqual([path.name for path in self.world.iterdir() if path.name.startswith("tmp")], [])
        return done.stderr

    def own_release(self) -> Path:
        """A release that may be spoilt."""
        place = self.world / "release"
        place.mkdir()
        for path in (one("*.tar.gz"), release() / "SHA256SUMS"):
            shutil.copy(path, place)
        return place

    def serve(self, folder: Path) -> str:
        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory=folder))
        threading.Thread(target=server.serve_forever, daemon=True).start()
        self.addCleanup(server.server_close)
        self.addCleanup(server.shutdown)
        return f"http://127.0.0.1:{server.server_port}"

    def test_it_installs_over_loopback_updates_and_uninstalls(self) -> None:
        address = self.serve(release())
        shown = self.installed("--from", address)
        self.assertEqual(shown.splitlines()[:2], [
            f"installed flyball {VERSION} in {self.bin}",
            f"note: {self.bin} is not on the search path; add it, or start the program by its full path"])
        before = self.program.stat().st_ino
        path = f"{self.bin}:{os.environ['PATH']}"
        shown = self.installed("--from", address, "--version", f"v{VERSION}", PATH=path)
        self.assertEqual(shown.splitlines()[0], f"replaced flyball {VERSION} by flyball {VERSION} in {self.bin}")
        self.assertNotIn("note:", shown)
        self.assertNotEqual(self.program.stat().st_ino, before, "a program that runs is not written over")
        self.assertEqual([path.name for path in self.bin.iterdir()], ["flyball"])
        self.passed("git", "init", "--quiet")
        self.passed(self.program, "init", "--yes")
        registered = [path for path in self.project.rglob("*.json") if "flyball" in path.read_text()]
        self.assertTrue(registered)
        self.assertIn(f"removed {self.program}\n", self.installed("--uninstall"))
        self.assertFalse(self.program.exists())
        self.assertEqual([path for path in registered if path.exists() and "flyball" in path.read_text()], [])

    def test_a_folder_and_a_file_address_are_places_too(self) -> None:
        self.installed("--dir", "here", FLYBALL_FROM=str(release()))
        self.installed("--dir", self.world / "there", "--from", release().as_uri())
        for folder in (self.project / "here", self.world / "there"):
            self.assertEqual(self.passed(folder / "flyball", "--version").split()[:2], ["flyball", VERSION])

    def test_it_runs_from_standard_input(self) -> None:
        done = subprocess.run(["sh", "-s", "--", "--from", release()], input=(ROOT / "install.sh").read_bytes(),
                              env=self.env(), cwd=self.project, capture_output=True, check=False)
        self.assertEqual((done.returncode, done.stderr), (0, b""))
        self.assertTrue(self.program.exists())

    def test_half_a_script_does_nothing(self) -> None:
        text = (ROOT / "install.sh").read_bytes()
        for length in (len(text) // 2, text.index(b"\nmain ")):
            subprocess.run(["sh", "-s", "--", "--from", release()], input=text[:length], env=self.env(),
                           cwd=self.project, capture_output=True, check=False)
            self.assertFalse(self.bin.exists())

    def test_a_wrong_checksum_changes_nothing(self) -> None:
        place = self.own_release()
        self.installed("--from", place)
        before = self.program.stat()
        archive = next(place.glob("*.tar.gz"))
        with archive.open("ab") as file:
            file.write(b"\n")
        error = self.refused("--from", place)
        self.assertRegex(error, rf"^error: {archive.name} is not what the release promises: its checksum is "
                                r"[0-9a-f]{64}, expected is [0-9a-f]{64}\n  fix: .*\n$")
        self.assertEqual(self.program.stat(), before)

    def test_what_is_not_there_is_named(self) -> None:
        place = self.own_release()
        error = self.refused("--from", place, "--version", "9.9.9")
        self.assertIn(f"error: {place} has version {VERSION}, not 9.9.9\n", error)
        sums = place / "SHA256SUMS"
        sums.write_text(sums.read_text().replace("unknown-linux", "unknown-system"))
        self.assertRegex(self.refused("--from", place), r"error: the release has no program for \w+-unknown-linux-gnu\n")
        sums.unlink()
        self.assertIn(f"error: {place}/SHA256SUMS cannot be had\n", self.refused("--from", place))
        self.assertIn("is not an https address", self.refused("--from", "http://example.invalid"))
        self.assertIn("error: there is no option `--force`\n", self.refused("--force"))
        self.assertIn(f"error: there is no {self.program}\n", self.refused("--uninstall"))
