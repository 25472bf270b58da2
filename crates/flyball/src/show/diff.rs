//! A difference between two texts, for people.

use super::visible::visible;
use crate::terminal::{Style, Terminal};

/// Prints a unified diff with colours. The content of a file cannot control the terminal of the reader, nor look like
/// other content.
pub(crate) fn print(difference: &str, terminal: &Terminal) {
    for line in difference.lines() {
        let style = match line.as_bytes().first() {
            Some(b'+') => Style::Good,
            Some(b'-') => Style::Bad,
            Some(b'@') => Style::Accent,
            _ => Style::Plain,
        };
        terminal.line(&terminal.paint(style, &visible(line)));
    }
}
