#!/usr/bin/env python3
"""What it would save `flyball undo` to share blocks with the files that it copies (btrfs, xfs) instead of writing them.

    sudo bench/reflink.py        # Linux; half a minute; needs mkfs.btrfs or mkfs.xfs, and 3 GB in /tmp

The copy is named by the hash of its content, and only what was read from the copy itself is sure to be in it. So a shared
copy is made first and then read, which the disk has to do again; an ordinary one is written from what was read.
"""

from __future__ import annotations

import fcntl
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

FICLONE = 0x40049409
LONGEST = 1 << 26
ROUNDS = 5
MIB = 1024 * 1024


def shared(source: Path, copy: Path) -> None:
    given = os.open(source, os.O_RDONLY)
    made = os.open(copy, os.O_CREAT | os.O_RDWR, 0o600)
    fcntl.ioctl(made, FICLONE, given)
    os.close(given)
    os.read(made, LONGEST)
    os.close(made)


def written(source: Path, copy: Path) -> None:
    content = source.read_bytes()
    made = os.open(copy, os.O_CREAT | os.O_WRONLY, 0o600)
    os.write(made, content)
    os.close(made)


def fill(folder: Path) -> None:
    for name in ("small", "large"):
        (folder / name).mkdir()
    for number in range(3000):
        (folder / f"small/{number}").write_text(f"value = {number}\n" * 40)
    for number in range(8):
        (folder / f"large/{number}").write_bytes(os.urandom(15 * MIB))
    os.sync()


def measure(folder: Path, system: str) -> None:
    fill(folder)
    for kind, what in (("small", "3,000 files of 500 bytes"), ("large", "8 files of 15 MiB")):
        times: dict[str, list[float]] = {"written": [], "shared": []}
        for _ in range(ROUNDS):
            for way in (written, shared):
                copies = folder / "copies"
                shutil.rmtree(copies, ignore_errors=True)
                copies.mkdir()
                os.sync()
                sources = sorted((folder / kind).iterdir())
                for source in sources:
                    source.read_bytes()
                begun = time.perf_counter()
                for source in sources:
                    way(source, copies / source.name)
                times[way.__name__].append((time.perf_counter() - begun) * 1000)
        shown = " | ".join(f"{min(times[way]):.0f} ms ({statistics.median(times[way]):.0f})" for way in times)
        print(f"| {system}, {what} | {shown} |")


def main() -> None:
    if os.geteuid() != 0:
        sys.exit("a file system can only be mounted by root")
    if "--inside" not in sys.argv:
        # Nobody else sees what is mounted, and it is gone with this process.
        os.execvp("unshare", ["unshare", "--mount", sys.executable, __file__, "--inside"])
    print("| | written: best (median) | shared, then read |\n|---|---:|---:|")
    for system in ("btrfs", "xfs"):
        if not shutil.which(f"mkfs.{system}"):
            print(f"mkfs.{system} is not installed: {system} is not measured")
            continue
        with tempfile.TemporaryDirectory() as scratch:
            image, folder = Path(scratch) / "image", Path(scratch) / "mounted"
            folder.mkdir()
            with image.open("wb") as file:
                file.truncate(3 * 1024 * MIB)
            subprocess.run([f"mkfs.{system}", image], check=True, capture_output=True)
            subprocess.run(["mount", "-o", "loop", image, folder], check=True)
            try:
                measure(folder, system)
            finally:
                subprocess.run(["umount", folder], check=True)


if __name__ == "__main__":
    main()
