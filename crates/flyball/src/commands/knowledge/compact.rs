//! `flyball knowledge compact`.

use flyball_knowledge::lesson::{self, Compaction, Limits};

use super::kind::lessons;
use super::task::Task;
use crate::outcome::{Done, Failed};
use crate::terminal::Terminal;

/// Arguments of `flyball knowledge compact`.
#[derive(clap::Args)]
#[command(
    after_help = "A file with more lessons than --most is cut to four fifths of that: duplicates go first, then the oldest facts, then what works, then what to avoid. They are moved to KNOWLEDGE.old.jsonl; lines that are not lessons are left as they are."
)]
pub(super) struct Arguments {
    /// Only show what would be done
    #[arg(long)]
    dry_run: bool,
    /// The most lessons that stay
    #[arg(long, value_name = "COUNT", default_value_t = Limits::default().lessons)]
    most: usize,
    /// The task's name or a part of it, its folder, or its plan
    #[arg(long)]
    task: Option<String>,
}

pub(super) fn run(arguments: &Arguments, terminal: &Terminal) -> Result<Done, Failed> {
    let task = Task::find(arguments.task.as_deref())?;
    let limits = Limits { lessons: arguments.most.max(1), ..Limits::default() };
    let done = if arguments.dry_run {
        lesson::preview_compaction(&task.content()?, limits)
    } else {
        lesson::compact(&task.machine, &task.lessons, limits)?
    };
    terminal.line(&describe(done, arguments.dry_run));
    Ok(Done::Success)
}

fn describe(done: Compaction, is_dry_run: bool) -> String {
    let Compaction { before, same, cut } = done;
    if !done.is_change() {
        return format!("nothing to do: {}", lessons(before));
    }
    let moves = if is_dry_run { "would be moved" } else { "moved" };
    let left = before - same - cut;
    format!(
        "{} of {before} {moves} to KNOWLEDGE.old.jsonl ({same} duplicates, {cut} over the limit); {left} are left",
        same + cut
    )
}
