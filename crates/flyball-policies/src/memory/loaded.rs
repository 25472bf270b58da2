//! Which files of rules the client itself has put into context. They are not shown a second time.

use std::cell::OnceCell;
use std::collections::BTreeSet;
use std::time::Duration;

use flyball_core::client::{ClientFacts, LoadsInstructions};
use flyball_core::path::AbsolutePath;
use flyball_core::policy::{PolicyError, PolicyId, Situation, World};
use flyball_core::time::{self, Time};
use flyball_knowledge::node::{self, ImportState, MOST_BYTES, Node, Rule, Source, covering, imports, rules};
use serde::{Deserialize, Serialize};

use super::relevance;
use crate::client_settings::{own_folder, values};
use crate::digest::digest;

/// Under which name it is stored; several policies read it.
const STATE: PolicyId = PolicyId::new("memory.loaded");
/// How many files are remembered, those loaded last.
const MOST_FILES: usize = 200;
/// The rules of how many files are remembered, and how many of each.
const MOST_TEXTS: usize = 32;
const MOST_RULES: usize = 1_000;
/// A client reports what it loads for a new context at about the time at which it reports the context itself, in any order.
const TOGETHER: Duration = Duration::from_secs(10);

/// Whether a session starts with a new context.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Context {
    New,
    Kept,
}

/// The files that the client loaded.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct Loaded {
    files: Vec<File>,
    /// Whether the client reads another file where a project has none of its own.
    falls_back: bool,
    /// What files said when they came into context. A file may change afterwards.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    texts: Vec<FileText>,
}

/// What a file of rules said when an agent got it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
struct FileText {
    /// The agent; empty for the main agent.
    agent: String,
    path: AbsolutePath,
    /// Its rules, by their words.
    rules: Vec<u32>,
}

impl FileText {
    fn new(agent: &str, path: &AbsolutePath, rules: &[Rule]) -> FileText {
        let rules = rules.iter().take(MOST_RULES).map(words_digest).collect();
        FileText { agent: agent.to_owned(), path: path.clone(), rules }
    }
}

/// The rules of a file; `None` if it cannot be read.
fn read_rules(world: &dyn World, path: &AbsolutePath) -> Option<Vec<Rule>> {
    let bytes = world.read(path, MOST_BYTES).ok().flatten()?;
    Some(rules(&Node::new(path.clone(), String::from_utf8_lossy(&bytes))))
}

/// A rule by its words, whatever its marks and its file.
fn words_digest(rule: &Rule) -> u32 {
    let words = rule.words();
    let plain: String =
        words.chars().filter(|it| it.is_alphanumeric()).flat_map(char::to_lowercase).collect();
    let whole = digest([plain.as_str()]);
    // Half of it is enough to tell a thousand rules apart.
    u32::try_from(whole & u64::from(u32::MAX)).unwrap_or_default()
}

/// Where the client of an event was started.
fn started_in(situation: &Situation<'_>) -> AbsolutePath {
    let (event, world) = (situation.event, situation.world);
    world.real_path(event.project.as_ref().unwrap_or(&event.cwd), ".")
}

/// A file that the client loads, after so many edits of the agent.
pub(crate) struct ReadFile<'a> {
    pub(crate) path: AbsolutePath,
    pub(crate) edits: u32,
    /// `None` if it cannot be read.
    pub(crate) rules: Option<&'a [Rule]>,
}

/// A file that the client loaded.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
struct File {
    /// The agent in whose context it is; empty for the main agent.
    agent: String,
    path: AbsolutePath,
    /// After how many edits of the agent.
    #[serde(default)]
    edits: u32,
    #[serde(with = "time::millis")]
    at: Time,
    /// Whether it is above the folder where the client was started: each new context begins with it.
    #[serde(default)]
    is_at_start: bool,
}

impl Loaded {
    /// What the client has loaded in this session, as far as it was seen.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub(crate) fn recall(situation: &Situation<'_>) -> Result<Loaded, PolicyError> {
        let own = Situation { policy: STATE, ..*situation };
        if own.remembers()? { own.recall() } else { Ok(Loaded::default()) }
    }

    /// Stores it for this session.
    ///
    /// # Errors
    /// When the store cannot be used.
    pub(crate) fn remember(&self, situation: &Situation<'_>) -> Result<(), PolicyError> {
        Situation { policy: STATE, ..*situation }.remember(self)
    }

    /// The client loads a file for the agent of this event, which has made so many edits.
    pub(crate) fn add(&mut self, situation: &Situation<'_>, path: AbsolutePath, edits: u32) {
        let rules = read_rules(situation.world, &path);
        self.add_read(situation, ReadFile { path, edits, rules: rules.as_deref() });
    }

    /// The same for a file whose rules were read already.
    pub(crate) fn add_read(&mut self, situation: &Situation<'_>, file: ReadFile<'_>) {
        let ReadFile { path, edits, rules } = file;
        let agent = situation.event.agent.as_ref().map_or("", |agent| &agent.id).to_owned();
        let is_at_start = started_in(situation).is_in(&path.folder());
        self.note_text(&agent, &path, rules);
        self.files.retain(|other| other.agent != agent || other.path != path);
        self.files.push(File { agent, path, edits, at: situation.world.now(), is_at_start });
        let over = self.files.len().saturating_sub(MOST_FILES);
        self.files.drain(..over);
    }

    /// A session starts, with a context that is new or goes on.
    ///
    /// # Errors
    /// When the world cannot be read.
    pub(crate) fn begin(&mut self, situation: &Situation<'_>, context: Context) -> Result<(), PolicyError> {
        if context == Context::Kept {
            return Ok(());
        }
        let world = situation.world;
        self.files = self.after_reset(world.now());
        self.texts.clear();
        let mut paths: Vec<AbsolutePath> = self.files.iter().map(|file| file.path.clone()).collect();
        for node in covering(world, &format!("{}/", started_in(situation)))? {
            paths.push(world.real_path(&node.folder, &node.path));
        }
        for path in &paths {
            self.note_text("", path, read_rules(world, path).as_deref());
        }
        Ok(())
    }

    /// Remembers what a file says that comes into an agent's context.
    fn note_text(&mut self, agent: &str, path: &AbsolutePath, rules: Option<&[Rule]>) {
        self.texts.retain(|text| text.agent != agent || text.path != *path);
        self.texts.extend(rules.map(|rules| FileText::new(agent, path, rules)));
        let over = self.texts.len().saturating_sub(MOST_TEXTS);
        self.texts.drain(..over);
    }

    /// Whether the client reads another file where a project has none of its own.
    pub(crate) fn set_fallback(&mut self, falls_back: bool) {
        self.falls_back = falls_back;
    }

    /// What is in context after it was emptied at this time: what each context begins with, and what the client reported
    /// already for the new one.
    fn after_reset(&self, now: Time) -> Vec<File> {
        let stays =
            |file: &&File| file.agent.is_empty() && (file.is_at_start || now.since(file.at) <= TOGETHER);
        let renewed = |file: &File| File { edits: 0, ..file.clone() };
        self.files.iter().filter(stays).map(renewed).collect()
    }

    fn find(&self, agent: &str, path: &str) -> Option<&File> {
        self.files.iter().find(|file| file.agent == agent && file.path == path)
    }
}

/// What of the nodes that cover a file is in an agent's context.
pub(crate) struct InContext<'a> {
    loaded: &'a Loaded,
    agent: &'a str,
    client: Option<&'static ClientFacts>,
    world: &'a dyn World,
    /// Where the client was started.
    start: AbsolutePath,
    /// The globs of files that its user keeps it from loading.
    excludes: OnceCell<Vec<String>>,
    /// The rules of its user, with which each session begins.
    of_user: OnceCell<Vec<Rule>>,
}

impl<'a> InContext<'a> {
    pub(crate) fn new(situation: &Situation<'a>, loaded: &'a Loaded) -> InContext<'a> {
        let (event, world) = (situation.event, situation.world);
        InContext {
            loaded,
            agent: event.agent.as_ref().map_or("", |agent| &agent.id),
            client: world.clients().iter().find(|client| client.id == event.client).copied(),
            world,
            start: started_in(situation),
            excludes: OnceCell::new(),
            of_user: OnceCell::new(),
        }
    }

    /// After how many edits a rule came into context with another file than its own: one that is no node of the project, or
    /// the user's own, which the client loads in every project.
    pub(crate) fn elsewhere(&self, rule: &Rule) -> Option<u32> {
        self.reported_elsewhere(rule).or_else(|| self.has_from_user(rule).then_some(0))
    }

    fn has_from_user(&self, rule: &Rule) -> bool {
        self.of_user.get_or_init(|| self.read_user()).iter().any(|other| relevance::is_same(other, rule))
    }

    fn read_user(&self) -> Vec<Rule> {
        let Some(client) = self.client else { return Vec::new() };
        let files = &client.instructions;
        let folder = own_folder(self.world, client).filter(|_| files.loads != LoadsInstructions::Never);
        let Some(folder) = folder else { return Vec::new() };
        let nodes = node::user_nodes(self.world, &folder, files);
        nodes.iter().filter(|node| !self.is_excluded(&node.path)).flat_map(node::rules).collect()
    }

    /// Whether the user keeps the client from loading a file.
    fn is_excluded(&self, path: &AbsolutePath) -> bool {
        let globs = self.excludes.get_or_init(|| {
            let (Some(client), start) = (self.client, &self.start) else { return Vec::new() };
            let Some(key) = client.instructions.excludes else { return Vec::new() };
            // Those of all files count.
            let lists = values(self.world, client, start, key);
            let globs = lists.flat_map(|list| list.as_array().cloned().unwrap_or_default());
            globs.filter_map(|glob| glob.as_str().map(|glob| self.without_links(glob))).collect()
        });
        globs.iter().any(|glob| fast_glob::glob_match(glob, path.as_str()))
    }

    /// A glob whose folders are named without links, as our paths are.
    fn without_links(&self, glob: &str) -> String {
        let fixed = glob.split(['*', '?', '[', '{']).next().unwrap_or_default();
        let Some((folder, _)) = fixed.rsplit_once('/').filter(|(folder, _)| folder.starts_with('/')) else {
            return glob.to_owned();
        };
        let rest = glob.get(folder.len()..).unwrap_or_default();
        format!("{}{rest}", self.world.real_path(&self.start, folder))
    }

    /// The nodes that are in context, by their paths, and after how many edits each came there.
    pub(crate) fn of(&self, nodes: &[Node]) -> Vec<(AbsolutePath, u32)> {
        let mut found: Vec<(AbsolutePath, u32)> = Vec::new();
        for node in nodes {
            found.extend(self.since(node).map(|edits| (node.path.clone(), edits)));
        }
        // What a file imports is loaded together with it.
        let mut imported = BTreeSet::new();
        for node in nodes.iter().filter(|_| nodes.iter().any(|node| node.source == Source::Import)) {
            if found.iter().any(|(path, _)| *path == node.path) || imported.contains(&node.path) {
                imported.extend(self.imports(node));
            }
        }
        let is_new =
            |node: &&Node| imported.contains(&node.path) && !found.iter().any(|(path, _)| *path == node.path);
        let more: Vec<(AbsolutePath, u32)> =
            nodes.iter().filter(is_new).map(|node| (node.path.clone(), 0)).collect();
        found.extend(more);
        found
    }

    fn imports(&self, node: &Node) -> Vec<AbsolutePath> {
        let read = imports(self.world, node).into_iter().filter_map(|import| match import.state {
            ImportState::Read(path) => Some(path).filter(|path| !self.is_excluded(path)),
            ImportState::Missing | ImportState::Outside | ImportState::TooLong | ImportState::NoText => None,
        });
        read.collect()
    }

    /// Whether a rule of a file that is in context was in it when it came there.
    pub(crate) fn has_read(&self, rule: &Rule) -> bool {
        let real = self.world.real_path(&rule.node.folder(), &rule.node);
        let is_of = |text: &&FileText, agent: &str| {
            text.agent == agent && (text.path == rule.node || text.path == real)
        };
        let texts = &self.loaded.texts;
        let found =
            [self.agent, ""].into_iter().find_map(|agent| texts.iter().find(|text| is_of(text, agent)));
        found.is_none_or(|text| text.rules.contains(&words_digest(rule)) || text.rules.len() == MOST_RULES)
    }

    fn reported_elsewhere(&self, rule: &Rule) -> Option<u32> {
        let root = self.world.project_root();
        let is_meant = |text: &&FileText| {
            (text.agent == self.agent || text.agent.is_empty())
                && !text.path.is_in(root)
                && text.path != rule.node
        };
        let others = self.loaded.texts.iter().filter(is_meant);
        let mut others =
            others.filter_map(|text| Some((text, self.loaded.find(&text.agent, &text.path)?))).peekable();
        others.peek()?;
        let digest = words_digest(rule);
        others.find(|(text, _)| text.rules.contains(&digest)).map(|(_, file)| file.edits)
    }

    /// After how many edits a node came into context.
    fn since(&self, node: &Node) -> Option<u32> {
        let real = self.world.real_path(&node.folder, &node.path);
        let reported = [&node.path, &real].into_iter().find_map(|path| {
            // A subagent begins with what the main agent began with.
            self.loaded
                .find(self.agent, path)
                .or_else(|| self.loaded.find("", path).filter(|_| self.is_at_start(node)))
        });
        reported.map(|file| file.edits).or_else(|| self.is_loaded_at_start(node).then_some(0))
    }

    /// Whether a client loads a node when it starts, because it is above the folder where that is.
    fn is_at_start(&self, node: &Node) -> bool {
        self.start.is_in(&node.folder)
    }

    fn is_loaded_at_start(&self, node: &Node) -> bool {
        self.client.is_some_and(|client| {
            client.instructions.loads != LoadsInstructions::Never && self.is_its_own(client, node)
        }) && self.is_at_start(node)
            && !self.is_excluded(&node.path)
    }

    /// Whether the client loads a node now, because a file that it covers is read for the first time.
    pub(crate) fn is_new_on_read(&self, node: &Node) -> bool {
        self.since(node).is_none()
            && self.client.is_some_and(|client| {
                client.instructions.loads == LoadsInstructions::AtStartAndOnRead
                    && self.is_its_own(client, node)
            })
            && !self.is_excluded(&node.path)
    }

    /// Whether the project has a shared file of the client's own.
    fn has_own(&self, client: &ClientFacts) -> bool {
        let own = [client.instructions.shared, client.instructions.hidden];
        own.into_iter().flatten().any(|name| {
            [&self.start, self.world.project_root()]
                .iter()
                .any(|folder| self.world.stat(&folder.join(name)).is_some())
        })
    }

    /// Whether a node has a name that the client looks for. A link has the name by which it is found.
    fn is_its_own(&self, client: &ClientFacts, node: &Node) -> bool {
        let files = &client.instructions;
        let has_it = |name: &str| {
            let path = node.folder.join(name);
            path == node.path
                || self.world.real_path(&node.folder, name) == self.world.real_path(&node.folder, &node.path)
        };
        let replaces = |name: &str| self.world.stat(&node.folder.join(name)).is_some();
        let shared = match files.replacement.filter(|name| replaces(name)) {
            Some(replacement) => Some(replacement),
            None => files.shared,
        };
        let fallback =
            files.fallback.filter(|_| self.loaded.falls_back && !self.has_own(client)).map(|it| it.file);
        [shared, files.hidden, files.personal, fallback].into_iter().flatten().any(has_it)
    }
}
