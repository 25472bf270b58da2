//! Leaves out what was there before.

mod lines;
mod matching;

use std::collections::BTreeMap;

use self::lines::replaced_lines;
pub(crate) use self::lines::{changed_lines, plain_line_ends};
use self::matching::Known;
use crate::finding::{Finding, Level};
use crate::settings::Scope;

/// What a file is compared with.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Base {
    /// With the last commit.
    #[default]
    Head,
    Commit(String),
    /// With what is staged for the next commit, to check what is not staged.
    Index,
}

impl Base {
    /// How git names a file, relative to the folder that git runs in; `None` for an invalid commit.
    pub(crate) fn object(&self, file: &str) -> Option<String> {
        // `./` makes git look from its folder instead of from the root of the repository.
        let commit = if *self == Base::Index { "" } else { self.commit()? };
        Some(format!("{commit}:./{file}"))
    }
}

impl Base {
    /// The commit, as git names it; `None` if it is none or invalid.
    pub(crate) fn commit(&self) -> Option<&str> {
        match self {
            Base::Head => Some("HEAD"),
            // git would read it as an option.
            Base::Commit(commit) if commit.is_empty() || commit.starts_with('-') => None,
            Base::Commit(commit) => Some(commit),
            Base::Index => None,
        }
    }

    /// How git is asked for the names of all files then, and of those that differ now, relative to the folder that it runs in,
    /// each ended by a zero; `None` for an invalid commit.
    pub(crate) fn questions(&self) -> Option<(Vec<String>, Vec<String>)> {
        let words = |words: &[&str]| words.iter().map(|word| (*word).to_owned()).collect::<Vec<String>>();
        // Without external diff programs, which a repository's config could start.
        let diff = ["diff", "--name-only", "--relative", "--no-ext-diff", "--no-textconv", "-z"];
        if *self == Base::Index {
            return Some((words(&["ls-files", "-z"]), words(&diff)));
        }
        let commit = self.commit()?;
        let tree = words(&["ls-tree", "-r", "--name-only", "-z", commit]);
        Some((tree, words(&[&diff[..], &[commit, "--"]].concat())))
    }
}

/// What a file was before the change.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Before {
    Text(String),
    /// It was not there.
    New,
    /// Nobody can say: there is no repository, or git fails, or it was no text.
    Unknown,
}

impl Before {
    /// Its content, if that is known.
    #[must_use]
    pub fn text(&self) -> Option<&str> {
        match self {
            Before::Text(text) => Some(text),
            Before::New | Before::Unknown => None,
        }
    }

    /// The same with the line ends of another text: git may convert them.
    pub(crate) fn with_line_ends_of(self, other: &str) -> Before {
        match self {
            Before::Text(text) if other.contains("\r\n") && !text.contains("\r\n") => {
                Before::Text(text.replace('\n', "\r\n"))
            }
            Before::Text(text) if text.contains("\r\n") && !other.contains("\r\n") => {
                Before::Text(text.replace("\r\n", "\n"))
            }
            before => before,
        }
    }
}

/// What one linter found in one file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct LinterFindings {
    pub linter: String,
    /// What it finds in the file as it is.
    pub findings: Vec<Finding>,
    /// What it finds in the file as it was, if it could check that.
    pub before: Option<Vec<Finding>>,
}

/// The findings of a linter that it did not report before, wherever they moved: for a linter that looks at many files.
pub(crate) fn new_in_project(now: Vec<Finding>, before: &[Finding]) -> Vec<Finding> {
    let mut known: BTreeMap<&str, Known> = BTreeMap::new();
    for finding in before {
        known.entry(&finding.file).or_default().add(finding);
    }
    now.into_iter()
        .filter(|finding| !known.get_mut(finding.file.as_str()).is_some_and(|known| known.take(finding, "")))
        .collect()
}

/// Both states of a file.
#[derive(Clone, Copy)]
pub(crate) struct States<'s> {
    /// As it was; `None` if it is new, or nobody can say.
    pub before: Option<&'s str>,
    pub now: &'s str,
}

/// The findings that count, sorted by place, and how many were left out.
pub(crate) fn apply(scope: Scope, states: States<'_>, by_linter: &[LinterFindings]) -> (Vec<Finding>, usize) {
    let mut all: Vec<Finding> = by_linter.iter().flat_map(|found| found.findings.clone()).collect();
    let total = all.len();
    let mut unsure = Vec::new();
    if let (Scope::ChangedLines | Scope::New, Some(before)) = (scope, states.before) {
        let changed = changed_lines(before, states.now);
        let is_changed = |finding: &Finding| is_touched(&changed, finding);
        all = match scope {
            Scope::File => all,
            Scope::ChangedLines => all.into_iter().filter(is_changed).collect(),
            Scope::New => by_linter
                .iter()
                .flat_map(|found| new_findings(found, (before, states.now), &is_changed))
                .collect(),
        };
        if scope == Scope::New {
            let unknown = by_linter.iter().filter(|found| found.before.is_none());
            unsure = unknown.map(|found| not_in(&found.findings, &is_changed)).collect();
        }
    }
    let left_out = total - all.len() - unsure.iter().map(Vec::len).sum::<usize>();
    all.extend(unsure.iter().filter_map(|findings| may_be_older(findings)));
    all.sort_unstable();
    (all, left_out)
}

fn not_in(findings: &[Finding], is_changed: &dyn Fn(&Finding) -> bool) -> Vec<Finding> {
    findings.iter().filter(|finding| !is_changed(finding)).cloned().collect()
}

/// How many places are named of findings that may be older.
const NAMED: usize = 3;

/// One line of advice about findings of one linter of which nobody can say whether they are new.
pub(crate) fn may_be_older(findings: &[Finding]) -> Option<Finding> {
    let first = findings.first()?;
    let is_one_file = findings.iter().all(|finding| finding.file == first.file);
    let place = |finding: &Finding| match is_one_file {
        true => format!("line {} {}", finding.line, finding.code),
        false => format!("{}:{} {}", finding.file, finding.line, finding.code),
    };
    let mut places: Vec<String> = findings.iter().take(NAMED).map(place).collect();
    if findings.len() > NAMED {
        places.push("…".to_owned());
    }
    let counted = flyball_core::text::counted(findings.len(), "finding");
    Some(Finding {
        file: if is_one_file { first.file.clone() } else { ".".to_owned() },
        line: if is_one_file { first.line } else { 0 },
        column: 0,
        end_line: None,
        code: "unknown-age".to_owned(),
        message: format!(
            "{counted} may be older, because the project as it was could not be checked: {}",
            places.join(", ")
        ),
        linter: first.linter.clone(),
        level: Level::Advisory,
        fixable: false,
        fix: None,
    })
}

/// Those of one linter that were not there before. If it could not check the old content, those on changed lines.
fn new_findings(
    found: &LinterFindings,
    (before, now): (&str, &str),
    is_changed: &dyn Fn(&Finding) -> bool,
) -> Vec<Finding> {
    let Some(old) = &found.before else {
        return found.findings.iter().filter(|finding| is_changed(finding)).cloned().collect();
    };
    let mut known = Known::new(old, before);
    let findings = found.findings.iter();
    // Of two that look the same, the one on a line that did not change is the old one.
    let (changed, unchanged): (Vec<&Finding>, Vec<&Finding>) =
        findings.partition(|finding| is_changed(finding));
    let mut new: Vec<Finding> = Vec::new();
    for finding in unchanged.into_iter().chain(changed) {
        if !known.take(finding, now) {
            new.push(finding.clone());
        }
    }
    let replaced = replaced_lines(before, now);
    // A line that was edited keeps what it had before.
    new.retain(|finding| !known.take_near(finding, now, &replaced));
    new
}

/// Whether a finding is on a line that changed. What is about the whole file counts if anything did.
pub(crate) fn is_touched(changed: &[bool], finding: &Finding) -> bool {
    let Some(first) = finding.line.checked_sub(1) else { return changed.contains(&true) };
    let last = finding.end_line.unwrap_or(finding.line);
    let (first, last) = (first as usize, last as usize);
    // What is behind the last line, like a missing end, belongs to the last line.
    let first = first.min(changed.len().saturating_sub(1));
    let lines = changed.get(first..last.clamp(first, changed.len()).max(first + 1).min(changed.len()));
    lines.unwrap_or_default().contains(&true)
}

#[cfg(test)]
mod tests;
