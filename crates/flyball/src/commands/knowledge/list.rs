//! `flyball knowledge list`.

use flyball_core::time::Time;

use flyball_knowledge::lesson::{self, Kind, Lesson};
use flyball_knowledge::timestamp;
use serde_json::json;

use super::kind::{LessonKind, lessons};
use super::task::Task;
use crate::outcome::{Done, Failed};
use crate::show::text::one_line;
use crate::show::{Cell, Fit, Page, Row, Text};
use crate::terminal::{Style, Terminal};

/// Arguments of `flyball knowledge list`.
#[derive(clap::Args)]
pub(super) struct Arguments {
    /// Print one JSON object per line: `id`, `at`, `type`, `text`, `source`, `promoted`
    #[arg(long)]
    json: bool,
    /// Only lessons of this kind
    #[arg(long = "type", value_enum)]
    kind: Option<LessonKind>,
    /// At most this many, the newest
    #[arg(long, value_name = "COUNT")]
    limit: Option<usize>,
    /// The task's name or a part of it, its folder, or its plan
    #[arg(long)]
    task: Option<String>,
}

/// Shows lessons, the newest last.
pub(super) fn run(arguments: &Arguments, terminal: &Terminal) -> Result<Done, Failed> {
    let task = Task::find(arguments.task.as_deref())?;
    let content = task.content()?;
    let mut shown: Vec<(Lesson, bool)> = Vec::new();
    let mut unread = 0;
    for line in lesson::lines(&content) {
        let is_blank = line.raw.trim_ascii().is_empty();
        match line.lesson {
            Some(lesson) => shown.push((lesson, line.is_promoted)),
            None => unread += usize::from(!is_blank),
        }
    }
    // Handoff notes are listed only without `--type`.
    let only = arguments.kind.map(LessonKind::kind);
    shown.retain(|(lesson, _)| only.is_none_or(|kind| lesson.kind == kind));
    let from = shown.len().saturating_sub(arguments.limit.unwrap_or(usize::MAX));
    let shown = shown.get(from..).unwrap_or_default();
    if arguments.json {
        terminal.raw_lines(shown.iter().map(as_json));
        return Ok(Done::Success);
    }
    let mut page = Page::default();
    if shown.is_empty() {
        page.line(format!("no lessons in {}", task.name()));
    }
    page.rows_with(Fit::Whole, shown.iter().map(|listed| (row(listed), Page::default())));
    if unread > 0 {
        page.line(format!("{unread} more lines are not valid lessons; they are left as they are"));
    }
    if from > 0 {
        page.line(Style::Faint.text(format!("{} before these are not shown", lessons(from))));
    }
    page.print(terminal);
    Ok(Done::Success)
}

fn as_json((lesson, is_promoted): &(Lesson, bool)) -> String {
    json!({
        "id": lesson.id(),
        "at": (lesson.at > Time::default()).then(|| timestamp::iso(lesson.at)),
        "type": lesson.kind.name(),
        "text": lesson.text,
        "source": lesson.source,
        "promoted": is_promoted,
    })
    .to_string()
}

fn row((lesson, is_promoted): &(Lesson, bool)) -> Row {
    let style = match lesson.kind {
        Kind::Avoid => Style::Bad,
        Kind::Works => Style::Good,
        Kind::Fact => Style::Accent,
        Kind::Handoff => Style::Faint,
    };
    let day = if lesson.at > Time::default() { timestamp::date(lesson.at) } else { String::new() };
    let notes = match (one_line(&lesson.source), *is_promoted) {
        (source, false) if source.is_empty() => String::new(),
        (source, true) if source.is_empty() => " (is a rule)".to_owned(),
        (source, false) => format!(" ({source})"),
        (source, true) => format!(" ({source}, is a rule)"),
    };
    vec![
        Cell::plain(lesson.id()),
        Cell::plain(day),
        Cell::new(style, lesson.kind.name()),
        Cell::Words(Text::from(one_line(&lesson.text)).then(Style::Faint.text(notes))),
    ]
}
