//! Findings about what nothing uses: it may go, and what it runs stays.

use flyball_effects::lex::Language;

use super::super::piece::{Kind, Piece, depths, find_outside, has_effect};
use super::super::units::{Shape, Unit};
use super::spot::{Spot, Step, without};

const DECLARE: &[&str] = &["let", "const", "var", "mut", "final", "local", "declare", "static", "export"];

pub(super) fn steps(spot: &Spot<'_>) -> Vec<Step> {
    let Some(old) = spot.statement() else { return Vec::new() };
    let names = || old.pieces.iter().filter(|piece| piece.is_name()).map(|piece| piece.text.as_str());
    let is_chosen = spot.subject.chooses(names());
    let mut steps = Vec::new();
    for (at, piece) in old.pieces.iter().enumerate() {
        let is_first = !old.pieces.iter().take(at).any(|earlier| earlier.text == piece.text);
        let is_owned = at.checked_sub(1).and_then(|at| old.pieces.get(at)).is_some_and(|last| last.is("."));
        // Without a name in the message, it is about the first one.
        let is_chosen = match is_chosen {
            true => spot.subject.is_about(&piece.text),
            false => !old.pieces.iter().take(at).any(Piece::is_name),
        };
        if !piece.is_name() || !is_first || is_owned || !is_chosen {
            continue;
        }
        let variable = Variable { spot, unit: old, at };
        if variable.may_vanish() {
            steps.push((1, 0));
        }
        let new = spot.after().first();
        if new.is_some_and(|new| variable.forms().contains(&new.pieces)) {
            steps.push((1, 1));
        }
    }
    steps
}

/// A name that a statement binds and nothing uses.
struct Variable<'s> {
    spot: &'s Spot<'s>,
    unit: &'s Unit,
    at: usize,
}

impl Variable<'_> {
    fn piece(&self, offset: usize) -> Option<&Piece> {
        self.unit.pieces.get(self.at + offset)
    }

    fn last(&self) -> Option<&Piece> {
        self.at.checked_sub(1).and_then(|at| self.unit.pieces.get(at))
    }

    /// From the beginning of its assignment to behind the `=`.
    fn target(&self) -> Option<std::ops::Range<usize>> {
        let pieces = &self.unit.pieces;
        let depths = depths(pieces);
        let is_outside = |at: usize| depths.get(at) == Some(&0);
        let is_assign =
            |at: usize| is_outside(at) && pieces.get(at).is_some_and(|piece| piece.is_any(&["=", ":="]));
        let start = (0..self.at).rev().find(|at| is_assign(*at)).map_or(0, |at| at + 1);
        let declares = pieces.get(start..self.at)?.iter().all(|piece| piece.is_any(DECLARE));
        let is_alone = self.piece(1)?.is_any(&["=", ":=", ":"]);
        let end = (self.at..pieces.len()).find(|at| is_assign(*at))?;
        (declares && is_alone && is_outside(self.at)).then_some(start..end + 1)
    }

    /// Whether the whole statement may go: nothing else runs in it.
    fn may_vanish(&self) -> bool {
        let opens = self.spot.before().get(1).is_some_and(|next| next.shape == Shape::Open);
        if opens {
            return false;
        }
        let Some(target) = self.target() else { return self.is_only_declared() };
        let value = self.unit.pieces.get(target.end..).unwrap_or_default();
        let chains = value.iter().zip(depths(value)).any(|(piece, depth)| depth == 0 && piece.is("="));
        // In a shell, a command may follow.
        let is_value = !self.spot.is(Language::Shell) || value.iter().all(|piece| piece.is_glued);
        target.start == 0 && !chains && is_value && !has_effect(value)
    }

    /// `let x;`, `var x int`, `x: int`.
    fn is_only_declared(&self) -> bool {
        let pieces = &self.unit.pieces;
        let declares = pieces.iter().take(self.at).all(|piece| piece.is_any(DECLARE));
        let is_python = self.at == 0 && self.piece(1).is_some_and(|piece| piece.is(":"));
        declares
            && (self.at > 0 || is_python)
            && !pieces.iter().any(|piece| piece.is_any(&["=", ","]))
            && !has_effect(pieces)
    }

    /// What the statement may become.
    fn forms(&self) -> Vec<Vec<Piece>> {
        let pieces = &self.unit.pieces;
        let mut forms = Vec::new();
        if let Some(target) = self.target() {
            forms.push(without(pieces, target));
        }
        if self.is_bound() {
            forms.extend(["_".to_owned(), format!("_{}", self.piece(0).map_or("", |it| &it.text))].map(
                |name| {
                    let mut form = pieces.clone();
                    form.get_mut(self.at).into_iter().for_each(|piece| piece.text.clone_from(&name));
                    form
                },
            ));
            // In Go, nothing new is declared then.
            let blank = forms.iter().find(|form| form.get(self.at).is_some_and(|it| it.is("_"))).cloned();
            forms.extend(blank.map(|mut form| {
                form.iter_mut().filter(|it| it.is(":=")).for_each(|it| it.text = "=".to_owned());
                form
            }));
        }
        let is_in_brackets = self.piece(1).is_some_and(|it| it.is(")"));
        if self.last().is_some_and(|before| before.is("as")) && !self.unit.begins("import") {
            forms.push(without(pieces, self.at - 1..self.at + 1));
        }
        if self.unit.begins("catch") && self.at == 2 && is_in_brackets {
            forms.push(without(pieces, 1..4));
        }
        if self.spot.is_script() && self.is_removable() {
            let start = if self.last().is_some_and(|it| it.is(",")) { self.at - 1 } else { self.at };
            let behind = usize::from(start == self.at && self.piece(1).is_some_and(|it| it.is(",")));
            forms.push(without(pieces, start..self.at + 1 + behind));
        }
        if self.spot.is(Language::Shell) && self.at == 0 {
            let mut form = pieces.clone();
            form.insert(0, Piece::plain("export", Kind::Keyword, 0));
            forms.push(form);
        }
        forms
    }

    /// Whether the name gets its value here, and is not used.
    fn is_bound(&self) -> bool {
        let heads = ["def", "fn", "func", "function", "class", "for", "with", "except", "catch", "async"];
        let is_head =
            self.unit.pieces.iter().any(|piece| piece.is_any(&heads) || piece.is_any(&["=>", "|", "lambda"]));
        let behind = self.unit.pieces.iter().skip(self.at);
        let opens = self.spot.before().get(1).is_some_and(|next| next.shape == Shape::Open);
        let is_called = self.piece(1).is_some_and(|next| next.is("("));
        !is_called && (is_head || opens || behind.into_iter().any(|it| it.is_any(&["=", ":=", "in", "of"])))
    }

    /// The last parameter of a function, or a field that is taken out of an object, in a script.
    fn is_removable(&self) -> bool {
        let pieces = &self.unit.pieces;
        let enclosing = {
            let mut open = Vec::new();
            for (at, piece) in pieces.iter().enumerate().take(self.at) {
                if piece.opens() {
                    open.push(at);
                } else if piece.closes() {
                    open.pop();
                }
            }
            open.last().copied()
        };
        let Some(open) = enclosing else { return false };
        let is_field = pieces.get(open).is_some_and(|it| it.is("{"))
            && pieces.first().is_some_and(|it| it.is_any(DECLARE))
            && self.last().is_some_and(|it| it.is_any(&["{", ","]))
            && self.piece(1).is_some_and(|it| it.is_any(&["}", ","]))
            && !self.unit.has("...");
        let opens = self.spot.before().get(1).is_some_and(|next| next.shape == Shape::Open);
        let is_head = pieces.iter().any(|it| it.is_any(&["function", "=>"])) || opens;
        let is_parameter = pieces.get(open).is_some_and(|it| it.is("("))
            && self.last().is_some_and(|it| it.is_any(&["(", ","]))
            && self.piece(1).is_some_and(|it| it.is(")"))
            && !pieces.get(open.saturating_sub(1)).is_some_and(|it| it.is_any(&["if", "while", "switch"]))
            && is_head
            && (self.piece(2).is_none_or(|it| it.is_any(&["=>", ":"])));
        is_field || is_parameter
    }
}

/// An expression that nothing is done with, and a `pass` beside other statements.
pub(super) fn useless(spot: &Spot<'_>) -> Vec<Step> {
    let Some(old) = spot.statement() else { return Vec::new() };
    let is_value = |unit: &Unit| {
        let has_word = unit.pieces.iter().any(|piece| {
            matches!(piece.kind, Kind::Branch | Kind::Control | Kind::Keyword)
                || piece.is_any(&["=", "+=", "-="])
        });
        !has_word && !has_effect(&unit.pieces)
    };
    let has_company = {
        let around = [spot.old_at.checked_sub(1), Some(spot.old_at + 1)];
        around
            .iter()
            .flatten()
            .filter_map(|at| spot.scene.old.get(*at))
            .any(|unit| matches!(unit.shape, Shape::Statement | Shape::Doc))
    };
    let is_pass = old.begins("pass") && old.pieces.len() == 1 && has_company;
    if is_pass || is_value(old) { vec![(1, 0)] } else { Vec::new() }
}

/// A statement behind one that leaves the block.
pub(super) fn unreachable(spot: &Spot<'_>) -> Vec<Step> {
    let leaves = spot.old_at.checked_sub(1).and_then(|at| spot.scene.old.get(at)).is_some_and(Unit::leaves);
    if !leaves || spot.statement().is_none() {
        return Vec::new();
    }
    let rest = spot.before();
    let ends_block = |unit: &Unit| unit.shape == Shape::Close;
    let mut depth = 0usize;
    let mut count = 0;
    for unit in rest {
        match unit.shape {
            Shape::Open => depth += 1,
            Shape::Close if depth == 0 => break,
            Shape::Close => depth -= 1,
            Shape::Statement | Shape::Doc => {}
        }
        count += 1;
    }
    // All of it, to the end of the block.
    let is_whole = rest.get(count).is_none_or(ends_block);
    if is_whole { vec![(count, 0)] } else { Vec::new() }
}

/// A statement that prints or stops for a debugger, and does nothing else.
pub(super) fn printed(spot: &Spot<'_>) -> Vec<Step> {
    let Some(old) = spot.statement() else { return Vec::new() };
    let [first, ..] = old.pieces.as_slice() else { return Vec::new() };
    let prints = ["print", "pprint", "console", "debugger", "breakpoint", "dbg", "println"];
    let arguments = old.pieces.iter().position(|piece| piece.is("(")).unwrap_or(old.pieces.len());
    let inside = old.pieces.get(arguments + 1..).unwrap_or_default();
    if first.is_any(&prints) && !has_effect(inside) && find_outside(&old.pieces, &["="]).is_none() {
        vec![(1, 0)]
    } else {
        Vec::new()
    }
}
