//! The terminal: its colours and width, and the one way to print.

use std::io::{IsTerminal, Write};

pub use clap::ColorChoice;
pub use flyball_board::table::Style;
use flyball_board::table::Text;
use flyball_core::config::RenderStyle;
use serde::Serialize;

use crate::environment;
use crate::show::text::wrap_painted;

/// Standard output, which may be a terminal.
pub struct Terminal {
    colour: bool,
    /// Whether errors are in colour: they go to another stream.
    error_colour: bool,
    columns: usize,
    /// The longest line.
    line_limit: usize,
    /// The same for errors.
    error_limit: usize,
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
    /// The terminal of this process, with the colours that its user chose.
    pub fn detect(choice: ColorChoice) -> Terminal {
        let stdout = std::io::stdout().is_terminal();
        let configured = environment::variable("COLUMNS").and_then(|text| text.parse().ok());
        let columns = configured.or_else(flyball_system::columns_of_stdout).unwrap_or(100);
        // Another program must get the whole text, unless it sets a width.
        let limit = |is_terminal| if is_terminal { columns } else { configured.unwrap_or(usize::MAX) };
        let stderr = std::io::stderr().is_terminal();
        Terminal {
            colour: is_coloured(choice, stdout),
            error_colour: is_coloured(choice, stderr),
            columns,
            line_limit: limit(stdout),
            error_limit: limit(stderr),
            interactive: stdout && std::io::stdin().is_terminal(),
        }
    }

    /// A terminal without colours and input.
    pub const fn plain(columns: usize) -> Terminal {
        Terminal {
            colour: false,
            error_colour: false,
            columns,
            line_limit: columns,
            error_limit: columns,
            interactive: false,
        }
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

    /// Whether output is in colour, as an option for another process.
    pub const fn colour_option(&self) -> &'static str {
        if self.colour { "--color=always" } else { "--color=never" }
    }

    /// The text in its style, if colours are on.
    pub fn paint(&self, style: Style, text: &str) -> String {
        painted(self.colour, style, text)
    }

    /// The text with its styles, if colours are on.
    pub fn text(&self, text: &Text) -> String {
        text.spans.iter().map(|span| self.paint(span.style, &span.text)).collect()
    }

    /// How errors in configs are rendered: in colour, if colours are on.
    pub const fn render_style(&self) -> RenderStyle {
        if self.colour { RenderStyle::Coloured } else { RenderStyle::Plain }
    }

    /// The same for those that end up in a [failure](Terminal::print_failure).
    pub const fn error_render_style(&self) -> RenderStyle {
        if self.error_colour { RenderStyle::Coloured } else { RenderStyle::Plain }
    }

    /// Prints one line, wrapped if the terminal is narrower. A closed pipe (`| head`) is not an error.
    pub fn line(&self, text: &str) {
        self.print_now(text);
    }

    /// Prints one line at once, wrapped if the terminal is narrower. Returns whether the other end is still reading.
    pub fn print_now(&self, text: &str) -> Reader {
        if text.split('\n').all(|line| line.len() <= self.line_limit) {
            return self.raw(text);
        }
        let lines = text.split('\n').flat_map(|line| wrap_painted(line, self.line_limit));
        self.raw(&lines.collect::<Vec<_>>().join("\n"))
    }

    /// Prints text for a program, or to be copied, as it is.
    pub fn raw(&self, text: &str) -> Reader {
        let mut out = std::io::stdout().lock();
        match writeln!(out, "{text}").and_then(|()| out.flush()) {
            Ok(()) => Reader::Listening,
            // Rust ignores SIGPIPE, so that a closed pipe arrives as an error.
            Err(_) => Reader::Gone,
        }
    }

    /// The same for several lines, until the pipe is closed.
    pub fn raw_lines<T: AsRef<str>>(&self, lines: impl IntoIterator<Item = T>) -> Reader {
        let gone = lines.into_iter().any(|line| self.raw(line.as_ref()) == Reader::Gone);
        if gone { Reader::Gone } else { Reader::Listening }
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
        self.raw(&serde_json::to_string_pretty(value).unwrap_or_default());
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
        let has_fix = !fix.is_empty();
        let what = format!("{} {what}", painted(self.error_colour, Style::Bad, "error:"));
        let fix = format!("{} {fix}", painted(self.error_colour, Style::Accent, " help:"));
        let lines = if has_fix { vec![what, fix] } else { vec![what] };
        for line in &lines {
            for line in line.split('\n').flat_map(|line| wrap_painted(line, self.error_limit)) {
                drop(writeln!(err, "{line}"));
            }
        }
    }
}

fn painted(colour: bool, style: Style, text: &str) -> String {
    if colour && style != Style::Plain {
        format!("\u{1b}[{}m{text}\u{1b}[0m", code(style))
    } else {
        text.to_owned()
    }
}

/// Whether a stream gets colours. The option wins over the variables; NO_COLOR (no-color.org) wins over the others,
/// whatever its value.
fn is_coloured(choice: ColorChoice, is_terminal: bool) -> bool {
    let is_set = |name| environment::variable(name).is_some();
    match choice {
        ColorChoice::Always => true,
        ColorChoice::Never => false,
        ColorChoice::Auto if is_set("NO_COLOR") => false,
        ColorChoice::Auto if is_set("CLICOLOR_FORCE") => true,
        ColorChoice::Auto => is_terminal && environment::variable("TERM").as_deref() != Some("dumb"),
    }
}
