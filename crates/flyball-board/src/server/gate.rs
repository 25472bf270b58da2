//! Access control. All headers and the address of a request are checked here, before anything is done for it.

use std::net::{IpAddr, SocketAddr};

use axum::http::request::Parts;
use axum::http::uri::Authority;
use axum::http::{HeaderMap, HeaderName, Method, header};

use crate::route::Request;

/// The longest address that a page of ours could have.
const LONGEST_ADDRESS: usize = 8 * 1024;
/// The most that a browser sends about itself, cookies of other programs on this machine included.
const MOST_HEADERS: usize = 32 * 1024;

/// What is refused, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Refusal {
    /// The address is longer than any of ours: 414.
    AddressTooLong,
    /// The headers are larger than any browser's: 431.
    HeadersTooLarge,
    /// It was meant for another host: another site may have pointed its name at us. 421.
    Misdirected,
    /// It comes from another site: 403.
    Foreign,
    /// It wants to change something: 405.
    Method,
    /// It does not know the token: 401.
    Token,
}

/// How a request comes in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Pass {
    /// It may see what anyone may: styles, scripts, whether there is a board.
    Public,
    /// It may see everything.
    Known,
    /// It knows the token from its address: it is given a cookie, and sent on to the address without it.
    Welcome(String),
}

/// Checks every request.
#[derive(Clone, Debug)]
pub(super) struct Gate {
    listen: SocketAddr,
    token: String,
}

impl Gate {
    /// The gate of a board that listens there.
    pub(super) fn new(listen: SocketAddr, token: &str) -> Gate {
        Gate { listen, token: token.to_owned() }
    }

    /// Looks at a request.
    pub(super) fn admit(&self, request: &Parts) -> Result<Pass, Refusal> {
        // Cheap checks first. The token comes last: a foreign site learns nothing about it.
        check_size(request)?;
        self.check_host(request)?;
        self.check_origin(&request.headers)?;
        check_site(&request.headers)?;
        if request.method != Method::GET && request.method != Method::HEAD {
            return Err(Refusal::Method);
        }
        self.check_token(request)
    }

    /// The cookie of a browser that was let in. Cookies ignore ports, so the port is in its name.
    pub(super) fn cookie(&self) -> String {
        format!("{}={}; Path=/; HttpOnly; SameSite=Strict", self.cookie_name(), self.token)
    }

    fn cookie_name(&self) -> String {
        format!("flyball_{}", self.listen.port())
    }

    fn check_host(&self, request: &Parts) -> Result<(), Refusal> {
        // One that cannot be read is one too many as well.
        let hosts = request.headers.get_all(header::HOST).iter();
        let named: Vec<&str> = hosts.map(|host| host.to_str().unwrap_or_default()).collect();
        // Against DNS rebinding: a site that points its own name at us still sends that name.
        let is_ours = matches!(named.as_slice(), [host] if self.is_own(host));
        // A request line can name a host as well, and must not contradict the header.
        let also = request.uri.authority().is_none_or(|authority| self.is_own(authority.as_str()));
        if is_ours && also { Ok(()) } else { Err(Refusal::Misdirected) }
    }

    /// Whether a host is this one. The owner of a name can point it at any address, so of names only
    /// `localhost` is ours; a number cannot.
    fn is_own(&self, host: &str) -> bool {
        let Ok(authority) = host.parse::<Authority>() else { return false };
        // A port that is left out is the one of all web servers.
        if authority.port_u16().unwrap_or(80) != self.listen.port() || host.contains('@') {
            return false;
        }
        let name = authority.host().trim_start_matches('[').trim_end_matches(']');
        if name.eq_ignore_ascii_case("localhost") {
            return true;
        }
        let Ok(address) = name.parse::<IpAddr>() else { return false };
        // If it listens on all addresses, each of them is ours; which ones there are may change.
        address.is_loopback() || address == self.listen.ip() || self.listen.ip().is_unspecified()
    }

    fn check_origin(&self, headers: &HeaderMap) -> Result<(), Refusal> {
        let mut origins = headers.get_all(header::ORIGIN).iter();
        // `null`, which sandboxed frames and files send, is not ours either.
        let is_own = |origin: &str| origin.strip_prefix("http://").is_some_and(|host| self.is_own(host));
        if origins.all(|origin| origin.to_str().is_ok_and(is_own)) { Ok(()) } else { Err(Refusal::Foreign) }
    }

    fn check_token(&self, request: &Parts) -> Result<Pass, Refusal> {
        let path = request.uri.path();
        // The page that asks for the token needs its styles, too.
        if path == "/healthz" || path == "/favicon.ico" || path.starts_with("/assets/") {
            return Ok(Pass::Public);
        }
        let page = Request::parse(path, request.uri.query());
        if let Some(page) = &page
            && let Some(token) = page.value("token")
        {
            // Built from the parsed parts: anything else in the address is dropped.
            let onward = Request {
                route: page.route.clone(),
                values: page.values.clone().into_iter().filter(|(key, _)| key != "token").collect(),
            };
            return if self.knows(token) {
                Ok(Pass::Welcome(onward.to_string()))
            } else {
                Err(Refusal::Token)
            };
        }
        if self.has_cookie(&request.headers) || self.is_bearer(&request.headers) {
            return Ok(Pass::Known);
        }
        Err(Refusal::Token)
    }

    fn has_cookie(&self, headers: &HeaderMap) -> bool {
        let name = self.cookie_name();
        let cookies = headers.get_all(header::COOKIE).iter().filter_map(|line| line.to_str().ok());
        let mut pairs =
            cookies.flat_map(|line| line.split(';')).filter_map(|pair| pair.trim().split_once('='));
        pairs.any(|(key, value)| key == name && self.knows(value))
    }

    fn is_bearer(&self, headers: &HeaderMap) -> bool {
        let value = headers.get(header::AUTHORIZATION).and_then(|value| value.to_str().ok());
        let words = value.and_then(|value| value.split_once(' '));
        words.is_some_and(|(scheme, token)| scheme.eq_ignore_ascii_case("bearer") && self.knows(token.trim()))
    }

    /// Takes as long for a token that is nearly right as for one that is not.
    fn knows(&self, token: &str) -> bool {
        let (own, given) = (self.token.as_bytes(), token.as_bytes());
        let differences = own.iter().zip(given).fold(0, |all, (one, other)| all | (one ^ other));
        // An empty token would let everyone in.
        !own.is_empty() && own.len() == given.len() && std::hint::black_box(differences) == 0
    }
}

fn check_size(request: &Parts) -> Result<(), Refusal> {
    let address = request.uri.path_and_query().map_or(0, |all| all.as_str().len());
    if address > LONGEST_ADDRESS {
        return Err(Refusal::AddressTooLong);
    }
    let headers: usize = request.headers.iter().map(|(name, value)| name.as_str().len() + value.len()).sum();
    if headers > MOST_HEADERS { Err(Refusal::HeadersTooLarge) } else { Ok(()) }
}

/// Other sites may lead a person here, and nothing else. Another port of this machine is another site as
/// well, though browsers call it the same one.
fn check_site(headers: &HeaderMap) -> Result<(), Refusal> {
    let value = |name: &'static str| {
        headers.get(HeaderName::from_static(name)).map(|value| value.to_str().unwrap_or("unreadable"))
    };
    match value("sec-fetch-site") {
        // Programs other than browsers send none; `none` is an address that a person typed.
        None | Some("none" | "same-origin") => Ok(()),
        Some(_)
            if value("sec-fetch-mode") == Some("navigate") && value("sec-fetch-dest") == Some("document") =>
        {
            Ok(())
        }
        Some(_) => Err(Refusal::Foreign),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TOKEN: &str = "0123456789abcdef0123456789abcdef";

    fn admit(listen: &str, address: &str, headers: &[(&str, &str)]) -> Result<Pass, Refusal> {
        let mut request = axum::http::Request::builder().uri(address);
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        let (parts, ()) = request.body(()).unwrap().into_parts();
        Gate::new(listen.parse().unwrap(), TOKEN).admit(&parts)
    }

    #[test]
    fn only_hosts_that_nobody_can_rename_are_ours() {
        let cases = [
            ("127.0.0.1:7177", "127.0.0.1:7177", true),
            ("127.0.0.1:7177", "LocalHost:7177", true),
            ("127.0.0.1:7177", "[::1]:7177", true),
            ("127.0.0.1:7177", "127.0.0.1:7178", false),
            ("127.0.0.1:7177", "127.0.0.1", false),
            ("127.0.0.1:80", "127.0.0.1", true),
            ("127.0.0.1:7177", "localhost.evil.example:7177", false),
            ("127.0.0.1:7177", "evil.example:7177", false),
            ("127.0.0.1:7177", "user@localhost:7177", false),
            ("127.0.0.1:7177", "192.168.1.5:7177", false),
            ("127.0.0.1:7177", "", false),
            ("192.168.1.5:7177", "192.168.1.5:7177", true),
            ("192.168.1.5:7177", "192.168.1.6:7177", false),
            ("0.0.0.0:7177", "192.168.1.6:7177", true),
            ("0.0.0.0:7177", "evil.example:7177", false),
        ];
        for (listen, host, is_ours) in cases {
            let expected = if is_ours { Ok(Pass::Public) } else { Err(Refusal::Misdirected) };
            assert_eq!(admit(listen, "/healthz", &[("host", host)]), expected, "{listen} {host}");
        }
        let twice = [("host", "localhost:7177"), ("host", "evil.example:7177")];
        assert_eq!(admit("127.0.0.1:7177", "/healthz", &twice), Err(Refusal::Misdirected));
        let absolute =
            admit("127.0.0.1:7177", "http://evil.example:7177/healthz", &[("host", "localhost:7177")]);
        assert_eq!(absolute, Err(Refusal::Misdirected));
        let unreadable = axum::http::HeaderValue::from_bytes(b"\xff").unwrap();
        let request = axum::http::Request::builder().uri("/healthz").header("host", "localhost:7177");
        let (parts, ()) = request.header("host", unreadable).body(()).unwrap().into_parts();
        let gate = Gate::new("127.0.0.1:7177".parse().unwrap(), TOKEN);
        assert_eq!(gate.admit(&parts), Err(Refusal::Misdirected));
    }

    #[test]
    fn other_sites_can_only_lead_people_here() {
        let site = |site: &'static str, mode: &'static str, dest: &'static str| {
            [("sec-fetch-site", site), ("sec-fetch-mode", mode), ("sec-fetch-dest", dest)]
        };
        let cases = [
            (site("none", "navigate", "document"), true),
            (site("same-origin", "cors", "empty"), true),
            (site("cross-site", "navigate", "document"), true),
            (site("cross-site", "navigate", "iframe"), false),
            (site("cross-site", "no-cors", "image"), false),
            (site("same-site", "no-cors", "script"), false),
            (site("same-site", "navigate", "document"), true),
            (site("new-word", "cors", "empty"), false),
        ];
        for (headers, is_fine) in cases {
            let all = [&[("host", "localhost:7177")][..], &headers[..]].concat();
            let expected = if is_fine { Ok(Pass::Public) } else { Err(Refusal::Foreign) };
            assert_eq!(admit("127.0.0.1:7177", "/healthz", &all), expected, "{headers:?}");
        }
        for (origin, is_own) in [
            ("http://localhost:7177", true),
            ("http://127.0.0.1:7177", true),
            ("https://localhost:7177", false),
            ("http://localhost:3000", false),
            ("null", false),
            ("http://evil.example", false),
        ] {
            let headers = [("host", "localhost:7177"), ("origin", origin)];
            let expected = if is_own { Ok(Pass::Public) } else { Err(Refusal::Foreign) };
            assert_eq!(admit("127.0.0.1:7177", "/healthz", &headers), expected, "{origin}");
        }
    }

    #[test]
    fn the_token_opens_and_nothing_else_does() {
        let host = ("host", "localhost:7177");
        let cookie = format!("a=b; flyball_7177={TOKEN}; c=d");
        let other_port = format!("flyball_7178={TOKEN}");
        let bearer = format!("bearer {TOKEN}");
        let cases = [
            ("/events", ("x", "y"), Err(Refusal::Token)),
            ("/events", ("cookie", cookie.as_str()), Ok(Pass::Known)),
            ("/nowhere", ("cookie", &cookie), Ok(Pass::Known)),
            ("/events", ("cookie", other_port.as_str()), Err(Refusal::Token)),
            ("/events", ("cookie", "flyball_7177="), Err(Refusal::Token)),
            ("/events", ("cookie", "flyball_7177=0123456789abcdef"), Err(Refusal::Token)),
            ("/events", ("authorization", &bearer), Ok(Pass::Known)),
            ("/events", ("authorization", TOKEN), Err(Refusal::Token)),
            // A cookie does not excuse a wrong token: someone who opens an old link should learn that.
            ("/events?token=wrong", ("cookie", &cookie), Err(Refusal::Token)),
        ];
        for (address, header, expected) in cases {
            assert_eq!(admit("127.0.0.1:7177", address, &[host, header]), expected, "{address} {header:?}");
        }
    }

    #[test]
    fn the_redirect_is_without_the_token_and_stays_here() {
        let onward = |address: &str| admit("127.0.0.1:7177", address, &[("host", "localhost:7177")]);
        let welcome = |address: &str| Ok(Pass::Welcome(address.to_owned()));
        assert_eq!(onward(&format!("/?token={TOKEN}")), welcome("/"));
        assert_eq!(
            onward(&format!("/events?q=a%20b&token={TOKEN}&verdict=deny")),
            welcome("/events?q=a%20b&verdict=deny")
        );
        assert_eq!(onward(&format!("//events?token={TOKEN}")), welcome("/events"));
        assert_eq!(onward(&format!("//evil.example/?token={TOKEN}")), Err(Refusal::Token));
        assert_eq!(onward(&format!("/live?token={TOKEN}")), Err(Refusal::Token));
    }
}
