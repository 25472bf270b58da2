//! What a command does to a rule.

/// Whether a command breaks a rule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Breach {
    None,
    /// Only by the package manager that it uses.
    Manager,
    Sure,
    /// If one of these is the current branch.
    OnBranch(Vec<String>),
}
