//! The search that a program on a command line makes.

use flyball_core::policy::Situation;
use flyball_core::text::Words;
use flyball_effects::argv::{Grammar, OptionStyle, Parsed, parse};
use flyball_effects::{Command, RedirectKind, Target, Word};

use super::avoided::SearchKind;
use super::search::{Search, SearchPath, globs_of_type, names_in_glob};

/// Programs that pass names to another one.
const FORWARDERS: &[&str] = &["xargs", "find", "fd", "parallel"];

/// Actions of `find` and `fd` on the files they find: then it is not a search.
const ACTS: Words =
    Words("-delete|-exec|-execdir|-ok|-okdir|-fprint|-fprintf|-fls|-x|-X|--exec|--exec-batch");

/// The search that a command makes, if it makes one in the project.
pub(super) fn find_search(situation: &Situation<'_>, command: &Command) -> Option<Search> {
    let name = command.program_name()?;
    let is_git_grep = name == "git" && command.arguments.first().is_some_and(|word| word.is("grep"));
    let way = if is_git_grep { SearchKind::GitGrep } else { SearchKind::from_program(name)? };
    let words = command.arguments.get(usize::from(is_git_grep)..).unwrap_or_default();
    let found = match way {
        SearchKind::Find => parse_find(words)?,
        SearchKind::Fd if words.iter().any(is_act) => return None,
        SearchKind::Fd => parse_fd(words),
        SearchKind::Grep => parse_grep(words, &GREP),
        SearchKind::GitGrep => parse_grep(words, &GIT_GREP),
        SearchKind::Ripgrep => parse_grep(words, &RIPGREP),
        SearchKind::Ag | SearchKind::Ack => parse_grep(words, &AG),
        SearchKind::Content | SearchKind::Names => return None,
    };
    let paths = search_paths(situation, command, way, &found)?;
    let tool = if is_git_grep { "git grep" } else { name };
    Some(Search { kind: way, tool: tool.to_owned(), pattern: found.pattern, paths, filters: found.filters })
}

/// The parsed arguments of a program.
#[derive(Default)]
struct SearchArguments<'a> {
    pattern: Option<String>,
    places: Vec<&'a Word>,
    filters: Vec<String>,
    is_recursive: bool,
}

/// Where in the project it searches; `None` if it only filters its input, or searches elsewhere.
fn search_paths(
    situation: &Situation<'_>,
    command: &Command,
    way: SearchKind,
    found: &SearchArguments<'_>,
) -> Option<Vec<SearchPath>> {
    let reads_from = command.redirects.iter().find(|redirect| redirect.kind == RedirectKind::Read);
    let mut places = found.places.clone();
    let is_forwarded = command
        .wrappers
        .iter()
        .any(|wrapper| wrapper.split(' ').next().is_some_and(|program| FORWARDERS.contains(&program)));
    if is_forwarded {
        // The names from the pipe are one unknown word here.
        places.retain(|word| word.text.as_deref().is_some_and(|text| text != "{}"));
    }
    let here = Word::literal(".");
    if places.is_empty() {
        let reads_input = match way {
            // Without `-r` and without files, grep filters its input.
            SearchKind::Grep => !found.is_recursive,
            // Without a path these search the folder, unless something is piped into them.
            SearchKind::Ripgrep | SearchKind::Ag | SearchKind::Ack => {
                command.place.pipe_in || reads_from.is_some()
            }
            SearchKind::GitGrep
            | SearchKind::Find
            | SearchKind::Fd
            | SearchKind::Content
            | SearchKind::Names => false,
        };
        match reads_from {
            Some(redirect) if reads_input => places.push(&redirect.target),
            None if reads_input && !is_forwarded => return None,
            _ => places.push(&here),
        }
    }
    let located = places.iter().map(|word| situation.locate(&Target::new(word, &command.directory)));
    let paths: Vec<SearchPath> = located
        .flat_map(|at| {
            at.paths()
                .iter()
                .filter_map(|path| SearchPath::from_absolute(path, situation))
                .collect::<Vec<_>>()
        })
        .collect();
    (!paths.is_empty()).then_some(paths)
}

const fn anywhere(letters: &'static str, names: &'static str) -> Grammar {
    Grammar { letters, optional: "", names, option_style: OptionStyle::Anywhere }
}

const GREP: Grammar = anywhere(
    "efABCmdD",
    "regexp file after-context before-context context max-count include exclude exclude-dir exclude-from \
     label directories devices binary-files",
);
const GIT_GREP: Grammar =
    anywhere("efABCm", "after-context before-context context max-count max-depth threads");
const RIPGREP: Grammar = anywhere(
    "efgtTABCmjMrEd",
    "regexp file glob iglob type type-not type-add after-context before-context context max-count threads \
     max-columns replace encoding max-depth max-filesize sort sortr colors color pre ignore-file",
);
const AG: Grammar = anywhere(
    "GABCmp",
    "file-search-regex after before context max-count depth ignore ignore-dir type path-to-ignore",
);
const FD: Grammar = anywhere(
    "etdESojc",
    "extension type max-depth min-depth exact-depth exclude size owner threads color search-path \
     base-directory changed-within changed-before",
);

/// The values of these options; of one that is not known, nothing.
fn values<'p>(parsed: &'p Parsed<'_>, names: &'p str) -> impl Iterator<Item = &'p str> {
    let values = parsed.values(names, OptionStyle::Anywhere);
    values.map(|value| value.text.as_deref().unwrap_or_default())
}

/// The arguments of a program that searches in files.
fn parse_grep<'a>(words: &'a [Word], grammar: &Grammar) -> SearchArguments<'a> {
    let mut parsed = parse(grammar, words);
    let given = values(&parsed, "e regexp").next().map(str::to_owned);
    let is_in_a_file = parsed.has("f file", OptionStyle::Anywhere);
    let pattern = match given {
        Some(pattern) => Some(pattern),
        None if is_in_a_file || parsed.operands.is_empty() => None,
        None => parsed.operands.remove(0).text.clone(),
    };
    let is_recursive = parsed.has("r R recursive dereference-recursive", OptionStyle::Anywhere);
    let filters = parsed.options.iter().flat_map(|option| match (option.name, option.text()) {
        ("include" | "g" | "glob" | "iglob", Some(value)) => names_in_glob(value),
        ("t" | "type", Some(value)) => globs_of_type(value),
        _ => Vec::new(),
    });
    let filters = filters.collect();
    SearchArguments { pattern, filters, is_recursive, places: parsed.operands }
}

/// The arguments of `fd`.
fn parse_fd(words: &[Word]) -> SearchArguments<'_> {
    let mut parsed = parse(&FD, words);
    let pattern = if parsed.operands.is_empty() { None } else { parsed.operands.remove(0).text.clone() };
    let mut filters: Vec<String> =
        values(&parsed, "e extension").map(|ending| format!("*.{ending}")).collect();
    filters.extend(pattern.as_deref().map(names_in_glob).unwrap_or_default());
    SearchArguments { pattern, filters, places: parsed.operands, is_recursive: true }
}

fn is_act(word: &Word) -> bool {
    word.text.as_deref().is_some_and(|text| ACTS.contains(text))
}

/// The arguments of `find`: places, then tests. `None` if it does more than find.
fn parse_find(words: &[Word]) -> Option<SearchArguments<'_>> {
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
    let filters = patterns.iter().flat_map(|pattern| names_in_glob(pattern)).collect();
    let pattern = patterns.first().map(|pattern| (*pattern).to_owned());
    Some(SearchArguments { pattern, places, filters, is_recursive: true })
}
