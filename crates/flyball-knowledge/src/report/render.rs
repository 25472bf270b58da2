//! A report as Markdown: the form that existing projects have, with some additions.

use std::fmt::Write;

use flyball_core::time::Time;

use super::draft::{Draft, Kind, Origin};
use super::sanitize::sanitize;
use crate::timestamp;

/// The placeholder for text that is still missing.
pub(super) const PLACEHOLDER: &str = "_Awaiting analysis_";

/// The letters of a label's value that Markdown would read.
pub(super) const ESCAPED: [char; 4] = ['\\', '<', '`', '['];

/// The text of a new report.
#[must_use]
pub fn render(draft: &Draft, id: &str, at: Time) -> String {
    let draft = sanitize(draft);
    let mut out = String::new();
    head(&mut out, &draft, (id, at));
    let _ = writeln!(out, "\n### {}\n", draft.kind.section_title());
    write_incident(&mut out, &draft);
    let _ = writeln!(out, "\n### How Discovered\n");
    for (name, origin) in BOXES {
        let mark = if origin == Some(draft.origin) { 'x' } else { ' ' };
        let _ = writeln!(out, "- [{mark}] {name}");
    }
    let _ = writeln!(
        out,
        "\n### Why This Matters\n\n<!-- What goes wrong if nobody knows this -->\n{PLACEHOLDER}"
    );
    let _ = writeln!(out, "\n### Suggested {} Entry\n", draft.kind.entry());
    if draft.is_skeleton() {
        let _ = writeln!(
            out,
            "<!-- The rule: a line that starts with ### and its title, then its text -->\n{PLACEHOLDER}"
        );
    } else {
        fence(&mut out, "markdown", &entry(&draft));
    }
    out.push_str(
        "\n### Disposition\n\n- [ ] Added to AGENTS.md\n- [ ] Rejected\n- [ ] Deferred\n- [ ] Discarded\n",
    );
    out
}

/// The boxes of "How Discovered", with the origin that ticks each.
pub(super) const BOXES: [(&str, Option<Origin>); 9] = [
    ("Tool failed", Some(Origin::Failure)),
    ("Policy said no", Some(Origin::Denial)),
    ("User corrected", Some(Origin::Correction)),
    ("Agent self-caught", Some(Origin::Agent)),
    ("Session review", Some(Origin::Session)),
    ("Person wrote it", Some(Origin::Person)),
    ("Tests failed", None),
    ("Code review", None),
    ("Experimentation", None),
];

fn head(out: &mut String, draft: &Draft, (id, at): (&str, Time)) {
    let skeleton = draft.is_skeleton();
    let status = if skeleton { "skeleton (awaiting enrichment)" } else { "pending" };
    let labels = [
        ("ID", id.to_owned()),
        ("Type", draft.kind.name().to_owned()),
        ("Title", escaped(&draft.title)),
        ("Timestamp", timestamp::iso(at)),
        ("Directory", escaped(&draft.folder)),
        ("Operation", escaped(&draft.operation)),
        ("Status", status.to_owned()),
        ("Agent", escaped(&draft.agent)),
        ("Origin", draft.origin.name().to_owned()),
        ("Times", "1".to_owned()),
        ("Node", escaped(&draft.node)),
        ("File", escaped(&draft.file)),
        ("Sameness", escaped(&draft.sameness)),
    ];
    let _ = writeln!(out, "## Learning Report{}\n", if skeleton { " (Skeleton)" } else { "" });
    for (name, value) in labels {
        if !value.is_empty() {
            let _ = writeln!(out, "**{name}**: {value}");
        }
    }
}

fn write_incident(out: &mut String, draft: &Draft) {
    if draft.detail.is_empty() {
        let _ = writeln!(out, "{PLACEHOLDER}");
    } else if is_plain(&draft.detail) {
        let _ = writeln!(out, "{}", draft.detail);
    } else {
        // Its headings would become sections of the report.
        fence(out, "text", &draft.detail);
    }
    // Reports that exist have these labels, so they are not reworded.
    for (name, info, text) in [
        ("Command", "sh", &draft.command),
        ("Said", "text", &draft.said),
        ("Told before", "text", &draft.told_before.join("\n")),
    ] {
        if !text.is_empty() {
            let _ = writeln!(out, "\n**{name}**:\n");
            fence(out, info, text);
        }
    }
}

/// The rule as it would be in a node.
fn entry(draft: &Draft) -> String {
    let Draft { title, detail, .. } = draft;
    match draft.kind {
        Kind::Pitfall | Kind::Insight => format!("### {title}\n\n{detail}"),
        Kind::Check => format!("### Before {title}\n\n- [ ] {detail}"),
        Kind::Pattern => format!("### {title}\n\n**Preferred**: {detail}"),
    }
}

/// Puts a text into a fence that nothing in it can close.
fn fence(out: &mut String, info: &str, text: &str) {
    let longest = text.split(|letter| letter != '`').map(str::len).max().unwrap_or_default();
    let fence = "`".repeat(longest.max(2) + 1);
    let _ = writeln!(out, "{fence}{info}\n{text}\n{fence}");
}

/// Whether Markdown reads a text as plain text anywhere.
fn is_plain(text: &str) -> bool {
    const MARKS: [&str; 8] = ["#", "```", "~~~", "**", "---", "===", "_Awaiting", "    "];
    !text.contains("<")
        && !text.contains("![")
        && !text.lines().any(|line| {
            let start = line.trim_start();
            line.starts_with("    ")
                || line.starts_with('\t')
                || MARKS.iter().any(|mark| start.starts_with(mark))
        })
}

fn escaped(value: &str) -> String {
    let mut out = String::with_capacity(value.len());
    for letter in value.chars() {
        if ESCAPED.contains(&letter) {
            out.push('\\');
        }
        out.push(letter);
    }
    out
}
