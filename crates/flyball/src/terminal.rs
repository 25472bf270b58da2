//! How flyball speaks to a person: colours where they are wanted, one way to print.

use std::io::{IsTerminal, Write};

use crate::environment;

/// The terminal, or what stands in for it.
pub struct Terminal {
    colour: bool,
    columns: usize,
    /// The longest line of a table.
    line_limit: usize,
    interactive: bool,
}

/// Whether someone still reads what is printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reader {
    /// Someone may still read.
    Listening,
    /// The other end of the pipe is closed.
    Gone,
}

/// What a piece of text is, which decides how it looks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Style {
    Plain,
    /// What the eye looks for first: bold.
    Strong,
    /// What can be skipped: dim.
    Faint,
    Good,
    /// Something to look at: yellow.
    Warning,
    /// An error or a denial: red.
    Bad,
    /// Names and commands: cyan.
    Accent,
}

impl Style {
    const fn code(self) -> &'static str {
        match self {
            Style::Plain => "",
            Style::Strong => "1",
            Style::Faint => "2",
            Style::Good => "32",
            Style::Warning => "33",
            Style::Bad => "31",
            Style::Accent => "36",
        }
    }
}

impl Terminal {
    /// Looks at the streams and the environment.
    pub fn detect() -> Terminal {
        let stdout = std::io::stdout().is_terminal();
        let wants = |name| environment::variable(name).is_some();
        let colour = !wants("NO_COLOR") && (stdout || wants("CLICOLOR_FORCE"));
        let wanted = environment::variable("COLUMNS").and_then(|text| text.parse().ok());
        let columns = wanted.or_else(width).unwrap_or(100);
        // What is piped into another program must not be missing anything.
        let line_limit = if stdout { columns } else { wanted.unwrap_or(usize::MAX) };
        Terminal { colour, columns, line_limit, interactive: stdout && std::io::stdin().is_terminal() }
    }

    /// A terminal without colours that nobody types at.
    pub const fn plain(columns: usize) -> Terminal {
        Terminal { colour: false, columns, line_limit: columns, interactive: false }
    }

    /// Whether a person is there to be asked.
    pub const fn is_interactive(&self) -> bool {
        self.interactive
    }

    /// How wide the lines may be.
    pub const fn columns(&self) -> usize {
        self.columns
    }

    /// How wide the lines of a table may be: not limited where nobody would see them wrap.
    pub const fn line_limit(&self) -> usize {
        self.line_limit
    }

    /// The text in its style, if colours are wanted.
    pub fn paint(&self, style: Style, text: &str) -> String {
        if self.colour && style != Style::Plain {
            format!("\u{1b}[{}m{text}\u{1b}[0m", style.code())
        } else {
            text.to_owned()
        }
    }

    /// Whether colours are wanted.
    pub const fn has_colour(&self) -> bool {
        self.colour
    }

    /// Prints one line. A reader that has gone away (`| head`) is no error.
    pub fn line(&self, text: &str) {
        self.print_now(text);
    }

    /// Prints one line at once, and says whether anyone is there to read the next.
    pub fn print_now(&self, text: &str) -> Reader {
        let mut out = std::io::stdout().lock();
        match writeln!(out, "{text}").and_then(|()| out.flush()) {
            Ok(()) => Reader::Listening,
            Err(_) => Reader::Gone,
        }
    }

    /// Prints lines until nobody reads them any more.
    pub fn lines<T: AsRef<str>>(&self, lines: impl IntoIterator<Item = T>) -> Reader {
        let gone = lines.into_iter().any(|line| self.print_now(line.as_ref()) == Reader::Gone);
        if gone { Reader::Gone } else { Reader::Listening }
    }

    /// Asks a question and gives back the line that was typed; nothing at the end of input, which is
    /// never an answer.
    pub fn ask(&self, question: &str) -> Option<String> {
        let mut out = std::io::stdout().lock();
        drop(write!(out, "{question} "));
        drop(out.flush());
        let mut line = String::new();
        let read = std::io::stdin().read_line(&mut line);
        matches!(read, Ok(length) if length > 0).then(|| line.trim().to_owned())
    }

    /// Says what went wrong and the way out, on standard error.
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
