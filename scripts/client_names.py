"""Finds names, files and variables of clients outside of the client's own folder."""

from __future__ import annotations

import re
from pathlib import Path

CLIENTS = Path("crates/flyball-clients/src")

# Files and folders in which a client may be named, and why. What is read by people and models in a fixed text, and what
# people write or find in their own files, cannot come from a table without changing what they see.
EXCEPTIONS = {
    "crates/flyball-clients/src/registry.rs": "the registry itself",
    "crates/flyball-clients/src/lib.rs": "declares the folders",
    "crates/flyball-clients/src/dialect": "the protocol that several clients share, with the names of the one that introduced it",
    "crates/flyball-policies/src/client_defaults.rs": "defaults of settings, as they are written in flyball.toml: people see and replace them",
    "crates/flyball-policies/src/guard/commands/oversight.rs": "the summary of a rule, as its page has it",
    "crates/flyball-policies/src/guard/protected/parts.rs": "the keys of settings that are watched, whichever client's they are",
    "crates/flyball-policies/src/testing.rs": "tests",
    "crates/flyball-policies/src/models": "names of models and of their providers, not of clients",
    "crates/flyball-quality/src/providers.rs": "names of models and of their providers, not of clients",
    "crates/flyball-policies/src/rules/fields.rs": "an example in the reference",
    "crates/flyball-policies/src/memory": "a fixed text for the model",
    "crates/flyball-otlp/src/names.rs": "an example in the reference",
    "crates/flyball-knowledge/src/layout.rs": "where the tasks of existing projects are, whatever the client",
    "crates/flyball-quality/src/fixer": "a provider of the fixer: it starts this program to ask a model",
    "crates/flyball-quality/src/settings/written.rs": "the default of a setting",
    "crates/flyball-quality/src/settings/fixer.rs": "names of models, and of that provider in flyball.toml",
    "crates/flyball/src/commands/doctor/tools.rs": "the same provider",
    "crates/flyball/src/commands/init/wizard": "the same provider",
    "crates/flyball/src/commands/import": "reads files that other systems keep in a client's folder",
    "crates/flyball/src/commands/replay/options.rs": "an example in the help",
    "crates/flyball/src/commands/mcp": "fixed texts for the model",
    "crates/flyball/src/commands/memory": "fixed texts for people",
    "crates/flyball/src/history": "not shipped",
    "crates/flyball-dev": "not shipped",
    "crates/flyball-testkit": "not shipped",
}


def folders() -> list[Path]:
    """The folder of each client."""
    return sorted(path.parent for path in CLIENTS.glob("*/events.rs"))


def words() -> re.Pattern[str]:
    """What only a client's folder may contain: its name, in any case, and the keys of its settings."""
    names = {folder.name.split("_")[0] for folder in folders()}
    facts = [text for folder in folders() for text in re.findall(r'"([^"\n]+)"', (folder / "facts.rs").read_text())]
    keys = {text for text in facts if re.fullmatch(r"[a-z]+([A-Z][a-z]+)+", text)}
    return re.compile("|".join([f"(?i:{name})" for name in sorted(names)] + sorted(keys)))


def code(text: str) -> list[str]:
    """The lines of a file without its comments and without its tests at the end."""
    text = re.split(r"^#\[cfg\(test\)\]\nmod \w+ \{", text, maxsplit=1, flags=re.M)[0]
    return [re.sub(r"(^|\s)//.*", "", line) for line in text.splitlines()]


def may_name(path: Path) -> bool:
    own = any(path.is_relative_to(folder) for folder in folders())
    return own or any(path.is_relative_to(place) for place in EXCEPTIONS)


def found(paths: list[Path]) -> list[str]:
    pattern = words()
    problems = []
    for path in paths:
        if may_name(path):
            continue
        for number, line in enumerate(code(path.read_text()), 1):
            if hit := pattern.search(line):
                problems.append(f"{path}:{number}: `{hit[0]}` belongs into the folder of its client: {line.strip()[:80]}")
    return problems
