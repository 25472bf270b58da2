"""Draws the screens of a terminal as one SVG that moves by CSS alone, with its text as text.

A row that stays the same is drawn once, for as long as it is shown, so that the file stays small. Who prefers less
motion sees the last screen.
"""

from __future__ import annotations

import html
from dataclasses import dataclass, field
from itertools import groupby

CHARACTER, LINE, MARGIN, BAR = 8.0, 18, 16, 34
BACKGROUND, FOREGROUND = "#0d1117", "#e6edf3"
# Glyphs that few fonts have, and one of the same meaning that most have.
GLYPHS = str.maketrans({"⎿": "└", "⏵": "▸", "⏺": "●"})
NAMED = {"black": "#484f58", "red": "#ff7b72", "green": "#7ee787", "brown": "#e3b341", "blue": "#79c0ff",
         "magenta": "#d2a8ff", "cyan": "#76e3ea", "white": "#e6edf3"}


@dataclass(frozen=True)
class Style:
    fill: str = FOREGROUND
    ground: str = ""
    is_bold: bool = False


@dataclass(frozen=True)
class Run:
    """Neighbouring characters of one style."""
    column: int
    text: str
    style: Style


Row = tuple[Run, ...]


def row(cells: list) -> Row:
    """The runs of a row of pyte's screen buffer; blanks at its end are left out."""
    styled = [(column, cell.data, style(cell)) for column, cell in enumerate(cells)]
    runs = []
    for look, group in groupby(styled, key=lambda item: item[2]):
        group = list(group)
        text = "".join(character for _, character, _ in group).translate(GLYPHS)
        if text.strip() or look.ground:
            runs.append(Run(group[0][0], text if look.ground else text.rstrip(), look))
    return tuple(runs)


def style(cell) -> Style:
    fill, ground = colour(cell.fg, FOREGROUND), colour(cell.bg, "")
    if cell.reverse:
        fill, ground = ground or BACKGROUND, fill
    return Style(fill, ground, bool(cell.bold) and cell.data != " ")


def colour(name: str, default: str) -> str:
    if name == "default":
        return default
    return NAMED.get(name.removeprefix("bright"), f"#{name}")


@dataclass
class Picture:
    title: str
    columns: int
    rows: int
    hold_s: float                                   # how long the last screen stays
    frames: list[tuple[float, tuple[Row, ...]]]     # when each screen begins
    _classes: dict[Style, str] = field(default_factory=dict)
    _spans: dict[tuple[float, float], str] = field(default_factory=dict)

    def svg(self) -> str:
        body = "".join(self._row(number) for number in range(self.rows))
        width = round(self.columns * CHARACTER + 2 * MARGIN)
        height = self.rows * LINE + BAR + MARGIN
        dots = "".join(f'<circle cx="{MARGIN + 6 + n * 18}" cy="18" r="5.5" fill="{fill}"/>'
                       for n, fill in enumerate(("#ff5f57", "#febc2e", "#28c840")))
        return (f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
                f'viewBox="0 0 {width} {height}" role="img" aria-label="{html.escape(self.title)}">\n'
                f'<title>{html.escape(self.title)}</title>\n<style>\n{self._css()}</style>\n'
                f'<rect width="100%" height="100%" rx="10" fill="{BACKGROUND}" stroke="#30363d"/>{dots}\n'
                f'{body}</svg>\n')

    @property
    def _end(self) -> float:
        return self.frames[-1][0] + self.hold_s

    def _row(self, number: int) -> str:
        """What the row shows, one group for each time that it stays the same."""
        parts = []
        begins = [at for at, _ in self.frames] + [self._end]
        contents = [screen[number] for _, screen in self.frames]
        at = 0
        for content, group in groupby(contents):
            after = at + len(list(group))
            if content:
                parts.append(self._group(number, content, (begins[at], begins[after])))
            at = after
        return "".join(parts)

    def _group(self, number: int, content: Row, span: tuple[float, float]) -> str:
        y = BAR + number * LINE
        drawn = []
        for run in content:
            x, width = MARGIN + run.column * CHARACTER, len(run.text) * CHARACTER
            if run.style.ground:
                drawn.append(f'<rect x="{x:g}" y="{y}" width="{width:g}" height="{LINE}" fill="{run.style.ground}"/>')
            if run.text.strip():
                shown = len(run.text.rstrip())
                text = run.text[:shown]
                lead = shown - len(text.lstrip())
                length = f' textLength="{(shown - lead) * CHARACTER:g}"' if shown - lead > 1 else ""
                drawn.append(f'<text class="{self._class(run.style)}" x="{x + lead * CHARACTER:g}" y="{y + 13}"{length}>'
                             f'{html.escape(text[lead:], quote=False)}</text>')
        return f'<g class="{self._span(span)}">{"".join(drawn)}</g>\n'

    def _class(self, look: Style) -> str:
        return self._classes.setdefault(Style(look.fill, "", look.is_bold), f"c{len(self._classes)}")

    def _span(self, span: tuple[float, float]) -> str:
        is_always = span == (0.0, self._end)
        return "a" if is_always else self._spans.setdefault(span, f"s{len(self._spans)}")

    def _css(self) -> str:
        lines = ["text{font:13px ui-monospace,SFMono-Regular,Menlo,Consolas,'DejaVu Sans Mono',monospace;white-space:pre}"]
        for look, name in self._classes.items():
            bold = ";font-weight:700" if look.is_bold else ""
            lines.append(f".{name}{{fill:{look.fill}{bold}}}")
        moving, still = [], []
        for (begin, end), name in self._spans.items():
            is_last = end == self._end
            still.append(f".{name}{{opacity:{int(is_last)}}}")
            moving.append(f".{name}{{animation:{name} {self._end:.2f}s step-end infinite}}")
            steps = [("0", int(begin == 0)), (f"{begin / self._end * 100:.2f}", 1)]
            steps += [] if is_last else [(f"{end / self._end * 100:.2f}", 0)]
            frames = "".join(f"{at}%{{opacity:{value}}}" for at, value in dict(steps).items())
            moving.append(f"@keyframes {name}{{{frames}}}")
        return "\n".join([*lines, *still, "@media (prefers-reduced-motion:no-preference){", *moving, "}"]) + "\n"
