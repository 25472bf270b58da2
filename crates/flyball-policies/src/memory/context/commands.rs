//! Before a command: adds the rules that it is about to break.

use std::time::Duration;

use flyball_core::path::{AbsolutePath, strip_folder};
use flyball_core::policy::{PolicyError, PolicyId, Situation};
use flyball_core::time::{self, Time};
use flyball_core::verdict::Verdict;
use flyball_effects::{Command, Directory, GitCall};
use flyball_knowledge::node::{Node, Rule, covering, rules};
use serde::{Deserialize, Serialize};

use super::candidates::Candidate;
use super::file_path;
use super::history::{History, add_start_rules, agent_id};
use super::message::command_verdict;
use super::packing::{self, pack};
use super::settings::Settings;
use crate::guard::packages;
use crate::memory::relevance::command::{Breach, Call, Demands, Index, Running, is_branch, switched_to};
use crate::memory::relevance::is_same;

/// Under which name it is stored what commands the rules of each folder are about.
const STATE: PolicyId = PolicyId::new("memory.commands");
/// For how long that counts: a command that no rule is about is not to cost a look at the disk.
const FRESH: Duration = Duration::from_mins(1);
/// How many folders are remembered, those looked at last.
const MOST_FOLDERS: usize = 16;
/// No folder is covered by more rules in practice; the rest is dropped.
const MOST_RULES: usize = 1_000;
/// How many commands of a line are looked at, and how many rules are shown.
const MOST_COMMANDS: usize = 32;
const MOST_SHOWN: usize = 3;

/// What commands the rules of folders are about.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
struct Known {
    folders: Vec<Folder>,
}

#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
struct Folder {
    path: AbsolutePath,
    index: Index,
    #[serde(with = "time::millis")]
    at: Time,
}

/// Adds the rules that a command line is about to break.
pub(super) fn remind(situation: &Situation<'_>) -> Result<Verdict, PolicyError> {
    let Some(line) = situation.effective_line() else { return Ok(Verdict::silent()) };
    let mut look = Look { situation, known: None, branch: None };
    let (mut broken, mut names): (Vec<Rule>, Vec<String>) = (Vec::new(), Vec::new());
    for command in line.script.commands.iter().filter(|it| !it.is_loaded()).take(MOST_COMMANDS) {
        for rule in look.broken_by(command)? {
            if !broken.iter().any(|other| is_same(other, &rule)) {
                broken.push(rule);
                names.push(shown_name(command));
            }
        }
    }
    if broken.is_empty() { Ok(Verdict::silent()) } else { show(situation, broken, &names) }
}

/// A walk through the commands of a line.
struct Look<'a> {
    situation: &'a Situation<'a>,
    /// What is remembered, once it was asked for.
    known: Option<Known>,
    /// The branch that the line has switched to.
    branch: Option<String>,
}

impl Look<'_> {
    /// The rules that a command is about to break.
    fn broken_by(&mut self, command: &Command) -> Result<Vec<Rule>, PolicyError> {
        let Some(call) = Call::read(command) else { return Ok(Vec::new()) };
        let mut all: Option<Vec<Rule>> = None;
        for folder in folders(self.situation, command) {
            let situation = self.situation;
            let is_meant = self.known()?.index(situation, &folder)?.may_be_about(command, &call);
            let found = if is_meant { self.broken_in(&folder, command, &call)? } else { Vec::new() };
            // If it depends on whether a `cd` succeeds, only what holds in each of the folders counts.
            all = Some(match all {
                None => found,
                Some(before) => before.into_iter().filter(|rule| found.contains(rule)).collect(),
            });
        }
        self.branch = switched_to(command).or(self.branch.take());
        Ok(all.unwrap_or_default())
    }

    fn known(&mut self) -> Result<&mut Known, PolicyError> {
        if self.known.is_none() {
            let own = stored(self.situation);
            self.known = Some(if own.remembers()? { own.recall()? } else { Known::default() });
        }
        Ok(self.known.get_or_insert_default())
    }

    /// The rules of a folder that a command is about to break there.
    fn broken_in(
        &self,
        folder: &AbsolutePath,
        command: &Command,
        call: &Call,
    ) -> Result<Vec<Rule>, PolicyError> {
        let root = self.situation.world.project_root();
        let mut broken: Vec<(usize, Rule)> = Vec::new();
        // How deep the nearest file is whose rules ask for exactly this.
        let mut met = 0;
        for CommandRule { rule, folder: home, demands } in demands(self.situation, folder)? {
            let below = |above: &AbsolutePath| strip_folder(folder, above).unwrap_or_default().to_owned();
            let running = Running { command, call: call.clone(), folders: [below(&home), below(root)] };
            let is_broken = match demands.breach(&running) {
                Breach::None => false,
                Breach::Sure | Breach::Manager => true,
                Breach::OnBranch(names) => self.is_on(&names, folder)?,
            };
            if is_broken {
                broken.push((home.len(), rule));
            } else if demands.is_met_by(&running) {
                met = met.max(home.len());
            }
        }
        Ok(broken.into_iter().filter(|(depth, _)| *depth >= met).map(|(_, rule)| rule).collect())
    }

    /// Whether one of some branches is the current one.
    fn is_on(&self, names: &[String], folder: &AbsolutePath) -> Result<bool, PolicyError> {
        let is_one = |branch: &str| names.iter().any(|name| is_branch(name, branch));
        if let Some(branch) = &self.branch {
            return Ok(is_one(branch));
        }
        let answer = self.situation.world.git(folder, &["rev-parse", "--abbrev-ref", "HEAD"])?;
        // Without a commit there is nothing to push yet.
        Ok(answer.text().is_some_and(|branch| is_one(branch.trim())))
    }
}

/// The same situation with the memory of what rules are about.
fn stored<'a>(situation: &Situation<'a>) -> Situation<'a> {
    Situation { policy: STATE, ..*situation }
}

impl Known {
    /// What commands the rules of a folder are about, as it was found lately.
    fn index(&mut self, situation: &Situation<'_>, folder: &AbsolutePath) -> Result<&Index, PolicyError> {
        let now = situation.world.now();
        let is_known = |it: &Folder| it.path == *folder && now.since(it.at) < FRESH;
        if !self.folders.iter().any(is_known) {
            let mut index = Index::default();
            for about in demands(situation, folder)? {
                index.add(&about.demands);
            }
            self.folders.retain(|it| it.path != *folder);
            self.folders.push(Folder { path: folder.clone(), index, at: now });
            let over = self.folders.len().saturating_sub(MOST_FOLDERS);
            self.folders.drain(..over);
            stored(situation).remember(&*self)?;
        }
        let found = self.folders.iter().find(|it| it.path == *folder).map(|it| &it.index);
        found.ok_or_else(|| PolicyError::Bug { what: "a folder was forgotten at once".to_owned() })
    }
}

/// A rule that is about commands.
struct CommandRule {
    rule: Rule,
    /// What its file covers.
    folder: AbsolutePath,
    demands: Demands,
}

/// The rules that cover a folder and are about commands, the root's first.
fn demands(situation: &Situation<'_>, folder: &AbsolutePath) -> Result<Vec<CommandRule>, PolicyError> {
    let nodes = covering(situation.world, &format!("{folder}/"))?;
    let all = nodes.iter().flat_map(|node| rules(node).into_iter().map(move |rule| (node, rule)));
    let read = |(node, rule): (&Node, Rule)| {
        let demands = Demands::read(&rule)?;
        Some(CommandRule { folder: node.folder.clone(), demands, rule })
    };
    Ok(all.take(MOST_RULES).filter_map(read).collect())
}

/// The folders where a command works; the one of the session if that cannot be known.
fn folders(situation: &Situation<'_>, command: &Command) -> Vec<AbsolutePath> {
    let world = situation.world;
    let directory = GitCall::parse(command).map_or_else(|| command.directory.clone(), |call| call.directory);
    let bases = match &directory {
        Directory::Start | Directory::Unknown => vec![".".to_owned()],
        Directory::OneOf(places) => {
            // A `cd` to a folder that is there succeeds.
            let is_folder = |path: &AbsolutePath| world.stat(path).is_some_and(|stat| stat.is_folder);
            let is_entered = |place: &&String| {
                place.as_str() != "." && is_folder(&world.real_path(&situation.event.cwd, place))
            };
            let entered: Vec<String> = places.iter().filter(is_entered).cloned().collect();
            if entered.is_empty() { places.clone() } else { entered }
        }
    };
    let inner = packages::spelled_out(command).and_then(|spelled| spelled.folder);
    let place = |base: &String| {
        let base = world.real_path(&situation.event.cwd, base);
        inner.as_ref().map_or_else(|| base.clone(), |inner| world.real_path(&base, inner))
    };
    bases.iter().map(place).collect()
}

/// A command as the line has it, in a few words.
fn shown_name(command: &Command) -> String {
    const MOST_WORDS: usize = 3;
    let words = std::iter::once(&command.program).chain(&command.arguments).take(MOST_WORDS);
    words.map(|word| word.raw.as_str()).collect::<Vec<_>>().join(" ")
}

/// Adds the rules that are due.
fn show(situation: &Situation<'_>, broken: Vec<Rule>, names: &[String]) -> Result<Verdict, PolicyError> {
    let settings: Settings = situation.config()?;
    let mut history = History::load(situation)?;
    let mut seen = history.take(agent_id(situation));
    add_start_rules(situation, &mut seen)?;
    seen.count_edit();
    let candidates = broken.into_iter().map(Candidate::for_command);
    let due: Vec<Candidate> = candidates.filter(|it| seen.is_due(&it.chance)).take(MOST_SHOWN).collect();
    let name = |node: &str| file_path::display_path(situation.world, node).into_owned();
    let mut shown: Vec<String> = names.iter().map(|name| file_path::quoted(name)).collect();
    shown.dedup();
    let lead = format!("This project's rules for {}:", shown.join(", "));
    let room = packing::bytes(settings.tokens.get()).min(situation.context_chars);
    let packed = pack(due, room.saturating_sub(lead.len()), &name);
    packed.included.iter().for_each(|it| seen.record_reminder(&it.chance));
    history.put(seen);
    situation.remember(&history)?;
    if packed.included.is_empty() {
        return Ok(Verdict::silent());
    }
    let places: Vec<String> =
        packed.included.iter().map(|it| format!("{}:{}", name(&it.rule.node), it.rule.line)).collect();
    Ok(command_verdict(&[lead, packing::render(&packed.included, &name)])
        .with_evidence("command rules", places.join(",")))
}
