//! Findings about how a text is put together from values.

use super::super::piece::{Kind, Piece};
use super::super::strings::content;
use super::super::units::Unit;
use super::spot::Spot;

/// The same text with the same values, put together in another way.
pub(super) fn formatted(_: &Spot<'_>, old: &Unit, new: &Unit) -> bool {
    let (before, after) = (Formatted::new(&old.pieces), Formatted::new(&new.pieces));
    before == after
}

/// What a statement says: its text without the marks of values, and everything else in order.
#[derive(Debug, Default, PartialEq, Eq)]
struct Formatted {
    text: String,
    /// The values and names, in order.
    values: Vec<String>,
}

impl Formatted {
    fn new(pieces: &[Piece]) -> Formatted {
        let mut result = Formatted::default();
        for (at, piece) in pieces.iter().enumerate() {
            let formats = piece.is(".") && pieces.get(at + 1).is_some_and(|next| next.is("format"));
            if piece.is_text() {
                result.read_text(content(piece));
            } else if !(is_glue(piece) || formats) {
                let call = if piece.is_callee { "(" } else { "" };
                result.values.push(format!("{}{call}", piece.text));
            }
        }
        result
    }

    fn read_text(&mut self, text: &str) {
        let plain = text.replace("{{}}", "").replace("%s", "").replace("%d", "").replace("${", "{");
        let mut rest = plain.as_str();
        while let Some((before, behind)) = rest.split_once('{') {
            self.text.push_str(before);
            let (value, after) = behind.split_once('}').unwrap_or((behind, ""));
            // A call keeps its bracket.
            let value = value.replace('(', "( ").replace('.', " . ").replace('[', " [ ");
            let is_word = |letter: char| letter.is_alphanumeric() || "_(.[".contains(letter);
            self.values.extend(
                value.split(|letter| !is_word(letter)).filter(|it| !it.is_empty()).map(str::to_owned),
            );
            rest = after;
        }
        self.text.push_str(rest);
    }
}

/// What puts parts together.
fn is_glue(piece: &Piece) -> bool {
    piece.is_any(&["+", "%", "format", "str"])
        || (piece.kind == Kind::Sign && !piece.is_any(&["=", ";", ".", "["]))
}
