//! What was changed in a file, in words: never only that it was.

use crate::finding::Finding;
use crate::fixer::lines::count_changes;

/// A longer line is cut.
const LINE_CHARS: usize = 60;

/// ``reformatted by black (+2 −1)``.
pub(super) fn reformatted(by: &[String], before: &str, after: &str) -> String {
    format!("reformatted by {} ({})", by.join(" and "), counts(before, after))
}

/// ``removed `import json` (F401)`` for each finding that is gone with its line, ``fixed F841 in line 8`` for others.
pub(super) fn fixed(gone: &[Finding], before: &str, after: &str) -> Vec<String> {
    gone.iter().map(|finding| describe(finding, before, after)).collect()
}

/// ``a model fixed F841 in line 8 (+0 −1)``.
pub(super) fn fixed_by_model(gone: &[Finding], before: &str, after: &str) -> String {
    let fixed: Vec<String> =
        gone.iter().map(|finding| format!("{} in line {}", name(finding), finding.line)).collect();
    let what = if fixed.is_empty() { "changed it".to_owned() } else { format!("fixed {}", fixed.join(", ")) };
    format!("a model {what} ({})", counts(before, after))
}

fn counts(before: &str, after: &str) -> String {
    let changes = count_changes(before, after);
    format!("+{} \u{2212}{}", changes.added, changes.removed)
}

fn describe(finding: &Finding, before: &str, after: &str) -> String {
    let at = (finding.line as usize).checked_sub(1);
    let line = at.and_then(|at| before.lines().nth(at)).map(str::trim).filter(|line| !line.is_empty());
    let count = |text: &str, line: &str| text.lines().filter(|other| other.trim() == line).count();
    match line.filter(|line| count(after, line) < count(before, line)) {
        Some(line) if finding.end_line.is_none_or(|end| end == finding.line) && !is_kept(line, after) => {
            let line: String = line.chars().take(LINE_CHARS).collect();
            format!("removed `{line}` ({})", name(finding))
        }
        _ => format!("fixed {} in line {}", name(finding), finding.line),
    }
}

/// Whether the beginning of a line is still there: then it was changed, not removed.
fn is_kept(line: &str, after: &str) -> bool {
    let start: String = line.chars().take(line.chars().count() / 2).collect();
    !start.is_empty() && after.lines().any(|other| other.trim().starts_with(&start))
}

fn name(finding: &Finding) -> &str {
    if finding.code.is_empty() { &finding.linter } else { &finding.code }
}

/// The findings that are in the first list only, wherever they moved.
pub(super) fn gone(before: &[Finding], after: &[Finding]) -> Vec<Finding> {
    let mut left: Vec<&Finding> = after.iter().collect();
    let is_gone = |finding: &&Finding| {
        let same = left.iter().position(|other| {
            (&other.linter, &other.code, &other.message) == (&finding.linter, &finding.code, &finding.message)
        });
        same.map(|at| left.remove(at)).is_none()
    };
    before.iter().filter(is_gone).cloned().collect()
}
