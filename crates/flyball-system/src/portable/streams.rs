//! Streams that are not waited for without end: a thread reads, and we wait for the thread.

use std::io::{Error, ErrorKind, Read, Result, StdoutLock};
use std::process::Child;
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, channel, sync_channel};
use std::thread;
use std::time::{Duration, Instant};

use crate::{Printed, Unread};

const CHUNK: usize = 64 * 1024;

/// Standard input, or another stream.
pub struct Input {
    chunks: Receiver<Result<Vec<u8>>>,
    rest: Vec<u8>,
}

impl Input {
    #[must_use]
    pub fn new() -> Input {
        Input::of(std::io::stdin())
    }

    pub(crate) fn of(stream: impl Read + Send + 'static) -> Input {
        // One at a time: what nobody takes stays where it is.
        let (send, chunks) = sync_channel(1);
        // Without a thread the sender is gone, which is an error when it is read.
        drop(thread::Builder::new().spawn(move || pass_on(stream, &send)));
        Input { chunks, rest: Vec::new() }
    }

    pub fn read_within(&mut self, wait: Duration, buffer: &mut [u8]) -> Result<Option<usize>> {
        if self.rest.is_empty() {
            self.rest = match self.chunks.recv_timeout(wait) {
                Ok(chunk) => chunk?,
                Err(RecvTimeoutError::Timeout) => return Ok(None),
                // After its end there is nothing more.
                Err(RecvTimeoutError::Disconnected) => return Ok(Some(0)),
            };
        }
        let count = self.rest.len().min(buffer.len());
        for (to, from) in buffer.iter_mut().zip(self.rest.drain(..count)) {
            *to = from;
        }
        Ok(Some(count))
    }
}

impl Default for Input {
    fn default() -> Input {
        Input::new()
    }
}

fn pass_on(mut stream: impl Read, send: &SyncSender<Result<Vec<u8>>>) {
    let mut chunk = vec![0; CHUNK];
    loop {
        let read = stream.read(&mut chunk).map(|count| chunk.get(..count).unwrap_or_default().to_vec());
        if read.as_ref().is_err_and(|cause| cause.kind() == ErrorKind::Interrupted) {
            continue;
        }
        let is_end = read.as_ref().map_or(true, Vec::is_empty);
        if send.send(read).is_err() || is_end {
            return;
        }
    }
}

/// A stdout that leads nowhere fails when it is written to.
#[must_use]
pub fn leads_nowhere(_: &StdoutLock<'_>) -> bool {
    false
}

/// All of a stream, so that the child does not wait for us; what is too much is dropped.
pub(super) fn read_beginning(stream: Option<impl Read>, most: usize) -> Result<Vec<u8>> {
    let Some(mut stream) = stream else { return Ok(Vec::new()) };
    let mut bytes = Vec::new();
    let mut chunk = vec![0; CHUNK];
    loop {
        match stream.read(&mut chunk) {
            Ok(0) => return Ok(bytes),
            Ok(count) => {
                let room = most.saturating_sub(bytes.len());
                bytes.extend(chunk.get(..count.min(room)).unwrap_or_default());
            }
            Err(cause) if cause.kind() == ErrorKind::Interrupted => {}
            Err(cause) => return Err(cause),
        }
    }
}

pub fn read_printed(
    child: &mut Child,
    most: (usize, usize),
    deadline: Instant,
) -> std::result::Result<Printed, Unread> {
    let output = in_thread(child.stdout.take(), most.0);
    let complaint = in_thread(child.stderr.take(), most.1);
    Ok((receive(&output, deadline)?, receive(&complaint, deadline)?))
}

fn in_thread(stream: Option<impl Read + Send + 'static>, most: usize) -> Receiver<Result<Vec<u8>>> {
    let (send, all) = channel();
    // Without a thread the sender is gone, which is an error when it is received.
    drop(thread::Builder::new().spawn(move || send.send(read_beginning(stream, most))));
    all
}

fn receive(all: &Receiver<Result<Vec<u8>>>, deadline: Instant) -> std::result::Result<Vec<u8>, Unread> {
    match all.recv_timeout(deadline.saturating_duration_since(Instant::now())) {
        Ok(read) => read.map_err(Unread::Failed),
        Err(RecvTimeoutError::Timeout) => Err(Unread::TooLate),
        Err(RecvTimeoutError::Disconnected) => {
            Err(Unread::Failed(Error::other("no thread could be started")))
        }
    }
}
