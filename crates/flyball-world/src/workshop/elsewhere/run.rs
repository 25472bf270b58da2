//! Children where there are no process groups and nothing to poll: a thread for each that runs at a time, and one for each of its
//! streams.

use std::io::{Read, Write};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use flyball_core::workshop::{Ending, Job, JobLimit, JobResult, Limits};
use flyball_system::ExitStatusExt as _;

use crate::workshop::start::{MAX_WAIT, command, start_error, width, without_output};

/// How often a child is looked at.
const GLANCE: Duration = Duration::from_millis(5);
/// How long the streams of a child that ended are waited for: another process may still have them open.
const LAST_OUTPUT: Duration = Duration::from_millis(500);
const CHUNK: usize = 64 * 1024;

/// Runs all jobs and returns how each ended, in their order.
pub(in crate::workshop) fn run(jobs: &[Job], limits: Limits) -> Vec<JobResult> {
    let deadline = Instant::now() + limits.timeout.min(MAX_WAIT);
    let waiting = Mutex::new(jobs.iter().enumerate());
    let ended = Mutex::new(vec![None; jobs.len()]);
    let work = || {
        loop {
            let next = waiting.lock().unwrap_or_else(PoisonError::into_inner).next();
            let Some((number, job)) = next else { return };
            // What has not started by then never does.
            let ran = if Instant::now() < deadline {
                run_one(job, deadline, limits.output_bytes)
            } else {
                without_output(Ending::TimedOut)
            };
            if let Some(place) = ended.lock().unwrap_or_else(PoisonError::into_inner).get_mut(number) {
                *place = Some(ran);
            }
        }
    };
    thread::scope(|scope| {
        for _ in 1..width(limits).min(jobs.len()) {
            scope.spawn(work);
        }
        work();
    });
    let ended = ended.into_inner().unwrap_or_else(PoisonError::into_inner);
    ended.into_iter().map(|ran| ran.unwrap_or_else(|| without_output(Ending::TimedOut))).collect()
}

fn run_one(job: &Job, deadline: Instant, most: usize) -> JobResult {
    let started = Instant::now();
    let own = job.timeout.and_then(|timeout| started.checked_add(timeout)).filter(|own| *own < deadline);
    let mut child = match command(job).spawn() {
        Ok(child) => child,
        Err(cause) => return without_output(Ending::NotStarted(start_error(job, &cause))),
    };
    feed(&mut child, job.stdin.clone().unwrap_or_default());
    let streams = [collect(child.stdout.take(), most), collect(child.stderr.take(), most)];
    let ending = match wait(&mut child, own.unwrap_or(deadline)) {
        Some(status) => match status.code() {
            Some(code) => Ending::Exited(code),
            None => Ending::Killed(status.signal().unwrap_or_default()),
        },
        None => {
            end_tree(&mut child);
            match job.timeout.filter(|_| own.is_some()) {
                Some(own) => Ending::OverLimit(JobLimit::Time(own)),
                None => Ending::TimedOut,
            }
        }
    };
    let [(stdout, cut), (stderr, cut_too)] =
        streams.map(|stream| stream.recv_timeout(LAST_OUTPUT).unwrap_or((Vec::new(), true)));
    JobResult { ending, stdout, stderr, cut: cut || cut_too, took: started.elapsed() }
}

/// How it ended; `None` if it did not in time.
fn wait(child: &mut Child, until: Instant) -> Option<ExitStatus> {
    loop {
        match child.try_wait() {
            Ok(Some(status)) => return Some(status),
            Ok(None) if Instant::now() < until => thread::sleep(GLANCE),
            Ok(None) | Err(_) => return None,
        }
    }
}

/// Ends a child and what it started.
fn end_tree(child: &mut Child) {
    let mut end = Command::new("taskkill");
    end.args(["/T", "/F", "/PID", &child.id().to_string()]);
    // Where there is no such program, the child alone is ended; it may have ended already.
    _ = end.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).status();
    _ = (child.kill(), child.wait());
}

fn feed(child: &mut Child, text: Vec<u8>) {
    let Some(mut stdin) = child.stdin.take() else { return };
    // A child may end without having read everything.
    _ = thread::Builder::new().spawn(move || stdin.write_all(&text));
}

/// The beginning of a stream, and whether there was more. All of it is read, or the child would block.
fn collect(stream: Option<impl Read + Send + 'static>, most: usize) -> Receiver<(Vec<u8>, bool)> {
    let (send, all) = channel();
    let read = move || {
        let (mut collected, mut cut, mut chunk) = (Vec::new(), false, vec![0; CHUNK]);
        if let Some(mut stream) = stream {
            while let Ok(count @ 1..) = stream.read(&mut chunk) {
                let room = most.saturating_sub(collected.len());
                cut |= count > room;
                collected.extend(chunk.get(..count.min(room)).unwrap_or_default());
            }
        }
        // Nobody waits any more for a stream that stayed open.
        send.send((collected, cut)).ok();
    };
    // Without a thread nothing is received, which counts as cut.
    _ = thread::Builder::new().spawn(read);
    all
}

#[cfg(test)]
mod tests {
    use flyball_core::path::AbsolutePath;

    use super::*;

    const LIMITS: Limits = Limits { timeout: Duration::from_secs(20), output_bytes: 8, at_a_time: 2 };

    fn job(line: &str) -> Job {
        Job {
            program: AbsolutePath::from_root("/bin/sh"),
            arguments: vec!["-c".to_owned(), line.to_owned()],
            folder: AbsolutePath::from_root("/"),
            ..Job::default()
        }
    }

    #[test]
    fn jobs_end_as_those_of_unix_do() {
        let with_input = Job { stdin: Some(b"input".to_vec()), ..job("cat; exit 3") };
        let gone = Job { program: AbsolutePath::from_root("/nowhere/program"), ..job("") };
        let slow = Job { timeout: Some(Duration::from_millis(60)), ..job("exec sleep 30") };
        let jobs = [job("printf 1234567890; printf no >&2"), with_input, gone, slow];
        let plain = |ran: Vec<JobResult>| -> Vec<_> {
            ran.into_iter().map(|ran| (ran.ending, ran.stdout, ran.stderr, ran.cut)).collect()
        };
        let found = plain(run(&jobs, LIMITS));
        assert_eq!(found, plain(crate::workshop::unix::run::run(&jobs, LIMITS)));
        let [first, second, ..] = found.as_slice() else { panic!("{found:?}") };
        assert_eq!(first, &(Ending::Exited(0), b"12345678".to_vec(), b"no".to_vec(), true));
        assert_eq!(second, &(Ending::Exited(3), b"input".to_vec(), Vec::new(), false));
    }

    #[test]
    fn what_has_no_time_left_is_ended() {
        let limits = Limits { timeout: Duration::from_millis(60), at_a_time: 1, ..LIMITS };
        let ran = run(&[job("exec sleep 30"), job("true")], limits);
        let endings: Vec<Ending> = ran.into_iter().map(|ran| ran.ending).collect();
        assert_eq!(endings, [Ending::TimedOut, Ending::TimedOut]);
    }
}
