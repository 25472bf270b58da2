//! The facts about a task for the model, within a limit of tokens.

use flyball_core::path::ProjectPath;
use flyball_core::policy::{PolicyError, World};
use flyball_core::text;
use flyball_knowledge::lesson::{self, Request};
use flyball_knowledge::plan::{self, Plan};
use flyball_knowledge::tokens;

/// A line of a plan longer than this is cut.
const MOST_CHARS: usize = 300;
/// Lessons get one of this many parts of the tokens.
const LESSONS_PART: usize = 3;

/// When the facts are added.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Moment {
    /// For the summary, which is then followed by [`Moment::After`].
    Before,
    /// For the session that continues.
    After,
}

/// The facts about the task whose plan is at this path; `None` if it has ended or does not exist.
pub(super) fn task(
    world: &dyn World,
    path: &ProjectPath,
    (moment, most_tokens): (Moment, usize),
) -> Result<Option<String>, PolicyError> {
    let Some(text) = plan::read_text(world, path)? else { return Ok(None) };
    let Some(plan) = plan::read(world, path)?.filter(|plan| !plan.status.is_terminal()) else {
        return Ok(None);
    };
    let mut facts = BoundedText::within(most_tokens);
    facts.line(&head(path, &plan));
    facts.list(&current(&plan), plan.phase().map_or(&[], |phase| phase.open.as_slice()));
    facts.line(&following(&plan));
    facts.list("Decisions so far:", &plan::decisions(&text));
    if moment == Moment::After {
        let lessons = lesson::read_recent(world, &plan::absolute_path(world, &plan::lessons_path(path)))?;
        if let Some(note) = lesson::last_handoff(&lessons) {
            facts.line(&format!("Note from before the compaction: {}", cut(&note.text)));
        }
        let prompt = plan.phase().map_or("", |phase| phase.title.as_str());
        let request = Request { role: None, prompt, now: world.now(), tokens: facts.room() / LESSONS_PART };
        let chosen = lesson::choose(&lessons, &request);
        if !chosen.text.is_empty() {
            facts.line(&format!("Lessons of this task:\n{}", chosen.text));
        }
    }
    Ok(Some(facts.text(path)))
}

/// A task that a person paused.
pub(super) fn paused(path: &ProjectPath) -> String {
    let name = plan::task_name(path);
    format!(
        "The task `{name}` (`{path}`) is paused by the user: do not work on it until the user says to continue."
    )
}

fn head(path: &ProjectPath, plan: &Plan) -> String {
    let title = if plan.title.is_empty() { plan::task_name(path) } else { &plan.title };
    let (status, progress) = (plan.status.as_str(), plan.progress());
    format!("This session works on the task \"{}\" by the plan `{path}`: {status}, {progress}.", cut(title))
}

fn current(plan: &Plan) -> String {
    match plan.phase() {
        Some(phase) => {
            let open = if phase.open.is_empty() { "." } else { "; open in it:" };
            format!("The current phase is {}{open}", titled(&phase.label(), &phase.title))
        }
        None if plan.phases.is_empty() => String::new(),
        None => "All phases are complete; the task itself is not finished yet.".to_owned(),
    }
}

fn following(plan: &Plan) -> String {
    let behind = plan.current.map_or(plan.phases.len(), |at| at + 1);
    let open = plan.phases.iter().skip(behind).filter(|phase| !phase.is_complete);
    let titles: Vec<String> = open.map(|phase| titled(&phase.label(), &phase.title)).collect();
    if titles.is_empty() { String::new() } else { format!("After it: {}.", titles.join(", ")) }
}

fn titled(label: &str, title: &str) -> String {
    if title.is_empty() { label.to_owned() } else { format!("{label} ({})", cut(title)) }
}

fn cut(text: &str) -> String {
    text::cut(&text::one_line(text), MOST_CHARS).into_owned()
}

/// A text that stays within a limit of tokens.
struct BoundedText {
    text: String,
    most_tokens: usize,
    left_out: usize,
}

impl BoundedText {
    const fn within(most_tokens: usize) -> BoundedText {
        BoundedText { text: String::new(), most_tokens, left_out: 0 }
    }

    fn room(&self) -> usize {
        self.most_tokens.saturating_sub(tokens::estimate(&self.text))
    }

    /// The first line is always added: without it the rest makes no sense.
    fn line(&mut self, line: &str) {
        if line.is_empty() {
            return;
        }
        if !self.text.is_empty() && tokens::estimate(line) >= self.room() {
            self.left_out += 1;
            return;
        }
        self.text.push_str(if self.text.is_empty() { "" } else { "\n" });
        self.text.push_str(line);
    }

    fn list(&mut self, title: &str, items: &[String]) {
        // A title that announces a list is left out with it.
        if items.is_empty() && title.ends_with(':') {
            return;
        }
        self.line(title);
        items.iter().for_each(|item| self.line(&format!("- {}", cut(item))));
    }

    fn text(self, path: &str) -> String {
        match self.left_out {
            0 => self.text,
            1 => format!("{}\n(1 more line was left out; `{path}` has it)", self.text),
            more => format!("{}\n({more} more lines were left out; `{path}` has them)", self.text),
        }
    }
}
