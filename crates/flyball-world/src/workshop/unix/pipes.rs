//! A child's three streams, read and written only as far as it does not make us wait.

use std::io::{ErrorKind, Read, Result, Write};
use std::os::fd::{AsFd, BorrowedFd};
use std::process::ChildStdin;

/// What is read or written at a time: what a pipe usually holds.
const CHUNK: usize = 64 * 1024;
/// How many chunks are still taken of a stream whose writer has ended: as much as the largest pipe
/// of an ordinary user holds. Another process that goes on writing must not block us.
const LAST_CHUNKS: usize = 32;

/// What is left to write to a child.
pub(super) struct Feed {
    pipe: ChildStdin,
    text: Vec<u8>,
    written: usize,
}

impl Feed {
    pub(super) fn new(pipe: ChildStdin, text: Vec<u8>) -> Result<Feed> {
        rustix::io::ioctl_fionbio(&pipe, true)?;
        Ok(Feed { pipe, text, written: 0 })
    }

    pub(super) fn fd(&self) -> BorrowedFd<'_> {
        self.pipe.as_fd()
    }

    /// Writes what fits; false when there is nothing left to write, or no reader.
    pub(super) fn write(&mut self) -> bool {
        let rest = self.text.get(self.written..).unwrap_or_default();
        if rest.is_empty() {
            return false;
        }
        match self.pipe.write(rest) {
            Ok(0) => false,
            Ok(count) => {
                self.written += count;
                self.written < self.text.len()
            }
            // A child may end without having read everything; then there is no reader.
            Err(cause) => is_passing(&cause),
        }
    }
}

/// One output of a child, of which the beginning is stored.
pub(super) struct Drain<P> {
    pipe: Option<P>,
    collected: Vec<u8>,
    most: usize,
    cut: bool,
}

impl<P: Read + AsFd> Drain<P> {
    pub(super) fn new(pipe: Option<P>, most: usize) -> Result<Drain<P>> {
        if let Some(pipe) = &pipe {
            rustix::io::ioctl_fionbio(pipe, true)?;
        }
        Ok(Drain { pipe, collected: Vec::new(), most, cut: false })
    }

    /// The stream, as long as it is open.
    pub(super) fn fd(&self) -> Option<BorrowedFd<'_>> {
        self.pipe.as_ref().map(AsFd::as_fd)
    }

    /// Takes what is there, at most one chunk; false if nothing was.
    pub(super) fn read(&mut self) -> bool {
        let Some(pipe) = &mut self.pipe else { return false };
        // One chunk per step, so that one child that prints a lot does not starve the others.
        let mut chunk = [0; CHUNK];
        match pipe.read(&mut chunk) {
            Ok(0) => self.pipe = None,
            Ok(count) => {
                self.collect(chunk.get(..count).unwrap_or_default());
                return true;
            }
            Err(cause) if is_passing(&cause) => {}
            Err(_) => self.pipe = None,
        }
        false
    }

    /// Takes all that is there once nothing of interest can follow, and closes the stream.
    pub(super) fn finish(&mut self) -> (Vec<u8>, bool) {
        for _ in 0..LAST_CHUNKS {
            if !self.read() {
                break;
            }
        }
        self.pipe = None;
        (std::mem::take(&mut self.collected), self.cut)
    }

    fn collect(&mut self, chunk: &[u8]) {
        let room = self.most.saturating_sub(self.collected.len());
        // What does not fit is still read, or the child would block on a full pipe.
        self.cut |= chunk.len() > room;
        self.collected.extend_from_slice(chunk.get(..room).unwrap_or(chunk));
    }
}

fn is_passing(cause: &std::io::Error) -> bool {
    matches!(cause.kind(), ErrorKind::WouldBlock | ErrorKind::Interrupted)
}
