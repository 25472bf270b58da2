//! What is wrong with a config file, for the person who wrote it.

use std::ops::Range;

use annotate_snippets::renderer::DecorStyle;
use annotate_snippets::{AnnotationKind, Group, Level, Renderer, Snippet};

use super::layer::{Layer, Place, Sources};

/// Something is wrong with a section at this span.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// Where, as the spans of [`Located`](super::Located) and [`Sources::within`] count.
    pub span: Range<usize>,
    /// What is wrong: one line, lower case, no full stop.
    pub message: String,
    /// What to do about it, where we know.
    pub help: Option<String>,
}

impl Problem {
    /// A problem without help.
    #[must_use]
    pub fn new(span: Range<usize>, message: impl Into<String>) -> Problem {
        Problem { span, message: message.into(), help: None }
    }

    /// The same problem with what to do about it.
    #[must_use]
    pub fn with_help(mut self, help: impl Into<String>) -> Problem {
        self.help = Some(help.into());
        self
    }
}

/// Whether a file can be used as it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Severity {
    /// The file is not used.
    Error,
    /// The file is used without this value.
    Warning,
}

/// How a diagnostic is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RenderStyle {
    Plain,
    /// With the colours of a terminal.
    Coloured,
}

/// One thing that is wrong with a config file, with the lines it is about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// Whether the file can be used.
    pub severity: Severity,
    pub message: String,
    /// What to do about it, where we know.
    pub help: Option<String>,
    mark: Mark,
    /// A second place that explains the first, and what it is.
    related: Option<(Mark, &'static str)>,
}

impl Diagnostic {
    /// An error at the place of a problem.
    pub(super) fn error(sources: &Sources<'_>, problem: Problem) -> Diagnostic {
        let Problem { span, message, help } = problem;
        let mark = Mark::new(sources, &span);
        Diagnostic { severity: Severity::Error, message, help, mark, related: None }
    }

    /// The same as a warning, with the place that explains it.
    pub(super) fn into_warning(mut self, related: Option<(Mark, &'static str)>) -> Diagnostic {
        self.severity = Severity::Warning;
        self.related = related;
        self
    }

    #[must_use]
    pub fn place(&self) -> &Place {
        &self.mark.place
    }

    /// Whose file it is in.
    #[must_use]
    pub fn layer(&self) -> Layer {
        self.mark.place.layer
    }

    /// All of it in one line: `flyball.toml:2:1: unknown key …; did you mean …?`
    #[must_use]
    pub fn one_line(&self) -> String {
        let help = self.help.as_ref().map(|help| format!("; {help}")).unwrap_or_default();
        format!("{}: {}{help}", self.place(), self.message)
    }

    /// All of it with the lines it is about.
    #[must_use]
    pub fn render(&self, look: RenderStyle) -> String {
        let level = match self.severity {
            Severity::Error => Level::ERROR,
            Severity::Warning => Level::WARNING,
        };
        let primary = level.primary_title(self.message.as_str()).element(self.mark.snippet(None));
        let mut report: Vec<Group<'_>> = vec![primary];
        if let Some((mark, label)) = &self.related {
            report.push(Group::with_level(Level::NOTE).element(mark.snippet(Some(*label))));
        }
        if let Some(help) = &self.help {
            report = with_help(report, help);
        }
        let renderer = match look {
            RenderStyle::Plain => Renderer::plain(),
            RenderStyle::Coloured => Renderer::styled(),
        };
        renderer.decor_style(DecorStyle::Unicode).render(&report)
    }
}

fn with_help<'a>(mut report: Vec<Group<'a>>, help: &'a str) -> Vec<Group<'a>> {
    if let Some(last) = report.pop() {
        report.push(last.element(Level::HELP.message(help)));
    }
    report
}

/// A place with the lines around it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Mark {
    place: Place,
    /// The lines that are shown.
    excerpt: String,
    /// The number of the first of them.
    first_line: usize,
    /// What is underlined, in bytes of the excerpt.
    span: Range<usize>,
}

impl Mark {
    pub(super) fn new(sources: &Sources<'_>, span: &Range<usize>) -> Mark {
        // Only a default has no place, and defaults are valid; see `broken_laws`.
        let nowhere = || Place { layer: Layer::Project, file: String::new(), line: 1, column: 1 };
        let place = sources.place(span).unwrap_or_else(nowhere);
        let Some((text, span)) = sources.locate(span) else {
            return Mark { place, excerpt: String::new(), first_line: 1, span: 0..0 };
        };
        let (excerpt, lines_before) = excerpt(text.text, &span);
        let first_line = place.line - lines_before;
        let marked = span.start - excerpt.start..span.end.min(excerpt.end) - excerpt.start;
        let excerpt = text.text.get(excerpt).unwrap_or_default().to_owned();
        Mark { place, excerpt, first_line, span: marked }
    }

    fn snippet<'a>(&'a self, label: Option<&'a str>) -> Snippet<'a, annotate_snippets::Annotation<'a>> {
        let kind = if label.is_some() { AnnotationKind::Context } else { AnnotationKind::Primary };
        Snippet::source(self.excerpt.as_str())
            .line_start(self.first_line)
            .path(self.place.file.as_str())
            // The excerpt is short already, and folding would hide lines of it.
            .fold(false)
            .annotation(kind.span(self.span.clone()).label(label))
    }
}

/// The lines to show for a span: those it covers, but no more than five, and the one before; and
/// how many come before the span's own.
fn excerpt(text: &str, span: &Range<usize>) -> (Range<usize>, usize) {
    const MOST: usize = 5;
    let before = text.get(..span.start).unwrap_or_default();
    let line = before.rfind('\n').map_or(0, |newline| newline + 1);
    let earlier = text.get(..line.saturating_sub(1)).unwrap_or_default();
    let context = if line == 0 { 0 } else { earlier.rfind('\n').map_or(0, |newline| newline + 1) };
    let covered = text.get(line..).unwrap_or_default();
    let mut end = line;
    for (count, row) in covered.split_inclusive('\n').enumerate() {
        if count > 0 && (count == MOST || end >= span.end) {
            break;
        }
        end += row.len();
    }
    (context..end.max(span.start), usize::from(line > 0))
}
