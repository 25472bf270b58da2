//! Which linters check which file.

use std::collections::{BTreeMap, BTreeSet};

use flyball_core::path::{AbsolutePath, ProjectPath};

use super::applies::{applies_to_path, includes, is_excluded_by};
use super::context::Context;
use super::globs;
use super::paths::absolute;
use crate::finding::{Finding, Level};
use crate::linter::{Linter, Reach};
use crate::output::RawFinding;
use crate::report::{FileReport, FixReport, Formatted, LARGEST_FILE, SkipReason, SkippedFile};
use crate::scope::{Before, LinterFindings};

/// How long ago a change must be so that another one has another time, on any file system.
const SETTLED_MILLIS: u64 = 3_000;

/// A file that is checked.
#[derive(Clone)]
pub(super) struct Target<'a> {
    pub path: AbsolutePath,
    pub file: ProjectPath,
    /// What is on disk.
    pub content: String,
    /// The hash of that.
    pub hash: String,
    /// When the file was last changed, its number and its length before it was read, if that was some time before: as
    /// long as these are the same, so is the content.
    pub stamp: Option<(u64, u64, u64)>,
    /// What it was before, once that was looked up.
    pub base: Option<Before>,
    /// The linters that are for it.
    pub linters: Vec<&'a Linter>,
    /// What each of them found.
    pub by_linter: Vec<LinterFindings>,
    pub findings: Vec<Finding>,
    pub old: usize,
    /// What was changed in it, for people.
    pub changes: Vec<String>,
    /// Findings that will be fixed later.
    pub later: Vec<Finding>,
    pub format: Formatted,
    pub fix: Option<FixReport>,
    /// The linters that ran without failing.
    pub linters_run: Vec<String>,
    /// The linters that cannot read it.
    pub unread_by: Vec<Unread<'a>>,
    /// Whether a result was not cached.
    pub is_fresh: bool,
}

/// A linter that cannot read a file.
#[derive(Clone)]
pub(super) struct Unread<'a> {
    pub linter: &'a Linter,
    /// What it says.
    pub findings: Vec<Finding>,
}

impl Target<'_> {
    /// Records new content of the file on disk.
    pub(super) fn set_content(&mut self, context: &Context<'_>, content: String) {
        self.hash = context.workshop.hash(content.as_bytes()).as_str().to_owned();
        self.content = content;
        self.stamp = None;
    }

    /// Whether the file on disk still has the content that was checked.
    pub(super) fn is_current(&self, context: &Context<'_>) -> bool {
        let is_same = || self.stamp.is_some() && self.stamp == stamp(context, &self.path);
        is_same() || read_text(context, &self.path).is_some_and(|text| text == self.content)
    }

    /// The content before, if that is known.
    pub(super) fn text_before(&self) -> Option<&str> {
        self.base.as_ref().and_then(Before::text)
    }

    /// What a linter found in it.
    pub(super) fn found_by(&mut self, linter: &str) -> &mut LinterFindings {
        let at = self.by_linter.iter().position(|found| found.linter == linter).unwrap_or_else(|| {
            let found = LinterFindings { linter: linter.to_owned(), ..LinterFindings::default() };
            self.by_linter.push(found);
            self.by_linter.len() - 1
        });
        #[expect(clippy::indexing_slicing, reason = "it was found or added")]
        &mut self.by_linter[at]
    }

    /// Records that a linter ran without failing.
    pub(super) fn add_linter_run(&mut self, linter: &str) {
        if !self.linters_run.iter().any(|name| name == linter) {
            self.linters_run.push(linter.to_owned());
        }
    }

    /// Adds what a formatter says about a file that it cannot parse.
    pub(super) fn add_parse_error(&mut self, linter: &Linter, raw: RawFinding) {
        let finding = Finding {
            file: self.file.to_string(),
            line: raw.line,
            column: raw.column,
            end_line: None,
            code: raw.code,
            message: raw.message,
            linter: linter.name.clone(),
            level: Level::Error,
            fixable: false,
            fix: None,
        };
        // A second run of the formatter says the same.
        if !self.findings.contains(&finding) {
            self.findings.push(finding);
            self.findings.sort_unstable();
        }
    }

    pub(super) fn into_report(self) -> FileReport {
        let order = |name: &String| self.linters.iter().position(|linter| linter.name == *name);
        let mut linters_run = self.linters_run;
        linters_run.sort_by_key(order);
        FileReport {
            file: self.file,
            format: self.format,
            findings: self.findings,
            old: self.old,
            changes: self.changes,
            later: self.later,
            fix: self.fix,
            cached: !self.is_fresh && !linters_run.is_empty(),
            linters: linters_run,
        }
    }
}

/// The requested files that a linter applies to, and those among them that cannot be checked.
pub(super) fn targets<'a>(context: &mut Context<'a>) -> (Vec<Target<'a>>, Vec<SkippedFile>) {
    let mut seen = BTreeSet::new();
    let mut skipped = Vec::new();
    let mut of_files = LintersOfFiles::new(&context.settings.linters);
    let paths = context.request.files.iter().filter(|path| seen.insert(*path));
    let targets = paths.filter_map(|path| target(context, path, (&mut of_files, &mut skipped))).collect();
    (targets, skipped)
}

/// Which linters are for which files by their globs. Most globs are about the ends of names, of which there are few.
struct LintersOfFiles<'a> {
    /// With their places in the settings.
    by_end: Vec<(usize, &'a Linter)>,
    by_path: Vec<(usize, &'a Linter)>,
    known: BTreeMap<String, Vec<(usize, &'a Linter)>>,
}

impl<'a> LintersOfFiles<'a> {
    fn new(linters: &'a [Linter]) -> LintersOfFiles<'a> {
        let of_file = |(_, linter): &(usize, &Linter)| linter.entry.reach.unwrap_or_default() == Reach::File;
        let is_by_end = |(_, linter): &(usize, &Linter)| {
            linter.entry.files.iter().flatten().all(|glob| globs::is_of_ends(glob))
        };
        let (by_end, by_path) = linters.iter().enumerate().filter(of_file).partition(is_by_end);
        LintersOfFiles { by_end, by_path, known: BTreeMap::new() }
    }

    /// Those for a file, in the order of the settings.
    fn find(&mut self, file: &str) -> Vec<&'a Linter> {
        let name = file.rsplit('/').next().unwrap_or(file);
        // From its first dot on: `.test.ts`.
        let end = name.find('.').and_then(|at| name.get(at..)).unwrap_or_default();
        if !self.known.contains_key(end) {
            let all = self.by_end.iter().filter(|(_, linter)| includes(linter, name)).copied();
            self.known.insert(end.to_owned(), all.collect());
        }
        let by_path = self.by_path.iter().filter(|(_, linter)| includes(linter, file));
        let mut found: Vec<(usize, &'a Linter)> =
            self.known.get(end).into_iter().flatten().chain(by_path).copied().collect();
        found.sort_unstable_by_key(|(at, _)| *at);
        found.into_iter().map(|(_, linter)| linter).collect()
    }
}

fn target<'a>(
    context: &mut Context<'a>,
    path: &AbsolutePath,
    (of_files, skipped): (&mut LintersOfFiles<'a>, &mut Vec<SkippedFile>),
) -> Option<Target<'a>> {
    // A path that was never cleaned must not lead out of the project.
    let path = absolute(&AbsolutePath::default(), path);
    let file = path.below(context.root)?;
    let settings = context.settings;
    let mut linters = of_files.find(&file);
    linters.retain(|linter| !is_excluded_by(linter, &file, settings));
    if linters.is_empty() || globs::any(&settings.exclude, &file) {
        return None;
    }
    let linters: Vec<&'a Linter> =
        linters.into_iter().filter(|linter| context.acts_on(linter, &path)).collect();
    // Checked before the file is read, which costs more.
    if linters.is_empty() {
        return None;
    }
    let stamp = stamp(context, &path);
    let content = match read(context, &path) {
        Ok(content) => content?,
        Err(why) => {
            skipped.push(SkippedFile { file: file.to_string(), why });
            return None;
        }
    };
    let linters: Vec<&'a Linter> = linters
        .into_iter()
        .filter(|linter| mentions_any(&content, linter.entry.mentions.as_deref()))
        .collect();
    if linters.is_empty() {
        return None;
    }
    let mut target = Target {
        file,
        path,
        content: String::new(),
        hash: String::new(),
        stamp: None,
        base: None,
        linters,
        by_linter: Vec::new(),
        findings: Vec::new(),
        old: 0,
        changes: Vec::new(),
        later: Vec::new(),
        format: Formatted::Already,
        fix: None,
        linters_run: Vec::new(),
        unread_by: Vec::new(),
        is_fresh: false,
    };
    target.set_content(context, content);
    target.stamp = stamp;
    Some(target)
}

/// What changes with the content of a file. `None` if it was changed so recently that another change may have the same
/// time.
fn stamp(context: &Context<'_>, path: &AbsolutePath) -> Option<(u64, u64, u64)> {
    let stat = context.workshop.stat(path)?;
    let is_settled = stat.changed.as_millis() + SETTLED_MILLIS < context.workshop.now().as_millis();
    is_settled.then_some((stat.changed_nanos, stat.inode, stat.bytes))
}

/// Whether a text contains one of these, if it has to.
fn mentions_any(content: &str, mentions: Option<&[String]>) -> bool {
    mentions.is_none_or(|mentions| mentions.iter().any(|text| content.contains(text.as_str())))
}

/// The text of a file; `None` if it is not text, too long, or gone.
pub(super) fn read_text(context: &Context<'_>, path: &AbsolutePath) -> Option<String> {
    read(context, path).ok().flatten()
}

/// The text of a file; `None` if it is gone or binary. Or why a text cannot be checked.
fn read(context: &Context<'_>, path: &AbsolutePath) -> Result<Option<String>, SkipReason> {
    let content = match context.workshop.read(path, LARGEST_FILE) {
        Ok(Some(content)) => content,
        Ok(None) => {
            let is_large =
                context.workshop.stat(path).is_some_and(|stat| !stat.is_folder && stat.bytes > LARGEST_FILE);
            return if is_large { Err(SkipReason::TooLarge) } else { Ok(None) };
        }
        Err(_) => return Err(SkipReason::Unreadable),
    };
    match String::from_utf8(content) {
        // Valid UTF-8 with a zero byte is binary all the same.
        Ok(text) => Ok(Some(text).filter(|text| !text.contains('\0'))),
        Err(error) => {
            let bytes = error.as_bytes();
            let is_utf16 = bytes.starts_with(&[0xff, 0xfe]) || bytes.starts_with(&[0xfe, 0xff]);
            if is_utf16 || !bytes.contains(&0) { Err(SkipReason::NotUtf8) } else { Ok(None) }
        }
    }
}

/// Whether a linter is for a file.
pub(super) fn applies_to<'a>(context: &mut Context<'a>, linter: &'a Linter, file: &str) -> bool {
    applies_to_path(linter, file, context.settings) && context.acts_on(linter, &context.root.join(file))
}
