//! Signals that end the board, from a person at the keyboard or from the system.

use std::io;
#[cfg(unix)]
use std::task::Poll;

#[cfg(unix)]
use tokio::signal::unix::{Signal, SignalKind, signal};

/// The signals that end the board.
#[cfg(unix)]
pub(super) struct Interrupt {
    signals: [Signal; 3],
}

#[cfg(unix)]
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

/// Elsewhere it is Ctrl-C.
#[cfg(not(unix))]
pub(super) struct Interrupt;

#[cfg(not(unix))]
impl Interrupt {
    #[expect(clippy::unnecessary_wraps, reason = "the same as on Unix")]
    pub(super) fn listen() -> io::Result<Interrupt> {
        Ok(Interrupt)
    }

    pub(super) async fn wait(self) {
        // If nobody can listen, the system ends the process by itself.
        if tokio::signal::ctrl_c().await.is_err() {
            std::future::pending::<()>().await;
        }
    }
}
