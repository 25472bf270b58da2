"""The table of platforms that a release is built for. Nothing else lists them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path


class Problem(Exception):
    """What went wrong and what to do, for the person at the terminal."""

    def __init__(self, what: str, fix: str) -> None:
        super().__init__(f"error: {what}\n  fix: {fix}")


@dataclass(frozen=True)
class Platform:
    npm: str                # as Node names it: process.platform-process.arch
    target: str             # as Rust names it
    runner: str             # what the release workflow builds it on
    wheel: str              # as Python names it
    start: str              # the first bytes of its programs, with dots for those that differ
    deb: str = ""           # as Debian names the processor; empty where there is no such package
    rpm: str = ""

    @property
    def program(self) -> str:
        return "flyball.exe" if self.is_windows else "flyball"

    @property
    def is_windows(self) -> bool:
        return "windows" in self.target


# The Linux programs are static, so they run with any C library, or none.
PLATFORMS = [
    Platform("linux-x64", "x86_64-unknown-linux-gnu", "ubuntu-24.04",
             "manylinux_2_17_x86_64.manylinux2014_x86_64.musllinux_1_1_x86_64",
             "7f454c46" + ".." * 14 + "3e00", "amd64", "x86_64"),
    Platform("linux-arm64", "aarch64-unknown-linux-gnu", "ubuntu-24.04-arm",
             "manylinux_2_17_aarch64.manylinux2014_aarch64.musllinux_1_1_aarch64",
             "7f454c46" + ".." * 14 + "b700", "arm64", "aarch64"),
    Platform("darwin-arm64", "aarch64-apple-darwin", "macos-15", "macosx_11_0_arm64", "cffaedfe0c000001"),
    Platform("darwin-x64", "x86_64-apple-darwin", "macos-15-intel", "macosx_10_12_x86_64", "cffaedfe07000001"),
    Platform("win32-x64", "x86_64-pc-windows-msvc", "windows-2025", "win_amd64", "4d5a"),
]


def of_binary(path: Path) -> Platform:
    """The platform that a program was built for, by its first bytes."""
    try:
        with path.open("rb") as file:
            start = file.read(32).hex()
    except OSError as cause:
        raise Problem(f"{path} cannot be read: {cause.strerror}",
                      "build the program first: `cargo build --profile dist -p flyball`") from cause
    for platform in PLATFORMS:
        if re.match(platform.start, start):
            return platform
    raise Problem(f"{path} is no program of a platform in scripts/packaging/platform.py", "name the built program")
