//! `flyball report`: what the rules did in a week: fired, never fired, overridden, in the way, slow.

mod arguments;
mod candidates;
mod collect;
mod context;
mod firing;
mod idle;
mod lines;
mod markdown;
mod numbers;
mod overrides;
mod period;
mod stopped_calls;

use flyball_board::report::Report;
use flyball_store::Window;
use flyball_world::interrupt::Interrupt;
use flyball_world::machine::project_root;
use jiff::Zoned;

pub(crate) use self::arguments::Arguments;
use self::collect::collect;
use self::context::ReportContext;
use super::page_file;
use crate::environment;
use crate::outcome::{Done, Failed};
use crate::progress::Progress;
use crate::project_context::ProjectContext;
use crate::terminal::Terminal;

pub(crate) fn run(arguments: &Arguments, terminal: &Terminal) -> Result<Done, Failed> {
    let now = Zoned::now();
    let (since, until) = period::from_arguments(arguments, &now)?;
    let here = ProjectContext::find()?;
    let progress = Progress::after_a_while();
    progress.set_text("reading what was recorded");
    let archive = here.archive()?;
    let interrupt = Interrupt::listen();
    let window = Window { since, until, project: project(arguments, &here), session: None };
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
    match &arguments.output {
        Some(file) => page_file::write(file, &render(&report, arguments, &Terminal::plain(100)))?,
        None => terminal.line(render(&report, arguments, terminal).trim_end()),
    }
    Ok(Done::Success)
}

fn render(report: &Report, arguments: &Arguments, terminal: &Terminal) -> String {
    let now = Zoned::now();
    if arguments.json {
        serde_json::to_string_pretty(report).unwrap_or_default()
    } else if arguments.html {
        report.document(&now)
    } else if arguments.markdown {
        markdown::render(report, &now)
    } else {
        lines::render(report, terminal, &now).lines(terminal).join("\n")
    }
}

/// The root of the project that is asked for. One that is gone is taken as it is written.
fn project(arguments: &Arguments, here: &ProjectContext) -> Option<String> {
    if arguments.here {
        return Some(here.root.to_string_lossy().into_owned());
    }
    let path = arguments.project.as_ref()?;
    let path = environment::working_directory().map_or_else(|| path.clone(), |folder| folder.join(path));
    let path = path.canonicalize().map_or(path, |real| project_root(&real));
    Some(path.to_string_lossy().into_owned())
}
