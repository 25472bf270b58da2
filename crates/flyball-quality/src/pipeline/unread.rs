//! Files that a linter cannot read: its syntax is newer than the linter, or it is not what its name says. That is neither a
//! finding nor a clean file.

use regex_lite::Regex;

use super::context::Context;
use super::globs;
use super::select::Target;
use crate::finding::{Finding, Level};
use crate::linter::{Check, NotRead};

/// Separates the files that a linter cannot read, and its findings in the others.
pub(super) fn take_out(
    check: &Check,
    findings: Vec<Finding>,
    text_of: &dyn Fn(&str) -> Option<String>,
) -> (Vec<Finding>, Vec<String>) {
    let rules: Vec<Rule<'_>> = check.unreadable.iter().filter_map(Rule::new).collect();
    let says_so = |finding: &Finding| rules.iter().any(|rule| rule.is_about(finding, text_of));
    let unread = findings.iter().filter(|finding| says_so(finding)).map(|finding| finding.file.clone());
    let mut files: Vec<String> = unread.collect();
    files.sort_unstable();
    files.dedup();
    // What it took the rest of such a file for means nothing either.
    let rest = findings.into_iter().filter(|finding| !files.contains(&finding.file)).collect();
    (rest, files)
}

/// Reports the files that linters cannot read, unless another linter reports an error there, which is the cause.
pub(super) fn report(context: &mut Context<'_>, targets: &[Target<'_>]) {
    for target in targets {
        let has_error = target.findings.iter().any(|finding| finding.level == Level::Error);
        for linter in target.unread_by.iter().filter(|_| !has_error) {
            context.failures.unreadable(linter, &target.file);
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
        assert_eq!(take_out(&check, all, &texts), (kept, vec!["helm.yaml".to_owned()]));
    }
}
