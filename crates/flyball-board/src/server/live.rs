//! The event stream. The journals are watched only while there are listeners.

use std::convert::Infallible;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use axum::http::{HeaderMap, HeaderName, StatusCode, header};
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{IntoResponse, Response};
use flyball_store::StoreError;
use futures_core::Stream;
use tokio::sync::{OwnedSemaphorePermit, Semaphore, mpsc, watch};
use tokio::time::{Instant, sleep};

use super::indexes::OpenIndexes;
use super::intake::Intake;
use super::news::News;
use super::{answer, headers};

/// How many may listen at a time.
const MOST: usize = 48;
/// How long to wait between two checks of the journals; longer if a check takes long.
const PAUSE: Duration = Duration::from_millis(60);
/// But never longer, so that an event is on the screen within 300 ms.
const LONGEST_PAUSE: Duration = Duration::from_millis(120);
/// Checking may take one part in this many of the time.
const SHARE: u32 = 5;
/// How long to wait after a store could not be read.
const ERROR_PAUSE: Duration = Duration::from_secs(1);
/// How soon a browser reconnects by itself.
const RETRY: Duration = Duration::from_secs(1);
/// How often a sign of life is sent when nothing happens.
const HEARTBEAT: Duration = Duration::from_secs(15);

/// The state that is sent to all listeners.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Head {
    /// The newest row, and how often something was folded by then; unknown before the first check.
    newest: Option<(i64, u64)>,
    /// Why the store cannot be read, and the fix.
    error: Option<(String, String)>,
    /// Whether the board is being closed.
    is_closed: bool,
}

/// The stream, and those who listen.
pub(super) struct Live {
    indexes: Arc<OpenIndexes>,
    intake: Arc<Intake>,
    head: watch::Sender<Head>,
    places: Arc<Semaphore>,
    listeners: watch::Sender<usize>,
}

impl Live {
    pub(super) fn new(indexes: &Arc<OpenIndexes>, intake: &Arc<Intake>) -> Arc<Live> {
        Arc::new(Live {
            indexes: Arc::clone(indexes),
            intake: Arc::clone(intake),
            head: watch::Sender::default(),
            places: Arc::new(Semaphore::new(MOST)),
            listeners: watch::Sender::new(0),
        })
    }

    /// Whether the journals are being watched.
    pub(super) fn is_watching(&self) -> bool {
        *self.listeners.borrow() > 0
    }

    /// Ends all streams with a message.
    pub(super) fn close(&self) {
        self.head.send_modify(|head| head.is_closed = true);
    }

    /// Watches the journals whenever there are listeners. Never ends.
    pub(super) async fn watch(self: Arc<Live>) {
        let mut listeners = self.listeners.subscribe();
        while listeners.wait_for(|many| *many > 0).await.is_ok() {
            let started = Instant::now();
            let is_well = self.look().await;
            let pause = (started.elapsed() * SHARE).clamp(PAUSE, LONGEST_PAUSE);
            sleep(if is_well { pause } else { ERROR_PAUSE }).await;
        }
    }

    /// Checks once, and sends what is new to all listeners.
    async fn look(&self) -> bool {
        let (indexes, intake) = (Arc::clone(&self.indexes), Arc::clone(&self.intake));
        let known = self.head.borrow().newest;
        let look = move || {
            let times = intake.refresh()?;
            match known {
                // Nothing was folded since, so the database need not be asked.
                Some((newest, then)) if then == times => Ok((newest, times)),
                Some(_) | None => {
                    indexes.with(|index| index.arrivals(i64::MAX)).map(|arrivals| (arrivals.newest, times))
                }
            }
        };
        match tokio::task::spawn_blocking(look).await {
            Ok(found) => self.publish(found),
            // It was cancelled, since the server ends.
            Err(_) => true,
        }
    }

    fn publish(&self, found: Result<(i64, u64), StoreError>) -> bool {
        let is_well = found.is_ok();
        self.head.send_if_modified(|head| {
            let before = head.clone();
            match found {
                Ok(newest) => {
                    head.newest = Some(newest);
                    head.error = None;
                }
                Err(error) => {
                    head.error = Some((error.to_string(), error.fix()));
                    // After the store is repaired it is read again, whether the journals changed or not.
                    head.newest = None;
                }
            }
            *head != before
        });
        is_well
    }

    /// Starts a stream for a new listener.
    pub(super) fn answer(self: &Arc<Live>, query: Option<&str>, headers: &HeaderMap) -> Response {
        let Ok(place) = Arc::clone(&self.places).try_acquire_owned() else {
            let words = "too many pages of the board are open: close some\n";
            return answer::plain(StatusCode::SERVICE_UNAVAILABLE, words);
        };
        // One message: a browser that does not read gets the sum of what it missed, not a backlog.
        let (sender, receiver) = mpsc::channel(1);
        let listener = Listener::new(Arc::clone(self), place, sender);
        drop(tokio::spawn(listener.run(start(query, headers))));
        let keep_alive = KeepAlive::new().interval(HEARTBEAT);
        let mut answer = Sse::new(Messages(receiver)).keep_alive(keep_alive).into_response();
        headers::set(&mut answer, header::CACHE_CONTROL, "no-store");
        answer
    }
}

/// The last row that a listener has seen.
fn start(query: Option<&str>, headers: &HeaderMap) -> Option<i64> {
    let named = HeaderName::from_static("last-event-id");
    let header = headers.get(named).and_then(|value| value.to_str().ok());
    let after = query.unwrap_or_default().split('&').find_map(|pair| pair.strip_prefix("after="));
    // The header is of a later moment than the address, which a browser repeats when it asks again.
    header.or(after).and_then(|row| row.parse().ok()).filter(|row| *row >= 0)
}

/// Whether a listener knows that all is well: sent at the beginning, and after an error.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Greeting {
    Due,
    Sent,
}

struct Listener {
    live: Arc<Live>,
    sender: mpsc::Sender<Event>,
    _place: OwnedSemaphorePermit,
}

impl Listener {
    fn new(live: Arc<Live>, place: OwnedSemaphorePermit, sender: mpsc::Sender<Event>) -> Listener {
        live.listeners.send_modify(|many| *many += 1);
        Listener { live, sender, _place: place }
    }

    /// Sends what happened after that row, and what happens from now on.
    async fn run(self, after: Option<i64>) {
        let mut head = self.live.head.subscribe();
        // The first round runs at once and says where to go on from.
        head.mark_changed();
        let mut seen = after;
        let (mut is_first, mut greeting) = (true, Greeting::Due);
        loop {
            let is_gone = self.sender.closed();
            if first_of(is_gone, head.changed()).await != Some(true) {
                return;
            }
            let now = head.borrow_and_update().clone();
            let message = match now {
                Head { is_closed: true, .. } => Some(Event::default().event("closed").data("{}")),
                Head { error: Some(error), .. } => {
                    greeting = Greeting::Due;
                    Some(error_event(&error))
                }
                Head { newest: None, .. } => None,
                Head { .. } => self.news(&mut seen, &mut greeting).await,
            };
            let Some(message) = message else { continue };
            let message = if is_first { message.retry(RETRY) } else { message };
            is_first = false;
            if self.sender.send(message).await.is_err() || now_closed(&head) {
                return;
            }
        }
    }

    /// What happened since `seen`, which it moves on; `None` if nothing is new.
    async fn news(&self, seen: &mut Option<i64>, greeting: &mut Greeting) -> Option<Event> {
        let indexes = Arc::clone(&self.live.indexes);
        let after = *seen;
        let read = move || indexes.with(|index| News::after(index, after));
        let news = match tokio::task::spawn_blocking(read).await.ok()? {
            Ok(news) => news,
            Err(error) => return Some(error_event(&(error.to_string(), error.fix()))),
        };
        *seen = Some(news.row);
        let greeting = std::mem::replace(greeting, Greeting::Sent);
        let event = Event::default().id(news.row.to_string());
        let event = match greeting {
            _ if news.events > 0 => event,
            Greeting::Due => event.event("hello"),
            // Without events, but the page has to be loaded again: its rows are those of another index.
            Greeting::Sent if news.is_reset => event,
            Greeting::Sent => return None,
        };
        serde_json::to_string(&news).ok().map(|json| event.data(json))
    }
}

impl Drop for Listener {
    fn drop(&mut self) {
        self.live.listeners.send_modify(|many| *many = many.saturating_sub(1));
    }
}

fn now_closed(head: &watch::Receiver<Head>) -> bool {
    head.borrow().is_closed
}

fn error_event((what, fix): &(String, String)) -> Event {
    let data = serde_json::json!({ "what": what, "way_out": fix });
    Event::default().event("failure").data(data.to_string())
}

/// Waits for the second, and gives up when the first is there: `Some(true)` if the second came well.
async fn first_of<T, E>(
    gone: impl Future<Output = ()>,
    changed: impl Future<Output = Result<T, E>>,
) -> Option<bool> {
    let (mut gone, mut changed) = (std::pin::pin!(gone), std::pin::pin!(changed));
    std::future::poll_fn(|context| {
        if gone.as_mut().poll(context).is_ready() {
            return Poll::Ready(None);
        }
        changed.as_mut().poll(context).map(|changed| Some(changed.is_ok()))
    })
    .await
}

/// Messages as a stream; it ends when the last sender is dropped.
struct Messages(mpsc::Receiver<Event>);

impl Stream for Messages {
    type Item = Result<Event, Infallible>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        self.0.poll_recv(context).map(|event| event.map(Ok))
    }
}
