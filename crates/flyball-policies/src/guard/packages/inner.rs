//! Looks through what only runs another program: `uv run pip …`, `npx pnpm …`.

use super::arguments::{Argument, Arguments};
use super::tool::{self, Call, Ecosystem, Program, Tool};
use super::{javascript, python};

/// The package manager's command that a command runs, if it runs one of the same ecosystem.
pub(super) fn find_inner(call: &Call) -> Option<Call> {
    let ecosystem = call.tool.ecosystem();
    let (program, words) = started(call)?;
    let found = tool::parse_program_call(name(program.text.as_deref()?, ecosystem)?, words.to_vec())?;
    if found.tool.ecosystem() != ecosystem || found.tool == Tool::Conda {
        return None;
    }
    Some(find_inner(&found).unwrap_or(found))
}

/// The program that a command starts, and its words.
fn started(call: &Call) -> Option<(&Argument, &[Argument])> {
    let valued = match call.tool.ecosystem() {
        Ecosystem::Python => python::VALUED,
        Ecosystem::JavaScript => javascript::VALUED,
    };
    let (_, mut rest) = Arguments::head(&call.words, valued);
    if call.program == Program::Main {
        let (verb, behind) = rest.split_first()?;
        if !starting(call.tool).contains(&verb.text_or_empty()) {
            return None;
        }
        (_, rest) = Arguments::head(behind, valued);
    } else if call.program != Program::Runner {
        return None;
    }
    let (program, words) = rest.split_first()?;
    match words.split_first() {
        Some((first, more)) if first.is("--") => Some((program, more)),
        Some(_) | None => Some((program, words)),
    }
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

/// A program's name without its folder, or a package's without its version: `npm` of `npm@10`.
fn name(written: &str, ecosystem: Ecosystem) -> Option<&str> {
    match ecosystem {
        Ecosystem::Python => written.rsplit('/').next(),
        Ecosystem::JavaScript => written.split('@').next(),
    }
}
