//! Remembers what this session wrote into files, so that a later line that runs them is judged with their text: the
//! file may be on the disk only when the line runs.

use flyball_effects::{DeepReading, Directory, FileAct, Target, Word};

use crate::config::Payloads;
use crate::disk::WorldDisk;
use crate::error::PolicyError;
use crate::event::{Change, Tool};
use crate::facts::{SeenEdit, TargetPaths};
use crate::policy::Situation;
use crate::redact::redact;
use crate::session_texts::SessionTexts;
use crate::time::Time;

/// Where the session keeps them.
const KEY: &str = "session.texts";

impl Situation<'_> {
    /// Whether this session wrote anything that is remembered.
    pub(crate) fn wrote_texts(&self) -> bool {
        self.memory.has(KEY).unwrap_or(false)
    }

    /// What this session wrote. What cannot be read is not known: the disk still is.
    pub(crate) fn session_texts(&self) -> SessionTexts {
        if !self.wrote_texts() {
            return SessionTexts::default();
        }
        let stored = self.memory.read(KEY).ok().flatten();
        stored.and_then(|text| serde_json::from_str(&text).ok()).unwrap_or_default()
    }

    /// Remembers what this call writes into files, for the lines after it.
    ///
    /// # Errors
    /// When the store cannot be used.
    pub fn remember_texts(&self) -> Result<(), PolicyError> {
        let edits = self.edits()?;
        if edits.is_empty() {
            return Ok(());
        }
        let before = self.session_texts();
        let mut texts = before.clone();
        let now = self.world.now();
        for edit in edits {
            self.note(edit, now, &mut texts);
        }
        if self.payloads == Payloads::None {
            // Texts are parts of payloads. The names lead to the files, which are read when a line runs them.
            texts.drop_texts();
        } else {
            for (path, text) in self.computed_texts(edits, &before) {
                texts.set(&path, Some(text), now);
            }
        }
        if texts == before {
            return Ok(());
        }
        let text = serde_json::to_string(&texts)
            .map_err(|cause| PolicyError::Bug { what: format!("state of {KEY}: {cause}") })?;
        self.memory.write(KEY, redact(&text).into_owned())
    }

    fn note(&self, edit: &SeenEdit, now: Time, texts: &mut SessionTexts) {
        let known = || texts.get(&edit.path).and_then(|file| file.text.clone());
        match &edit.change {
            Some(Change::Write { content }) => texts.set(&edit.path, Some(content.clone()), now),
            // Text at the end.
            Some(Change::Replace { old, new, .. }) if old.is_empty() => {
                // What else is in the file is on the disk, and is not stored a second time.
                let before = known().or_else(|| self.world.stat(&edit.path).is_none().then(String::new));
                texts.set(&edit.path, before.map(|before| before + new), now);
            }
            Some(Change::Replace { old, new, all }) => {
                let before = known();
                let text =
                    before.map(|text| if *all { text.replace(old, new) } else { text.replacen(old, new, 1) });
                texts.set(&edit.path, text, now);
            }
            Some(Change::Move { to }) => {
                if let Some(file) = texts.forget(&edit.path) {
                    let to = self.world.real_path(&self.event.cwd, to);
                    texts.set(&to, file.text, now);
                }
            }
            Some(Change::Delete) => {
                texts.forget(&edit.path);
            }
            Some(Change::Cell { .. }) | None if texts.get(&edit.path).is_none() => {
                texts.set(&edit.path, None, now);
            }
            // A move was noted under its new name just before.
            Some(Change::Cell { .. }) | None => {}
        }
    }

    /// The texts that only a reading of other files shows: `cat a b > c`, `cp a b`.
    fn computed_texts(&self, edits: &[SeenEdit], before: &SessionTexts) -> Vec<(String, String)> {
        let is_unknown = |edit: &SeenEdit| matches!(edit.change, None | Some(Change::Move { .. }));
        let is_line = !matches!(self.event.call().map(|call| &call.tool), Some(Tool::Edit(_)));
        let Some(line) = self.effective_line().filter(|_| is_line && edits.iter().any(is_unknown)) else {
            return Vec::new();
        };
        // A line that writes what nobody can compute costs nothing more.
        let is_text = |index: usize| {
            let name = line.script.commands.get(index).and_then(|command| command.program_name());
            name.is_some_and(writes_text)
        };
        let writes = line.effects.files.iter().filter(|effect| effect.act != FileAct::Read);
        if !writes.into_iter().any(|effect| is_text(effect.command)) {
            return Vec::new();
        }
        // Without a text of the session, only what the line itself prints is known.
        let prints = |name: &str| matches!(name, "echo" | "printf" | "cat" | "tee");
        let mut names = line.script.commands.iter().filter_map(|command| command.program_name());
        if !before.has_texts() && !names.any(prints) {
            return Vec::new();
        }
        // What was computed without any file is the same without those of the disk.
        let written = match self.facts.deep.get().and_then(|deep| deep.written.clone()) {
            Some(written) => written,
            None => {
                let disk = WorldDisk::new(self.world, &self.event.cwd, before.clone()).session_only();
                DeepReading::read(&self.sh_text(), self.wrappers, &disk).written().to_vec()
            }
        };
        let mut found = Vec::new();
        for file in written {
            let word = Word::literal(file.path);
            let directory = meant(file.directory);
            if let TargetPaths::Known(paths) = self.locate(&Target::new(&word, &directory)) {
                found.extend(paths.into_iter().map(|path| (path.to_string(), file.text.clone())));
            }
        }
        found
    }
}

/// Behind a `cd` that may fail, the folder that it names.
fn meant(directory: Directory) -> Directory {
    match directory {
        Directory::OneOf(places) if places.len() > 1 => {
            Directory::OneOf(places.into_iter().filter(|place| place != ".").collect())
        }
        other => other,
    }
}

/// Programs whose output the reader of lines can compute.
fn writes_text(name: &str) -> bool {
    matches!(
        name,
        "echo"
            | "printf"
            | "cat"
            | "tee"
            | "head"
            | "tail"
            | "sed"
            | "tr"
            | "grep"
            | "sort"
            | "uniq"
            | "rev"
            | "base64"
            | "xxd"
            | "cp"
            | "mv"
            | "ln"
            | "install"
            | "dd"
            | ""
    )
}
