//! What a language calls things, as tables: which words are operators, what its functions do.

use crate::model::Language;

/// One language, as far as the walker needs to know it.
pub(super) struct Dialect {
    pub(super) language: Language,
    /// Words that may come before an expression or statement.
    pub(super) prefixes: &'static [&'static str],
    /// Words between two values.
    pub(super) infixes: &'static [&'static str],
    /// Words that repeat or choose what they govern.
    pub(super) branches: &'static [&'static str],
    pub(super) functions: &'static [(&'static str, CallEffect)],
    /// What methods of any object do; the object is argument 0.
    pub(super) methods: &'static [(&'static str, CallEffect)],
    /// Functions that only compute, read standard input or print.
    pub(super) harmless: Words,
    /// Methods of any object that do nothing outside it.
    pub(super) harmless_methods: Words,
    /// Modules and classes of which every function that has no effect is harmless.
    pub(super) modules: Words,
    /// Further modules that do nothing when they are loaded.
    pub(super) quiet_modules: Words,
}

/// A list of words, written as one text.
#[derive(Clone, Copy)]
pub(super) struct Words(pub(super) &'static str);

impl Words {
    /// Whether `word` is in the list.
    pub(super) fn contains(self, word: &str) -> bool {
        let is_space = |byte: Option<&u8>| byte.is_none_or(|byte| *byte == b' ');
        let bytes = self.0.as_bytes();
        !word.is_empty()
            && self.0.match_indices(word).any(|(at, _)| {
                is_space(at.checked_sub(1).and_then(|at| bytes.get(at)))
                    && is_space(bytes.get(at + word.len()))
            })
    }

    pub(super) fn iter(self) -> impl Iterator<Item = &'static str> {
        self.0.split(' ')
    }
}

/// What a function does. Numbers are positions of arguments.
// 9 is a position that no call has: the address or content is unknown.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum CallEffect {
    Nothing,
    Opaque,
    /// Runs code that is given as text.
    Code(usize),
    /// Nothing, but its value is known.
    Returns(Returned),
    Read(usize),
    Change(usize),
    /// Creates the file if it does not exist.
    Touch(usize),
    Delete(usize),
    DeleteTree(usize),
    /// With all below it if `recursive` is given.
    DeleteOption(usize),
    /// Every argument is deleted.
    DeleteEach,
    Attributes(usize),
    /// Every argument from this one on.
    AttributesFrom(usize),
    Write(usize, usize),
    Append(usize, usize),
    Move(usize, usize),
    Copy(usize, usize),
    /// Target and new name.
    Link(usize, usize),
    /// Path and mode; returns a handle.
    Open(usize, usize),
    /// Opened to be written from scratch; returns a handle.
    Create(usize),
    /// Perl's `open HANDLE, MODE, PATH`.
    OpenPerl,
    /// The handle's position, and the first of the texts written.
    WriteTo(usize, usize),
    /// `write` of an object that may be a handle, with what is put behind each text.
    Print(&'static str),
    Shell(usize),
    Start(Start),
    /// Fetches from this address.
    Fetch(usize),
    /// Sends to this address.
    Send(usize),
    /// Fetches from an address into a file.
    Download(usize, usize),
    /// Makes this the current directory.
    Enter(usize),
    /// A statement for a database.
    Sql,
    /// Calls one of its arguments.
    Calls,
    /// In-place editing by `fileinput`.
    FileInput,
    /// Loads the module of this name.
    Load(usize),
    /// Lists what is in this folder, or what matches this pattern; what is listed may be deleted by name.
    Lists(usize),
    /// Writes to this path if it is given one: `df.to_csv(path)`.
    WriteIf(usize),
}

/// How a function takes the command it starts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Start {
    /// A list of words, or a line: `subprocess.run`.
    ListOrLine(usize),
    /// A program, then a list of arguments, then options: `spawn`.
    Program,
    /// One line, or the words one by one: Ruby's and Perl's `system`.
    Words,
    /// Path of the program at this position, then a list that begins with its name: `execv`.
    Replace(usize),
    /// The same with the list spread out: `execl`.
    Spread(usize),
    /// The words one by one: `create_subprocess_exec`.
    Each,
}

/// What a harmless function returns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Returned {
    /// The parts joined to a path.
    Join,
    /// The argument at this position.
    Same(usize),
    /// The argument as a path object.
    Path,
    /// The argument, with `~` expanded to the home directory.
    Home,
    HomeItself,
    Here,
    /// The words of a text.
    Words,
    Parent,
    /// Another name in the same directory.
    Sibling,
    /// A path object that is not known.
    SomePath,
    /// The member of argument 0 that argument 1 names.
    Member,
    /// A database at this path.
    Database,
    Function,
    /// A document read from a file, with methods that write it.
    Document,
}
