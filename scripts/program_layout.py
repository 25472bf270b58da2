"""Reads where a linked program has its functions and data, under names that outlive a build.

A symbol is known by its name as people read it, without the hashes of a compiler. A constant without a name is known by
what is in it and what it points to, because its number is another one after each change of its crate.
"""

import bisect
import re
import struct
import subprocess
import zlib
from pathlib import Path

# Of longer names, the rest is a checksum.
LONGEST_NAME = 80
# Symbols of functions and data; weak ones too.
SYMBOL_KINDS = "tTwWdDbBrRvV"
# What a section of a constant without a name is called: one of Rust, and one that LLVM shares between parts of a crate.
CONSTANT = re.compile(r"^\.rodata\.(\.L|anon\.)")
# What a section of a constant with a name is called.
NAMED = re.compile(r"^\.rodata\._R")
# `VMA LMA Size Align FILE:(SECTION)` in the linker's map; symbols are indented further.
IN_MAP = re.compile(r"^\s*([0-9a-f]+)\s+[0-9a-f]+\s+([0-9a-f]+)\s+\d+ {9}(\S.*):\((\.rodata[^()]*)\)$")
# An object in an archive.
MEMBER = re.compile(r"\(([^()]+)\)$")
SECTION_HEADER = struct.Struct("<IIQQQQIIQQ")
SYMBOL = struct.Struct("<IBBHQQ")
RELOCATION = struct.Struct("<QQq")
RELOCATIONS_WITH_ADDEND = 4
SYMBOL_TABLE = 2
NO_BYTES = 8


def symbols(program):
    """Name as people read it → symbols."""
    by_name = {}
    for symbol, name in zip(nm(program), nm(program, "--demangle=rust")):
        if symbol[0] in SYMBOL_KINDS and not symbol[2:].startswith(".L"):
            by_name.setdefault(readable(name[2:]), []).append(symbol[2:])
    return by_name


def places(program):
    """(start, end, name as people read it) of each symbol that has a length, in the order of addresses."""
    # Address and length; names as people read them contain spaces.
    pattern = re.compile(r"^(.*) ([A-Za-z]) ([0-9a-f]+) ([0-9a-f]+)$")
    found = (pattern.match(line) for line in nm_lines(program, "--demangle=rust"))
    named = (it for it in found if it and it[2] in SYMBOL_KINDS and not it[1].startswith(".L"))
    starts = ((match, int(match[3], 16)) for match in named)
    return sorted((start, start + int(match[4], 16), readable(match[1])) for match, start in starts)


def nm(program, *options):
    pattern = re.compile(r"^(.*) ([A-Za-z]) (?:[0-9a-f]+ ?){0,2}$")
    found = (pattern.match(line) for line in nm_lines(program, *options))
    return [f"{match[2]} {match[1]}" if match else "? ?" for match in found]


def nm_lines(program, *options):
    command = ["nm", "--no-sort", "--format=posix", *options, str(program)]
    done = subprocess.run(command, check=True, capture_output=True, text=True, errors="replace")
    return done.stdout.splitlines()


def readable(name):
    """Without what a compiler adds to the names of parts of a function. Types make some names very long."""
    name = re.sub(r" \(?\.(llvm|cold|isra|constprop|part)\.?[0-9]*\)?", "", name)
    if len(name) <= LONGEST_NAME:
        return name
    return f"{name[:LONGEST_NAME]}… {zlib.crc32(name.encode()):08x}"


def constants_in(map_file):
    """(start, end, (file, section)) of the inputs of a link with constants, from the linker's map, in the order of
    addresses. What the linker makes of several ones cannot be moved."""
    with open(map_file, errors="replace") as lines:
        found = (IN_MAP.match(line) for line in lines)
        starts = ((match, int(match[1], 16)) for match in found if match and match[3] != "<internal>")
        return sorted((start, start + int(match[2], 16), (match[3], match[4])) for match, start in starts if int(match[2], 16))


def at(ranges, address):
    """The range of a sorted list that an address is in; None if it is in none."""
    place = bisect.bisect_right(ranges, address, key=lambda it: it[0])
    found = ranges[place - 1] if place else None
    return found if found and address < found[1] else None


class Constants:
    """The constants of a program that was linked with its relocations and a map."""

    def __init__(self, program, map_file):
        self.bytes = Path(program).read_bytes()
        self.ranges = constants_in(map_file)
        self.places = places(program)
        self.pointers = self._pointers()
        self.addresses = sorted(self.pointers)

    def _headers(self):
        offset, = struct.unpack_from("<Q", self.bytes, 0x28)
        count, = struct.unpack_from("<H", self.bytes, 0x3C)
        return [SECTION_HEADER.unpack_from(self.bytes, offset + at * SECTION_HEADER.size) for at in range(count)]

    def _pointers(self):
        """Address of each pointer in read-only data → the address that it holds."""
        headers = self._headers()
        # Where the bytes of an address are in the file.
        self.loaded = [(it[3], it[3] + it[5], it[4]) for it in headers if it[3] and it[1] != NO_BYTES]
        table = next(it for it in headers if it[1] == SYMBOL_TABLE)
        values = [it[4] for it in SYMBOL.iter_unpack(self.bytes[table[4] : table[4] + table[5]])]
        first, last = (self.ranges[0][0], self.ranges[-1][1]) if self.ranges else (0, 0)
        pointers = {}
        for header in headers:
            if header[1] != RELOCATIONS_WITH_ADDEND:
                continue
            # Only those of a section with constants; code has most of them.
            start = headers[header[7]][3]
            if not start or start >= last or start + headers[header[7]][5] <= first:
                continue
            content = self.bytes[header[4] : header[4] + header[5]]
            for place, info, addend in RELOCATION.iter_unpack(content):
                pointers[place] = values[info >> 32] + addend
        return pointers

    def content(self, start, end):
        for first, last, offset in self.loaded:
            if first <= start < last:
                return bytearray(self.bytes[offset + start - first : offset + end - first])
        return bytearray()

    def identity(self, start, end, where):
        """What a constant is known by in another build: its name, a checksum of its bytes and of what it points to, or the
        object of a C library that it is in."""
        file, section = where
        if NAMED.match(section) and (symbol := at(self.places, start)):
            return symbol[2]
        if not CONSTANT.match(section):
            return f"{object_in(file)}({section})"
        content, targets = self._own(start, end)
        named = "".join(f"\n{offset} {self._target(target)}" for offset, target in targets)
        return f"{zlib.crc32(bytes(content)):08x}{zlib.crc32(named.encode()):08x}{end - start:x}"

    def _own(self, start, end):
        """The bytes with zeros for pointers, and the pointers with their offsets."""
        content = self.content(start, end)
        first, last = bisect.bisect_left(self.addresses, start), bisect.bisect_left(self.addresses, end)
        targets = [(place - start, self.pointers[place]) for place in self.addresses[first:last]]
        for offset, _ in targets:
            content[offset : offset + 8] = bytes(8)
        return content, targets

    def _target(self, address):
        symbol = at(self.places, address)
        if symbol:
            return symbol[2]
        constant = at(self.ranges, address)
        if not constant:
            return ""
        content, _ = self._own(constant[0], constant[1])
        return f"{zlib.crc32(bytes(content)):08x}"

    def by_identity(self):
        """Identity → how a script of the linker names the sections."""
        found = {}
        for start, end, (file, section) in self.ranges:
            is_alone = CONSTANT.match(section) or NAMED.match(section)
            name = section if is_alone else f"*{object_in(file)}({section})"
            found.setdefault(self.identity(start, end, (file, section)), []).append(name)
        return found


def object_in(file):
    member = MEMBER.search(file)
    return member[1] if member else Path(file).name
