//! A difference between two texts, for people.

use crate::terminal::{Style, Terminal};

/// Prints a unified diff with colours. The content of a file cannot control the terminal of the reader.
pub(crate) fn print(difference: &str, terminal: &Terminal) {
    for line in difference.lines() {
        let style = match line.as_bytes().first() {
            Some(b'+') => Style::Good,
            Some(b'-') => Style::Bad,
            Some(b'@') => Style::Accent,
            _ => Style::Plain,
        };
        let safe: String = line
            .chars()
            .map(|letter| if letter.is_control() && letter != '\t' { '�' } else { letter })
            .collect();
        terminal.line(&terminal.paint(style, &safe));
    }
}
