//! What a rule in prose forbids, demands or wants to be asked about, as far as its words say so plainly.
//!
//! Only code in backticks and the names of tools count: what is left is for a reader.

mod clause;
mod settled;
#[cfg(test)]
mod tests;

pub use self::clause::read;

/// What a rule says about a piece of code.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Claim {
    /// The command, file or tool, as it is written.
    pub code: String,
    pub demand: Demand,
    /// What is done with it.
    pub verb: Verb,
    /// Whether it leaves no choice: `never`, `must not`; and has no exception.
    pub is_strict: bool,
    /// What the rule names to be used instead.
    pub instead: Option<String>,
}

/// What a rule wants.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Demand {
    /// It must not be done.
    Forbidden,
    /// A person has to be asked before.
    AskFirst,
    /// It is the way to do it.
    Used,
    /// It must have passed before the work is done.
    BeforeDone,
}

/// What is done with a piece of code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verb {
    /// It is run or used.
    Run,
    /// The file is changed, made or deleted.
    Edit,
    /// The file is committed.
    Commit,
    /// The file is read or shown.
    Read,
    /// Code is formatted or checked with it.
    Format,
}
