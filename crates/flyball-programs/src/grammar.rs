//! Which options of a program take a value.

/// Which options of a program take a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Grammar {
    /// Letters that take the rest of their word, or the next word.
    pub letters: &'static str,
    /// Letters that take the rest of their word, if there is one: `sed -i.bak`.
    pub optional: &'static str,
    /// Long names that take a value, a space between them.
    pub names: &'static str,
    /// How the program looks for options.
    pub habit: Habit,
}

impl Grammar {
    /// No option takes a value.
    pub const PLAIN: Grammar = Grammar { letters: "", optional: "", names: "", habit: Habit::Anywhere };
}

/// How a program looks for options.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Habit {
    /// Anywhere before `--`; long names may be cut short.
    Gnu,
    /// Anywhere before `--`.
    Anywhere,
    /// Only in front of the first operand.
    InFront,
    /// Long names with a single dash: `openssl -out f`.
    OneDash,
}
