//! The open findings of a session, in the text that was shown.
//!
//! A session remembers fingerprints. The findings were shown to the agent, so they are read back from there, by the
//! form that [`super::messages`] gives them.

use flyball_core::text;
use flyball_quality::finding::FIX_MARK;

use super::fingerprint::{Fingerprint, fingerprint_parts};
use super::memory::Session;

/// A finding that is not fixed yet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OpenFinding {
    /// The file, from the project's root.
    pub file: String,
    /// The line, if it has one.
    pub line: Option<u32>,
    /// The linter's name of it; may be empty.
    pub code: String,
    pub message: String,
    /// The linter; empty for those that are only counted.
    pub linter: String,
}

/// How many findings are open in the memory of a session.
#[must_use]
pub fn open_count(memory: &str) -> usize {
    let session: Session = serde_json::from_str(memory).unwrap_or_default();
    session.files.values().map(|edited| edited.open.len()).sum()
}

/// The open findings, by the memory of a session and the texts that the agent was shown, the newest
/// first. Findings that were only counted there make one entry for each file.
#[must_use]
pub fn open_findings(memory: &str, shown: &[&str]) -> Vec<OpenFinding> {
    let session: Session = serde_json::from_str(memory).unwrap_or_default();
    let open = session.files.iter().filter(|(_, edited)| !edited.open.is_empty());
    open.flat_map(|(file, edited)| open_in_file(file, &edited.open, shown)).collect()
}

fn open_in_file(file: &str, open: &[Fingerprint], shown: &[&str]) -> Vec<OpenFinding> {
    let mut waiting = open.to_vec();
    let mut all: Vec<OpenFinding> = Vec::new();
    // A text has only what was new then, so what is open may be in older ones.
    for finding in shown.iter().flat_map(|text| parse_findings(text)).filter(|it| it.file == file) {
        if let Some(at) = waiting.iter().position(|print| *print == finding.fingerprint()) {
            waiting.remove(at);
            all.push(finding);
        }
    }
    all.sort_by_key(|finding| finding.line);
    let left = waiting.len();
    if left > 0 {
        let findings = text::plural(left, "finding", "findings");
        let more = if all.is_empty() { "" } else { "more " };
        let message = format!("{left} {more}{findings}: `flyball lint` shows them");
        let file = file.to_owned();
        all.push(OpenFinding { file, line: None, code: String::new(), message, linter: String::new() });
    }
    all
}

impl OpenFinding {
    fn fingerprint(&self) -> Fingerprint {
        fingerprint_parts(&self.file, (&self.linter, &self.code), &self.message)
    }
}

/// The findings in a text that was shown.
fn parse_findings(text: &str) -> Vec<OpenFinding> {
    let mut lines = text.lines();
    let mut file = lines.next().and_then(only_file).unwrap_or_default().to_owned();
    let mut found = Vec::new();
    for line in lines {
        match line.strip_prefix("  ") {
            Some(finding) => found.extend(parse_finding(finding, &file)),
            None => line.clone_into(&mut file),
        }
    }
    found
}

/// The file in `[flyball:error] 3 findings in src/app.py`; a number of files is followed by their names.
fn only_file(heading: &str) -> Option<&str> {
    let (_, rest) = heading.strip_prefix("[flyball:")?.split_once(" finding")?;
    rest.split_once(" in ").map(|(_, place)| place)
}

/// `12:5  F841  Local variable … (ruff, fixable)`.
fn parse_finding(line: &str, file: &str) -> Option<OpenFinding> {
    let (place, rest) = line.split_once("  ")?;
    let (code, rest) = rest.split_once("  ").unwrap_or(("", rest));
    // The last brackets: the message may have its own.
    let (message, by) = rest.strip_suffix(')')?.rsplit_once(" (")?;
    Some(OpenFinding {
        file: file.to_owned(),
        line: place.split(':').next().and_then(|line| line.parse().ok()),
        code: code.to_owned(),
        message: message.split(FIX_MARK).next().unwrap_or(message).to_owned(),
        linter: by.strip_suffix(", fixable").unwrap_or(by).to_owned(),
    })
}

#[cfg(test)]
mod tests {
    use flyball_quality::finding::{Finding, Level};

    use super::super::fingerprint::fingerprint;
    use super::super::memory::Edited;
    use super::super::messages::FindingsMessage;
    use super::*;

    fn found(file: &str, line: u32, message: &str) -> Finding {
        Finding {
            file: file.to_owned(),
            linter: "ruff".to_owned(),
            code: "F841".to_owned(),
            message: message.to_owned(),
            line,
            level: Level::Error,
            column: 0,
            end_line: None,
            fixable: true,
            fix: None,
        }
    }

    fn open(finding: &Finding) -> OpenFinding {
        OpenFinding {
            file: finding.file.clone(),
            line: Some(finding.line),
            code: finding.code.clone(),
            message: finding.message.clone(),
            linter: finding.linter.clone(),
        }
    }

    fn memory(findings: &[&Finding]) -> String {
        let mut session = Session::default();
        for finding in findings {
            let edited = session.files.entry(finding.file.clone()).or_insert_with(Edited::default);
            edited.open.push(fingerprint(finding));
        }
        serde_json::to_string(&session).unwrap()
    }

    #[test]
    fn shown_findings_are_read_back_and_fixed_ones_are_left_out() {
        let (one, two, three) = (
            found("a.py", 3, "`x` (local) is unused"),
            found("a.py", 9, "`y` is unused"),
            found("b c.py", 1, "bad"),
        );
        let shown = FindingsMessage { findings: vec![&one, &two, &three], shown: 9, verb: "in" }.text();
        let older = FindingsMessage { findings: vec![&two], shown: 9, verb: "in" }.text();
        let shown = format!("{shown}\nFix the code, not the rules.");
        let all = [shown.as_str(), older.as_str()];
        assert_eq!(
            open_findings(&memory(&[&one, &two, &three]), &all),
            [open(&one), open(&two), open(&three)]
        );
        assert_eq!(open_findings(&memory(&[&two]), &all), [open(&two)]);
        assert_eq!(open_findings(&memory(&[]), &all), []);
        assert_eq!(open_count(&memory(&[&one, &two, &three])), 3);
    }

    #[test]
    fn findings_that_were_only_counted_are_counted() {
        let (one, two) = (found("a.py", 3, "one"), found("a.py", 9, "two"));
        let shown = FindingsMessage { findings: vec![&one, &two], shown: 1, verb: "are left in" }.text();
        let counted = |message: &str| OpenFinding {
            file: "a.py".to_owned(),
            line: None,
            code: String::new(),
            message: message.to_owned(),
            linter: String::new(),
        };
        let more = counted("1 more finding: `flyball lint` shows them");
        assert_eq!(open_findings(&memory(&[&one, &two]), &[&shown]), [open(&one), more]);
        let none = counted("2 findings: `flyball lint` shows them");
        assert_eq!(open_findings(&memory(&[&one, &two]), &[]), [none]);
        assert_eq!(open_findings("not JSON", &[&shown]), []);
    }
}
