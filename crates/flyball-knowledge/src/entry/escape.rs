//! Stops the text of a rule from becoming structure: headings, definitions of links, comments and fences that never end.

use std::ops::Range;

use pulldown_cmark::{CodeBlockKind, Event, Parser, Tag};

/// How often a text is checked again: an escape may let something else begin.
const PASSES: usize = 6;
/// Cannot be in a text: control characters are removed.
const AFTER: &str = "\n\n\u{1}";

/// The lines of a text, escaped for a place below a heading. Nothing is cut.
pub(super) fn body(text: &str) -> Vec<String> {
    let mut text = tidy(text);
    for _ in 0..PASSES {
        let escapes = escapes(&text);
        if escapes.is_empty() {
            return closed(&text);
        }
        // From the end, so that the offsets before stay valid.
        for at in escapes.into_iter().rev() {
            text.insert(at, '\\');
        }
    }
    // Still structure after all passes: in a code block, nothing is.
    fenced(&text)
}

/// Whether the first line is a line of a paragraph.
pub(super) fn begins_with_prose(lines: &[String]) -> bool {
    let text = lines.join("\n");
    let first = Parser::new(&text).next();
    text.is_empty() || matches!(first, Some(Event::Start(Tag::Paragraph)))
}

/// Line ends of one kind, nothing that cannot be seen, no blank lines around.
fn tidy(text: &str) -> String {
    let text = text.replace("\r\n", "\n").replace('\r', "\n");
    let shown: String = text.chars().filter(|it| !it.is_control() || matches!(it, '\n' | '\t')).collect();
    let lines: Vec<&str> = shown.lines().map(str::trim_end).collect();
    let first = lines.iter().position(|line| !line.is_empty()).unwrap_or(lines.len());
    lines.get(first..).unwrap_or_default().join("\n").trim_end().to_owned()
}

/// Where a backslash stops something from being a heading, the start of HTML or the definition of a link.
fn escapes(text: &str) -> Vec<usize> {
    let mut found = Vec::new();
    let mut code: Vec<Range<usize>> = Vec::new();
    let parser = Parser::new(text);
    // A definition counts for the whole file: `[a]` in a heading far away would become a link.
    let definitions = parser.reference_definitions().iter().map(|(_, definition)| definition.span.clone());
    found.extend(definitions.filter_map(|span| text.get(span.clone())?.find('[').map(|at| span.start + at)));
    for (event, span) in parser.into_offset_iter() {
        let Some(part) = text.get(span.clone()) else { continue };
        match event {
            Event::Start(Tag::Heading { .. }) => found.extend(mark(part).map(|at| span.start + at)),
            Event::Start(Tag::HtmlBlock) => found.extend(part.find('<').map(|at| span.start + at)),
            Event::Start(Tag::CodeBlock(_)) => code.push(span),
            // A rule has no front matter: a first line of `---` is text.
            Event::Rule if span.start == 0 => found.push(span.start),
            _ => {}
        }
    }
    found.extend(underlines(text).into_iter().filter(|at| !code.iter().any(|span| span.contains(at))));
    found.sort_unstable();
    found.dedup();
    found
}

/// Lines that would underline the line before them if that became part of a paragraph.
fn underlines(text: &str) -> Vec<usize> {
    let mut found = Vec::new();
    let (mut at, mut is_behind_text) = (0, false);
    for line in text.split_inclusive('\n') {
        let marks = line.trim();
        let is_line = !marks.is_empty() && ['=', '-'].iter().any(|mark| marks.chars().all(|it| it == *mark));
        if is_line && is_behind_text {
            found.push(at + line.len() - line.trim_start().len());
        }
        is_behind_text = !marks.is_empty();
        at += line.len();
    }
    found
}

/// What makes a heading of this: its first `#`, or the line below it.
fn mark(heading: &str) -> Option<usize> {
    let before = heading.len() - heading.trim_start().len();
    if heading.trim_start().starts_with('#') {
        return Some(before);
    }
    let text = heading.trim_end();
    let line = text.rfind('\n')? + 1;
    let below = text.get(line..)?;
    let at = below.find(['=', '-'])?;
    Some(line + at)
}

/// The lines, with an end for a fence that has none.
fn closed(text: &str) -> Vec<String> {
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    // A fence that swallows the mark behind the text as well is still open.
    let probe = format!("{text}{AFTER}");
    let mut open = None;
    for (event, span) in Parser::new(&probe).into_offset_iter() {
        if let Event::Start(Tag::CodeBlock(CodeBlockKind::Fenced(_))) = event {
            let block = probe.get(span).unwrap_or_default();
            open = block.contains('\u{1}').then(|| fence(block));
        }
    }
    lines.extend(open);
    lines
}

/// The marks that a fenced block begins with.
fn fence(block: &str) -> String {
    let letter = block.chars().next().unwrap_or('`');
    block.chars().take_while(|it| *it == letter).collect()
}

/// The text as a code block, with a fence that it does not contain.
fn fenced(text: &str) -> Vec<String> {
    let longest = text.split(|letter| letter != '`').map(str::len).max().unwrap_or(0);
    let marks = "`".repeat(longest.max(2) + 1);
    let inner = text.lines().map(str::to_owned);
    std::iter::once(format!("{marks}text")).chain(inner).chain(std::iter::once(marks.clone())).collect()
}
