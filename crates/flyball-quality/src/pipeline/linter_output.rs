//! Turns what a linter printed into findings.

use std::collections::BTreeMap;

use flyball_core::path::AbsolutePath;
use flyball_core::workshop::{Ending, JobResult};

use super::base_tree::BaseTree;
use super::context::Context;
use super::failures::{Failure, error_excerpt};
use super::imports;
use super::paths::absolute;
use super::placeholders::file_argument;
use super::{excerpt, globs, unread};
use crate::finding::{Finding, Level};
use crate::linter::{Check, Linter, Output, Stream};
use crate::output::{self, RawFinding, RawOutput};
use crate::report::LARGEST_FILE;

/// How long a report may be.
const REPORT_BYTES: u64 = 64 * 1024 * 1024;

/// What a linter checked.
#[derive(Clone, Copy)]
pub(super) struct LinterRun<'q> {
    pub linter: &'q Linter,
    pub check: &'q Check,
    /// The folder it ran in.
    pub folder: &'q AbsolutePath,
    /// The files it checked, with their contents; none if it checked the project.
    pub files: &'q [(&'q AbsolutePath, &'q str)],
    /// Where it may have written its report.
    pub scratch: &'q str,
    /// It read the content from standard input, so the file name that it prints means nothing.
    pub stdin: bool,
    /// It ran in the project as it was, and names files in there.
    pub tree: Option<&'q BaseTree>,
}

/// What a linter checked, and the contents of the files by path: it may report thousands of findings in thousands of files.
struct Checked<'q> {
    run: LinterRun<'q>,
    contents: BTreeMap<&'q AbsolutePath, &'q str>,
}

impl<'q> Checked<'q> {
    fn new(run: LinterRun<'q>) -> Checked<'q> {
        Checked { run, contents: run.files.iter().copied().collect() }
    }
}

/// What it found, and why it failed if it did.
pub(super) struct LinterResult {
    pub findings: Vec<Finding>,
    pub failure: Option<Failure>,
    /// What it says about files that it cannot read.
    pub unread: Vec<Finding>,
}

/// The exit codes of a successful check.
fn ran_codes(check: &Check) -> &[i32] {
    if check.ran.is_empty() { &[0, 1] } else { &check.ran }
}

/// Reads the output of a linter. A run that failed never counts as clean.
pub(super) fn read(context: &Context<'_>, linter_run: LinterRun<'_>, ran: &JobResult) -> LinterResult {
    let check = linter_run.check;
    // The order is that of cause and effect: a crash explains missing output, not the reverse.
    let failure = Failure::from_run(ran, ran_codes(check)).or_else(|| reported_failure(check, ran));
    let (text, unwritten) = match report(context, linter_run) {
        Some(report) => (report.clone().unwrap_or_default(), report.is_none()),
        None => (stream(check.stream, ran), false),
    };
    let text = match linter_run.tree {
        Some(tree) => tree.rename(&text),
        None => text,
    };
    let masked = Masked::new(linter_run, &text);
    let checked = Checked::new(linter_run);
    let source = |name: &str| source(context, &checked, &masked.name(name));
    let printed = RawOutput { text: &masked.text, source: &source, root: context.root };
    let (raw, unreadable) = match output::read_findings(check, exit(ran, failure.is_some()), printed) {
        Ok(raw) => (raw, None),
        // Nothing to read: the other stream may say why.
        Err(why) if text.trim().is_empty() => (Vec::new(), Some(format!("{why}{}", error_excerpt(ran)))),
        Err(why) => (Vec::new(), Some(why.to_string())),
    };
    let unwritten = || unwritten.then(|| Failure::new(format!("wrote no report{}", error_excerpt(ran))));
    let cut = || ran.cut.then(|| Failure::new("printed too much"));
    let (findings, nameless) = findings(context, &checked, &masked, raw);
    let text_of = |file: &str| source(&context.root.join(file));
    let (findings, unread) = unread::take_out(check, findings, &text_of);
    let findings = imports::summarize(context, linter_run.linter, findings);
    let nameless = || nameless.then(|| Failure::new("its output does not name the file"));
    let unreadable =
        || unreadable.map(|why| Failure { said: excerpt::said(ran), ..Failure::new(masked.name(&why)) });
    let failure = failure.or_else(unwritten).or_else(cut).or_else(unreadable).or_else(nameless);
    LinterResult { findings, failure, unread }
}

/// The exit code that decides whether empty output is trusted. Of a run that failed, only what it printed counts.
fn exit(ran: &JobResult, failed: bool) -> i32 {
    match ran.ending {
        Ending::Exited(code) if !failed => code,
        _ => 0,
    }
}

/// The report that a linter wrote to a file; `None` if it is not one that does.
fn report(context: &Context<'_>, linter_run: LinterRun<'_>) -> Option<Option<String>> {
    let file = &linter_run.check.output_file;
    if file.is_empty() {
        return None;
    }
    let path = AbsolutePath::new(file.replace("{scratch}", linter_run.scratch));
    let content = path.and_then(|path| context.workshop.read(&path, REPORT_BYTES).ok().flatten());
    Some(content.and_then(|content| String::from_utf8(content).ok()))
}

/// The failure that a linter reports in its output, whatever its exit code.
fn reported_failure(check: &Check, ran: &JobResult) -> Option<Failure> {
    let pattern = (!check.failed.is_empty()).then(|| regex_lite::Regex::new(&check.failed))?;
    // A pattern that cannot be compiled must not turn failures into clean results.
    let Ok(pattern) = pattern else { return Some(Failure::new("invalid pattern in `failed`")) };
    let text = stream(Stream::Both, ran);
    let failure = || Failure::new(format!("reported a failure{}", error_excerpt(ran)));
    pattern.is_match(&text).then(|| Failure { said: excerpt::said(ran), ..failure() })
}

/// The findings of a built-in linter.
pub(super) fn builtin_findings(
    context: &Context<'_>,
    linter_run: LinterRun<'_>,
    raw: Vec<RawFinding>,
) -> Vec<Finding> {
    let checked = Checked::new(linter_run);
    findings(context, &checked, &Masked::new(linter_run, ""), raw).0
}

fn stream(stream: Stream, ran: &JobResult) -> String {
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    match stream {
        Stream::Stdout => text(&ran.stdout),
        Stream::Stderr => text(&ran.stderr),
        Stream::Both => text(&ran.stdout) + &text(&ran.stderr),
    }
}

/// The findings that are not ignored and not about other files; and whether one named no file though
/// several were checked.
fn findings(
    context: &Context<'_>,
    checked: &Checked<'_>,
    masked: &Masked,
    raw: Vec<RawFinding>,
) -> (Vec<Finding>, bool) {
    let mut nameless = false;
    let mut findings = Vec::new();
    for raw in raw {
        let path = match (checked.run.files, &raw.file) {
            ([(path, _)], None) => Some((*path).clone()),
            ([(path, _)], Some(_)) if checked.run.stdin => Some((*path).clone()),
            ([], None) => Some(context.root.to_owned()),
            (_, Some(name)) => find_checked_file(context, checked, &masked.name(name)),
            (_, None) => {
                nameless = true;
                None
            }
        };
        if let Some(path) = path {
            let message = masked.name(&raw.message);
            findings.extend(finding(context.root, checked.run.linter, &path, RawFinding { message, ..raw }));
        }
    }
    findings.sort_unstable();
    findings.dedup();
    (findings, nameless)
}

fn finding(root: &AbsolutePath, linter: &Linter, path: &AbsolutePath, raw: RawFinding) -> Option<Finding> {
    let entry = &linter.entry;
    let file = if path == root { ".".to_owned() } else { path.strip_folder(root).unwrap_or(path).to_owned() };
    let here = entry.ignore_in.iter().flatten().filter(|(glob, _)| globs::matches(glob, &file));
    let mut ignored = entry.ignore.iter().chain(here.map(|(_, codes)| codes)).flatten();
    if ignored.any(|pattern| covers(pattern, &raw.code)) {
        return None;
    }
    Some(Finding {
        file,
        line: raw.line,
        column: raw.column,
        end_line: raw.end_line.filter(|end| *end > raw.line),
        level: level(linter, &raw),
        code: raw.code,
        message: raw.message,
        linter: linter.name.clone(),
        fixable: raw.fixable,
        fix: raw.fix,
    })
}

fn level(linter: &Linter, raw: &RawFinding) -> Level {
    let entry = &linter.entry;
    entry.level_of(&raw.code).or(entry.level).or(raw.level).unwrap_or_default()
}

/// Whether a pattern of codes, which may end with `*`, matches this code.
fn covers(pattern: &str, code: &str) -> bool {
    pattern.strip_suffix('*').map_or(pattern == code, |start| code.starts_with(start))
}

/// The file that a linter names, if it was to check it; any file if it checked the project.
fn find_checked_file(context: &Context<'_>, checked: &Checked<'_>, name: &str) -> Option<AbsolutePath> {
    let path = absolute(checked.run.folder, name);
    if checked.contents.contains_key(&path) {
        return Some(path);
    }
    // Some linters print the real path of a file that they were given by a symbolic link.
    let real = context.workshop.real_path(checked.run.folder, name);
    (checked.contents.is_empty() || checked.contents.contains_key(&real)).then_some(real)
}

/// The content of a file that a linter names.
fn source(context: &Context<'_>, checked: &Checked<'_>, name: &str) -> Option<String> {
    let path = absolute(checked.run.folder, name);
    match (checked.contents.get(&path), checked.run.files) {
        (Some(content), _) => Some((*content).to_owned()),
        (None, [(_, content)]) if checked.run.stdin => Some((*content).to_owned()),
        _ => String::from_utf8(context.workshop.read(&path, LARGEST_FILE).ok().flatten()?).ok(),
    }
}

/// A text in which unusual file names are replaced by plain ones: a pattern that looks for the first
/// colon would take a part of the name for the line number.
struct Masked {
    text: String,
    names: Vec<(String, String)>,
}

impl Masked {
    fn new(linter_run: LinterRun<'_>, text: &str) -> Masked {
        let mut masked = Masked { text: text.to_owned(), names: Vec::new() };
        if !matches!(linter_run.check.output, Output::Lines(_) | Output::Drawn) {
            return masked;
        }
        for (at, (path, _)) in linter_run.files.iter().enumerate() {
            let name = file_argument(linter_run.folder, path);
            if name.chars().all(|letter| letter.is_alphanumeric() || "/._- ".contains(letter)) {
                continue;
            }
            let plain = format!("flyball-file-{at}-");
            // The absolute path first: the relative name is a part of it.
            masked.text = masked.text.replace(path.as_str(), &plain).replace(&name, &plain);
            masked.names.push((plain, name));
        }
        masked
    }

    /// The text with the original names restored.
    fn name(&self, text: &str) -> String {
        self.names.iter().fold(text.to_owned(), |text, (plain, name)| text.replace(plain, name))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_ignored_by_name_or_start() {
        assert!(covers("E501", "E501"));
        assert!(!covers("E50", "E501"));
        assert!(covers("E5*", "E501"));
        assert!(covers("*", "anything"));
    }
}
