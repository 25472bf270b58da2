//! Makefiles: the recipes of the targets that are asked for.

use super::{Runner, Tasks, texts, value};
use crate::shell::reader::Reader;

/// More included files are not read.
const MOST_INCLUDES: usize = 8;
/// Expansions that contain each other more often are left as they are.
const MOST_EXPANSIONS: usize = 8;

#[derive(Default)]
struct Makefile {
    variables: Vec<(String, String)>,
    rules: Vec<Rule>,
    includes: Vec<String>,
}

struct Rule {
    targets: Vec<String>,
    needs: Vec<String>,
    recipe: Vec<String>,
}

impl Reader<'_> {
    pub(super) fn make(&mut self, runner: &Runner<'_>) -> Option<Tasks> {
        if runner.has(&[
            "-n",
            "--dry-run",
            "--just-print",
            "--recon",
            "-q",
            "--question",
            "-t",
            "--touch",
            "-v",
        ]) {
            return None;
        }
        let parsed = runner.parsed("CfIoWEjl", "directory file makefile include-dir eval jobs");
        let folder = value(&parsed, "C directory");
        let mut makefile = Makefile::default();
        if let Some(code) = value(&parsed, "eval E") {
            makefile.read(&code.replace("\\n", "\n"));
        }
        let text = match value(&parsed, "f file makefile").as_deref() {
            Some("-") => runner.input.map(str::to_owned),
            Some(path) => self.first_file(folder.as_deref(), &[path], runner.directory),
            None => {
                self.first_file(folder.as_deref(), &["GNUmakefile", "makefile", "Makefile"], runner.directory)
            }
        };
        makefile.read(text.as_deref().unwrap_or_default());
        for at in 0..MOST_INCLUDES {
            let Some(name) = makefile.includes.get(at).cloned() else { break };
            let included = self.first_file(folder.as_deref(), &[name.as_str()], runner.directory);
            makefile.read(included.as_deref().unwrap_or_default());
        }
        let mut targets = Vec::new();
        for operand in texts(&parsed) {
            match operand.split_once('=') {
                Some((name, value)) => makefile.set(name.trim_end_matches(':'), value),
                None => targets.push(operand.to_owned()),
            }
        }
        if targets.is_empty() {
            let is_goal = |target: &&String| !target.starts_with('.') && !target.contains('%');
            targets.extend(makefile.rules.iter().flat_map(|rule| &rule.targets).find(is_goal).cloned());
        }
        Some(Tasks { lines: makefile.lines(targets), folder })
    }
}

impl Makefile {
    fn read(&mut self, text: &str) {
        let whole = text.replace("\\\n", " ");
        for line in whole.lines() {
            if let Some(step) = line.strip_prefix('\t') {
                if let Some(rule) = self.rules.last_mut() {
                    rule.recipe.push(step.to_owned());
                }
                continue;
            }
            let line = line.split('#').next().unwrap_or(line).trim();
            if let Some(names) = line.strip_prefix("include ").or_else(|| line.strip_prefix("-include ")) {
                self.includes.extend(names.split_ascii_whitespace().map(str::to_owned));
            } else if let Some((name, value)) = assignment(line) {
                self.set(name, value);
            } else if let Some((targets, rest)) = line.split_once(':') {
                self.add_rule(targets, rest.trim_start_matches(':'));
            }
        }
    }

    fn set(&mut self, name: &str, value: &str) {
        self.variables.retain(|(known, _)| known != name);
        self.variables.push((name.to_owned(), value.trim().to_owned()));
    }

    fn add_rule(&mut self, targets: &str, rest: &str) {
        let (needs, step) = rest.split_once(';').map_or((rest, None), |(needs, step)| (needs, Some(step)));
        let words = |text: &str| text.split_ascii_whitespace().map(str::to_owned).collect();
        self.rules.push(Rule {
            targets: words(&self.expand(targets, "", "", 0)),
            needs: words(&self.expand(&needs.replace('|', " "), "", "", 0)),
            recipe: step.map(|step| step.trim().to_owned()).into_iter().collect(),
        });
    }

    /// The recipes of these targets and of what they need, which comes first.
    fn lines(&self, targets: Vec<String>) -> Vec<String> {
        let (mut waiting, mut order) = (targets, Vec::new());
        while let Some(target) = waiting.pop() {
            if order.contains(&target) {
                continue;
            }
            waiting.extend(self.rules_of(&target).flat_map(|rule| rule.needs.iter().cloned()));
            order.push(target);
        }
        let recipe = |target: &String| {
            let rules: Vec<&Rule> = self.rules_of(target).collect();
            let steps = rules.into_iter().flat_map(|rule| {
                let first = rule.needs.first().cloned().unwrap_or_default();
                rule.recipe.iter().map(move |step| (step, first.clone()))
            });
            steps
                .map(|(step, first)| {
                    let step = step.trim_start_matches(['@', '-', '+', ' ']);
                    self.expand(step, target, &first, 0)
                })
                .collect::<Vec<_>>()
        };
        order.iter().rev().flat_map(recipe).collect()
    }

    fn rules_of<'m>(&'m self, target: &str) -> impl Iterator<Item = &'m Rule> {
        let target = target.to_owned();
        self.rules.iter().filter(move |rule| rule.targets.iter().any(|known| matches_target(known, &target)))
    }

    /// What make puts into a line. A name that only the environment has becomes a variable of the shell.
    fn expand(&self, text: &str, target: &str, first: &str, depth: usize) -> String {
        let mut out = String::with_capacity(text.len());
        let mut rest = text;
        while let Some(at) = rest.find('$') {
            out.push_str(rest.get(..at).unwrap_or_default());
            let mark = rest.get(at + 1..).unwrap_or_default();
            let close = match mark.as_bytes().first() {
                Some(b'(') => Some(')'),
                Some(b'{') => Some('}'),
                _ => None,
            };
            let (put, length) = match close.and_then(|close| closing(mark, close)) {
                Some(end) => (self.named(mark.get(1..end).unwrap_or_default(), depth), end + 1),
                None => match mark.chars().next() {
                    Some('$') => ("$".to_owned(), 1),
                    Some('@') => (target.to_owned(), 1),
                    Some('<' | '^' | '?') => (first.to_owned(), 1),
                    Some(letter) if letter.is_ascii_alphabetic() => {
                        (self.named(letter.to_string().as_str(), depth), 1)
                    }
                    _ => (String::new(), usize::from(!mark.is_empty())),
                },
            };
            out.push_str(&put);
            rest = mark.get(length..).unwrap_or_default();
        }
        out.push_str(rest);
        out
    }

    fn named(&self, name: &str, depth: usize) -> String {
        let known = self.variables.iter().find(|(known, _)| known == name);
        match known {
            Some((_, value)) if depth < MOST_EXPANSIONS => self.expand(value, "", "", depth + 1),
            _ if name == "MAKE" => "make".to_owned(),
            _ if name == "CURDIR" => ".".to_owned(),
            _ if name == "RM" => "rm -f".to_owned(),
            _ if name == "@D" || name == "@F" => "\"$_\"".to_owned(),
            _ => match name.strip_prefix("shell ") {
                Some(command) => format!("$({})", self.expand(command, "", "", depth + 1)),
                None if name.contains([' ', ':']) => "\"$_\"".to_owned(),
                None => format!("${{{name}}}"),
            },
        }
    }
}

/// Where the bracket that a text begins with is closed.
fn closing(text: &str, close: char) -> Option<usize> {
    let open = text.chars().next()?;
    let mut depth = 0usize;
    for (at, letter) in text.char_indices() {
        if letter == open {
            depth += 1;
        } else if letter == close {
            depth = depth.checked_sub(1)?;
            if depth == 0 {
                return Some(at);
            }
        }
    }
    None
}

/// `NAME := value`
fn assignment(line: &str) -> Option<(&str, &str)> {
    let (before, value) = line.split_once('=')?;
    let name = before.trim_end_matches([':', '?', '+', '!']).trim();
    let name = name.strip_prefix("export ").or_else(|| name.strip_prefix("override ")).unwrap_or(name).trim();
    let is_name = !name.is_empty()
        && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.'));
    is_name.then_some((name, value))
}

/// Whether a rule for `known`, which may have a `%`, makes `target`.
fn matches_target(known: &str, target: &str) -> bool {
    match known.split_once('%') {
        Some((start, end)) => {
            target.len() > start.len() + end.len() && target.starts_with(start) && target.ends_with(end)
        }
        None => known == target,
    }
}
