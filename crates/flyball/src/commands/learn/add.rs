//! `flyball learn add`: a rule without a report. From an agent, it becomes a report.

use std::path::{Path, PathBuf};

use clap::Args;
use flyball_core::path::AbsolutePath;
use flyball_core::world::{Clock, Files};
use flyball_knowledge::report::ledger::{Recorded, record};
use flyball_knowledge::report::{Draft, Origin};
use flyball_knowledge::timestamp;
use serde_json::json;

use super::accept::{print_warning, print_written};
use super::kind::Type;
use super::report_store::ReportStore;
use super::rule::{NewRule, OnDuplicate, Written, describe_bloated, entry};
use super::target::Target;
use super::view::{duplicate, known_json};
use crate::environment;
use crate::outcome::{Done, Failed};
use crate::person::is_person;
use crate::show::text::one_line;
use crate::terminal::{Style, Terminal};

#[derive(Args)]
pub(super) struct Add {
    /// The title of the rule
    #[arg(long)]
    title: String,
    /// Its text: what to do, or not to do, and why
    #[arg(long)]
    detail: String,
    /// The kind of rule
    #[arg(long = "type", value_name = "TYPE", default_value = "pitfall")]
    kind: Type,
    /// The file or folder it is about [default: the current folder]
    #[arg(long, value_name = "FILE_OR_DIR")]
    path: Option<PathBuf>,
    /// Write a pending report instead of the rule
    #[arg(long)]
    pending: bool,
    /// Write it even if a rule file says the same already
    #[arg(long)]
    force: bool,
    /// Print the outcome as JSON
    #[arg(long)]
    json: bool,
}

impl Add {
    pub(super) fn run(&self, terminal: &Terminal) -> Result<Done, Failed> {
        if self.title.trim().is_empty() || self.detail.trim().is_empty() {
            return Err(Failed::new("a rule needs a title and a text", "give both `--title` and `--detail`"));
        }
        let report_store = ReportStore::find()?;
        let place = self.find_place(&report_store)?;
        let source = format!("flyball learn | added: {}", timestamp::date(report_store.machine.now()));
        let rule = NewRule {
            entry: entry(self.kind.kind(), (&self.title, &self.detail), source),
            target: Target::covering(&report_store, &place.folder)?,
            on_duplicate: OnDuplicate::from_force(self.force),
        };
        // Rules steer all later agents, so only a person may write one; an agent proposes.
        let is_agent = !is_person(terminal);
        if self.pending || is_agent {
            let origin = if is_agent { Origin::Agent } else { Origin::Person };
            return self.report(&report_store, NewReport { rule, place, origin }, terminal);
        }
        match rule.write(&report_store)? {
            Written::Yes => {
                let node = report_store.display_path(&rule.target.path);
                let bloated = rule.bloated(&report_store).map(|size| describe_bloated(size, &node));
                if self.json {
                    let all = json!({
                        "written": true, "node": node, "new_node": rule.target.is_new, "warning": bloated,
                    });
                    terminal.raw(&all.to_string());
                } else {
                    print_written(&one_line(&rule.entry.title), (&node, rule.target.is_new), terminal);
                    print_warning(bloated.as_deref(), terminal);
                }
                Ok(Done::Success)
            }
            Written::Known(known) => Ok(self.print_duplicate(&report_store, &known, terminal)),
        }
    }

    /// Writes a pending report.
    fn report(
        &self,
        report_store: &ReportStore,
        new: NewReport,
        terminal: &Terminal,
    ) -> Result<Done, Failed> {
        let NewReport { rule, place, origin } = new;
        report_store.require_reports()?;
        if let Some(known) = rule.find_duplicates().into_iter().next().filter(|_| !self.force) {
            return Ok(self.print_duplicate(report_store, &known, terminal));
        }
        let node =
            if rule.target.is_new { String::new() } else { report_store.display_path(&rule.target.path) };
        let draft = Draft {
            kind: self.kind.kind(),
            origin,
            title: rule.entry.title.clone(),
            folder: place.folder,
            operation: String::new(),
            detail: rule.entry.body.clone(),
            said: String::new(),
            command: String::new(),
            file: place.file,
            node,
            told_before: Vec::new(),
            agent: String::new(),
            sameness: String::new(),
        };
        let recorded = record(&report_store.machine, &draft)?;
        self.print_recorded(&recorded, terminal);
        Ok(match recorded {
            Recorded::New(_) => Done::Success,
            Recorded::Again(_) | Recorded::Rejected(_) => Done::Findings,
        })
    }

    fn print_recorded(&self, recorded: &Recorded, terminal: &Terminal) {
        let (id, outcome) = match recorded {
            Recorded::New(id) => (id, "is now pending"),
            Recorded::Again(id) => (id, "says the same; its count was increased"),
            Recorded::Rejected(id) => (id, "says the same and was rejected"),
        };
        let is_new = matches!(recorded, Recorded::New(_));
        if self.json {
            terminal.raw(&json!({ "written": false, "report": id, "new_report": is_new }).to_string());
            return;
        }
        let mark = if is_new { terminal.paint(Style::Good, "✓ ") } else { String::new() };
        terminal.line(&format!("{mark}{id} {outcome}: `flyball learn show {id}`"));
    }

    fn print_duplicate(
        &self,
        report_store: &ReportStore,
        known: &flyball_knowledge::node::Rule,
        terminal: &Terminal,
    ) -> Done {
        if self.json {
            terminal.raw(&known_json("", known, report_store).to_string());
        } else {
            let mut page = duplicate(known, report_store);
            page.line("Nothing was written. Make that rule more precise instead, or write yours beside it with `--force`.");
            page.print(terminal);
        }
        Done::Findings
    }

    /// What it is about, relative to the project's root.
    fn find_place(&self, report_store: &ReportStore) -> Result<Place, Failed> {
        let here = environment::working_directory().unwrap_or_else(|| report_store.root.clone());
        let given = self.path.as_ref().map_or_else(|| here.clone(), |path| here.join(path));
        let real = report_store.machine.real_path(&AbsolutePath::from_path(&given), ".");
        let real = Path::new(&real);
        let Ok(below) = real.strip_prefix(&report_store.root) else {
            let what = format!("`{}` is not in this project", given.display());
            return Err(Failed::new(what, "run the command in the project it belongs to"));
        };
        let below = below.to_string_lossy().into_owned();
        let is_folder =
            real.is_dir() || self.path.as_ref().is_some_and(|path| path.to_string_lossy().ends_with('/'));
        if is_folder {
            let folder = if below.is_empty() { ".".to_owned() } else { below };
            return Ok(Place { folder, file: String::new() });
        }
        let folder = below.rsplit_once('/').map_or(".", |(folder, _)| folder).to_owned();
        Ok(Place { folder, file: below })
    }
}

/// A rule that becomes a report.
struct NewReport {
    rule: NewRule,
    place: Place,
    origin: Origin,
}

/// What a rule is about.
struct Place {
    folder: String,
    file: String,
}
