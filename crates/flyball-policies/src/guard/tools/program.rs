//! The search that a program on a command line makes.

use flyball_core::policy::Situation;
use flyball_effects::{Command, RedirectKind, Target, Word};

use super::avoided::Way;
use super::seek::{Seek, Spot, of_glob, of_type};

/// Programs that hand names on to another one.
const HANDS_ON: &[&str] = &["xargs", "find", "fd", "parallel"];

/// What `find` and `fd` do to the files they found: then it is no search.
const ACTS: &[&str] = &[
    "-delete",
    "-exec",
    "-execdir",
    "-ok",
    "-okdir",
    "-fprint",
    "-fprintf",
    "-fls",
    "-x",
    "-X",
    "--exec",
    "--exec-batch",
];

/// The search that a command makes, if it makes one in the project.
pub(super) fn seek(situation: &Situation<'_>, command: &Command) -> Option<Seek> {
    let name = command.program_name()?;
    let is_git_grep = name == "git" && command.arguments.first().is_some_and(|word| word.is("grep"));
    let way = if is_git_grep { Way::GitGrep } else { Way::of_program(name)? };
    let words = command.arguments.get(usize::from(is_git_grep)..).unwrap_or_default();
    let found = match way {
        Way::Find => found_by_find(words)?,
        Way::Fd if words.iter().any(is_act) => return None,
        Way::Fd => Arguments::read(words, &FD).names(),
        Way::Grep => Arguments::read(words, &GREP).content(),
        Way::GitGrep => Arguments::read(words, &GIT_GREP).content(),
        Way::Ripgrep => Arguments::read(words, &RIPGREP).content(),
        Way::Ag | Way::Ack => Arguments::read(words, &AG).content(),
        Way::Content | Way::Names => return None,
    };
    let spots = spots(situation, (command, way), &found)?;
    let tool = if is_git_grep { "git grep" } else { name };
    Some(Seek { way, tool: tool.to_owned(), pattern: found.pattern, spots, filters: found.filters })
}

/// What a program's arguments say.
#[derive(Default)]
struct Found<'a> {
    pattern: Option<String>,
    places: Vec<&'a Word>,
    filters: Vec<String>,
    is_recursive: bool,
}

/// Where in the project it searches; `None` if it only filters what it is given, or looks
/// elsewhere.
fn spots(situation: &Situation<'_>, (command, way): (&Command, Way), found: &Found<'_>) -> Option<Vec<Spot>> {
    let reads_from = command.redirects.iter().find(|redirect| redirect.kind == RedirectKind::Read);
    let mut places = found.places.clone();
    let is_handed_on = command
        .wrappers
        .iter()
        .any(|wrapper| wrapper.split(' ').next().is_some_and(|program| HANDS_ON.contains(&program)));
    if is_handed_on {
        // The names that come down the pipe stand here as one word that nobody knows.
        places.retain(|word| word.text.as_deref().is_some_and(|text| text != "{}"));
    }
    let here = Word::literal(".");
    if places.is_empty() {
        let reads_input = match way {
            Way::Grep => !found.is_recursive,
            Way::Ripgrep | Way::Ag | Way::Ack => command.place.pipe_in || reads_from.is_some(),
            Way::GitGrep | Way::Find | Way::Fd | Way::Content | Way::Names => false,
        };
        match reads_from {
            Some(redirect) if reads_input => places.push(&redirect.target),
            None if reads_input && !is_handed_on => return None,
            _ => places.push(&here),
        }
    }
    let located = places.iter().map(|word| situation.locate(&Target::new(word, &command.directory)));
    let spots: Vec<Spot> = located
        .flat_map(|at| at.paths().iter().filter_map(|path| Spot::at(path, situation)).collect::<Vec<_>>())
        .collect();
    (!spots.is_empty()).then_some(spots)
}

/// How a program reads its options.
struct Grammar {
    /// Short options that take a value.
    short: &'static str,
    /// Long options that take the next word as their value.
    long: &'static [&'static str],
}

const GREP: Grammar = Grammar {
    short: "efABCmdD",
    long: &[
        "regexp",
        "file",
        "after-context",
        "before-context",
        "context",
        "max-count",
        "include",
        "exclude",
        "exclude-dir",
        "exclude-from",
        "label",
        "directories",
        "devices",
        "binary-files",
    ],
};
const GIT_GREP: Grammar = Grammar {
    short: "efABCm",
    long: &["after-context", "before-context", "context", "max-count", "max-depth", "threads"],
};
const RIPGREP: Grammar = Grammar {
    short: "efgtTABCmjMrEd",
    long: &[
        "regexp",
        "file",
        "glob",
        "iglob",
        "type",
        "type-not",
        "type-add",
        "after-context",
        "before-context",
        "context",
        "max-count",
        "threads",
        "max-columns",
        "replace",
        "encoding",
        "max-depth",
        "max-filesize",
        "sort",
        "sortr",
        "colors",
        "color",
        "pre",
        "ignore-file",
    ],
};
const AG: Grammar = Grammar {
    short: "GABCmp",
    long: &[
        "file-search-regex",
        "after",
        "before",
        "context",
        "max-count",
        "depth",
        "ignore",
        "ignore-dir",
        "type",
        "path-to-ignore",
    ],
};
const FD: Grammar = Grammar {
    short: "etdESojc",
    long: &[
        "extension",
        "type",
        "max-depth",
        "min-depth",
        "exact-depth",
        "exclude",
        "size",
        "owner",
        "threads",
        "color",
        "search-path",
        "base-directory",
        "changed-within",
        "changed-before",
    ],
};

/// Options with their values, and the words that are none.
#[derive(Default)]
struct Arguments<'a> {
    values: Vec<(&'a str, &'a str)>,
    /// Clusters of letters.
    flags: Vec<&'a str>,
    long_flags: Vec<&'a str>,
    operands: Vec<&'a Word>,
}

impl<'a> Arguments<'a> {
    fn read(words: &'a [Word], grammar: &Grammar) -> Arguments<'a> {
        let mut read = Arguments::default();
        let mut words = words.iter();
        while let Some(word) = words.next() {
            let text = word.text.as_deref().unwrap_or_default();
            if text == "--" {
                read.operands.extend(words.by_ref());
            } else if let Some(long) = text.strip_prefix("--") {
                match long.split_once('=') {
                    Some((name, value)) => read.values.push((name, value)),
                    None if grammar.long.contains(&long) => read.take(long, words.next()),
                    None => read.long_flags.push(long),
                }
            } else if let Some(short) = text.strip_prefix('-').filter(|short| !short.is_empty()) {
                match short.find(|letter| grammar.short.contains(letter)) {
                    // The rest of the cluster is the value, or else the next word.
                    Some(at) => {
                        let (flags, option) = short.split_at(at);
                        read.flags.push(flags);
                        let (option, value) = option.split_at(1);
                        if value.is_empty() {
                            read.take(option, words.next());
                        } else {
                            read.values.push((option, value));
                        }
                    }
                    None => read.flags.push(short),
                }
            } else {
                read.operands.push(word);
            }
        }
        read
    }

    fn take(&mut self, option: &'a str, value: Option<&'a Word>) {
        let text = value.and_then(|word| word.text.as_deref()).unwrap_or_default();
        self.values.push((option, text));
    }

    fn value(&self, names: &[&str]) -> Option<&'a str> {
        self.values.iter().find(|(name, _)| names.contains(name)).map(|(_, value)| *value)
    }

    fn filters(&self) -> Vec<String> {
        let filters = self.values.iter().flat_map(|(name, value)| match *name {
            "include" | "g" | "glob" | "iglob" => of_glob(value),
            "t" | "type" => of_type(value),
            _ => Vec::new(),
        });
        filters.collect()
    }

    /// The arguments of a program that searches in files.
    fn content(mut self) -> Found<'a> {
        let given = self.value(&["e", "regexp"]);
        let is_in_a_file = self.value(&["f", "file"]).is_some();
        let pattern = match given {
            Some(pattern) => Some(pattern.to_owned()),
            None if is_in_a_file || self.operands.is_empty() => None,
            None => self.operands.remove(0).text.clone(),
        };
        let is_recursive = self.flags.iter().any(|letters| letters.contains(['r', 'R']))
            || self.long_flags.iter().any(|flag| matches!(*flag, "recursive" | "dereference-recursive"));
        let filters = self.filters();
        Found { pattern, filters, is_recursive, places: self.operands }
    }

    /// The arguments of `fd`.
    fn names(mut self) -> Found<'a> {
        let pattern = if self.operands.is_empty() { None } else { self.operands.remove(0).text.clone() };
        let endings = self.values.iter().filter(|(name, _)| matches!(*name, "e" | "extension"));
        let mut filters: Vec<String> = endings.map(|(_, ending)| format!("*.{ending}")).collect();
        filters.extend(pattern.as_deref().map(of_glob).unwrap_or_default());
        Found { pattern, filters, places: self.operands, is_recursive: true }
    }
}

fn is_act(word: &Word) -> bool {
    word.text.as_deref().is_some_and(|text| ACTS.contains(&text))
}

/// The arguments of `find`: places, then tests. `None` if it does more than find.
fn found_by_find(words: &[Word]) -> Option<Found<'_>> {
    if words.iter().any(is_act) {
        return None;
    }
    let is_test = |word: &&Word| word.text.as_deref().is_some_and(|text| text.starts_with(['-', '(', '!']));
    let is_link_option = |word: &&Word| ["-H", "-L", "-P"].iter().any(|option| word.is(option));
    let places: Vec<&Word> =
        words.iter().skip_while(is_link_option).take_while(|word| !is_test(word)).collect();
    let names = ["-name", "-iname", "-path", "-ipath", "-wholename", "-regex", "-iregex"];
    let named =
        words.iter().zip(words.iter().skip(1)).filter(|(test, _)| names.iter().any(|name| test.is(name)));
    let patterns: Vec<&str> = named.filter_map(|(_, value)| value.text.as_deref()).collect();
    let filters = patterns.iter().flat_map(|pattern| of_glob(pattern)).collect();
    let pattern = patterns.first().map(|pattern| (*pattern).to_owned());
    Some(Found { pattern, places, filters, is_recursive: true })
}
