//! What was found, for a pull request: a comment in Markdown, and workflow commands.

use flyball_core::text;

use super::check::Found;
use super::report::summary;

/// How many changed files are named for a rule file.
const NAMED: usize = 6;

/// A comment for a pull request.
pub(super) fn comment(found: &Found) -> String {
    let mut out = String::from("### Rules that this change touches\n\n");
    if let Some(gap) = &found.unchecked {
        out.push_str(&format!(
            "**Not checked**: {}. To fix it, {}.\n\n",
            one_line(&gap.what),
            one_line(&gap.fix)
        ));
    }
    if found.stale.is_empty() && found.nodes.is_empty() && found.uncovered.is_empty() {
        out.push_str("No rule file covers or names what changed.\n");
        return out;
    }
    if !found.stale.is_empty() {
        out.push_str("| stale | rule | what to do |\n|---|---|---|\n");
        for stale in &found.stale {
            out.push_str(&format!(
                "| `{}:{}` {} | {} | {} |\n",
                stale.file,
                stale.line,
                cell(&stale.what),
                cell(&stale.rule),
                cell(&stale.suggestion)
            ));
        }
        out.push('\n');
    }
    for node in &found.nodes {
        let state = if node.is_updated { " (updated here)" } else { "" };
        let covers = match node.changed.as_slice() {
            [] => String::new(),
            changed => format!(" covers {}", text::first(&quoted(changed), NAMED)),
        };
        out.push_str(&format!("- `{}`{state}{covers}\n", node.file));
        for rule in &node.rules {
            let words = text::quoted(&rule.words);
            out.push_str(&format!("  - line {}: {} ({words})\n", rule.line, one_line(&rule.rule)));
        }
    }
    for folder in &found.uncovered {
        out.push_str(&format!("- `{folder}/` is new and has no `AGENTS.md` of its own\n"));
    }
    out.push_str(&format!("\n{}. `flyball memory affected`\n", summary(found)));
    out
}

/// Workflow commands, which GitHub shows beside the lines.
pub(super) fn annotations(found: &Found) -> Vec<String> {
    let stale = found.stale.iter().map(|stale| {
        let (file, line) = (property(&stale.file), stale.line);
        let what = data(&format!("{}: {}", stale.what, stale.suggestion));
        format!("::warning file={file},line={line},title=stale rule::{what}")
    });
    let new = found.uncovered.iter().map(|folder| {
        format!("::notice title=new folder::{}", data(&format!("{folder}/ has no AGENTS.md of its own")))
    });
    let gap = found.unchecked.iter().map(|gap| {
        format!("::error title=rules not checked::{}", data(&format!("{}: {}", gap.what, gap.fix)))
    });
    stale.chain(new).chain(gap).collect()
}

fn quoted(names: &[String]) -> Vec<String> {
    names.iter().map(|name| format!("`{name}`")).collect()
}

fn one_line(text: &str) -> String {
    text::one_line(text).replace('<', "&lt;")
}

fn cell(text: &str) -> String {
    one_line(text).replace('|', "\\|")
}

/// What follows `::` must be on one line.
fn data(text: &str) -> String {
    // The percent sign first, or it would escape the escapes.
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}
