//! Replaces parts of a text and leaves every other byte where it was.

use super::scan::{Node, Span};

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Splice {
    pub(super) span: Span,
    pub(super) text: String,
}

impl Splice {
    /// A replacement by nothing.
    pub(super) fn cut(span: Span) -> Self {
        Self { span, text: String::new() }
    }
}

/// Applies replacements that do not overlap, given in any order.
pub(super) fn apply(text: &str, mut splices: Vec<Splice>) -> String {
    splices.sort_by_key(|splice| splice.span.start);
    let mut edited = String::with_capacity(text.len());
    let mut done = 0;
    for splice in splices {
        edited.push_str(text.get(done..splice.span.start).unwrap_or_default());
        edited.push_str(&splice.text);
        done = splice.span.end;
    }
    edited.push_str(text.get(done..).unwrap_or_default());
    edited
}

/// Cuts some members out of a container, with one comma each; at least one must stay.
///
/// A member goes together with the comma and the space before it, so that cutting undoes an
/// appending to the byte. Only members before the first that stays go with what follows them.
pub(super) fn cut_members(container: &Node, is_gone: impl Fn(&Node) -> bool) -> Vec<Splice> {
    let members = &container.members;
    let mut cuts = Vec::new();
    let mut anything_stays_before = false;
    let mut previous_end = container.span.start;
    for (index, member) in members.iter().enumerate() {
        if !is_gone(&member.value) {
            anything_stays_before = true;
        } else if anything_stays_before {
            cuts.push(Splice::cut(previous_end..member.end()));
        // The comma behind it goes too, or the container would begin with one.
        } else if let Some(next) = members.get(index + 1) {
            cuts.push(Splice::cut(member.start()..next.start()));
        }
        previous_end = member.end();
    }
    cuts
}
