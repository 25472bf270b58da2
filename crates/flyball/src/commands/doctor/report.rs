//! The report of `flyball doctor`: sections of lines, each with a level and a fix.

use flyball_core::text;
use serde::Serialize;

use crate::show::text::wrap;
use crate::terminal::{Style, Terminal};

/// The start of every paragraph.
const MARGIN: usize = 6;

/// How serious a line is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Level {
    /// As it should be.
    Good,
    /// Worth knowing, nothing to do.
    Note,
    /// Works, but not as well as it could.
    Warning,
    Bad,
}

impl Level {
    const fn mark(self) -> (&'static str, Style) {
        match self {
            Level::Good => ("✓", Style::Good),
            Level::Note => ("·", Style::Faint),
            Level::Warning => ("!", Style::Warning),
            Level::Bad => ("✗", Style::Bad),
        }
    }

    const fn is_finding(self) -> bool {
        matches!(self, Level::Warning | Level::Bad)
    }
}

/// One observation.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(super) struct Line {
    level: Level,
    text: String,
    /// What a person can do about it.
    #[serde(skip_serializing_if = "String::is_empty")]
    // Scripts read this name.
    #[serde(rename = "way_out")]
    fix: String,
    /// The lines of a file it is about, for people.
    #[serde(skip)]
    excerpt: String,
}

/// Lines about one subject.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(super) struct Section {
    title: &'static str,
    lines: Vec<Line>,
}

impl Section {
    pub(super) const fn new(title: &'static str) -> Section {
        Section { title, lines: Vec::new() }
    }

    pub(super) fn good(&mut self, text: impl Into<String>) {
        self.push(Level::Good, text.into(), "");
    }

    pub(super) fn note(&mut self, text: impl Into<String>) {
        self.push(Level::Note, text.into(), "");
    }

    pub(super) fn warn(&mut self, text: impl Into<String>, fix: &str) {
        self.push(Level::Warning, text.into(), fix);
    }

    pub(super) fn bad(&mut self, text: impl Into<String>, fix: &str) {
        self.push(Level::Bad, text.into(), fix);
    }

    /// Shows lines of a file with the last line of the report.
    pub(super) fn with_excerpt(&mut self, excerpt: String) {
        if let Some(last) = self.lines.last_mut() {
            last.excerpt = excerpt;
        }
    }

    pub(super) fn has_findings(&self) -> bool {
        self.lines.iter().any(|line| line.level.is_finding())
    }

    fn push(&mut self, level: Level, text: String, fix: &str) {
        self.lines.push(Line { level, text, fix: fix.to_owned(), excerpt: String::new() });
    }
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(super) struct Report {
    /// The version of flyball that made the report.
    version: &'static str,
    /// Whether nothing was found.
    pub(super) healthy: bool,
    sections: Vec<Section>,
}

impl Report {
    pub(super) fn new(sections: Vec<Section>) -> Report {
        let healthy = !sections.iter().any(Section::has_findings);
        Report { version: env!("CARGO_PKG_VERSION"), healthy, sections }
    }

    pub(super) fn show(&self, terminal: &Terminal) {
        for section in self.sections.iter().filter(|section| !section.lines.is_empty()) {
            terminal.line(&terminal.paint(Style::Strong, section.title));
            section.lines.iter().for_each(|line| line.show(terminal));
        }
        terminal.line("");
        terminal.line(&self.conclusion(terminal));
    }

    fn conclusion(&self, terminal: &Terminal) -> String {
        let lines = || self.sections.iter().flat_map(|section| &section.lines);
        let count = |level: Level| lines().filter(|line| line.level == level).count();
        match (count(Level::Bad), count(Level::Warning)) {
            (0, 0) => terminal.paint(Style::Good, "all is well"),
            (0, warnings) => {
                terminal.paint(Style::Warning, &format!("it works; {} to check", things(warnings)))
            }
            (bad, 0) => terminal.paint(Style::Bad, &format!("{} to fix", things(bad))),
            (bad, warnings) => {
                terminal.paint(Style::Bad, &format!("{} to fix, {warnings} more to check", things(bad)))
            }
        }
    }
}

fn things(count: usize) -> String {
    text::counted(count, "thing")
}

impl Line {
    fn show(&self, terminal: &Terminal) {
        let (mark, style) = self.level.mark();
        self.body(terminal, &format!("  {} ", terminal.paint(style, mark)));
        if !self.fix.is_empty() {
            let arrow = format!("    {} ", terminal.paint(Style::Accent, "→"));
            wrapped(terminal, &arrow, &self.fix);
        }
    }

    /// The excerpt has the text too, and shows the place.
    fn body(&self, terminal: &Terminal, start: &str) {
        let mut excerpt = self.excerpt.lines();
        match excerpt.next() {
            Some(first) => {
                terminal.line(&format!("{start}{first}"));
                excerpt.for_each(|line| terminal.line(&format!("    {line}")));
            }
            None => wrapped(terminal, start, &self.text),
        }
    }
}

/// Prints a paragraph whose later lines are indented like the first.
fn wrapped(terminal: &Terminal, start: &str, text: &str) {
    for (number, line) in wrap(text, terminal.columns().saturating_sub(MARGIN)).iter().enumerate() {
        let start = if number == 0 { start } else { "    " };
        terminal.line(&format!("{start}{line}"));
    }
}
