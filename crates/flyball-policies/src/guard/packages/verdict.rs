//! The verdict on the commands of a line: deny, warn or rewrite.

use std::ops::Range;

use flyball_core::text::{list, quoted};
use flyball_core::verdict::{Reason, Rewrite, Snippet, Subject, Verdict};

use super::finding::Finding;
use super::settings::Enforcement;

/// The verdict on all commands of a line that are not of the project's package manager.
pub(super) fn build(line: &str, findings: &[Finding]) -> Verdict {
    let mut verdict = Verdict::silent();
    for finding in findings {
        verdict = verdict
            .with_evidence("command", finding.written.as_str())
            .with_evidence("package manager", format!("{}, by {}", finding.target.name(), finding.sign));
    }
    let of = |enforcement: Enforcement| findings.iter().filter(move |it| it.enforcement == enforcement);
    let to_rewrite: Vec<&Finding> = of(Enforcement::Rewrite).collect();
    let rewritten = replace_commands(line, &to_rewrite);
    let is_denied = |finding: &&Finding| match finding.enforcement {
        Enforcement::Block => true,
        Enforcement::Warn => false,
        Enforcement::Rewrite => rewritten.is_none() || !can_rewrite(finding),
    };
    let denied: Vec<&Finding> = findings.iter().filter(is_denied).collect();
    // One denied command stops the whole line, so nothing in it is rewritten.
    if !denied.is_empty() {
        verdict.join(denial(line, &denied, findings));
        return verdict;
    }
    verdict.context.extend(of(Enforcement::Warn).map(advice));
    if let Some(text) = rewritten.filter(|_| !to_rewrite.is_empty()) {
        verdict.context.push(Snippet {
            key: "guard.packages rewrite".to_owned(),
            rank: 0,
            text: format!("The command was changed, because {}. This ran: {text}", projects(&to_rewrite)),
        });
        verdict.rewrites.push(Rewrite::Replace(text));
    }
    verdict
}

fn can_rewrite(finding: &Finding) -> bool {
    finding.replacement.as_ref().is_some_and(|replacement| replacement.left_out.is_empty())
}

/// `this is a uv project (uv.lock)`
fn projects(findings: &[&Finding]) -> String {
    let mut names: Vec<String> = Vec::new();
    for finding in findings {
        let name = finding.target.name();
        let article = if name == "npm" { "an" } else { "a" };
        let text = format!("{article} {name} project ({})", finding.sign);
        if !names.contains(&text) {
            names.push(text);
        }
    }
    format!("this is {}", list(&names))
}

fn denial(line: &str, denied: &[&Finding], all: &[Finding]) -> Verdict {
    let reason = Reason { what: projects(denied), why: String::new(), instead: instead(line, all) };
    let installs = denied.iter().filter(|finding| finding.request.installs());
    let subjects = installs.map(|finding| Subject::Intent(format!("packages.{}", finding.tool.name())));
    subjects.fold(Verdict::deny(reason), Verdict::with_subject)
}

/// What to run instead: the whole line if every command in it can be replaced there, else each command by itself.
fn instead(line: &str, findings: &[Finding]) -> String {
    let all: Vec<&Finding> = findings.iter().collect();
    if let Some(text) = replace_commands(line, &all) {
        let left_out: String = findings.iter().map(left_out).collect();
        return format!("Use {}{left_out}", code(&text));
    }
    let mut parts: Vec<String> = findings.iter().map(instead_of).collect();
    parts.dedup();
    format!("Use {}", parts.join("; use "))
}

fn instead_of(finding: &Finding) -> String {
    let written = code(&finding.written);
    if let Some(replacement) = &finding.replacement {
        return format!("{} instead of {written}{}", code(&replacement.text), left_out(finding));
    }
    let (target, key) = (finding.target.name(), finding.request.key.name());
    let name = finding.request.names.first().map_or("", String::as_str);
    format!(
        "{target} instead of {written}, or ask the user to set `{key} = [\"{name}\"]` in `[guard.packages.allow]`"
    )
}

/// ` (uv has no `--user`)`
fn left_out(finding: &Finding) -> String {
    match &finding.replacement {
        Some(replacement) if !replacement.left_out.is_empty() => {
            format!(" ({} has no {})", finding.target.name(), quoted(&replacement.left_out))
        }
        Some(_) | None => String::new(),
    }
}

fn advice(finding: &Finding) -> Snippet {
    let better = match &finding.replacement {
        Some(replacement) => code(&replacement.text),
        None => finding.target.name().to_owned(),
    };
    let text = format!("Use {better} instead of {}: {}", code(&finding.written), projects(&[finding]));
    Snippet { key: format!("guard.packages {}", finding.written), rank: 0, text }
}

/// A command in backticks, or below, if it has backticks or lines of its own.
fn code(text: &str) -> String {
    if text.contains(['`', '\n']) { format!("this:\n{text}\n") } else { format!("`{text}`") }
}

/// The line with every one of these commands replaced in its place and nothing else changed.
fn replace_commands(line: &str, findings: &[&Finding]) -> Option<String> {
    let mut pieces: Vec<Piece> = Vec::new();
    for finding in findings {
        let span = finding.span.clone()?;
        let text = finding.replacement.as_ref()?.text.clone();
        pieces.push(Piece { span, text });
    }
    let mut text = line.to_owned();
    // From the end, so that the spans before it stay valid.
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

/// The pieces that are in no other, in order. One inside of another, as in
/// `pip install $(npm root)`, is put into the replacement of the other.
fn outermost(line: &str, mut pieces: Vec<Piece>) -> Option<Vec<Piece>> {
    pieces.sort_by_key(|piece| (piece.span.start, std::cmp::Reverse(piece.span.end)));
    let mut outer: Vec<Piece> = Vec::new();
    for piece in pieces {
        match outer.last_mut() {
            Some(around) if piece.span.start < around.span.end => {
                let before = line.get(piece.span.clone())?;
                // The translation changed this word, so the line cannot be replaced as a whole.
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
