//! An agent cannot change flyball itself.

mod access;
mod commands;
#[cfg(test)]
mod tests;

use std::cell::OnceCell;

use flyball_core::config::{Mode, SectionSpec};
use flyball_core::event::EventKind;
use flyball_core::path::is_or_is_below;
use flyball_core::policy::{OnError, OwnFile, Policy, PolicyError, PolicyId, Situation, World};
use flyball_core::verdict::{Reason, Stance, Subject, Verdict};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use self::access::Access;
use super::touch::{self, Location, Touch};

pub static POLICY: Policy = Policy {
    id: PolicyId::new("guard.self"),
    summary: "an agent cannot change flyball's config, registration, state or program",
    page: include_str!("policy.md"),
    listens: &[EventKind::BeforeTool],
    on_error: OnError::Deny,
    mode: Mode::Enforce,
    section: SectionSpec::for_type::<Settings>(),
    run: judge,
    gather: None,
    review: None,
};

/// The end of the path of every project's configuration.
const CONFIG_NAME: &str = "/flyball.toml";

/// `[guard.self]`: nothing to set but its mode.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Settings {}

fn judge(situation: &Situation<'_>) -> Result<Verdict, PolicyError> {
    let of_line = situation.line().and_then(|line| commands::forbidden(&line.script));
    let of_files = || situation.deep_line().and_then(|deep| commands::forbidden(&deep.line.script));
    let command = of_line.or_else(of_files);
    if let Some(reach) = command.as_ref().filter(|reach| reach.stance == Stance::Deny) {
        return Ok(verdict(reach));
    }
    let own_files = OwnFiles { world: situation.world, own: OnceCell::new() };
    let line = situation.event.call().and_then(|call| call.tool.main_text()).unwrap_or_default();
    let touches = touch::touches(situation)?;
    let found = touches.iter().find_map(|touch| find_access(touch, line, &own_files));
    // A denied file weighs more than a command that is only asked about.
    let found = found.or(command);
    Ok(found.map_or_else(Verdict::silent, |reach| verdict(&reach)))
}

fn find_access(touch: &Touch, line: &str, own_files: &OwnFiles<'_>) -> Option<Access> {
    if touch.kind.is_passed_to_flyball() {
        return None;
    }
    let (named, what, path) = match &touch.location {
        Location::Path(path) => {
            let below = || own_files.own_below(path).filter(|_| touch.kind.affects_all_below());
            (touch.named.as_str(), own_files.own_at(path).or_else(below)?, Some(path.clone()))
        }
        Location::Pattern(pattern) => (touch.named.as_str(), own_files.own_matching(pattern)?, None),
        Location::Text(text) => {
            let own = own_files.mentioned(text).or_else(|| own_files.split_file(text, line))?;
            (file_name(own), own.what, None)
        }
    };
    let stance = if touch.kind.is_sure() { Stance::Deny } else { Stance::Ask };
    Some(Access { stance, named: named.to_owned(), what, route: touch.route, path })
}

fn verdict(reach: &Access) -> Verdict {
    let Access { stance, named, what, route, path } = reach;
    let verb = if named.starts_with("flyball ") { "run" } else { "change" };
    let is_lesson = *stance == Stance::Ask && commands::is_learning_decision(what);
    let reason = match *stance {
        _ if is_lesson => confirmation_reason(named, what),
        stance if commands::is_about_the_record(what) => record_reason(named, what, stance),
        _ => refusal_reason(named, what, verb),
    };
    let verdict = Verdict { stance: *stance, reasons: vec![reason], ..Verdict::default() }
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
        why: format!("Agents may not {verb} it"),
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

/// Our files on this machine.
struct OwnFiles<'a> {
    world: &'a dyn World,
    /// Without symlinks; resolved on first use.
    own: OnceCell<Vec<OwnFile>>,
}

impl OwnFiles<'_> {
    /// Our file or folder that a path names or is in.
    fn own_at(&self, path: &str) -> Option<&'static str> {
        let path = lower(path);
        // A config in any other folder would apply to the next session that starts there.
        if path.ends_with(CONFIG_NAME) {
            return Some("flyball's configuration");
        }
        let own =
            self.own_files().iter().find(|own| is_or_is_below(&path, &lower(&own.path))).map(|own| own.what);
        own.or_else(|| usual_place(&path)).or_else(|| {
            let is_program = self.world.program().is_some_and(|program| lower(&program) == path);
            is_program.then_some("flyball itself")
        })
    }

    /// Our file that a pattern of file names matches.
    fn own_matching(&self, pattern: &str) -> Option<&'static str> {
        if pattern.ends_with(CONFIG_NAME) {
            return self.own_at(pattern);
        }
        let (folder, _) = pattern.split_at(pattern.find(['*', '?', '[', '{']).unwrap_or(pattern.len()));
        let folder = folder.rsplit_once('/').map_or("", |(folder, _)| folder);
        let found = self.own_files().iter().find(|own| {
            // Or all that it can match is in a folder of ours.
            fast_glob::glob_match(pattern, own.path.as_str()) || is_or_is_below(folder, &own.path)
        });
        found.map(|own| own.what)
    }

    /// Our file that is deleted or moved together with this path.
    fn own_below(&self, path: &str) -> Option<&'static str> {
        self.own_files().iter().find(|own| is_or_is_below(&own.path, path)).map(|own| own.what)
    }

    /// A file of ours that is named somewhere in a text. Most are called what other files are
    /// called too (`settings.json`), so those count only with the folder they are in.
    fn mentioned(&self, text: &str) -> Option<&OwnFile> {
        let named = |own: &&OwnFile| match own.path.rsplit_once('/') {
            Some((_, name)) if CONFIG_NAME.ends_with(name) => text.contains(name),
            Some((above, name)) => {
                let folder = above.rsplit('/').next().unwrap_or_default();
                !folder.is_empty() && text.contains(&format!("{folder}/{name}"))
            }
            None => false,
        };
        self.world.own_files().iter().find(named)
    }

    /// A file of ours with this name whose folder is elsewhere on the line, after a `cd`.
    fn split_file(&self, name: &str, line: &str) -> Option<&OwnFile> {
        let own = |own: &&OwnFile| name == file_name(own) && line.contains(folder_or_name(own));
        self.world.own_files().iter().find(own)
    }

    fn own_files(&self) -> &[OwnFile] {
        let real = |own: &OwnFile| OwnFile { path: self.world.real_path(&own.path, "."), what: own.what };
        self.own.get_or_init(|| self.world.own_files().iter().map(real).collect())
    }
}

/// What we have at this place unless the environment says otherwise: it may not say so in the next session.
fn usual_place(path: &str) -> Option<&'static str> {
    const FOLDERS: [(&str, &str); 2] =
        [("/.config/flyball", "flyball's configuration"), ("/.local/state/flyball", "flyball's record")];
    let is_in = |folder: &str| {
        path.split_once(folder).is_some_and(|(_, rest)| rest.is_empty() || rest.starts_with('/'))
    };
    let is_program = || path.ends_with("/bin/flyball").then_some("flyball itself");
    FOLDERS.iter().find(|(folder, _)| is_in(folder)).map(|(_, what)| *what).or_else(is_program)
}

/// Some file systems ignore case: `Flyball.toml` is `flyball.toml` there.
fn lower(path: &str) -> String {
    path.to_lowercase()
}

fn file_name(own: &OwnFile) -> &str {
    own.path.rsplit('/').next().unwrap_or(&own.path)
}

/// The name by which a command line would reach the file: its folder if that belongs to a client
/// (`cd .claude`), else its own name.
fn folder_or_name(own: &OwnFile) -> &str {
    let folder = own.path.rsplit('/').nth(1).unwrap_or_default();
    if folder.starts_with('.') { folder } else { file_name(own) }
}
