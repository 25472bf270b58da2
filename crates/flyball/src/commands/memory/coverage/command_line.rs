//! A command line as a rule names it.

/// What stands where a rule leaves a word open, when the line is tried.
const EXAMPLE: &str = "x";

/// One word of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Word {
    Given(String),
    /// `<name>`, `[file]`: any word.
    Open,
}

/// A command line with its open words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct CommandLine(Vec<Word>);

impl CommandLine {
    /// The words of a line; what only says that there may be more is none of them.
    pub(super) fn read(line: &str) -> CommandLine {
        let words = line.split_whitespace().filter(|word| !["...", "\u{2026}"].contains(word));
        let word = |word: &str| {
            if word.starts_with(['<', '[']) { Word::Open } else { Word::Given(word.to_owned()) }
        };
        CommandLine(words.map(word).collect())
    }

    /// A line that it means.
    pub(super) fn example(&self) -> String {
        let words = self.0.iter().map(|word| match word {
            Word::Given(word) => word.as_str(),
            Word::Open => EXAMPLE,
        });
        words.collect::<Vec<&str>>().join(" ")
    }

    /// The words that are given.
    pub(super) fn given(&self) -> impl Iterator<Item = &str> {
        self.0.iter().filter_map(|word| match word {
            Word::Given(word) => Some(word.as_str()),
            Word::Open => None,
        })
    }

    /// The line without its last word, if it has at least two more and that one makes a difference.
    pub(super) fn without_last(&self) -> Option<CommandLine> {
        let (last, before) = self.0.split_last()?;
        (before.len() > 1 && *last != Word::Open).then(|| CommandLine(before.to_vec()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_has_given_and_open_words() {
        let cases: [(&str, &str, &[&str], Option<&str>); 4] = [
            ("git push <remote>", "git push x", &["git", "push"], None),
            ("pnpm x run", "pnpm x run", &["pnpm", "x", "run"], Some("pnpm x")),
            ("make deploy …", "make deploy", &["make", "deploy"], None),
            ("rm -rf [folder] --yes", "rm -rf x --yes", &["rm", "-rf", "--yes"], Some("rm -rf x")),
        ];
        for (line, example, given, without_last) in cases {
            let read = CommandLine::read(line);
            assert_eq!(read.example(), example, "{line}");
            assert!(read.given().eq(given.iter().copied()), "{line}");
            assert_eq!(read.without_last().map(|line| line.example()).as_deref(), without_last, "{line}");
        }
    }
}
