//! Where the board listens.

use std::io::ErrorKind;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, TcpListener};

use crate::outcome::Failed;

/// The port if it is free: then a bookmark of yesterday still leads somewhere.
const DEFAULT_PORT: u16 = 7177;

/// Listens on a port: on the one that was asked for and no other, else on the usual one or any.
pub(super) fn listen(address: IpAddr, port: Option<u16>) -> Result<TcpListener, Failed> {
    let bind = |port| TcpListener::bind(SocketAddr::new(address, port));
    let bound = match port {
        Some(port) => bind(port),
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
            "another program has that port, perhaps another board: leave out --port and any free one is taken"
        }
        ErrorKind::PermissionDenied => {
            "ports below 1024 are the system's: leave out --port, or name a higher one"
        }
        ErrorKind::AddrNotAvailable => "--listen wants an address of this machine",
        _ => "leave out --port and --listen",
    }
}

/// The address as a browser opens it: one that stands for all addresses is none.
pub(super) fn browser_address(address: SocketAddr) -> SocketAddr {
    let ip = match address.ip() {
        IpAddr::V4(ip) if ip.is_unspecified() => IpAddr::V4(Ipv4Addr::LOCALHOST),
        IpAddr::V6(ip) if ip.is_unspecified() => IpAddr::V6(Ipv6Addr::LOCALHOST),
        other => other,
    };
    SocketAddr::new(ip, address.port())
}
