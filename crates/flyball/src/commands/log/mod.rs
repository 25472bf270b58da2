//! `flyball log`: what happened, one line per event, newest last.

mod follow;
mod request;

use clap::Args;
use clap::builder::PossibleValuesParser;
use flyball_core::event::{EventKind, ToolKind};
use flyball_core::record::Record;
use flyball_core::verdict::Stance;
use flyball_store::Filter;
use jiff::Zoned;

use self::follow::Follower;
use self::request::Request;
use crate::here::{Archive, Here};
use crate::outcome::{Done, Failed};
use crate::progress::Progress;
use crate::show::record::{Shape, row};
use crate::show::{Columns, Row};
use crate::terminal::{Reader, Terminal};

/// Below this width the line has no room for the time flyball took.
const ROOM_FOR_TOOK: usize = 100;

/// Arguments of `flyball log`.
#[derive(Args)]
#[command(
    after_help = "A line of the log: time, session, kind of event, decision, id of the answer (for `flyball
explain`), time flyball took; then [who decided], @subagent, (what else was done), tool: subject"
)]
pub(crate) struct Arguments {
    /// Only this session; the beginning of its id is enough
    #[arg(long, value_name = "ID")]
    session: Option<String>,
    /// Only the project that this path is in
    #[arg(long, value_name = "PATH", conflicts_with = "here")]
    project: Option<std::path::PathBuf>,
    /// Only the project that the current directory is in
    #[arg(long)]
    here: bool,
    /// Only events about which this policy had something to say
    #[arg(long, value_name = "ID")]
    policy: Option<String>,
    /// Only events of this kind (may be given several times)
    #[arg(long, value_parser = kinds(), hide_possible_values = true)]
    kind: Vec<String>,
    /// Only events answered so (may be given several times); with --policy, judged so by it
    #[arg(long, value_parser = stances())]
    stance: Vec<String>,
    /// Only events about this kind of tool
    #[arg(long, value_parser = tools(), hide_possible_values = true)]
    tool: Option<String>,
    /// Only events since then: `2h`, `14:30`, `2026-11-14`, `2026-11-14T14:30`
    #[arg(long, value_name = "WHEN")]
    since: Option<String>,
    /// Only events until then; a day counts to its end
    #[arg(long, value_name = "WHEN")]
    until: Option<String>,
    /// Only events with this text in their subject, in upper or lower case
    #[arg(long, value_name = "TEXT")]
    grep: Option<String>,
    /// At most so many events, the newest
    #[arg(short = 'n', long = "number", value_name = "N", default_value_t = 50)]
    number: usize,
    /// Also calls that arrived twice, from two registrations or two clients
    #[arg(long)]
    all: bool,
    /// Print each event as one line of JSON: the whole record, payload included
    #[arg(long)]
    json: bool,
    /// Then print new events as they come, until interrupted
    #[arg(short, long)]
    follow: bool,
}

fn kinds() -> PossibleValuesParser {
    PossibleValuesParser::new(EventKind::ALL.iter().map(|kind| kind.name()))
}

fn stances() -> PossibleValuesParser {
    PossibleValuesParser::new(Stance::ALL.iter().map(|stance| stance.name()))
}

fn tools() -> PossibleValuesParser {
    PossibleValuesParser::new(ToolKind::ALL.iter().map(|kind| kind.name()))
}

/// Prints what was asked for.
pub(crate) fn run(arguments: &Arguments, terminal: &Terminal) -> Result<Done, Failed> {
    let archive = Here::find()?.archive()?;
    let now = Zoned::now();
    let request = Request::of(arguments, &archive, &now)?;
    let follower = if arguments.follow { Some(Follower::start(&archive)?) } else { None };
    let progress = Progress::on("looking through the record");
    let records = request.newest(&archive, arguments.number)?;
    drop(progress);
    if records.is_empty() && follower.is_none() && !arguments.json {
        terminal.line(nothing(&archive)?);
        return Ok(Done::Well);
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
    Ok(Done::Well)
}

/// Why there is nothing to show.
fn nothing(archive: &Archive) -> Result<&'static str, Failed> {
    let any = Filter { limit: Some(1), with_duplicates: true, ..Filter::default() };
    let is_empty = archive.index.events(&any)?.is_empty();
    Ok(if is_empty {
        "Nothing is recorded yet. `flyball init` registers flyball with your client; `flyball demo` shows it at work."
    } else {
        "No event matches. `flyball log` without filters shows the latest of all projects."
    })
}

/// Prints records the way that was asked for.
struct Printer<'a> {
    terminal: &'a Terminal,
    json: bool,
    shape: Shape,
    /// As wide as all rows so far: lines that come later keep the columns of those before.
    columns: Columns,
}

impl<'a> Printer<'a> {
    fn new(arguments: &Arguments, terminal: &'a Terminal) -> Printer<'a> {
        let shape =
            Shape { session: arguments.session.is_none(), took: terminal.line_limit() >= ROOM_FOR_TOOK };
        Printer { terminal, json: arguments.json, shape, columns: Columns::fit([], terminal.line_limit()) }
    }

    fn print(&mut self, records: &[Record], now: &Zoned) -> Reader {
        if self.json {
            return self
                .terminal
                .lines(records.iter().filter_map(|record| serde_json::to_string(record).ok()));
        }
        let rows: Vec<Row> = records.iter().map(|record| row(record, self.shape, now)).collect();
        self.columns.widen(&rows);
        self.terminal.lines(rows.iter().map(|row| self.columns.line(row, self.terminal)))
    }
}
