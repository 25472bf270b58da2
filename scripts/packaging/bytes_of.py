"""Archives whose bytes depend on nothing but what is in them: sorted, one time for all, no owner."""

from __future__ import annotations

import gzip
import io
import tarfile
import time
import zipfile
from dataclasses import dataclass


@dataclass(frozen=True)
class File:
    content: bytes
    mode: int = 0o644


Tree = dict[str, File]      # by path, with slashes


def tar(tree: Tree, epoch: int) -> bytes:
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w", format=tarfile.GNU_FORMAT) as archive:
        for path, file in sorted(tree.items()):
            entry = tarfile.TarInfo(path)
            entry.size, entry.mode, entry.mtime = len(file.content), file.mode, epoch
            entry.uname = entry.gname = "root"
            archive.addfile(entry, io.BytesIO(file.content))
    return out.getvalue()


def tar_gz(tree: Tree, epoch: int, level: int) -> bytes:
    return gz(tar(tree, epoch), level)


def gz(content: bytes, level: int) -> bytes:
    return gzip.compress(content, level, mtime=0)


def zipped(tree: Tree, epoch: int, level: int) -> bytes:
    out = io.BytesIO()
    # A zip has local time from 1980 on, to two seconds.
    moment = max(time.gmtime(epoch)[:6], (1980, 1, 1, 0, 0, 0))
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED, compresslevel=level) as archive:
        for path, file in tree.items():
            entry = zipfile.ZipInfo(path, moment)
            entry.compress_type, entry.create_system = zipfile.ZIP_DEFLATED, 3
            entry.external_attr = (0o100000 | file.mode) << 16
            archive.writestr(entry, file.content)
    return out.getvalue()


def ar(members: list[tuple[str, bytes]], epoch: int) -> bytes:
    """The format of Debian's packages; the order of the members means something."""
    out = b"!<arch>\n"
    for name, content in members:
        out += f"{name:<16}{epoch:<12}0     0     100644  {len(content):<10}`\n".encode() + content
        out += b"\n" * (len(content) % 2)
    return out
