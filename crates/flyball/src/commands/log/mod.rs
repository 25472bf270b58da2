//! `flyball log`: what happened, one line per event, newest last.

mod follow;
mod options;
mod printer;
mod request;

use flyball_store::Filter;
use jiff::Zoned;

use self::follow::Follower;
pub(crate) use self::options::Arguments;
use self::printer::Printer;
use self::request::Request;
use crate::outcome::{Done, Failed};
use crate::progress::Progress;
use crate::project_context::{Archive, ProjectContext};
use crate::terminal::{Reader, Terminal};

/// Prints the events that match.
pub(crate) fn run(arguments: &Arguments, terminal: &Terminal) -> Result<Done, Failed> {
    let archive = ProjectContext::find()?.archive()?;
    let now = Zoned::now();
    let request = Request::from_arguments(arguments, &archive, &now)?;
    // Before the first query: an event between the two would be in neither.
    let follower = if arguments.follow { Some(Follower::start(&archive)?) } else { None };
    let progress = Progress::with_text("searching the record");
    let records = request.newest(&archive, arguments.number)?;
    drop(progress);
    if records.is_empty() && follower.is_none() && !arguments.json {
        terminal.line(explain_empty(&archive)?);
        return Ok(Done::Success);
    }
    let mut printer = Printer::new(arguments, terminal);
    match follower {
        Some(follower) if printer.print(&records, &now) == Reader::Listening => {
            follower.run(&request, &records, &mut printer)?;
        }
        Some(_) => {}
        None => {
            printer.print(&records, &now);
        }
    }
    Ok(Done::Success)
}

/// Why there is nothing to show.
fn explain_empty(archive: &Archive) -> Result<&'static str, Failed> {
    let any = Filter { limit: Some(1), with_duplicates: true, ..Filter::default() };
    let is_empty = archive.index.events(&any)?.is_empty();
    Ok(if is_empty {
        "Nothing is recorded yet. `flyball init` registers flyball with your client; `flyball demo` shows it at work."
    } else {
        "No event matches. `flyball log` without filters shows the latest of all projects."
    })
}
