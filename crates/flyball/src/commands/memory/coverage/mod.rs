//! `flyball memory coverage`: which rules in prose something enforces, which could be enforced, and which only a reader can
//! follow.

mod ask;
mod command_line;
mod covered;
mod draft;
mod page;
mod paths;
mod phrases;
mod probe;
mod rules;
mod sample;
mod stop;

use clap::Args;
use flyball_knowledge::claim;
use flyball_programs::{Kind, program};
use flyball_world::machine::real_path;

use self::ask::Judge;
use self::covered::{Coverage, Covered, State};
use super::statements::{self, RuleFile, Statement};
use crate::outcome::{Done, Failed};
use crate::progress::Progress;
use crate::project_context::ProjectContext;
use crate::terminal::Terminal;

/// Arguments of `flyball memory coverage`.
#[derive(Args)]
#[command(
    after_help = "What a rule forbids or demands is tried: the call is judged with this project's config, as `flyball try` does it. \
Nothing is run. Every drafted rule was loaded, and its cases passed; put what you want of it into flyball.toml.\n\
The exit code is 0 whatever is found."
)]
pub(super) struct Arguments {
    /// Only these rule files, by their paths from the project's root
    #[arg(value_name = "FILE")]
    files: Vec<String>,
    /// Print JSON: `rules` (each with `file`, `line`, `rule`, `state` (enforced, possible, reader), `answers` (each with `call`,
    /// `decision`, `policy`, `rule`) and `drafts` (each with `about` and `toml`)), and `enforced`, `possible`, `readers`
    #[arg(long)]
    json: bool,
}

pub(super) fn run(arguments: &Arguments, terminal: &Terminal) -> Result<Done, Failed> {
    let here = ProjectContext::find()?;
    let progress = Progress::with_text("judging what the rules say");
    // A policy that panics is handled; its message would end up among the lines.
    std::panic::set_hook(Box::new(|_| {}));
    let mut files = statements::read_all(&here.machine(), &real_path(&here.root));
    // What is drafted holds for all files.
    files.retain(|file| file.paths.is_empty());
    let files = chosen(files, &arguments.files)?;
    let judge = Judge::new(&here)?;
    let mut rules = Vec::new();
    for file in &files {
        rules.extend(file.statements.iter().map(|statement| cover(&judge, file, statement)));
    }
    drop(progress);
    let count = |state| rules.iter().filter(|rule| rule.state == state).count();
    let (enforced, possible, readers) =
        (count(State::Enforced), count(State::Possible), count(State::Reader));
    let coverage = Coverage { enforced, possible, readers, rules };
    if arguments.json {
        terminal.json(&coverage);
    } else {
        page::build(&coverage, !files.is_empty()).print(terminal);
    }
    Ok(Done::Success)
}

fn chosen(all: Vec<RuleFile>, names: &[String]) -> Result<Vec<RuleFile>, Failed> {
    let plain = |name: &String| name.trim_start_matches("./").to_owned();
    if let Some(unknown) = names.iter().find(|name| !all.iter().any(|file| file.name == plain(name))) {
        return Err(Failed::new(
            format!("`{unknown}` is not a rule file of this project"),
            "`flyball memory` shows what there is",
        ));
    }
    let wanted: Vec<String> = names.iter().map(plain).collect();
    Ok(all.into_iter().filter(|file| wanted.is_empty() || wanted.contains(&file.name)).collect())
}

/// Tries what one rule says.
fn cover(judge: &Judge, file: &RuleFile, statement: &Statement) -> Covered {
    let place = rules::Place { file: &file.name, line: statement.line, folder: &file.folder };
    let text =
        paths::in_backticks(&statement.text, &|path| judge.has_file(&rules::below(place.folder, path)));
    let claims = claim::read(&statement.lead, &text, &is_tool);
    let words = format!("{} {}", statement.lead, statement.text).to_lowercase();
    let mut found: Vec<rules::Demanded> = claims
        .iter()
        .filter_map(|claim| rules::demanded(&place, claim, &words, &|tool| judge.has_linter(tool)))
        .collect();
    if found.is_empty() {
        found.extend(rules::from_phrases(&place, statement));
    }
    let (mut answers, mut drafts) = (Vec::new(), Vec::new());
    let (mut held, mut open) = (0_u32, 0_u32);
    for demanded in &found {
        let tried = judge.answer(&place, demanded);
        if tried.iter().all(|answer| answer.is_stopped) && !tried.is_empty() {
            held += 1;
        } else {
            let new = draft::of(judge, &place, demanded);
            open += u32::from(!new.is_empty());
            drafts.extend(new);
        }
        answers.extend(tried);
    }
    let state = match (held, open) {
        (_, 1..) => State::Possible,
        (1.., 0) => State::Enforced,
        (0, 0) => State::Reader,
    };
    if state == State::Reader {
        answers.clear();
    }
    drafts.dedup_by(|one, other| one.toml == other.toml);
    Covered {
        file: file.name.clone(),
        line: statement.line,
        rule: statement.short(110),
        state,
        answers,
        drafts,
    }
}

/// Names that mean a tool also where they are not in backticks.
fn is_tool(word: &str) -> bool {
    program(word).is_some_and(|known| {
        matches!(known.kind, Kind::PackageManager | Kind::Formatter | Kind::Linter | Kind::TestRunner)
            && !["go", "check", "test", "task", "just", "make", "bundle", "black", "standard", "rome"]
                .contains(&word)
    })
}
