//! Other processes: this test program again, controlled by environment variables.

use std::io::{BufRead, BufReader, Lines, Write};
use std::path::Path;
use std::process::{Child, ChildStdout, Command, Stdio};

use flyball_core::event::{AnswerId, CallKey};
use flyball_core::policy::Memory;
use flyball_store::Store;

use super::sample::{LONG_WAIT, record, session};

const STATE: &str = "FLYBALL_TEST_STATE";
const TIMES: &str = "FLYBALL_TEST_TIMES";

/// A process that increments a counter of one session, again and again.
pub(crate) struct Writer {
    child: Child,
    output: Lines<BufReader<ChildStdout>>,
}

impl Writer {
    /// Starts a process that does so this many times.
    pub(crate) fn start(state: &Path, times: u64) -> Writer {
        Writer::start_below(Command::new(std::env::current_exe().unwrap()), state, times)
    }

    /// The same, below a command that ends in the name of this program.
    pub(crate) fn start_below(mut command: Command, state: &Path, times: u64) -> Writer {
        let mut child = command
            .args(["--exact", "child::entry", "--nocapture", "--test-threads=1"])
            .env(STATE, state)
            .env(TIMES, times.to_string())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let output = BufReader::new(child.stdout.take().unwrap()).lines();
        Writer { child, output }
    }

    /// Its next message: the answer's id of a commit, or an error.
    pub(crate) fn next(&mut self) -> Option<String> {
        self.output
            .by_ref()
            .map_while(Result::ok)
            .find_map(|line| line.strip_prefix("reports ").map(str::to_owned))
    }

    /// Its remaining messages, until it ends by itself.
    pub(crate) fn finish(mut self) -> Vec<String> {
        let rest = std::iter::from_fn(|| self.next()).collect();
        assert!(self.child.wait().unwrap().success());
        rest
    }

    /// Ends it at once, and returns its messages until then.
    pub(crate) fn kill(mut self) -> Vec<String> {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
        std::iter::from_fn(|| self.next()).collect()
    }
}

/// What the other process does; nothing in this one.
#[test]
fn entry() {
    let (Some(state), Some(times)) = (std::env::var_os(STATE), std::env::var(TIMES).ok()) else {
        return;
    };
    let store = Store::at(Path::new(&state));
    for number in 0..times.parse().unwrap() {
        // The test harness has begun a line of its own.
        let line = match increment(&store, number) {
            Ok(id) => format!("\nreports {id}\n"),
            Err(error) => format!("\nreports error: {error}\n"),
        };
        std::io::stdout().write_all(line.as_bytes()).unwrap();
        std::io::stdout().flush().unwrap();
    }
}

fn increment(store: &Store, number: u64) -> Result<AnswerId, flyball_core::policy::PolicyError> {
    let journal = store.session("claude-code", &session(), LONG_WAIT);
    loop {
        let count: u64 = journal.read("counter")?.map_or(0, |text| text.parse().unwrap());
        journal.write("counter", (count + 1).to_string())?;
        if journal.reserve()? {
            break;
        }
    }
    let mine = u64::from(std::process::id()) << 32 | number;
    let mut record = record(number);
    record.id = AnswerId::from_seed(mine);
    record.call = CallKey::from_payload(&mine.to_le_bytes());
    journal.commit(&mut record)?;
    Ok(record.id)
}
