//! What other policies ask about package managers: whether a command is one of a rival of the manager that a project wants.

use flyball_effects::{Command, Word};

use super::arguments::{Arguments, text};
use super::request::Request;
use super::tool::{Call, Ecosystem, Program, Tool, parse_call};
use super::{commands, inner, outside, read};

/// The package manager that a word of a sentence names: `pnpm`, `Poetry`.
pub(crate) fn manager_named(word: &str) -> Option<&'static str> {
    Tool::from_name(&word.to_ascii_lowercase()).map(Tool::name)
}

/// Whether this is the name of a package manager.
pub(crate) fn is_manager(name: &str) -> bool {
    Tool::from_name(name).is_some()
}

/// Whether a command changes or runs packages with a rival of the manager that is wanted. What only looks does not, nor
/// does what installs that manager.
pub(crate) fn uses_rival(command: &Command, wanted: &str) -> bool {
    request_of_rival(command, wanted).is_some()
}

/// Whether it changes what is installed with one.
pub(crate) fn installs_with_rival(command: &Command, wanted: &str) -> bool {
    request_of_rival(command, wanted).is_some_and(|request| request.installs())
}

fn request_of_rival(command: &Command, wanted: &str) -> Option<Request> {
    let (call, wanted) = (parse_call(command)?, Tool::from_name(wanted)?);
    let is_rival = |call: &Call| call.tool != wanted && call.tool.ecosystem() == wanted.ecosystem();
    // `npx pnpm install` is pnpm's, `uv run pip install` is pip's.
    let last = inner::find_inner(&call).unwrap_or_else(|| call.clone());
    // Only uv has a command of its own for making an environment.
    let is_neutral = last.program == Program::Venv && wanted != Tool::Uv;
    let is_through = call.tool.ecosystem() == Ecosystem::JavaScript || call.tool == wanted;
    if is_neutral || !is_rival(&last) && (is_through || !is_rival(&call)) {
        return None;
    }
    let request = read::read(&last)?;
    (!request.only_looks() && !outside::installs_target(&request, wanted)).then_some(request)
}

/// A command of a package manager: its name, and the words behind it. `npm i x` is `npm install x`, `python3 -m pip` is
/// `pip`.
pub(crate) struct Spelled {
    pub(crate) manager: &'static str,
    pub(crate) words: Vec<Word>,
    /// The folder that an option names.
    pub(crate) folder: Option<String>,
}

/// The command as one of a package manager itself, if it is one.
pub(crate) fn spelled_out(command: &Command) -> Option<Spelled> {
    let call = parse_call(command).filter(|call| call.program == Program::Main)?;
    let grammar = commands::grammar(call.tool);
    let (mut head, rest) = Arguments::head(&call.words, &grammar);
    let folder = head.values("prefix C dir cwd directory project").pop();
    let install = [Word::literal("install")];
    // `yarn` alone installs.
    let rest = if rest.is_empty() && call.tool == Tool::Yarn { &install } else { rest };
    let mut words = rest.to_vec();
    if let Some((first, after)) = rest.split_first() {
        let second = after.first().map(text).filter(|word| !word.starts_with('-'));
        let mut arguments = Arguments::read(after, &grammar);
        let found = commands::find(call.tool, text(first), second, &mut arguments);
        if let (Some(found), Some(verb)) = (found.filter(|found| found.words == 1), words.first_mut()) {
            *verb = Word::literal(found.full);
        }
    }
    Some(Spelled { manager: call.tool.name(), words, folder })
}

#[cfg(test)]
mod tests {
    use flyball_effects::Line;

    use super::*;

    fn first(line: &str) -> Command {
        Line::read(line).script.commands.into_iter().next().unwrap()
    }

    #[test]
    fn what_changes_packages_with_another_manager_uses_a_rival() {
        let cases = [
            ("npm install", "pnpm", true),
            ("npm i left-pad", "pnpm", true),
            ("yarn", "pnpm", true),
            ("npx tsc", "pnpm", true),
            ("npm run build", "pnpm", true),
            ("python3 -m pip install x", "uv", true),
            ("python -m venv .venv", "uv", true),
            ("poetry run pip install x", "poetry", true),
            ("uv run pip install x", "poetry", true),
            ("pnpm add x", "pnpm", false),
            ("npx pnpm install", "pnpm", false),
            ("npm install -g pnpm", "pnpm", false),
            ("pip install uv", "uv", false),
            ("npm --version", "pnpm", false),
            ("npm view react", "pnpm", false),
            ("npm ls", "pnpm", false),
            ("pip list", "uv", false),
            ("python -m venv .venv", "poetry", false),
            ("pip install x", "pnpm", false),
            ("cargo add x", "pnpm", false),
        ];
        for (line, wanted, expected) in cases {
            assert_eq!(uses_rival(&first(line), wanted), expected, "{line}, {wanted}");
        }
    }

    #[test]
    fn short_names_of_subcommands_are_spelled_out() {
        let cases = [
            ("npm i x", "npm install x"),
            ("npm --prefix web i", "npm install"),
            ("npm t", "npm test"),
            ("yarn", "yarn install"),
            ("pip3 install x", "pip install x"),
            ("python -m pip install x", "pip install x"),
            ("npm run i", "npm run i"),
        ];
        for (line, expected) in cases {
            let spelled = spelled_out(&first(line)).unwrap();
            let words: Vec<&str> = spelled.words.iter().map(text).collect();
            assert_eq!(format!("{} {}", spelled.manager, words.join(" ")), expected, "{line}");
        }
        assert_eq!(spelled_out(&first("npm --prefix web i")).unwrap().folder.as_deref(), Some("web"));
        assert!(spelled_out(&first("npx x")).is_none() && spelled_out(&first("ls")).is_none());
    }
}
