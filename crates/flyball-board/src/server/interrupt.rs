//! Signals that end the board, from a person at the keyboard or from the system.

use std::io;
use std::task::Poll;

use tokio::signal::unix::{Signal, SignalKind, signal};

/// The signals that end the board.
pub(super) struct Interrupt {
    signals: [Signal; 3],
}

impl Interrupt {
    /// From here on these signals no longer end the process by themselves.
    pub(super) fn listen() -> io::Result<Interrupt> {
        let signals = [
            signal(SignalKind::interrupt())?,
            signal(SignalKind::terminate())?,
            signal(SignalKind::hangup())?,
        ];
        Ok(Interrupt { signals })
    }

    pub(super) async fn wait(mut self) {
        std::future::poll_fn(|context| {
            let came = self.signals.iter_mut().any(|signal| signal.poll_recv(context).is_ready());
            if came { Poll::Ready(()) } else { Poll::Pending }
        })
        .await;
    }
}
