//! `flyball test`: runs the test cases beside the rules.

use std::path::PathBuf;
use std::time::Instant;

use clap::Args;
use flyball_policies::rules::cases::{self, CaseResult, Unrunnable};
use flyball_world::machine::Machine;
use serde_json::json;

use crate::environment::{self, Environment};
use crate::outcome::{Done, Failed};
use crate::progress::Progress;
use crate::show::Page;
use crate::terminal::{Style, Terminal};

/// Run the test cases of the project's rules
#[derive(Args)]
pub(crate) struct Arguments {
    /// The config file [default: the project's flyball.toml]
    file: Option<PathBuf>,
    /// Print the results as JSON
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(arguments: &Arguments, terminal: &Terminal) -> Result<Done, Failed> {
    let here = environment::working_directory().unwrap_or_default();
    let root = environment::project_root(&here);
    let file = arguments.file.clone().unwrap_or_else(|| root.join("flyball.toml"));
    let shown = file.strip_prefix(&here).unwrap_or(&file).display().to_string();
    let text = std::fs::read_to_string(&file).map_err(|cause| {
        Failed::new(
            format!("{shown} cannot be read: {cause}"),
            "`flyball init` writes one, or name a file: `flyball test FILE`",
        )
    })?;
    let home = Environment::read().home;
    // Without a state directory: cases must not depend on what sessions remember.
    let world = Machine::new(Instant::now(), home, &root, Vec::new(), flyball_clients::FACTS);
    let progress = Progress::with_text("running the cases");
    let ran = cases::run(&text, &world).map_err(|problem| failed(&problem, &text, &shown))?;
    drop(progress);
    if arguments.json {
        terminal.raw(&json!(ran.iter().map(|case| as_json(case, &text)).collect::<Vec<_>>()).to_string());
    } else {
        page(&ran, &text, &shown).print(terminal);
    }
    Ok(if ran.iter().all(CaseResult::passed) { Done::Success } else { Done::Findings })
}

fn failed(problem: &Unrunnable, text: &str, file: &str) -> Failed {
    let place = match problem {
        Unrunnable::Unclear { at, .. } => format!("{file}:{}: ", line_of(text, *at)),
        Unrunnable::Unreadable(_) => format!("{file}: "),
    };
    Failed::new(format!("{place}{problem}"), "`flyball config check` shows what is wrong with the file")
}

fn page(ran: &[CaseResult], text: &str, file: &str) -> Page {
    let mut page = Page::default();
    for case in ran {
        let name = format!(" {}: {} → {}", case.rule, case.event, case.expected.name());
        if case.passed() {
            page.line(Style::Good.text("✓").and(name));
            continue;
        }
        page.line(Style::Bad.text("✗").and(name));
        page.line(Style::Faint.text(format!("    at {file}:{}", line_of(text, case.at))));
        for line in difference(case) {
            let style = if line.starts_with('-') { Style::Good } else { Style::Bad };
            page.line(style.text(format!("    {line}")));
        }
    }
    let failed = ran.iter().filter(|case| !case.passed()).count();
    page.line(match ran.len() {
        0 => format!("no cases in {file}; add a [[rule.case]] beside a [[rule]]"),
        all => format!("{} passed, {failed} failed", all - failed),
    });
    page
}

/// The differences between what was expected (`-`) and the result (`+`).
fn difference(case: &CaseResult) -> Vec<String> {
    let mut lines = Vec::new();
    if case.expected != case.got {
        lines.push(format!("- expected: {}", case.expected.name()));
        lines.push(format!("+ got:      {}", case.got.name()));
    }
    if let Some(text) = case.expected_message.as_ref().filter(|text| !case.message.contains(*text)) {
        lines.push(format!("- expected the message to contain: {text}"));
        lines.push(format!("+ got the message:                 {}", case.message));
    } else if !case.message.is_empty() && case.expected != case.got {
        lines.push(format!("+ with the message: {}", case.message));
    }
    lines
}

fn as_json(case: &CaseResult, text: &str) -> serde_json::Value {
    json!({
        "rule": case.rule,
        "event": case.event,
        "line": line_of(text, case.at),
        "expected": case.expected.name(),
        "got": case.got.name(),
        "said": case.message,
        "passed": case.passed(),
    })
}

fn line_of(text: &str, at: usize) -> usize {
    text.get(..at).map_or(1, |before| before.matches('\n').count() + 1)
}
