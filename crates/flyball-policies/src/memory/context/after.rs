//! After an edit: records that it worked, reminds of the node that covers it, and of folders that are new.

use flyball_core::policy::{Situation, Trouble, World};
use flyball_core::verdict::Verdict;
use flyball_knowledge::layout;
use flyball_knowledge::node::{Node, covering};

use super::edited::{self, Edited};
use super::settings::Settings;
use super::told::Told;
use super::{place, say};

/// How much is said after one call.
const MOST_SAID: usize = 4;
/// A folder with more files than these is not new.
const FEW_FILES: usize = 2;
/// A folder whose own record is longer holds many files: it is not listed.
const SHORT_FOLDER: u64 = 4096;

pub(super) fn remind(situation: &Situation<'_>) -> Result<Verdict, Trouble> {
    let edits = edited::after(situation)?;
    if edits.is_empty() {
        return Ok(Verdict::silent());
    }
    let world = situation.world;
    let mut covered = Vec::new();
    for edit in &edits {
        covered.push((edit, covering(world, &edit.path)?));
    }
    let mut verdict = Verdict::silent();
    let settings: Settings = situation.config()?;
    let is_meant = |edit: &Edited| place::can_make_untrue(&place::shown(world, &edit.path));
    let worth: Vec<&(&Edited, Vec<Node>)> =
        covered.iter().filter(|(edit, nodes)| !nodes.is_empty() && is_meant(edit)).collect();
    if settings.remind && !worth.is_empty() {
        let mut told = Told::of(situation)?;
        let known = told.nodes.count() + told.looked_at.count();
        let said = reminders(world, (&worth, &edits), &mut told);
        if told.nodes.count() + told.looked_at.count() > known {
            situation.remember(&told)?;
        }
        verdict = say(&said);
    }
    if world.stat(&world.real_path(world.project_root(), layout::NO_TELEMETRY)).is_some() {
        return Ok(verdict);
    }
    Ok(covered.iter().fold(verdict, |verdict, (edit, nodes)| recorded(world, verdict, (edit, nodes))))
}

fn recorded(world: &dyn World, verdict: Verdict, (edit, nodes): (&Edited, &[Node])) -> Verdict {
    let file = place::shown(world, &edit.path);
    if nodes.is_empty() && file.starts_with('/') {
        return verdict;
    }
    let nodes: Vec<String> = nodes.iter().map(|node| place::shown(world, &node.path).into_owned()).collect();
    verdict.seen("outcome", "success").seen("file", file).seen("node", nodes.join(","))
}

type Worth<'a> = (&'a [&'a (&'a Edited, Vec<Node>)], &'a [Edited]);

fn reminders(world: &dyn World, (worth, edits): Worth<'_>, told: &mut Told) -> Vec<String> {
    let mut said = Vec::new();
    for (edit, nodes) in worth {
        if said.len() >= MOST_SAID {
            break;
        }
        let Some(nearest) = nodes.last() else { continue };
        let (file, node) = (place::shown(world, &edit.path), place::shown(world, &nearest.path));
        // Who edits the node in the same call needs no reminder.
        let is_edited = edits.iter().any(|other| other.path == nearest.path);
        if !is_edited && told.nodes.is_first(&node) {
            said.push(format!(
                "{} covers {}: if this change makes a rule of it untrue, mend the rule in the same change.",
                place::quoted(&node),
                place::quoted(&file)
            ));
        }
        let folder = place::folder(&edit.path);
        let shown = place::shown(world, folder);
        let is_candidate =
            !edit.is_going && nearest.folder == place::folder(folder) && !place::is_not_ours(&shown);
        if is_candidate && told.looked_at.is_first(&shown) && is_new(world, folder) {
            said.push(format!(
                "{} is new and has no AGENTS.md of its own; {} covers it. Rules that hold only there could stand in {}.",
                place::quoted(&shown),
                place::quoted(&node),
                place::quoted(&format!("{shown}/AGENTS.md"))
            ));
        }
    }
    said
}

/// Whether a folder holds only a few files.
fn is_new(world: &dyn World, folder: &str) -> bool {
    if !world.stat(folder).is_some_and(|stat| stat.is_folder && stat.bytes <= SHORT_FOLDER) {
        return false;
    }
    let is_file = |name: &String| world.stat(&format!("{folder}/{name}")).is_some_and(|stat| !stat.is_folder);
    world.list(folder).iter().filter(|name| is_file(name)).take(FEW_FILES + 1).count() <= FEW_FILES
}
