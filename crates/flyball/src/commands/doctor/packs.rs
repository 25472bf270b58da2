//! What the packs need beside their policies: the folder for reports, a tool server that answers, and no older system
//! that does the same.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::time::Duration;

use flyball_core::config::{Config, Mode};
use flyball_core::path::AbsolutePath;
use flyball_core::workshop::{Ending, Job, Limits, Places, ProgramQuery, Programs};
use flyball_knowledge::layout;
use flyball_knowledge::report::Status;
use flyball_policies::REGISTRY;
use serde_json::Value;

use super::installation::Installation;
use super::report::Section;
use crate::commands::companions::server;
use crate::commands::import::legacy::{LEGACY_SYSTEMS, LegacySystem, Remnant, RemnantKind};
use crate::commands::memory::place::machine;
use crate::commands::memory::reports;
use crate::install::PROGRAM_NAME;
use crate::project_context::mode_in;
use crate::show::text::{cut, one_line};

/// How long a tool server may take to answer.
const TIMEOUT: Duration = Duration::from_secs(10);

/// The first message of a client.
const INITIALIZE: &str = concat!(
    r#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"#,
    r#""clientInfo":{"name":"flyball doctor","version":"1"}}}"#,
    "\n"
);

pub(super) fn examine(installation: &Installation) -> Section {
    let mut section = Section::new("packs");
    let config = installation.here.load_config().config;
    if is_on(&config, "memory.failures") {
        folder(installation, &mut section);
    }
    tool_server(installation, &mut section);
    check_legacy(installation, &config, &mut section);
    section
}

fn is_on(config: &Config, beginning: &str) -> bool {
    let policies = REGISTRY.iter().filter(|policy| policy.id.as_str().starts_with(beginning));
    policies.map(|policy| mode_in(config, policy)).any(|mode| mode != Mode::Off)
}

fn folder(installation: &Installation, section: &mut Section) {
    if !installation.site.root.join(layout::MEMORY).is_dir() {
        section.warn(
            format!(
                "memory.failures is on, but there is no folder `{}`: nothing is reported",
                layout::MEMORY
            ),
            "`flyball init --packs memory` creates it",
        );
        return;
    }
    let waiting = reports::count(&machine(&installation.site.root), Status::Pending);
    section.good(format!("failure reports are stored in {}", layout::MEMORY));
    if let Some(line) = reports::line(waiting) {
        section.note(line);
    }
}

/// Sends the registered server the first message of a client.
fn tool_server(installation: &Installation, section: &mut Section) {
    for (file, program) in
        installation.clients.iter().filter_map(|it| server::find_registered(&installation.site, it.client))
    {
        let again = "`flyball init --mcp` registers this flyball instead";
        let Some(path) = located(installation, &program) else {
            let fix = if program == PROGRAM_NAME { "add the folder of flyball to PATH" } else { again };
            section.bad(format!("{file} names `{}`, which is not a program here", one_line(&program)), fix);
            continue;
        };
        let job = Job {
            program: AbsolutePath::from_path(&path),
            arguments: vec!["mcp".to_owned()],
            folder: AbsolutePath::from_path(&installation.site.root),
            stdin: Some(INITIALIZE.as_bytes().to_vec()),
            ..Job::default()
        };
        let limits = Limits { timeout: TIMEOUT, ..Limits::default() };
        let ran = machine(&installation.site.root).run(&[job], limits).into_iter().next();
        let output = ran.as_ref().map(|ran| String::from_utf8_lossy(&ran.stdout).into_owned());
        // One message a line: the first one answers `initialize`, and the end of input ends the server.
        let answer: Option<Value> = output.and_then(|text| serde_json::from_str(text.lines().next()?).ok());
        // Another server may be registered under our name, and it would answer too.
        let is_ours =
            answer.is_some_and(|it| it.pointer("/result/serverInfo/name") == Some(&Value::from("flyball")));
        if is_ours {
            section.good(format!("`flyball mcp` is registered in {file} and answers"));
            continue;
        }
        let why = match ran.map(|ran| (ran.ending, ran.stderr)) {
            Some((Ending::Exited(_), stderr)) if !stderr.is_empty() => {
                format!(": {}", cut(&one_line(&String::from_utf8_lossy(&stderr)), 200))
            }
            _ => String::new(),
        };
        section.bad(format!("`flyball mcp`, registered in {file}, does not answer{why}"), again);
    }
}

fn located(installation: &Installation, program: &str) -> Option<PathBuf> {
    let path = PathBuf::from(program);
    if path.is_absolute() {
        return path.is_file().then_some(path);
    }
    let near = AbsolutePath::from_path(&installation.site.root);
    let query = ProgramQuery { name: program.to_owned(), near, places: Places::SearchPath };
    machine(&installation.site.root).find(&query).map(|found| PathBuf::from(found.path))
}

fn check_legacy(installation: &Installation, config: &Config, section: &mut Section) {
    for system in LEGACY_SYSTEMS.iter().filter(|system| is_on(config, system.policies)) {
        let found = system.remnants(&installation.site);
        let mut files: Vec<&str> = found.iter().map(|remnant| remnant.file.as_str()).collect();
        files.dedup();
        for file in files {
            let remnants = found.iter().filter(|remnant| remnant.file == file).map(named);
            section.warn(
                format!(
                    "{} is still registered in {file} ({}): with {}* everything runs twice",
                    system.name,
                    remnants.collect::<BTreeSet<_>>().into_iter().collect::<Vec<_>>().join(", "),
                    system.policies
                ),
                &fix_for(system),
            );
        }
    }
}

fn named(remnant: &Remnant) -> String {
    match &remnant.kind {
        RemnantKind::Hook(event, _) => format!("hook for {}", one_line(event)),
        RemnantKind::Plugin(name) => format!("plugin {}", one_line(name)),
    }
}

fn fix_for(system: &LegacySystem) -> String {
    format!("remove it there; `flyball import {}` shows what flyball replaces", system.name)
}
