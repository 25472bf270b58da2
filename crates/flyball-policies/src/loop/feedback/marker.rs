//! Reads the result that an agent reports: a word on a line of its own, under its heading.
//!
//! The word anywhere else does not count: in a sentence, in a quote, in an example.

use flyball_core::text;

use super::settings::Phase;

/// What a result may be called on its own line.
const LABELS: [&str; 5] = ["verdict", "result", "status", "decision", "outcome"];
/// Emoji that mean a refusal.
const REFUSALS: [char; 9] = ['❌', '🚫', '⛔', '✗', '✘', '✖', '❎', '👎', '🛑'];
const MOST_ISSUES: usize = 20;
const MOST_LETTERS: usize = 400;

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct PhaseResult {
    /// Whether the phase passed.
    pub(super) passed: bool,
    /// The domains that it names, if any.
    pub(super) domains: Vec<String>,
    /// What was wrong; empty if it passed.
    pub(super) issues: Vec<String>,
}

/// The result of a phase in an agent's message; of several the last one.
pub(super) fn read(text: &str, phase: &Phase) -> Option<PhaseResult> {
    // Markdown does not show the backslash, nor a byte order mark.
    let text = text.trim_start_matches('\u{feff}').replace("\\_", "_");
    let text = text.as_str();
    // Most texts have neither word.
    if !phase.has_marker() || ![&phase.pass, &phase.fail].into_iter().any(|word| text.contains(word.as_str()))
    {
        return None;
    }
    read_plain(text, phase).or_else(|| read_fenced(text, phase))
}

fn read_plain(text: &str, phase: &Phase) -> Option<PhaseResult> {
    let lines = lines(text, phase);
    let mut sections = (0..lines.len()).rev().filter_map(|at| section(&lines, at, phase));
    sections.find_map(|section| parse_section(section, phase))
}

/// The result in a code block that ends the message: many agents put the whole template in one. A block that has both
/// words is the template itself, and behind a message that has the word for a failure it is an example.
fn read_fenced(text: &str, phase: &Phase) -> Option<PhaseResult> {
    let (before, block) = last_block(text)?;
    let has_both = block.contains(&phase.pass) && block.contains(&phase.fail);
    if has_both || before.contains(&phase.pass) || before.contains(&phase.fail) {
        return None;
    }
    read_plain(&block, phase)
}

/// The code block at the end of a message, and what comes before it.
fn last_block(text: &str) -> Option<(String, String)> {
    let lines: Vec<&str> = text.trim_end().lines().collect();
    let mut open: Option<(usize, &str)> = None;
    let mut last = None;
    for (at, line) in lines.iter().enumerate().filter(|(_, line)| indent(line) < 4) {
        let trimmed = line.trim();
        match open {
            Some((from, mark)) if closes(trimmed, mark) => {
                last = Some((from, at));
                open = None;
            }
            Some(_) => {}
            None => open = fence(trimmed).map(|mark| (at, mark)),
        }
    }
    let (from, to) = last.filter(|(_, to)| open.is_none() && to + 1 == lines.len())?;
    Some((lines.get(..from)?.join("\n"), lines.get(from + 1..to)?.join("\n")))
}

/// A line by what it is in Markdown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Line<'a> {
    Heading {
        level: usize,
        text: &'a str,
    },
    /// The first line of an entry of a list.
    Item {
        indent: usize,
        text: &'a str,
    },
    Text {
        text: &'a str,
    },
    Blank,
    /// Code, a quote or a comment.
    Hidden,
}

impl<'a> Line<'a> {
    fn text(&self) -> &'a str {
        match self {
            Line::Heading { text, .. } | Line::Item { text, .. } | Line::Text { text } => text,
            Line::Blank | Line::Hidden => "",
        }
    }
}

/// What lines are hidden by.
enum Inside<'a> {
    Nothing,
    Fence(&'a str),
    Comment,
    Quotation,
}

fn lines<'a>(text: &'a str, phase: &Phase) -> Vec<Line<'a>> {
    let raw: Vec<&str> = text.lines().collect();
    let mut lines = Vec::with_capacity(raw.len());
    let mut inside = Inside::Nothing;
    for (at, line) in raw.iter().enumerate() {
        let mut read = next(line, &mut inside);
        // A marker above a rule is not a heading.
        if let Line::Text { text } = read
            && !is_marker(text, &phase.pass)
            && !is_marker(text, &phase.fail)
            && let Some(level) = raw.get(at + 1).and_then(|line| underline(line))
        {
            read = Line::Heading { level, text };
        }
        lines.push(read);
    }
    lines
}

fn next<'a>(line: &'a str, inside: &mut Inside<'a>) -> Line<'a> {
    let trimmed = line.trim();
    let indent = indent(line);
    match inside {
        Inside::Fence(fence) => {
            if indent < 4 && closes(trimmed, fence) {
                *inside = Inside::Nothing;
            }
            return Line::Hidden;
        }
        Inside::Comment => {
            if trimmed.contains("-->") {
                *inside = Inside::Nothing;
            }
            return Line::Hidden;
        }
        Inside::Quotation | Inside::Nothing => {}
    }
    if trimmed.is_empty() {
        *inside = Inside::Nothing;
        return Line::Blank;
    }
    if let Some(fence) = fence(trimmed) {
        *inside = Inside::Fence(fence);
        return Line::Hidden;
    }
    if trimmed.starts_with("<!--") {
        *inside = if trimmed.contains("-->") { Inside::Nothing } else { Inside::Comment };
        return Line::Hidden;
    }
    if let Some(quoted) = trimmed.strip_prefix('>') {
        // An empty line of a quotation ends its paragraph.
        *inside = if quoted.trim().is_empty() { Inside::Nothing } else { Inside::Quotation };
        return Line::Hidden;
    }
    if let Some(heading) = heading(trimmed).filter(|_| indent < 4) {
        *inside = Inside::Nothing;
        return heading;
    }
    if let Some(text) = item(trimmed) {
        *inside = Inside::Nothing;
        return Line::Item { indent, text };
    }
    match inside {
        // A paragraph that began in a quotation goes on in it.
        Inside::Quotation => Line::Hidden,
        _ => Line::Text { text: line.trim_end() },
    }
}

fn indent(line: &str) -> usize {
    let white = line.chars().take_while(|letter| letter.is_whitespace());
    white.map(|letter| if letter == '\t' { 4 } else { 1 }).sum()
}

/// The characters that open a code block.
fn fence(trimmed: &str) -> Option<&str> {
    let letter = trimmed.chars().next().filter(|letter| matches!(letter, '`' | '~'))?;
    let rest = trimmed.trim_start_matches(letter);
    let length = trimmed.len() - rest.len();
    let is_inline = letter == '`' && rest.contains('`');
    (length >= 3 && !is_inline).then(|| trimmed.get(..length)).flatten()
}

fn closes(trimmed: &str, open: &str) -> bool {
    fence(trimmed).is_some_and(|fence| fence == trimmed && fence.starts_with(open))
}

/// `## Review Result`
fn heading(trimmed: &str) -> Option<Line<'_>> {
    let text = trimmed.trim_start_matches('#');
    let level = trimmed.len() - text.len();
    let is_heading = (1..=6).contains(&level) && (text.is_empty() || text.starts_with([' ', '\t']));
    is_heading.then(|| Line::Heading { level, text: text.trim().trim_end_matches('#') })
}

/// The level of the heading that this line makes of the one above.
fn underline(line: &str) -> Option<usize> {
    let trimmed = line.trim();
    let is_all = |letter: char| trimmed.len() > 1 && trimmed.chars().all(|it| it == letter);
    if indent(line) > 3 {
        return None;
    }
    if is_all('=') { Some(1) } else { is_all('-').then_some(2) }
}

/// The text behind `-`, `*`, `+`, `1.` or `1)`.
fn item(trimmed: &str) -> Option<&str> {
    let behind_bullet = trimmed.strip_prefix(['-', '*', '+']);
    let behind = behind_bullet.or_else(|| {
        let rest = trimmed.trim_start_matches(|letter: char| letter.is_ascii_digit());
        // CommonMark allows at most nine digits.
        let has_number = rest.len() < trimmed.len() && trimmed.len() - rest.len() < 10;
        rest.strip_prefix(['.', ')']).filter(|_| has_number)
    })?;
    behind.starts_with([' ', '\t']).then(|| behind.trim())
}

/// The part of a text below a heading, and what comes after it.
#[derive(Clone, Copy)]
struct Section<'l, 'a> {
    /// Up to the next heading of the same level or above that is not itself the result.
    lines: &'l [Line<'a>],
    behind: &'l [Line<'a>],
}

/// The section of the heading at a place, if it has this text.
fn section<'l, 'a>(lines: &'l [Line<'a>], at: usize, phase: &Phase) -> Option<Section<'l, 'a>> {
    let Some(Line::Heading { level, text }) = lines.get(at) else { return None };
    let below = lines.get(at + 1..).filter(|_| plain(text) == plain(&phase.heading))?;
    let mut end = until(below, *level).len();
    // `## REVIEW_APPROVED` below `## Review Result` is the result, and not the next section.
    while is_result_heading(below, end, phase) {
        end += 1 + until(below.get(end + 1..).unwrap_or_default(), *level).len();
    }
    Some(Section {
        lines: below.get(..end).unwrap_or_default(),
        behind: below.get(end..).unwrap_or_default(),
    })
}

/// Whether a line is a heading with nothing but the word of a result, and the text above it does not lead to it: `If that
/// were fixed:` makes it an example.
fn is_result_heading(lines: &[Line<'_>], at: usize, phase: &Phase) -> bool {
    let Some(Line::Heading { text, .. }) = lines.get(at) else { return false };
    let above = lines.get(..at).unwrap_or_default().iter().rev();
    let leads_on = above.into_iter().find_map(|line| match line {
        Line::Blank | Line::Hidden => None,
        Line::Heading { .. } => Some(false),
        Line::Text { text } | Line::Item { text, .. } => {
            let text = text.trim_end_matches(|letter: char| letter.is_whitespace() || "*_`".contains(letter));
            Some(text.ends_with([':', ',', '-', '…']) || text.ends_with("..."))
        }
    });
    [&phase.pass, &phase.fail].into_iter().any(|word| is_marker(text, word)) && leads_on != Some(true)
}

fn until<'l, 'a>(lines: &'l [Line<'a>], level: usize) -> &'l [Line<'a>] {
    let ends = |line: &Line<'_>| matches!(line, Line::Heading { level: other, .. } if *other <= level);
    let end = lines.iter().position(ends).unwrap_or(lines.len());
    lines.get(..end).unwrap_or_default()
}

/// A heading's text as it is compared.
fn plain(text: &str) -> String {
    let bare = |text: &str| text.trim_matches(|it: char| is_decoration(it) || it == ':').to_owned();
    let text = bare(text);
    // `1. Review Result`
    text::one_line(&item(&text).map_or_else(|| text.clone(), bare)).to_lowercase()
}

/// Whether a line is nothing but this word, decorated, with a full stop or behind a label: `Verdict: REVIEW_APPROVED`. Four
/// spaces in front of it make it an example.
fn is_marker(line: &str, word: &str) -> bool {
    let text = unlabelled(line.trim_start_matches(is_decoration)).trim_start_matches(is_decoration);
    let bare = text.trim_end_matches(|letter: char| is_decoration(letter) || matches!(letter, '.' | '!'));
    indent(line) < 4 && bare == word
}

/// A line without what it calls a result: `Status: `.
fn unlabelled(line: &str) -> &str {
    let behind = line.split_once(':').filter(|(label, _)| LABELS.contains(&plain(label).as_str()));
    behind.map_or(line, |(_, rest)| rest)
}

/// Emphasis, code marks and pictures: `✅ **REVIEW_APPROVED**`. Quotation marks are none.
fn is_decoration(letter: char) -> bool {
    let is_picture =
        !letter.is_ascii() && !letter.is_alphanumeric() && !"“”„‟‘’‚‛«»‹›「」『』".contains(letter);
    letter.is_whitespace() || "*_`".contains(letter) || is_picture
}

fn parse_section(section: Section<'_, '_>, phase: &Phase) -> Option<PhaseResult> {
    let is_word = |line: &Line<'_>, word: &str| match line {
        Line::Text { text } => is_marker(text, word),
        // Deeper in a list it belongs to an entry.
        Line::Item { indent, text } => *indent < 2 && is_marker(text, word),
        Line::Heading { text, .. } => is_marker(text, word),
        Line::Blank | Line::Hidden => false,
    };
    let has = |word: &str| section.lines.iter().any(|line| is_word(line, word));
    // A pass has to be unambiguous: with both words, the phase failed.
    let failed = has(&phase.fail);
    if !failed && !has(&phase.pass) {
        return None;
    }
    // `❌ REVIEW_APPROVED` says both.
    let refuses = |line: &Line<'_>| line.text().contains(REFUSALS) && is_word(line, &phase.pass);
    if section.lines.iter().any(refuses) {
        return None;
    }
    let issues = if failed { issues(section, phase) } else { Vec::new() };
    Some(PhaseResult { passed: !failed, domains: domains(section.lines), issues })
}

/// `Domains: backend, frontend`
fn domains(section: &[Line<'_>]) -> Vec<String> {
    let named = section.iter().find_map(|line| {
        // An issue may well begin with `Domain:`.
        let (text, keys) = match line {
            Line::Text { text } => (text, ["domains", "domain"].as_slice()),
            Line::Item { text, .. } => (text, ["domains"].as_slice()),
            Line::Heading { .. } | Line::Blank | Line::Hidden => return None,
        };
        let (key, names) = text.split_once(':')?;
        keys.contains(&plain(key).as_str()).then_some(names)
    });
    let bare = |name: &str| {
        name.trim_matches(|letter: char| letter.is_whitespace() || "*_`.".contains(letter)).to_owned()
    };
    let names = named.unwrap_or_default().split([',', ';']).flat_map(|part| part.split(" and ")).map(bare);
    names.filter(|name| !name.is_empty()).collect()
}

fn issues(section: Section<'_, '_>, phase: &Phase) -> Vec<String> {
    let mut listed = Vec::new();
    for (at, _) in section.lines.iter().enumerate() {
        listed.extend(items_below(section.lines.get(at..).unwrap_or_default(), phase));
    }
    if listed.is_empty() {
        listed = items(section.lines);
    }
    if listed.is_empty() {
        // Many put the issues beside the result, not below it.
        listed = items_below(section.behind, phase);
    }
    if listed.is_empty() {
        listed.extend(prose(section.lines, phase));
    }
    let listed = listed.into_iter().filter(|issue| !is_marker(issue, &phase.fail));
    let listed = listed.map(|issue| short(&issue)).filter(|issue| !issue.is_empty());
    let listed: Vec<String> = listed.take(MOST_ISSUES).collect();
    if listed.is_empty() { vec!["no issue was named".to_owned()] } else { listed }
}

/// The list below the first line, if that is a heading of issues.
fn items_below(lines: &[Line<'_>], phase: &Phase) -> Vec<String> {
    let Some((Line::Heading { level, text }, below)) = lines.split_first() else { return Vec::new() };
    let is_meant = phase.issues.iter().any(|heading| plain(heading) == plain(text));
    if is_meant { items(until(below, *level)) } else { Vec::new() }
}

/// The entries of the lists, each with the lines that belong to it.
fn items(lines: &[Line<'_>]) -> Vec<String> {
    let mut items: Vec<(usize, String)> = Vec::new();
    let (mut is_open, mut is_apart) = (false, false);
    for line in lines {
        match line {
            Line::Item { indent, text } => match items.last_mut().filter(|_| is_open) {
                // A nested item is part of the one above it.
                Some((above, whole)) if *indent > *above + 1 => {
                    *whole = format!("{whole}; {}", unticked(text))
                }
                _ => {
                    items.push((*indent, unticked(text).to_owned()));
                    is_open = true;
                }
            },
            Line::Text { text } => {
                // After an empty line, only indented text still belongs to the item.
                is_open &= !is_apart || indent(text) > 1;
                if let Some((_, whole)) = items.last_mut().filter(|_| is_open) {
                    *whole = format!("{whole} {}", text.trim());
                }
            }
            Line::Heading { .. } => is_open = false,
            Line::Blank | Line::Hidden => {}
        }
        is_apart = matches!(line, Line::Blank);
    }
    // `None.` below a heading of issues is not an issue.
    let is_issue = |text: &String| !matches!(plain(text).trim_end_matches('.'), "" | "none" | "n/a");
    items.into_iter().map(|(_, text)| text).filter(is_issue).collect()
}

/// A list entry without its box.
fn unticked(text: &str) -> &str {
    let boxes = ["[ ]", "[x]", "[X]"];
    boxes.iter().find_map(|tick| text.strip_prefix(tick)).map_or(text, str::trim)
}

/// The text of a section besides its result.
fn prose(section: &[Line<'_>], phase: &Phase) -> Option<String> {
    let texts = section.iter().filter_map(|line| match line {
        Line::Text { text } if !is_marker(text, &phase.fail) && !is_marker(text, &phase.pass) => {
            Some(text.trim())
        }
        _ => None,
    });
    let is_key = |text: &&str| text.split_once(':').is_some_and(|(key, _)| plain(key).starts_with("domain"));
    let whole = texts.filter(|text| !is_key(text)).collect::<Vec<_>>().join(" ");
    (!whole.is_empty()).then_some(whole)
}

/// A text on one line, cut where it gets long.
fn short(text: &str) -> String {
    text::cut_trimmed(&text::one_line(text), MOST_LETTERS).into_owned()
}
