"""The turns of a scripted model, in a form that reads well in tests.

    main=[use("Bash", command="ls"), say("Done.")]

A turn is one answer of the model: a text, tool calls, or an API error.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any


@dataclass(frozen=True)
class Call:
    """One tool call. A tool that takes free text, not fields, has a string as its input."""
    name: str
    input: dict[str, Any] | str
    namespace: str | None = None


@dataclass(frozen=True)
class Turn:
    text: str = ""
    calls: tuple[Call, ...] = ()
    usage: dict[str, int] = field(default_factory=dict)
    hangs: bool = False  # no answer comes, until the client hangs up
    person: tuple[str, ...] = ()  # what a person runs in a terminal of their own before the model answers
    saves: dict[str, str] = field(default_factory=dict)  # what a person saves in an editor before that


def say(text: str, **usage: int) -> Turn:
    return Turn(text=text, usage=usage)


def use(name: str, **fields: Any) -> Turn:
    return Turn(calls=(Call(name, fields),))


def hang() -> Turn:
    """No answer."""
    return Turn(hangs=True)


def after_person(turn: Turn, *arguments: str) -> Turn:
    """The turn, after a person ran `flyball` with these arguments."""
    return replace(turn, person=arguments)


def after_save(turn: Turn, name: str, text: str) -> Turn:
    """The turn, after a person saved a file in an editor."""
    return replace(turn, saves={name: text})


def together(*turns: Turn) -> Turn:
    """The calls of several turns, made in one."""
    return Turn(calls=tuple(call for turn in turns for call in turn.calls))


def fill(value: Any, names: dict[str, str]) -> Any:
    """The value with every {NAME} in its strings replaced."""
    if isinstance(value, str):
        for name, text in names.items():
            value = value.replace("{" + name + "}", text)
        return value
    if isinstance(value, list | tuple):
        return type(value)(fill(part, names) for part in value)
    if isinstance(value, dict):
        return {key: fill(part, names) for key, part in value.items()}
    if isinstance(value, Turn):
        return replace(value, text=fill(value.text, names), calls=fill(value.calls, names))
    if isinstance(value, Call):
        return Call(value.name, fill(value.input, names), value.namespace)
    return value
