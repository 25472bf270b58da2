//! What linters found in the files of a session, and was not mended yet.

use flyball_board::view::FindingView;
use flyball_core::record::Record;
use flyball_policies::quality::{self, OpenFinding, open_findings};

/// So many tellings are looked through for the words.
pub(super) const MOST_RECORDS: usize = 40;

/// The open findings, by what is remembered and what was said, the newest first.
pub(super) fn open(memory: &str, records: &[Record]) -> Vec<FindingView> {
    let rulings = records.iter().flat_map(|record| &record.rulings);
    let own = rulings.filter(|ruling| ruling.policy == quality::POLICY.id.as_str());
    let told: Vec<&str> = own.flat_map(|ruling| &ruling.reasons).map(|reason| reason.what.as_str()).collect();
    open_findings(memory, &told).into_iter().map(view).collect()
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
