//! The terminal: its colours and width, and the one way to print.

use std::io::{IsTerminal, Write};

pub use flyball_board::table::Style;
use flyball_board::table::Text;
use flyball_core::config::RenderStyle;
use serde::Serialize;

use crate::environment;

/// Standard output, which may be a terminal.
pub struct Terminal {
    colour: bool,
    columns: usize,
    /// The longest line of a table.
    line_limit: usize,
    interactive: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reader {
    Listening,
    /// The other end of the pipe is closed.
    Gone,
}

const fn code(style: Style) -> &'static str {
    match style {
        Style::Plain => "",
        Style::Strong => "1",
        Style::Faint => "2",
        Style::Good => "32",
        Style::Warning => "33",
        Style::Bad => "31",
        Style::Accent => "36",
    }
}

impl Terminal {
    pub fn detect() -> Terminal {
        let stdout = std::io::stdout().is_terminal();
        let is_set = |name| environment::variable(name).is_some();
        // no-color.org: it wins over everything else, whatever its value.
        let colour = !is_set("NO_COLOR") && (stdout || is_set("CLICOLOR_FORCE"));
        let configured = environment::variable("COLUMNS").and_then(|text| text.parse().ok());
        let columns = configured.or_else(width).unwrap_or(100);
        // Another program must get the whole text.
        let line_limit = if stdout { columns } else { configured.unwrap_or(usize::MAX) };
        Terminal { colour, columns, line_limit, interactive: stdout && std::io::stdin().is_terminal() }
    }

    /// A terminal without colours and input.
    pub const fn plain(columns: usize) -> Terminal {
        Terminal { colour: false, columns, line_limit: columns, interactive: false }
    }

    /// Whether a person can be asked.
    pub const fn is_interactive(&self) -> bool {
        self.interactive
    }

    /// How wide the lines may be.
    pub const fn columns(&self) -> usize {
        self.columns
    }

    /// How wide the lines of a table may be; unlimited unless output goes to a terminal.
    pub const fn line_limit(&self) -> usize {
        self.line_limit
    }

    /// The text in its style, if colours are on.
    pub fn paint(&self, style: Style, text: &str) -> String {
        if self.colour && style != Style::Plain {
            format!("\u{1b}[{}m{text}\u{1b}[0m", code(style))
        } else {
            text.to_owned()
        }
    }

    /// The text with its styles, if colours are on.
    pub fn text(&self, text: &Text) -> String {
        text.spans.iter().map(|span| self.paint(span.style, &span.text)).collect()
    }

    /// How errors in configs are rendered: in colour, if colours are on.
    pub const fn render_style(&self) -> RenderStyle {
        if self.colour { RenderStyle::Coloured } else { RenderStyle::Plain }
    }

    /// Prints one line. A closed pipe (`| head`) is not an error.
    pub fn line(&self, text: &str) {
        self.print_now(text);
    }

    /// Prints one line at once. Returns whether the other end is still reading.
    pub fn print_now(&self, text: &str) -> Reader {
        let mut out = std::io::stdout().lock();
        match writeln!(out, "{text}").and_then(|()| out.flush()) {
            Ok(()) => Reader::Listening,
            // Rust ignores SIGPIPE, so that a closed pipe arrives as an error.
            Err(_) => Reader::Gone,
        }
    }

    /// Prints that something was done.
    pub fn done(&self, what: &str) {
        self.line(&format!("{} {what}", self.paint(Style::Good, "✓")));
    }

    /// Prints lines until the pipe is closed.
    pub fn lines<T: AsRef<str>>(&self, lines: impl IntoIterator<Item = T>) -> Reader {
        let gone = lines.into_iter().any(|line| self.print_now(line.as_ref()) == Reader::Gone);
        if gone { Reader::Gone } else { Reader::Listening }
    }

    /// Prints a value as JSON over several lines.
    pub fn json<T: Serialize>(&self, value: &T) {
        self.line(&serde_json::to_string_pretty(value).unwrap_or_default());
    }

    /// Asks a question. Returns the line that was typed; nothing at the end of input.
    pub fn ask(&self, question: &str) -> Option<String> {
        let mut out = std::io::stdout().lock();
        // If the question cannot be shown, the answer cannot be read either, which counts as none.
        drop(write!(out, "{question} ").and_then(|()| out.flush()));
        let mut line = String::new();
        let read = std::io::stdin().read_line(&mut line);
        matches!(read, Ok(length) if length > 0).then(|| line.trim().to_owned())
    }

    /// Prints what went wrong and the fix on standard error. If that is closed, the exit code still reports it.
    pub fn print_failure(&self, what: &str, fix: &str) {
        let mut err = std::io::stderr().lock();
        drop(writeln!(err, "{} {what}", self.paint(Style::Bad, "error:")));
        if !fix.is_empty() {
            drop(writeln!(err, "{} {fix}", self.paint(Style::Accent, " help:")));
        }
    }
}

/// How wide the terminal is, if standard output is one.
fn width() -> Option<usize> {
    let size = rustix::termios::tcgetwinsize(std::io::stdout()).ok()?;
    Some(usize::from(size.ws_col)).filter(|columns| *columns > 0)
}
