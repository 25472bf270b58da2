//! Termination signals while children run or scratch folders exist: those are ended and removed first,
//! then this process ends as it would have. A command that wants to end by itself is notified first.

use std::io::{Read, Result};
use std::os::fd::AsFd;
use std::os::unix::net::UnixStream;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, Once, PoisonError, mpsc};
use std::time::Duration;

use rustix::event::{PollFd, PollFlags, poll};
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM, SIGXCPU, SIGXFSZ};
use signal_hook::{SigId, flag, low_level};

use crate::scratch;

/// The signals with which a client, a person or a closing terminal ends us.
const END_SIGNALS: [i32; 3] = [SIGTERM, SIGINT, SIGHUP];

/// What a process does with a signal is the same for all of its threads, so this is one for all.
static GUARD_STATE: Mutex<GuardState> = Mutex::new(GuardState { guards: 0, idle: None });

/// Wakes when a signal guard began or ended.
static CHANGED: Condvar = Condvar::new();

/// How long what is done last may take.
const EXIT_WAIT: Duration = Duration::from_secs(1);

/// What is done last, such as restoring the terminal.
static AT_EXIT: Mutex<Vec<fn()>> = Mutex::new(Vec::new());

/// Who is notified of the first Ctrl-C instead of being ended by it.
static LISTENER: Mutex<Listener> = Mutex::new(Listener::None);

#[derive(Debug)]
enum Listener {
    None,
    /// A command that checks this, and ends by itself.
    Command(Arc<AtomicBool>),
    /// Another part of the process, such as a server.
    Others,
}

struct GuardState {
    guards: usize,
    /// Whether there is no guard: a signal then has its default effect. Once a signal was
    /// listened for, it would otherwise be swallowed for the rest of the process's life.
    idle: Option<Arc<AtomicBool>>,
}

/// From now on scratch folders are also removed if a signal ends us while no children run: for
/// commands, which may be ended at any time.
pub fn clean_up_on_signal() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        // Without it a signal ends us at once, and the folders are left behind.
        if let Ok(guard) = SignalGuard::start() {
            _ = std::thread::Builder::new().spawn(move || guard.end_on_signal());
        }
    });
}

/// While it lives, a signal waits: it ends the process when this is dropped. For a command whose children write into a
/// scratch folder: one that is just being started does not get the signal, and would make the folder again.
pub struct SignalHold {
    _guard: Option<SignalGuard>,
}

/// Holds signals back.
#[must_use]
pub fn hold_signals() -> SignalHold {
    // Without it a signal ends us at once, and the folders may be left behind.
    SignalHold { _guard: SignalGuard::start().ok() }
}

/// From now on the first Ctrl-C only sets this; the second ends the process, as do other signals.
pub(crate) fn set_listener(is_set: Arc<AtomicBool>) {
    clean_up_on_signal();
    *listener() = Listener::Command(is_set);
}

/// While it lives, Ctrl-C ends the process also if a listener is set.
#[derive(Debug)]
pub struct ListenerPause {
    listener: Option<Listener>,
}

/// For work that does not check for signals.
pub(crate) fn pause_listener() -> ListenerPause {
    let mut current = listener();
    let is_command = matches!(*current, Listener::Command(_));
    ListenerPause { listener: is_command.then(|| std::mem::replace(&mut *current, Listener::None)) }
}

impl Drop for ListenerPause {
    fn drop(&mut self) {
        if let Some(paused) = self.listener.take() {
            *listener() = paused;
        }
    }
}

/// From now on another part of this process handles signals.
pub(crate) fn leave_to_others() {
    *listener() = Listener::Others;
}

/// Runs this before a signal ends the process.
pub(crate) fn at_exit(last: fn()) {
    let mut all = AT_EXIT.lock().unwrap_or_else(PoisonError::into_inner);
    // What was begun last is undone first.
    all.retain(|known| !std::ptr::fn_addr_eq(*known, last));
    all.insert(0, last);
}

fn listener() -> MutexGuard<'static, Listener> {
    LISTENER.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Listener {
    /// Whether there is a listener for this signal.
    fn covers(&self, signal: i32) -> bool {
        match self {
            Listener::None => false,
            Listener::Command(_) => signal == SIGINT,
            Listener::Others => true,
        }
    }

    /// Notifies the listener of this signal. Returns whether that is all there is to do.
    fn deliver(&self, signal: i32) -> bool {
        match self {
            Listener::None => false,
            Listener::Command(is_set) => signal == SIGINT && !is_set.swap(true, Ordering::SeqCst),
            Listener::Others => true,
        }
    }
}

/// While it lives, a signal is noted instead of ending the process.
pub(in crate::workshop) struct SignalGuard {
    wakes: UnixStream,
    signal: Arc<AtomicUsize>,
    listeners: Vec<SigId>,
    is_counted: bool,
}

impl SignalGuard {
    pub(super) fn start() -> Result<SignalGuard> {
        let (wakes, wake) = UnixStream::pair()?;
        let mut guard =
            SignalGuard { wakes, signal: Arc::default(), listeners: Vec::new(), is_counted: false };
        let handled: Vec<i32> = handled_signals().collect();
        guard_state().register(&handled)?;
        for &signal in &handled {
            let number = usize::try_from(signal).unwrap_or_default();
            guard.listeners.push(flag::register_usize(signal, Arc::clone(&guard.signal), number)?);
            guard.listeners.push(low_level::pipe::register(signal, wake.try_clone()?)?);
        }
        // Last, so that no signal falls between those that end us and those that are noted.
        guard_state().change_count(1);
        guard.is_counted = true;
        Ok(guard)
    }

    /// The signal that arrived, if one did.
    pub(super) fn signal(&self) -> Option<i32> {
        let number = i32::try_from(self.signal.load(Ordering::SeqCst)).unwrap_or_default();
        (number != 0).then_some(number)
    }

    fn take_signal(&self) -> Option<i32> {
        let number = i32::try_from(self.signal.swap(0, Ordering::SeqCst)).unwrap_or_default();
        (number != 0).then_some(number)
    }

    /// Becomes readable when a signal comes.
    pub(super) fn poll_fd(&self) -> PollFd<'_> {
        PollFd::from_borrowed_fd(self.wakes.as_fd(), PollFlags::IN)
    }

    fn end_on_signal(self) {
        let signal = loop {
            // If it is interrupted, the signal is checked all the same.
            poll(&mut [self.poll_fd()], None).ok();
            // Emptied before it is looked at, so that a signal in between wakes us again.
            _ = (&self.wakes).read(&mut [0; 64]);
            match self.take_signal() {
                Some(signal) if !listener().deliver(signal) => break signal,
                _ => {}
            }
        };
        // Other guards end their children first. The lock is held to the end, so that no new ones start.
        let mut watch = guard_state();
        while watch.guards > 1 {
            watch = CHANGED.wait(watch).unwrap_or_else(PoisonError::into_inner);
        }
        // A second signal ends us at once. If that cannot be arranged, cleaning up still ends.
        for again in handled_signals() {
            _ = flag::register_conditional_default(again, Arc::new(AtomicBool::new(true)));
        }
        end(signal);
        drop(watch);
    }
}

/// Ends this process as the signal would have, without leaving anything behind.
fn end(signal: i32) {
    let cleared = scratch::clear();
    run_exit_hooks();
    // If it fails there is no other way to end by the signal.
    _ = low_level::emulate_default_handler(signal);
    drop(cleared);
}

/// Runs the exit hooks, but does not wait long for them: a terminal without a reader blocks.
fn run_exit_hooks() {
    let last = std::mem::take(&mut *AT_EXIT.lock().unwrap_or_else(PoisonError::into_inner));
    let (done, is_done) = mpsc::channel();
    let work = move || {
        last.into_iter().for_each(|last| last());
        // The receiver is gone once the time is over.
        done.send(()).ok();
    };
    if std::thread::Builder::new().spawn(work).is_ok() {
        // Late or not, the process ends now.
        is_done.recv_timeout(EXIT_WAIT).ok();
    }
}

impl Drop for SignalGuard {
    /// Ends the guard, and this process if a signal came meanwhile.
    fn drop(&mut self) {
        if self.is_counted {
            guard_state().change_count(-1);
        }
        if let Some(signal) = self.signal().filter(|signal| !listener().covers(*signal)) {
            end(signal);
        }
        for listener in self.listeners.drain(..) {
            low_level::unregister(listener);
        }
    }
}

impl GuardState {
    /// Makes sure that signals still end us when there is no guard.
    fn register(&mut self, handled: &[i32]) -> Result<()> {
        if self.idle.is_none() {
            let idle = Arc::new(AtomicBool::new(true));
            for &signal in handled {
                flag::register_conditional_default(signal, Arc::clone(&idle))?;
            }
            self.idle = Some(idle);
        }
        Ok(())
    }

    fn change_count(&mut self, more: isize) {
        self.guards = self.guards.saturating_add_signed(more);
        if let Some(idle) = &self.idle {
            idle.store(self.guards == 0, Ordering::SeqCst);
        }
        CHANGED.notify_all();
    }
}

/// Has the limit of a file's size be an error of what is being done.
pub(crate) fn survive_file_size() {
    survive(SIGXFSZ);
}

/// The same for the limit of time.
pub(crate) fn survive_time() {
    survive(SIGXCPU);
}

fn survive(signal: i32) {
    // If it fails, the signal ends the process, which clients take for a failed gate.
    drop(flag::register(signal, Arc::new(AtomicBool::new(false))));
}

/// The signals that would end us. Some may be ignored on purpose, as `nohup` does.
fn handled_signals() -> impl Iterator<Item = i32> {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let ignored = ignored.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).unwrap_or_default();
    END_SIGNALS.into_iter().filter(move |signal| (ignored >> (signal - 1)) & 1 == 0)
}

fn guard_state() -> MutexGuard<'static, GuardState> {
    GUARD_STATE.lock().unwrap_or_else(PoisonError::into_inner)
}
