"""Is a release the same whoever makes it, complete, and true about what is in it?"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import subprocess
import tarfile
import zipfile
from pathlib import Path

from kit import ROOT, VERSION, PackageCase, one, package, program, release

# What can be packed but says nothing: the bytes of packages must not depend on when and where they are made.
NOTHING = "int main(void) { return 0; }\n"


class Release(PackageCase):
    def make(self, name: str, kinds: list[str], **more: str) -> dict[str, bytes]:
        out = self.world / name
        package("platform", self.world / "flyball", out, "--only", *kinds, **more)
        package("release", out, **more)
        return {path.name: path.read_bytes() for path in out.iterdir()}

    def test_two_runs_make_the_same_bytes(self) -> None:
        (self.world / "nothing.c").write_text(NOTHING)
        subprocess.run(["cc", "-static", "-o", self.world / "flyball", self.world / "nothing.c"], check=True)
        kinds = ["archive", "sbom", "npm", "wheel", "deb", *(["rpm"] if shutil.which("rpmbuild") else [])]
        one_time, umask = "1700000000", os.umask(0o077)
        try:
            first = self.make("first", kinds, SOURCE_DATE_EPOCH=one_time, TZ="Asia/Tokyo")
        finally:
            os.umask(umask)
        (self.world / "flyball").touch()
        second = self.make("second", kinds, SOURCE_DATE_EPOCH=one_time, LC_ALL="C")
        self.assertEqual(sorted(first), sorted(second))
        self.assertEqual([name for name in first if first[name] != second[name]], [])
        third = self.make("third", ["archive"], SOURCE_DATE_EPOCH="1700000002")
        archive = next(name for name in first if name.endswith(".tar.gz"))
        self.assertNotEqual(third[archive], first[archive])

    def test_the_checksums_are_those_of_all_files(self) -> None:
        lines = (release() / "SHA256SUMS").read_text().splitlines()
        listed = {line.split()[1]: line.split()[0] for line in lines}
        files = {path.name for path in release().iterdir() if path.is_file()}
        self.assertEqual(set(listed) | {"SHA256SUMS"}, files)
        for name, checksum in listed.items():
            self.assertEqual(hashlib.sha256((release() / name).read_bytes()).hexdigest(), checksum, name)

    def test_the_archive_has_the_program_its_pages_and_the_licences(self) -> None:
        with tarfile.open(one("*.tar.gz")) as archive:
            names = archive.getnames()
            folder = names[0].partition("/")[0]
            self.assertEqual(one("*.tar.gz").name, f"{folder}.tar.gz")
            self.assertEqual(archive.extractfile(f"{folder}/flyball").read(), program().read_bytes())
            self.assertEqual(archive.getmember(f"{folder}/flyball").mode, 0o755)
            notices = archive.extractfile(f"{folder}/THIRD-PARTY-LICENSES").read().decode()
        bill = json.loads(one("*.cdx.json").read_bytes())
        for part in bill["components"]:
            if not part["name"].startswith("flyball"):
                self.assertIn(f"{part['name']} {part['version']}", notices)
        for name in ("LICENSE-MIT", "LICENSE-APACHE", "README.md", "man/man1/flyball.1", "man/man1/flyball-init.1",
                     "completions/flyball.bash", "completions/_flyball", "completions/flyball.fish"):
            self.assertIn(f"{folder}/{name}", names)

    def test_the_bill_lists_what_is_linked_and_not_what_tests_need(self) -> None:
        bill = json.loads(one("*.cdx.json").read_bytes())
        names = {part["name"] for part in bill["components"]}
        self.assertLessEqual({"clap", "ring", "libsqlite3-sys", "flyball-core"}, names)
        self.assertTrue(names.isdisjoint({"tempfile", "flyball-testkit", "opentelemetry-proto", "proptest"}), names)
        ours = bill["metadata"]["component"]
        self.assertEqual((ours["name"], ours["version"]), ("flyball", VERSION))
        self.assertEqual(ours["hashes"][0]["content"], hashlib.sha256(program().read_bytes()).hexdigest())
        unlicensed = [part["name"] for part in bill["components"] if "licenses" not in part]
        foreign = [part for part in bill["components"] if not part["name"].startswith("flyball")]
        self.assertEqual((unlicensed, [part["name"] for part in foreign if "hashes" not in part]), ([], []))
        refs = {part["bom-ref"] for part in bill["components"]} | {ours["bom-ref"]}
        self.assertEqual({entry["ref"] for entry in bill["dependencies"]}, refs)
        with zipfile.ZipFile(one("*.whl")) as wheel:
            inside = wheel.read(f"flyball-{VERSION}.dist-info/sboms/flyball.cdx.json")
        self.assertEqual(json.loads(inside), bill)

    def test_all_platforms_are_in_the_main_package(self) -> None:
        matrix = json.loads(package("matrix"))["include"]
        with tarfile.open(one("flyball-npm-*.tgz")) as archive:
            manifest = json.load(archive.extractfile("package/package.json"))
        self.assertEqual(len(manifest["optionalDependencies"]), len(matrix))
        self.assertEqual(set(manifest["optionalDependencies"].values()), {VERSION})

    def test_the_formula_has_the_checksum_of_the_archive(self) -> None:
        formula = one("flyball.rb").read_text()
        archive = one("*.tar.gz")
        self.assertIn(f'/releases/download/v{VERSION}/{archive.name}"\n      sha256 '
                      f'"{hashlib.sha256(archive.read_bytes()).hexdigest()}"\n', formula)
        if shutil.which("ruby"):
            self.passed("ruby", "-c", one("flyball.rb"))

    def test_what_cannot_be_packed_is_refused_with_a_fix(self) -> None:
        script = self.world / "flyball"
        script.write_text("#!/bin/sh\n")
        # Where cargo has its toolchain: not always in the home.
        cargo = {name: os.environ[name] for name in ("HOME", "RUSTUP_HOME", "CARGO_HOME") if name in os.environ}
        for path, what in [(script, "is no program of a platform"), (self.world / "gone", "cannot be read")]:
            done = self.run_in(ROOT, ROOT / "scripts/package", "platform", path, self.world / "out",
                               **cargo)
            self.assertEqual((done.returncode, done.stdout), (1, ""))
            self.assertRegex(done.stderr, rf"^error: {path} {what}.*\n  fix: .*\n$")
        done = self.run_in(ROOT, ROOT / "scripts/package", "matrix", "--tag", "v9.9.9", **cargo)
        self.assertRegex(done.stderr, rf"^error: the tag v9.9.9 is not that of version {VERSION}\n  fix: .*\n$")

    def test_cargo_binstall_finds_the_archive_where_it_is(self) -> None:
        command = ["cargo", "metadata", "--locked", "--offline", "--no-deps", "--format-version=1"]
        found = json.loads(subprocess.run(command, cwd=ROOT, check=True, capture_output=True).stdout)
        ours = next(one for one in found["packages"] if one["name"] == "flyball")
        rules = ours["metadata"]["binstall"]
        archive = one("*.tar.gz").name.removesuffix(".tar.gz")
        words = {"repo": ours["repository"], "version": VERSION, "target": archive.removeprefix(f"flyball-{VERSION}-"),
                 "bin": "flyball", "binary-ext": ""}

        def filled(pattern: str) -> str:
            for word, value in words.items():
                pattern = pattern.replace(f"{{ {word} }}", value)
            return pattern
        self.assertEqual(filled(rules["pkg-url"]), f"{ours['repository']}/releases/download/v{VERSION}/{archive}.tar.gz")
        self.assertEqual(Path(filled(rules["bin-dir"])), Path(archive, "flyball"))
