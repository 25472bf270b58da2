//! The findings of linters in the files of a session that are not fixed yet.

use flyball_board::view::FindingView;
use flyball_core::record::Record;
use flyball_policies::quality::{self, OpenFinding, open_findings};

/// At most this many records are searched for the text of findings.
pub(super) const MOST_RECORDS: usize = 40;

/// The open findings, from the policy's memory and its recorded messages, the newest first.
pub(super) fn open(memory: &str, records: &[Record]) -> Vec<FindingView> {
    let rulings = records.iter().flat_map(|record| &record.rulings);
    let own = rulings.filter(|ruling| ruling.policy == quality::POLICY.id.as_str());
    let messages: Vec<&str> =
        own.flat_map(|ruling| &ruling.reasons).map(|reason| reason.what.as_str()).collect();
    open_findings(memory, &messages).into_iter().map(view).collect()
}

fn view(finding: OpenFinding) -> FindingView {
    FindingView {
        file: finding.file,
        line: finding.line,
        code: finding.code,
        message: finding.message,
        tool: finding.linter,
    }
}
