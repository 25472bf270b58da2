//! What a terminal is sent for a signal: the bell and two kinds of operating-system commands, no more.

use flyball_core::verdict::Signal;

const BELL: char = '\u{7}';
const COMMAND: &str = "\u{1b}]";
const MOST_CHARS: usize = 400;

/// The bytes for these signals, in order.
pub(super) fn encode_signals(signals: &[Signal]) -> String {
    signals.iter().map(encode_signal).collect()
}

fn encode_signal(signal: &Signal) -> String {
    match signal {
        Signal::Bell => BELL.to_string(),
        Signal::Notice(text) => format!("{COMMAND}9;{}{BELL}", escape_notice(text)),
        Signal::TitledNotice { title, text } => {
            format!(
                "{COMMAND}777;notify;{};{}{BELL}",
                // A `;` separates title and text.
                strip_controls(title).replace(';', ","),
                strip_controls(text)
            )
        }
    }
}

/// A text that no terminal takes for one of the numbered commands that some have behind `9;`.
fn escape_notice(text: &str) -> String {
    let text = strip_controls(text);
    if text.starts_with(|first: char| first.is_ascii_digit()) { format!(" {text}") } else { text }
}

/// A text that cannot end the sequence it is in, nor begin another. Terminals drop long ones whole.
fn strip_controls(text: &str) -> String {
    let letters = text.chars().take(MOST_CHARS);
    letters.map(|letter| if letter.is_control() { ' ' } else { letter }).collect()
}
