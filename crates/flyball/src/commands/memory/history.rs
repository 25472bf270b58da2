//! What was told before edits and what came of them, as the record of events has it.

use std::collections::BTreeMap;
use std::path::Path;

use flyball_core::config::Mode;
use flyball_core::event::ToolKind;
use flyball_core::record::{Record, RecordedRuling};
use flyball_core::time::DAY;
use flyball_core::time::Time;
use flyball_store::{EvidenceFilter, PayloadMode};

use crate::outcome::Failed;
use crate::progress::Progress;
use crate::project_context::ProjectContext;

/// What happened, in time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct HistoryEvent {
    pub(super) at: Time,
    /// The context it happened in: of a session's agent.
    pub(super) context: Context,
    /// The tool, by the client's name where that is kept.
    pub(super) tool: String,
    /// The file, from the root of the project; empty if it is not known.
    pub(super) file: String,
    /// The rule files that cover it, as far as the record says, the root's first.
    pub(super) nodes: Vec<String>,
    pub(super) kind: HistoryKind,
}

/// The agent of a session: what it was told, no other knows.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Context {
    session: String,
    agent: String,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum HistoryKind {
    /// Rules of these sections were told before an edit.
    Injected(Vec<String>),
    /// An edit went well.
    Success,
    /// An edit or a command did not.
    Failure,
}

/// What the record of a project holds of the last days, the oldest first.
pub(super) fn read(
    here: &ProjectContext,
    days: u32,
    payloads: PayloadMode,
) -> Result<Vec<HistoryEvent>, Failed> {
    let now = Time::now();
    let filter = EvidenceFilter {
        project: &here.root.to_string_lossy(),
        policies: "memory.",
        since: now - DAY.saturating_mul(days),
        payloads,
    };
    let archive = here.archive()?;
    let _progress = Progress::with_text("searching the record");
    let records = archive.index.with_evidence(&filter)?;
    Ok(records.iter().flat_map(events_in).collect())
}

/// What one record holds.
fn events_in(record: &Record) -> Vec<HistoryEvent> {
    let counts = |ruling: &&RecordedRuling| ruling.policy.starts_with("memory.") && !ruling.skipped;
    let mut all = Vec::new();
    let groups = record.rulings.iter().filter(counts).flat_map(|ruling| {
        // What is only observed no model has seen.
        let is_told = ruling.mode == Mode::Enforce;
        groups(ruling)
            .into_iter()
            .filter(move |group| is_told || !matches!(group.kind(), Some(HistoryKind::Injected(_))))
    });
    for group in groups {
        let Some(what) = group.kind() else { continue };
        all.push(HistoryEvent {
            at: record.at,
            context: Context {
                // Two clients may use the same id.
                session: format!("{} {}", record.client, record.session.as_str()),
                agent: record.agent.as_ref().map(|agent| agent.id.clone()).unwrap_or_default(),
            },
            tool: tool(record),
            file: below(group.value("file"), &record.project),
            nodes: list(group.value("node")).map(|node| below(node, &record.project)).collect(),
            kind: what,
        });
    }
    all
}

/// What a ruling says of one file.
#[derive(Debug, Default)]
struct Group<'a>(BTreeMap<&'a str, &'a str>);

impl<'a> Group<'a> {
    fn value(&self, name: &str) -> &'a str {
        self.0.get(name).copied().unwrap_or_default()
    }

    fn kind(&self) -> Option<HistoryKind> {
        let sections = || list(self.value("sections")).map(str::to_owned).collect();
        match (self.value("outcome"), self.value("sections")) {
            ("success", _) => Some(HistoryKind::Success),
            ("failure", _) => Some(HistoryKind::Failure),
            (_, "") => None,
            _ => Some(HistoryKind::Injected(sections())),
        }
    }
}

/// The evidence of a ruling, file by file: where a name comes again, the next begins.
fn groups(ruling: &RecordedRuling) -> Vec<Group<'_>> {
    let mut groups = vec![Group::default()];
    for evidence in &ruling.evidence {
        // Evidence is a flat list of names and values; a name that comes again starts the next file.
        let is_next = groups.last().is_some_and(|group| group.0.contains_key(evidence.name.as_str()));
        if is_next {
            groups.push(Group::default());
        }
        if let Some(group) = groups.last_mut() {
            group.0.insert(&evidence.name, &evidence.value);
        }
    }
    // An outcome that is said once is that of all files of the call.
    let common = groups.first().map(|group| group.value("outcome")).unwrap_or_default();
    for group in groups.iter_mut().filter(|group| !common.is_empty() && group.value("outcome").is_empty()) {
        group.0.insert("outcome", common);
    }
    groups
}

fn list(text: &str) -> impl Iterator<Item = &str> {
    text.split(',').map(str::trim).filter(|part| !part.is_empty())
}

/// A path from the root of the project.
fn below(path: &str, project: &str) -> String {
    Path::new(path).strip_prefix(project).unwrap_or(Path::new(path)).to_string_lossy().into_owned()
}

/// The tool by the client's own name, else by what it does.
fn tool(record: &Record) -> String {
    let payload = record.payload.as_deref().and_then(|text| serde_json::from_str(text).ok());
    let name = payload.as_ref().and_then(|payload: &serde_json::Value| payload.get("tool_name")?.as_str());
    if let Some(name) = name.filter(|name| !name.is_empty() && !name.contains(char::is_whitespace)) {
        return name.to_owned();
    }
    match record.tool {
        // The names that other tools expect in these logs.
        Some(ToolKind::Edit) => "Edit".to_owned(),
        Some(ToolKind::Shell) => "Bash".to_owned(),
        other => other.map_or("unknown", ToolKind::name).to_owned(),
    }
}

/// Which rules an agent had been told when an edit came out, walked through in the order of time.
#[derive(Default)]
pub(super) struct KnownRules {
    by_file: BTreeMap<(Context, String), Vec<String>>,
    by_context: BTreeMap<Context, Vec<String>>,
}

impl KnownRules {
    /// Rules were told: from now on the agent knows them, whatever it edits next.
    pub(super) fn add_injection(&mut self, told: &HistoryEvent) {
        let key = (told.context.clone(), told.file.clone());
        add(self.by_file.entry(key).or_default(), &told.nodes);
        add(self.by_context.entry(told.context.clone()).or_default(), &told.nodes);
    }

    /// The rule files that the agent had been told of when this came out, in order. What it was told before the edit
    /// of another file is not told again, so rules that cover this one too count.
    pub(super) fn known_nodes(&self, outcome: &HistoryEvent) -> Vec<String> {
        let key = (outcome.context.clone(), outcome.file.clone());
        let mut told = self.by_file.get(&key).cloned().unwrap_or_default();
        let all = self.by_context.get(&outcome.context).map(Vec::as_slice).unwrap_or_default();
        let covers = |node: &&String| !outcome.file.is_empty() && is_above(node, &outcome.file);
        add(&mut told, &all.iter().filter(covers).cloned().collect::<Vec<_>>());
        told.sort_unstable();
        told
    }
}

fn add(known: &mut Vec<String>, more: &[String]) {
    for node in more {
        if !known.contains(node) {
            known.push(node.clone());
        }
    }
}

/// Whether a rule file lies in a folder above a file.
fn is_above(node: &str, file: &str) -> bool {
    Path::new(node).parent().is_some_and(|folder| Path::new(file).starts_with(folder))
}

#[cfg(test)]
mod tests {
    use flyball_core::verdict::{Evidence, Stance};

    use super::*;

    fn ruling(evidence: &[(&str, &str)]) -> RecordedRuling {
        let evidence = evidence
            .iter()
            .map(|(name, value)| Evidence { name: (*name).to_owned(), value: (*value).to_owned() });
        RecordedRuling {
            policy: "memory.context".to_owned(),
            mode: Mode::Enforce,
            skipped: false,
            stance: Stance::Silent,
            reasons: Vec::new(),
            evidence: evidence.collect(),
            error: None,
            took: std::time::Duration::from_micros(1),
        }
    }

    #[test]
    fn evidence_is_read_file_by_file_in_either_order() {
        let read = |evidence: &[(&str, &str)]| -> Vec<(String, Option<HistoryKind>)> {
            let ruling = ruling(evidence);
            groups(&ruling).iter().map(|group| (group.value("file").to_owned(), group.kind())).collect()
        };
        let told = |sections: &[&str]| {
            Some(HistoryKind::Injected(sections.iter().map(|it| (*it).to_owned()).collect()))
        };
        let of = |file: &str, what| (file.to_owned(), what);
        assert_eq!(
            read(&[
                ("file", "a"),
                ("node", "N"),
                ("sections", "Checks,Pitfalls"),
                ("risk", "high"),
                ("file", "b")
            ]),
            [of("a", told(&["Checks", "Pitfalls"])), of("b", None)]
        );
        let both = [of("a", Some(HistoryKind::Success)), of("b", Some(HistoryKind::Success))];
        assert_eq!(
            read(&[("outcome", "success"), ("file", "a"), ("outcome", "success"), ("file", "b")]),
            both
        );
        assert_eq!(
            read(&[("file", "a"), ("outcome", "success"), ("file", "b"), ("outcome", "success")]),
            both
        );
        assert_eq!(read(&[("outcome", "success"), ("file", "a"), ("node", "N"), ("file", "b")]), both);
        assert_eq!(read(&[]), [of("", None)]);
    }

    #[test]
    fn rules_that_were_only_observed_were_not_told() {
        let fields = serde_json::json!({
            "id": "4k7q2m8x", "at": 7, "client": "c", "session": "s", "project": "/p", "kind": "before_tool",
            "native": "", "tool": "edit", "call": 1, "stance": "silent", "micros": 1,
        });
        let record = |mode: Mode, evidence: &[(&str, &str)]| -> Record {
            let mut record: Record = serde_json::from_value(fields.clone()).unwrap();
            record.rulings = vec![RecordedRuling { mode, ..ruling(evidence) }];
            record
        };
        let told = [("file", "/p/a.rs"), ("node", "AGENTS.md"), ("sections", "Checks")];
        let one = HistoryEvent {
            at: Time::from_micros(7),
            context: Context { session: "c s".to_owned(), agent: String::new() },
            tool: "Edit".to_owned(),
            file: "a.rs".to_owned(),
            nodes: vec!["AGENTS.md".to_owned()],
            kind: HistoryKind::Injected(vec!["Checks".to_owned()]),
        };
        assert_eq!(events_in(&record(Mode::Enforce, &told)), [one]);
        assert_eq!(events_in(&record(Mode::Observe, &told)), []);
        let outcome = [("outcome", "success"), ("file", "a.rs")];
        assert_eq!(events_in(&record(Mode::Observe, &outcome)).len(), 1);
    }

    #[test]
    fn what_was_told_counts_for_that_agent_and_every_file_it_covers() {
        let context = |agent: &str| Context { session: "s".to_owned(), agent: agent.to_owned() };
        let happened = |agent: &str, file: &str, nodes: &[&str], what: HistoryKind| HistoryEvent {
            at: Time::default(),
            context: context(agent),
            tool: String::new(),
            file: file.to_owned(),
            nodes: nodes.iter().map(|node| (*node).to_owned()).collect(),
            kind: what,
        };
        let mut knowing = KnownRules::default();
        let told = HistoryKind::Injected(vec!["Checks".to_owned()]);
        knowing.add_injection(&happened("", "src/a.rs", &["AGENTS.md", "src/AGENTS.md"], told.clone()));
        let failure = |agent, file| happened(agent, file, &[], HistoryKind::Failure);
        assert_eq!(knowing.known_nodes(&failure("", "src/a.rs")), ["AGENTS.md", "src/AGENTS.md"]);
        assert_eq!(knowing.known_nodes(&failure("", "src/x/b.rs")), ["AGENTS.md", "src/AGENTS.md"]);
        assert_eq!(knowing.known_nodes(&failure("", "lib/b.rs")), ["AGENTS.md"]);
        assert_eq!(knowing.known_nodes(&failure("helper", "src/a.rs")), [""; 0]);
        assert_eq!(knowing.known_nodes(&failure("", "")), [""; 0]);
        knowing.add_injection(&happened("", "src/x/b.rs", &["src/x/AGENTS.md"], told));
        assert_eq!(
            knowing.known_nodes(&failure("", "src/x/b.rs")),
            ["AGENTS.md", "src/AGENTS.md", "src/x/AGENTS.md"]
        );
        assert_eq!(knowing.known_nodes(&failure("", "src/a.rs")), ["AGENTS.md", "src/AGENTS.md"]);
    }
}
