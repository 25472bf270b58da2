//! Fills and empties containers so that emptying gives back what was there before filling.
//!
//! A container that we made goes away when it holds nothing more, one that was there must stay,
//! and only the file itself can show the difference later. So when we fill an empty container
//! of the file's owner, its first line is left blank (or, on one line, two spaces are left):
//!
//! ```json
//! "Stop": [
//!
//!   { "hooks": [] }
//! ]
//! ```
//!
//! Whatever space the container had is before that mark. A formatter may remove the mark;
//! then the container goes away, which to the client is the same.

use super::layout::{Layout, Piece, gap_before_last, leading_space};
use super::scan::{Member, Node, slice};
use super::splice::Splice;

const ONE_LINE_MARK: &str = "  ";

/// A container to add to, and the one around it; the root has none.
#[derive(Clone, Copy)]
pub(super) struct Target<'n> {
    pub(super) container: &'n Node,
    pub(super) parent: Option<&'n Node>,
}

/// A new member for a container.
pub(super) struct Addition<'v> {
    pub(super) key: Option<&'v str>,
    pub(super) value: Piece<'v>,
}

/// Adds a member at the end, laid out like the members before it.
pub(super) fn append(text: &str, layout: &Layout, target: Target, new: &Addition) -> Splice {
    let Some((last, gap)) = target.container.members.last().zip(gap_before_last(target.container)) else {
        return fill(text, layout, target, new);
    };
    let member = |indent| layout.member(new.key, &new.value, indent);
    // Like the last member: on a line of its own, spread but on a shared line, or all on one line.
    let addition = if let Some((_, line)) = slice(text, gap).rsplit_once('\n') {
        let indent = leading_space(line);
        format!(",{}{indent}{}", layout.newline, member(Some(indent)))
    } else if slice(text, last.start()..last.end()).contains('\n') {
        let indent = layout.line_indent(last.start());
        format!("{}{}", layout.comma, member(Some(indent)))
    } else {
        format!("{}{}", layout.comma, member(None))
    };
    Splice { span: last.end()..last.end(), text: addition }
}

fn fill(text: &str, layout: &Layout, target: Target, new: &Addition) -> Splice {
    let span = target.container.inside();
    let space = slice(text, span.clone());
    let newline = layout.newline;
    let text = if is_spread(text, target) {
        // The root is never removed, so it needs no mark.
        let mark = target.parent.map_or("", |_| newline);
        let outer = layout.line_indent(target.container.span.start);
        let indent = format!("{outer}{}", layout.unit);
        let member = layout.member(new.key, &new.value, Some(&indent));
        format!("{space}{mark}{newline}{indent}{member}{newline}{outer}")
    } else {
        let member = layout.member(new.key, &new.value, None);
        format!("{space}{ONE_LINE_MARK}{member}")
    };
    Splice { span, text }
}

/// Whether an empty container's members get lines of their own.
fn is_spread(text: &str, target: Target) -> bool {
    let has_newline = |span| slice(text, span).contains('\n');
    has_newline(target.container.inside())
        || target.parent.is_none_or(|parent| gap_before_last(parent).is_some_and(has_newline))
}

/// The space in a container before we filled it; `None` if it was not there before.
pub(super) fn space_before_filling<'t>(text: &'t str, container: &Node) -> Option<&'t str> {
    let before = space_before_first(text, container);
    match before.rsplit_once('\n') {
        Some((space, _)) => strip_newline(strip_carriage_return(space)),
        None => before.strip_suffix(ONE_LINE_MARK),
    }
}

/// The space in the root before we filled it. The root is never ours, so it has no mark.
pub(super) fn root_space_before_filling<'t>(text: &'t str, root: &Node) -> &'t str {
    space_before_first(text, root).rsplit_once('\n').map_or("", |(space, _)| strip_carriage_return(space))
}

fn space_before_first<'t>(text: &'t str, container: &Node) -> &'t str {
    let first = container.members.first();
    let end = first.map_or(container.inside().end, Member::start);
    slice(text, container.inside().start..end)
}

fn strip_newline(space: &str) -> Option<&str> {
    space.strip_suffix('\n').map(strip_carriage_return)
}

fn strip_carriage_return(space: &str) -> &str {
    space.strip_suffix('\r').unwrap_or(space)
}
