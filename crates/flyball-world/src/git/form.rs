//! Whether an answer has the form that git gives it. Something else in its place answers too, and with an empty text
//! every repository would be clean.

/// A question as it is asked, and whether its answer begins with a line that shows that git wrote it.
pub(super) struct Asked<'a> {
    pub(super) words: Vec<&'a str>,
    has_header: bool,
}

/// The question with what makes its answer safe to read.
pub(super) fn prepare<'a>(question: &[&'a str]) -> Asked<'a> {
    let mut words = question.to_vec();
    let is_status = question.first() == Some(&"status");
    let has_header = is_status
        && question.iter().any(|word| matches!(*word, "--porcelain" | "--porcelain=v1"))
        && !question.iter().any(|word| matches!(*word, "--branch" | "-b"));
    if has_header {
        words.splice(1..1, ["--branch", "--no-ahead-behind"]);
    }
    // A repository names the programs that show its files; only the plain text is asked for.
    if matches!(question.first(), Some(&("diff" | "log" | "show"))) {
        words.splice(1..1, ["--no-ext-diff", "--no-textconv"]);
    }
    Asked { words, has_header }
}

impl<'a> Asked<'a> {
    /// The names of commits, or of files in them, that git cannot answer without.
    pub(super) fn revisions(&self) -> Vec<&'a str> {
        // Behind `--` and `--not` there are files and other branches, which may be missing.
        let before = self.words.iter().skip(1).take_while(|word| !matches!(**word, "--" | "--not"));
        let names = self.verb().map_or(0, |verb| match verb {
            "rev-parse" | "rev-list" | "diff" | "merge-base" => usize::MAX,
            "show" | "ls-tree" => 1,
            _ => 0,
        });
        // The type of an object may come first.
        if self.verb() == Some("cat-file") {
            return self.words.last().copied().into_iter().collect();
        }
        let named = before.filter(|word| !word.starts_with('-') && Some(**word) != self.verb());
        // `a..b` and `a...b` are two; the path in `a:b` may have dots.
        let parts = |word: &&'a str| word.split(if word.contains(':') { "\0" } else { ".." });
        let parts = named.take(names).flat_map(parts).map(|name| name.trim_start_matches('.'));
        parts.filter(|name| !name.is_empty()).collect()
    }

    /// The same question about all files, if it names some.
    pub(super) fn without_paths(&self) -> Option<Vec<&'a str>> {
        let end = self.words.iter().position(|word| *word == "--")?;
        let has_paths = self.words.len() > end + 1;
        has_paths.then(|| self.words.iter().take(end).copied().collect())
    }

    /// Whether git says "no" to such a question by its exit code alone.
    pub(super) fn can_be_denied(&self) -> bool {
        let has = |option: &str| self.words.contains(&option);
        match self.verb() {
            Some("rev-parse") => has("--verify") && has("--quiet"),
            Some("merge-base") => has("--is-ancestor"),
            Some("cat-file") => has("-e"),
            Some("check-ignore") => true,
            Some("config") => has("--get"),
            _ => false,
        }
    }

    /// Whether an answer shows that git wrote it, whatever it is. Something else in its place may print nothing, too.
    pub(super) fn proves_git(&self, answer: &str) -> bool {
        let has = |option: &str| self.words.contains(&option);
        let is_hash = || is_object(answer.trim_end());
        self.has_header || has("--show-toplevel") || has("--count") || has("worktree") || is_hash()
    }

    /// The word that says what is asked; options of git itself may be in front of it.
    fn verb(&self) -> Option<&'a str> {
        self.words.iter().copied().find(|word| !word.starts_with('-'))
    }

    /// The answer, without what was only asked to recognise it; `None` if git would not answer so.
    pub(super) fn read(&self, answer: String) -> Option<String> {
        let verb = self.verb().unwrap_or_default();
        let has = |option: &str| self.words.contains(&option);
        match verb {
            "status" if self.has_header => {
                let end = if has("-z") { '\0' } else { '\n' };
                let (header, entries) = answer.split_once(end)?;
                let is_right = header.starts_with("## ")
                    && entries.split(end).filter(|entry| !entry.is_empty()).all(|entry| is_entry(entry, end));
                is_right.then(|| entries.to_owned())
            }
            "rev-parse" if has("--show-toplevel") => answer.starts_with('/').then_some(answer),
            "rev-parse" if self.words.last() == Some(&"HEAD") && !has("--abbrev-ref") => {
                is_object(answer.trim_end()).then_some(answer)
            }
            "rev-parse" if has("--git-dir") => (!answer.trim().is_empty()).then_some(answer),
            "rev-list" if !has("--count") => {
                // With `--boundary`, those that are not among them have a mark.
                let is_commit = |line: &str| is_object(line.strip_prefix('-').unwrap_or(line).trim_end());
                answer.lines().all(is_commit).then_some(answer)
            }
            "clean" => answer.lines().all(is_removal).then_some(answer),
            "rev-list" if has("--count") => answer.trim_end().parse::<u64>().is_ok().then_some(answer),
            "stash" if has("list") => {
                answer.lines().all(|line| line.starts_with("stash@{")).then_some(answer)
            }
            "worktree" if has("--porcelain") => answer.starts_with("worktree /").then_some(answer),
            _ => Some(answer),
        }
    }
}

/// What `git clean -n` says of a file, or of a repository that it leaves alone.
fn is_removal(line: &str) -> bool {
    ["Would remove ", "Would skip repository ", "Skipping repository "]
        .iter()
        .any(|words| line.starts_with(words))
}

/// `XY path`. With `-z`, a renamed file is followed by its old name alone.
fn is_entry(entry: &str, end: char) -> bool {
    let mut letters = entry.chars();
    let states = [letters.next(), letters.next()];
    let is_state = |state: &Option<char>| state.is_some_and(|letter| " MADRCUT?!m".contains(letter));
    end == '\0' || (states.iter().all(is_state) && letters.next() == Some(' '))
}

/// The name of an object, in either of git's formats.
fn is_object(text: &str) -> bool {
    matches!(text.len(), 40 | 64) && text.bytes().all(|byte| byte.is_ascii_hexdigit())
}

#[cfg(test)]
mod tests {
    use super::prepare;

    #[test]
    fn only_answers_of_git_count() {
        let hash = "0123456789012345678901234567890123456789\n";
        let cases: [(&[&str], &str, Option<&str>); 16] = [
            (&["status", "--porcelain"], "## main\n M a\n?? b\n", Some(" M a\n?? b\n")),
            (&["status", "--porcelain"], "## main\n", Some("")),
            (&["status", "--porcelain"], "", None),
            (&["status", "--porcelain"], "## main\nnothing to commit\n", None),
            (&["status", "--porcelain=v1", "-z"], "## main\0 M a\0", Some(" M a\0")),
            (&["status", "--porcelain=v1", "-z"], "", None),
            (&["rev-parse", "HEAD"], hash, Some(hash)),
            (&["rev-parse", "HEAD"], "\n", None),
            (&["rev-parse", "--show-toplevel"], "", None),
            (&["rev-list", "--count", "HEAD"], "3\n", Some("3\n")),
            (&["rev-list", "--count", "HEAD"], "", None),
            (&["ls-files"], "", Some("")),
            (&["rev-list", "--max-count=1", "HEAD"], hash, Some(hash)),
            (&["rev-list", "--max-count=1", "HEAD"], "nothing\n", None),
            (
                &["clean", "-n"],
                "Would remove a\nWould skip repository b\n",
                Some("Would remove a\nWould skip repository b\n"),
            ),
            (&["clean", "-n"], "nothing to clean\n", None),
        ];
        for (question, answer, expected) in cases {
            assert_eq!(
                prepare(question).read(answer.to_owned()).as_deref(),
                expected,
                "{question:?}: {answer}"
            );
        }
    }

    #[test]
    fn a_question_shows_what_it_names() {
        /// A question, the names in it, and the same question about all files.
        type Case = (&'static [&'static str], &'static [&'static str], Option<&'static [&'static str]>);
        let cases: [Case; 9] = [
            (&["rev-list", "--count", "a..HEAD", "--not", "--remotes"], &["a", "HEAD"], None),
            (&["rev-list", "a...b"], &["a", "b"], None),
            (&["rev-parse", "--abbrev-ref", "HEAD"], &["HEAD"], None),
            (&["--no-replace-objects", "cat-file", "blob", "c:./a..b"], &["c:./a..b"], None),
            (&["merge-base", "--is-ancestor", "x", "HEAD"], &["x", "HEAD"], None),
            (&["ls-tree", "-r", "HEAD", "--", "a"], &["HEAD"], Some(&["ls-tree", "-r", "HEAD"])),
            (&["clean", "-n", "--", "../x"], &[], Some(&["clean", "-n"])),
            (&["ls-files", "-z", "--"], &[], None),
            (&["stash", "list"], &[], None),
        ];
        for (question, revisions, rest) in cases {
            let asked = prepare(question);
            assert_eq!(asked.revisions(), revisions, "{question:?}");
            assert_eq!(asked.without_paths().as_deref(), rest, "{question:?}");
        }
    }

    #[test]
    fn what_a_repository_chooses_is_not_asked() {
        assert_eq!(prepare(&["diff", "HEAD"]).words, ["diff", "--no-ext-diff", "--no-textconv", "HEAD"]);
    }
}
