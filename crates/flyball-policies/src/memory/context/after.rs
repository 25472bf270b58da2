//! After an edit: records that it worked, reminds of the node that covers it, and of folders that are new.

use flyball_core::path::AbsolutePath;
use flyball_core::policy::{PolicyError, Situation, World};
use flyball_core::verdict::Verdict;
use flyball_knowledge::layout;
use flyball_knowledge::node::{Node, covering, nearest};

use super::edited::{self, EditedFile};
use super::file_path;
use super::history::History;
use super::message::context_verdict;
use super::settings::Settings;

/// The most reminders after one call.
const MOST_REMINDERS: usize = 4;
/// A folder with more files than these is not new.
const FEW_FILES: usize = 2;
/// A folder whose own record is longer holds many files: it is not listed.
const SHORT_FOLDER: u64 = 4096;

pub(super) fn remind(situation: &Situation<'_>) -> Result<Verdict, PolicyError> {
    let edits = edited::after(situation)?;
    if edits.is_empty() {
        return Ok(Verdict::silent());
    }
    let world = situation.world;
    let mut made = Vec::new();
    for edit in &edits {
        made.push(MadeEdit { edit, nodes: covering(world, &edit.path)? });
    }
    let mut verdict = Verdict::silent();
    let settings: Settings = situation.config()?;
    if settings.remind && made.iter().any(|edit| edit.is_worth_a_reminder(world)) {
        let mut history = History::load(situation)?;
        let known = history.nodes.count() + history.looked_at.count();
        let messages = reminders(world, &made, &mut history);
        // They only grow, so the counts show whether something is new.
        if history.nodes.count() + history.looked_at.count() > known {
            situation.remember(&history)?;
        }
        verdict = context_verdict(&messages);
    }
    if world.stat(&world.real_path(world.project_root(), layout::NO_TELEMETRY)).is_some() {
        return Ok(verdict);
    }
    Ok(made.iter().fold(verdict, |verdict, edit| record_outcome(world, verdict, edit)))
}

/// An edit that was made, and the nodes that cover its file.
struct MadeEdit<'a> {
    edit: &'a EditedFile,
    nodes: Vec<Node>,
}

impl MadeEdit<'_> {
    /// Whether it may have made a rule wrong.
    fn is_worth_a_reminder(&self, world: &dyn World) -> bool {
        !self.nodes.is_empty()
            && file_path::can_invalidate_rules(&file_path::display_path(world, &self.edit.path))
    }
}

fn record_outcome(world: &dyn World, verdict: Verdict, MadeEdit { edit, nodes }: &MadeEdit<'_>) -> Verdict {
    let file = file_path::display_path(world, &edit.path);
    // A file elsewhere that nothing covers is not this project's.
    if nodes.is_empty() && file.starts_with('/') {
        return verdict;
    }
    let nodes: Vec<String> =
        nodes.iter().map(|node| file_path::display_path(world, &node.path).into_owned()).collect();
    verdict
        .with_evidence("outcome", "success")
        .with_evidence("file", file)
        .with_evidence("node", nodes.join(","))
}

fn reminders(world: &dyn World, made: &[MadeEdit<'_>], history: &mut History) -> Vec<String> {
    let mut messages = Vec::new();
    for MadeEdit { edit, nodes } in made.iter().filter(|edit| edit.is_worth_a_reminder(world)) {
        if messages.len() >= MOST_REMINDERS {
            break;
        }
        let Some(nearest) = nearest(nodes) else { continue };
        let (file, node) =
            (file_path::display_path(world, &edit.path), file_path::display_path(world, &nearest.path));
        // No reminder if the same call edits the node.
        let is_edited = made.iter().any(|other| other.edit.path == nearest.path);
        if !is_edited && history.nodes.insert(&node) {
            messages.push(format!(
                "{} covers {}: if this change makes one of its rules wrong, fix the rule in the same change.",
                file_path::quoted(&node),
                file_path::quoted(&file)
            ));
        }
        let folder = AbsolutePath::from_root(file_path::folder(&edit.path));
        let shown = file_path::display_path(world, &folder);
        let is_candidate = !edit.is_removed
            && nearest.folder == file_path::folder(&folder)
            && !file_path::is_generated(&shown);
        if is_candidate
            && history.made.contains(&shown)
            && history.looked_at.insert(&shown)
            && is_new(world, &folder)
        {
            messages.push(format!(
                "{} is new and has no AGENTS.md; {} covers it. Put rules that apply only there in {}.",
                file_path::quoted(&shown),
                file_path::quoted(&node),
                file_path::quoted(&format!("{shown}/AGENTS.md"))
            ));
        }
    }
    messages
}

/// Whether a folder holds only a few files.
fn is_new(world: &dyn World, folder: &AbsolutePath) -> bool {
    if !world.stat(folder).is_some_and(|stat| stat.is_folder && stat.bytes <= SHORT_FOLDER) {
        return false;
    }
    let is_file = |name: &String| world.stat(&folder.join(name)).is_some_and(|stat| !stat.is_folder);
    world.list(folder).iter().filter(|name| is_file(name)).take(FEW_FILES + 1).count() <= FEW_FILES
}
