//! Which linters are for which file.

use std::collections::BTreeSet;

use super::bench::{Bench, MOST_BYTES};
use super::words::{below, parent};
use super::{globs, told};
use crate::finding::Finding;
use crate::linter::{Linter, Reach};
use crate::report::{FileReport, FixStory, Formatted};
use crate::scope::Told;
use crate::settings::Settings;

/// A file that is looked at.
#[derive(Clone)]
pub(super) struct Target<'a> {
    pub path: String,
    /// Relative to the root.
    pub file: String,
    /// What is on disk.
    pub content: String,
    /// The hash of that.
    pub hash: String,
    /// What was there before, once it was looked up; `Some(None)` if nothing was.
    pub base: Option<Option<String>>,
    /// The linters that are for it.
    pub linters: Vec<&'a Linter>,
    /// What each of them told.
    pub told: Vec<Told>,
    pub findings: Vec<Finding>,
    pub old: usize,
    pub format: Formatted,
    pub fix: Option<FixStory>,
    /// The linters that did their work.
    pub looked: Vec<String>,
    /// Whether something had to be worked out.
    pub is_fresh: bool,
}

impl Target<'_> {
    /// What is on disk is this.
    pub(super) fn set_content(&mut self, bench: &Bench<'_>, content: String) {
        self.hash = bench.shop.hash(content.as_bytes()).as_str().to_owned();
        self.content = content;
    }

    /// A linter did its work here.
    pub(super) fn note(&mut self, linter: &str) {
        if !self.looked.iter().any(|name| name == linter) {
            self.looked.push(linter.to_owned());
        }
    }

    pub(super) fn into_report(self) -> FileReport {
        let order = |name: &String| self.linters.iter().position(|linter| linter.name == *name);
        let mut looked = self.looked;
        looked.sort_by_key(order);
        FileReport {
            file: self.file,
            format: self.format,
            findings: self.findings,
            old: self.old,
            fix: self.fix,
            cached: !self.is_fresh && !looked.is_empty(),
            linters: looked,
        }
    }
}

/// The files of the order that a linter is for.
pub(super) fn targets<'a>(bench: &mut Bench<'a>) -> Vec<Target<'a>> {
    let mut seen = BTreeSet::new();
    let paths = bench.order.files.iter().filter(|path| seen.insert(*path));
    paths.filter_map(|path| target(bench, path)).collect()
}

fn target<'a>(bench: &mut Bench<'a>, path: &str) -> Option<Target<'a>> {
    // A path that was never cleaned must not lead out of the project.
    let path = told::absolute("", path);
    let file = below(bench.root, &path)?;
    let settings = bench.settings;
    let of_file = |linter: &&&Linter| linter.entry.reach.unwrap_or_default() == Reach::File;
    let linters = settings.linters.iter().filter(|linter| of_file(&linter));
    let linters: Vec<&'a Linter> = linters.filter(|linter| is_for(bench, linter, file)).collect();
    if linters.is_empty() {
        return None;
    }
    let content = text(bench, &path)?;
    let linters: Vec<&'a Linter> =
        linters.into_iter().filter(|linter| speaks_of(&content, linter.entry.mentions.as_deref())).collect();
    if linters.is_empty() {
        return None;
    }
    let mut target = Target {
        file: file.to_owned(),
        path: path.clone(),
        content: String::new(),
        hash: String::new(),
        base: None,
        linters,
        told: Vec::new(),
        findings: Vec::new(),
        old: 0,
        format: Formatted::Already,
        fix: None,
        looked: Vec::new(),
        is_fresh: false,
    };
    target.set_content(bench, content);
    Some(target)
}

/// Whether a text holds one of these, if it has to.
fn speaks_of(content: &str, mentions: Option<&[String]>) -> bool {
    mentions.is_none_or(|mentions| mentions.iter().any(|text| content.contains(text.as_str())))
}

/// The text of a file; `None` for what is no text, too long, or gone.
pub(super) fn text(bench: &Bench<'_>, path: &str) -> Option<String> {
    let content = bench.shop.read(path, MOST_BYTES).ok().flatten()?;
    String::from_utf8(content).ok().filter(|text| !text.contains('\0'))
}

/// Whether a linter is for a file by its path below the root: nothing is looked at.
#[must_use]
pub fn is_meant(linter: &Linter, file: &str, settings: &Settings) -> bool {
    let wanted = linter.entry.files.as_deref().unwrap_or_default();
    globs::any(wanted, file) && !is_excluded(linter, file, settings)
}

/// Whether a linter is to say nothing about a file, whatever else it looks at.
pub(super) fn is_excluded(linter: &Linter, file: &str, settings: &Settings) -> bool {
    let entry = &linter.entry;
    let is_spared = || entry.security == Some(true) && globs::any(&settings.security_exclude, file);
    globs::any(entry.exclude.as_deref().unwrap_or_default(), file)
        || globs::any(&settings.exclude, file)
        || is_spared()
}

/// Whether a linter is for a file.
pub(super) fn is_for(bench: &mut Bench<'_>, linter: &Linter, file: &str) -> bool {
    if !is_meant(linter, file, bench.settings) {
        return false;
    }
    let entry = &linter.entry;
    let path = format!("{}/{file}", bench.root);
    let folder = parent(&path);
    let mut near = |names: &[String]| bench.traces.is_near(bench.shop, names, folder);
    entry.needs.as_deref().is_none_or(&mut near) && !entry.unless.as_deref().is_some_and(near)
}
