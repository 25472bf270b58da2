//! What does not depend on how busy the machine is: memory, page faults, system calls.

use std::process::{Command, Stdio};

use super::contestant::Contestant;
use super::scratch::Scratch;

/// How often memory and faults are counted.
const PROBES: usize = 5;
/// The runs after those of the race, so that each call is a new one.
const FIRST_RUN: usize = 1_000_000;

/// What one run takes; `None` where it could not be counted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Counts {
    /// The most memory that was resident at once.
    pub(super) peak_kib: Option<u64>,
    pub(super) page_faults: Option<u64>,
    pub(super) system_calls: Option<u64>,
}

/// Counts for one contestant.
pub(super) fn count(contestant: &Contestant, scratch: &Scratch) -> Counts {
    let probed: Vec<(u64, u64)> =
        (0..PROBES).filter_map(|number| probe(contestant, scratch, FIRST_RUN + number)).collect();
    Counts {
        peak_kib: probed.iter().map(|(peak, _)| *peak).max(),
        page_faults: probed.iter().map(|(_, faults)| *faults).min(),
        system_calls: count_system_calls(contestant, scratch),
    }
}

fn probe(contestant: &Contestant, scratch: &Scratch, run: usize) -> Option<(u64, u64)> {
    let mut command = contestant.command_under(Command::new(scratch.probe()?), run).ok()?;
    let done = command.stdout(Stdio::piped()).output().ok().filter(|done| done.status.success())?;
    let printed = String::from_utf8(done.stdout).ok()?;
    let mut numbers = printed.split_whitespace().map_while(|word| word.parse().ok());
    Some((numbers.next()?, numbers.next()?))
}

fn count_system_calls(contestant: &Contestant, scratch: &Scratch) -> Option<u64> {
    let trace = scratch.file("trace");
    let mut strace = Command::new(scratch.strace()?);
    strace.args(["-f", "-qq", "-o"]).arg(&trace);
    let mut command = contestant.command_under(strace, FIRST_RUN + PROBES).ok()?;
    command.status().ok().filter(std::process::ExitStatus::success)?;
    let text = std::fs::read_to_string(&trace).ok()?;
    Some(calls_in(&text)).filter(|calls| *calls > 0)
}

/// The calls in a trace: not signals, not the end of a process, not the second half of a call
/// that another thread interrupted.
fn calls_in(trace: &str) -> u64 {
    let is_call = |line: &&str| {
        let what = line.trim_start_matches(|c: char| c.is_ascii_digit() || c == ' ');
        what.starts_with(|c: char| c.is_ascii_lowercase())
    };
    trace.lines().filter(is_call).count() as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_calls_are_counted() {
        let trace = "\
execve(\"/bin/true\", [\"true\"], 0x7ffd /* 3 vars */) = 0
12345 brk(NULL)                         = 0x55
12345 read(0,  <unfinished ...>
12346 exit_group(0) = ?
12345 <... read resumed>\"\", 1)        = 0
12345 --- SIGCHLD {si_signo=SIGCHLD} ---
12346 +++ exited with 0 +++
";
        assert_eq!(calls_in(trace), 4);
    }
}
