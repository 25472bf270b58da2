//! What a call makes of the rules in a file.

use flyball_core::event::Change;
use flyball_core::path::AbsolutePath;
use flyball_core::policy::{PolicyError, Situation};
use flyball_core::text;
use flyball_knowledge::node::{Node, Rule, rules};
use flyball_knowledge::similar;

use super::places::{How, Reached};

/// The largest file that is compared.
const MOST_BYTES: u64 = 512 * 1024;
/// How many letters of a rule are shown.
const LETTERS: usize = 44;

/// What a call does to the rules of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Effect {
    /// The content stays the same.
    Nothing,
    /// Only the run shows it.
    Unknown {
        name: String,
    },
    /// The file is new.
    Created {
        name: String,
        rules: usize,
    },
    /// It goes, with these rules.
    Deleted {
        name: String,
        removed: Vec<String>,
    },
    Changed {
        name: String,
        added: usize,
        removed: Vec<String>,
    },
}

/// Whose rules a file has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Whose {
    TheProject,
    TheUser,
}

impl Whose {
    fn word(self) -> &'static str {
        match self {
            Whose::TheProject => "the project's",
            Whose::TheUser => "the user's own",
        }
    }
}

/// What a call does to a file.
pub(super) fn effect(situation: &Situation<'_>, file: &Reached) -> Result<Effect, PolicyError> {
    let name = file.name(situation.world);
    let before = match situation.world.read(&file.path, MOST_BYTES) {
        Ok(Some(bytes)) => Some(String::from_utf8_lossy(&bytes).into_owned()),
        Ok(None) if situation.world.stat(&file.path).is_none() => None,
        // It is there, and nobody knows what it says: it is too long, or cannot be read.
        Ok(None) | Err(_) => {
            return Ok(match file.how {
                How::Removal => Effect::Deleted { name, removed: Vec::new() },
                How::Perhaps | How::Change => Effect::Unknown { name },
            });
        }
    };
    match (file.how, before) {
        (How::Removal, Some(before)) => {
            Ok(Effect::Deleted { name, removed: rules_of(file, before).iter().map(short).collect() })
        }
        (How::Removal, None) => Ok(Effect::Nothing),
        (How::Perhaps, _) => Ok(Effect::Unknown { name }),
        (How::Change, before) => {
            let Some(after) = after(situation, &file.path, before.as_deref())? else {
                return Ok(Effect::Unknown { name });
            };
            Ok(compare(file, name, before, after))
        }
    }
}

/// The text of a file after the call, if that is known.
fn after(
    situation: &Situation<'_>,
    path: &AbsolutePath,
    before: Option<&str>,
) -> Result<Option<String>, PolicyError> {
    let mut text = before.unwrap_or_default().to_owned();
    let mut is_known = false;
    for edit in situation.edits()?.iter().filter(|edit| edit.path == *path) {
        let Some(change) = edit.change.as_ref().filter(|change| !matches!(change, Change::Delete)) else {
            return Ok(None);
        };
        let Some(changed) = change.applied_to(&text) else { return Ok(None) };
        text = changed;
        is_known = true;
    }
    Ok(is_known.then_some(text))
}

fn compare(file: &Reached, name: String, before: Option<String>, after: String) -> Effect {
    let Some(before) = before else {
        return Effect::Created { name, rules: rules_of(file, after).len() };
    };
    if before == after {
        return Effect::Nothing;
    }
    let (old, new) = (rules_of(file, before), rules_of(file, after));
    let added = new.iter().filter(|rule| !is_among(rule, &old)).count();
    let removed = old.iter().filter(|rule| !is_among(rule, &new)).map(short).collect();
    Effect::Changed { name, added, removed }
}

fn rules_of(file: &Reached, text: String) -> Vec<Rule> {
    rules(&Node::new(file.path.clone(), text))
}

/// Whether a rule is there, perhaps in other words.
fn is_among(rule: &Rule, others: &[Rule]) -> bool {
    let plain =
        |rule: &Rule| text::one_line(&format!("{} {}", rule.title, rule.text)).replace(['*', '`', '_'], "");
    let mine = plain(rule);
    others.iter().any(|other| plain(other) == mine)
        || others
            .iter()
            .any(|other| similar::is_same_rule((&rule.title, &rule.text), (&other.title, &other.text)))
}

fn short(rule: &Rule) -> String {
    let first = rule.text.lines().next().unwrap_or_default();
    let line = if rule.title.is_empty() { first } else { &rule.title };
    let line = line.trim().trim_start_matches(['-', '*', '+', ' ']);
    text::cut_trimmed(line, LETTERS).into_owned()
}

impl Effect {
    /// Whether rules are gone afterwards.
    pub(super) fn removes(&self) -> bool {
        self.removed().next().is_some() || matches!(self, Effect::Deleted { .. })
    }

    /// The rules that are gone afterwards, in a few words.
    pub(super) fn removed(&self) -> impl Iterator<Item = &str> {
        let removed = match self {
            Effect::Deleted { removed, .. } | Effect::Changed { removed, .. } => removed.as_slice(),
            Effect::Nothing | Effect::Unknown { .. } | Effect::Created { .. } => &[],
        };
        removed.iter().map(String::as_str)
    }

    /// What it does to somebody's rules, in words; so many removed rules are named.
    pub(super) fn describe(&self, whose: Whose, named: usize) -> String {
        let whose = whose.word();
        let removes = |removed: &[String]| {
            let shown: Vec<String> = removed.iter().map(|rule| format!("\"{rule}\"")).collect();
            format!("removes {}: {}", text::counted(removed.len(), "rule"), text::first(&shown, named))
        };
        match self {
            Effect::Nothing => String::new(),
            Effect::Unknown { name } => format!("this may change `{name}`, {whose} rules for agents"),
            Effect::Created { name, rules: 0 } => {
                format!("this creates `{name}`, a file of rules for agents")
            }
            Effect::Created { name, rules } => {
                format!("this creates `{name}` with {} for agents", text::counted(*rules, "rule"))
            }
            Effect::Deleted { name, removed } if removed.is_empty() => format!("this deletes `{name}`"),
            Effect::Deleted { name, removed } => format!("this deletes `{name}` and {}", removes(removed)),
            Effect::Changed { name, added, removed } => match (*added, removed.as_slice()) {
                (0, []) => format!("this changes `{name}`, {whose} rules for agents"),
                (added, []) => format!("this adds {} to `{name}`", text::counted(added, "rule")),
                (0, removed) => format!("in `{name}` this {}", removes(removed)),
                (added, removed) => {
                    format!("in `{name}` this {}, and adds {added}", removes(removed))
                }
            },
        }
    }
}
