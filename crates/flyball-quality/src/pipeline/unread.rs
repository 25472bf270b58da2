//! Files that a linter cannot read: its syntax is newer than the linter, or it is not what its name says. That is neither a
//! finding nor a clean file. What the linter read before the change is broken by the change, which is a finding.

use regex_lite::Regex;

use super::context::Context;
use super::globs;
use super::select::{Target, Unread};
use crate::finding::{Finding, Level};
use crate::linter::{Check, NotRead};

/// Separates what a linter says about files that it cannot read, and its findings in the others.
pub(super) fn take_out(
    check: &Check,
    findings: Vec<Finding>,
    text_of: &dyn Fn(&str) -> Option<String>,
) -> (Vec<Finding>, Vec<Finding>) {
    let rules: Vec<Rule<'_>> = check.unreadable.iter().filter_map(Rule::new).collect();
    let says_so = |finding: &Finding| rules.iter().any(|rule| rule.is_about(finding, text_of));
    let (unread, rest): (Vec<Finding>, Vec<Finding>) = findings.into_iter().partition(says_so);
    // What it took the rest of such a file for means nothing either.
    let is_read = |finding: &Finding| !unread.iter().any(|it| it.file == finding.file);
    let rest = rest.into_iter().filter(is_read).collect();
    (rest, unread)
}

/// Makes findings of what linters say about files that they read before the change.
pub(super) fn settle(target: &mut Target<'_>) {
    let was_read = |unread: &Unread<'_>, target: &Target<'_>| {
        target.by_linter.iter().any(|found| found.linter == unread.linter.name && found.before.is_some())
    };
    let all = std::mem::take(&mut target.unread_by);
    let (broken, unread): (Vec<Unread<'_>>, Vec<Unread<'_>>) =
        all.into_iter().partition(|it| was_read(it, target));
    target.unread_by = unread;
    for Unread { linter, findings } in broken {
        let findings = findings.into_iter().map(|finding| Finding { level: Level::Error, ..finding });
        target.found_by(&linter.name).findings.extend(findings);
        target.add_linter_run(&linter.name);
    }
}

/// Reports the files that linters cannot read, unless another linter reports an error there, which is the cause.
pub(super) fn report(context: &mut Context<'_>, targets: &[Target<'_>]) {
    for target in targets {
        let has_error = target.findings.iter().any(|finding| finding.level == Level::Error);
        for unread in target.unread_by.iter().filter(|_| !has_error) {
            context.failures.unreadable(unread.linter, &target.file);
        }
    }
}

/// A pattern for the code and the message of a finding.
pub(super) fn pattern(text: &str) -> Option<Regex> {
    Regex::new(text).ok().filter(|_| !text.is_empty())
}

/// What such a pattern is matched with.
pub(super) fn described(finding: &Finding) -> String {
    format!("{} {}", finding.code, finding.message)
}

struct Rule<'c> {
    finding: Regex,
    text: Option<Regex>,
    files: &'c [String],
}

impl<'c> Rule<'c> {
    fn new(rule: &'c NotRead) -> Option<Rule<'c>> {
        Some(Rule { finding: pattern(&rule.finding)?, text: pattern(&rule.text), files: &rule.files })
    }

    fn is_about(&self, finding: &Finding, text_of: &dyn Fn(&str) -> Option<String>) -> bool {
        let is_of_text = |text: &Regex| text_of(&finding.file).is_some_and(|content| text.is_match(&content));
        (self.files.is_empty() || globs::any(self.files, &finding.file))
            && self.finding.is_match(&described(finding))
            && self.text.as_ref().is_none_or(is_of_text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn finding(file: &str, code: &str) -> Finding {
        Finding {
            file: file.to_owned(),
            line: 1,
            column: 0,
            end_line: None,
            code: code.to_owned(),
            message: "it is broken".to_owned(),
            linter: "x".to_owned(),
            level: Level::Error,
            fixable: false,
            fix: None,
        }
    }

    #[test]
    fn a_finding_counts_by_its_code_its_file_and_the_text_of_that() {
        let rule = NotRead {
            finding: "^syntax ".to_owned(),
            text: "[{][{]".to_owned(),
            files: vec!["*.yaml".to_owned()],
        };
        let check = Check { unreadable: vec![rule], ..Check::default() };
        let texts = |file: &str| Some(if file.starts_with("helm") { "{{ x }}" } else { "x" }.to_owned());
        let kept = vec![finding("a.yaml", "syntax"), finding("helm.txt", "syntax")];
        let mut all = kept.clone();
        all.extend([finding("helm.yaml", "braces"), finding("helm.yaml", "syntax")]);
        assert_eq!(take_out(&check, all, &texts), (kept, vec![finding("helm.yaml", "syntax")]));
    }
}
