//! `flyball report`: what the rules did in a week: fired, never fired, overridden, in the way, slow.

mod candidates;
mod collect;
mod context;
mod firing;
mod idle;
mod lines;
mod markdown;
mod numbers;
mod options;
mod overrides;
mod period;
mod stopped_calls;

use flyball_board::report::Report;
use flyball_store::Window;
use flyball_world::interrupt::Interrupt;
use jiff::Zoned;

use self::collect::collect;
use self::context::ReportContext;
pub(crate) use self::options::Arguments;
use super::page_file;
use crate::arguments;
use crate::outcome::{Done, Failed};
use crate::progress::Progress;
use crate::project_context::ProjectContext;
use crate::terminal::Terminal;

pub(crate) fn run(options: &Arguments, terminal: &Terminal) -> Result<Done, Failed> {
    let now = Zoned::now();
    let (since, until) = period::from_arguments(options, &now)?;
    let here = ProjectContext::find()?;
    let progress = Progress::after_a_while();
    progress.set_text("reading the record");
    let archive = here.archive()?;
    let interrupt = Interrupt::listen();
    let project = match &options.project {
        Some(path) => Some(arguments::project(path)),
        None => options.here.then(|| here.root.to_string_lossy().into_owned()),
    };
    let window = Window { since, until, project, session: None };
    let look = ReportContext {
        index: &*archive.index,
        window,
        state: here.state_dir(),
        interrupt: &interrupt,
        progress: &progress,
    };
    let report = collect(&look)?;
    progress.clear();
    let Some(report) = report else { return Ok(Done::Interrupted) };
    match &options.output {
        Some(file) => page_file::write(file, &render(&report, options, &Terminal::plain(100)))?,
        None if options.json || options.html || options.markdown => {
            terminal.raw(render(&report, options, terminal).trim_end());
        }
        None => terminal.line(render(&report, options, terminal).trim_end()),
    }
    Ok(Done::Success)
}

fn render(report: &Report, options: &Arguments, terminal: &Terminal) -> String {
    let now = Zoned::now();
    if options.json {
        serde_json::to_string_pretty(report).unwrap_or_default()
    } else if options.html {
        report.document(&now)
    } else if options.markdown {
        markdown::render(report, &now)
    } else {
        lines::render(report, terminal, &now).lines(terminal).join("\n")
    }
}
