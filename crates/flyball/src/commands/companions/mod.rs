//! The files that go with packs: agents and slash commands, the folder for reports, the entry of the tool server.
//! Written by `init`, taken away by `uninstall`.
//!
//! Each agent and command carries a mark with a checksum of the rest. What has no mark is somebody else's, what
//! does not fit its checksum was edited: both are left alone.

mod mark;
pub(super) mod phases;
mod removal;
pub(super) mod reports;
pub(super) mod server;
pub(super) mod status_line;

use std::collections::BTreeSet;
use std::path::PathBuf;

use flyball_clients::Client;
use flyball_clients::install::Scope;
use flyball_policies::r#loop::feedback::Settings;
use flyball_policies::r#loop::feedback::settings::Phase;

use self::mark::{Origin, marked, origin};
pub(super) use self::removal::Removal;
use crate::install::{Access, Change, Detected, Fate, Receipt, Site, Snapshot, Step, scope_name};
use crate::outcome::Failed;

/// What a file is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    /// An agent that speaks for the phase of this name.
    Agent(&'static str),
    Command,
}

/// What a file goes with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Part {
    Loop,
    Memory,
}

/// One file, without its end.
struct Draft {
    name: &'static str,
    part: Part,
    kind: Kind,
    text: &'static str,
}

impl Draft {
    const fn new(name: &'static str, (part, kind): (Part, Kind), text: &'static str) -> Draft {
        Draft { name, part, kind, text }
    }
}

const DRAFTS: &[Draft] = &[
    Draft::new("reviewer", (Part::Loop, Kind::Agent("review")), include_str!("texts/reviewer.md")),
    Draft::new("test-lead", (Part::Loop, Kind::Agent("test-planning")), include_str!("texts/test-lead.md")),
    Draft::new("tester", (Part::Loop, Kind::Agent("testing")), include_str!("texts/tester.md")),
    Draft::new("flyball-status", (Part::Loop, Kind::Command), include_str!("texts/flyball-status.md")),
    Draft::new("sound", (Part::Loop, Kind::Command), include_str!("texts/sound.md")),
    Draft::new("flyball-learn", (Part::Memory, Kind::Command), include_str!("texts/flyball-learn.md")),
];

/// Which packs are wanted with their files. Of the others only those files are written that are there and ours: a newer
/// flyball may say things better.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Packs {
    pub(super) looping: bool,
    pub(super) memory: bool,
}

impl Packs {
    const fn wish(self, part: Part) -> Wish {
        let is_wanted = match part {
            Part::Loop => self.looping,
            Part::Memory => self.memory,
        };
        if is_wanted { Wish::All } else { Wish::Refresh }
    }
}

/// Which of a pack's files are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Wish {
    /// All that are not there yet.
    All,
    /// Only those that are there and ours.
    Refresh,
}

/// What happens to the files of a client.
pub(super) fn steps(
    site: &Site,
    (detected, scope): (&Detected, Scope),
    (settings, packs): (&Settings, Packs),
) -> Result<Vec<Step>, Failed> {
    let client = detected.client;
    let is_asked_for = packs != Packs::default();
    if is_asked_for && client.facts().agents.is_empty() {
        let about = "has no files for agents and commands: none are written";
        return Ok(vec![Step::idle(Fate::Impossible, client.title(), about)]);
    }
    let mut steps = Vec::new();
    for draft in DRAFTS {
        let Some(path) = draft.path(client, scope, site) else { continue };
        let Some(text) = draft.written(&settings.phase) else { continue };
        steps.extend(step(site, (draft, Snapshot::read(&path)?), (text, packs.wish(draft.part)))?);
    }
    if steps.is_empty() && is_asked_for {
        let about = format!("has no {} agents and commands: none are written", scope_name(scope));
        steps.push(Step::idle(Fate::Impossible, client.title(), about));
    }
    Ok(steps)
}

fn step(
    site: &Site,
    (draft, file): (&Draft, Snapshot),
    (text, wish): (String, Wish),
) -> Result<Option<Step>, Failed> {
    let name = site.show(&file.path);
    let kept = |about: &str| Some(Step::idle(Fate::Kept, &name, about));
    let fate = match (file.content().map(origin), wish) {
        (None, Wish::Refresh) | (Some(Origin::Theirs | Origin::Edited), Wish::Refresh) => return Ok(None),
        (Some(Origin::Theirs), Wish::All) => return Ok(kept("there already and not flyball's: left alone")),
        (Some(Origin::Edited), Wish::All) => return Ok(kept("edited since flyball wrote it: left alone")),
        (Some(Origin::Ours), Wish::All) if file.text() == text => {
            return Ok(kept(&format!("{}, there already", draft.about())));
        }
        (Some(Origin::Ours), Wish::Refresh) if file.text() == text => return Ok(None),
        (Some(Origin::Ours), _) => Fate::Edited,
        (None, Wish::All) => Fate::New,
    };
    let mut changes = Vec::new();
    if let Some(state) = site.state() {
        let mut receipt = Receipt::new(&file, &text, None);
        if let Some(earlier) = Receipt::find(&file.path, Some(state)) {
            // The folders that were made for it are still ours to remove.
            let also = receipt.created_folders;
            receipt.created_folders = earlier.created_folders;
            receipt.created_folders.extend(also);
            receipt.created_folders.dedup();
        }
        changes.push(receipt.keep(state)?);
    }
    changes.push(Change::write(file, text, Access::Usual));
    Ok(Some(Step { fate, name, about: draft.about(), changes }))
}

/// What of a client's scopes goes, unless it lies in a folder that another scope still needs.
pub(super) fn removal(
    site: &Site,
    client: &Client,
    (gone, kept): (&[Scope], &[Scope]),
) -> Result<Removal, Failed> {
    let paths = |scopes: &[Scope]| -> BTreeSet<PathBuf> {
        let each = scopes.iter().flat_map(|scope| DRAFTS.iter().map(move |draft| (draft, *scope)));
        each.filter_map(|(draft, scope)| draft.path(client, scope, site)).collect()
    };
    let mut removal = Removal { steps: Vec::new(), folders: Vec::new() };
    for path in paths(gone).difference(&paths(kept)) {
        let file = Snapshot::read(path)?;
        let name = site.show(path);
        match file.content().map(origin) {
            None | Some(Origin::Theirs) => {}
            Some(Origin::Edited) => {
                removal.steps.push(Step::idle(Fate::Kept, name, "kept: edited since `flyball init`"));
            }
            Some(Origin::Ours) => {
                let receipt = Receipt::find(path, site.state());
                removal.folders.extend(receipt.into_iter().flat_map(|receipt| receipt.created_folders));
                let receipt = Receipt::discard(path, site.state())?;
                let changes = [Change::delete(file)].into_iter().chain(receipt).collect();
                let about = "as `flyball init` wrote it".to_owned();
                removal.steps.push(Step { fate: Fate::Deleted, name, about, changes });
            }
        }
    }
    // These belong to the project, whichever of its settings files flyball is registered in.
    let is_of_project = |scope: &Scope| matches!(scope, Scope::Project | Scope::Local);
    if gone.iter().any(is_of_project) && !kept.iter().any(is_of_project) {
        server::remove(site, client, &mut removal)?;
        reports::remove(site, &mut removal)?;
    }
    Ok(removal)
}

impl Draft {
    fn path(&self, client: &Client, scope: Scope, site: &Site) -> Option<PathBuf> {
        let facts = client.facts();
        let folders = match self.kind {
            Kind::Agent(_) => facts.agents,
            Kind::Command => facts.commands,
        };
        let (_, place) = folders.iter().find(|(of, _)| *of == scope)?;
        Some(facts.locate(place, &site.places()).join(format!("{}.md", self.name)))
    }

    /// The whole file; nothing if there is no such phase to speak for.
    fn written(&self, phases: &[Phase]) -> Option<String> {
        let text = match self.kind {
            Kind::Command => self.text.to_owned(),
            Kind::Agent(name) => {
                let phase = phases.iter().find(|phase| phase.name == name)?;
                let (passed, failed) = (phases::passed(phase), phases::failed(phase));
                self.text.replace("{{passed}}", &passed).replace("{{failed}}", &failed)
            }
        };
        Some(marked(&text))
    }

    fn about(&self) -> String {
        match self.kind {
            Kind::Agent(phase) => format!("an agent for {}", phase.replace('-', " ")),
            Kind::Command => format!("the command /{}", self.name),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_agent_is_told_the_markers_of_its_phase_and_nothing_else() {
        let phases = Settings::default().phase;
        for draft in DRAFTS {
            let text = draft.written(&phases).unwrap();
            assert!(!text.contains("{{"), "{text}");
            assert_eq!(origin(&text), Origin::Ours, "{}", draft.name);
            let Kind::Agent(name) = draft.kind else { continue };
            let phase = phases.iter().find(|phase| phase.name == name).unwrap();
            assert!(text.contains(&format!("name: {}\n", draft.name)), "{text}");
            for word in [&phase.pass, &phase.fail] {
                assert_eq!(text.lines().filter(|line| line == word).count(), 1, "{word}: {text}");
            }
        }
    }

    #[test]
    fn a_phase_that_nobody_configured_has_no_agent() {
        let drafts = DRAFTS.iter().filter(|draft| draft.written(&[]).is_some());
        assert_eq!(
            drafts.map(|draft| draft.name).collect::<Vec<_>>(),
            ["flyball-status", "sound", "flyball-learn"]
        );
    }
}
