//! Which options of a program take a value.

/// Which options of a program take a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Grammar {
    /// Letters that take the rest of their word, or the next word.
    pub letters: &'static str,
    /// Letters that take the rest of their word, if there is one: `sed -i.bak`.
    pub optional: &'static str,
    /// Long names that take a value, separated by spaces.
    pub names: &'static str,
    /// How the program looks for options.
    pub option_style: OptionStyle,
}

impl Grammar {
    /// No option takes a value.
    pub const PLAIN: Grammar =
        Grammar { letters: "", optional: "", names: "", option_style: OptionStyle::Anywhere };

    /// The grammar of a program that starts the command behind its options.
    #[must_use]
    pub const fn wrapping(letters: &'static str, names: &'static str) -> Grammar {
        Grammar { letters, optional: "", names, option_style: OptionStyle::Wrapper }
    }
}

/// How a program looks for options.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OptionStyle {
    /// Anywhere before `--`; long names may be abbreviated.
    Gnu,
    /// Anywhere before `--`.
    Anywhere,
    /// Only in front of the first operand.
    InFront,
    /// Long names with a single dash: `openssl -out f`.
    OneDash,
    /// Only in front of the command that it starts, which may also be a word that is not known.
    /// Long names may be abbreviated, a single `-` is an option (`env - cmd`), and a long name that
    /// takes a value may have one dash (`screen -Logfile f cmd`).
    Wrapper,
}
