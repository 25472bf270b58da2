"""Takes out of the table of topics every phrase that the held-out half of the labelled set has and the tuning half has not.

What `cargo dev relevance` prints then is the least that an unseen project can expect: also the words of general knowledge are
gone that any table would have. The table is changed in place; `git checkout` brings it back.
"""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

ROOT = Path(__file__).parent.parent
TABLE = ROOT / "crates/flyball-policies/src/memory/relevance/topics.rs"
SET = ROOT / "crates/flyball-dev/relevance"
TEXT = r'"((?:[^"\\]|\\.)*)"'
TOPIC = re.compile(rf"\b(?:topic|broad|exact)\(\s*{TEXT},\s*{TEXT},\s*{TEXT},?\s*\)")
RULES, CODE, FILES = range(3)


def texts(half: str) -> list[str]:
    """The rules of all projects of a half, their changed lines, and the paths of their files."""
    projects = [tomllib.loads(path.read_text()) for path in sorted((SET / half).glob("*.toml"))]
    edits = [edit for project in projects for edit in project["edit"]]
    rules = [text for project in projects for text in project["files"].values()]
    changed = [edit.get(key, "") for edit in edits for key in ("old", "new", "shell")]
    return ["\n".join(part).lower() for part in (rules, changed, [edit["file"] for edit in edits])]


def has(text: str, phrase: str) -> bool:
    """Whether a text has a phrase; of a plain word, any form."""
    is_word = re.fullmatch(r"\w+", phrase)
    return bool(re.search(rf"\b{re.escape(phrase)}", text)) if is_word else phrase in text


def main() -> None:
    tuning, held_out = texts("tuning"), texts("held-out")
    all_phrases = gone = 0

    def cell(column: int, content: str) -> str:
        nonlocal all_phrases, gone
        kept = []
        for written in content.split("|"):
            phrase = written.replace('\\"', '"').replace("\\\\", "\\").lower()
            # `{...}` is a shape of code and no phrase.
            is_phrase = phrase and not phrase.startswith("{")
            all_phrases += bool(is_phrase)
            if is_phrase and has(held_out[column], phrase) and not has(tuning[column], phrase):
                gone += 1
            else:
                kept.append(written)
        return "|".join(kept)

    def topic(found: re.Match[str]) -> str:
        start, whole, at, out = found.start(), found.group(0), 0, ""
        for column in (RULES, CODE, FILES):
            begin, end = (place - start for place in found.span(column + 1))
            out += whole[at:begin] + cell(column, found.group(column + 1))
            at = end
        return out + whole[at:]

    TABLE.write_text(TOPIC.sub(topic, TABLE.read_text()))
    print(f"{gone} of {all_phrases} phrases were only in the held-out half")


if __name__ == "__main__":
    main()
