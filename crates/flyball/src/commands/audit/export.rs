//! `flyball audit export`: the record with its links, one event a line, and a signed digest.

use std::path::{Path, PathBuf};

use clap::Args;
use flyball_core::text;
use flyball_core::time::Time;
use flyball_store::{ExportFilter, Exported, Link};
use serde::{Deserialize, Serialize};

use super::digest::{Contents, Digest};
use super::input::{WAIT, open_store, parse_time};
use super::key::SigningKey;
use super::output::{Output, write_failure};
use crate::arguments;
use crate::outcome::{Done, Failed};
use crate::progress::Progress;
use crate::project_context::ProjectContext;
use crate::show::time::Bound;
use crate::terminal::Terminal;

/// Progress is shown every so many events.
const PROGRESS_EVERY: u64 = 1_000;

/// Arguments of `flyball audit export`.
#[derive(Args)]
pub(super) struct Arguments {
    /// Only sessions whose id begins with ID
    #[arg(long, value_name = "ID")]
    session: Option<String>,
    /// Only the project that this path is in
    #[arg(long, value_name = "PATH")]
    project: Option<PathBuf>,
    /// Only events since then: `2h`, `14:30`, `2026-11-14`, `2026-11-14T14:30`
    #[arg(long, value_name = "WHEN")]
    since: Option<String>,
    /// Only events until then; a day counts to its end
    #[arg(long, value_name = "WHEN")]
    until: Option<String>,
    /// Write to this file instead of standard output
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Write the signed digest to this file; with --output, FILE.digest.json by itself
    #[arg(long, value_name = "FILE")]
    digest: Option<PathBuf>,
}

/// A line of the exported file.
#[derive(Serialize, Deserialize)]
pub(super) struct Line {
    pub(super) client: String,
    pub(super) session: String,
    pub(super) seq: u64,
    pub(super) id: String,
    #[serde(with = "flyball_core::time::micros")]
    pub(super) at: Time,
    pub(super) link: Option<Link>,
    /// The link that it continues; none at the beginning of a chain.
    pub(super) before: Option<Link>,
    /// Exactly the text that was hashed.
    pub(super) record: String,
    pub(super) payload: Option<String>,
}

pub(super) fn run(arguments: &Arguments, terminal: &Terminal) -> Result<Done, Failed> {
    let filter = arguments.filter()?;
    // Opening the archive folds journals into the index.
    drop(ProjectContext::find()?.archive()?);
    let mut output = match &arguments.output {
        Some(path) => Output::file(path)?,
        None => Output::stdout(),
    };
    let written = write_all(&filter, &mut output, arguments)?;
    let failed = |cause: std::io::Error| write_failure(arguments.place(), &cause);
    let sha256 = output.finish().map_err(failed)?;
    if let Some(path) = arguments.digest_path() {
        // Signed after the file is complete, so that a digest never describes half of it.
        let own = SigningKey::open_or_make(open_store()?.root())?;
        let digest = Digest::new(sha256, written.events, written.sessions);
        let mut output = Output::file(&path)?;
        let signed = digest.sign(&own)?;
        output
            .write(signed.as_bytes())
            .and_then(|()| output.finish())
            .map_err(|cause| write_failure(&path, &cause))?;
    }
    if arguments.output.is_some() {
        terminal.line(&format!("{} exported", text::counted(written.events, "event")));
    }
    if written.unproven > 0 {
        let (events, verb) =
            (text::counted(written.unproven, "event"), text::plural(written.unproven, "does", "do"));
        let what = format!("{events} {verb} not match the chain");
        terminal.print_failure(&what, "`flyball audit verify` shows which");
        return Ok(Done::Findings);
    }
    Ok(Done::Success)
}

#[derive(Default)]
struct ExportTotals {
    events: u64,
    /// Events that are not proven.
    unproven: u64,
    sessions: Vec<Contents>,
}

impl ExportTotals {
    fn add(&mut self, event: &Exported) {
        self.events += 1;
        // Without a link it is older than the chain: that is not a contradiction.
        self.unproven += u64::from(event.link.is_some() && !event.is_proven);
        let is_same = |it: &&mut Contents| it.client == event.client && it.session == event.session;
        if self.sessions.last_mut().filter(is_same).is_none() {
            let (client, session) = (event.client.clone(), event.session.clone());
            self.sessions.push(Contents { client, session, ..Contents::default() });
        }
        if let Some(contents) = self.sessions.last_mut() {
            contents.add(event.name.seq, event.link);
        }
    }
}

fn write_all(
    filter: &ExportFilter,
    output: &mut Output,
    arguments: &Arguments,
) -> Result<ExportTotals, Failed> {
    let progress = Progress::after_a_while();
    let (mut written, mut error) = (ExportTotals::default(), None);
    let mut visit = |event: Exported, (done, all): (u64, u64)| {
        written.add(&event);
        if done == 1 || done % PROGRESS_EVERY == 0 {
            let number = |number: u64| usize::try_from(number).unwrap_or(usize::MAX);
            progress.bar("events", (number(done), number(all)));
        }
        error = write_line(output, event).err();
        error.is_none()
    };
    open_store()?.export(filter, WAIT, &mut visit)?;
    progress.clear();
    match error {
        Some(cause) => Err(write_failure(arguments.place(), &cause)),
        None => Ok(written),
    }
}

fn write_line(output: &mut Output, event: Exported) -> std::io::Result<()> {
    let Exported { client, session, name, link, before, record, payload, .. } = event;
    let line =
        Line { client, session, seq: name.seq, id: name.id, at: name.at, link, before, record, payload };
    let mut text = serde_json::to_vec(&line)?;
    text.push(b'\n');
    output.write(&text)
}

impl Arguments {
    fn filter(&self) -> Result<ExportFilter, Failed> {
        Ok(ExportFilter {
            session: self.session.clone(),
            project: self.project.as_deref().map(arguments::project),
            since: parse_time(self.since.as_deref(), Bound::Start)?,
            until: parse_time(self.until.as_deref(), Bound::End)?,
        })
    }

    fn place(&self) -> &Path {
        self.output.as_deref().unwrap_or(Path::new("standard output"))
    }

    fn digest_path(&self) -> Option<PathBuf> {
        self.digest.clone().or_else(|| {
            let mut name = self.output.as_ref()?.clone().into_os_string();
            name.push(".digest.json");
            Some(PathBuf::from(name))
        })
    }
}
