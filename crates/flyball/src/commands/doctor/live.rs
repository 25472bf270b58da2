//! Proves from inside a session that hooks fire: the call that started this process must
//! be in the record.

use std::time::Duration;

use flyball_clients::CLIENTS;
use flyball_core::event::{EventKind, SessionId};
use flyball_core::record::Record;
use flyball_store::Filter;
use jiff::Zoned;

use crate::environment;
use crate::install::Site;
use crate::outcome::{Done, Failed};
use crate::project_context::ProjectContext;
use crate::show::time::{self, took};
use crate::terminal::{Style, Terminal};

/// The words in the command line that started us.
const WORDS: &str = "doctor --live";
/// How old the call can be: the user may take a while to permit it.
const WINDOW: Duration = Duration::from_mins(1);

pub(super) fn run(terminal: &Terminal) -> Result<Done, Failed> {
    let site = Site::find()?;
    let id = CLIENTS.iter().find_map(|client| environment::variable(client.facts().session_variable));
    let now = Zoned::now();
    match call(&site, id.as_deref(), &now)? {
        Some(record) => {
            report_fired(terminal, &record, &now);
            Ok(Done::Success)
        }
        // Only with a session is silence a finding; a person in a terminal has no hook that could fire.
        None if id.is_some() => {
            report_silent(terminal, &site, id.as_deref());
            Ok(Done::Findings)
        }
        None => Err(Failed::new(
            "this does not run in an agent's session, so there is no hook to observe",
            "start the agent in this project and ask it to run `flyball doctor --live`",
        )),
    }
}

/// The recorded call that started this process.
fn call(site: &Site, id: Option<&str>, now: &Zoned) -> Result<Option<Record>, Failed> {
    if !site.state().is_some_and(|state| state.join("sessions").exists()) {
        return Ok(None);
    }
    let archive = ProjectContext::at(site.root.clone()).archive()?;
    let filter = Filter {
        session: id.map(SessionId::new),
        // Without an id, a session of another project could be taken for this one.
        project: id.is_none().then(|| site.root.to_string_lossy().into_owned()),
        kinds: vec![EventKind::BeforeTool],
        since: Some(time::of(now) - WINDOW),
        // A wrapper or `cd … &&` may come before it, so the subject is searched and not compared.
        text: Some(WORDS.to_owned()),
        limit: Some(1),
        ..Filter::default()
    };
    let events = archive.index.events(&filter)?;
    Ok(events.into_iter().next().map(|event| event.record))
}

fn report_fired(terminal: &Terminal, record: &Record, now: &Zoned) {
    let since = time::of(now).since(record.at);
    terminal.line(&terminal.paint(Style::Good, "✓ hooks fire: flyball saw this call"));
    let rows = [
        ("event", format!("{} ({})", record.native, record.kind.name())),
        ("client", record.client.clone()),
        ("session", record.session.as_str().to_owned()),
        ("decision", format!("{} ({})", record.id, record.stance.name())),
        ("took", format!("{}, {} before this", took(record.took), took(since))),
    ];
    for (title, text) in rows {
        terminal.line(&format!("  {}  {text}", terminal.paint(Style::Faint, &format!("{title:<8}"))));
    }
}

fn report_silent(terminal: &Terminal, site: &Site, id: Option<&str>) {
    let state = site.state().map(|state| site.show(state)).unwrap_or_default();
    let session = id.map_or_else(|| "this session".to_owned(), |id| format!("session {id}"));
    terminal.line(&terminal.paint(Style::Bad, "✗ no hook fired for this call"));
    terminal.line(&format!("  {session} has no `before_tool` event for it in {state}. Likely reasons:"));
    terminal.lines([
        "  - hooks are off, or the file is invalid: `flyball doctor` checks both",
        "  - the folder or the hooks are not trusted yet: look at `/hooks` in the client",
        "  - flyball was registered after this session started: start a new one",
        "  - the client has another HOME or FLYBALL_STATE_DIR than this command",
        "  - the command was typed by a person (`!`): have the agent run it",
    ]);
}
