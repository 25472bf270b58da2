//! The explanation, laid out for the terminal.

use flyball_board::explanation::{Explanation, PolicyExplained};
use flyball_core::config::Mode;
use flyball_core::record::RecordedRuling;
use flyball_core::verdict::Stance;
use jiff::Zoned;

use crate::project_context::tilde;
use crate::show::payload::{self, Extent};
use crate::show::record::{agent_name, kind_of, style_of, style_of_mode, style_of_outcome};
use crate::show::text::one_line;
use crate::show::{Cell, Fit, Page, Row, time};
use crate::terminal::Style;

/// The most lines of a payload that are shown.
const PAYLOAD_LINES: usize = 30;

/// What the page is made from.
pub(super) struct View<'a> {
    pub(super) explanation: &'a Explanation,
    /// How long the lines of a payload may be.
    pub(super) columns: usize,
    pub(super) now: Zoned,
}

impl View<'_> {
    pub(super) fn page(&self, full: bool) -> Page {
        let mut page = Page::default();
        self.add_head(&mut page);
        let mut changes = Page::default();
        for change in &self.explanation.changes {
            changes.paragraph("- ", format!("if {}: {}", one_line(&change.if_only), one_line(&change.then)));
            change.how.iter().for_each(|how| changes.paragraph("    how  ", one_line(how)));
        }
        let mut next = Page::default();
        self.explanation.next.iter().for_each(|step| next.paragraphs("- ", step));
        let sections = [
            ("Decision", self.decision()),
            ("Policies", self.policies()),
            ("What would change it", changes),
            ("Event", self.event(full)),
            ("What next", next),
        ];
        for (title, section) in sections.into_iter().filter(|(_, section)| !section.is_empty()) {
            page.title(title);
            page.indented(2, section);
        }
        page
    }

    fn add_head(&self, page: &mut Page) {
        let record = &self.explanation.record;
        let outcome = record.outcome();
        let outcome = style_of_outcome(outcome).text(outcome.name());
        let tool = record.tool.map(|tool| format!("  {}", tool.name())).unwrap_or_default();
        let head = Style::Accent.text(record.id.as_str()).and("  ").then(outcome);
        page.line(head.and(format!("  {}{tool}", kind_of(record))));
        if !record.subject.is_empty() {
            page.cut(one_line(&record.subject), "");
        }
        let native = if record.native.is_empty() { "nothing" } else { &record.native };
        let mut facts = vec![
            format!("{} ({} ago)", time::full(record.at, &self.now), time::ago(record.at, &self.now)),
            format!("{} calls it {native}", record.client),
            format!("session {}", record.session),
        ];
        facts.extend(record.agent.as_ref().map(|agent| format!("subagent {}", agent_name(&agent.role))));
        facts.push(format!("project {}", tilde(&record.project)));
        facts.iter().for_each(|fact| page.line(Style::Faint.text(one_line(fact))));
    }

    fn decision(&self) -> Page {
        let record = &self.explanation.record;
        let mut page = Page::default();
        page.line(format!("{}, in {}", self.explanation.meaning, time::took(record.took)));
        if !record.said.is_empty() {
            let is_ask = record.stance == Stance::Ask;
            page.line(if is_ask { "Question to the user:" } else { "Message to the agent:" });
            page.quote(&record.said);
        }
        if !record.notices.is_empty() {
            page.line("Notice to the user:");
            record.notices.iter().for_each(|notice| page.quote(notice));
        }
        if record.context_chars > 0 {
            page.line(format!("{} characters of context were added for the model", record.context_chars));
        }
        if record.rewritten {
            page.line("The call was rewritten");
        }
        if record.duplicate {
            page.line("The same call had arrived before: answered again, counted once");
        }
        page
    }

    fn policies(&self) -> Page {
        let rulings = self.explanation.record.rulings.iter();
        let detailed = rulings.map(|ruling| (ruling, self.details(ruling)));
        // A silent policy that only observes is shown: that it does not count is worth knowing.
        let (quiet, shown): (Vec<_>, Vec<_>) = detailed.partition(|(ruling, details)| {
            ruling.stance == Stance::Silent && ruling.mode == Mode::Enforce && details.is_empty()
        });
        let mut page = Page::default();
        if quiet.is_empty() && shown.is_empty() {
            page.line("No policy listens to this kind of event");
        }
        page.rows_with(Fit::Whole, shown.into_iter().map(|(ruling, details)| (ruling_row(ruling), details)));
        if !quiet.is_empty() {
            let names: Vec<&str> = quiet.iter().map(|(ruling, _)| ruling.policy.as_str()).collect();
            let took = time::took(quiet.iter().map(|(ruling, _)| ruling.took).sum());
            page.paragraph("silent: ", format!("{}; together they took {took}", names.join(", ")));
        }
        page
    }

    fn details(&self, ruling: &RecordedRuling) -> Page {
        let mut page = Page::default();
        for reason in &ruling.reasons {
            for (name, text) in [("what", &reason.what), ("why", &reason.why), ("instead", &reason.instead)] {
                add_detail(&mut page, name, text);
            }
        }
        for seen in &ruling.evidence {
            add_detail(&mut page, "seen", &one_line(&format!("{}: {}", seen.name, seen.value)));
        }
        add_detail(&mut page, "error", &one_line(ruling.error.as_deref().unwrap_or_default()));
        if ruling.skipped {
            add_detail(&mut page, "skipped", "by FLYBALL_SKIP in the client's environment");
        }
        let now = self.explanation.policies.iter().find(|now| now.policy == ruling.policy);
        if let Some(now) = now.filter(|now| !page.is_empty() || now.mode_now != ruling.mode.name()) {
            let mode = format!("the mode is {} ({})", now.mode_now, now.mode_origin);
            add_detail(&mut page, "now", &one_line(&mode));
            add_origins(&mut page, now);
        }
        page
    }

    fn event(&self, full: bool) -> Page {
        let mut page = Page::default();
        let Some(payload) = &self.explanation.record.payload else {
            page.line("Its payload was not stored (`store.payloads`)");
            return page;
        };
        let columns = self.columns.saturating_sub(2);
        let extent = if full { Extent::Whole } else { Extent::Within { lines: PAYLOAD_LINES, columns } };
        for mut line in payload::lines(payload, extent) {
            // The mark of what `Extent::Within` left out.
            if line.starts_with('…') {
                line.push_str(" (--full shows them)");
            }
            page.line(Style::Faint.text(line));
        }
        page
    }
}

/// The settings and notes that a policy decides by now.
fn add_origins(page: &mut Page, explained: &PolicyExplained) {
    for setting in &explained.settings {
        let origin = if setting.origin.is_empty() { String::new() } else { format!(" ({})", setting.origin) };
        add_detail(page, "set", &one_line(&format!("{} = {}{origin}", setting.key, setting.value)));
    }
    explained.notes.iter().for_each(|note| add_detail(page, "known", &one_line(&note.text)));
}

/// A label and its text, which may be a list; nothing without a text.
fn add_detail(page: &mut Page, name: &str, text: &str) {
    page.paragraphs(&format!("    {name:9}"), text);
}

fn ruling_row(ruling: &RecordedRuling) -> Row {
    let note = match (ruling.skipped, ruling.counts(), ruling.stance) {
        (true, _, _) => "skipped, had no effect",
        (false, false, Stance::Ask | Stance::Deny) => "only observed, had no effect",
        _ => "",
    };
    vec![
        Cell::new(Style::Strong, one_line(&ruling.policy)),
        Cell::new(style_of_mode(ruling.mode), ruling.mode.name()),
        Cell::new(style_of(ruling.stance), ruling.stance.name()),
        Cell::new(Style::Faint, time::took(ruling.took)),
        Cell::new(Style::Warning, note),
    ]
}
