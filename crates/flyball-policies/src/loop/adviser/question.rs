//! What an adviser reads about a loop that is stuck.

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Question {
    /// The limit that was reached, in words.
    pub reason: String,
    /// The iteration that was reached.
    pub iteration: u32,
    /// How many are allowed.
    pub max_iterations: u32,
    /// The open phases, a line each: `review of backend: failed 3 times`.
    pub open: Vec<String>,
    /// The issues of reviewers and testers, and the ends of failing commands' output; the latest last.
    pub issues: Vec<String>,
    /// The files that were edited.
    pub files: Vec<String>,
    /// What happened, a line each, oldest first.
    pub history: Vec<String>,
}
