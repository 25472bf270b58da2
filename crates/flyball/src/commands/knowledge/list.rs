//! `flyball knowledge list`.

use flyball_knowledge::lesson::{self, Kind, Lesson};
use flyball_knowledge::timestamp;
use serde_json::json;

use super::kind::{LessonKind, lessons};
use super::task::Task;
use crate::outcome::{Done, Failed};
use crate::show::text::one_line;
use crate::terminal::{Style, Terminal};

/// Arguments of `flyball knowledge list`.
#[derive(clap::Args)]
pub(super) struct Arguments {
    /// Print a JSON object a line: `id`, `at`, `type`, `text`, `source`, `promoted`
    #[arg(long)]
    json: bool,
    /// Only lessons of this kind
    #[arg(long = "type", value_enum)]
    kind: Option<LessonKind>,
    /// So many at most, the newest
    #[arg(long, value_name = "COUNT")]
    limit: Option<usize>,
    /// The task: its name or a part of it, its folder, or its plan
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
    // Handoff notes are shown where all is shown, but are asked for by no kind.
    let wanted = arguments.kind.map(LessonKind::kind);
    shown.retain(|(lesson, _)| wanted.is_none_or(|kind| lesson.kind == kind));
    let from = shown.len().saturating_sub(arguments.limit.unwrap_or(usize::MAX));
    let shown = shown.get(from..).unwrap_or_default();
    if arguments.json {
        terminal.lines(shown.iter().map(as_json));
        return Ok(Done::Success);
    }
    if shown.is_empty() {
        terminal.line(&format!("no lessons in {}", task.name()));
    }
    terminal.lines(shown.iter().map(|it| as_line(it, terminal)));
    if unread > 0 {
        terminal.line(&format!("{unread} more lines cannot be read; they stay where they are"));
    }
    let hidden = lessons(from);
    if from > 0 {
        terminal.line(&terminal.paint(Style::Faint, &format!("{hidden} before these are not shown")));
    }
    Ok(Done::Success)
}

fn as_json((lesson, is_promoted): &(Lesson, bool)) -> String {
    json!({
        "id": lesson.id(),
        "at": (lesson.at > 0).then(|| timestamp::iso(lesson.at)),
        "type": lesson.kind.name(),
        "text": lesson.text,
        "source": lesson.source,
        "promoted": is_promoted,
    })
    .to_string()
}

fn as_line((lesson, is_promoted): &(Lesson, bool), terminal: &Terminal) -> String {
    let style = match lesson.kind {
        Kind::Avoid => Style::Bad,
        Kind::Works => Style::Good,
        Kind::Fact => Style::Accent,
        Kind::Handoff => Style::Faint,
    };
    let day = if lesson.at > 0 { timestamp::date(lesson.at) } else { " ".repeat(10) };
    let mut notes = Vec::new();
    if !lesson.source.is_empty() {
        notes.push(one_line(&lesson.source));
    }
    if *is_promoted {
        notes.push("is a rule".to_owned());
    }
    let notes = if notes.is_empty() { String::new() } else { format!(" ({})", notes.join(", ")) };
    let kind = terminal.paint(style, &format!("{:<7}", lesson.kind.name()));
    format!(
        "{}  {day}  {kind}  {}{}",
        lesson.id(),
        one_line(&lesson.text),
        terminal.paint(Style::Faint, &notes)
    )
}
