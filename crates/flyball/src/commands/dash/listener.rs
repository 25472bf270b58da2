//! Where the board listens.

use std::io::ErrorKind;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, TcpListener};

use crate::outcome::Failed;

/// The same port each time, if it is free, so that bookmarks still work.
const DEFAULT_PORT: u16 = 7177;

/// Listens on the requested port and no other; without one, on the default port or any free one.
pub(super) fn listen(address: IpAddr, port: Option<u16>) -> Result<TcpListener, Failed> {
    let bind = |port| TcpListener::bind(SocketAddr::new(address, port));
    let bound = match port {
        Some(port) => bind(port),
        // Only without --port: who names a port forwards it or has it in a bookmark.
        None => bind(DEFAULT_PORT).or_else(|_| bind(0)),
    };
    bound.map_err(|error| {
        let what =
            format!("cannot listen on {}: {error}", SocketAddr::new(address, port.unwrap_or(DEFAULT_PORT)));
        Failed::new(what, fix_for(error.kind()))
    })
}

fn fix_for(kind: ErrorKind) -> &'static str {
    match kind {
        ErrorKind::AddrInUse => {
            "another program has that port, perhaps another board: leave out --port to use any free one"
        }
        ErrorKind::PermissionDenied => {
            "ports below 1024 are reserved for the system: leave out --port, or name a higher one"
        }
        ErrorKind::AddrNotAvailable => "--listen needs an address of this machine",
        _ => "leave out --port and --listen",
    }
}

/// The address as a browser opens it: `0.0.0.0` and `::` cannot be opened.
pub(super) fn browser_address(address: SocketAddr) -> SocketAddr {
    let ip = match address.ip() {
        IpAddr::V4(ip) if ip.is_unspecified() => IpAddr::V4(Ipv4Addr::LOCALHOST),
        IpAddr::V6(ip) if ip.is_unspecified() => IpAddr::V6(Ipv6Addr::LOCALHOST),
        other => other,
    };
    SocketAddr::new(ip, address.port())
}
