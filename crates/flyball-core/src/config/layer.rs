//! The layers of the configuration: who wrote a value, and where.

use std::cell::OnceCell;
use std::fmt;
use std::ops::Range;

use serde::{Deserialize, Serialize};

use super::literal;

/// Who wrote a file. The first is the strongest: it can lock what those after it set.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Layer {
    /// The administrator of the machine.
    Managed,
    /// The user, for all projects.
    User,
    Project,
}

impl Layer {
    /// Every layer, strongest first.
    pub const ALL: &'static [Layer] = &[Layer::Managed, Layer::User, Layer::Project];

    /// The name used in `config show --origin`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Layer::Managed => "managed",
            Layer::User => "user",
            Layer::Project => "project",
        }
    }
}

/// Whether a person has accepted a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Standing {
    /// All of it is in force.
    Accepted,
    /// It came with a repository, or appeared during a session: only what tightens is in force.
    Proposed,
}

/// The text of one layer's file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LayerText<'a> {
    /// Whose file it is.
    pub layer: Layer,
    /// A layer can have two texts: the one that a person accepted, and the present one.
    pub standing: Standing,
    /// Its path, as messages show it.
    pub path: &'a str,
    pub text: &'a str,
}

/// A place in a config file, for people. Lines and columns count from 1, columns in characters.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Place {
    pub layer: Layer,
    /// Its path, as messages show it.
    pub file: String,
    pub line: usize,
    pub column: usize,
}

impl fmt::Display for Place {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}:{}:{}", self.file, self.line, self.column)
    }
}

/// The texts of all layers, in which a span names a place.
///
/// The spans of a file start where those of the file before it end: so a span alone identifies
/// the file it points into, also when values of several files were merged into one section.
#[derive(Clone, Debug)]
pub struct Sources<'a> {
    layers: Vec<Source<'a>>,
}

#[derive(Clone, Debug)]
struct Source<'a> {
    /// Where the spans of this file begin.
    base: usize,
    text: LayerText<'a>,
    /// Where each line begins, in bytes of the text; counted when first asked for.
    lines: OnceCell<Vec<usize>>,
}

impl<'a> Sources<'a> {
    /// The sources of these layers, put in order of strength.
    #[must_use]
    pub fn new(layers: &[LayerText<'a>]) -> Sources<'a> {
        let mut layers = layers.to_vec();
        layers.sort_by_key(|text| (text.layer, text.standing));
        let layers = layers.into_iter().scan(0, |next, text| {
            let base = *next;
            // One more than the text is long: a span may point behind its last character.
            *next += text.text.len() + 1;
            Some(Source { base, text, lines: OnceCell::new() })
        });
        Sources { layers: layers.collect() }
    }

    /// The layers with the offset at which the spans of each begin.
    pub(super) fn with_bases(&self) -> impl Iterator<Item = (usize, LayerText<'a>)> {
        self.layers.iter().map(|source| (source.base, source.text))
    }

    fn source(&self, span: &Range<usize>) -> Option<(&Source<'a>, Range<usize>)> {
        // Bases ascend, so the last one that is not behind the span is that of its file.
        let source = self.layers.iter().take_while(|source| source.base <= span.start).last()?;
        let inside = |offset: usize| floor_char(source.text.text, offset.saturating_sub(source.base));
        let start = inside(span.start);
        Some((source, start..inside(span.end).max(start)))
    }

    /// The file a span points into, and the span counted from its start.
    pub(super) fn locate(&self, span: &Range<usize>) -> Option<(LayerText<'a>, Range<usize>)> {
        self.source(span).map(|(source, span)| (source.text, span))
    }

    /// Where a span begins, for people; nothing for a default.
    #[must_use]
    pub fn place(&self, span: &Range<usize>) -> Option<Place> {
        let (source, span) = self.source(span)?;
        let lines = source.lines.get_or_init(|| line_starts(source.text.text));
        // The number of lines that start at or before the span is the number of its line, from 1.
        let line = lines.partition_point(|start| *start <= span.start);
        let line_start = lines.get(line.checked_sub(1)?).copied()?;
        Some(Place {
            layer: source.text.layer,
            file: source.text.path.to_owned(),
            line,
            column: source.text.text.get(line_start..span.start)?.chars().count() + 1,
        })
    }

    /// The span of a part of a string: `literal` is the span of the string with its quotes,
    /// `inside` the bytes of its value that are meant. This is how an error inside of a
    /// condition points at its column in the file.
    #[must_use]
    pub fn within(&self, literal: &Range<usize>, inside: &Range<usize>) -> Range<usize> {
        let Some((text, local)) = self.locate(literal) else { return literal.clone() };
        let raw = text.text.get(local).unwrap_or_default();
        let part = literal::within(raw, inside);
        literal.start + part.start..literal.start + part.end
    }
}

fn line_starts(text: &str) -> Vec<usize> {
    std::iter::once(0).chain(text.match_indices('\n').map(|(at, _)| at + 1)).collect()
}

/// The nearest offset at or before `offset` at which a character begins.
fn floor_char(text: &str, offset: usize) -> usize {
    let offset = offset.min(text.len());
    (0..=offset).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0)
}
