//! `flyball self-test`: runs every installed linter on samples with known problems.

mod own_checks;
mod page;
mod project;
mod trial;

use clap::Args;
use flyball_core::nearest::nearest;
use flyball_quality::linter::Linter;
use flyball_quality::settings::{Format, Settings};

use self::page::Results;
use self::project::Project;
use super::lint::defaults;
use crate::arguments::unknown;
use crate::outcome::{Done, Failed};
use crate::progress::Progress;
use crate::terminal::Terminal;

/// Arguments of `flyball self-test`.
#[derive(Args)]
#[command(
    after_help = "Every built-in linter checks a good and a bad sample in a temporary project, with its default \
                  settings. Exit code 0 if every installed linter works, else 1. Linters that are not installed do \
                  not count."
)]
pub(crate) struct Arguments {
    /// Only the linters of this language; may be given more than once
    #[arg(long, value_name = "NAME")]
    language: Vec<String>,
    /// Print JSON: `version` (1), `healthy`, `linters` (`language`, `linter`, `state`, `version`,
    /// `program`, `good`, `bad`, `format`, `note`) and `checks` (`name`, `works`, `note`)
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(arguments: &Arguments, terminal: &Terminal) -> Result<Done, Failed> {
    // By default a formatter runs only where its config is, which not every sample has.
    let settings = Settings { format: Format::Always, ..defaults()? };
    let chosen = chosen(&settings, &arguments.language)?;
    let progress = Progress::after_a_while();
    let project = Project::new()?;
    let mut linters = Vec::new();
    for (done, linter) in chosen.iter().enumerate() {
        progress.bar(&linter.name, (done, chosen.len()));
        linters.push(project.try_out(linter, &settings));
    }
    progress.set_text("flyball itself");
    let results = Results::new(linters, own_checks::checks(&settings));
    progress.clear();
    if arguments.json {
        terminal.json(&results);
    } else {
        results.page().print(terminal);
    }
    Ok(if results.healthy { Done::Success } else { Done::Findings })
}

/// The linters of these languages, or all, by language.
fn chosen<'a>(settings: &'a Settings, languages: &[String]) -> Result<Vec<&'a Linter>, Failed> {
    let language = |linter: &'a Linter| linter.entry.language.as_deref().unwrap_or_default();
    let known = || settings.linters.iter().map(language);
    for name in languages {
        if !known().any(|known| known == name) {
            let what = format!("no linter for language `{name}`");
            return Err(unknown(what, nearest(name, known()), "without `--language` all linters run"));
        }
    }
    let is_chosen = |linter: &&Linter| {
        languages.is_empty()
            || linter.entry.language.as_ref().is_some_and(|language| languages.contains(language))
    };
    let mut linters: Vec<&Linter> = settings.linters.iter().filter(is_chosen).collect();
    linters.sort_by_key(|linter| (language(linter), &linter.name));
    Ok(linters)
}
