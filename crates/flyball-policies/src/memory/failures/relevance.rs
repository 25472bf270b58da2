//! Whether a rule is about what failed, by its words.

use flyball_effects::Script;
use flyball_knowledge::node::Rule;
use flyball_programs::{Kind, program};

use super::classify::Diagnosis;

/// How much a name and a plain word count.
const NAME: u32 = 2;
const WORD: u32 = 1;
/// From here on, a rule is about it.
const ENOUGH: u32 = 2;

/// What failed, in words.
pub(super) struct Subject(Vec<(String, u32)>);

impl Subject {
    /// A command line, and what was wrong with it.
    pub(super) fn command(script: &Script, found: &Diagnosis) -> Subject {
        let mut subject = Subject(Vec::new());
        for command in &script.commands {
            let names = command.program_name().into_iter().chain(command.wrappers.iter().map(String::as_str));
            names.filter(|name| !is_everywhere(name)).for_each(|name| subject.add(name, NAME));
            let words = command.arguments.iter().filter_map(|word| word.text.as_deref());
            for word in words.filter(|word| word.len() > 2 && !word.contains(char::is_whitespace)) {
                let is_name = word.starts_with("--") || word.contains(['.', '/']);
                subject.add(last_part(word), if is_name { NAME } else { WORD });
            }
        }
        // What the message names is what is missing or wrong.
        for quoted in found.line.split(['\'', '"', '`']).skip(1).step_by(2) {
            if !quoted.contains(char::is_whitespace) && quoted.len() > 1 {
                subject.add(last_part(quoted), NAME);
            }
        }
        subject
    }

    /// A file, relative to the project's root.
    pub(super) fn file(path: &str) -> Subject {
        let mut subject = Subject(Vec::new());
        let name = last_part(path);
        subject.add(name, NAME);
        if let Some((stem, _)) = name.rsplit_once('.') {
            subject.add(stem, NAME);
        }
        path.split('/').filter(|folder| *folder != name).for_each(|folder| subject.add(folder, NAME));
        subject
    }

    fn add(&mut self, word: &str, weight: u32) {
        let word = word.trim_matches('-').to_lowercase();
        if word.len() > 1 && !self.0.iter().any(|(known, _)| *known == word) {
            self.0.push((word, weight));
        }
    }

    /// Whether a rule is about it.
    pub(super) fn is_in(&self, rule: &Rule) -> bool {
        let text = format!("{}\n{}", rule.title, rule.text).to_lowercase();
        let mut words: Vec<&str> = Vec::new();
        for word in text.split(|letter: char| !letter.is_alphanumeric() && !"._-/".contains(letter)) {
            let word = word.trim_matches(['.', '-', '/']);
            words.extend(word.split('/').filter(|part| !part.is_empty()));
        }
        let found = self.0.iter().filter(|(word, _)| words.contains(&word.as_str()));
        found.map(|(_, weight)| weight).sum::<u32>() >= ENOUGH
    }
}

fn last_part(path: &str) -> &str {
    path.trim_end_matches('/').rsplit('/').next().unwrap_or(path)
}

/// Whether a program is called everywhere, so that its name says nothing.
fn is_everywhere(name: &str) -> bool {
    let kind = program(name).map(|known| known.kind);
    let is_common = matches!(
        kind,
        Some(
            Kind::Shell
                | Kind::Builtin
                | Kind::Wrapper
                | Kind::Viewer
                | Kind::Finder
                | Kind::FileTool
                | Kind::VersionControl
        )
    );
    is_common
}

#[cfg(test)]
mod tests {
    use flyball_core::path::AbsolutePath;
    use flyball_effects::Line;
    use flyball_knowledge::node::{Node, rules};

    use super::super::classify::find_mistake;
    use super::*;

    fn is_about(subject: &Subject, text: &str) -> bool {
        let text = format!("## Pitfalls\n\n- {text}\n");
        let node = Node::new(AbsolutePath::from_root("/r/AGENTS.md"), text);
        rules(&node).iter().any(|rule| subject.is_in(rule))
    }

    #[test]
    fn a_rule_about_a_command_names_it() {
        let subject = |command: &str, output: &str| {
            let line = Line::read(command);
            let found = find_mistake(&line.script, output).unwrap();
            Subject::command(&line.script, &found)
        };
        let uv = subject("uv run pytest -q", "error: Failed to spawn: `pytest`");
        assert!(is_about(&uv, "Run the tests with `make test`, never with `pytest`."));
        assert!(!is_about(&uv, "Dates are in UTC."));
        let cat = subject("cat src/old/config.py", "cat: src/old/config.py: No such file or directory");
        assert!(is_about(&cat, "The settings are in `settings/config.py`."));
        assert!(!is_about(&cat, "Use `cat` for logs."));
        let push = subject("git push origin main", " ! [rejected] main -> main (fetch first)");
        assert!(is_about(&push, "Never push to main."));
        assert!(!is_about(&push, "Commit with git before lunch."));
    }

    #[test]
    fn a_rule_about_a_file_names_it_or_its_folder() {
        let file = Subject::file("generated/api/client.ts");
        assert!(is_about(&file, "Everything in `generated/` is written by `make gen`."));
        assert!(is_about(&file, "`client.ts` is read-only."));
        assert!(!is_about(&file, "Sessions are never shared."));
    }
}
