//! Keeps an agent from changing flyball itself.

mod reading;
mod route;
#[cfg(test)]
mod tests;

use std::cell::OnceCell;

use flyball_core::config::{Mode, SectionSpec};
use flyball_core::event::{EventKind, FileEdit, Tool};
use flyball_core::policy::{OnError, OwnFile, Policy, PolicyId, Situation, World};
use flyball_core::verdict::{Reason, Stance, Verdict};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The policy.
pub static POLICY: Policy = Policy {
    id: PolicyId::new("guard.self"),
    summary: "an agent cannot change flyball's config, registration, state or program",
    page: include_str!("policy.md"),
    listens: &[EventKind::BeforeTool],
    on_error: OnError::Deny,
    mode: Mode::Enforce,
    section: SectionSpec::of::<Settings>(),
    run: |situation| Ok(judge(situation)),
    review: None,
};

/// The end of the path of every project's configuration.
const CONFIG_NAME: &str = "/flyball.toml";

/// `[guard.self]`: nothing to set but its mode.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Settings {}

/// One way in which a call would touch a file of ours.
struct Touch {
    /// How sure we are: deny what is certain, ask about what cannot be known.
    stance: Stance,
    /// The file as the call names it.
    named: String,
    /// What it is.
    what: &'static str,
    /// By which route, for the explanation.
    route: &'static str,
}

fn judge(situation: &Situation<'_>) -> Verdict {
    let Some(call) = situation.event.call() else { return Verdict::silent() };
    let grounds = Grounds { world: situation.world, cwd: &situation.event.cwd, own: OnceCell::new() };
    let touch = match &call.tool {
        Tool::Edit(edits) => edited(edits, &grounds),
        Tool::Shell { command, .. } => route::shell(command, &grounds),
        Tool::Mcp { .. } | Tool::Other => route::named_in_input(&call.input, &grounds),
        Tool::Read { .. }
        | Tool::Search { .. }
        | Tool::SpawnAgent { .. }
        | Tool::Skill { .. }
        | Tool::TaskCreate { .. }
        | Tool::TaskUpdate { .. }
        | Tool::Fetch { .. }
        | Tool::WebSearch { .. } => None,
    };
    touch.map_or_else(Verdict::silent, |touch| verdict(&touch))
}

fn verdict(touch: &Touch) -> Verdict {
    let Touch { stance, named, what, route } = touch;
    let verb = if named.starts_with("flyball ") { "run" } else { "change" };
    let reason = Reason {
        what: format!("`{named}` is {what}; an agent may not {verb} it"),
        why: "The rules are the user's to change, not the agent's".to_owned(),
        instead: "Work within the rules, or tell the user what you would change and why; a person \
                  changes it in an editor or a terminal of their own"
            .to_owned(),
    };
    Verdict { stance: *stance, reasons: vec![reason], ..Verdict::default() }
        .seen("file", named.as_str())
        .seen("route", *route)
}

/// Where paths are looked up.
struct Grounds<'a> {
    world: &'a dyn World,
    cwd: &'a str,
    /// Our files without symlinks: looked up at the first path that is compared with them.
    own: OnceCell<Vec<OwnFile>>,
}

impl Grounds<'_> {
    /// What of ours a path leads to or into.
    fn own(&self, base: &str, path: &str) -> Option<&'static str> {
        let real = self.real(base, path);
        // A config in any other folder would rule the next session that starts there.
        if real.ends_with(CONFIG_NAME) {
            return Some("flyball's configuration");
        }
        self.own_file(base, path)
    }

    /// Which of the files that are ours on this machine a path leads to or into.
    fn own_file(&self, base: &str, path: &str) -> Option<&'static str> {
        let real = self.real(base, path);
        self.own_files().iter().find(|own| is_or_is_below(&real, &own.path)).map(|own| own.what)
    }

    /// What of ours a path, or a pattern of file names, leads to or into.
    fn own_matching(&self, base: &str, path: &str) -> Option<&'static str> {
        if !path.contains(['*', '?', '[']) {
            return self.own(base, path);
        }
        let pattern = self.real(base, path);
        let found = self.own_files().iter().find(|own| fast_glob::glob_match(&pattern, own.path.as_str()));
        found.map(|own| own.what)
    }

    /// What of ours goes away when the thing at this path does.
    fn own_below(&self, base: &str, path: &str) -> Option<&'static str> {
        let real = self.real(base, path);
        self.own_files().iter().find(|own| is_or_is_below(&own.path, &real)).map(|own| own.what)
    }

    fn own_files(&self) -> &[OwnFile] {
        let real = |own: &OwnFile| OwnFile { path: self.world.real_path("/", &own.path), what: own.what };
        self.own.get_or_init(|| self.world.own_files().iter().map(real).collect())
    }

    fn real(&self, base: &str, path: &str) -> String {
        let base = self.world.real_path(self.cwd, base);
        self.world.real_path(&base, path)
    }
}

fn is_or_is_below(path: &str, folder: &str) -> bool {
    path.strip_prefix(folder.trim_end_matches('/'))
        .is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

fn edited(edits: &[FileEdit], grounds: &Grounds<'_>) -> Option<Touch> {
    use flyball_core::event::Change;
    let targets = edits.iter().flat_map(|edit| match &edit.change {
        Change::Move { to } => vec![edit.path.as_str(), to.as_str()],
        Change::Write { .. } | Change::Replace { .. } | Change::Cell { .. } | Change::Delete => {
            vec![edit.path.as_str()]
        }
    });
    targets.into_iter().find_map(|path| {
        let what = grounds.own(".", path)?;
        Some(Touch { stance: Stance::Deny, named: path.to_owned(), what, route: "an edit tool" })
    })
}
