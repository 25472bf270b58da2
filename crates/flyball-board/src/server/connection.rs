//! Connections with limits: on their number, and on how long one may be idle or slow.

use std::io;
use std::net::SocketAddr;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use axum::serve::Listener;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::{Instant, Sleep, sleep};

/// How many there may be; the next one waits until one ends.
const MOST: usize = 512;
/// How long nothing may be sent to it. A stream of events sends something more often.
const IDLE_TIMEOUT: Duration = Duration::from_secs(30);
/// How long to wait after the system refused a connection, as when there are too many open files.
const AFTER_FAILURE: Duration = Duration::from_millis(200);

/// Accepts connections within the limits.
pub(super) struct LimitedListener {
    listener: TcpListener,
    free: Arc<Semaphore>,
}

impl LimitedListener {
    pub(super) fn new(listener: TcpListener) -> LimitedListener {
        LimitedListener { listener, free: Arc::new(Semaphore::new(MOST)) }
    }
}

impl Listener for LimitedListener {
    type Io = Connection;
    type Addr = SocketAddr;

    async fn accept(&mut self) -> (Connection, SocketAddr) {
        // Before the connection is accepted: those that wait cost the system a queue entry, and us nothing.
        let place = Arc::clone(&self.free).acquire_owned().await.ok();
        loop {
            match self.listener.accept().await {
                Ok((stream, address)) => {
                    // Events are small and must not wait for the next one.
                    // If it cannot be set, they are only a little late.
                    drop(stream.set_nodelay(true));
                    return (Connection::new(stream, place), address);
                }
                // Without a pause, too many open files would become a busy loop.
                Err(_) => tokio::time::sleep(AFTER_FAILURE).await,
            }
        }
    }

    fn local_addr(&self) -> io::Result<SocketAddr> {
        self.listener.local_addr()
    }
}

/// A connection that ends if its other side sends a request too slowly, does not read the answer, or has
/// nothing to ask.
pub(super) struct Connection {
    stream: TcpStream,
    deadline: Pin<Box<Sleep>>,
    /// Whether a request has begun since the last answer.
    is_asking: bool,
    _place: Option<OwnedSemaphorePermit>,
}

impl Connection {
    fn new(stream: TcpStream, place: Option<OwnedSemaphorePermit>) -> Connection {
        Connection { stream, deadline: Box::pin(sleep(IDLE_TIMEOUT)), is_asking: false, _place: place }
    }

    fn extend(&mut self) {
        self.deadline.as_mut().reset(Instant::now() + IDLE_TIMEOUT);
    }

    /// What is not ready is late once the time is up.
    fn unless_late<T>(&mut self, context: &mut Context<'_>) -> Poll<io::Result<T>> {
        match self.deadline.as_mut().poll(context) {
            Poll::Ready(()) => Poll::Ready(Err(io::ErrorKind::TimedOut.into())),
            Poll::Pending => Poll::Pending,
        }
    }
}

impl AsyncRead for Connection {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let before = buffer.filled().len();
        match Pin::new(&mut self.stream).poll_read(context, buffer) {
            Poll::Ready(read) => {
                // Only the first bytes of a request give it time: else it could be sent one by one for ever.
                if buffer.filled().len() > before && !self.is_asking {
                    self.is_asking = true;
                    self.extend();
                }
                Poll::Ready(read)
            }
            Poll::Pending => self.unless_late(context),
        }
    }
}

impl AsyncWrite for Connection {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        match Pin::new(&mut self.stream).poll_write(context, bytes) {
            Poll::Ready(written) => {
                // An answer has begun, so that the next bytes are a new request with time of its own.
                self.is_asking = false;
                self.extend();
                Poll::Ready(written)
            }
            Poll::Pending => self.unless_late(context),
        }
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }
}
