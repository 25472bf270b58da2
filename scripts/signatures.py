"""Finds functions that stay within the argument limit only because arguments are packed into tuples."""

from __future__ import annotations

import re
from pathlib import Path

from rust_modules import split_top, without_noise

LIMIT = 4
FUNCTION = re.compile(r"\bfn\s+(\w+)")


def packed(path: Path) -> list[str]:
    """The functions of a file whose arguments, taken out of their tuples, are more than the limit."""
    text = without_noise(path.read_text())
    found = []
    for function in FUNCTION.finditer(text):
        parameters = parameters_of(text, function.end())
        tuples = [elements for elements in map(tuple_elements, parameters) if elements > 1]
        total = sum(max(1, tuple_elements(parameter)) for parameter in parameters if not is_self(parameter))
        if tuples and total > LIMIT:
            found.append(f"{path}: `{function[1]}` takes {total} arguments, some of them in tuples; give them a struct")
    return found


def parameters_of(text: str, position: int) -> list[str]:
    position = skip_generics(text, position)
    if position >= len(text) or text[position] != "(":
        return []
    depth, start = 0, position + 1
    for at in range(position, len(text)):
        depth += {"(": 1, ")": -1}.get(text[at], 0)
        if depth == 0:
            return split_arguments(text[start:at])
    return []


def skip_generics(text: str, position: int) -> int:
    while position < len(text) and text[position].isspace():
        position += 1
    if position < len(text) and text[position] == "<":
        depth = 0
        while position < len(text):
            depth += {"<": 1, ">": -1}.get(text[position], 0)
            if text[position] == ">" and text[position - 1] == "-":
                depth += 1
            position += 1
            if depth == 0:
                break
    return position


def split_arguments(text: str) -> list[str]:
    """Splits at the commas outside of all brackets."""
    return split_top(re.sub(r"[(<\[]", "{", re.sub(r"(?<!-)>|[)\]]", "}", text)))


def is_self(parameter: str) -> bool:
    return re.fullmatch(r"&?\s*(?:'\w+\s+)?(?:mut\s+)?self(?:\s*:.*)?", parameter.strip()) is not None


def tuple_elements(parameter: str) -> int:
    """How many values the tuple of a parameter holds; 0 for what is not a tuple."""
    _, _, kind = parameter.rpartition(": ") if parameter.startswith("{") else parameter.partition(":")
    kind = re.sub(r"^&\s*(?:'\w+\s+)?(?:mut\s+)?", "", kind.strip())
    if not kind.startswith("{") or not kind.endswith("}"):
        return 0
    return len(split_top(kind[1:-1]))
