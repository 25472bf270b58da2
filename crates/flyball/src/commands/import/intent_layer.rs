//! `flyball import intent-layer`: what intent-layer kept (`.intent-layer`), which stays where it is.

use clap::Args;
use flyball_core::config::Mode;
use flyball_core::workshop::FileChanges;
use flyball_core::world::{Files, Place};
use flyball_knowledge::layout;
use flyball_knowledge::report::ledger::rebuild;
use flyball_knowledge::report::{Status, load, path};
use flyball_policies::REGISTRY;
use flyball_world::project::Moved;

use super::WriteArguments;
use super::addition::Value;
use super::legacy::{self, Remnant, RemnantKind};
use super::report::Report;
use crate::commands::learn::ReportStore;
use crate::commands::memory::reports;
use crate::install::{Site, Snapshot};
use crate::outcome::{Done, Failed};
use crate::show::text::one_line;
use crate::terminal::{Style, Terminal};

/// The name by which it is known.
const NAME: &str = "intent-layer";

/// Where reports lie that were integrated after they were accepted: a slip of the old program.
const MISPLACED: &str = ".intent-layer/mistakes/accepted/integrated";

/// What of it flyball does not need, and why.
const NOT_IMPORTED: &[(&str, &str)] = &[
    (".intent-layer/hooks/injections.log", "it stays as it is; flyball keeps its own record from now on"),
    (".intent-layer/hooks/outcomes.log", "it stays as it is; flyball keeps its own record from now on"),
    (layout::NO_TELEMETRY, "it stays as it is, and flyball heeds it"),
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
            format!("there is no folder `{}` here", layout::MEMORY),
            "run the command in the project that has it, or begin anew: `flyball init --packs memory`",
        ));
    }
    let mut report = Report::default();
    switch_on(&site, &mut report)?;
    let slips = BrokenReports::find(&report_store)?;
    slips.describe(&mut report);
    for (name, why) in NOT_IMPORTED.iter().filter(|(name, _)| site.root.join(name).exists()) {
        let below = name.strip_prefix(layout::MEMORY).unwrap_or(name).trim_start_matches('/');
        report.add_skipped(layout::MEMORY, below, *why);
    }
    let done = report.finish(&arguments.outcome, terminal)?;
    if arguments.outcome.write {
        slips.fix(&report_store)?;
        let summary = rebuild(&report_store.machine)?;
        terminal.lines(reports::line(summary.pending).map(|line| format!("\n{line}")));
    } else if !slips.is_empty() {
        terminal.line("\n--write also moves and mends the reports that are named above");
    }
    print_hooks(&site, terminal);
    Ok(done)
}

/// Switches the policies on that do what the old hooks did.
fn switch_on(site: &Site, report: &mut Report) -> Result<(), Failed> {
    let config = Snapshot::read(&site.root.join("flyball.toml"))?;
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
                report.additions.set(id, "mode", Value::Text(Mode::Enforce.name().to_owned()));
            }
        }
    }
    Ok(())
}

/// Reports that are not as they should be.
struct BrokenReports {
    /// Ids of those in the wrong folder.
    misplaced: Vec<String>,
    /// Those that name their folder by its absolute path, and how it is called from the root.
    absolute: Vec<(Status, String, String)>,
}

impl BrokenReports {
    fn find(report_store: &ReportStore) -> Result<BrokenReports, Failed> {
        let root = report_store.machine.project_root();
        let names = report_store.machine.list(&format!("{root}/{MISPLACED}"));
        let misplaced = names.iter().filter_map(|name| name.strip_suffix(".md")).map(str::to_owned).collect();
        let mut absolute = Vec::new();
        for report in report_store.reports(&Status::ALL)? {
            let text = std::fs::read_to_string(path(&report_store.machine, report.status, &report.id));
            if text.is_ok_and(|text| directory(&text).is_some_and(|folder| folder.starts_with('/'))) {
                absolute.push((report.status, report.id, report.draft.folder));
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
        for (status, id, folder) in &self.absolute {
            report.add_carried(status.folder(), id, format!("Directory: {folder}"));
        }
    }

    /// Moves and rewrites them. What was moved is looked at once more.
    fn fix(&self, report_store: &ReportStore) -> Result<(), Failed> {
        for id in &self.misplaced {
            let from = format!("{MISPLACED}/{id}.md");
            let to = path(&report_store.machine, Status::Integrated, id);
            match report_store.project.move_to(&from, &to)? {
                Moved::Yes | Moved::Gone => {}
                Moved::Taken => {
                    let what = format!("there is a report `{id}` in `{}` already", layout::INTEGRATED);
                    return Err(Failed::new(what, format!("compare it with `{from}` and delete one")));
                }
            }
            self.fix_label(report_store, Status::Integrated, id)?;
        }
        for (status, id, _) in &self.absolute {
            self.fix_label(report_store, *status, id)?;
        }
        Ok(())
    }

    #[expect(clippy::unused_self, reason = "reads better beside what calls it")]
    fn fix_label(&self, report_store: &ReportStore, status: Status, id: &str) -> Result<(), Failed> {
        let Some(report) = load(&report_store.machine, status, id)? else { return Ok(()) };
        let change = |text: &[u8]| {
            let text = String::from_utf8(text.to_vec()).ok()?;
            let old = directory(&text).filter(|folder| folder.starts_with('/'))?;
            let line = |folder: &str| format!("{LABEL} {folder}");
            Some(text.replacen(&line(old), &line(&report.draft.folder), 1).into_bytes())
        };
        let place = path(&report_store.machine, status, id);
        let altered = report_store.machine.update(&place, &mut |text| Ok(text.and_then(change)));
        altered.map(drop).map_err(Failed::from)
    }
}

const LABEL: &str = "**Directory**:";

/// The folder that a report names.
fn directory(text: &str) -> Option<&str> {
    text.lines().find_map(|line| line.strip_prefix(LABEL)).map(str::trim)
}

/// Names the hooks of the old plugin. They are the user's to remove.
fn print_hooks(site: &Site, terminal: &Terminal) {
    let found: Vec<Remnant> = legacy::find(NAME).flat_map(|elder| elder.remnants(site)).collect();
    if found.is_empty() {
        return;
    }
    let warning = "the hooks of intent-layer are still registered; remove them, or everything is told twice:";
    terminal.line(&format!("\n{}", terminal.paint(Style::Warning, warning)));
    terminal.lines(found.iter().map(|it| match &it.kind {
        RemnantKind::Hook(event, command) => format!("  {}: {event}: {}", it.file, one_line(command)),
        RemnantKind::Plugin(name) => format!("  {}: enabledPlugins: {name}", it.file),
    }));
}
