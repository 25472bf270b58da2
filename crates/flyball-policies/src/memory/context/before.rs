//! Before an edit: adds the rules that are about it and that the agent has not in its context, and a hint where there are
//! no rules.

use std::collections::{BTreeMap, BTreeSet};

use flyball_core::event::EventData;
use flyball_core::path::AbsolutePath;
use flyball_core::policy::{PolicyError, Situation, World};
use flyball_core::verdict::{Reason, Verdict};
use flyball_knowledge::node::{Node, Topic, covering, node_in};
use flyball_knowledge::report::ledger;

use super::candidates::{Candidate, Covered, NodeRules, Question};
use super::edited::{self, EditedFile};
use super::file_path;
use super::history::{AgentHistory, History, add_start_rules, agent_id};
use super::message::context_verdict;
use super::packing::{self, Selection, pack};
use super::settings::{Insist, Settings};
use crate::memory::loaded::{InContext, Loaded, ReadFile};
use crate::shell_word::path_word;

/// How many files or folders one message names.
const MOST_NAMED: usize = 3;
/// The line breaks between two paragraphs.
const BETWEEN: usize = 2;
/// The bytes that the line about what was left out takes at most, without the file that it names.
const LEFT_OUT_BYTES: usize = 110;

/// Adds what is known about the files of this call.
pub(super) fn inject(situation: &Situation<'_>) -> Result<Verdict, PolicyError> {
    let edits = edited::before(situation)?;
    if edits.is_empty() {
        return Ok(Verdict::silent());
    }
    inject_for(situation, &edits, &situation.config()?)
}

/// Adds what is known about a source file that was read: the agent may be about to edit it, and context added at the
/// edit itself is seen only afterwards.
pub(super) fn inject_on_read(situation: &Situation<'_>) -> Result<Verdict, PolicyError> {
    let Some(path) = edited::read_path(situation) else { return Ok(Verdict::silent()) };
    let settings: Settings = situation.config()?;
    if !settings.on_read || !file_path::is_source(&path, &settings) {
        return Ok(Verdict::silent());
    }
    // Missing rules do not matter to an agent that only reads.
    let settings = Settings { uncovered: false, insist: Insist::Never, ..settings };
    inject_for(situation, &[EditedFile { path, is_removed: false }], &settings)
}

fn inject_for(
    situation: &Situation<'_>,
    edits: &[EditedFile],
    settings: &Settings,
) -> Result<Verdict, PolicyError> {
    let known = EditContext::collect(situation, edits, settings)?;
    if known.files.is_empty() && known.uncovered.is_empty() {
        return Ok(Verdict::silent());
    }
    let mut history = History::load(situation)?;
    let mut loaded = Loaded::recall(situation)?;
    note_made_folders(situation.world, &known.files, &mut history);
    let mut seen = history.take(agent_id(situation));
    let is_reading = matches!(situation.event.happening, EventData::AfterTool { .. });
    add_start_rules(situation, &mut seen)?;
    if !is_reading && !known.files.is_empty() {
        seen.count_edit();
    }
    let rules = NodeRules::read(&known.files);
    let in_context = InContext::new(situation, &loaded);
    let just_loaded = known.loaded_with(&in_context, is_reading);
    let question = Question { files: &known.files, rules: &rules, in_context: &in_context, seen: &seen };
    let mut due = question.due(situation)?;
    due.retain(|it| !just_loaded.contains(&it.rule.node));
    for path in &just_loaded {
        let rules = Some(rules.of(path));
        loaded.add_read(situation, ReadFile { path: path.clone(), edits: seen.edits(), rules });
    }
    if !just_loaded.is_empty() {
        loaded.remember(situation)?;
    }
    let fresh = known.uncovered.iter().filter(|folder| history.uncovered.insert(folder)).take(MOST_NAMED);
    let bare: Vec<String> = fresh.map(|folder| uncovered_message(folder)).collect();
    let notices = known.warn(&mut history);
    // The engine drops context that does not fit as a whole; it must not count as shown.
    let besides: usize = bare.iter().map(|it| it.len() + BETWEEN).sum();
    let room = packing::bytes(settings.tokens.get()).min(situation.context_chars.saturating_sub(besides));
    let packed = known.choose(due, &mut seen, room);
    let insisted = known
        .find_blocked_file(&packed, edits, settings.insist)
        .map(|file| known.block_reason(&file, &packed));
    // A block shows the rules in its reason: context would repeat them.
    let mut paragraphs = if insisted.is_none() { known.explain(&packed) } else { Vec::new() };
    paragraphs.extend(bare);
    history.put(seen);
    if !is_reading || !paragraphs.is_empty() || insisted.is_some() {
        situation.remember(&history)?;
    }
    let mut verdict = context_verdict(&paragraphs);
    verdict.notices = notices;
    if let Some(reason) = insisted {
        verdict.join(Verdict::deny(reason));
    }
    Ok(known.evidence(verdict, &packed))
}

/// Remembers the folders that the call will make: afterwards, nothing shows that they are new.
fn note_made_folders(world: &dyn World, files: &[Covered], history: &mut History) {
    for Covered { file, .. } in files {
        let folder = AbsolutePath::from_root(file_path::folder(file));
        let is_empty =
            world.stat(&folder).is_none_or(|stat| stat.is_folder && world.list(&folder).is_empty());
        if is_empty {
            history.made.insert(&file_path::display_path(world, &folder));
        }
    }
}

/// What is known of the files of a call.
struct EditContext<'a> {
    world: &'a dyn World,
    files: Vec<Covered>,
    /// The same files as people see them.
    shown: Vec<String>,
    /// How many reports there are about the folder of each file, where there are any.
    reports: BTreeMap<String, u32>,
    /// Folders of those files with enough reports to be worth a look.
    risky: Vec<(String, u32)>,
    /// Folders of source files that no node covers.
    uncovered: BTreeSet<String>,
}

impl<'a> EditContext<'a> {
    fn collect(
        situation: &Situation<'a>,
        edits: &[EditedFile],
        settings: &Settings,
    ) -> Result<EditContext<'a>, PolicyError> {
        let world = situation.world;
        let (mut files, mut bare) = (Vec::new(), Vec::new());
        for edit in edits {
            let nodes = covering(world, &edit.path)?;
            if nodes.is_empty() {
                bare.push(edit);
            } else {
                files.push(Covered { file: edit.path.clone(), nodes });
            }
        }
        let shown: Vec<String> =
            files.iter().map(|it| file_path::display_path(world, &it.file).into_owned()).collect();
        let mut known = EditContext {
            world,
            files,
            shown,
            reports: BTreeMap::new(),
            risky: Vec::new(),
            uncovered: BTreeSet::new(),
        };
        let is_enabled = ledger::is_enabled(world);
        if is_enabled {
            known.count_reports(edits, settings);
        }
        if settings.uncovered && !bare.is_empty() && (is_enabled || has_node(world)) {
            known.uncovered = uncovered_folders(world, &bare, settings);
        }
        Ok(known)
    }

    fn count_reports(&mut self, edits: &[EditedFile], settings: &Settings) {
        let world = self.world;
        for edit in edits {
            let folder = file_path::display_path(world, file_path::folder(&edit.path)).into_owned();
            if folder.starts_with('/') || self.reports.contains_key(&folder) {
                continue;
            }
            // Rules are added even if the reports cannot be counted.
            let count = ledger::count_for_folder(world, &folder).unwrap_or_default();
            if settings.high_risk > 0 && count >= settings.high_risk {
                self.risky.push((folder.clone(), count));
            }
            self.reports.insert(folder, count);
        }
    }

    /// The nodes that the client puts into context itself because a file that they cover is read.
    fn loaded_with(&self, in_context: &InContext<'_>, is_reading: bool) -> Vec<AbsolutePath> {
        if !is_reading {
            return Vec::new();
        }
        let nodes = self.files.iter().flat_map(|it| &it.nodes);
        nodes.filter(|node| in_context.is_new_on_read(node)).map(|node| node.path.clone()).collect()
    }

    /// Tells the user about folders with several reports; again only when the number changes.
    fn warn(&self, history: &mut History) -> Vec<String> {
        let text = |(folder, count): &(String, u32)| {
            format!(
                "{} has {count} reports of past failures: `flyball learn list`",
                file_path::quoted(folder)
            )
        };
        let all = self.risky.iter().take(MOST_NAMED).map(text);
        all.filter(|text| history.risky.insert(text)).collect()
    }

    /// Takes the rules that fit, and counts them as shown.
    fn choose(&self, due: Vec<Candidate>, seen: &mut AgentHistory, room: usize) -> Selection {
        let longest = self.shown.first().map_or(0, |file| path_word(file).len());
        // Room for the first line, and for the one about what is left out.
        let taken = self.lead().len() + longest + LEFT_OUT_BYTES;
        let packed = pack(due, room.saturating_sub(taken), &|node| self.name(node));
        packed.included.iter().for_each(|it| seen.record(&it.chance));
        // What is left out is mentioned once: from now on it is known where it is.
        packed.left_out.iter().for_each(|it| seen.record(&it.chance));
        packed
    }

    /// The name of a node for people.
    fn name(&self, node: &str) -> String {
        file_path::display_path(self.world, node).into_owned()
    }

    fn explain(&self, packed: &Selection) -> Vec<String> {
        let mut messages = Vec::new();
        if !packed.included.is_empty() {
            messages.push(self.lead());
            messages.push(packing::render(&packed.included, &|node| self.name(node)));
        }
        let file = self.shown.first().map_or_else(|| ".".to_owned(), |file| path_word(file));
        match packed.left_out.len() {
            0 => {}
            1 => messages.push(format!(
                "1 rule left out to save space: run `flyball memory resolve {file}` to see it."
            )),
            many => messages.push(format!(
                "{many} rules left out to save space: run `flyball memory resolve {file}` to see them."
            )),
        }
        messages
    }

    /// The file whose edit is blocked until the agent has seen its rules.
    fn find_blocked_file(&self, packed: &Selection, edits: &[EditedFile], insist: Insist) -> Option<String> {
        let is_meant = match insist {
            Insist::Never => false,
            Insist::HighRisk => !self.risky.is_empty(),
            Insist::Always => true,
        };
        // A deletion is never denied.
        let stays = |file: &str| edits.iter().any(|edit| edit.path == file && !edit.is_removed);
        let is_hard =
            |it: &Candidate| matches!(it.rule.topic, Topic::Contracts | Topic::Checks | Topic::Pitfalls);
        let has_hard = |nodes: &[Node]| {
            packed.included.iter().any(|it| is_hard(it) && nodes.iter().any(|node| node.path == it.rule.node))
        };
        let mut files = self.files.iter().zip(&self.shown);
        let found = files.find(|(it, _)| is_meant && stays(&it.file) && has_hard(&it.nodes));
        found.map(|(_, shown)| shown.clone())
    }

    /// The reason of the block, with the rules: they count as seen from now on, so the same call passes.
    fn block_reason(&self, file: &str, packed: &Selection) -> Reason {
        Reason {
            instead: "Read the rules below, then make the edit again".to_owned(),
            what: format!(
                "you have not seen the rules for {} yet, so this edit is blocked once",
                file_path::quoted(file)
            ),
            // Last, since rules may end with code.
            why: format!("\n\n{}", self.explain(packed).join("\n\n")),
        }
    }

    fn lead(&self) -> String {
        let mut names: Vec<String> =
            self.shown.iter().take(MOST_NAMED).map(|file| file_path::quoted(file)).collect();
        let more = self.shown.len().saturating_sub(MOST_NAMED);
        if more > 0 {
            names.push(format!("{more} more"));
        }
        format!("This project's rules for {}:", names.join(", "))
    }

    /// Which rules were added for which file.
    fn evidence(&self, mut verdict: Verdict, packed: &Selection) -> Verdict {
        let world = self.world;
        for (Covered { file, nodes }, shown) in self.files.iter().zip(&self.shown) {
            let is_its = |it: &&Candidate| nodes.iter().any(|node| node.path == it.rule.node);
            let its: Vec<&Candidate> = packed.included.iter().filter(is_its).collect();
            if its.is_empty() {
                continue;
            }
            let sources = nodes.iter().filter(|node| its.iter().any(|it| it.rule.node == node.path));
            let sources: Vec<String> =
                sources.map(|node| file_path::display_path(world, &node.path).into_owned()).collect();
            let topics: BTreeSet<_> = its.iter().map(|it| it.rule.topic).collect();
            let topics: Vec<&str> = topics.into_iter().map(flyball_knowledge::node::Topic::heading).collect();
            let place = |it: &&Candidate| {
                format!("{}:{}", file_path::display_path(world, &it.rule.node), it.rule.line)
            };
            let places: Vec<String> = its.iter().map(place).collect();
            let risk = self
                .reports
                .get(&*file_path::display_path(world, file_path::folder(file)))
                .copied()
                .unwrap_or_default();
            verdict = verdict
                .with_evidence("file", shown.as_str())
                .with_evidence("node", sources.join(","))
                .with_evidence("sections", topics.join(","))
                .with_evidence("rules", places.join(","))
                .with_evidence("risk", risk.to_string());
        }
        verdict
    }
}

/// Whether the project has a node at its root, so that it uses nodes at all.
fn has_node(world: &dyn World) -> bool {
    node_in(world, world.project_root()).is_some()
}

/// The folders of source files that no node covers, as people see them.
fn uncovered_folders(world: &dyn World, bare: &[&EditedFile], settings: &Settings) -> BTreeSet<String> {
    let is_meant = |edit: &&&EditedFile| !edit.is_removed && file_path::is_source(&edit.path, settings);
    let folders = bare
        .iter()
        .filter(is_meant)
        .map(|edit| file_path::display_path(world, file_path::folder(&edit.path)));
    folders
        .filter(|folder| !folder.starts_with('/') && !file_path::is_generated(folder))
        .map(Into::into)
        .collect()
}

fn uncovered_message(folder: &str) -> String {
    let node = if folder == "." { "AGENTS.md".to_owned() } else { format!("{folder}/AGENTS.md") };
    format!(
        "No AGENTS.md or CLAUDE.md covers {}. To record what is worth knowing, add {} with what has to be done, left or known there.",
        file_path::quoted(folder),
        file_path::quoted(&node)
    )
}
