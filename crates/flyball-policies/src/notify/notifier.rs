//! How a notice gets onto the desktop: by a program that is there, else through the client's terminal.

use flyball_core::path::AbsolutePath;
use flyball_core::text;
use flyball_core::verdict::{FollowUp, Signal};

/// The programs; the first that is installed is used.
pub(super) const NOTIFIERS: [&str; 3] = ["notify-send", "osascript", "terminal-notifier"];
/// The longest text that is shown.
const MOST_CHARS: usize = 240;

/// What shows notices here.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Notifier {
    /// This program, by its name and its place.
    Program {
        /// One of [`NOTIFIERS`].
        name: &'static str,
        path: AbsolutePath,
    },
    /// The client's terminal, in the form that it takes.
    Terminal(Form),
}

/// The form of a terminal's notices.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    Plain,
    /// A title and a text.
    Titled,
}

/// A notice on its way.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Delivery {
    Program(FollowUp),
    Terminal(Signal),
}

impl Notifier {
    /// The notice with this title and text.
    pub(super) fn show(&self, title: &str, text: &str) -> Delivery {
        let (title, text) = (plain(title), plain(text));
        match self {
            Notifier::Program { name, path } => {
                Delivery::Program(FollowUp { program: path.clone(), arguments: arguments(name, title, text) })
            }
            Notifier::Terminal(Form::Plain) => Delivery::Terminal(Signal::Notice(format!("{title}: {text}"))),
            Notifier::Terminal(Form::Titled) => Delivery::Terminal(Signal::TitledNotice { title, text }),
        }
    }
}

fn arguments(name: &str, title: String, text: String) -> Vec<String> {
    match name {
        "osascript" => {
            let script = format!("display notification {} with title {}", quoted(&text), quoted(&title));
            vec!["-e".to_owned(), script]
        }
        // It treats a value that begins with one of these as something else.
        "terminal-notifier" => {
            let safe = |text: String| {
                if text.starts_with(['-', '[', '(', '{', '"']) { format!(" {text}") } else { text }
            };
            vec!["-title".to_owned(), safe(title), "-message".to_owned(), safe(text)]
        }
        // Desktops read the text as markup.
        _ => vec!["--app-name=flyball".to_owned(), "--".to_owned(), title, escaped(&text)],
    }
}

/// A string of `AppleScript`.
fn quoted(text: &str) -> String {
    // Backslashes first, or those before the quotes would be doubled.
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

/// A text in one line, without invisible characters, and not too long.
pub(super) fn plain(text: &str) -> String {
    let is_seen = |letter: &char| !matches!(letter, '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{feff}');
    let spaced: String =
        text.chars().filter(is_seen).map(|letter| if letter.is_control() { ' ' } else { letter }).collect();
    text::cut(&text::one_line(&spaced), MOST_CHARS).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_program_is_given_the_text_and_nothing_reads_it_as_something_else() {
        let hostile = "a \"b\" \\ $(id) `id` <b>&\n\u{1b}]0;x\u{7}";
        let cases = [
            (
                "notify-send",
                vec!["--app-name=flyball", "--", "-t", "a \"b\" \\ $(id) `id` &lt;b&gt;&amp; ]0;x"],
            ),
            (
                "osascript",
                vec![
                    "-e",
                    "display notification \"a \\\"b\\\" \\\\ $(id) `id` <b>& ]0;x\" with title \"-t\"",
                ],
            ),
            ("terminal-notifier", vec!["-title", " -t", "-message", "a \"b\" \\ $(id) `id` <b>& ]0;x"]),
        ];
        for (name, arguments) in cases {
            let notifier = Notifier::Program { name, path: AbsolutePath::from_root(format!("/bin/{name}")) };
            let arguments = arguments.into_iter().map(str::to_owned).collect();
            let expected = Delivery::Program(FollowUp {
                program: AbsolutePath::from_root(format!("/bin/{name}")),
                arguments,
            });
            assert_eq!(notifier.show("-t", hostile), expected, "{name}");
        }
    }

    #[test]
    fn a_terminal_is_asked_in_its_own_form() {
        let (title, text) = ("t".to_owned(), "x y".to_owned());
        assert_eq!(
            Notifier::Terminal(Form::Plain).show("t", "x\ny"),
            Delivery::Terminal(Signal::Notice("t: x y".to_owned()))
        );
        let titled = Delivery::Terminal(Signal::TitledNotice { title, text });
        assert_eq!(Notifier::Terminal(Form::Titled).show("t", "x y"), titled);
    }

    #[test]
    fn a_text_is_one_line_of_bounded_length() {
        assert_eq!(plain(" a\r\n\tb\u{202e}c \u{0} "), "a bc");
        assert_eq!(plain(&"ä".repeat(500)), "ä".repeat(MOST_CHARS) + "…");
        assert_eq!(plain(&"ä".repeat(MOST_CHARS)), "ä".repeat(MOST_CHARS));
    }
}
