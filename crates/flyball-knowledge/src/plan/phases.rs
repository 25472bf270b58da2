//! The phases of a plan: from headings, from a table that lists them, and from files of their own.

use super::blocks::{Block, blocks, boxes, plain};
use super::head;

/// A larger `total_phases` is a typo.
const MOST: u32 = 999;

/// One phase of a plan.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Phase {
    pub number: u32,
    /// The part of that number, for `Phase 1.2`; 0 for none.
    pub part: u32,
    /// Whether it verifies the phase of the same number: `Phase 2V`.
    pub verifies: bool,
    /// Its heading, without the number.
    pub title: String,
    /// Its unticked boxes, in order.
    pub open: Vec<String>,
    /// How many are ticked.
    pub ticked: usize,
    pub is_complete: bool,
    /// Whether it has neither boxes nor a status.
    pub is_bare: bool,
}

impl Phase {
    /// `2` or, for the one that verifies it, `2V`; `1.2` for a part of one.
    #[must_use]
    pub fn label(&self) -> String {
        let part = if self.part == 0 { String::new() } else { format!(".{}", self.part) };
        format!("{}{part}{}", self.number, if self.verifies { "V" } else { "" })
    }
}

/// A phase while it is being read.
#[derive(Clone, Debug, Default)]
struct Draft {
    number: u32,
    part: u32,
    verifies: bool,
    title: String,
    open: Vec<String>,
    ticked: usize,
    /// Its statuses in the heading, the body and the table.
    statuses: Vec<String>,
    /// Whether only its place says which phase it verifies: `Verification`, right after it.
    is_implied: bool,
}

/// The `current_phase` of the head: the number, its part, and whether it is the verification.
type Position = (u32, u32, bool);

/// The phases of a plan in working order. `files` are the names and texts of the phase files.
pub(super) fn phases(text: &str, files: &[(String, String)]) -> Vec<Phase> {
    let mut drafts = parse_text(text);
    let mut seen = Vec::new();
    for (name, text) in files {
        seen.extend(add_file(&mut drafts, (name, text), &seen));
    }
    let position = head::value(text, "current_phase").and_then(position);
    let total: u32 =
        head::value(text, "total_phases").and_then(|total| total.parse().ok()).unwrap_or_default();
    if !counts_verifications(&drafts, total) {
        for number in 1..=total.min(MOST) {
            if !drafts.iter().any(|draft| draft.number == number) {
                drafts.push(Draft { number, ..Draft::default() });
            }
        }
    }
    if drafts.is_empty() {
        drafts.extend(whole(text));
    }
    // What is divided into parts is done when they are.
    let divided: Vec<u32> = drafts.iter().filter(|draft| draft.part > 0).map(|draft| draft.number).collect();
    drafts.retain(|draft| draft.part > 0 || !draft.is_bare() || !divided.contains(&draft.number));
    // A phase comes before the one that verifies it.
    drafts.sort_by_key(Draft::key);
    settle(drafts, position)
}

/// Whether a total in the head also counts the phases that verify others: all are there, and each is verified.
fn counts_verifications(drafts: &[Draft], total: u32) -> bool {
    let has = |key: Position| drafts.iter().any(|one| one.key() == key);
    let other = |draft: &Draft| (draft.number, draft.part, !draft.verifies);
    drafts.len() == total as usize && drafts.iter().all(|draft| has(other(draft)))
}

/// A plan without recognizable phases is one phase if it has boxes.
fn whole(text: &str) -> Option<Draft> {
    let mut draft = Draft { number: 1, ..Draft::default() };
    for block in blocks(text) {
        match block {
            Block::Text { text, .. } => draft.tick(&text),
            Block::Row { cells, .. } => cells.iter().for_each(|cell| draft.tick(cell)),
            Block::Heading(..) => {}
        }
    }
    (!draft.is_bare()).then_some(draft)
}

/// `3` or `3V`.
fn position(text: &str) -> Option<Position> {
    let (number, part, rest) = phase_number(text)?;
    Some((number, part, is_verification(rest)))
}

fn settle(drafts: Vec<Draft>, position: Option<Position>) -> Vec<Phase> {
    // A phase without boxes counts as done once a later one was started.
    let last_begun = drafts.iter().rposition(|draft| draft.ticked > 0 || draft.is_done());
    // The head says what is behind. It may not have been changed since, so what a phase says of itself counts, too.
    let is_behind = |draft: &Draft| position.is_some_and(|at| draft.key() < at);
    let is_complete = |at: usize, draft: &Draft| {
        let is_passed = draft.is_bare() && last_begun.is_some_and(|last| at < last);
        is_behind(draft) || draft.is_done() || is_passed
    };
    let complete: Vec<bool> = drafts.iter().enumerate().map(|(at, draft)| is_complete(at, draft)).collect();
    drafts.into_iter().zip(complete).map(|(draft, is_complete)| draft.phase(is_complete)).collect()
}

impl Draft {
    /// What it is told from others by, in working order.
    fn key(&self) -> Position {
        (self.number, self.part, self.verifies)
    }

    /// Whether its status is done or all its boxes are ticked.
    fn is_done(&self) -> bool {
        // All boxes can be ticked while the status is `failed`.
        let has_failed = self.statuses.iter().any(|word| is_failed(word));
        let is_ticked = self.ticked > 0 && self.open.is_empty() && !has_failed;
        is_ticked || self.statuses.iter().any(|word| is_done(word))
    }

    fn is_bare(&self) -> bool {
        self.ticked == 0 && self.open.is_empty() && self.statuses.is_empty()
    }

    fn tick(&mut self, text: &str) {
        for (is_ticked, label) in boxes(text) {
            if is_ticked {
                self.ticked += 1;
            } else {
                self.open.push(label);
            }
        }
    }

    /// The phase that verifies this one, by a title without a number.
    fn verified_by(&self, title: &str) -> Option<Draft> {
        let is_new = is_about_verification(title) && !self.verifies;
        is_new.then(|| Draft {
            number: self.number,
            part: self.part,
            verifies: true,
            title: title.trim().to_owned(),
            is_implied: true,
            ..Draft::default()
        })
    }

    fn phase(self, is_complete: bool) -> Phase {
        let is_bare = self.is_bare();
        let Draft { number, part, verifies, title, open, ticked, .. } = self;
        Phase { number, part, verifies, title, open, ticked, is_complete, is_bare }
    }
}

/// The phases in the plan itself.
fn parse_text(text: &str) -> Vec<Draft> {
    let mut drafts: Vec<Draft> = Vec::new();
    // The enclosing headings, and the phase that each belongs to.
    let mut path: Vec<(u8, Option<usize>)> = Vec::new();
    let mut listed = Vec::new();
    let mut columns = None;
    // The level of the last phase's heading.
    let mut phase_level = 0;
    for block in blocks(text) {
        let at = path.last().and_then(|(_, phase)| *phase);
        let phase = at.and_then(|at| drafts.get_mut(at));
        match block {
            Block::Heading(level, title) => {
                path.retain(|(above, _)| *above < level);
                // The first level is the title of the plan, and deeper ones are parts of a phase.
                let is_level = (2..=3).contains(&level);
                let implied = || drafts.last().filter(|_| level == phase_level)?.verified_by(&title);
                if let Some(draft) = heading(&title).or_else(implied).filter(|_| is_level) {
                    phase_level = level;
                    path.push((level, Some(drafts.len())));
                    let draft = as_verification(draft, &drafts);
                    drafts.push(draft);
                } else {
                    let above = path.last().and_then(|(_, phase)| *phase);
                    path.push((level, above));
                }
            }
            Block::Text { text, .. } => {
                if let Some(phase) = phase {
                    phase.tick(&text);
                    phase.statuses.extend(field(&text));
                }
            }
            Block::Row { is_head: true, cells } => columns = Columns::find(&cells),
            Block::Row { is_head: false, cells } => match (phase, &columns) {
                (Some(phase), _) => {
                    cells.iter().for_each(|cell| phase.tick(cell));
                    phase.statuses.extend(pair(&cells));
                }
                (None, Some(columns)) => listed.extend(columns.row(&cells)),
                (None, None) => {}
            },
        }
    }
    // A section with that title that has nothing to tick is prose.
    drafts.retain(|draft| !(draft.is_implied && draft.is_bare()));
    // Last, because the table may be above the headings of the phases that it lists.
    let mut rows: Vec<Draft> = Vec::new();
    for row in listed {
        rows.push(as_verification(row, &rows));
    }
    rows.into_iter().for_each(|row| merge(&mut drafts, row));
    drafts
}

/// A second phase of a number whose title says so verifies the first: `Phase 2: Verification`.
fn as_verification(draft: Draft, earlier: &[Draft]) -> Draft {
    let is_second =
        earlier.iter().any(|one| (one.number, one.part) == (draft.number, draft.part) && !one.verifies);
    let verifies = draft.verifies || (is_second && is_about_verification(&draft.title));
    Draft { verifies, ..draft }
}

/// Whether a title begins with `Verification`, `Verify` …
fn is_about_verification(title: &str) -> bool {
    let word = title.trim_start_matches(|letter: char| !letter.is_alphanumeric());
    word.get(.."verif".len()).is_some_and(|word| word.eq_ignore_ascii_case("verif"))
}

/// Adds a table row to the phase of the same number.
fn merge(drafts: &mut Vec<Draft>, row: Draft) {
    let is_same = |draft: &&mut Draft| draft.key() == row.key();
    match drafts.iter_mut().find(is_same) {
        Some(draft) => {
            draft.statuses.extend(row.statuses);
            draft.ticked += row.ticked;
            draft.open.extend(row.open);
            if draft.title.is_empty() {
                draft.title = row.title;
            }
        }
        None => drafts.push(row),
    }
}

/// Adds a phase file: `01-setup.md`, `phase-2V.md`. Returns its number, if it is one; `seen` are those of other files.
fn add_file(drafts: &mut Vec<Draft>, (name, text): (&str, &str), seen: &[u32]) -> Option<u32> {
    let stem = name.rsplit_once('.').map_or(name, |(stem, _)| stem);
    let at = stem.find(|letter: char| letter.is_ascii_digit())?;
    let (number, part, rest) = phase_number(stem.get(at..)?)?;
    let verifies = is_verification(rest) || (seen.contains(&number) && is_about_verification(rest));
    let mut draft = Draft { number, part, verifies, ..Draft::default() };
    draft.statuses.extend(head::value(text, "status").filter(|word| !word.is_empty()).map(str::to_lowercase));
    for block in blocks(text) {
        match block {
            Block::Heading(_, title) if draft.title.is_empty() => {
                let named = heading(&title);
                draft.title = named.map_or(title, |named| named.title);
            }
            Block::Heading(..) => {}
            Block::Text { text, .. } => {
                draft.tick(&text);
                draft.statuses.extend(field(&text));
            }
            Block::Row { cells, .. } => {
                cells.iter().for_each(|cell| draft.tick(cell));
                draft.statuses.extend(pair(&cells));
            }
        }
    }
    if draft.title.is_empty() {
        draft.title = plain(&rest.trim_start_matches(['v', 'V']).replace(['-', '_'], " "));
    }
    // The file beats a line in the plan: it has the title and the open boxes.
    match drafts.iter_mut().find(|one| one.key() == draft.key()) {
        Some(one) => {
            draft.statuses.append(&mut one.statuses);
            *one = draft;
        }
        None => drafts.push(draft),
    }
    Some(number)
}

/// `Phase 10V: Verification`, with any symbols before it.
fn heading(title: &str) -> Option<Draft> {
    let bare = title.trim_start_matches(|letter: char| !letter.is_alphanumeric());
    let rest = bare.get(.."phase".len()).filter(|word| word.eq_ignore_ascii_case("phase"));
    let rest =
        rest.and_then(|word| bare.get(word.len()..)).filter(|rest| rest.starts_with([' ', '-', '\u{a0}']))?;
    let (number, part, rest) = phase_number(rest.trim_start_matches([' ', '-', '\u{a0}']))?;
    let verifies = is_verification(rest);
    let rest = if verifies { rest.get(1..).unwrap_or_default() } else { rest };
    let mut draft = Draft { number, part, verifies, ..Draft::default() };
    draft.tick(title);
    // An open box in a heading is for the phase itself, not for a step of it.
    draft.open.clear();
    if title.contains(['✅', '✔', '☑']) {
        draft.statuses.push("done".to_owned());
    }
    let mut name = rest.trim().trim_start_matches([':', '.', '-', '–', '—', ' ']);
    for mark in ["[x]", "[X]", "[ ]"] {
        name = name.strip_suffix(mark).unwrap_or(name).trim_end();
    }
    if let Some((before, inside)) = name.strip_suffix(')').and_then(|name| name.rsplit_once('('))
        && is_done(&inside.to_lowercase())
    {
        draft.statuses.push(inside.to_lowercase());
        name = before;
    }
    draft.title = name
        .trim_matches(|letter: char| letter.is_whitespace() || "✅✔☑\u{fe0f}".contains(letter))
        .to_owned();
    Some(draft)
}

/// The number that a text begins with.
fn numbered(text: &str) -> Option<(u32, &str)> {
    let end = text.find(|letter: char| !letter.is_ascii_digit()).unwrap_or(text.len());
    let (digits, rest) = text.split_at_checked(end)?;
    Some((digits.parse().ok()?, rest))
}

/// The number and its part that a text begins with: `1.2` is part 2 of 1, and `1.` is 1.
fn phase_number(text: &str) -> Option<(u32, u32, &str)> {
    let (number, rest) = numbered(text)?;
    let part = rest.strip_prefix('.').and_then(numbered);
    Some(part.map_or((number, 0, rest), |(part, rest)| (number, part, rest)))
}

/// Whether the text after a number marks a verification phase.
fn is_verification(rest: &str) -> bool {
    let rest = rest.strip_prefix(['v', 'V']);
    rest.is_some_and(|rest| !rest.starts_with(|letter: char| letter.is_alphanumeric()))
}

/// The status in a line `Status: completed` or a part `… | Status: completed | …` of a paragraph; prose with those words
/// does not count.
fn field(text: &str) -> Option<String> {
    for line in text.lines() {
        for part in line.split('|') {
            let (name, value) = part.split_once(':').map_or((part, ""), |(name, value)| (name.trim(), value));
            if name.eq_ignore_ascii_case("status") {
                return word(value);
            }
        }
        // Other short fields may come before the status; a line of prose ends the search.
        let is_field = line.split_once(':').is_some_and(|(name, _)| name.split_whitespace().count() <= 3);
        if !is_field {
            return None;
        }
    }
    None
}

/// The status in a value that is only a status, without the symbols around it.
fn word(value: &str) -> Option<String> {
    let value = value.to_lowercase();
    let bare = value.split(['(', '—', '–', ',']).next().unwrap_or_default();
    let bare = bare.trim_matches(|letter: char| !letter.is_alphanumeric());
    (!bare.is_empty() && bare.split_whitespace().count() <= 2).then(|| bare.to_owned())
}

/// `| Status | completed |`.
fn pair(cells: &[String]) -> Option<String> {
    match cells {
        [name, value, ..] if name.trim_end_matches(':').eq_ignore_ascii_case("status") => word(value),
        _ => None,
    }
}

fn is_done(word: &str) -> bool {
    matches!(word.trim(), "completed" | "complete" | "done" | "finished" | "passed" | "verified" | "skipped")
}

fn is_failed(word: &str) -> bool {
    matches!(word.trim(), "failed" | "error" | "blocked")
}

/// The columns of a table that lists phases.
struct Columns {
    phase: usize,
    status: usize,
    title: Option<usize>,
}

impl Columns {
    fn find(cells: &[String]) -> Option<Columns> {
        let find = |names: &[&str]| {
            cells.iter().position(|cell| names.iter().any(|name| cell.trim().eq_ignore_ascii_case(name)))
        };
        let status = find(&["status", "state"])?;
        let phase = find(&["#", "no", "no.", "phase", "number"])?;
        // In `| # | Phase | Status |`, the second column has the titles.
        let title = find(&["title", "name", "description", "goal"])
            .or_else(|| find(&["phase"]).filter(|column| *column != phase));
        Some(Columns { phase, status, title })
    }

    fn row(&self, cells: &[String]) -> Option<Draft> {
        let cell = cells.get(self.phase)?;
        let mut draft = heading(cell).or_else(|| heading(&format!("Phase {}", cell.trim())))?;
        let status = cells.get(self.status)?;
        draft.tick(status);
        draft.statuses.extend(word(status));
        if status.contains(['✅', '✔', '☑']) {
            draft.statuses.push("done".to_owned());
        }
        if let Some(title) = self.title.and_then(|title| cells.get(title)) {
            draft.title = title.trim().to_owned();
        }
        Some(draft)
    }
}
