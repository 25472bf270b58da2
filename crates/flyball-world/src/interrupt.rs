//! Termination: by Ctrl-C, by the parent process, or by a closing terminal.
//!
//! A command listens from its beginning. When a signal comes, its children are ended, its scratch folders
//! removed, the terminal given back, and it dies by the signal: what it was writing to the store is undone there, and
//! files are written beside their place. One that has something to say at its end listens with an [`Interrupt`].

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
    /// Listens from now on. Where that is not possible, Ctrl-C ends the process as ever.
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

/// For work that does not check for signals: while the answer lives, Ctrl-C ends the process even if
/// there is a listener.
#[must_use]
pub fn pause_listener() -> ListenerPause {
    signals::pause_listener()
}

/// From now on someone else in this process listens for signals, and ends it.
pub fn leave_to_others() {
    signals::leave_to_others();
}

/// Runs this before a signal ends the process. It must not block.
pub fn at_exit(last: fn()) {
    signals::at_exit(last);
}
