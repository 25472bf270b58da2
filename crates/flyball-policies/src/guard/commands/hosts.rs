//! Addresses: whose machine they lead to.

use std::net::Ipv4Addr;

use flyball_core::text::Words;

/// An address that only this machine reaches; `0.0.0.0` is every address of it.
pub(super) fn is_local_address(address: &str) -> bool {
    address != "0.0.0.0" && is_local(address)
}

/// Addresses from which the machines of a cloud get their credentials.
const CLOUD_CREDENTIALS: Words = Words(
    "169.254.169.254|metadata.google.internal|169.254.170.2|100.100.100.200|fd00:ec2::254|fd20:ce::254",
);

/// Whether an address gives the machines of a cloud their credentials.
pub(super) fn gives_cloud_credentials(address: &str) -> bool {
    CLOUD_CREDENTIALS.contains(host(address))
}

/// The host of an address: `https://user@host:1/x`, `user@host:path`, `host`.
pub(super) fn host(address: &str) -> &str {
    let rest = address.split_once("://").map_or(address, |(_, rest)| rest);
    let rest = rest.split(['/', '?', '#']).next().unwrap_or(rest);
    // The last `@` ends the user's name: `https://localhost@example.com` leads to example.com.
    let rest = rest.rsplit_once('@').map_or(rest, |(_, host)| host);
    match rest.strip_prefix('[') {
        Some(six) => six.split(']').next().unwrap_or(six),
        None => rest.split(':').next().unwrap_or(rest),
    }
}

pub(super) fn is_local(host: &str) -> bool {
    matches!(host, "localhost" | "::1" | "0.0.0.0" | "host.docker.internal")
        // By its number: `127.0.0.1.example.com` is somebody else's host.
        || host.parse::<Ipv4Addr>().is_ok_and(|address| address.is_loopback())
        || host.ends_with(".localhost")
}
