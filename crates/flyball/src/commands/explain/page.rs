//! The explanation, laid out for the terminal.

use flyball_board::explanation::{Explanation, PolicyExplained};
use flyball_core::config::Mode;
use flyball_core::record::RecordedRuling;
use flyball_core::verdict::Stance;
use jiff::Zoned;

use crate::project_context::tilde;
use crate::show::payload::{self, Extent};
use crate::show::record::{agent_name, counts, kind_of, style_of, style_of_mode};
use crate::show::text::{self, one_line};
use crate::show::{Cell, Columns, Row, time};
use crate::terminal::{Style, Terminal};

/// How much of a payload is shown.
const PAYLOAD_LINES: usize = 30;
/// The widest line of prose.
const WIDEST: usize = 100;

/// What the page is made from.
pub(super) struct Page<'a> {
    pub(super) explanation: &'a Explanation,
    pub(super) terminal: &'a Terminal,
    pub(super) now: Zoned,
}

impl Page<'_> {
    pub(super) fn lines(&self, full: bool) -> Vec<String> {
        let mut lines = self.head();
        self.section(&mut lines, "Answer", self.answer());
        self.section(&mut lines, "Policies", self.policies());
        if !self.explanation.changes.is_empty() {
            self.section(&mut lines, "What would change it", self.changes());
        }
        self.section(&mut lines, "Event", self.event(full));
        let next = self.explanation.next.iter().flat_map(|way| self.hanging("- ", way)).collect();
        self.section(&mut lines, "What next", next);
        lines
    }

    fn section(&self, lines: &mut Vec<String>, title: &str, body: Vec<String>) {
        lines.push(String::new());
        lines.push(self.terminal.paint(Style::Strong, title));
        lines.extend(body.into_iter().map(|line| if line.is_empty() { line } else { format!("  {line}") }));
    }

    fn head(&self) -> Vec<String> {
        let record = &self.explanation.record;
        let stance = self.terminal.paint(style_of(record.stance), record.stance.name());
        let id = self.terminal.paint(Style::Accent, record.id.as_str());
        let tool = record.tool.map(|tool| format!("  {}", tool.name())).unwrap_or_default();
        let mut lines = vec![format!("{id}  {stance}  {}{tool}", kind_of(record))];
        if !record.subject.is_empty() {
            lines.push(text::cut(&one_line(&record.subject), self.terminal.line_limit()));
        }
        let mut facts = vec![
            format!("{} ({} ago)", time::full(record.at, &self.now), time::ago(record.at, &self.now)),
            format!(
                "{} calls it {}",
                record.client,
                if record.native.is_empty() { "nothing" } else { &record.native }
            ),
            format!("session {}", record.session),
        ];
        facts.extend(record.agent.as_ref().map(|agent| format!("subagent {}", agent_name(&agent.role))));
        facts.push(format!("project {}", tilde(&record.project)));
        lines.extend(facts.iter().map(|fact| self.terminal.paint(Style::Faint, &one_line(fact))));
        lines
    }

    fn answer(&self) -> Vec<String> {
        let record = &self.explanation.record;
        let mut lines = vec![format!("{}, in {}", self.explanation.meaning, time::took(record.micros))];
        if !record.said.is_empty() {
            let whom =
                if record.stance == Stance::Ask { "The user was asked:" } else { "The agent was told:" };
            lines.push(whom.to_owned());
            lines.extend(text::lines(&record.said).flat_map(|line| self.hanging("│ ", &line)));
        }
        if !record.notices.is_empty() {
            lines.push("The user was told:".to_owned());
            let told = record.notices.iter().flat_map(|notice| notice.lines());
            lines.extend(told.flat_map(|line| self.hanging("│ ", &one_line(line))));
        }
        if record.context_chars > 0 {
            lines.push(format!("{} characters of context were added for the model", record.context_chars));
        }
        if record.rewritten {
            lines.push("The call was rewritten".to_owned());
        }
        if record.duplicate {
            lines.push("The same call had arrived before: answered again, counted once".to_owned());
        }
        lines
    }

    fn policies(&self) -> Vec<String> {
        let rulings = &self.explanation.record.rulings;
        if rulings.is_empty() {
            return vec!["No policy listens to this kind of event".to_owned()];
        }
        let (quiet, heard): (Vec<&RecordedRuling>, Vec<&RecordedRuling>) =
            rulings.iter().partition(|ruling| self.is_quiet(ruling));
        let rows: Vec<Row> = heard.iter().map(|ruling| ruling_row(ruling)).collect();
        let columns = Columns::fit(&rows, usize::MAX);
        let detailed = heard.iter().zip(&rows).flat_map(|(ruling, row)| {
            let line = columns.line(row, self.terminal);
            std::iter::once(line).chain(self.details(ruling)).collect::<Vec<_>>()
        });
        let mut lines: Vec<String> = detailed.collect();
        if !quiet.is_empty() {
            let names: Vec<&str> = quiet.iter().map(|ruling| ruling.policy.as_str()).collect();
            let all = time::took(quiet.iter().map(|ruling| ruling.micros).sum());
            let text = format!("{}; all of these took {all}", names.join(", "));
            lines.extend(self.hanging("silent: ", &text));
        }
        lines
    }

    /// Whether there is nothing to tell of a ruling but that it was made.
    fn is_quiet(&self, ruling: &RecordedRuling) -> bool {
        ruling.stance == Stance::Silent && ruling.mode == Mode::Enforce && self.details(ruling).is_empty()
    }

    fn details(&self, ruling: &RecordedRuling) -> Vec<String> {
        let mut lines = Vec::new();
        for reason in &ruling.reasons {
            lines.extend(self.reason("what", &reason.what));
            lines.extend(self.reason("why", &reason.why));
            lines.extend(self.reason("instead", &reason.instead));
        }
        for seen in &ruling.evidence {
            lines.extend(self.detail("seen", &format!("{}: {}", seen.name, seen.value)));
        }
        lines.extend(self.detail("trouble", ruling.error.as_deref().unwrap_or_default()));
        if ruling.skipped {
            lines.extend(self.detail("skipped", "by FLYBALL_SKIP of whoever started the client"));
        }
        let now = self.explanation.policies.iter().find(|now| now.policy == ruling.policy);
        if let Some(now) = now.filter(|now| !lines.is_empty() || now.mode_now != ruling.mode.name()) {
            lines.extend(self.detail("now", &format!("the mode is {} ({})", now.mode_now, now.mode_origin)));
            lines.extend(self.origin_lines(now));
        }
        lines
    }

    /// Where what a policy says comes from today.
    fn origin_lines(&self, explained: &PolicyExplained) -> Vec<String> {
        let settings = explained.settings.iter().map(|setting| {
            let origin =
                if setting.origin.is_empty() { String::new() } else { format!(" ({})", setting.origin) };
            ("set", format!("{} = {}{origin}", setting.key, setting.value))
        });
        let notes = explained.notes.iter().map(|note| ("known", note.text.clone()));
        settings.chain(notes).flat_map(|(name, text)| self.detail(name, &text)).collect()
    }

    /// What would have led to another answer, and how a person makes it so.
    fn changes(&self) -> Vec<String> {
        let mut lines = Vec::new();
        for change in &self.explanation.changes {
            let if_only = format!("if {}: {}", one_line(&change.if_only), one_line(&change.then));
            lines.extend(self.hanging("- ", &if_only));
            let how = change.how.as_deref().map(one_line);
            lines.extend(how.into_iter().flat_map(|how| self.hanging("    how  ", &how)));
        }
        lines
    }

    fn detail(&self, name: &str, value: &str) -> Vec<String> {
        self.reason(name, &one_line(value))
    }

    /// The same for a text that may be a list.
    fn reason(&self, name: &str, text: &str) -> Vec<String> {
        if text.is_empty() {
            return Vec::new();
        }
        self.hanging(&format!("    {name:9}"), text)
    }

    /// A text behind a prefix, wrapped so that the prefix stands alone.
    fn hanging(&self, prefix: &str, text: &str) -> Vec<String> {
        let indent = text::width(prefix);
        let room = self.terminal.columns().min(WIDEST).saturating_sub(indent + 2);
        let rest = if prefix.starts_with('│') { prefix.to_owned() } else { " ".repeat(indent) };
        let lines = text::wrap_lines(text, room);
        let prefixed = |(number, line): (usize, String)| match number {
            0 => format!("{prefix}{line}"),
            _ => format!("{rest}{line}"),
        };
        lines.into_iter().enumerate().map(prefixed).collect()
    }

    fn event(&self, full: bool) -> Vec<String> {
        let Some(payload) = &self.explanation.record.payload else {
            return vec!["Its payload was not kept (`store.payloads`)".to_owned()];
        };
        let columns = self.terminal.line_limit().saturating_sub(2);
        let extent = if full { Extent::Whole } else { Extent::Within { lines: PAYLOAD_LINES, columns } };
        let mut lines = payload::lines(payload, extent);
        if let Some(last) = lines.last_mut().filter(|line| line.starts_with('…')) {
            last.push_str(" (--full shows them)");
        }
        lines.iter().map(|line| self.terminal.paint(Style::Faint, line)).collect()
    }
}

fn ruling_row(ruling: &RecordedRuling) -> Row {
    let note = match (ruling.skipped, counts(ruling), ruling.stance) {
        (true, _, _) => "skipped, did not count",
        (false, false, Stance::Ask | Stance::Deny) => "only observed, did not count",
        _ => "",
    };
    vec![
        Cell::new(Style::Strong, one_line(&ruling.policy)),
        Cell::new(style_of_mode(ruling.mode), ruling.mode.name()),
        Cell::new(style_of(ruling.stance), ruling.stance.name()),
        Cell::new(Style::Faint, time::took(ruling.micros)),
        Cell::new(Style::Warning, note),
    ]
}
