//! `flyball import intent-layer`: the reports of intent-layer (`.intent-layer`), which stay where they are, and its hooks.

use clap::Args;
use flyball_core::config::Mode;
use flyball_core::workshop::FileChanges;
use flyball_core::world::{Files, Place};
use flyball_knowledge::layout;
use flyball_knowledge::report::ledger::rebuild;
use flyball_knowledge::report::{Status, load, path};
use flyball_policies::REGISTRY;
use flyball_world::project::Moved;

use super::legacy;
use super::report::{Report, WriteArguments};
use crate::commands::learn::ReportStore;
use crate::commands::memory::reports;
use crate::install::{Site, Snapshot};
use crate::outcome::{Done, Failed};
use crate::terminal::Terminal;

/// Where intent-layer put reports that were integrated after they were accepted: a bug of it.
const MISPLACED: &str = ".intent-layer/mistakes/accepted/integrated";

/// Files that flyball does not need, and why.
const NOT_IMPORTED: &[(&str, &str)] = &[
    (".intent-layer/hooks/injections.log", "left as it is; flyball keeps its own record"),
    (".intent-layer/hooks/outcomes.log", "left as it is; flyball keeps its own record"),
    (layout::NO_TELEMETRY, "left as it is; flyball respects it"),
];

/// Arguments of `flyball import intent-layer`.
#[derive(Args)]
pub(super) struct Arguments {
    #[command(flatten)]
    outcome: WriteArguments,
}

pub(super) fn run(arguments: &Arguments, terminal: &Terminal) -> Result<Done, Failed> {
    let (site, report_store) = (Site::find()?, ReportStore::find()?);
    if !site.root.join(layout::MEMORY).is_dir() {
        return Err(Failed::new(
            format!("no folder `{}` in this project", layout::MEMORY),
            "run the command in the project that has it, or start fresh: `flyball init --packs memory`",
        ));
    }
    let mut report = Report::default();
    switch_on(&site, &mut report)?;
    let broken = BrokenReports::find(&report_store)?;
    broken.describe(&mut report);
    for (name, why) in NOT_IMPORTED.iter().filter(|(name, _)| site.root.join(name).exists()) {
        let below = name.strip_prefix(layout::MEMORY).unwrap_or(name).trim_start_matches('/');
        report.add_skipped(layout::MEMORY, below, *why);
    }
    legacy::list_remnants("intent-layer", &site, &mut report);
    // The config first: if it cannot be written, no report is moved either.
    let done = report.finish(&arguments.outcome, terminal)?;
    if arguments.outcome.write {
        broken.fix(&report_store)?;
        let summary = rebuild(&report_store.machine)?;
        terminal.lines(reports::line(summary.pending).map(|line| format!("\n{line}")));
    } else if !broken.is_empty() {
        terminal.line("\n--write also moves and fixes the reports listed above");
    }
    Ok(done)
}

/// Turns on the policies that replace the old hooks.
fn switch_on(site: &Site, report: &mut Report) -> Result<(), Failed> {
    let config = Snapshot::read(&site.root.join("flyball.toml"))?;
    // `finish` refuses a file that cannot be parsed; here it only means that no mode is known.
    let config: toml::Table = config.text().parse().unwrap_or_default();
    let memory = config.get("memory").and_then(toml::Value::as_table);
    for policy in REGISTRY.iter().filter(|policy| policy.id.as_str().starts_with("memory.")) {
        let id = policy.id.as_str();
        let name = id.strip_prefix("memory.").unwrap_or(id);
        let mode = memory.and_then(|memory| memory.get(name)?.get("mode")?.as_str());
        match mode {
            Some(mode) if mode == Mode::Enforce.name() => {}
            Some(mode) => {
                report.add_skipped(layout::MEMORY, id, format!("flyball.toml has mode = \"{mode}\""))
            }
            None => {
                report.add_carried(layout::MEMORY, "its hooks", format!("{id}.mode = \"enforce\""));
                report.additions.set(id, "mode", Mode::Enforce.name());
            }
        }
    }
    Ok(())
}

/// Reports that need a fix.
struct BrokenReports {
    /// Ids of those in the wrong folder.
    misplaced: Vec<String>,
    absolute: Vec<AbsoluteReport>,
}

/// A report that names its folder by its absolute path.
struct AbsoluteReport {
    status: Status,
    id: String,
    /// The folder from the root of the project.
    folder: String,
}

impl BrokenReports {
    fn find(report_store: &ReportStore) -> Result<BrokenReports, Failed> {
        let names = report_store.machine.list(&report_store.machine.project_root().join(MISPLACED));
        let misplaced = names.iter().filter_map(|name| name.strip_suffix(".md")).map(str::to_owned).collect();
        let mut absolute = Vec::new();
        for report in report_store.reports(&Status::ALL)? {
            let text = std::fs::read_to_string(path(&report_store.machine, report.status, &report.id));
            if text.is_ok_and(|text| directory(&text).is_some_and(|folder| folder.starts_with('/'))) {
                let (status, id, folder) = (report.status, report.id, report.draft.folder);
                absolute.push(AbsoluteReport { status, id, folder });
            }
        }
        Ok(BrokenReports { misplaced, absolute })
    }

    const fn is_empty(&self) -> bool {
        self.misplaced.is_empty() && self.absolute.is_empty()
    }

    fn describe(&self, report: &mut Report) {
        for id in &self.misplaced {
            report.add_carried(MISPLACED, id, format!("{}/{id}.md", layout::INTEGRATED));
        }
        for AbsoluteReport { status, id, folder } in &self.absolute {
            report.add_carried(status.folder(), id, format!("Directory: {folder}"));
        }
    }

    /// Moves and rewrites them. Moved reports may need their folder fixed too.
    fn fix(&self, report_store: &ReportStore) -> Result<(), Failed> {
        for id in &self.misplaced {
            let from = format!("{MISPLACED}/{id}.md");
            let to = path(&report_store.machine, Status::Integrated, id);
            match report_store.project.move_to(&from, &to)? {
                Moved::Yes | Moved::Gone => {}
                Moved::Taken => {
                    let what = format!("`{}` already has a report `{id}`", layout::INTEGRATED);
                    return Err(Failed::new(what, format!("compare it with `{from}` and delete one")));
                }
            }
            fix_folder(report_store, Status::Integrated, id)?;
        }
        for AbsoluteReport { status, id, .. } in &self.absolute {
            fix_folder(report_store, *status, id)?;
        }
        Ok(())
    }
}

/// Names the folder of a report from the root of the project.
fn fix_folder(report_store: &ReportStore, status: Status, id: &str) -> Result<(), Failed> {
    let Some(report) = load(&report_store.machine, status, id)? else { return Ok(()) };
    let change = |text: &[u8]| {
        let text = String::from_utf8(text.to_vec()).ok()?;
        let old = directory(&text).filter(|folder| folder.starts_with('/'))?;
        let line = |folder: &str| format!("{LABEL} {folder}");
        Some(text.replacen(&line(old), &line(&report.draft.folder), 1).into_bytes())
    };
    let place = path(&report_store.machine, status, id);
    // Whether the file changed does not matter: it may be right by now.
    report_store.machine.update(&place, &mut |text| Ok(text.and_then(change))).map(drop).map_err(Failed::from)
}

const LABEL: &str = "**Directory**:";

/// The folder that a report names.
fn directory(text: &str) -> Option<&str> {
    text.lines().find_map(|line| line.strip_prefix(LABEL)).map(str::trim)
}
