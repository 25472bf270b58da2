//! Judges the differences between two versions.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use flyball_core::text;

use super::align::{Gap, gaps};
use super::hunks::Hunk;
use super::permission::{Change, Difference};
use super::piece::{Kind, Piece, Role};
use super::source::Source;
use super::strings;
use super::topics::{Permits, Topic};

pub(super) struct Versions {
    pub(super) before: Source,
    pub(super) after: Source,
}

/// Names that a finding asks to be changed, with their new names.
type Renames = BTreeMap<String, String>;

/// At most one reason for each place.
pub(super) fn reasons(versions: &Versions, hunks: &[Hunk], permits: &Permits<'_>) -> Vec<String> {
    let places: Vec<Place<'_>> = hunks.iter().map(|hunk| Place::new(versions, hunk)).collect();
    let renames: Renames = places.iter().flat_map(|place| place.renames(permits)).collect();
    let changed: BTreeSet<&str> = places.iter().flat_map(Place::changed_words).collect();
    let reason = |place: &Place<'_>| {
        place.import_reason(permits, &changed).or_else(|| place.reason(permits, &renames))
    };
    places.iter().filter_map(reason).collect()
}

/// One place where the versions differ.
struct Place<'s> {
    hunk: &'s Hunk,
    before: Vec<&'s Piece>,
    after: Vec<&'s Piece>,
    /// The same for its imports.
    imports: [Vec<&'s Piece>; 2],
}

impl<'s> Place<'s> {
    fn new(versions: &'s Versions, hunk: &'s Hunk) -> Place<'s> {
        let is_import = |piece: &&Piece| piece.role == Role::Import;
        let (imports_before, before) = versions.before.within(&hunk.before).into_iter().partition(is_import);
        let (imports_after, after) = versions.after.within(&hunk.after).into_iter().partition(is_import);
        Place { hunk, before, after, imports: [imports_before, imports_after] }
    }

    /// Names for which others are used, where a finding is about one of the two.
    fn renames(&self, permits: &Permits<'_>) -> Vec<(String, String)> {
        let pairs = self.replaced_names();
        let named = pairs.into_iter().filter(|(old, new)| {
            old.kind == Kind::Name
                && (permits.names(old.line, &old.text) || permits.names(old.line, &new.text))
        });
        named.map(|(old, new)| (old.text.clone(), new.text.clone())).collect()
    }

    /// Pairs of names, one of which takes the place of the other.
    fn replaced_names(&self) -> Vec<(&'s Piece, &'s Piece)> {
        let gaps = gaps(&texts(&self.before), &texts(&self.after));
        let pair = |gap: &Gap| {
            let is_one = gap.old.len() == 1 && gap.new.len() == 1;
            let old = self.before.get(gap.old.start).filter(|_| is_one)?;
            let new = self.after.get(gap.new.start)?;
            (old.kind == Kind::Name && new.kind == Kind::Name).then_some((*old, *new))
        };
        gaps.iter().filter_map(pair).collect()
    }

    /// The words that are only in one version, outside of imports.
    fn changed_words(&self) -> BTreeSet<&'s str> {
        let words = |pieces: &[&'s Piece]| -> BTreeSet<&'s str> {
            pieces.iter().map(|piece| piece.text.as_str()).collect()
        };
        words(&self.before).symmetric_difference(&words(&self.after)).copied().collect()
    }

    /// An import changes for a finding about it, or with the code that uses it.
    fn import_reason(&self, permits: &Permits<'_>, changed: &BTreeSet<&str>) -> Option<String> {
        let [before, after] = &self.imports;
        if texts(before) == texts(after) || permits.any_is_about(Topic::Import) {
            return None;
        }
        let is_layout = permits.is_near(self.hunk)
            && permits.is_about(self.hunk.shown_line(), Topic::Layout)
            && sorted_names(before) == sorted_names(after);
        let (old, new) = (sorted_names(before), sorted_names(after));
        let is_known = |name: &&&str| changed.contains(**name) || permits.any_names(name);
        let difference: BTreeSet<&str> = old.symmetric_difference(&new).copied().collect();
        let is_used = difference.is_empty() || difference.iter().any(|name| is_known(&name));
        (!is_layout && !is_used).then(|| {
            format!("it changes an import in line {}, which no finding is about", self.hunk.shown_line())
        })
    }

    fn reason(&self, permits: &Permits<'_>, renames: &Renames) -> Option<String> {
        let before: Vec<Piece> = self.before.iter().map(|piece| renamed(piece, renames)).collect();
        let before: Vec<&Piece> = before.iter().collect();
        let is_same = texts(&before) == texts(&self.after);
        let only_imports = is_same && texts(&self.imports[0]) != texts(&self.imports[1]);
        let only_renames = is_same && texts(&self.before) != texts(&self.after);
        if !(only_imports || only_renames || permits.is_near(self.hunk)) {
            return permits.distance_reason(self.hunk);
        }
        let compared = Compared::new(&before, &self.after, self.hunk);
        compared.reason(permits)
    }
}

/// The pieces of one place in both versions, those of the new one with the line of the old one that they belong to.
struct Compared<'p> {
    before: Vec<&'p Piece>,
    after: Vec<&'p Piece>,
    after_lines: Vec<usize>,
}

/// How pieces of one kind are checked.
struct Check<'c> {
    what: &'c str,
    selects: &'c dyn Fn(&Piece) -> bool,
    allows: &'c dyn Fn(&Difference<'_>) -> bool,
}

impl<'p> Compared<'p> {
    fn new(before: &[&'p Piece], after: &[&'p Piece], hunk: &Hunk) -> Compared<'p> {
        let mut after_lines = vec![hunk.shown_line(); after.len()];
        let mut last = Gap { old: 0..0, new: 0..0 };
        let end = Gap { old: before.len()..before.len(), new: after.len()..after.len() };
        for gap in gaps(&texts(before), &texts(after)).into_iter().chain([end]) {
            for (old, new) in (last.old.end..gap.old.start).zip(last.new.end..gap.new.start) {
                set_line(&mut after_lines, new, before.get(old));
            }
            let near = before.get(gap.old.start).or_else(|| before.get(gap.old.start.saturating_sub(1)));
            gap.new.clone().for_each(|new| set_line(&mut after_lines, new, near));
            last = gap;
        }
        Compared { before: before.to_vec(), after: after.to_vec(), after_lines }
    }

    fn reason(&self, permits: &Permits<'_>) -> Option<String> {
        let in_role = |role: Role| move |piece: &Piece| piece.role == role;
        let of_kind = |kind: Kind| move |piece: &Piece| piece.kind == kind;
        let part = |topic: Topic| {
            move |difference: &Difference<'_>| {
                let others = if difference.change == Change::Added { &self.before } else { &self.after };
                // What replaces another piece may come from either side.
                difference.part_is_allowed(permits, topic, others)
                    || (difference.change == Change::Replaced
                        && is_in_both(difference.piece, &self.before, &self.after)
                        && difference.part_is_allowed(permits, topic, &self.before))
            }
        };
        let handling = part(Topic::Handling);
        let handler = |difference: &Difference<'_>| {
            permits.is_about(difference.line, Topic::Handling) || handling(difference)
        };
        let returned = part(Topic::Returned);
        let returned = |difference: &Difference<'_>| {
            returned(difference)
                || (permits.is_about(difference.line, Topic::Handling) && handling(difference))
        };
        let checks = [
            Check {
                what: "the control flow",
                selects: &of_kind(Kind::Control),
                allows: &|it| it.control_is_allowed(permits),
            },
            Check {
                what: "a condition",
                selects: &in_role(Role::Condition),
                allows: &part(Topic::Condition),
            },
            Check { what: "a returned value", selects: &in_role(Role::Returned), allows: &returned },
            Check { what: "which errors are caught", selects: &in_role(Role::Handler), allows: &handler },
            Check {
                what: "a literal",
                selects: &of_kind(Kind::Literal),
                allows: &|it| it.literal_is_allowed(permits),
            },
            Check {
                what: "an operator",
                selects: &of_kind(Kind::Operator),
                allows: &|it| it.operator_is_allowed(permits),
            },
            Check {
                what: "the control flow",
                selects: &of_kind(Kind::Branch),
                allows: &|it| it.branch_is_allowed(permits),
            },
        ];
        checks
            .iter()
            .find_map(|check| self.sequence_reason(check))
            .or_else(|| self.call_reason(permits))
            .or_else(|| self.name_reason(permits))
            .or_else(|| self.quoting_reason(permits))
    }

    /// Compares the pieces that a check is about, in order.
    fn sequence_reason(&self, check: &Check<'_>) -> Option<String> {
        let (old, _) = select(&self.before, &[], check.selects);
        let (new, new_lines) = select(&self.after, &self.after_lines, check.selects);
        let gap = gaps(&texts(&old), &texts(&new)).into_iter().find(|gap| {
            let change = change(gap);
            let removed = old.iter().take(gap.old.end).skip(gap.old.start);
            let removed = removed.map(|piece| Difference { piece, line: piece.line, change });
            let added = new.iter().zip(&new_lines).take(gap.new.end).skip(gap.new.start);
            let added = added.map(|(piece, line)| Difference { piece, line: *line, change });
            !removed.chain(added).all(|difference| (check.allows)(&difference))
        })?;
        Some(describe(check.what, &shown(&old, &gap.old), &shown(&new, &gap.new)))
    }

    /// Calls count: each that is new, and each that is gone.
    fn call_reason(&self, permits: &Permits<'_>) -> Option<String> {
        let is_call = |piece: &Piece| piece.is_callee;
        let (old, _) = select(&self.before, &[], &is_call);
        let (new, new_lines) = select(&self.after, &self.after_lines, &is_call);
        let lines: Vec<usize> = old.iter().map(|piece| piece.line).collect();
        let removed = surplus(&old, &lines, &new, Change::Removed);
        let added = surplus(&new, &new_lines, &old, Change::Added);
        // A finding about a call that is there may ask for another one in its place.
        let replaces = removed.iter().any(|call| permits.quotes(call.line, &call.piece.text));
        let is_extra =
            |call: &&Difference<'_>| !call.call_is_allowed(permits) && !self.is_path_named(call, permits);
        if let Some(call) = added.iter().find(is_extra).filter(|_| !replaces) {
            return Some(format!("it adds a call of `{}`", call.piece.text));
        }
        removed.iter().find(is_extra).map(|call| format!("it removes a call of `{}`", call.piece.text))
    }

    /// Whether a finding names what a method belongs to: `console` of `console.log`.
    fn is_path_named(&self, call: &Difference<'_>, permits: &Permits<'_>) -> bool {
        let pieces = if call.change == Change::Added { &self.after } else { &self.before };
        let at = pieces.iter().position(|piece| std::ptr::eq(*piece, call.piece));
        let mut parts = pieces.iter().take(at.unwrap_or(0)).rev();
        while parts.next().is_some_and(|sign| matches!(sign.text.as_str(), "." | "::" | "?.")) {
            match parts.next() {
                Some(owner) if owner.kind == Kind::Name && permits.names(call.line, &owner.text) => {
                    return true;
                }
                Some(owner) if owner.kind == Kind::Name => {}
                Some(_) | None => return false,
            }
        }
        false
    }

    /// A name in place of another one, that no finding is about.
    fn name_reason(&self, permits: &Permits<'_>) -> Option<String> {
        gaps(&texts(&self.before), &texts(&self.after)).iter().find_map(|gap| {
            let is_one = gap.old.len() == 1 && gap.new.len() == 1;
            let old = self.before.get(gap.old.start).filter(|_| is_one)?;
            let new = self.after.get(gap.new.start)?;
            let is_name = |piece: &Piece| piece.kind == Kind::Name && !piece.is_callee;
            let is_asked = [Topic::Annotation, Topic::Handling, Topic::Structure, Topic::Import]
                .iter()
                .any(|topic| permits.is_about(old.line, *topic))
                || permits.names(old.line, &old.text)
                || permits.names(old.line, &new.text);
            (is_name(old) && is_name(new) && !is_asked)
                .then(|| format!("it uses `{}` instead of `{}`", new.text, old.text))
        })
    }

    /// In a shell: quotes that are new, or gone.
    fn quoting_reason(&self, permits: &Permits<'_>) -> Option<String> {
        if texts(&self.before) != texts(&self.after) {
            return None;
        }
        let mut pairs = self.before.iter().zip(&self.after);
        let is_other = |(old, new): &(&&Piece, &&Piece)| {
            old.is_quoted != new.is_quoted && !permits.is_about(old.line, Topic::Quoting)
        };
        pairs.find(is_other).map(|(old, _)| format!("it changes the quotes around `{}`", old.text))
    }
}

fn set_line(lines: &mut [usize], at: usize, piece: Option<&&Piece>) {
    if let (Some(line), Some(piece)) = (lines.get_mut(at), piece) {
        *line = piece.line;
    }
}

fn texts<'p>(pieces: &[&'p Piece]) -> Vec<&'p str> {
    pieces.iter().map(|piece| piece.text.as_str()).collect()
}

fn is_in_both(piece: &Piece, before: &[&Piece], after: &[&Piece]) -> bool {
    [before, after].iter().all(|pieces| pieces.iter().any(|other| other.text == piece.text))
}

fn sorted_names<'p>(pieces: &[&'p Piece]) -> BTreeSet<&'p str> {
    let is_name = |piece: &&&Piece| piece.kind == Kind::Name || piece.is_text;
    pieces.iter().filter(is_name).map(|piece| piece.text.as_str()).collect()
}

fn renamed(piece: &Piece, renames: &Renames) -> Piece {
    let mut piece = piece.clone();
    for (old, new) in renames {
        piece.text = strings::rename(&piece, old, new);
    }
    piece
}

fn change(gap: &Gap) -> Change {
    match (gap.old.is_empty(), gap.new.is_empty()) {
        (false, true) => Change::Removed,
        (true, _) => Change::Added,
        (false, false) => Change::Replaced,
    }
}

fn select<'p>(
    pieces: &[&'p Piece],
    lines: &[usize],
    selects: &dyn Fn(&Piece) -> bool,
) -> (Vec<&'p Piece>, Vec<usize>) {
    let lines = lines.iter().copied().chain(std::iter::repeat(0));
    pieces.iter().zip(lines).filter(|(piece, _)| selects(piece)).map(|(piece, line)| (*piece, line)).unzip()
}

/// The pieces that are in the first list more often than in the second.
fn surplus<'p>(
    pieces: &[&'p Piece],
    lines: &[usize],
    others: &[&Piece],
    change: Change,
) -> Vec<Difference<'p>> {
    let mut left: BTreeMap<&str, usize> = BTreeMap::new();
    others.iter().for_each(|piece| *left.entry(piece.text.as_str()).or_default() += 1);
    let mut surplus = Vec::new();
    for (piece, line) in pieces.iter().zip(lines) {
        match left.get_mut(piece.text.as_str()) {
            Some(count) if *count > 0 => *count -= 1,
            Some(_) | None => surplus.push(Difference { piece, line: *line, change }),
        }
    }
    surplus
}

/// How many pieces a message shows.
const MOST_SHOWN: usize = 6;

fn shown(pieces: &[&Piece], range: &Range<usize>) -> String {
    let texts: Vec<String> = pieces
        .iter()
        .take(range.end)
        .skip(range.start)
        .map(|piece| text::fit(&piece.text, 40).into_owned())
        .collect();
    let more = if texts.len() > MOST_SHOWN { " …" } else { "" };
    format!("{}{more}", texts.iter().take(MOST_SHOWN).cloned().collect::<Vec<_>>().join(" "))
}

fn describe(what: &str, old: &str, new: &str) -> String {
    match (old.is_empty(), new.is_empty()) {
        (true, _) => format!("it changes {what}: adds `{new}`"),
        (false, true) => format!("it changes {what}: removes `{old}`"),
        (false, false) => format!("it changes {what}: `{old}` → `{new}`"),
    }
}
