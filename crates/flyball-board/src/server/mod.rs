//! The server: loopback, one token, no writes.

mod answer;
mod assets;
mod connection;
mod gate;
mod headers;
mod indexes;
mod intake;
mod interrupt;
mod live;
mod news;

pub use assets::asset;

use std::net::{SocketAddr, TcpListener};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::extract::State;
use axum::http::StatusCode;
use axum::http::request::Parts;
use axum::response::Response;
use flyball_core::config::StoreSettings;
use flyball_store::Store;
use jiff::Zoned;
use tokio::sync::{Semaphore, watch};

use self::answer::Part;
use self::assets::Asset;
use self::connection::LimitedListener;
use self::gate::{Gate, Pass};
use self::indexes::OpenIndexes;
use self::intake::Intake;
use self::interrupt::Interrupt;
use self::live::Live;
use crate::page::{PageContext, render};
use crate::route::Request;
use crate::view_source::ViewSource;

/// How many pages are made at a time: more would only wait for each other's disk and cores.
const PAGES_AT_A_TIME: usize = 4;
/// How long connections have to end once the board is to be closed.
const GRACE: Duration = Duration::from_secs(2);

pub struct Board {
    /// The state directory that the store is in.
    pub state: PathBuf,
    /// What is stored of events, for folding.
    pub settings: StoreSettings,
    /// What the store does not know.
    pub views: Arc<dyn ViewSource>,
}

/// Where it is served, and to whom.
#[derive(Clone, Debug)]
pub struct Address {
    pub listen: SocketAddr,
    /// What a browser has to know to be let in.
    pub token: String,
}

/// Why the board cannot be served.
#[derive(Debug, thiserror::Error)]
pub enum BoardError {
    /// The address is taken, or not ours.
    #[error("cannot listen on {address}: {source}")]
    Listen { address: SocketAddr, source: std::io::Error },
    #[error("the server failed: {0}")]
    Runtime(#[from] std::io::Error),
}

/// Serves the board until it is interrupted. `ready` gets the address once it can be opened.
///
/// # Errors
/// When it cannot listen there.
pub fn serve(board: Board, address: &Address, ready: impl FnOnce(SocketAddr)) -> Result<(), BoardError> {
    let listen = address.listen;
    let listener =
        TcpListener::bind(listen).map_err(|source| BoardError::Listen { address: listen, source })?;
    serve_on(board, (listener, &address.token), ready)
}

/// The same with a socket that listens already.
///
/// # Errors
/// When the runtime does not start.
pub fn serve_on(
    board: Board,
    (listener, token): (TcpListener, &str),
    ready: impl FnOnce(SocketAddr),
) -> Result<(), BoardError> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let served = runtime.block_on(async {
        listener.set_nonblocking(true)?;
        let address = listener.local_addr()?;
        let listener = tokio::net::TcpListener::from_std(listener)?;
        // Before anyone knows of us: from here on an interruption ends the board cleanly.
        let interrupt = Interrupt::listen()?;
        ready(address);
        run(Shared::new(board, Gate::new(address, token)), listener, interrupt).await;
        Ok(())
    });
    // A page that is still being made is not waited for: it changes nothing.
    runtime.shutdown_background();
    served
}

async fn run(shared: Arc<Shared>, listener: tokio::net::TcpListener, interrupt: Interrupt) {
    let live = Arc::clone(&shared.live);
    drop(tokio::spawn(Arc::clone(&live).watch()));
    let (closing, mut closed) = watch::channel(false);
    let app = Router::new().fallback(handle).with_state(shared);
    let ended = async move { drop(closed.wait_for(|closed| *closed).await) };
    let serving = axum::serve(LimitedListener::new(listener), app).with_graceful_shutdown(ended);
    let serving = tokio::spawn(serving.into_future());
    interrupt.wait().await;
    // Before the connections are closed, so that open pages show why.
    live.close();
    closing.send_replace(true);
    // Connections that are still open then are cut off.
    drop(tokio::time::timeout(GRACE, serving).await);
}

/// What all answers are made from.
struct Shared {
    gate: Gate,
    views: Arc<dyn ViewSource>,
    indexes: Arc<OpenIndexes>,
    intake: Arc<Intake>,
    live: Arc<Live>,
    pages: Semaphore,
}

impl Shared {
    fn new(board: Board, gate: Gate) -> Arc<Shared> {
        let store = Store::at(&board.state);
        let indexes = Arc::new(OpenIndexes::new(&store));
        let intake = Arc::new(Intake::new(&store, board.settings));
        let live = Live::new(&indexes, &intake);
        Arc::new(Shared {
            gate,
            views: board.views,
            indexes,
            intake,
            live,
            pages: Semaphore::new(PAGES_AT_A_TIME),
        })
    }
}

async fn handle(State(shared): State<Arc<Shared>>, request: axum::extract::Request) -> Response {
    // The body is never read: nothing can be written here.
    let (parts, _body) = request.into_parts();
    let answer = match shared.gate.admit(&parts) {
        Err(refusal) => answer::refused(&refusal, &parts.method),
        Ok(Pass::Welcome(onward)) => answer::redirect_with_cookie(&onward, &shared.gate.cookie()),
        Ok(Pass::Public) => handle_public(&parts),
        Ok(Pass::Known) => handle_authenticated(&shared, &parts).await,
    };
    answer::with_default_headers(answer)
}

fn handle_public(parts: &Parts) -> Response {
    if parts.uri.path() == "/healthz" {
        return answer::plain(StatusCode::OK, "ok\n");
    }
    match Asset::at(parts.uri.path()) {
        Some(asset) => asset.answer(parts.uri.query(), &parts.headers),
        None => answer::plain(StatusCode::NOT_FOUND, "no such file\n"),
    }
}

async fn handle_authenticated(shared: &Arc<Shared>, parts: &Parts) -> Response {
    let part = match parts.headers.get("x-flyball-part") {
        Some(value) if value == "main" => Part::Main,
        Some(_) | None => Part::Whole,
    };
    let (path, query) = (parts.uri.path(), parts.uri.query());
    if path == "/live" {
        return match parts.method {
            // A stream has no end, and a HEAD request would take one of its places.
            axum::http::Method::HEAD => answer::plain(StatusCode::OK, ""),
            _ => shared.live.answer(query, &parts.headers),
        };
    }
    match Request::parse(path, query) {
        Some(request) => page(shared, request, part).await,
        None => answer::not_found(path, part),
    }
}

async fn page(shared: &Arc<Shared>, request: Request, part: Part) -> Response {
    let Ok(_turn) = shared.pages.acquire().await else { return answer::broken() };
    let shared = Arc::clone(shared);
    // SQLite blocks, and the one thread of the runtime has to serve the streams.
    let made = tokio::task::spawn_blocking(move || {
        // While the journals are watched, the index is up to date. If refreshing fails, the page shows what the
        // index has.
        if !shared.live.is_watching() {
            drop(shared.intake.refresh());
        }
        let now = Zoned::now();
        let made = shared.indexes.with(|index| {
            let context = PageContext { index, views: &*shared.views, request: &request, now: &now };
            render(&context)
        });
        answer::page(made, &request, part)
    });
    made.await.unwrap_or_else(|_| answer::broken())
}
