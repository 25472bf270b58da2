//! Reads the files of all layers, and explains why one cannot be read.

use std::fs::{File, Metadata};
use std::io::{self, Read as _};
use std::path::Path;

use flyball_core::config::{Layer, LayerText, Standing};

use super::files::{Accepted, ConfigFiles};
use super::pin::PinnedTexts;
use super::stamp::Stamp;

/// Longer files are not configs.
const LONGEST: u64 = 1 << 20;

/// The content of the files.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Layers {
    /// The texts that were read.
    pub(super) readable: Vec<LayerFile>,
    /// The files that exist and cannot be read, and why.
    pub(super) unreadable: Vec<Unreadable>,
    /// What was ignored, and why.
    pub warnings: Vec<String>,
    /// What the user should know before anything else.
    pub(super) notices: Vec<String>,
    /// The texts that are in force.
    pub(super) in_force: PinnedTexts,
    /// Whether a person trusts the project.
    pub(super) is_project_trusted: bool,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct LayerFile {
    pub(super) layer: Layer,
    pub(super) standing: Standing,
    pub(super) shown: String,
    pub(super) text: String,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Unreadable {
    pub(super) layer: Layer,
    pub(super) shown: String,
    pub(super) why: String,
    pub(super) persistence: Persistence,
}

/// Whether a failure to read comes again as long as the file is the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Persistence {
    UntilChanged,
    Perhaps,
}

impl Layers {
    #[must_use]
    pub fn read(files: &ConfigFiles) -> Layers {
        let mut layers = Layers::default();
        for layer in Layer::ALL.iter().copied() {
            if let Some(path) = files.path(layer) {
                let (stamp, metadata) = Stamp::read(path);
                layers.add(layer, files, (stamp, metadata.as_ref()));
            }
        }
        layers.settle(files);
        layers.add_outer(files);
        layers
    }

    /// Reads the files above the project's.
    pub(super) fn add_outer(&mut self, files: &ConfigFiles) {
        // Where a person named the file, nothing else counts.
        let outer = files.outer.iter().filter(|_| files.accepted != Accepted::All);
        for path in outer {
            let shown = path.to_string_lossy().into_owned();
            match read(path, Stamp::read(path).1.as_ref()) {
                Ok(text) => self.readable.push(LayerFile {
                    layer: Layer::Project,
                    standing: Standing::Proposed,
                    shown,
                    text,
                }),
                Err((why, _)) => self.notices.push(format!("{shown}: {why}; nothing of it is in force")),
            }
        }
    }

    /// Reads the file of one layer, which was seen to have this stamp.
    pub(super) fn add(&mut self, layer: Layer, files: &ConfigFiles, seen: (Stamp, Option<&Metadata>)) {
        let (Some(path), shown) = (files.path(layer), files.display_path(layer)) else { return };
        if seen.0 == Stamp::Absent {
            return;
        }
        // It can lock what the others set: if an agent could write it, it could lock guards as off.
        if layer == Layer::Managed && seen.1.is_some_and(|metadata| !is_trusted(path, metadata)) {
            let why = "it must be owned by root and writable only by root";
            return self.warnings.push(format!("{shown}: the file is ignored: {why}"));
        }
        match read(path, seen.1) {
            Ok(text) => self.readable.push(LayerFile { layer, standing: Standing::Accepted, shown, text }),
            Err((why, lasts)) => self.unreadable.push(Unreadable { layer, shown, why, persistence: lasts }),
        }
    }

    /// The texts, as core compiles them.
    #[must_use]
    pub fn texts(&self) -> Vec<LayerText<'_>> {
        self.readable.iter().map(LayerFile::as_text).collect()
    }

    /// The files that cannot be read, each in one line.
    #[must_use]
    pub fn errors(&self) -> Vec<String> {
        self.unreadable.iter().map(Unreadable::one_line).collect()
    }
}

impl LayerFile {
    pub(super) fn as_text(&self) -> LayerText<'_> {
        LayerText { layer: self.layer, standing: self.standing, path: &self.shown, text: &self.text }
    }
}

impl Unreadable {
    pub(super) fn one_line(&self) -> String {
        format!("{}: {}", self.shown, self.why)
    }
}

fn read(path: &Path, metadata: Option<&Metadata>) -> Result<String, (String, Persistence)> {
    let until_changed = |why: &str| (why.to_owned(), Persistence::UntilChanged);
    let failed =
        |cause: &io::Error| (format!("the file cannot be read: {}", describe(cause)), Persistence::Perhaps);
    match metadata {
        Some(metadata) if metadata.is_dir() => return Err(until_changed("this is a folder, not a file")),
        // Opening a pipe would wait for someone to write.
        Some(metadata) if !metadata.is_file() => return Err(until_changed("this is not a regular file")),
        // Without metadata the file cannot be examined; opening it gives the error to show.
        Some(_) | None => {}
    }
    let mut bytes = Vec::new();
    let file = File::open(path).map_err(|cause| failed(&cause))?;
    // One byte more than allowed shows that a file is too long, also if it is just growing.
    file.take(LONGEST + 1).read_to_end(&mut bytes).map_err(|cause| failed(&cause))?;
    if bytes.len() as u64 > LONGEST {
        return Err(until_changed("the file is longer than 1 MB"));
    }
    String::from_utf8(bytes).map_err(|cause| {
        let valid = cause.utf8_error().valid_up_to();
        let before = cause.as_bytes().get(..valid).unwrap_or_default();
        let line = before.iter().filter(|byte| **byte == b'\n').count() + 1;
        until_changed(&format!("line {line} is not UTF-8 text"))
    })
}

fn describe(cause: &io::Error) -> String {
    match cause.kind() {
        io::ErrorKind::PermissionDenied => "permission denied".to_owned(),
        _ => cause.to_string(),
    }
}

/// Whether only root can have written the file. Test builds take other files of their owner's.
fn is_trusted(path: &Path, metadata: &Metadata) -> bool {
    use flyball_system::MetadataExt as _;
    let is_pretended = cfg!(debug_assertions) && path != Path::new(super::files::MANAGED_FILE);
    let is_roots = metadata.uid() == 0 || is_pretended;
    let others_may_write = metadata.mode() & 0o022 != 0;
    is_roots && !others_may_write
}
