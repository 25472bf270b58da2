"""Reads the modules of a Rust crate and who imports what from whom, as text.

Enough of Rust to find import circles: `mod` declarations make the tree of modules, `use` declarations and
qualified paths make the arrows. A name that a module only re-exports leads to the module that defines it, so a
front door (`mod.rs` with `pub use`) makes no circle. Test code does not count.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path

ITEM = re.compile(
    r"^(?:pub(?:\([^)]*\))?\s+)?(?:const\s+|async\s+|unsafe\s+|extern\s+\"[^\"]*\"\s+)*"
    r"(?:fn|struct|enum|union|trait|type|const|static(?:\s+mut)?|macro_rules!)\s+(\w+)", re.M)
MODULE = re.compile(r"^\s*(?P<attributes>(?:#\[[^\]]*\]\s*)*)(?:pub(?:\([^)]*\))?\s+)?mod\s+(?P<name>(?:r#)?\w+)\s*;", re.M)
USE = re.compile(r"^\s*(?P<attributes>(?:#\[[^\]]*\]\s*)*)(?P<public>pub(?:\([^)]*\))?\s+)?use\s+(?P<tree>[^;]+);", re.M)
QUALIFIED = re.compile(r"(?<![\w:])((?:r#)?[A-Za-z_]\w*(?:::(?:r#)?\w+)+)")


@dataclass
class Module:
    path: tuple[str, ...]
    file: Path
    children: dict[str, tuple[str, ...]] = field(default_factory=dict)
    items: set[str] = field(default_factory=set)
    # What a name of this module means: the path it was imported from, and whether others see it.
    imports: dict[str, list[str]] = field(default_factory=dict)
    globs: list[list[str]] = field(default_factory=list)
    body: str = ""


def without_noise(text: str) -> str:
    """The text without comments, string contents and inline test modules."""
    text = re.sub(r'r(#+)".*?"\1', '""', text, flags=re.S)
    text = re.sub(r'"(?:\\.|[^"\\])*"', '""', text, flags=re.S)
    text = re.sub(r"//[^\n]*", "", text)
    text = re.sub(r"/\*.*?\*/", "", text, flags=re.S)
    text = re.sub(r"'(?:\\.|[^'\\\n])'", "' '", text)
    return without_inline_tests(text)


def without_inline_tests(text: str) -> str:
    while True:
        start = re.search(r"#\[cfg\((?:test|all\(test[^)]*\))\)\]\s*(?:#\[[^\]]*\]\s*)*(?:pub(?:\([^)]*\))?\s+)?mod\s+\w+\s*\{", text)
        if not start:
            return text
        text = text[: start.start()] + text[block_end(text, start.end()):]


def block_end(text: str, position: int) -> int:
    """Where the block ends whose opening brace is just before `position`."""
    depth = 1
    while position < len(text) and depth:
        depth += {"{": 1, "}": -1}.get(text[position], 0)
        position += 1
    return position


def flatten(tree: str) -> list[tuple[list[str], str]]:
    """`a::{b, c as d, self}` as its leaves: the path and the name it gets here."""
    tree = tree.strip()
    if "{" not in tree:
        path, _, alias = tree.partition(" as ")
        words = [word.strip().removeprefix("r#") for word in path.split("::") if word.strip()]
        if words and words[-1] == "self":
            words.pop()
        return [(words, alias.strip() or (words[-1] if words else ""))]
    head, rest = tree.split("{", 1)
    inner = rest[: rest.rindex("}")]
    leaves = []
    for part in split_top(inner):
        leaves += flatten(head + part)
    return leaves


def split_top(text: str) -> list[str]:
    parts, depth, start = [], 0, 0
    for at, letter in enumerate(text):
        depth += {"{": 1, "}": -1}.get(letter, 0)
        if letter == "," and depth == 0:
            parts.append(text[start:at])
            start = at + 1
    return [part.strip() for part in [*parts, text[start:]] if part.strip()]


class Crate:
    """The modules of one crate, by their paths."""

    def __init__(self, root: Path) -> None:
        self.modules: dict[tuple[str, ...], Module] = {}
        self.load((), root)

    def load(self, path: tuple[str, ...], file: Path) -> None:
        text = without_noise(file.read_text())
        module = Module(path, file)
        self.modules[path] = module
        raw = file.read_text()
        for found in MODULE.finditer(raw):
            if "cfg(test)" in found["attributes"] or "cfg(all(test" in found["attributes"]:
                continue
            name = found["name"].removeprefix("r#")
            place = self.place_of(module, name, found["attributes"])
            if place:
                module.children[name] = (*path, name)
                self.load((*path, name), place)
        for found in USE.finditer(text):
            if "cfg(test)" in found["attributes"]:
                continue
            for words, name in flatten(found["tree"]):
                if name == "*":
                    module.globs.append(words[:-1])
                elif words:
                    module.imports[name] = words
        module.items = set(ITEM.findall(text))
        module.body = USE.sub(" ", text)

    @staticmethod
    def place_of(module: Module, name: str, attributes: str) -> Path | None:
        folder = module.file.parent
        given = re.search(r'path\s*=\s*"([^"]+)"', attributes)
        if given:
            return folder / given[1]
        own = folder if module.file.name in ("mod.rs", "lib.rs", "main.rs") else folder / module.file.stem
        return next((at for at in (own / f"{name}.rs", own / name / "mod.rs") if at.is_file()), None)

    def origin(self, base: Module, words: list[str], depth: int = 0) -> Module | None:
        """The module that defines what `words` name, seen from `base`; `None` for what is not of this crate, or
        for a module as such."""
        if depth > 12 or not words:
            return None
        at, rest = base, list(words)
        if rest[0] == "crate":
            at, rest = self.modules[()], rest[1:]
        elif rest[0] in ("self", "super"):
            while rest and rest[0] in ("self", "super"):
                if rest.pop(0) == "super":
                    at = self.modules.get(at.path[:-1], at)
        while rest:
            name, *rest = rest
            if name in at.children and (rest or name not in at.items):
                at = self.modules[at.children[name]]
                continue
            if name in at.items:
                return at
            if name in at.imports and at.imports[name][0] != name:
                return self.origin(at, [*at.imports[name], *rest], depth + 1)
            for glob in at.globs:
                found = self.origin(at, [*glob, name, *rest], depth + 1)
                if found and found is not at:
                    return found
            return at if at is not base else None
        return None

    def arrows(self) -> dict[tuple[str, ...], dict[tuple[str, ...], set[str]]]:
        """From each module to those whose definitions it uses, with the names."""
        result: dict[tuple[str, ...], dict[tuple[str, ...], set[str]]] = {}
        for module in self.modules.values():
            mine = result.setdefault(module.path, {})
            used = set(re.findall(r"\w+", module.body))
            wanted = [words for name, words in module.imports.items() if name in used or name == "_"]
            wanted += [words for words in
                       ([word.removeprefix("r#") for word in path.split("::")] for path in QUALIFIED.findall(module.body))]
            for words in wanted:
                target = self.origin(module, words)
                if target and target.path != module.path:
                    mine.setdefault(target.path, set()).add(words[-1])
        return result


def circles(arrows: dict) -> list[list[tuple[str, ...]]]:
    """The strongly connected parts with more than one member (Tarjan, without recursion)."""
    index: dict = {}
    low: dict = {}
    stack: list = []
    on_stack: set = set()
    found = []
    for start in arrows:
        if start in index:
            continue
        work = [(start, iter(arrows.get(start, ())))]
        index[start] = low[start] = len(index)
        stack.append(start)
        on_stack.add(start)
        while work:
            node, targets = work[-1]
            for target in targets:
                if target not in index:
                    index[target] = low[target] = len(index)
                    stack.append(target)
                    on_stack.add(target)
                    work.append((target, iter(arrows.get(target, ()))))
                    break
                if target in on_stack:
                    low[node] = min(low[node], index[target])
            else:
                work.pop()
                if work:
                    low[work[-1][0]] = min(low[work[-1][0]], low[node])
                if low[node] == index[node]:
                    part = []
                    while True:
                        member = stack.pop()
                        on_stack.discard(member)
                        part.append(member)
                        if member == node:
                            break
                    if len(part) > 1:
                        found.append(sorted(part))
    return found
