"""Which packages the program is made of, and the licences that they ask to be passed on."""

from __future__ import annotations

import functools
from pathlib import Path
from typing import Any

from .build import metadata
from .bytes_of import File

LICENCE_FILES = ("licence", "license", "copying", "notice", "copyright")


@functools.cache
def of_program(target: str) -> dict[str, dict[str, Any]]:
    """By their ids, with the program itself."""
    graph = metadata(target)
    packages = {package["id"]: package for package in graph["packages"]}
    nodes = {node["id"]: node for node in graph["resolve"]["nodes"]}
    start = next(one for one, package in packages.items() if package["name"] == "flyball")
    found, open_ends = {start}, [start]
    while open_ends:
        for one in needed(nodes[open_ends.pop()]):
            if one not in found:
                found.add(one)
                open_ends.append(one)
    return {one: packages[one] for one in found}


def needed(node: dict[str, Any]) -> list[str]:
    """What is linked or run to build it; not what only tests need."""
    return [dep["pkg"] for dep in node["deps"] if any(kind["kind"] != "dev" for kind in dep["dep_kinds"])]


@functools.cache
def notices(target: str) -> File:
    """The licences of all packages from elsewhere, each text once."""
    by_text: dict[str, set[str]] = {}
    for package in of_program(target).values():
        if not package["source"]:
            continue
        folder = Path(package["manifest_path"]).parent
        files = [path for path in folder.iterdir() if path.name.lower().startswith(LICENCE_FILES) and path.is_file()]
        texts = {path.read_text(errors="replace").strip() for path in files} or {f"License: {package['license']}"}
        for text in texts:
            by_text.setdefault(text, set()).add(f"{package['name']} {package['version']}")
    parts = [f"{', '.join(sorted(names))}\n\n{text}\n" for text, names in by_text.items()]
    rule = f"\n{'-' * 78}\n\n"
    return File(rule.join(["flyball contains these packages.\n", *sorted(parts)]).encode())
