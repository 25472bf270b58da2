//! Questions to a person, each with a default: Enter takes it, and so does the end of input.

use crate::terminal::{Style, Terminal};

/// Switches with longer names than this have a line each.
const SHORT_NAME: usize = 16;

/// A name that can be chosen, and what it means.
pub(super) type Choice = (&'static str, &'static str);

/// Asks the person at the terminal.
pub(super) struct Dialogue<'a> {
    terminal: &'a Terminal,
}

impl<'a> Dialogue<'a> {
    pub(super) const fn new(terminal: &'a Terminal) -> Dialogue<'a> {
        Dialogue { terminal }
    }

    /// Starts a new subject.
    pub(super) fn heading(&self, title: &str) {
        self.terminal.line("");
        self.terminal.line(&self.terminal.paint(Style::Strong, title));
    }

    /// Shows a line that is not a question.
    pub(super) fn remark(&self, text: &str) {
        self.terminal.line(&format!("  {}", self.terminal.paint(Style::Faint, text)));
    }

    /// The answer; nothing if the default is taken.
    fn answer(&self, question: &str) -> Option<String> {
        self.terminal.ask(&format!("  {question}")).filter(|answer| !answer.is_empty())
    }

    pub(super) fn reject(&self, what: &str) {
        self.terminal.line(&format!("  {} {what}", self.terminal.paint(Style::Warning, "!")));
    }

    pub(super) fn confirm(&self, question: &str, default: bool) -> bool {
        let choice = if default { "[Y/n]" } else { "[y/N]" };
        loop {
            let Some(answer) = self.answer(&format!("{question} {choice}")) else { return default };
            match answer.to_lowercase().as_str() {
                "y" | "yes" => return true,
                "n" | "no" => return false,
                _ => self.reject("type y or n"),
            }
        }
    }

    /// One of the choices, by its number or its name.
    pub(super) fn choose(&self, question: &str, choices: &[Choice], default: &str) -> String {
        let width = choices.iter().map(|(name, _)| name.len()).max().unwrap_or_default();
        for (number, (name, about)) in choices.iter().enumerate() {
            let about = self.terminal.paint(Style::Faint, about);
            let line = format!("  {} {name:<width$}  {about}", number + 1);
            self.terminal.line(line.trim_end());
        }
        loop {
            let Some(answer) = self.answer(&format!("{question} [{default}]")) else {
                return default.to_owned();
            };
            let by_number =
                answer.parse::<usize>().ok().and_then(|number| choices.get(number.checked_sub(1)?));
            let chosen = by_number.or_else(|| choices.iter().find(|(name, _)| *name == answer));
            match chosen {
                Some((name, _)) => return (*name).to_owned(),
                None => self.reject(&format!("type a number from 1 to {}, or the name", choices.len())),
            }
        }
    }

    /// A whole number that is not too small.
    pub(super) fn number(&self, question: &str, (least, default): (u32, u32)) -> u32 {
        loop {
            let Some(answer) = self.answer(&format!("{question} [{default}]")) else { return default };
            match answer.parse() {
                Ok(number) if number >= least => return number,
                Ok(_) | Err(_) => self.reject(&format!("type a whole number from {least}")),
            }
        }
    }

    /// A text, or none.
    pub(super) fn text(&self, question: &str, default: Option<&str>) -> Option<String> {
        let shown = default.unwrap_or("not set");
        self.answer(&format!("{question} [{shown}]")).or_else(|| default.map(str::to_owned))
    }

    /// Switches: numbers toggle them until nothing is typed.
    pub(super) fn switches(&self, question: &str, mut switches: Vec<(String, bool)>) -> Vec<(String, bool)> {
        loop {
            let shown = switches.iter().enumerate().map(|(number, (name, is_on))| {
                let mark = if *is_on { ("✓", Style::Good) } else { ("–", Style::Faint) };
                format!("{} {} {name}", number + 1, self.terminal.paint(mark.1, mark.0))
            });
            let shown: Vec<String> = shown.collect();
            if switches.iter().any(|(name, _)| name.chars().count() > SHORT_NAME) {
                shown.iter().for_each(|switch| self.terminal.line(&format!("  {switch}")));
            } else {
                self.terminal.line(&format!("  {}", shown.join("   ")));
            }
            let Some(answer) = self.answer(question) else { return switches };
            match numbers(&answer, switches.len()) {
                Some(numbers) => {
                    let chosen = switches.iter_mut().enumerate().filter(|(at, _)| numbers.contains(at));
                    chosen.for_each(|(_, (_, is_on))| *is_on = !*is_on);
                }
                None => self.reject(&format!("type numbers from 1 to {}", switches.len())),
            }
        }
    }

    /// A list: a text is added, numbers after a `-` are removed, until nothing is typed.
    /// Duplicates are rejected.
    pub(super) fn list(&self, question: &str, mut list: Vec<String>) -> Vec<String> {
        loop {
            for (number, item) in list.iter().enumerate() {
                self.terminal.line(&format!("  {:>2} {item}", number + 1));
            }
            let Some(answer) = self.answer(question) else { return list };
            match answer.strip_prefix('-') {
                Some(which) => match numbers(which, list.len()) {
                    Some(gone) => {
                        let rest = list.into_iter().enumerate().filter(|(at, _)| !gone.contains(at));
                        list = rest.map(|(_, item)| item).collect();
                    }
                    None => self.reject(&format!("type `-` and numbers from 1 to {}", list.len())),
                },
                None if list.contains(&answer) => self.reject("already in the list"),
                None => list.push(answer),
            }
        }
    }
}

/// Places in a list by their numbers, which begin with 1: `2, 3`.
fn numbers(text: &str, most: usize) -> Option<Vec<usize>> {
    let parts = text.split([',', ' ']).filter(|part| !part.is_empty());
    let places: Option<Vec<usize>> =
        parts.map(|part| part.parse::<usize>().ok()?.checked_sub(1).filter(|place| *place < most)).collect();
    places.filter(|places| !places.is_empty())
}
