//! The reference in `docs/reference`, computed from the tables that the program itself uses.

mod commands;
mod environment;
mod events;
mod expressions;
mod linters;
mod markdown;
mod plugin;
mod policies;

use std::path::{Path, PathBuf};

use clap::Args;
use flyball_policies::REGISTRY;

use flyball::outcome::{Done, Failed};
use flyball::schema;
use flyball::terminal::Terminal;

/// The command that brings the committed files up to date.
const REFRESH: &str = "cargo dev reference --write docs/reference";

/// Arguments of `cargo dev reference`.
#[derive(Args)]
#[group(required = true, multiple = false)]
pub(crate) struct Arguments {
    /// Write the files into this directory
    #[arg(long, value_name = "DIR")]
    write: Option<PathBuf>,
    /// List the files in this directory that are out of date
    #[arg(long, value_name = "DIR")]
    check: Option<PathBuf>,
}

/// Writes or checks the files.
pub(crate) fn run(arguments: &Arguments, terminal: &Terminal) -> Result<Done, Failed> {
    if let Some(directory) = &arguments.write {
        write(directory)?;
    }
    let Some(directory) = &arguments.check else { return Ok(Done::Success) };
    let stale: Vec<String> = files().into_iter().filter_map(|file| file.stale_in(directory)).collect();
    if stale.is_empty() {
        return Ok(Done::Success);
    }
    terminal.lines(&stale);
    terminal.line(&format!("refresh with: {REFRESH}"));
    Ok(Done::Findings)
}

/// One file of the reference.
struct File {
    name: &'static str,
    text: String,
}

fn files() -> Vec<File> {
    let page = |name, text: String| File { name, text: text.trim_end().to_owned() + "\n" };
    vec![
        page("policies.md", policies::page()),
        page("config.md", flyball_core::config::reference(REGISTRY)),
        page("flyball.schema.json", schema()),
        page("commands.md", commands::page()),
        page("events.md", events::page()),
        page("environment.md", environment::page()),
        page("expressions.md", expressions::page()),
        page("linters.md", linters::page()),
        // Beside the docs: what the plugin has in common with `flyball init`.
        page("../../plugin/.claude-plugin/plugin.json", plugin::manifest()),
        page("../../plugin/hooks/hooks.json", plugin::hooks()),
    ]
}

impl File {
    fn stale_in(&self, directory: &Path) -> Option<String> {
        let path = directory.join(self.name);
        match std::fs::read_to_string(&path) {
            Ok(text) if text == self.text => None,
            Ok(text) => {
                let differs = |(old, new): &(&str, &str)| old != new;
                let same = text.lines().zip(self.text.lines()).take_while(|pair| !differs(pair)).count();
                Some(format!("{}:{} is out of date", path.display(), same + 1))
            }
            Err(_) => Some(format!("{} is missing", path.display())),
        }
    }
}

fn write(directory: &Path) -> Result<(), Failed> {
    let failed = |path: &Path, cause: std::io::Error| {
        Failed::new(
            format!("`{}` cannot be written: {cause}", path.display()),
            "name a directory that can be written",
        )
    };
    for file in files() {
        let path = directory.join(file.name);
        if let Some(folder) = path.parent() {
            std::fs::create_dir_all(folder).map_err(|cause| failed(folder, cause))?;
        }
        std::fs::write(&path, &file.text).map_err(|cause| failed(&path, cause))?;
    }
    Ok(())
}
