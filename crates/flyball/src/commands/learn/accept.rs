//! `flyball learn accept`: a report becomes a rule.

use std::io::Write;
use std::path::PathBuf;

use clap::Args;
use flyball_core::policy::PolicyError;
use flyball_knowledge::node::Rule;
use flyball_knowledge::report::{Report, Status};
use serde_json::json;

use super::intent::{self, Intent};
use super::kind::Type;
use super::report_store::ReportStore;
use super::report_text;
use super::rule::{NewRule, OnDuplicate, Written, describe_bloated, entry};
use super::target::Target;
use super::view::{duplicate, known_json, rule_json};
use crate::environment::die_at;
use crate::outcome::{Done, Failed};
use crate::show::text::{lines, one_line};
use crate::terminal::{Style, Terminal};

#[derive(Args, Default)]
pub(super) struct Accept {
    /// The report's id, or the beginning of it
    id: String,
    /// The title of the rule [default: that of the report]
    #[arg(long)]
    pub(super) title: Option<String>,
    /// The text of the rule: what to do, or not to do, and why [default: that of the report]
    #[arg(long)]
    pub(super) detail: Option<String>,
    /// The kind of rule [default: that of the report]
    #[arg(long = "type", value_name = "TYPE")]
    kind: Option<Type>,
    /// The AGENTS.md or CLAUDE.md to write into, or its folder [default: the nearest that covers the report's folder]
    #[arg(long, value_name = "PATH")]
    node: Option<PathBuf>,
    /// Write it even if a rule file says the same already
    #[arg(long)]
    pub(super) force: bool,
    /// Only show how the file would change
    #[arg(long)]
    dry_run: bool,
    /// Print the outcome as JSON
    #[arg(long)]
    json: bool,
    /// Whether it finishes what another process began.
    #[arg(skip)]
    is_resumed: bool,
}

/// The result of accepting.
pub(super) enum Accepted {
    Written { node: String, is_new: bool, warning: Option<String> },
    Known(Rule),
}

impl Accept {
    pub(super) fn run(&self, terminal: &Terminal) -> Result<Done, Failed> {
        let report_store = ReportStore::find()?;
        let report = report_store.report(&self.id)?;
        if self.dry_run {
            return self.dry_run(&report_store, &report, terminal);
        }
        match self.accept(&report_store, &report)? {
            accepted @ Accepted::Written { .. } => {
                self.print_written(&report, &accepted, terminal);
                Ok(Done::Success)
            }
            Accepted::Known(rule) => {
                if self.json {
                    terminal.raw(&known_json(&report.id, &rule, &report_store).to_string());
                } else {
                    let (id, mut page) = (&report.id, duplicate(&rule, &report_store));
                    page.line(format!(
                        "`flyball learn accept {id} --force` writes it anyway, `flyball learn reject {id}` drops it"
                    ));
                    page.print(terminal);
                }
                Ok(Done::Findings)
            }
        }
    }

    /// Writes the rule and moves the report. Killed in the middle, the next call finishes it.
    pub(super) fn accept(&self, report_store: &ReportStore, report: &Report) -> Result<Accepted, Failed> {
        let rule = self.rule(report_store, report)?;
        let intent = Intent {
            title: self.title.clone(),
            detail: self.detail.clone(),
            kind: self.kind.map(Type::name),
            node: rule.target.path.to_string(),
            force: self.force,
            process: std::process::id(),
        };
        intent::note(report_store, &report.id, &intent)?;
        die_at("accept.noted");
        let accepted = self.carry_out(report_store, report, &rule);
        // An error after the rule was written leaves the note: the next call goes on from there.
        if accepted.is_ok() || rule.find_written(report_store)?.is_none() {
            intent::clear(report_store, &report.id)?;
        }
        accepted
    }

    /// Finishes what processes that were killed have begun.
    pub(super) fn resume_all(report_store: &ReportStore) -> Result<(), Failed> {
        for (id, intent) in intent::left_over(report_store)? {
            let Intent { title, detail, kind, node, force, .. } = intent;
            let kind = kind.as_deref().and_then(Type::from_name);
            // A file that was to be made, and is not there yet, is found anew.
            let node = Some(PathBuf::from(node)).filter(|node| node.is_file());
            let resumed = Accept {
                id: id.clone(),
                title,
                detail,
                kind,
                node,
                force,
                is_resumed: true,
                ..Accept::default()
            };
            match report_store.report(&id) {
                // It was moved, and that was the last step; or a person has decided otherwise since.
                Ok(report) if report.status == Status::Integrated && !report_store.has_two(&id) => {}
                Ok(report) => {
                    let report = report_store.first_of(report)?;
                    resumed.accept(report_store, &report)?;
                    // Not on standard output, which may be read by a program.
                    say_finished(&id);
                }
                Err(_) => {}
            }
            intent::clear(report_store, &id)?;
        }
        Ok(())
    }

    fn carry_out(
        &self,
        report_store: &ReportStore,
        report: &Report,
        rule: &NewRule,
    ) -> Result<Accepted, Failed> {
        let mut known = None;
        let (title, detail) = (rule.entry.title.clone(), rule.entry.body.clone());
        let is_changed = self.title.is_some() || self.detail.is_some();
        let change = |text: &str| {
            let text = if is_changed {
                report_text::add_entry(text, report.draft.kind, (&title, &detail))
            } else {
                text.to_owned()
            };
            report_text::tick_status(&text, Status::Integrated)
        };
        // The rule is written under the lock of the report: two people cannot accept it twice.
        let settled = report_store.change_and_move(report, (Status::Integrated, &change), &mut || match rule
            .write(
            report_store,
        )? {
            Written::Yes => {
                die_at("accept.written");
                Ok(())
            }
            // Written by the call that was killed.
            Written::Known(_) if self.is_resumed => Ok(()),
            Written::Known(rule) => {
                known = Some(rule);
                // Ends the move. This text is not shown: the rule that was found is reported instead.
                Err(PolicyError::World { what: "a rule file says the same".to_owned(), fix: String::new() })
            }
        });
        if let Some(known) = known {
            return Ok(Accepted::Known(known));
        }
        settled?;
        die_at("accept.moved");
        let node = report_store.display_path(&rule.target.path);
        let warning = rule.bloated(report_store).map(|size| describe_bloated(size, &node));
        Ok(Accepted::Written { node, is_new: rule.target.is_new, warning })
    }

    /// The rule that the report asks for.
    pub(super) fn rule(&self, report_store: &ReportStore, report: &Report) -> Result<NewRule, Failed> {
        let id = &report.id;
        if report.status == Status::Integrated && !self.is_resumed {
            let what = format!("`{id}` is already in a rule file");
            return Err(Failed::new(what, "`flyball learn add` writes another rule"));
        }
        let title = self.title.as_deref().unwrap_or(&report.draft.title).trim();
        // A skeleton has placeholders that would become a rule of the project.
        let is_lesson = !report.is_skeleton && !report.draft.detail.trim().is_empty();
        let of_report = is_lesson.then_some(report.draft.detail.as_str());
        let detail = self.detail.as_deref().or(of_report).map(str::trim).filter(|text| !text.is_empty());
        let (Some(detail), false) = (detail, title.is_empty()) else {
            return Err(Failed::new(
                format!("`{id}` has no lesson: it only says what went wrong"),
                format!(
                    "add one: `flyball learn accept {id} --title \"…\" --detail \"what to do instead, and why\"`, or edit the report: `flyball learn edit {id}`"
                ),
            ));
        };
        let kind = self.kind.map_or(report.draft.kind, Type::kind);
        let target = match &self.node {
            Some(node) => Target::named(report_store, node)?,
            None => Target::covering(report_store, &report.draft.folder)?,
        };
        let entry = entry(kind, (title, detail), format!("{id}.md"));
        Ok(NewRule { entry, target, on_duplicate: OnDuplicate::from_force(self.force) })
    }

    fn dry_run(
        &self,
        report_store: &ReportStore,
        report: &Report,
        terminal: &Terminal,
    ) -> Result<Done, Failed> {
        let rule = self.rule(report_store, report)?;
        let diff = rule.diff(report_store)?;
        let known = rule.find_duplicates().into_iter().next().filter(|_| !self.force);
        if self.json {
            let known_rule = known.as_ref().map(|rule| rule_json(rule, report_store));
            let node = report_store.display_path(&rule.target.path);
            let all = json!({
                "id": report.id, "written": false, "dry_run": true, "node": node,
                "new_node": rule.target.is_new, "diff": diff, "same": known_rule,
            });
            terminal.line(&all.to_string());
        } else {
            terminal.lines(lines(&diff));
            if let Some(known) = &known {
                duplicate(known, report_store).print(terminal);
            }
        }
        Ok(if known.is_some() { Done::Findings } else { Done::Success })
    }

    fn print_written(&self, report: &Report, accepted: &Accepted, terminal: &Terminal) {
        let Accepted::Written { node, is_new, warning } = accepted else { return };
        if self.json {
            let all = json!({
                "id": report.id, "written": true, "dry_run": false, "node": node, "new_node": is_new,
                "status": "integrated", "warning": warning,
            });
            terminal.raw(&all.to_string());
            return;
        }
        let title = one_line(self.title.as_deref().unwrap_or(&report.draft.title));
        print_written(&title, (node, *is_new), terminal);
        print_warning(warning.as_deref(), terminal);
    }
}

fn say_finished(id: &str) {
    let text = format!("flyball: {id}: a call of `flyball learn accept` that was killed is now finished");
    drop(writeln!(std::io::stderr(), "{text}"));
}

/// Shows where the rule was written.
pub(super) fn print_written(title: &str, (node, is_new): (&str, bool), terminal: &Terminal) {
    let made = if is_new { ", a new file" } else { "" };
    terminal.line(&format!("{} `{title}` is now in {node}{made}", terminal.paint(Style::Good, "✓")));
}

/// Shows what should be done about the rule file.
pub(super) fn print_warning(warning: Option<&str>, terminal: &Terminal) {
    if let Some(warning) = warning {
        terminal.line(&format!("{} {}", terminal.paint(Style::Warning, "!"), one_line(warning)));
    }
}
