//! The result of the self-test, for people and scripts.

use flyball_core::text;
use serde::Serialize;

use super::own_checks::Check;
use super::trial::{Outcome, State, Trial};
use crate::project_context::tilde;
use crate::show::text::one_line;
use crate::show::{Cell, Fit, Page, Row, Text};
use crate::terminal::Style;

/// The version of the JSON format.
const VERSION: u32 = 1;

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(super) struct Results {
    version: u32,
    /// Whether all that is installed works.
    pub(super) healthy: bool,
    linters: Vec<Trial>,
    checks: Vec<Check>,
}

impl Results {
    pub(super) fn new(linters: Vec<Trial>, checks: Vec<Check>) -> Results {
        let is_broken = |trial: &Trial| trial.state == State::Broken;
        let healthy = !linters.iter().any(is_broken) && checks.iter().all(|check| check.works);
        Results { version: VERSION, healthy, linters, checks }
    }

    /// A table of linters, the other checks, and the totals.
    pub(super) fn page(&self) -> Page {
        let mut page = Page::default();
        page.table(&["language", "linter", "version", "good", "bad", "format", ""], self.rows(), Fit::Wrap);
        page.blank();
        for check in &self.checks {
            let (mark, style) = if check.works { ("✓", Style::Good) } else { ("✗", Style::Bad) };
            let note = if check.works { String::new() } else { format!(": {}", one_line(&check.note)) };
            page.line(style.text(mark).and(format!(" {}{note}", check.name)));
        }
        page.blank();
        page.line(self.conclusion());
        page
    }

    /// A language is named once.
    fn rows(&self) -> Vec<Row> {
        let mut before = "";
        let mut rows = Vec::new();
        for trial in &self.linters {
            let language = if trial.language == before { "" } else { trial.language.as_str() };
            before = &trial.language;
            rows.push(vec![
                Cell::new(Style::Strong, language),
                Cell::new(
                    if trial.state == State::Missing { Style::Faint } else { Style::Plain },
                    &trial.linter,
                ),
                Cell::plain(trial.version.as_deref().unwrap_or("-")),
                mark(trial.good),
                mark(trial.bad),
                mark(trial.format),
                last(trial),
            ]);
        }
        rows
    }

    fn conclusion(&self) -> Text {
        let count = |state: State| self.linters.iter().filter(|trial| trial.state == state).count();
        let mut parts = vec![format!("{} working", text::counted(count(State::Works), "linter"))];
        for (state, label) in [
            (State::Broken, "broken"),
            (State::Missing, "not installed"),
            (State::Untried, "without a sample"),
        ] {
            if count(state) > 0 {
                parts.push(format!("{} {label}", count(state)));
            }
        }
        let style = if self.healthy { Style::Good } else { Style::Bad };
        style.text(parts.join(", "))
    }
}

fn mark(outcome: Outcome) -> Cell {
    match outcome {
        Outcome::Yes => Cell::new(Style::Good, "✓"),
        Outcome::No => Cell::new(Style::Bad, "✗"),
        Outcome::NotAsked => Cell::new(Style::Faint, "·"),
    }
}

/// Where it is, or what to do.
fn last(trial: &Trial) -> Cell {
    let note = one_line(&trial.note);
    match trial.state {
        State::Works => Cell::new(Style::Faint, trial.program.as_deref().map(tilde).unwrap_or_default()),
        State::Broken => Cell::new(Style::Bad, note),
        State::Missing => Cell::new(Style::Warning, format!("not installed: {note}")),
        State::Untried => Cell::new(Style::Faint, "no sample"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::terminal::Terminal;

    fn trial(linter: &str, state: State, note: &str) -> Trial {
        let outcome = match state {
            State::Works => Outcome::Yes,
            State::Broken => Outcome::No,
            State::Missing | State::Untried => Outcome::NotAsked,
        };
        Trial {
            language: if linter == "shfmt" { "shell" } else { "python" }.to_owned(),
            linter: linter.to_owned(),
            state,
            version: (state != State::Missing).then(|| "1.2.3".to_owned()),
            program: (state != State::Missing).then(|| format!("/bin/{linter}")),
            good: outcome,
            bad: outcome,
            format: Outcome::NotAsked,
            note: note.to_owned(),
        }
    }

    #[test]
    fn each_linter_has_a_row_and_its_language_is_named_once() {
        let linters = vec![
            trial("ruff", State::Works, ""),
            trial("ty", State::Missing, "uv tool install ty"),
            trial("vulture", State::Untried, ""),
            trial("shfmt", State::Broken, "ended with 2:\nno"),
        ];
        let fine = Check { name: "the hook answers an edit", works: true, note: String::new() };
        let results = Results::new(
            linters,
            vec![fine, Check { name: "it flies", works: false, note: "no\nwings".to_owned() }],
        );
        let expected = "\
language  linter   version  good  bad  format\n\
python    ruff     1.2.3    ✓     ✓    ·       /bin/ruff
          ty       -        ·     ·    ·       not installed: uv tool install ty
          vulture  1.2.3    ·     ·    ·       no sample
shell     shfmt    1.2.3    ✗     ✗    ·       ended with 2: no

✓ the hook answers an edit
✗ it flies: no wings

1 linter working, 1 broken, 1 not installed, 1 without a sample";
        assert_eq!(results.page().lines(&Terminal::plain(100)).join("\n"), expected);
        assert!(!results.healthy);
        let fine =
            Results::new(vec![trial("ruff", State::Works, ""), trial("ty", State::Missing, "x")], Vec::new());
        assert!(fine.healthy);
    }
}
