//! Streams that are not waited for without end.

use std::io::{IsTerminal, Read, Result, Stdin, StdoutLock};
use std::os::fd::AsFd;
use std::process::Child;
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::fs::{FileType, Stat, fstat};
use rustix::io::Errno;

use crate::{Printed, Unread};

/// Standard input.
pub struct Input(Stdin);

impl Input {
    #[must_use]
    pub fn new() -> Input {
        Input(std::io::stdin())
    }

    /// Reads what is there, without a buffer of the standard library: what is in there would not be waited for. `None` if
    /// nothing came in time.
    pub fn read_within(&mut self, wait: Duration, buffer: &mut [u8]) -> Result<Option<usize>> {
        let wait = Timespec::try_from(wait).ok();
        loop {
            let read = match poll(&mut [PollFd::new(&self.0, PollFlags::IN)], wait.as_ref()) {
                Ok(0) => return Ok(None),
                Ok(_) => rustix::io::read(&self.0, &mut *buffer),
                Err(cause) => Err(cause),
            };
            match read {
                Err(Errno::INTR | Errno::AGAIN) => {}
                read => return Ok(read.map(Some)?),
            }
        }
    }
}

impl Default for Input {
    fn default() -> Input {
        Input::new()
    }
}

/// Whether nobody can read what is printed. The runtime opens `/dev/null` in place of a stdout that is closed.
#[must_use]
pub fn leads_nowhere(stdout: &StdoutLock<'_>) -> bool {
    let is_device = |stat: Stat| FileType::from_raw_mode(stat.st_mode).is_char_device();
    fstat(stdout).is_ok_and(is_device) && !stdout.is_terminal()
}

/// One of the two pipes from a child.
struct Pipe<R> {
    end: Option<R>,
    bytes: Vec<u8>,
    most: usize,
}

impl<R: Read + AsFd> Pipe<R> {
    fn new(end: Option<R>, most: usize) -> Pipe<R> {
        Pipe { end, bytes: Vec::new(), most }
    }

    /// To wait for it; `None` once it is closed.
    fn poll_fd(&self) -> Option<PollFd<'_>> {
        self.end.as_ref().map(|end| PollFd::new(end, PollFlags::IN))
    }

    /// Reads what is there. All of it, so that the child does not wait for us; what is too much is dropped.
    fn read(&mut self) -> Result<()> {
        let mut part = [0; 16 * 1024];
        let Some(end) = &mut self.end else { return Ok(()) };
        let read = end.read(&mut part)?;
        let room = self.most.saturating_sub(self.bytes.len());
        self.bytes.extend(part.get(..read.min(room)).unwrap_or_default());
        if read == 0 {
            self.end = None;
        }
        Ok(())
    }
}

/// What a child prints and what it complains about, up to these lengths, until it closes both.
pub fn read_printed(
    child: &mut Child,
    most: (usize, usize),
    deadline: Instant,
) -> std::result::Result<Printed, Unread> {
    let mut output = Pipe::new(child.stdout.take(), most.0);
    let mut complaint = Pipe::new(child.stderr.take(), most.1);
    while output.end.is_some() || complaint.end.is_some() {
        let (of_output, of_complaint) = {
            let mut waiting: Vec<PollFd<'_>> =
                [output.poll_fd(), complaint.poll_fd()].into_iter().flatten().collect();
            let left = deadline.saturating_duration_since(Instant::now());
            match poll(&mut waiting, Timespec::try_from(left).ok().as_ref()) {
                Ok(0) => return Err(Unread::TooLate),
                Ok(_) => {}
                Err(Errno::INTR) => continue,
                Err(cause) => return Err(Unread::Failed(cause.into())),
            }
            let mut ready = waiting.iter().map(|fd| !fd.revents().is_empty());
            let of_output = output.end.is_some() && ready.next().unwrap_or_default();
            (of_output, complaint.end.is_some() && ready.next().unwrap_or_default())
        };
        if of_output {
            output.read().map_err(Unread::Failed)?;
        }
        if of_complaint {
            complaint.read().map_err(Unread::Failed)?;
        }
    }
    Ok((output.bytes, complaint.bytes))
}
