//! The files that go with packs: agents and slash commands, the folder for reports, the entry of the tool server.
//! Written by `init`, removed by `uninstall`.
//!
//! Each agent and command has a mark with a checksum of the rest. A file without a mark is somebody else's; one that
//! does not match its checksum was edited. Neither is changed.

pub(super) mod exclude;
mod mark;
pub(super) mod own_sandbox;
pub(super) mod phases;
mod removal;
pub(super) mod reports;
pub(super) mod server;
pub(super) mod status_line;
pub(super) mod wrapper;

use std::collections::BTreeSet;
use std::path::PathBuf;

use flyball_clients::Client;
use flyball_clients::install::Scope;
use flyball_policies::r#loop::feedback::settings::Phase;

use self::mark::{Origin, add_mark, detect_origin};
pub(super) use self::removal::Removal;
use crate::install::{Access, Change, FileOutcome, Receipt, Site, Snapshot, Step, scope_name};
use crate::outcome::Failed;

/// What a file is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    /// An agent that reports the result of the phase of this name.
    Agent(&'static str),
    Command,
}

/// The pack that a file belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Part {
    Loop,
    Memory,
}

/// One file, before its placeholders are filled in.
struct Template {
    name: &'static str,
    part: Part,
    kind: Kind,
    text: &'static str,
}

impl Template {
    const fn new(name: &'static str, part: Part, kind: Kind, text: &'static str) -> Template {
        Template { name, part, kind, text }
    }
}

const TEMPLATES: &[Template] = &[
    Template::new("reviewer", Part::Loop, Kind::Agent("review"), include_str!("texts/reviewer.md")),
    Template::new("test-lead", Part::Loop, Kind::Agent("test-planning"), include_str!("texts/test-lead.md")),
    Template::new("tester", Part::Loop, Kind::Agent("testing"), include_str!("texts/tester.md")),
    Template::new("flyball-status", Part::Loop, Kind::Command, include_str!("texts/flyball-status.md")),
    Template::new("sound", Part::Loop, Kind::Command, include_str!("texts/sound.md")),
    Template::new("flyball-learn", Part::Memory, Kind::Command, include_str!("texts/flyball-learn.md")),
];

/// The packs whose files are written. Of the others, only files of ours that exist are updated: a newer flyball may have
/// better ones.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Packs {
    pub(super) looping: bool,
    pub(super) memory: bool,
}

impl Packs {
    const fn write_mode(self, part: Part) -> WriteMode {
        let is_chosen = match part {
            Part::Loop => self.looping,
            Part::Memory => self.memory,
        };
        if is_chosen { WriteMode::All } else { WriteMode::Refresh }
    }
}

/// Which of a pack's files are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum WriteMode {
    /// All of them.
    All,
    /// Only those that exist and are ours.
    Refresh,
}

/// The files of one client.
pub(super) struct Companions<'a> {
    pub(super) site: &'a Site,
    pub(super) client: &'a Client,
    pub(super) scope: Scope,
    pub(super) phases: &'a [Phase],
    pub(super) packs: Packs,
}

/// What is done to the files of a client.
pub(super) fn steps(companions: &Companions<'_>) -> Result<Vec<Step>, Failed> {
    let &Companions { site, client, scope, phases, packs } = companions;
    let has_packs = packs != Packs::default();
    if has_packs && client.facts().agents.is_empty() {
        let about = "does not support agents and commands: none written";
        return Ok(vec![Step::idle(FileOutcome::Impossible, client.title(), about)]);
    }
    let mut steps = Vec::new();
    for template in TEMPLATES {
        let Some(path) = template.path(client, scope, site) else { continue };
        let Some(text) = template.render(phases) else { continue };
        let file = Snapshot::read(&path)?;
        steps.extend(template.step(file, text, packs.write_mode(template.part), site)?);
    }
    if steps.is_empty() && has_packs {
        let about = format!("has no {} agents and commands: none written", scope_name(scope));
        steps.push(Step::idle(FileOutcome::Impossible, client.title(), about));
    }
    Ok(steps)
}

/// Removes the files of some of a client's scopes, unless another scope still needs their folder.
pub(super) fn removal(
    site: &Site,
    client: &Client,
    gone: &[Scope],
    remaining: &[Scope],
) -> Result<Removal, Failed> {
    let paths = |scopes: &[Scope]| -> BTreeSet<PathBuf> {
        let each = scopes.iter().flat_map(|scope| TEMPLATES.iter().map(move |template| (template, *scope)));
        each.filter_map(|(template, scope)| template.path(client, scope, site)).collect()
    };
    let mut removal = Removal { steps: Vec::new(), folders: Vec::new() };
    // Scopes may share a folder of agents: while one of them is left, the files stay.
    for path in paths(gone).difference(&paths(remaining)) {
        let file = Snapshot::read(path)?;
        let name = site.show(path);
        match file.content().map(detect_origin) {
            // Somebody else's file of the same name is not worth a line.
            None | Some(Origin::Foreign) => {}
            Some(Origin::Edited) => {
                removal.steps.push(Step::idle(FileOutcome::Kept, name, "kept: edited since `flyball init`"));
            }
            Some(Origin::Generated) => {
                let receipt = Receipt::find(path, site.state());
                removal.folders.extend(receipt.into_iter().flat_map(|receipt| receipt.created_folders));
                let receipt = Receipt::discard_change(path, site.state())?;
                let changes = [Change::delete(file)].into_iter().chain(receipt).collect();
                let about = "as `flyball init` wrote it".to_owned();
                removal.steps.push(Step { outcome: FileOutcome::Deleted, name, about, changes });
            }
        }
    }
    // These belong to the project, whichever of its settings files flyball is registered in.
    let of_project = |scopes: &[Scope]| scopes.iter().any(|scope| scope.is_of_project());
    if of_project(gone) && !of_project(remaining) {
        server::remove(site, client, &mut removal)?;
        reports::remove(site, &mut removal)?;
    }
    Ok(removal)
}

impl Template {
    fn path(&self, client: &Client, scope: Scope, site: &Site) -> Option<PathBuf> {
        let facts = client.facts();
        let folders = match self.kind {
            Kind::Agent(_) => facts.agents,
            Kind::Command => facts.commands,
        };
        let (_, place) = folders.iter().find(|(of, _)| *of == scope)?;
        Some(facts.locate(place, &site.places()).join(format!("{}.md", self.name)))
    }

    /// The whole file; nothing if the loop does not have the agent's phase.
    fn render(&self, phases: &[Phase]) -> Option<String> {
        let text = match self.kind {
            Kind::Command => self.text.to_owned(),
            Kind::Agent(name) => {
                let phase = phases.iter().find(|phase| phase.name == name)?;
                let (passed, failed) = (phases::pass_text(phase), phases::fail_text(phase));
                self.text.replace("{{passed}}", &passed).replace("{{failed}}", &failed)
            }
        };
        Some(add_mark(&text))
    }

    fn step(
        &self,
        file: Snapshot,
        text: String,
        mode: WriteMode,
        site: &Site,
    ) -> Result<Option<Step>, Failed> {
        let name = site.show(&file.path);
        let unchanged = |about: &str| Some(Step::idle(FileOutcome::Kept, &name, about));
        let outcome = match (file.content().map(detect_origin), mode) {
            (None, WriteMode::Refresh) | (Some(Origin::Foreign | Origin::Edited), WriteMode::Refresh) => {
                return Ok(None);
            }
            (Some(Origin::Foreign), WriteMode::All) => {
                return Ok(unchanged("exists and is not flyball's: not changed"));
            }
            (Some(Origin::Edited), WriteMode::All) => {
                return Ok(unchanged("edited since flyball wrote it: not changed"));
            }
            (Some(Origin::Generated), WriteMode::All) if file.text() == text => {
                return Ok(unchanged(&format!("{}, up to date", self.about())));
            }
            (Some(Origin::Generated), WriteMode::Refresh) if file.text() == text => return Ok(None),
            (Some(Origin::Generated), _) => FileOutcome::Edited,
            (None, WriteMode::All) => FileOutcome::New,
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
            changes.push(receipt.save_change(state)?);
        }
        changes.push(Change::write(file, text, Access::Default));
        Ok(Some(Step { outcome, name, about: self.about(), changes }))
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
    use flyball_policies::r#loop::feedback::Settings;

    use super::*;

    #[test]
    fn every_agent_has_the_markers_of_its_phase_and_nothing_else() {
        let phases = Settings::default().phase;
        for template in TEMPLATES {
            let text = template.render(&phases).unwrap();
            assert!(!text.contains("{{"), "{text}");
            assert_eq!(detect_origin(&text), Origin::Generated, "{}", template.name);
            let Kind::Agent(name) = template.kind else { continue };
            let phase = phases.iter().find(|phase| phase.name == name).unwrap();
            assert!(text.contains(&format!("name: {}\n", template.name)), "{text}");
            for marker in [&phase.pass, &phase.fail] {
                assert_eq!(text.lines().filter(|line| line == marker).count(), 1, "{marker}: {text}");
            }
        }
    }

    #[test]
    fn a_phase_that_nobody_configured_has_no_agent() {
        let templates = TEMPLATES.iter().filter(|template| template.render(&[]).is_some());
        assert_eq!(
            templates.map(|template| template.name).collect::<Vec<_>>(),
            ["flyball-status", "sound", "flyball-learn"]
        );
    }
}
