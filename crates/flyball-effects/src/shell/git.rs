//! Commands that git starts: aliases, editors, pagers, `rebase --exec`.

use super::launch::{Launch, Shell, launch_joined, launch_option_text};
use super::quoting::quote;
use super::reader::Reader;
use super::unwrap::Invocation;
use crate::argv::{Grammar, parse};
use crate::model::Word;

/// Settings whose value git gives to a shell.
const SETTINGS: &[&str] = &[
    "core.editor",
    "core.pager",
    "core.sshcommand",
    "core.fsmonitor",
    "core.askpass",
    "sequence.editor",
    "diff.external",
];

/// Variables whose value git gives to a shell.
const VARIABLES: &[&str] = &[
    "GIT_EDITOR",
    "EDITOR",
    "VISUAL",
    "GIT_SEQUENCE_EDITOR",
    "GIT_PAGER",
    "PAGER",
    "GIT_SSH_COMMAND",
    "GIT_EXTERNAL_DIFF",
    "GIT_ASKPASS",
    "GIT_PROXY_COMMAND",
    "SSH_ASKPASS",
    "LESSOPEN",
];

/// The options before git's verb.
const GLOBAL: Grammar = Grammar::wrapping("cC", "git-dir work-tree namespace exec-path");

/// A call of git, cut into its parts.
struct Parts<'a> {
    /// `-c name=value`, the names in lower case.
    settings: Vec<(String, String)>,
    verb: &'a str,
    rest: &'a [Word],
}

impl<'a> Parts<'a> {
    fn read(arguments: &'a [Word]) -> Option<Self> {
        let parsed = parse(&GLOBAL, arguments);
        let set = parsed.options.iter().filter(|option| option.name == "c").filter_map(|option| {
            // Text attached to the letter is not a setting: git takes the next word only.
            let word = arguments.get(option.words.clone())?.get(1)?;
            let (name, value) = word.text.as_deref()?.split_once('=')?;
            // git compares the names of settings without regard to case.
            Some((name.to_ascii_lowercase(), value.to_owned()))
        });
        let settings = set.collect();
        let (verb, rest) = arguments.get(parsed.first_operand..)?.split_first()?;
        Some(Self { settings, verb: verb.text.as_deref()?, rest })
    }

    fn setting(&self, name: &str) -> Option<&str> {
        self.settings.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }
}

impl Reader<'_> {
    /// What a call of git starts; an alias that it sets is remembered for later calls.
    pub(super) fn git_launches(&mut self, invocation: &Invocation) -> Vec<Launch> {
        let arguments = invocation.words.get(1..).unwrap_or_default();
        let Some(mut parts) = Parts::read(arguments) else { return Vec::new() };
        parts.settings.extend(self.settings_in_variables(invocation));
        if parts.verb == "config" {
            if let Some(folder) = hooks_folder(parts.rest) {
                self.scope.set("git core.hooksPath", Some(folder));
            }
            if let Some((name, value)) = new_alias(parts.rest) {
                self.scope.set(&remembered(name), Some(value.to_owned()));
            }
            return Vec::new();
        }
        let alias = parts.setting(&format!("alias.{}", parts.verb.to_ascii_lowercase()));
        let alias = alias.or_else(|| self.scope.value(&remembered(parts.verb)));
        // git itself ignores an alias with the name of a verb; reading it all the same only shows more.
        let mut found: Vec<Launch> = alias.and_then(|alias| aliased(alias, parts.rest)).into_iter().collect();
        let settings = parts.settings.iter().filter(|(name, _)| SETTINGS.contains(&name.as_str()));
        let is_deep = self.is_deep();
        found.extend(settings.flat_map(|(_, value)| program(value, is_deep)));
        let variables = invocation.assignments.iter().filter(|(name, _)| VARIABLES.contains(&name.as_str()));
        found.extend(
            variables
                .filter_map(|(_, value)| value.text.as_deref())
                .flat_map(|value| program(value, is_deep)),
        );
        // Variables that the line exported before.
        let is_given = |name: &&str| invocation.assignments.iter().any(|(known, _)| known == name);
        let exported =
            VARIABLES.iter().filter(|name| !is_given(name)).filter_map(|name| self.scope.value(name));
        found.extend(exported.flat_map(|value| program(value, is_deep)));
        found.extend(by_verb(&parts));
        found
    }
}

impl Reader<'_> {
    /// Settings in the environment: `GIT_CONFIG_KEY_0`, `GIT_CONFIG_PARAMETERS`.
    fn settings_in_variables(&self, invocation: &Invocation) -> Vec<(String, String)> {
        const MOST_SETTINGS: usize = 16;
        let value = |name: &str| {
            let own = invocation.assignments.iter().find(|(known, _)| known == name);
            let own = own.map(|(_, value)| value.text.as_deref());
            own.unwrap_or_else(|| self.scope.value(name)).map(str::to_owned)
        };
        let keyed = (0..MOST_SETTINGS).map_while(|number| {
            let key = value(&format!("GIT_CONFIG_KEY_{number}"))?;
            Some((key.to_ascii_lowercase(), value(&format!("GIT_CONFIG_VALUE_{number}"))?))
        });
        // `'name=value' 'name'='value'`
        let given = value("GIT_CONFIG_PARAMETERS").unwrap_or_default().replace("'='", "=");
        let listed = given.split('\'').filter_map(|part| {
            let (name, value) = part.split_once('=')?;
            Some((name.to_ascii_lowercase(), value.to_owned()))
        });
        keyed.chain(listed).collect()
    }
}

/// The name under which an alias is remembered: no variable has a space in its name.
fn remembered(alias: &str) -> String {
    format!("git {alias}")
}

/// The folder of hooks that `git config` sets.
fn hooks_folder(words: &[Word]) -> Option<String> {
    let is_setting =
        |word: &Word| word.text.as_deref().is_some_and(|text| text.eq_ignore_ascii_case("core.hookspath"));
    let at = words.iter().position(is_setting)?;
    words.get(at + 1)?.text.clone()
}

/// The alias that `git config` sets.
fn new_alias(words: &[Word]) -> Option<(&str, &str)> {
    let is_alias = |word: &Word| word.text.as_deref().is_some_and(|text| text.starts_with("alias."));
    let at = words.iter().position(is_alias)?;
    let name = words.get(at)?.text.as_deref()?.strip_prefix("alias.")?;
    Some((name, words.get(at + 1)?.text.as_deref()?))
}

/// What an alias runs, with the words behind it.
fn aliased(alias: &str, rest: &[Word]) -> Option<Launch> {
    let spelled = |word: &Word| word.text.as_deref().map_or_else(|| word.raw.clone(), quote);
    // Only `!` makes an alias text for a shell; otherwise it is words of git.
    let Some(text) = alias.strip_prefix('!') else {
        let words = ["git"].into_iter().chain(alias.split_ascii_whitespace()).map(Word::literal);
        let words: Vec<Word> = words.chain(rest.iter().cloned()).collect();
        return Some(Launch::Words { words, by: "git alias".to_owned() });
    };
    let words: Vec<Word> =
        [text.to_owned()].into_iter().chain(rest.iter().map(spelled)).map(Word::literal).collect();
    launch_joined("git alias", &words, Shell::Other).into_iter().next()
}

/// A plain name such as `cat` or `vim` is not text for a shell.
fn program(value: &str, is_deep: bool) -> Vec<Launch> {
    let is_plain = value.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_./:".contains(&byte));
    // One with a path may be a script of the project.
    let is_plain = is_plain && !(is_deep && value.contains('/'));
    if is_plain { Vec::new() } else { launch_joined("git", &[Word::literal(value)], Shell::Other) }
}

fn by_verb(parts: &Parts<'_>) -> Vec<Launch> {
    let words = |rest: &[Word]| {
        let by = format!("git {}", parts.verb);
        (!rest.is_empty()).then(|| Launch::Words { words: rest.to_vec(), by }).into_iter().collect()
    };
    match (parts.verb, parts.rest) {
        ("rebase", rest) => launch_option_text("git rebase", rest, &["-x", "--exec"]),
        ("filter-branch", rest) => launch_option_text(
            "git filter-branch",
            rest,
            &[
                "--tree-filter",
                "--index-filter",
                "--msg-filter",
                "--env-filter",
                "--commit-filter",
                "--parent-filter",
            ],
        ),
        ("difftool", rest) => launch_option_text("git difftool", rest, &["-x", "--extcmd"]),
        ("bisect", [run, rest @ ..]) if run.is("run") => words(rest),
        ("submodule", [each, rest @ ..]) if each.is("foreach") => {
            let rest = rest.iter().filter(|word| !word.is("--recursive")).cloned().collect::<Vec<_>>();
            launch_joined("git submodule", &rest, Shell::Other)
        }
        _ => Vec::new(),
    }
}
