//! The status of a task.

/// The status of a task.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Status {
    Pending,
    InProgress,
    /// Handed over from before a compaction.
    Handoff,
    Finished,
    /// Cancelled by a person.
    Cancelled,
    Failed,
    Error,
    /// An unknown word: the task is open.
    Other(String),
}

impl Status {
    /// Whether no work is left.
    #[must_use]
    pub const fn is_terminal(&self) -> bool {
        matches!(self, Status::Finished | Status::Cancelled | Status::Failed | Status::Error)
    }

    /// The word that plans use.
    #[must_use]
    pub fn as_str(&self) -> &str {
        match self {
            Status::Pending => "pending",
            Status::InProgress => "in progress",
            Status::Handoff => "handoff",
            Status::Finished => "finished",
            Status::Cancelled => "cancelled",
            Status::Failed => "failed",
            Status::Error => "error",
            Status::Other(word) => word,
        }
    }

    /// The status that a word in a plan means.
    pub(super) fn parse(word: &str) -> Status {
        let plain = word.trim().to_lowercase().replace(['_', '-'], " ");
        match plain.as_str() {
            "" | "pending" | "planned" | "todo" => Status::Pending,
            "in progress" => Status::InProgress,
            "handoff" => Status::Handoff,
            "finished" | "completed" | "complete" | "done" => Status::Finished,
            "cancelled" | "canceled" => Status::Cancelled,
            "failed" => Status::Failed,
            "error" => Status::Error,
            _ => Status::Other(word.trim().to_owned()),
        }
    }
}
