//! Where the program starts on Linux with glibc: an event is answered, and a command of an agent started, without the standard
//! library's runtime.
//!
//! Before `main` the runtime looks for the guard page of the main thread, for which glibc reads and parses
//! `/proc/self/maps`, and installs handlers that report a stack overflow: a quarter of what an empty program costs.
//! `build.rs` has the linker put [`__wrap_main`] in front of the `main` that the compiler makes. Every other command goes
//! on to that one.

#![expect(unsafe_code, reason = "the C library calls `main` and sets signals; nothing else is done here")]

use std::ffi::{c_char, c_int};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::fs::{Mode, OFlags, open};

/// More than a hook needs.
const HEAP_BYTES: c_int = 2 * 1024 * 1024;

unsafe extern "C" {
    /// The `main` that the compiler makes: the runtime, then ours.
    fn __real_main(count: c_int, words: *const *const c_char) -> c_int;
}

/// What the C library calls.
// SAFETY: nothing else has this name, and the linker gives it to the C library with `main`'s signature.
#[unsafe(no_mangle)]
extern "C" fn __wrap_main(count: c_int, words: *const *const c_char) -> c_int {
    if let Some(everyday) = flyball::Everyday::find() {
        ignore_broken_pipes();
        open_missing_streams();
        grow_at_once();
        return c_int::from(everyday.run());
    }
    // SAFETY: called once, with what the C library has given.
    unsafe { __real_main(count, words) }
}

/// Makes writing to a client that no longer reads an error; by default it ends the process.
fn ignore_broken_pipes() {
    // SAFETY: no other thread runs yet, and no handler is installed.
    unsafe { libc::signal(libc::SIGPIPE, libc::SIG_IGN) };
}

/// Has the heap grow once and never shrink: a hook lives for a millisecond, and each step is a system call. Memory that
/// is not used costs nothing.
fn grow_at_once() {
    for option in [libc::M_TOP_PAD, libc::M_TRIM_THRESHOLD, libc::M_MMAP_THRESHOLD] {
        // SAFETY: only this thread runs, and any size is allowed.
        unsafe { libc::mallopt(option, HEAP_BYTES) };
    }
}

/// Opens `/dev/null` for each of the three streams that is closed: the next file that is opened would take its place.
fn open_missing_streams() {
    let (stdin, stdout, stderr) = (std::io::stdin(), std::io::stdout(), std::io::stderr());
    let none = PollFlags::empty();
    let mut streams = [PollFd::new(&stdin, none), PollFd::new(&stdout, none), PollFd::new(&stderr, none)];
    let polled = poll(&mut streams, Some(&Timespec::default()));
    if polled.is_ok_and(|count| count == 0) {
        return;
    }
    for stream in &streams {
        if stream.revents().contains(PollFlags::NVAL) {
            // It gets the lowest number that is free, and keeps it: there is nobody to report an error to.
            if let Ok(opened) = open("/dev/null", OFlags::RDWR, Mode::empty()) {
                std::mem::forget(opened);
            }
        }
    }
}
