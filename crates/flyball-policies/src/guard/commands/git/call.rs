//! A call of git as the rules ask about it: core reads it, the scene says where it leads.

use flyball_effects::{Directory, GitCall as Reading, Word};

use flyball_core::path::AbsolutePath;

use crate::guard::commands::context::{Call, Context};

/// One call of git with a known verb.
pub(in crate::guard::commands) struct GitCall<'a> {
    pub(in crate::guard::commands) call: Call<'a>,
    /// `push`, `commit` …
    pub(in crate::guard::commands) verb: &'a str,
    reading: Reading<'a>,
}

impl<'a> GitCall<'a> {
    /// Reads a call; `None` if it is none of git, or its verb is not known.
    pub(in crate::guard::commands) fn read(call: &Call<'a>) -> Option<GitCall<'a>> {
        let reading = Reading::parse(call.command)?;
        Some(GitCall { call: *call, verb: reading.verb?, reading })
    }

    /// Where it runs. Costs a look at the disk.
    pub(in crate::guard::commands) fn folder(&self, scene: &Context<'_>) -> AbsolutePath {
        scene.folder(&self.reading.directory)
    }

    /// The calls of git that stand before this one on the line.
    pub(in crate::guard::commands) fn earlier<'s>(
        &self,
        scene: &Context<'s>,
    ) -> impl Iterator<Item = GitCall<'s>> {
        let index = self.call.index;
        let before = scene.calls().filter(move |call| call.index < index);
        before.filter_map(|call| GitCall::read(&call))
    }

    /// Whether it puts uncommitted changes somewhere: a stash or a commit.
    pub(in crate::guard::commands) fn saves_changes(&self) -> bool {
        match self.verb {
            "commit" => !self.has(&["dry-run"]),
            "stash" => matches!(self.words().first(), None | Some(&("push" | "save"))),
            _ => false,
        }
    }

    /// Whether an option is given, by its long name or its letter.
    pub(in crate::guard::commands) fn flag(&self, long: &str, short: &str) -> bool {
        self.reading.flag(long, short)
    }

    /// Whether one of these long options is given.
    pub(in crate::guard::commands) fn has(&self, options: &[&str]) -> bool {
        options.iter().any(|option| self.flag(option, ""))
    }

    /// The value of a long option.
    pub(in crate::guard::commands) fn value(&self, long: &str) -> Option<&str> {
        self.reading.value(long, "")?.text.as_deref()
    }

    /// What the call itself sets a key of git's config to, if that is known.
    pub(in crate::guard::commands) fn setting(&self, key: &str) -> Option<&str> {
        self.reading.setting(key)?
    }

    /// Whether the call takes the value of a key of git's config from where it cannot be seen.
    pub(in crate::guard::commands) fn hides_setting(&self, key: &str) -> bool {
        self.reading.setting(key) == Some(None)
    }

    /// Every key of git's config that the call itself sets, with its value where that is known.
    pub(in crate::guard::commands) fn settings(&self) -> impl Iterator<Item = (&str, &str)> {
        self.reading.config.iter().filter_map(|(key, value)| Some((key.as_str(), value.as_deref()?)))
    }

    /// The known words that are no options, up to `--`.
    pub(in crate::guard::commands) fn words(&self) -> Vec<&'a str> {
        let before = self.reading.split_at_dashes().map_or(self.reading.operands(), |(before, _)| before);
        before.iter().filter_map(|word| word.text.as_deref()).collect()
    }

    /// The known words behind `--`; `None` if there is none.
    pub(in crate::guard::commands) fn paths(&self) -> Option<Vec<&'a str>> {
        let (_, behind) = self.reading.split_at_dashes()?;
        Some(behind.iter().filter_map(|word| word.text.as_deref()).collect())
    }

    /// Where a path of this call leads.
    pub(in crate::guard::commands) fn path(&self, scene: &Context<'_>, text: &str) -> Option<AbsolutePath> {
        scene.path(&Word::literal(text), &Directory::OneOf(vec![self.folder(scene).into()]))
    }
}
