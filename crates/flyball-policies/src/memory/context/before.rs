//! Before an edit: tells the rules for it that were not told yet, how often things went wrong there, and where there
//! are no rules at all.

use std::collections::{BTreeMap, BTreeSet};

use flyball_core::policy::{Situation, Trouble, World};
use flyball_core::verdict::{Reason, Verdict};
use flyball_knowledge::node::{Node, Topic, covering, node_in};
use flyball_knowledge::report::ledger;

use super::edited::{self, Edited};
use super::packed::{self, Name, Packed, pack};
use super::ranked::{self, Candidate, Subject, ranked};
use super::settings::{Insist, Settings};
use super::told::{Listener, Told};
use super::{heard, place, say};
use crate::digest::digest;

/// How many files are named in one sentence, and of how many folders something is said at once.
const MOST_NAMED: usize = 3;
/// What stands between two paragraphs.
const BETWEEN: usize = 2;
/// The bytes that the line about what was left out takes at most, without the file that it names.
const LEFT_OUT_BYTES: usize = 110;

/// Tells what is to be known of the files of this call.
pub(super) fn tell(situation: &Situation<'_>) -> Result<Verdict, Trouble> {
    let edits = edited::before(situation)?;
    if edits.is_empty() {
        return Ok(Verdict::silent());
    }
    tell_of(situation, &edits, &situation.config()?)
}

/// Tells what is to be known of a source file that was read: whoever reads it may be about to edit it, and what is told
/// at the edit itself is seen only after it.
pub(super) fn introduce(situation: &Situation<'_>) -> Result<Verdict, Trouble> {
    let Some(path) = edited::read(situation) else { return Ok(Verdict::silent()) };
    let settings: Settings = situation.config()?;
    if !settings.on_read || !place::is_source(&path, &settings) {
        return Ok(Verdict::silent());
    }
    // That nothing covers it is no news to somebody who only reads.
    let settings = Settings { uncovered: false, insist: Insist::Never, ..settings };
    tell_of(situation, &[Edited { path, is_going: false }], &settings)
}

fn tell_of(situation: &Situation<'_>, edits: &[Edited], settings: &Settings) -> Result<Verdict, Trouble> {
    let known = Known::of(situation, edits, settings)?;
    if known.rules.is_empty() && known.risky.is_empty() && known.bare.is_empty() {
        return Ok(Verdict::silent());
    }
    let mut told = Told::of(situation)?;
    let mut listener = told.take(heard::agent(situation));
    heard::add_what_it_was_told_at_its_start(situation, &mut listener)?;
    let mut paragraphs = known.warn(&mut listener);
    let name = |node: &str| place::shown(situation.world, node).into_owned();
    let fresh = known.bare.iter().filter(|folder| told.uncovered.is_first(folder)).take(MOST_NAMED);
    let bare: Vec<String> = fresh.map(|folder| uncovered(folder)).collect();
    // What does not fit into what the engine passes on would be lost as a whole, and count as told.
    let besides: usize = paragraphs.iter().chain(&bare).map(|it| it.len() + BETWEEN).sum();
    let room = packed::bytes(settings.tokens.get()).min(situation.context_chars.saturating_sub(besides));
    let packed = known.choose(&mut listener, room, &name);
    let insisted =
        known.insisted((&packed, edits), settings.insist).map(|file| known.wait(&file, (&packed, &name)));
    if insisted.is_none() {
        paragraphs.extend(known.explain(&packed, &name));
    }
    paragraphs.extend(bare);
    told.put(listener);
    if !paragraphs.is_empty() || insisted.is_some() {
        situation.remember(&told)?;
    }
    let mut verdict = say(&paragraphs);
    if let Some(reason) = insisted {
        verdict.join(Verdict::deny(reason));
    }
    Ok(known.evidence(verdict, &packed, situation.world))
}

/// What is known of the files of a call.
struct Known {
    /// The covered files with their nodes.
    files: Vec<(String, Vec<Node>)>,
    /// The same files as people see them.
    shown: Vec<String>,
    /// The rules, the best first.
    rules: Vec<Candidate>,
    /// How many reports there are about the folder of each file, where there are any.
    reports: BTreeMap<String, u32>,
    /// Folders of those files with enough reports to be worth a look.
    risky: Vec<(String, u32)>,
    /// Folders of source files that no node covers.
    bare: BTreeSet<String>,
}

impl Known {
    fn of(situation: &Situation<'_>, edits: &[Edited], settings: &Settings) -> Result<Known, Trouble> {
        let world = situation.world;
        let (mut files, mut bare) = (Vec::new(), Vec::new());
        for edit in edits {
            let nodes = covering(world, &edit.path)?;
            if nodes.is_empty() {
                bare.push(edit);
            } else {
                files.push((edit.path.clone(), nodes));
            }
        }
        let shown: Vec<String> =
            files.iter().map(|(file, _)| place::shown(world, file).into_owned()).collect();
        let mut known = Known {
            files,
            shown,
            rules: Vec::new(),
            reports: BTreeMap::new(),
            risky: Vec::new(),
            bare: BTreeSet::new(),
        };
        let is_wanted = ledger::is_wanted(world);
        if is_wanted {
            known.count_reports((world, edits), settings);
        }
        if settings.uncovered && !bare.is_empty() && (is_wanted || has_node(world)) {
            known.bare = bare_folders(world, &bare, settings);
        }
        let words = edited::words(situation);
        let reports = known.reports_of_nodes(world);
        known.rules = ranked(&Subject { files: &known.files, words: &words, reports: &reports });
        Ok(known)
    }

    fn count_reports(&mut self, (world, edits): (&dyn World, &[Edited]), settings: &Settings) {
        for edit in edits {
            let folder = place::shown(world, place::folder(&edit.path)).into_owned();
            if folder.starts_with('/') || self.reports.contains_key(&folder) {
                continue;
            }
            // Rules are told also where nobody can tell how often something went wrong.
            let count = ledger::risk(world, &folder).unwrap_or_default();
            if settings.high_risk > 0 && count >= settings.high_risk {
                self.risky.push((folder.clone(), count));
            }
            self.reports.insert(folder, count);
        }
    }

    /// The reports about the folders of nodes, as far as they were counted for a file.
    fn reports_of_nodes(&self, world: &dyn World) -> BTreeMap<String, u32> {
        let nodes = ranked::nodes(&self.files).into_iter();
        let count = |node: &Node| self.reports.get(&*place::shown(world, &node.folder)).copied();
        nodes.filter_map(|node| Some((node.path.clone(), count(node)?))).collect()
    }

    /// Says where things went wrong more than once. Only another number is news.
    fn warn(&self, listener: &mut Listener) -> Vec<String> {
        let mut said = Vec::new();
        for (folder, count) in self.risky.iter().take(MOST_NAMED) {
            let text = format!(
                "{count} reports of what went wrong are about {} (`flyball learn list` shows them): changes there are worth a second look.",
                place::quoted(folder)
            );
            let fingerprint = digest([text.as_str()]);
            if !listener.was_told(fingerprint) {
                listener.tell(fingerprint);
                said.push(text);
            }
        }
        said
    }

    /// Chooses what is told to an agent: what it does not know, as far as there is room.
    fn choose(&self, listener: &mut Listener, room: usize, name: &Name<'_>) -> Packed {
        let is_news = |it: &&Candidate| {
            !listener.was_told(it.fingerprint)
                && (it.is_about_it || !listener.had_no_room_for(it.fingerprint))
        };
        let news: Vec<Candidate> = self.rules.iter().filter(is_news).cloned().collect();
        let longest = self.shown.first().map_or(0, |file| place::word(file).len());
        let taken = self.lead().len() + longest + LEFT_OUT_BYTES;
        let mut packed = pack(news, room.saturating_sub(taken), name);
        packed.told.iter().for_each(|it| listener.tell(it.fingerprint));
        // That there is more is said once.
        packed.left_out.retain(|it| !listener.had_no_room_for(it.fingerprint));
        packed.left_out.iter().for_each(|it| listener.leave_out(it.fingerprint));
        packed
    }

    fn explain(&self, packed: &Packed, name: &Name<'_>) -> Vec<String> {
        let mut said = Vec::new();
        if !packed.told.is_empty() {
            said.push(self.lead());
            said.push(packed::text(&packed.told, name));
        }
        let file = self.shown.first().map_or_else(|| ".".to_owned(), |file| place::word(file));
        match packed.left_out.len() {
            0 => {}
            1 => said.push(format!(
                "1 rule was left out for want of room; `flyball memory resolve {file}` shows it."
            )),
            many => said.push(format!(
                "{many} rules were left out for want of room; `flyball memory resolve {file}` shows them."
            )),
        }
        said
    }

    /// The file whose edit has to wait for rules that come with the answer, if one has to.
    fn insisted(&self, (packed, edits): (&Packed, &[Edited]), insist: Insist) -> Option<String> {
        let is_meant = match insist {
            Insist::Never => false,
            Insist::HighRisk => !self.risky.is_empty(),
            Insist::Always => true,
        };
        let stays = |file: &str| edits.iter().any(|edit| edit.path == file && !edit.is_going);
        let is_hard = |it: &Candidate| matches!(it.rule.topic, Topic::Checks | Topic::Pitfalls);
        let has_hard = |nodes: &[Node]| {
            packed.told.iter().any(|it| is_hard(it) && nodes.iter().any(|node| node.path == it.rule.node))
        };
        let mut files = self.files.iter().zip(&self.shown);
        let found = files.find(|((file, nodes), _)| is_meant && stays(file) && has_hard(nodes));
        found.map(|(_, shown)| shown.clone())
    }

    /// Why an edit waits: with the rules, which count as told from now on, so that the same call passes.
    fn wait(&self, file: &str, (packed, name): (&Packed, &Name<'_>)) -> Reason {
        Reason {
            what: format!(
                "This edit of {} waits once for rules that were not told to you yet",
                place::quoted(file)
            ),
            why: "Read them, then make the edit again, changed where they ask for it; it passes then:"
                .to_owned(),
            // Last, since rules may end with code.
            instead: format!("\n\n{}", self.explain(packed, name).join("\n\n")),
        }
    }

    fn lead(&self) -> String {
        let mut names: Vec<String> =
            self.shown.iter().take(MOST_NAMED).map(|file| place::quoted(file)).collect();
        let more = self.shown.len().saturating_sub(MOST_NAMED);
        if more > 0 {
            names.push(format!("{more} more"));
        }
        format!("What this project's rules say about {}:", names.join(", "))
    }

    /// What was told for which file.
    fn evidence(&self, mut verdict: Verdict, packed: &Packed, world: &dyn World) -> Verdict {
        for ((file, nodes), shown) in self.files.iter().zip(&self.shown) {
            let is_its = |it: &&Candidate| nodes.iter().any(|node| node.path == it.rule.node);
            let its: Vec<&Candidate> = packed.told.iter().filter(is_its).collect();
            if its.is_empty() {
                continue;
            }
            let told = nodes.iter().filter(|node| its.iter().any(|it| it.rule.node == node.path));
            let told: Vec<String> = told.map(|node| place::shown(world, &node.path).into_owned()).collect();
            let topics: BTreeSet<_> = its.iter().map(|it| it.rule.topic).collect();
            let topics: Vec<&str> = topics.into_iter().map(flyball_knowledge::node::Topic::heading).collect();
            let risk =
                self.reports.get(&*place::shown(world, place::folder(file))).copied().unwrap_or_default();
            verdict = verdict
                .seen("file", shown.as_str())
                .seen("node", told.join(","))
                .seen("sections", topics.join(","))
                .seen("risk", risk.to_string());
        }
        verdict
    }
}

/// Whether the project has a node at its root, so that it uses nodes at all.
fn has_node(world: &dyn World) -> bool {
    node_in(world, world.project_root()).is_some()
}

/// The folders of source files that no node covers, as people see them.
fn bare_folders(world: &dyn World, bare: &[&Edited], settings: &Settings) -> BTreeSet<String> {
    let is_meant = |edit: &&&Edited| !edit.is_going && place::is_source(&edit.path, settings);
    let folders = bare.iter().filter(is_meant).map(|edit| place::shown(world, place::folder(&edit.path)));
    folders.filter(|folder| !folder.starts_with('/') && !place::is_not_ours(folder)).map(Into::into).collect()
}

fn uncovered(folder: &str) -> String {
    let node = if folder == "." { "AGENTS.md".to_owned() } else { format!("{folder}/AGENTS.md") };
    format!(
        "No AGENTS.md or CLAUDE.md covers {}. What is worth knowing about it could stand in {}, in sections like `## Pitfalls` and `## Checks`.",
        place::quoted(folder),
        place::quoted(&node)
    )
}
