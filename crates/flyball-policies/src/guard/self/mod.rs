//! An agent cannot change flyball itself.

mod access;
mod commands;
mod copies;
mod delivered;
mod own_files;
mod removal;
mod shadow;
mod startup;
#[cfg(test)]
mod tests;
mod variables;

use flyball_core::config::{Mode, SectionSpec};
use flyball_core::event::{EventKind, Tool};
use flyball_core::policy::{OnError, Policy, PolicyError, PolicyId, Situation};
use flyball_core::verdict::{Reason, Stance, Subject, Verdict};
use flyball_effects::Line;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use self::access::Access;
use self::own_files::{OwnFiles, file_name};
use super::touch::{self, Location, Touch};

pub static POLICY: Policy = Policy {
    id: PolicyId::new("guard.self"),
    summary: "an agent cannot change flyball's config, registration, state or program",
    page: include_str!("policy.md"),
    listens: &[EventKind::BeforeTool],
    on_error: OnError::Deny,
    mode: Mode::Enforce,
    section: SectionSpec::for_type::<Settings>().raised_by_anyone(),
    run: judge,
    gather: None,
    review: None,
};

/// The route of what hides a folder behind another one.
const MOUNT: &str = "mount";

/// `[guard.self]`: nothing to set but its mode.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Settings {}

fn judge(situation: &Situation<'_>) -> Result<Verdict, PolicyError> {
    if let Some(call) = situation.event.call().filter(|call| call.tool == Tool::Unreadable) {
        return Ok(unreadable(&call.name));
    }
    let own_files = OwnFiles::new(situation.world, situation.effective_text());
    let mut found = Found(None);
    if let Some(line) = situation.effective_line() {
        found.add(forbidden_command(line, situation, &own_files));
        let deep = situation.deep_line().filter(|_| !found.is_denied());
        found.add(deep.and_then(|deep| forbidden_command(&deep.line, situation, &own_files)));
        if found.is_denied() {
            return Ok(found.verdict());
        }
    }
    let touches = touch::touches(situation)?;
    found.add_all(touches.iter().filter_map(|touch| find_access(touch, &own_files)));
    found.add(shadow::find(situation, touches)?);
    found.add(startup::find(situation, touches)?);
    Ok(found.verdict())
}

/// A changed payload would switch every guard off without a word.
fn unreadable(name: &str) -> Verdict {
    let what = match name {
        "" => "a call came without the name of its tool".to_owned(),
        name => format!("`{name}` came in an unknown shape"),
    };
    Verdict::deny(Reason {
        instead: "Tell the user to run `flyball doctor` or update flyball".to_owned(),
        what,
        why: "The client's payload cannot be read, so nothing checks this call".to_owned(),
    })
}

/// A command of a line that is for people only, whatever files it touches.
fn forbidden_command(line: &Line, situation: &Situation<'_>, own_files: &OwnFiles<'_>) -> Option<Access> {
    let removal = removal::find(&line.script, situation.world.clients());
    let setter = || variables::find(&line.script);
    let command = || commands::forbidden(&line.script);
    let copy = || {
        copies::find(line, situation)
            .or_else(|| copies::find_piped(line))
            .or_else(|| copies::find_unknown(line))
    };
    removal
        .or_else(setter)
        .or_else(command)
        .or_else(copy)
        .or_else(|| delivered::find(&line.script, own_files))
}

/// The gravest of all accesses: the first one that is denied, or else the first that is asked about.
struct Found(Option<Access>);

impl Found {
    fn add(&mut self, access: Option<Access>) {
        self.add_all(access);
    }

    fn add_all(&mut self, accesses: impl IntoIterator<Item = Access>) {
        for access in accesses {
            if self.0.as_ref().is_none_or(|known| access.stance > known.stance) {
                self.0 = Some(access);
            }
        }
    }

    fn is_denied(&self) -> bool {
        self.0.as_ref().is_some_and(|access| access.stance == Stance::Deny)
    }

    fn verdict(&self) -> Verdict {
        self.0.as_ref().map_or_else(Verdict::silent, verdict)
    }
}

fn find_access(touch: &Touch, own_files: &OwnFiles<'_>) -> Option<Access> {
    if touch.kind.is_passed_to_flyball() {
        return None;
    }
    let mut is_below = false;
    let (named, what, path) = match &touch.location {
        Location::Path(path) => {
            let itself = own_files.own_at(path);
            is_below = itself.is_none();
            let below = || {
                own_files.own_below(path).filter(|_| touch.kind.affects_all_below() || touch.route == MOUNT)
            };
            (touch.named.as_str(), itself.or_else(below)?, Some(path.clone()))
        }
        Location::Pattern(pattern) => {
            is_below = touch.kind.affects_all_below();
            (touch.named.as_str(), own_files.own_matching(pattern)?, None)
        }
        Location::Text(text) => {
            let named = || own_files.mentioned(text).or_else(|| own_files.split_file(text));
            match named().or_else(|| own_files.selected(text)) {
                Some(own) => (file_name(own), own.what, None),
                None => (own_files::looked_up(text)?, "flyball's program", None),
            }
        }
    };
    let stance = if touch.kind.is_sure() { Stance::Deny } else { Stance::Ask };
    Some(Access {
        stance,
        named: named.to_owned(),
        what,
        route: touch.route,
        path,
        is_below,
        verb: "change it",
    })
}

fn verdict(reach: &Access) -> Verdict {
    let Access { stance, named, what, route, path, is_below, verb } = reach;
    let is_lesson = *stance == Stance::Ask && commands::is_learning_decision(what);
    let reason = match *stance {
        _ if is_lesson => confirmation_reason(named, what),
        _ if commands::is_task_command(what) => task_command_reason(named, what),
        stance if commands::is_about_the_record(what) => record_reason(named, what, stance),
        _ if *is_below => folder_reason(named, what),
        _ => refusal_reason(named, what, verb),
    };
    let verdict =
        Verdict { stance: *stance, reasons: vec![reason], incidental: *is_below, ..Verdict::default() }
            .with_evidence("file", named.as_str())
            .with_evidence("route", *route);
    match path {
        Some(path) => verdict.with_subject(Subject::File(path.clone())),
        None => verdict,
    }
}

fn refusal_reason(named: &str, what: &str, verb: &str) -> Reason {
    Reason {
        instead: "Work within the rules, or ask the user to do it".to_owned(),
        what: format!("`{named}` is {what}"),
        why: format!("Agents may not {verb}"),
    }
}

/// For a folder with something of ours in it.
fn folder_reason(named: &str, what: &str) -> Reason {
    Reason {
        instead: "Name the files themselves, or ask the user to do it".to_owned(),
        what: format!("`{named}` has {what} in it"),
        why: "Agents may not change it".to_owned(),
    }
}

/// For a command that an agent may run once the user agrees.
fn confirmation_reason(named: &str, what: &str) -> Reason {
    Reason {
        instead: "Show the user what would be written and let them decide; `flyball learn list`, `show` and `add` are \
                  allowed"
            .to_owned(),
        what: format!("`{named}` is {what}"),
        why: "It is added to every later session".to_owned(),
    }
}

/// For a command that has flyball run another one.
fn task_command_reason(named: &str, what: &str) -> Reason {
    Reason {
        instead: "Let the user confirm it, or leave `--until` out and write TASK_COMPLETE".to_owned(),
        what: format!("`{named} --until` is {what}"),
        why: "The user has to confirm it".to_owned(),
    }
}

fn record_reason(named: &str, what: &str, stance: Stance) -> Reason {
    let rule = if stance == Stance::Ask { "The user has to confirm it" } else { "Agents may not run it" };
    Reason {
        instead: "Ask the user to run it; `flyball log`, `flyball explain`, `flyball audit verify` and \
                  `flyball export --status` are allowed"
            .to_owned(),
        what: format!("`{named}` is {what}"),
        why: format!("{rule}: the record has commands and file names of all projects"),
    }
}
