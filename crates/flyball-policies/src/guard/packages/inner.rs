//! Looks through commands that only run another program: `uv run pip …`, `npx pnpm …`.

use flyball_effects::Word;

use super::arguments::{Arguments, text};
use super::commands;
use super::tool::{self, Call, Ecosystem, Program, Tool};

/// The package manager's command that a command runs, if it runs one of the same ecosystem.
pub(super) fn find_inner(call: &Call) -> Option<Call> {
    let ecosystem = call.tool.ecosystem();
    let (program, words) = started(call)?;
    let program = program.text.as_deref()?;
    let name = match ecosystem {
        Ecosystem::Python => program.rsplit('/').next()?,
        // `npm` of `npm@10`.
        Ecosystem::JavaScript => program.split('@').next()?,
    };
    let found = tool::parse_program_call(name, words.to_vec())?;
    if found.tool.ecosystem() != ecosystem || found.tool == Tool::Conda {
        return None;
    }
    Some(find_inner(&found).unwrap_or(found))
}

/// The program that a command starts, and its words.
fn started(call: &Call) -> Option<(&Word, &[Word])> {
    let grammar = commands::grammar(call.tool);
    let (_, mut rest) = Arguments::head(&call.words, &grammar);
    if call.program == Program::Main {
        let (verb, after) = rest.split_first()?;
        if !starting(call.tool).contains(&text(verb)) {
            return None;
        }
        (_, rest) = Arguments::head(after, &grammar);
    } else if call.program != Program::Runner {
        return None;
    }
    let (program, words) = rest.split_first()?;
    let is_separator = words.first().is_some_and(|first| first.is("--"));
    Some((program, words.get(usize::from(is_separator)..)?))
}

/// The subcommands of a tool that start a program.
fn starting(tool: Tool) -> &'static [&'static str] {
    match tool {
        Tool::Uv | Tool::Poetry | Tool::Pipenv => &["run"],
        Tool::Npm => &["exec", "x"],
        Tool::Yarn | Tool::Pnpm => &["exec", "dlx"],
        Tool::Bun => &["x"],
        Tool::Pip | Tool::Conda => &[],
    }
}
