//! A call of git as the rules need it: `flyball_effects` parses it, the context resolves its paths.

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
    /// Reads a call; `None` if it does not run git, or its verb is not known.
    pub(in crate::guard::commands) fn read(call: &Call<'a>) -> Option<GitCall<'a>> {
        let reading = Reading::parse(call.command)?;
        // A test that runs git somewhere else makes that place itself: `subprocess.run([…], cwd=tmp_path)`.
        if call.command.is_loaded() && reading.directory == Directory::Unknown {
            return None;
        }
        Some(GitCall { call: *call, verb: reading.verb?, reading })
    }

    /// The folder it runs in. Reads the disk.
    pub(in crate::guard::commands) fn folder(&self, context: &Context<'_>) -> AbsolutePath {
        context.folder(&self.reading.directory)
    }

    /// Whether the call itself names another folder: `git -C folder …`.
    pub(in crate::guard::commands) fn is_elsewhere(&self) -> bool {
        let mut words = self.call.command.arguments.iter().filter_map(|word| word.text.as_deref());
        words.any(|text| text == "-C" || text.starts_with("--git-dir") || text.starts_with("--work-tree"))
    }

    /// The calls of git before this one on the line.
    pub(in crate::guard::commands) fn earlier<'s>(
        &self,
        context: &Context<'s>,
    ) -> impl Iterator<Item = GitCall<'s>> {
        let index = self.call.index;
        let before = context.calls().filter(move |call| call.index < index);
        before.filter_map(|call| GitCall::read(&call))
    }

    /// Whether it saves uncommitted changes in a stash or a commit.
    pub(in crate::guard::commands) fn saves_changes(&self) -> bool {
        match self.verb {
            "commit" => !self.has(&["dry-run"]),
            // `git stash` alone is `git stash push`.
            "stash" => matches!(self.words().first(), None | Some(&("push" | "save"))),
            _ => false,
        }
    }

    /// Whether it runs in a repository that the line itself makes: it has nothing to lose yet.
    pub(in crate::guard::commands) fn is_in_new_repository(&self, context: &Context<'_>) -> bool {
        let folder = self.folder(context);
        !context.exists(&folder)
            && self
                .earlier(context)
                .any(|earlier| earlier.makes(context).is_some_and(|new| folder.is_in(&new)))
    }

    /// The folder of the repository or worktree that it makes.
    pub(in crate::guard::commands) fn makes(&self, context: &Context<'_>) -> Option<AbsolutePath> {
        let words = self.words();
        let folder = match (self.verb, words.as_slice()) {
            ("clone", [source]) => {
                let name = source.trim_end_matches('/').rsplit(['/', ':']).next()?;
                name.strip_suffix(".git").unwrap_or(name)
            }
            ("clone", [.., folder]) | ("init", [folder]) => folder,
            ("worktree", ["add", rest @ ..]) => {
                let branch = ["b", "B"].into_iter().find_map(|letter| self.reading.value("", letter));
                let branch = branch.and_then(|word| word.text.as_deref());
                rest.iter().find(|word| Some(**word) != branch)?
            }
            _ => return None,
        };
        self.path(context, folder)
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

    /// The value that the call itself gives a key of git's config, if it is known.
    pub(in crate::guard::commands) fn setting(&self, key: &str) -> Option<&str> {
        self.reading.setting(key)?
    }

    /// Whether the call itself sets a key of git's config to an unknown value.
    pub(in crate::guard::commands) fn hides_setting(&self, key: &str) -> bool {
        self.reading.setting(key) == Some(None)
    }

    /// The keys of git's config that the call itself sets to known values.
    pub(in crate::guard::commands) fn settings(&self) -> impl Iterator<Item = (&str, &str)> {
        self.reading.config.iter().filter_map(|(key, value)| Some((key.as_str(), value.as_deref()?)))
    }

    /// The known words that are not options, up to `--`.
    pub(in crate::guard::commands) fn words(&self) -> Vec<&'a str> {
        let before = self.reading.split_at_dashes().map_or(self.reading.operands(), |(before, _)| before);
        before.iter().filter_map(|word| word.text.as_deref()).collect()
    }

    /// The known words after `--`; `None` without a `--`.
    pub(in crate::guard::commands) fn paths(&self) -> Option<Vec<&'a str>> {
        let (_, after) = self.reading.split_at_dashes()?;
        Some(after.iter().filter_map(|word| word.text.as_deref()).collect())
    }

    /// The absolute path that a path of this call means.
    pub(in crate::guard::commands) fn path(&self, context: &Context<'_>, text: &str) -> Option<AbsolutePath> {
        context.path(&Word::literal(text), &Directory::OneOf(vec![self.folder(context).into()]))
    }
}
