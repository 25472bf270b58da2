//! Says what was found: stops, tells, or puts the right command in place.

use std::ops::Range;

use flyball_core::text::{plural, quoted};
use flyball_core::verdict::{Reason, Rewrite, Snippet, Subject, Verdict};

use super::Finding;
use super::settings::Enforcement;

const WHY: &str = "two package managers in one project leave two different sets of packages";

/// The verdict on all commands of a line that are not the project's package manager's.
pub(super) fn build(line: &str, findings: &[Finding]) -> Verdict {
    let mut verdict = Verdict::silent();
    for finding in findings {
        verdict = verdict
            .with_evidence("command", finding.written.as_str())
            .with_evidence("package manager", seen(finding));
    }
    let to_rewrite: Vec<&Finding> =
        findings.iter().filter(|finding| finding.enforcement == Enforcement::Rewrite).collect();
    let can_be_put = replace_commands(line, &to_rewrite).is_some();
    let is_stopped = |finding: &&Finding| match finding.enforcement {
        Enforcement::Block => true,
        Enforcement::Warn => false,
        Enforcement::Rewrite => !can_be_put || !can_rewrite(finding),
    };
    let stopped: Vec<&Finding> = findings.iter().filter(is_stopped).collect();
    if !stopped.is_empty() {
        verdict.join(denial(line, &stopped, findings));
        return verdict;
    }
    let of = |manner: Enforcement| findings.iter().filter(move |finding| finding.enforcement == manner);
    for finding in of(Enforcement::Warn) {
        verdict.context.push(advice(finding));
    }
    let rewritten: Vec<&Finding> = of(Enforcement::Rewrite).collect();
    if !rewritten.is_empty()
        && let Some(text) = replace_commands(line, &rewritten)
    {
        let names = tools(&rewritten);
        verdict.context.push(Snippet {
            key: "guard.packages rewrite".to_owned(),
            rank: 0,
            text: format!("This project does not use {names}: the command was changed, and this ran: {text}"),
        });
        verdict.rewrites.push(Rewrite::Replace(text));
    }
    verdict
}

fn seen(finding: &Finding) -> String {
    format!("{}, by {}", finding.target.name(), finding.sign)
}

fn can_rewrite(finding: &Finding) -> bool {
    finding.span.is_some()
        && finding.replacement.as_ref().is_some_and(|replacement| replacement.left_out.is_empty())
}

/// The names of the tools, each once.
fn tools(findings: &[&Finding]) -> String {
    let mut names: Vec<&str> = Vec::new();
    for finding in findings {
        if !names.contains(&finding.tool.name()) {
            names.push(finding.tool.name());
        }
    }
    names.join(" or ")
}

fn denial(line: &str, stopped: &[&Finding], all: &[Finding]) -> Verdict {
    let mut whats: Vec<String> = Vec::new();
    for finding in stopped {
        let (written, tool, target) = (&finding.written, finding.tool.name(), finding.target.name());
        whats.push(format!("{} uses {tool}, but this project uses {target}", code(written)));
    }
    whats.dedup();
    let mut signs: Vec<&str> = stopped.iter().map(|finding| finding.sign.as_str()).collect();
    signs.dedup();
    let verb = plural(signs.len(), "says", "say");
    let reason = Reason {
        what: whats.join("; "),
        why: format!("{} {verb} so; {WHY}", signs.join(" and ")),
        instead: instead(line, all),
    };
    let installs = stopped.iter().filter(|finding| finding.reading.installs);
    let subject = |finding: &&&Finding| Subject::Intent(format!("packages.{}", finding.tool.name()));
    let subjects: Vec<Subject> = installs.clone().map(|finding| subject(&finding)).collect();
    subjects.into_iter().fold(Verdict::deny(reason), Verdict::with_subject)
}

/// What to run instead: the whole line if every command in it can be replaced where it stands,
/// else each command by itself.
fn instead(line: &str, findings: &[Finding]) -> String {
    let all: Vec<&Finding> = findings.iter().collect();
    if let Some(text) = replace_commands(line, &all) {
        let dropped: Vec<String> = all.iter().filter_map(|finding| dropped(finding)).collect();
        return [vec![format!("Run {}", code(&text))], dropped].concat().join("; ");
    }
    let mut parts: Vec<String> = Vec::new();
    for finding in findings {
        let written = code(&finding.written);
        match &finding.replacement {
            Some(replacement) => {
                parts.push(format!("For {written}, run {}", code(&replacement.text)));
                parts.extend(dropped(finding));
            }
            None => parts.push(missing(finding)),
        }
    }
    parts.dedup();
    parts.join("; ")
}

/// What a replacement does not say.
fn dropped(finding: &Finding) -> Option<String> {
    let left_out = &finding.replacement.as_ref()?.left_out;
    (!left_out.is_empty()).then(|| format!("{} has no equivalent there and is left out", quoted(left_out)))
}

fn missing(finding: &Finding) -> String {
    let (target, key) = (finding.target.name(), finding.reading.key.name());
    let name = finding.reading.names.first().map_or("", String::as_str);
    format!(
        "Use {target} for what {} does; if it cannot do that, tell the user, who can free it with \
         `{key} = [\"{name}\"]` in `[guard.packages.allow]`",
        code(&finding.written)
    )
}

fn advice(finding: &Finding) -> Snippet {
    let (written, target) = (code(&finding.written), finding.target.name());
    let text = match &finding.replacement {
        Some(replacement) => {
            format!(
                "This project uses {target} ({}): rather than {written}, run {}",
                finding.sign,
                code(&replacement.text)
            )
        }
        None => {
            format!("This project uses {target} ({}): use it for what {written} does", finding.sign)
        }
    };
    Snippet { key: format!("guard.packages {}", finding.written), rank: 0, text }
}

/// A command in backticks, or below, if it has backticks or lines of its own.
fn code(text: &str) -> String {
    if text.contains(['`', '\n']) { format!("this:\n{text}\n") } else { format!("`{text}`") }
}

/// The line with every one of these commands replaced where it stands and nothing else changed.
pub(super) fn replace_commands(line: &str, findings: &[&Finding]) -> Option<String> {
    let mut pieces: Vec<Piece> = Vec::new();
    for finding in findings {
        let span = finding.span.clone()?;
        let text = finding.replacement.as_ref()?.text.clone();
        pieces.push(Piece { span, text });
    }
    let mut text = line.to_owned();
    for piece in outermost(line, pieces)?.into_iter().rev() {
        text.get(piece.span.clone())?;
        text.replace_range(piece.span, &piece.text);
    }
    Some(text)
}

struct Piece {
    span: Range<usize>,
    text: String,
}

/// The pieces that stand in no other, in order. One that stands in another, as in
/// `pip install $(npm root)`, is put into what the other becomes.
fn outermost(line: &str, mut pieces: Vec<Piece>) -> Option<Vec<Piece>> {
    pieces.sort_by_key(|piece| (piece.span.start, std::cmp::Reverse(piece.span.end)));
    let mut outer: Vec<Piece> = Vec::new();
    for piece in pieces {
        match outer.last_mut() {
            Some(around) if piece.span.start < around.span.end => {
                let before = line.get(piece.span.clone())?;
                if !around.text.contains(before) {
                    return None;
                }
                around.text = around.text.replacen(before, &piece.text, 1);
            }
            Some(_) | None => outer.push(piece),
        }
    }
    Some(outer)
}
