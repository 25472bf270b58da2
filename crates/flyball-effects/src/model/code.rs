//! What interpreter code would do, flat.

use super::effect::FileAct;

/// What a piece of code would do, as far as its text says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CodeReading {
    /// What it does, in the order in which it is written.
    pub acts: Vec<CodeAct>,
    /// Whether it may do more than `acts` says.
    pub is_opaque: bool,
    /// The language it is written in.
    pub language: Language,
}

impl CodeReading {
    /// Code of which nothing is known.
    pub(crate) fn unknown(language: Language) -> Self {
        Self { acts: Vec::new(), is_opaque: true, language }
    }
}

/// Something that code does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CodeAct {
    /// Something is done to a file.
    File {
        act: FileAct,
        /// To what; `None` if that is known only at run time.
        path: Option<String>,
    },
    /// The network is called.
    Network {
        /// The address or host as written, if it is known.
        to: Option<String>,
        /// Whether something leaves this machine.
        sends: bool,
    },
    /// A line is handed to a shell.
    Shell {
        /// The line, if it is known.
        line: Option<String>,
    },
    /// A program is started without a shell.
    Command {
        /// The program and its arguments; `None` where they are known only at run time.
        words: Vec<Option<String>>,
    },
    /// Text is run that a decoder in the code makes and that is not known.
    Decoded,
}

/// The language of a piece of code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Language {
    /// `python -c`
    Python,
    /// `node -e`, `deno eval`, `bun -e`
    JavaScript,
    /// `perl -e`
    Perl,
    /// `ruby -e`
    Ruby,
    /// `php -r`
    Php,
    /// `lua -e`
    Lua,
    /// `awk '…'`
    Awk,
    /// `sed '…'`
    Sed,
    /// `osascript -e`
    AppleScript,
}

impl Language {
    /// What people call such code: `python code`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Python => "python code",
            Self::JavaScript => "JavaScript code",
            Self::Perl => "perl code",
            Self::Ruby => "ruby code",
            Self::Php => "php code",
            Self::Lua => "lua code",
            Self::Awk => "awk code",
            Self::Sed => "a sed script",
            Self::AppleScript => "AppleScript code",
        }
    }
}
