//! Changes the text of a report, also of other programs: only the part that a decision is about.

use flyball_knowledge::markdown;
use flyball_knowledge::report::{Kind, Status, ends_entry, is_entry};

/// The report with another suggested rule in it.
pub(super) fn add_entry(text: &str, kind: Kind, (title, detail): (&str, &str)) -> String {
    let rule = match kind {
        Kind::Pitfall | Kind::Insight => format!("### {title}\n\n{detail}"),
        Kind::Check => format!("### Before {title}\n\n- [ ] {detail}"),
        Kind::Pattern => format!("### {title}\n\n**Preferred**: {detail}"),
    };
    // A fence must be longer than any in the text, or the rule would end where its example does.
    let longest = rule.split(|letter| letter != '`').map(str::len).max().unwrap_or_default();
    let fence = "`".repeat(longest.max(2) + 1);
    let content = format!("\n{fence}markdown\n{rule}\n{fence}\n\n");
    let headings = headings(text);
    if let Some((_, from)) = headings.iter().find(|(title, _)| is_entry(title)) {
        let from = line_end(text, *from);
        // Up to the next heading that is not part of the suggestion; what follows is the person's own.
        let next = headings.iter().find(|(title, at)| *at >= from && ends_entry(title));
        let to = next.map_or(text.len(), |(_, at)| *at);
        return replaced(text, (from, to), &content);
    }
    let name = match kind {
        Kind::Pitfall => "Pitfall",
        Kind::Check => "Check",
        Kind::Pattern => "Pattern",
        Kind::Insight => "Context",
    };
    let section = format!("### Suggested {name} Entry\n{content}");
    let last = headings.iter().find(|(title, _)| matches!(*title, "Disposition" | "Rejection"));
    match last {
        Some((_, at)) => replaced(text, (*at, *at), &section),
        None => format!("{}\n\n{section}", text.trim_end()),
    }
}

/// The report with its box ticked.
pub(super) fn tick_status(text: &str, to: Status) -> String {
    let name = match to {
        Status::Integrated => "Added",
        Status::Rejected => "Rejected",
        Status::Pending | Status::Accepted => return text.to_owned(),
    };
    let at = headings(text).iter().find(|(title, _)| *title == "Disposition").map(|(_, at)| *at);
    let Some((before, after)) = at.and_then(|at| text.split_at_checked(at)) else { return text.to_owned() };
    format!("{before}{}", after.replacen(&format!("- [ ] {name}"), &format!("- [x] {name}"), 1))
}

/// The report with the reason for its rejection.
pub(super) fn add_rejection(text: &str, reason: &str, date: &str) -> String {
    let reason = if reason.trim().is_empty() { "none given" } else { reason.trim() };
    // A reason is one line, so that it cannot become a section.
    let reason: Vec<&str> = reason.split_whitespace().collect();
    let text = tick_status(text, Status::Rejected);
    format!(
        "{}\n\n### Rejection\n\n- **Reason**: {}\n- **Date**: {date}\n",
        text.trim_end(),
        reason.join(" ")
    )
}

/// The headings of level 3 outside of fences, with their positions.
fn headings(text: &str) -> Vec<(&str, usize)> {
    let outside = markdown::lines(text).filter(|line| !line.is_code);
    outside.filter_map(|line| Some((line.text.strip_prefix("### ")?.trim(), line.span.start))).collect()
}

fn line_end(text: &str, from: usize) -> usize {
    let rest = text.get(from..).unwrap_or_default();
    rest.find('\n').map_or(text.len(), |at| from + at + 1)
}

fn replaced(text: &str, (from, to): (usize, usize), with: &str) -> String {
    let (before, after) = (text.get(..from).unwrap_or(text), text.get(to..).unwrap_or_default());
    let gap = if before.ends_with('\n') || before.is_empty() { "" } else { "\n" };
    format!("{before}{gap}{with}{after}")
}

#[cfg(test)]
mod tests {
    use flyball_knowledge::report::{Draft, Origin, parse, render};

    use flyball_core::time::Time;

    use super::*;

    fn draft(kind: Kind, origin: Origin) -> Draft {
        Draft {
            kind,
            origin,
            title: "Edit on a.ts".into(),
            folder: "src".into(),
            operation: "Edit on a.ts".into(),
            detail: "It failed.".into(),
            said: "```\n### Disposition\n- [ ] Added".into(),
            command: String::new(),
            file: "src/a.ts".into(),
            node: String::new(),
            told_before: Vec::new(),
            agent: String::new(),
            sameness: "x".into(),
        }
    }

    #[test]
    fn a_report_has_what_was_written_into_it() {
        for kind in Kind::ALL {
            for origin in [Origin::Failure, Origin::Agent] {
                let before = draft(kind, origin);
                let id = if before.is_skeleton() { "SKELETON-1" } else { "X-1" };
                let text = render(&before, id, Time::from_millis(1_000));
                let changed = add_entry(&text, kind, ("a `b` c", "one\n\n```sh\nls\n```"));
                let again = add_entry(&changed, kind, ("last", "two\n### Disposition\nthree"));
                for (text, title, detail) in [
                    (&changed, "a `b` c", "one\n\n```sh\nls\n```"),
                    (&again, "last", "two\n### Disposition\nthree"),
                ] {
                    let report = parse(id, Status::Pending, text);
                    let draft = &report.draft;
                    let expected = (title, detail, false, before.said.as_str());
                    assert_eq!(
                        (
                            draft.title.as_str(),
                            draft.detail.as_str(),
                            report.is_skeleton,
                            draft.said.as_str()
                        ),
                        expected,
                        "{text}"
                    );
                }
            }
        }
    }

    #[test]
    fn a_report_of_another_program_keeps_its_text() {
        let text = "## Learning Report\n\n**Type**: pitfall\n\n### What Happened\n\nx\n";
        let changed = add_entry(text, Kind::Pitfall, ("T", "D"));
        assert_eq!(
            changed,
            format!("{}\n\n### Suggested Pitfall Entry\n\n```markdown\n### T\n\nD\n```\n\n", text.trim_end())
        );
        let rejected = add_rejection(text, "not\n### true", "2026-01-02");
        let end = "\n\n### Rejection\n\n- **Reason**: not ### true\n- **Date**: 2026-01-02\n";
        assert_eq!(rejected, format!("{}{end}", text.trim_end()));
    }

    #[test]
    fn the_box_of_a_decision_is_ticked_and_no_other() {
        let text = render(&draft(Kind::Pitfall, Origin::Failure), "SKELETON-1", Time::from_millis(1_000));
        let expected = text.replace("\n- [ ] Added to AGENTS.md", "\n- [x] Added to AGENTS.md");
        assert_eq!(tick_status(&text, Status::Integrated), expected);
        let expected = text.replace("\n- [ ] Rejected", "\n- [x] Rejected");
        assert_eq!(tick_status(&text, Status::Rejected), expected);
        let inline = "```a``` is code in a line\n### Disposition\n- [ ] Added\n";
        assert_eq!(tick_status(inline, Status::Integrated), inline.replace("[ ]", "[x]"));
    }
}
