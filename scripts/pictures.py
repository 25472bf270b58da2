"""Draws the picture of an explanation from what the program prints: docs/images/explain.svg.

    cargo build && python3 scripts/pictures.py target/*/debug/flyball
"""

from __future__ import annotations

import html
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

IMAGES = Path(__file__).resolve().parent.parent / "docs/images"
COLOURS = {"1": "font-weight:700", "2": "fill:#7d8590", "31": "fill:#ff7b72", "32": "fill:#7ee787",
           "33": "fill:#e3b341", "36": "fill:#79c0ff"}
CHARACTER, LINE, MARGIN = 7.85, 19, 18


def spans(line: str):
    """(style, text) for each coloured piece of a line."""
    style = ""
    for piece in re.split(r"(\x1b\[[0-9;]*m)", line):
        code = re.fullmatch(r"\x1b\[([0-9;]*)m", piece)
        if code:
            style = ";".join(COLOURS.get(number, "") for number in code.group(1).split(";"))
            style = style.strip(";")
        elif piece:
            yield style, piece


def plain(text: str) -> str:
    return re.sub(r"\x1b\[[0-9;]*m", "", text)


def draw(title: str, text: str) -> str:
    lines = text.rstrip("\n").split("\n")
    width = int(max((len(plain(line)) for line in lines), default=40) * CHARACTER + 2 * MARGIN)
    height = len(lines) * LINE + 2 * MARGIN + 26
    rows = []
    for number, line in enumerate(lines):
        pieces = "".join(f'<tspan style="{style}">{html.escape(piece)}</tspan>' if style
                         else f"<tspan>{html.escape(piece)}</tspan>" for style, piece in spans(line))
        rows.append(f'<text x="{MARGIN}" y="{MARGIN + 40 + number * LINE}" xml:space="preserve">{pieces}</text>')
    dots = "".join(f'<circle cx="{MARGIN + n * 18}" cy="20" r="5.5" fill="{colour}"/>'
                   for n, colour in enumerate(("#ff5f57", "#febc2e", "#28c840")))
    return (f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
            f'viewBox="0 0 {width} {height}" role="img" aria-label="{html.escape(title)}">'
            f'<title>{html.escape(title)}</title>'
            f'<rect width="100%" height="100%" rx="10" fill="#0d1117"/>{dots}'
            '<g font-family="ui-monospace,SFMono-Regular,Menlo,DejaVu Sans Mono,monospace" '
            f'font-size="13" fill="#e6edf3">{"".join(rows)}</g></svg>\n')


def main() -> int:
    program = os.path.abspath(sys.argv[1])
    IMAGES.mkdir(parents=True, exist_ok=True)
    environment = {**os.environ, "CLICOLOR_FORCE": "1", "COLUMNS": "100", "TZ": "UTC"}
    with tempfile.TemporaryDirectory() as home:
        environment["HOME"] = home
        demo = subprocess.run([program, "demo"], env=environment, check=True, capture_output=True, text=True).stdout
    explanation = "\x1b[1m$ flyball explain" + demo.split("$ flyball explain", 1)[1]
    # The summary of the demo follows.
    explanation = re.split(r"\n\n\x1b\[1m\d+ events: ", explanation)[0]
    (IMAGES / "explain.svg").write_text(draw("flyball explain", explanation))
    print("docs/images/explain.svg")
    return 0


if __name__ == "__main__":
    sys.exit(main())
