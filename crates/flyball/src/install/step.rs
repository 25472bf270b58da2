//! What a command is going to do, file by file, shown before people confirm it.

use flyball_clients::registration::unified_diff;

use super::change::{Access, Change};
use crate::outcome::Failed;
use crate::show::diff;
use crate::terminal::{Style, Terminal};

/// What happens to a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FileOutcome {
    New,
    Edited,
    Deleted,
    /// It does not change.
    Kept,
    /// There can be no such file.
    Impossible,
}

impl FileOutcome {
    const fn mark(self) -> (&'static str, Style) {
        match self {
            FileOutcome::New => ("+", Style::Good),
            FileOutcome::Edited => ("~", Style::Warning),
            FileOutcome::Deleted => ("-", Style::Bad),
            FileOutcome::Kept => ("=", Style::Faint),
            FileOutcome::Impossible => ("!", Style::Warning),
        }
    }

    /// Whether a diff helps: not for a copy, and not for a file that is deleted as a whole.
    const fn has_difference(self) -> bool {
        matches!(self, FileOutcome::New | FileOutcome::Edited)
    }
}

/// One file, what happens to it and why.
pub(crate) struct Step {
    pub(crate) outcome: FileOutcome,
    /// The file as it is shown; for what is impossible, the client.
    pub(crate) name: String,
    /// Why, in a few words.
    pub(crate) about: String,
    /// What is written: the file, and our private receipt for it.
    pub(crate) changes: Vec<Change>,
}

impl Step {
    /// A step that changes nothing.
    pub(crate) fn idle(outcome: FileOutcome, name: impl Into<String>, about: impl Into<String>) -> Step {
        Step { outcome, name: name.into(), about: about.into(), changes: Vec::new() }
    }

    fn diff(&self) -> String {
        // Receipts are our own bookkeeping; people confirm changes to their files.
        let file = self.changes.iter().find(|change| !matches!(change.access, Access::Private));
        let Some(change) = file.filter(|_| self.outcome.has_difference()) else { return String::new() };
        let after = change.after.as_deref().unwrap_or_default();
        let diff = unified_diff(change.before.text(), after, &self.name);
        match change.before.content() {
            Some(_) => diff,
            None => diff.replacen(&format!("--- {}\n", self.name), "--- /dev/null\n", 1),
        }
    }
}

/// All that a command is going to do.
pub(crate) struct Steps(pub(crate) Vec<Step>);

impl Steps {
    /// Whether there is nothing to do.
    pub(crate) fn is_done(&self) -> bool {
        self.0.iter().all(|step| step.changes.is_empty())
    }

    /// Everything to write, in order.
    pub(crate) fn changes(&self) -> Vec<Change> {
        self.0.iter().flat_map(|step| step.changes.iter().cloned()).collect()
    }

    /// Shows each step in a line.
    pub(crate) fn show(&self, terminal: &Terminal) {
        let width = self.0.iter().map(|step| step.name.chars().count()).max().unwrap_or_default();
        for step in &self.0 {
            let (mark, style) = step.outcome.mark();
            let name = format!("{:<width$}", step.name);
            let about = terminal.paint(Style::Faint, &step.about);
            terminal.line(&format!("{} {name}  {about}", terminal.paint(style, mark)));
        }
    }

    /// Shows the diff of each file.
    pub(crate) fn show_diffs(&self, terminal: &Terminal) {
        for step in &self.0 {
            diff::print(&step.diff(), terminal);
        }
    }

    /// Asks a person whether to go on.
    pub(crate) fn confirm(&self, terminal: &Terminal) -> Result<bool, Failed> {
        Ok(self.ask(Question::CONTINUE, terminal)? == Choice::Write)
    }

    /// Asks a person what to do.
    pub(crate) fn ask(&self, question: Question, terminal: &Terminal) -> Result<Choice, Failed> {
        if !terminal.is_interactive() {
            return Err(Failed::new(
                "cannot ask: this is not a terminal; nothing was changed",
                "run with `--yes` to write without asking, or with `--dry-run` to see what would be written",
            ));
        }
        loop {
            // The end of input is a no: nobody confirmed anything.
            let answer = terminal.ask(question.text).unwrap_or_else(|| "no".to_owned());
            match answer.to_lowercase().as_str() {
                "" | "y" | "yes" => return Ok(Choice::Write),
                "n" | "no" | "q" => return Ok(Choice::Nothing),
                "c" | "customise" | "customize" if question.is_customisable => return Ok(Choice::Customise),
                "d" | "diff" => self.show_diffs(terminal),
                _ => {}
            }
        }
    }
}

/// What a person is asked before anything is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Question {
    text: &'static str,
    is_customisable: bool,
}

impl Question {
    pub(crate) const CONTINUE: Question =
        Question { text: "Continue? [Y/n, d shows the diff]", is_customisable: false };
    pub(crate) const RECOMMENDED: Question = Question {
        text: "Recommended settings? [Y/n, c to customise, d shows the diff]",
        is_customisable: true,
    };
}

/// What a person decided.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Choice {
    Write,
    Nothing,
    /// Ask for each setting first.
    Customise,
}
