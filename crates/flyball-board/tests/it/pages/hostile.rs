//! Text from agents reaches a page escaped, cut and without control characters.

use flyball_board::ViewSource;
use flyball_board::explanation::Explanation;
use flyball_board::view::{FindingView, LoopView, PolicyView, SnapshotView, TaskView, WaitingView};
use flyball_core::event::SessionId;
use flyball_core::record::Record;
use flyball_store::SessionSummary;

use crate::pages::sample::{Home, denied};

const HOSTILE: &str = "<script>alert(1)</script>\"'&\u{202e}\u{7}\x1b[31m<img src=x onerror=1>";

/// Views whose every text is hostile.
struct HostileViews;

impl ViewSource for HostileViews {
    fn waiting(&self, _session: &SessionSummary) -> Option<WaitingView> {
        Some(WaitingView { on_person: true, what: long() })
    }

    fn loop_view(&self, _session: &SessionSummary) -> Option<LoopView> {
        let domain = flyball_board::view::DomainView {
            name: long(),
            files: vec![long()],
            phases: vec![flyball_board::view::PhaseView {
                name: long(),
                status: long(),
                issues: vec![long()],
                by: Some(long()),
                at: None,
            }],
        };
        Some(LoopView {
            line: long(),
            standing: long(),
            iteration: 1,
            of: 2,
            domains: vec![domain],
            escalation: Some(long()),
            history: Vec::new(),
        })
    }

    fn findings(&self, _session: &SessionSummary) -> Vec<FindingView> {
        Vec::new()
    }

    fn snapshots(&self, _: &SessionSummary) -> Vec<SnapshotView> {
        Vec::new()
    }

    fn tasks(&self, _project: &str) -> Vec<TaskView> {
        let task = TaskView {
            title: long(),
            plan: long(),
            status: long(),
            paused: Some(long()),
            done: 7,
            phases: 3,
            current: Some(long()),
            session: Some(long()),
        };
        vec![task]
    }

    fn policies(&self, _project: Option<&str>) -> Vec<PolicyView> {
        vec![PolicyView {
            id: HOSTILE.to_owned(),
            summary: long(),
            mode: long(),
            origin: long(),
            page: format!("# {HOSTILE}\n\n`{HOSTILE}`"),
        }]
    }

    fn rule_names(&self, _ruling: &flyball_core::record::RecordedRuling) -> Vec<String> {
        Vec::new()
    }

    fn explanation(&self, record: Record) -> Explanation {
        Explanation { record, meaning: long(), policies: Vec::new(), changes: Vec::new(), next: Vec::new() }
    }
}

/// Ten kilobytes of it.
fn long() -> String {
    HOSTILE.repeat(10_240 / HOSTILE.len() + 1)
}

fn home() -> Home {
    let mut record = denied(1, 2, &long(), &long());
    record.session = SessionId::new(HOSTILE);
    record.project = format!("/home/{HOSTILE}");
    record.rulings[0].policy = HOSTILE.to_owned();
    Home::with(&[record])
}

#[test]
fn hostile_text_is_escaped_and_cut_on_every_page() {
    let home = home();
    for address in ["/", "/?range=all", "/policies", "/tasks"] {
        let page = home.framed(address, &HostileViews);
        assert!(page.contains("&lt;script&gt;"), "{address} shows nothing of it");
        // The value of a choice is the very text, or it would choose something else; it is not shown.
        let shown: String = page
            .split(" value=\"")
            .enumerate()
            .map(
                |(number, piece)| {
                    if number == 0 { piece } else { piece.split_once('"').map_or("", |(_, rest)| rest) }
                },
            )
            .collect();
        for bad in ["<script>", "<img", "\u{202e}", "\u{7}", "\x1b"] {
            assert!(!shown.contains(bad), "{bad:?} on {address}");
        }
        assert!(page.len() < 60_000, "{address} has {} bytes", page.len());
    }
}

#[test]
fn a_hostile_id_of_a_policy_leads_to_its_page() {
    let home = home();
    let address = home.page_link("/policies", "/policies/");
    let page = home.framed(&address, &HostileViews);
    assert!(page.contains("Latest decisions"), "{page}");
    assert!(!page.contains("<img") && !page.contains("<script>"), "{page}");
}

#[test]
fn hostile_values_of_an_address_are_escaped() {
    let page = home()
        .framed("/?project=%22%3E%3Cscript%3Ealert(1)%3C%2Fscript%3E&range=%22%3E%3Cb%3E", &HostileViews);
    assert!(!page.contains("<script>") && !page.contains("<b>"), "{page}");
}

impl Home {
    /// The first address on a page that starts like this.
    fn page_link(&self, address: &str, start: &str) -> String {
        let page = self.framed(address, &HostileViews);
        let (_, rest) = page.split_once(&format!("href=\"{start}")).unwrap();
        format!("{start}{}", rest.split('"').next().unwrap())
    }
}
