//! What a policy can query about its event: the command line, where a path leads, which files change.

use std::any::Any;
use std::borrow::Cow;
use std::cell::OnceCell;

use flyball_effects::windows::is_powershell;
use flyball_effects::{Content, DeepLine, DeepReading, Directory, FileAct, FileEffect, Line, Target, Word};

use crate::arrivals::Arrivals;
use crate::call_start::call_start;
use crate::computed;
use crate::disk::WorldDisk;
use crate::error::PolicyError;
use crate::event::{Change, EventKind, Tool};
use crate::facts::{Deep, EditRoute, SeenEdit, TargetPaths};
use crate::path::AbsolutePath;
use crate::policy::Situation;
use crate::policy_id::PolicyId;
use crate::server::ServerCall;
use crate::shell_word::quoted;
use crate::time::Time;
use crate::walk::walk;
use crate::world::ChangedFiles;

impl<'a> Situation<'a> {
    /// The command line of this event, if it is about one.
    #[must_use]
    pub fn line(&self) -> Option<&'a Line> {
        match &self.event.call()?.tool {
            Tool::Shell { .. } => {
                Some(self.facts.line.get_or_init(|| Line::read_with(&self.sh_text(), self.wrappers)))
            }
            _ => None,
        }
    }

    /// The command line with what the files say that it runs, if there is more in it than in the line itself.
    #[must_use]
    pub fn deep_line(&self) -> Option<&'a DeepLine> {
        let line = self.effective_line()?;
        let read = || {
            // A line that starts nothing costs nothing more, and tests run code that the session has not touched.
            let runs_more = line.may_run_files() || (line.runs_project_code() && self.wrote_texts());
            if !runs_more {
                return Deep::default();
            }
            let disk = WorldDisk::new(self.world, &self.event.cwd, self.session_texts());
            let deep = DeepReading::read(&self.sh_text(), self.wrappers, &disk);
            let written = (!deep.has_read_files()).then(|| deep.written().to_vec());
            Deep { line: deep.beyond(line), written }
        };
        self.facts.deep.get_or_init(read).line.as_ref()
    }

    /// The call of a tool server that this event is about, as what it amounts to.
    #[must_use]
    pub fn server_call(&self) -> Option<&'a ServerCall> {
        let call = self.event.call()?;
        let (server, tool) = match &call.tool {
            Tool::Mcp { server, tool } => (server.as_str(), tool.as_str()),
            // A tool of the client that is not known here is one of a server that has no name.
            Tool::Other => ("", call.name.as_str()),
            _ => return None,
        };
        Some(self.facts.server.get_or_init(|| ServerCall::read(server, tool, &call.input)))
    }

    /// The command line of this event, or the one that its call of a tool server amounts to.
    #[must_use]
    pub fn effective_line(&self) -> Option<&'a Line> {
        let Some(server) = self.server_call() else { return self.line() };
        // Without a line of its own it is an empty one, for what is known besides.
        let has_line = !server.line.is_empty() || server.deletes.is_some();
        has_line.then(|| self.facts.line.get_or_init(|| Line::read_with(&server.line, self.wrappers)))
    }

    /// The same text for a reader of sh: a tool that runs PowerShell is called by the shell's name, and what it is given is what
    /// `pwsh -Command` is given.
    #[must_use]
    pub fn sh_text(&self) -> Cow<'a, str> {
        let text = self.effective_text();
        match self.event.call() {
            Some(call) if is_powershell(&call.name) => Cow::Owned(format!("pwsh -Command {}", quoted(text))),
            _ => Cow::Borrowed(text),
        }
    }

    /// The text of [`Situation::effective_line`].
    #[must_use]
    pub fn effective_text(&self) -> &'a str {
        match self.server_call() {
            Some(server) => &server.line,
            None => self.event.call().and_then(|call| call.tool.main_text()).unwrap_or_default(),
        }
    }

    /// Something that several policies derive from this event in the same way, made by the first
    /// that asks. There is room for one thing.
    ///
    /// # Errors
    /// When it could not be made.
    pub fn derived<T: Send + Sync + 'static>(
        &self,
        make: impl FnOnce() -> Result<T, PolicyError>,
    ) -> Result<&'a T, PolicyError> {
        let boxed = || make().map(|thing| Box::new(thing) as Box<dyn Any + Send + Sync>);
        let thing = self.facts.derived.get_or_init(boxed).as_ref().map_err(Clone::clone)?;
        let other = || PolicyError::Bug { what: "two policies derive different things".to_owned() };
        thing.downcast_ref().ok_or_else(other)
    }

    /// What this policy gathered for this event, if it did.
    #[must_use]
    pub fn gathered<T: 'static>(&self) -> Option<&'a T> {
        self.gathered_by(self.policy)
    }

    /// What another policy gathered for this event, if it did.
    #[must_use]
    pub fn gathered_by<T: 'static>(&self, policy: PolicyId) -> Option<&'a T> {
        let all = self.facts.gathering.get()?;
        all.gathered.iter().find(|(id, _)| *id == policy)?.1.downcast_ref()
    }

    /// Where a target of this event's command line leads.
    #[must_use]
    pub fn locate(&self, target: &Target) -> TargetPaths {
        let Some(text) = &target.word.text else { return TargetPaths::Unknown(target.word.raw.clone()) };
        let is_rooted = text.starts_with(['/', '~']);
        let bases: Vec<&str> = match &target.directory {
            Directory::Start => vec!["."],
            Directory::OneOf(places) => places.iter().map(String::as_str).collect(),
            // The folder does not matter for an absolute path.
            Directory::Unknown if is_rooted => vec!["."],
            Directory::Unknown => return TargetPaths::Unknown(text.clone()),
        };
        let mut paths = Vec::new();
        for base in bases {
            let base = self.world.real_path(&self.event.cwd, base);
            let path = self.world.real_path(&base, text);
            // A path that ends with `/` can only be a folder.
            let is_folder =
                || text.ends_with('/') || self.world.stat(&path).is_some_and(|stat| stat.is_folder);
            // `cp a b` writes `b/a` if `b` is a folder; only the disk can tell which.
            let below = target.or_below.as_ref().filter(|_| is_folder());
            let path = below.map_or_else(|| path.clone(), |name| self.world.real_path(&path, name));
            if !paths.contains(&path) {
                paths.push(path);
            }
        }
        if target.word.glob { TargetPaths::Pattern(paths) } else { TargetPaths::Known(paths) }
    }

    /// The files that this call would change or, after it, did change: by edit tools and by
    /// commands alike. Before a command these are the ones its text shows; after it, those of
    /// them that did change and, if it could do more than its text shows, what is found changed
    /// in the project.
    ///
    /// # Errors
    /// When git cannot be asked for the changed files.
    pub fn edits(&self) -> Result<&'a [SeenEdit], PolicyError> {
        let edits = self.facts.edits.get_or_init(|| seen_edits(self));
        edits.as_deref().map_err(Clone::clone)
    }
}

impl<'a> Situation<'a> {
    /// What changed in the project at or after this time. Policies that ask about the same call share the answer.
    ///
    /// # Errors
    /// When git does not answer.
    pub fn changed_files(&self, since: Time) -> Result<ChangedFiles, PolicyError> {
        let ask = || self.world.changed_files(self.world.project_root(), since);
        let (asked, answer) = self.facts.changed_files.get_or_init(|| (since, ask()));
        if *asked == since { answer.clone() } else { ask() }
    }

    /// Whether files are written, or put somewhere, that the text does not name.
    #[must_use]
    pub fn is_unnamed_write(&self, effect: &FileEffect) -> bool {
        let is_unnamed = |target: &Target| !matches!(self.locate(target), TargetPaths::Known(_));
        let arrives_unnamed = match &effect.act {
            FileAct::Move { to } => is_unnamed(to),
            FileAct::Link { name } => is_unnamed(name),
            _ => false,
        };
        arrives_unnamed || (effect.act.changes_target() && is_unnamed(&effect.target))
    }

    /// Whether a command may change files that its text does not name.
    #[must_use]
    pub fn changes_unnamed_files(&self) -> bool {
        let is_unnamed = |line: &Line| !line.effects.opaque.is_empty() || writes_unnamed_files(self, line);
        self.effective_line().is_some_and(is_unnamed)
    }
}

fn seen_edits(situation: &Situation<'_>) -> Result<Vec<SeenEdit>, PolicyError> {
    let Some(call) = situation.event.call() else { return Ok(Vec::new()) };
    if let Tool::Edit(edits) = &call.tool {
        let seen = edits.iter().map(|edit| SeenEdit {
            path: situation.world.real_path(&situation.event.cwd, &edit.path),
            change: Some(edit.change.clone()),
            route: EditRoute::Tool,
        });
        return Ok(seen.collect());
    }
    let mut seen = Vec::new();
    for edit in situation.server_call().map(|server| server.edits.as_slice()).unwrap_or_default() {
        seen.push(SeenEdit {
            path: situation.world.real_path(&situation.event.cwd, &edit.path),
            change: Some(edit.change.clone()),
            route: EditRoute::CommandLine,
        });
    }
    if let Some(line) = situation.effective_line() {
        for effect in &line.effects.files {
            push_expected_edits(situation, effect, &mut seen);
        }
        // After a run, the files themselves show what became of them.
        if situation.event.kind() == EventKind::BeforeTool {
            compute_changes(situation, line, &mut seen);
        }
    }
    if !matches!(situation.event.kind(), EventKind::AfterTool | EventKind::ToolFailed) {
        return Ok(seen);
    }
    let since = call_start(situation);
    // A command may have failed halfway, or its branch was not taken.
    let mut seen: Vec<SeenEdit> =
        seen.into_iter().flat_map(|edit| happened(situation, edit, since)).collect();
    // Only then is git started, which costs milliseconds.
    if situation.changes_unnamed_files() {
        for path in situation.changed_files(since)?.shown {
            if !seen.iter().any(|edit| edit.path == path) {
                seen.push(SeenEdit { path, change: None, route: EditRoute::Noticed });
            }
        }
    }
    Ok(seen)
}

/// Whether a line changes files that its text does not name: by a pattern, a list, a variable.
fn writes_unnamed_files(situation: &Situation<'_>, line: &Line) -> bool {
    line.effects.files.iter().any(|effect| situation.is_unnamed_write(effect))
}

/// What there is of an expected edit, now that the call has ended: nothing, the edit, or those of the files in a folder.
fn happened(situation: &Situation<'_>, edit: SeenEdit, since: Time) -> Vec<SeenEdit> {
    let stat = situation.world.stat(&edit.path);
    let is_folder = stat.is_some_and(|stat| stat.is_folder);
    match (&edit.change, stat) {
        (Some(Change::Delete | Change::Move { .. }), None) => vec![edit],
        (Some(Change::Delete | Change::Move { .. }), Some(_)) | (_, None) => Vec::new(),
        _ if is_folder => written_below(situation, &edit, since),
        (_, Some(stat)) if stat.changed >= since => vec![edit],
        (_, Some(_)) => Vec::new(),
    }
}

/// The files in a folder that a call wrote to, or put where it is: they came there while it ran.
fn written_below(situation: &Situation<'_>, edit: &SeenEdit, since: Time) -> Vec<SeenEdit> {
    let above = edit.path.folder();
    let arrivals = Arrivals::new(situation.world, &above, since);
    let files = walk(situation.world, &edit.path).files.into_iter();
    let written = files.filter(|path| arrivals.has(path));
    written.map(|path| SeenEdit { path, change: None, route: edit.route }).collect()
}

/// Longer files are not written by hand.
const MOST_BYTES: u64 = 1024 * 1024;

/// Computes what commands make of files whose text is on disk: `sed -i`, `npm pkg set`.
fn compute_changes(situation: &Situation<'_>, line: &Line, seen: &mut Vec<SeenEdit>) {
    let written = OnceCell::new();
    let text = |path: &AbsolutePath| {
        match situation.world.read(path, MOST_BYTES).ok().flatten() {
            Some(bytes) => String::from_utf8(bytes).ok(),
            // The session may have written it just before.
            None => written.get_or_init(|| situation.session_texts()).get(path)?.text.clone(),
        }
    };
    let mut compute = |path: AbsolutePath, command: usize| {
        // An earlier command of the line may have changed it already.
        let before = seen.iter().rev().find_map(|edit| match &edit.change {
            Some(Change::Write { content }) if edit.path == path => Some(content.clone()),
            _ => None,
        });
        let Some(before) = before.or_else(|| text(&path)) else { return };
        let Some(content) = computed::changed_text(line, command, &path, &before) else { return };
        let change = Some(Change::Write { content });
        match seen.iter_mut().find(|edit| edit.path == path && edit.change.is_none()) {
            Some(edit) => edit.change = change,
            None => seen.push(SeenEdit { path, change, route: EditRoute::CommandLine }),
        }
    };
    for effect in &line.effects.files {
        let target = match &effect.act {
            _ if !computed::may_compute(line, effect.command) => continue,
            FileAct::Change | FileAct::Write(Content::Unknown) | FileAct::Anything => &effect.target,
            FileAct::Move { to } => to,
            _ => continue,
        };
        if let TargetPaths::Known(paths) = situation.locate(target) {
            paths.into_iter().for_each(|path| compute(path, effect.command));
        }
    }
    for (at, command) in line.script.commands.iter().enumerate() {
        let Some(name) = computed::implied_file(command) else { continue };
        if let TargetPaths::Known(paths) =
            situation.locate(&Target::new(&Word::literal(name), &command.directory))
        {
            paths.into_iter().for_each(|path| compute(path, at));
        }
    }
}

/// Where a target leads. After the call, a folder that is there may be what the call made of it: `cp -r a b` makes `b`, and
/// writes nothing to `b/a`.
fn written_paths(situation: &Situation<'_>, target: &Target) -> TargetPaths {
    let TargetPaths::Known(paths) = situation.locate(target) else { return situation.locate(target) };
    let has_run = matches!(situation.event.kind(), EventKind::AfterTool | EventKind::ToolFailed);
    if target.or_below.is_none() || !has_run {
        return TargetPaths::Known(paths);
    }
    let stat = |path: &AbsolutePath| situation.world.stat(path);
    let made = |path: AbsolutePath| {
        let folder = path.folder();
        let is_made = stat(&path).is_none() && stat(&folder).is_some_and(|stat| stat.is_folder);
        if is_made { folder } else { path }
    };
    TargetPaths::Known(paths.into_iter().map(made).collect())
}

/// The edits that one effect amounts to.
fn push_expected_edits(situation: &Situation<'_>, effect: &FileEffect, seen: &mut Vec<SeenEdit>) {
    let change = match &effect.act {
        FileAct::Write(content) => content.text().map(|text| Change::Write { content: text.to_owned() }),
        FileAct::Append(content) => content.text().map(|text| Change::Replace {
            old: String::new(),
            new: text.to_owned(),
            all: false,
        }),
        FileAct::Change => None,
        FileAct::Delete { .. } => Some(Change::Delete),
        FileAct::Move { to } => {
            let TargetPaths::Known(places) = written_paths(situation, to) else { return };
            let Some(place) = places.first() else { return };
            // A move is two edits: the file at its new place appears with a content that is not in the text.
            seen.push(SeenEdit { path: place.clone(), change: None, route: EditRoute::CommandLine });
            Some(Change::Move { to: place.to_string() })
        }
        FileAct::Read
        | FileAct::Link { .. }
        | FileAct::Attributes { .. }
        | FileAct::ApplyPatch
        | FileAct::Run
        | FileAct::Anything => return,
    };
    let TargetPaths::Known(paths) = written_paths(situation, &effect.target) else { return };
    for path in paths {
        seen.push(SeenEdit { path, change: change.clone(), route: EditRoute::CommandLine });
    }
}
