//! The texts for agents and people, and the commands that they are given.

use std::collections::BTreeSet;

use flyball_core::path::AbsolutePath;
use flyball_core::policy::World;
use flyball_core::text;
use flyball_core::verdict::Reason;

use super::memory::Leftover;
use super::ownership::{AgentContext, Location};
use super::revert::Undo;
use super::settings::rendered;
use super::trees::FileStatus;
use crate::digest::digest;
use crate::shell_word::quoted;

/// How many lines of each list are shown.
const SHOWN: usize = 20;

const CONFIG_HINT: &str = "To override (people only): `[loop.output]` in flyball.toml.";

/// An agent that answers only to the block would lose its result: its last message is all that is read.
const REPEAT_ANSWER: &str = "Then repeat your whole answer: only your last message is read.";

/// A document in the wrong place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Misplaced {
    pub(super) path: AbsolutePath,
    /// Where its kind belongs.
    belongs: String,
    /// The tree it was put in, if that is not the one that the agent works in.
    leaked_into: Option<AbsolutePath>,
    /// The command that moves it.
    pub(super) move_command: String,
}

/// What is wrong with an agent's work.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Problems {
    /// Documents in the wrong place.
    pub(super) files: Vec<Misplaced>,
    /// Required skills that it did not use.
    pub(super) missing: Vec<String>,
    /// Folders that its metadata names for the feature and that are not for documents.
    pub(super) folders: Vec<String>,
}

impl Problems {
    /// Whether the agent is blocked. A wrong folder in its metadata alone is not enough.
    pub(super) fn is_blocking(&self) -> bool {
        !(self.files.is_empty() && self.missing.is_empty())
    }

    pub(super) fn fingerprint(&self) -> u64 {
        let files = self.files.iter().map(|file| file.path.as_str());
        digest(files.chain(["skills"]).chain(self.missing.iter().map(String::as_str)))
    }

    /// Why the agent is blocked.
    pub(super) fn reason(&self, undo: &[Undo]) -> Reason {
        let mut lines: Vec<String> = Vec::new();
        if !self.files.is_empty() {
            let documents = text::counted(self.files.len(), "document");
            lines.push(format!("Move {documents} to where agents' documents belong:"));
            lines.extend(listed(self.files.iter().map(Misplaced::lines)));
        }
        if !self.missing.is_empty() {
            let (skills, them) = (skills(&self.missing), text::plural(self.missing.len(), "it", "them"));
            lines.push(format!(
                "Use {skills} now, follow {them}, and list {them} in `skills_invoked` of your output's metadata: your \
                 role requires {them}."
            ));
        }
        lines.extend(self.folders.iter().map(|folder| wrong_folder(folder)));
        if !undo.is_empty() {
            lines.push(
                "What you changed without it, in case it has to be undone (nothing was; ask first):"
                    .to_owned(),
            );
            lines.extend(listed(undo.iter().map(Undo::line)));
        }
        lines.push(CONFIG_HINT.to_owned());
        lines.push(REPEAT_ANSWER.to_owned());
        Reason::plain(lines.join("\n"))
    }

    /// The notice for the user when the agent is released all the same.
    pub(super) fn notice(&self, role: &str) -> String {
        let mut parts = Vec::new();
        if !self.files.is_empty() {
            let paths = self.files.iter().map(|file| quoted(&file.path));
            parts.push(format!("it left {} in the wrong place", joined(paths)));
        }
        if !self.missing.is_empty() {
            parts.push(format!("it did not use {}", skills(&self.missing)));
        }
        format!("`{role}` was released although {}", parts.join(", and "))
    }
}

impl Misplaced {
    fn lines(&self) -> String {
        let leak = self.leaked_into.as_ref().map_or_else(String::new, |tree| {
            format!(", and it is in the worktree {}, which is not yours", quoted(tree))
        });
        format!("{} belongs below {}{leak}:\n  {}", quoted(&self.path), self.belongs, self.move_command)
    }
}

/// Plans where the misplaced documents of an agent go.
pub(super) struct MovePlanner<'a> {
    pub(super) context: &'a AgentContext<'a>,
    pub(super) world: &'a dyn World,
    pub(super) role: &'a str,
    /// The top of the tree that the agent works in.
    pub(super) home: &'a AbsolutePath,
    /// Paths that were given to other documents.
    pub(super) taken: BTreeSet<AbsolutePath>,
}

impl MovePlanner<'_> {
    /// A document, where it should go, and how; `None` if it is where it belongs.
    pub(super) fn plan(&mut self, path: &AbsolutePath) -> Option<Misplaced> {
        let rule = self.context.rule_broken_by(path)?;
        let (location, home) = (self.context.locate(path)?, self.home);
        let folder = rendered(&rule.suggest, self.role, self.world.now());
        let folder = self.world.real_path(home, &folder);
        let target = self.free_name(&folder, location.name);
        // git moves only what it tracks, and only within one tree.
        let step = if home == location.tree && self.is_tracked(path, &location) {
            let to = target.strip_folder(home)?;
            format!("git -C {} mv -- {} {}", quoted(home), quoted(location.name), quoted(to))
        } else {
            // `-n`, because nothing must be overwritten, even if the name was taken meanwhile.
            format!("mv -n -- {} {}", quoted(path), quoted(&target))
        };
        Some(Misplaced {
            path: path.clone(),
            belongs: joined(rule.belongs.iter().map(|glob| format!("`{glob}`"))),
            leaked_into: (home != location.tree).then(|| location.tree.clone()),
            move_command: format!("mkdir -p {} && {step}", quoted(&folder)),
        })
    }

    fn is_tracked(&self, path: &str, location: &Location<'_, '_>) -> bool {
        let inputs = self.context.inputs;
        let mut trees = inputs.trees.iter().flatten().filter(|tree| tree.path == *location.tree);
        inputs.tracked.contains(path)
            || trees.any(|tree| tree.files.get(location.name).is_some_and(FileStatus::is_tracked))
    }

    /// A path in a folder where nothing is.
    fn free_name(&mut self, folder: &AbsolutePath, name: &str) -> AbsolutePath {
        let name = name.rsplit('/').next().unwrap_or(name);
        let (stem, ending) = match name.rsplit_once('.') {
            Some((stem, ending)) if !stem.is_empty() => (stem, format!(".{ending}")),
            _ => (name, String::new()),
        };
        let numbered = (2..100).map(|number| folder.join(&format!("{stem}-{number}{ending}")));
        let is_free = |path: &AbsolutePath| !self.taken.contains(path) && self.world.stat(path).is_none();
        let last = folder.join(&format!("{stem}-99{ending}"));
        let target = std::iter::once(folder.join(name)).chain(numbered).find(is_free).unwrap_or(last);
        self.taken.insert(target.clone());
        target
    }
}

/// Why the main agent is blocked: documents of its agents that are still in the wrong place.
pub(super) fn leftover_reason(left: &[(&str, &Leftover)]) -> Reason {
    let documents = text::counted(left.len(), "document");
    let mut lines = vec![format!("Move {documents} that your agents left in the wrong place:")];
    lines.extend(listed(
        left.iter()
            .map(|(path, left)| format!("{} of `{}`:\n  {}", quoted(path), left.role, left.move_command)),
    ));
    lines.push(CONFIG_HINT.to_owned());
    Reason::plain(lines.join("\n"))
}

/// The notice about documents that stay in the wrong place.
pub(super) fn leftover_notice(left: &[(&str, &Leftover)]) -> String {
    let paths = left.iter().map(|(path, left)| format!("{} of `{}`", quoted(path), left.role));
    format!("documents of agents stay in the wrong place: {}", joined(paths))
}

/// The notice about documents whose author is not known.
pub(super) fn appeared(paths: &BTreeSet<AbsolutePath>) -> String {
    format!(
        "documents appeared in the wrong place while several agents ran; which agent wrote them is not known: {}",
        joined(paths.iter().map(|path| quoted(path)))
    )
}

/// The context for the main agent about an agent that has finished.
pub(super) fn spawner_report(role: &str, problems: &[String]) -> String {
    format!("`{role}` is done, but {}", problems.join("; "))
}

pub(super) fn wrong_folder(folder: &str) -> String {
    format!("`feature_directory` in the metadata is {}, which is not a folder for documents.", quoted(folder))
}

pub(super) fn skills(names: &[String]) -> String {
    let noun = text::plural(names.len(), "the skill", "the skills");
    format!("{noun} {}", joined(names.iter().map(|name| format!("`{name}`"))))
}

/// The first of a list with commas between them, and how many more there are.
pub(super) fn joined(words: impl Iterator<Item = String>) -> String {
    text::first(&words.collect::<Vec<_>>(), SHOWN)
}

fn listed(lines: impl Iterator<Item = String>) -> Vec<String> {
    let lines: Vec<String> = lines.map(|line| format!("- {line}")).collect();
    let more = lines.len().saturating_sub(SHOWN);
    let mut shown: Vec<String> = lines.into_iter().take(SHOWN).collect();
    if more > 0 {
        shown.push(format!("- and {more} more"));
    }
    shown
}
