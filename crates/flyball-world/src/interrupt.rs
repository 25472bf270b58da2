//! Termination: by Ctrl-C, by the parent process, or by a closing terminal.
//!
//! A command listens from its beginning. When a signal comes, its children are ended, its scratch folders
//! removed, the terminal restored, and it dies by the signal: a transaction of the store is rolled back, and
//! files are replaced whole or not at all. A command that prints something at its end listens with an [`Interrupt`].

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::workshop::signals;
pub use crate::workshop::signals::{ListenerPause, clean_up_on_signal};

/// Whether the user pressed Ctrl-C. The second time ends the process at once.
#[derive(Clone, Debug, Default)]
pub struct Interrupt {
    is_set: Arc<AtomicBool>,
}

impl Interrupt {
    /// Listens from now on. Where that is not possible, Ctrl-C ends the process as usual.
    #[must_use]
    pub fn listen() -> Interrupt {
        let interrupt = Interrupt::default();
        signals::set_listener(Arc::clone(&interrupt.is_set));
        interrupt
    }

    #[must_use]
    pub fn is_set(&self) -> bool {
        self.is_set.load(Ordering::SeqCst)
    }
}

/// For work that does not check for signals: while the returned value lives, Ctrl-C ends the process even if
/// there is a listener.
#[must_use]
pub fn pause_listener() -> ListenerPause {
    signals::pause_listener()
}

/// From now on another part of this process listens for signals, and ends it.
pub fn leave_to_others() {
    signals::leave_to_others();
}

/// Runs this before a signal ends the process. It must not block.
pub fn at_exit(last: fn()) {
    signals::at_exit(last);
}
