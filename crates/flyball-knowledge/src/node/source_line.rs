//! The line below a rule that says where it comes from, in italics: it is for people.

/// How such lines begin, after the mark.
const BEGINNINGS: &[&str] = &["source:", "learn.sh", "flyball learn", "added:"];

/// A rule's text without it.
pub(super) fn without(text: &str) -> &str {
    let trimmed = text.trim_end();
    let start = trimmed.rfind('\n').map_or(0, |at| at + 1);
    let (before, last) = trimmed.split_at(start);
    if is_source(last) { before.trim_end() } else { text }
}

/// Whether a line says where a rule comes from.
pub(super) fn is_source(line: &str) -> bool {
    let line = line.trim();
    let inside = ['_', '*'].into_iter().find_map(|mark| {
        let inside = line.strip_prefix(mark)?.strip_suffix(mark)?;
        (!inside.is_empty() && !inside.starts_with(mark) && !inside.ends_with(mark)).then_some(inside)
    });
    let Some(inside) = inside.map(str::trim) else { return false };
    let lower = inside.to_ascii_lowercase();
    BEGINNINGS.iter().any(|start| lower.starts_with(start)) || is_file(inside) || lower.contains("| added:")
}

/// Whether a text begins with a report or a file of lessons: `PITFALL-2026-01-31-0912-ab`, `tasks/a/KNOWLEDGE.jsonl, b`.
fn is_file(text: &str) -> bool {
    let first = text.split([' ', ',']).next().unwrap_or_default();
    if first.ends_with(".md") || first.ends_with(".jsonl") {
        return true;
    }
    let Some((kind, rest)) = first.split_once('-') else { return false };
    kind.len() >= 3
        && kind.chars().all(|letter| letter.is_ascii_uppercase())
        && rest.len() >= 5
        && rest.chars().take(4).all(|letter| letter.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_lines_about_where_a_rule_comes_from_are_sources() {
        for line in [
            "_PITFALL-2026-01-31-0912-ab.md_",
            "_learn.sh | added: 2026-01-31_",
            "*Source: review of #12*",
            "_CHECK-2026-01-31-0912-ab_",
            "_.claude/tasks/a_task/KNOWLEDGE.jsonl, tester_",
            "_Source: `learn add`_",
        ] {
            assert!(is_source(line), "{line}");
        }
        for line in [
            "_never_",
            "__init__",
            "**Source: bold**",
            "PITFALL-2026",
            "_x_ and _y_",
            "_",
            "__",
            "_UTF-8 only_",
        ] {
            assert!(!is_source(line), "{line}");
        }
        assert_eq!(without("- a\n\n_PITFALL-2026-1.md_\n"), "- a");
        assert_eq!(without("- a\n"), "- a\n");
        assert_eq!(without("_PITFALL-2026-1.md_"), "");
    }
}
