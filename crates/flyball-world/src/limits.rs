//! Limits of the process (`ulimit`) whose signals would end it before it has answered.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use rustix::process::{Resource, getrlimit};
use signal_hook::consts::{SIGXCPU, SIGXFSZ};

/// Makes the signals of limits errors of what is being done: a file that may not grow is reported like a full disk, and
/// a process that has used its time goes on until the hard limit.
pub fn survive() {
    for (resource, signal) in [(Resource::Fsize, SIGXFSZ), (Resource::Cpu, SIGXCPU)] {
        // Most processes have no such limit, and setting up signals costs more than asking.
        if getrlimit(resource).current.is_some() {
            // If it fails, the signal ends the process, which clients take for a failed gate.
            drop(signal_hook::flag::register(signal, Arc::new(AtomicBool::new(false))));
        }
    }
}
