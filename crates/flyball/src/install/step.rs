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

/// A diff in which of all events with our handler only the first is shown whole.
fn one_of_each(diff: &str) -> String {
    let lines: Vec<&str> = diff.lines().collect();
    // An event begins by its name: `+    "PreToolUse": [`.
    let begins = |line: &str| {
        line.starts_with('+') && line.trim_end().ends_with("\": [") && !line.contains("\"hooks\"")
    };
    let starts: Vec<usize> =
        (0..lines.len()).filter(|at| lines.get(*at).is_some_and(|line| begins(line))).collect();
    let (Some(second), Some(last)) = (starts.get(1), starts.last()) else { return diff.to_owned() };
    let is_added = |range: std::ops::Range<usize>| {
        lines.get(range).is_some_and(|lines| lines.iter().all(|line| line.starts_with('+')))
    };
    // Others' entries between ours are shown.
    if starts.len() < 3 || !is_added(*second..*last) {
        return diff.to_owned();
    }
    let more = format!("+      … the same for {} more events", starts.len() - 1);
    let indent = |line: &str| line.chars().skip(1).take_while(|letter| *letter == ' ').count();
    let depth = lines.get(*last).map(|line| indent(line)).unwrap_or_default();
    // The last event ends at the bracket under its name.
    let end = (*last + 1..lines.len())
        .find(|at| lines.get(*at).is_some_and(|line| indent(line) <= depth))
        .map_or(lines.len(), |at| at + 1);
    let head = lines.get(..*second).unwrap_or_default();
    let tail = lines.get(end..).unwrap_or_default();
    [head, &[more.as_str()], tail].concat().join("\n") + "\n"
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

    /// The same for a person who decides about it: handlers that differ by their event alone are shown once.
    fn show_short_diffs(&self, terminal: &Terminal) {
        for step in &self.0 {
            diff::print(&one_of_each(&step.diff()), terminal);
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
                "d" | "diff" => self.show_short_diffs(terminal),
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
    pub(crate) const RECOMMENDED: Question =
        Question { text: "Recommended settings? [Y/n, c customise, d diff]", is_customisable: true };
}

/// What a person decided.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Choice {
    Write,
    Nothing,
    /// Ask for each setting first.
    Customise,
}

#[cfg(test)]
mod tests {
    use super::one_of_each;

    #[test]
    fn of_handlers_that_differ_by_their_event_one_is_shown() {
        let event = |name: &str| {
            format!(
                "+    \"{name}\": [\n+      {{\n+        \"hooks\": [\n+          {{\n+            \"command\": \"flyball {name}\"\n+          }}\n+        ]\n+      }}\n+    ]"
            )
        };
        let events = ["A", "B", "C", "D"].map(event).join(",\n");
        let diff = format!("--- a\n+++ a\n@@ -1 +1 @@\n {{\n+  \"hooks\": {{\n{events}\n+  }}\n }}\n");
        let expected = format!(
            "--- a\n+++ a\n@@ -1 +1 @@\n {{\n+  \"hooks\": {{\n{},\n+      … the same for 3 more events\n+  }}\n }}\n",
            event("A")
        );
        assert_eq!(one_of_each(&diff), expected);
        let short = "--- a\n+++ a\n+  \"A\": [\n+  ]\n";
        assert_eq!(one_of_each(short), short);
    }
}
