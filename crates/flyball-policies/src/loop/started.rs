//! What a command really starts: `uv run --extra dev pytest -q` starts `pytest -q`, and so does
//! `docker compose run --rm app pytest -q`.

use flyball_effects::Command;
use flyball_programs::{Behaviour, Grammar, Kind, Program, program};

/// More programs in front of the one that is started are not taken off.
const MOST: usize = 8;
/// Options of containers that take the next word.
const CONTAINER_VALUES: [&str; 22] = [
    "-e",
    "-v",
    "-w",
    "-u",
    "-p",
    "-f",
    "-h",
    "-l",
    "-m",
    "--env",
    "--volume",
    "--workdir",
    "--user",
    "--publish",
    "--file",
    "--name",
    "--network",
    "--mount",
    "--label",
    "--entrypoint",
    "--env-file",
    "--project-name",
];

/// A program with its words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Started<'a> {
    /// Its name, without its folder and its version.
    pub(super) name: &'a str,
    /// Whether it is a file of the project: `./scripts/test`.
    pub(super) is_own: bool,
    /// Whether it is a module of an interpreter: `python -m pytest`.
    pub(super) is_module: bool,
    /// Unknown words are empty.
    pub(super) words: Vec<&'a str>,
}

impl<'a> Started<'a> {
    /// What a command starts in the end; `None` if its program is not known.
    pub(super) fn of(command: &'a Command) -> Option<Started<'a>> {
        let words = command.arguments.iter().map(|word| word.text.as_deref().unwrap_or_default()).collect();
        let mut started = Started::new(command.program.text.as_deref()?, words);
        started.name = command.program_name()?;
        for _ in 0..MOST {
            let Some(inner) = started.inner() else { break };
            started = inner;
        }
        Some(started)
    }

    fn new(program: &'a str, words: Vec<&'a str>) -> Started<'a> {
        let name = program.rsplit('/').next().unwrap_or(program);
        // `npx jest@29`
        let name = name.split('@').next().filter(|name| !name.is_empty()).unwrap_or(name);
        let in_packages = program.contains("/bin/");
        Started {
            name,
            is_own: program.contains('/') && !program.starts_with('@') && !in_packages,
            is_module: false,
            words,
        }
    }

    /// What is known about a program of this name.
    pub(super) fn known(&self) -> Option<&'static Program> {
        program(self.name)
    }

    /// The words that are no options and no values of options.
    pub(super) fn operands(&self) -> impl Iterator<Item = &'a str> + '_ {
        let grammar = self.known().map_or(&Grammar::PLAIN, |known| known.grammar);
        let is_container = self.known().is_some_and(|known| !known.facts.starts_inside.is_empty());
        let mut is_value = false;
        self.words.iter().copied().filter(move |word| {
            let is_operand = !is_value && !word.starts_with('-');
            is_value = !is_value
                && (takes_value(grammar, word) || (is_container && CONTAINER_VALUES.contains(word)));
            is_operand
        })
    }

    /// Whether it has words as the table of programs writes them: operands come first, options are anywhere.
    pub(super) fn has(&self, pattern: &str) -> bool {
        let mut wanted = pattern.split(' ').peekable();
        if pattern.starts_with('-') {
            for word in &self.words {
                wanted.next_if(|wanted| is_word(word, wanted));
            }
            return wanted.peek().is_none();
        }
        let mut operands = self.operands();
        wanted.all(|wanted| {
            if wanted.starts_with('-') {
                self.words.contains(&wanted)
            } else {
                operands.next().is_some_and(|word| is_word(word, wanted))
            }
        })
    }

    pub(super) fn has_any(&self, patterns: &[&str]) -> bool {
        patterns.iter().any(|pattern| self.has(pattern))
    }

    /// What it starts itself, if it does.
    fn inner(&self) -> Option<Started<'a>> {
        let known = self.known()?;
        let facts = known.facts;
        if let Some(behind) = facts.starts_inside.iter().find_map(|verb| self.inside(verb)) {
            return behind;
        }
        if known.kind == Kind::Interpreter {
            return self.module();
        }
        if let Some(starter) = &facts.starter {
            let behind = self.behind_verb(starter.verb)?;
            return from(skip(behind, |word| takes_value(&starter.grammar, word)).get(starter.operands..)?);
        }
        if let Some(wrapper) = &facts.wrapper {
            return from(
                skip(&self.words, |word| takes_value(&wrapper.grammar, word)).get(wrapper.operands..)?,
            );
        }
        if !facts.starts_behind.is_empty() {
            let behind = facts.starts_behind.split(' ').find_map(|verb| self.behind_verb(verb));
            if let Some(behind) = behind {
                let takes_value = |word: &str| facts.start_values.split(' ').any(|name| name == word);
                return from(skip(behind, takes_value));
            }
            // `yarn jest`
            let first = self.operands().next()?;
            let is_started =
                |known: &Program| known.facts.is_started_by_name || known.kind == Kind::TestRunner;
            return program(first).filter(|known| is_started(known)).and_then(|_| from(self.behind(first)));
        }
        let starts = known.does == Some(Behaviour::Start);
        starts.then(|| from(skip(&self.words, |word| takes_value(known.grammar, word)))).flatten()
    }

    /// What is started in a container, behind a verb; the inner is `None` if that names no command.
    fn inside(&self, verb: &str) -> Option<Option<Started<'a>>> {
        if !self.has(verb) {
            return None;
        }
        let last = verb.rsplit(' ').next().unwrap_or(verb);
        let at = self.words.iter().position(|word| *word == last)?;
        let behind = skip(self.words.get(at + 1..)?, |word| CONTAINER_VALUES.contains(&word));
        Some(behind.get(1..).and_then(from))
    }

    /// `python -m NAME`
    fn module(&self) -> Option<Started<'a>> {
        let at = self.words.iter().position(|word| *word == "-m")?;
        let is_first = self.words.get(..at)?.iter().all(|word| word.starts_with('-') && *word != "-c");
        let module = from(self.words.get(at + 1..)?).filter(|_| is_first)?;
        Some(Started { is_module: true, ..module })
    }

    /// The words behind the first operand, if it is this one; all of them if it needs none.
    fn behind_verb(&self, verb: &str) -> Option<&[&'a str]> {
        if verb.is_empty() {
            return Some(&self.words);
        }
        (self.operands().next() == Some(verb)).then(|| self.behind(verb).get(1..)).flatten()
    }

    /// The words from this one on.
    fn behind(&self, word: &str) -> &[&'a str] {
        let at = self.words.iter().position(|it| *it == word).unwrap_or(self.words.len());
        self.words.get(at..).unwrap_or_default()
    }
}

fn from<'a>(words: &[&'a str]) -> Option<Started<'a>> {
    let (program, rest) = words.split_first()?;
    Some(Started::new(program, rest.to_vec()))
}

/// The words from the first on that is no option.
fn skip<'w, 'a>(words: &'w [&'a str], takes_value: impl Fn(&str) -> bool) -> &'w [&'a str] {
    let mut at = 0;
    while let Some(word) = words.get(at).filter(|word| word.starts_with('-')) {
        at += if takes_value(word) { 2 } else { 1 };
        if *word == "--" {
            break;
        }
    }
    words.get(at..).unwrap_or_default()
}

fn takes_value(grammar: &Grammar, word: &str) -> bool {
    let Some(name) = word.strip_prefix('-') else { return false };
    let mut letters = name.chars();
    let is_letter =
        matches!((letters.next(), letters.next()), (Some(letter), None) if grammar.letters.contains(letter));
    let name = name.strip_prefix('-').unwrap_or(name);
    is_letter || (!name.is_empty() && grammar.names.split(' ').any(|known| known == name))
}

/// Whether a word is this one, also as a path: `./manage.py`.
fn is_word(word: &str, wanted: &str) -> bool {
    word == wanted || word.rsplit('/').next() == Some(wanted)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn innermost(line: &str) -> String {
        let line = flyball_effects::Line::read(line);
        let command = line.script.commands.first().unwrap();
        let started = Started::of(command).unwrap();
        [&[started.name][..], &started.words].concat().join(" ")
    }

    #[test]
    fn what_is_behind_runners_wrappers_and_containers_is_what_is_started() {
        let cases = [
            ("pytest -q", "pytest -q"),
            ("uv run --extra dev pytest -q", "pytest -q"),
            ("uv run python -m pytest -q", "pytest -q"),
            ("pdm run pytest", "pytest"),
            ("npx --yes jest@29 a", "jest a"),
            ("yarn jest a", "jest a"),
            ("yarn install", "yarn install"),
            ("bundle exec rake test", "rake test"),
            ("docker compose -f x.yml run --rm -e A=1 app pytest -q", "pytest -q"),
            ("docker exec -it app python3 -m unittest", "unittest"),
            ("docker compose ps", "docker compose ps"),
            ("docker run redis", "docker run redis"),
            ("timeout 5 .venv/bin/python -m pytest", "pytest"),
            ("python3 gen.py -m x", "python3 gen.py -m x"),
            ("conda run -n a pytest", "pytest"),
        ];
        for (line, expected) in cases {
            assert_eq!(innermost(line), expected, "{line}");
        }
    }
}
