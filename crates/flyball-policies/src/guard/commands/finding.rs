//! What a rule found.

use flyball_core::path::AbsolutePath;

/// Something that a rule found.
#[derive(Debug)]
pub(super) struct Finding {
    /// What the command would do.
    pub(super) what: String,
    /// Why that is a problem.
    pub(super) why: &'static str,
    /// What to do instead; commands in it are themselves allowed.
    pub(super) instead: String,
    /// The file concerned.
    pub(super) file: Option<AbsolutePath>,
    /// Whether what would be lost is all in a snapshot of the tree.
    pub(super) is_in_tree: bool,
    /// The output of git that led to the finding, for the explanation.
    pub(super) seen: Option<(&'static str, String)>,
}

impl Finding {
    /// Always `Some`: it is the last expression of most checks.
    pub(super) fn new(
        what: impl Into<String>,
        why: &'static str,
        instead: impl Into<String>,
    ) -> Option<Finding> {
        Some(Finding {
            what: what.into(),
            why,
            instead: instead.into(),
            file: None,
            is_in_tree: false,
            seen: None,
        })
    }

    /// The same finding about a file.
    pub(super) fn about(mut self, path: impl Into<Option<AbsolutePath>>) -> Finding {
        self.file = path.into();
        self
    }

    /// The same finding about files of the tree, by what `git status` says of them. What is only staged is in no file.
    pub(super) fn in_tree<'a>(mut self, mut status: impl Iterator<Item = &'a str>) -> Finding {
        self.is_in_tree = !status.any(|line| !matches!(line.as_bytes(), [b' ' | b'?', ..] | [_, b' ', ..]));
        self
    }

    /// The same finding with the output that led to it.
    pub(super) fn seen(mut self, name: &'static str, value: &str) -> Finding {
        let first: String = value.lines().take(5).collect::<Vec<_>>().join("; ");
        self.seen = Some((name, first));
        self
    }
}
