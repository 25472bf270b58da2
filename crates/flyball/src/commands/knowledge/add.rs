//! `flyball knowledge add`.

use flyball_knowledge::lesson::{self, Addition, Draft};
use flyball_knowledge::plan;

use super::kind::LessonKind;
use super::task::Task;
use crate::outcome::{Done, Failed};
use crate::show::text::one_line;
use crate::terminal::Terminal;

/// Arguments of `flyball knowledge add`.
#[derive(clap::Args)]
#[command(
    after_help = "A lesson is something to avoid, something that works, or a fact. Progress reports and known lessons are rejected (exit code 1). Keys, tokens and passwords are removed."
)]
pub(super) struct Arguments {
    /// The lesson
    text: String,
    /// The kind of lesson
    #[arg(long = "type", value_enum)]
    kind: LessonKind,
    /// Who learned it: the name of an agent, for example
    #[arg(long, default_value = "")]
    source: String,
    /// The task's name or a part of it, its folder, or its plan
    #[arg(long)]
    task: Option<String>,
}

pub(super) fn run(arguments: &Arguments, terminal: &Terminal) -> Result<Done, Failed> {
    let task = Task::find(arguments.task.as_deref())?;
    let Arguments { text, source, .. } = arguments;
    let draft = Draft { kind: arguments.kind.kind(), text: text.clone(), source: source.clone() };
    match lesson::append(&task.machine, &task.lessons, &draft)? {
        Addition::Added(lesson) => {
            let text = one_line(&lesson.text);
            terminal.line(&format!(
                "added to {}: {} {text}",
                plan::lessons_path(&task.plan),
                lesson.kind.sign()
            ));
            Ok(Done::Success)
        }
        Addition::Rejected(why) => {
            terminal.line(&format!("not added: {why}"));
            Ok(Done::Findings)
        }
        Addition::Duplicate(lesson) => {
            terminal.line(&format!(
                "not added, already known: {} {}",
                lesson.kind.sign(),
                one_line(&lesson.text)
            ));
            Ok(Done::Findings)
        }
    }
}
