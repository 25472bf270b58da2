//! The server, asked over real sockets.

use std::io::{Read, Write};

use crate::support::http::{Response, connect, request, send};
use crate::support::{Served, TOKEN};

const CONTENT_SECURITY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; \
    connect-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'";

impl Served {
    fn ask(&self, line: &str, headers: &[&str]) -> Response {
        let host = format!("Host: {}", self.address);
        let all: Vec<&str> = [host.as_str()].into_iter().chain(headers.iter().copied()).collect();
        request(self.address, line, &all)
    }

    fn cookie(&self) -> String {
        format!("flyball_{}={TOKEN}", self.address.port())
    }
}

#[test]
fn the_link_becomes_a_cookie_and_an_address_without_the_token() {
    let served = Served::new();
    let answer = served.ask(&format!("GET /events?verdict=deny&token={TOKEN}"), &[]);
    assert_eq!((answer.status, answer.body.as_str()), (303, ""));
    assert_eq!(answer.header("location"), "/events?verdict=deny");
    assert_eq!(
        answer.header("set-cookie"),
        format!("{}; Path=/; HttpOnly; SameSite=Strict", served.cookie())
    );
    assert_eq!(answer.header("referrer-policy"), "no-referrer");
    assert_eq!(answer.header("cache-control"), "no-store");
    let page = served.ask("GET /events?verdict=deny", &[&format!("Cookie: a=b; {}", served.cookie())]);
    assert_eq!(page.status, 200);
    assert!(page.body.starts_with("<!DOCTYPE html>"), "{}", page.body);
}

#[test]
fn without_the_token_there_is_only_where_to_find_it() {
    let served = Served::new();
    let wrong = format!("GET /?token={}", TOKEN.replace('0', "1"));
    let cookie = served.cookie().replace('0', "1");
    for (line, header) in [
        ("GET /", "X: y"),
        ("GET /events", "Cookie: flyball=x"),
        ("GET /live", "X: y"),
        ("GET /nowhere", "X: y"),
        (wrong.as_str(), "X: y"),
        ("GET /", &format!("Cookie: {cookie}")),
        ("GET /", "Authorization: Bearer x"),
    ] {
        let answer = served.ask(line, &[header]);
        assert_eq!(answer.status, 401, "{line} {header}");
        assert!(
            answer.body.contains("Open the link that <code>flyball dash</code> printed"),
            "{}",
            answer.body
        );
        assert_eq!(answer.header("set-cookie"), "");
        assert!(!answer.body.contains(TOKEN));
    }
}

#[test]
fn anyone_may_know_that_there_is_a_board_and_nothing_more() {
    let served = Served::new();
    let answer = served.ask("GET /healthz", &[]);
    assert_eq!((answer.status, answer.body.as_str()), (200, "ok\n"));
    assert_eq!(served.ask("GET /assets/board.css", &[]).status, 200);
    assert_eq!(served.ask("GET /assets/../../etc/passwd", &[]).status, 404);
}

#[test]
fn every_answer_forbids_what_browsers_would_allow() {
    let served = Served::new();
    let bearer = format!("Authorization: Bearer {TOKEN}");
    for (line, status) in [
        ("GET /", 200),
        ("HEAD /events", 200),
        ("GET /nowhere", 404),
        ("GET /events/nosuchid", 404),
        ("POST /", 405),
        ("GET /assets/board.js", 200),
        ("GET /healthz", 200),
    ] {
        let answer = served.ask(line, &[&bearer]);
        assert_eq!(answer.status, status, "{line}");
        let sent = [
            ("content-security-policy", CONTENT_SECURITY),
            ("referrer-policy", "no-referrer"),
            ("x-content-type-options", "nosniff"),
            ("cross-origin-opener-policy", "same-origin"),
            ("cross-origin-resource-policy", "same-origin"),
        ];
        for (name, value) in sent {
            assert_eq!(answer.header(name), value, "{line} {name}");
        }
        assert!(answer.header("permissions-policy").contains("camera=()"), "{line}");
        assert_eq!(answer.header("server"), "", "{line}");
    }
    assert_eq!(served.ask("GET /", &[]).header("content-security-policy"), CONTENT_SECURITY);
}

#[test]
fn requests_for_other_hosts_are_refused_even_with_the_token() {
    let served = Served::new();
    let (address, port) = (served.address, served.address.port());
    let bearer = format!("Authorization: Bearer {TOKEN}");
    for (host, status) in [
        (format!("Host: 127.0.0.1:{port}"), 200),
        (format!("Host: localhost:{port}"), 200),
        (format!("Host: [::1]:{port}"), 200),
        (format!("Host: evil.example:{port}"), 421),
        ("Host: 127.0.0.1".to_owned(), 421),
        ("Host: 127.0.0.1:1".to_owned(), 421),
        (format!("Host: localhost:{port}\r\nHost: evil.example"), 421),
        ("X: y".to_owned(), 421),
    ] {
        assert_eq!(request(address, "GET /", &[&host, &bearer]).status, status, "{host}");
    }
    let absolute =
        request(address, "GET http://evil.example/", &[&format!("Host: localhost:{port}"), &bearer]);
    assert_eq!(absolute.status, 421);
}

#[test]
fn requests_of_other_sites_are_refused_even_with_the_cookie() {
    let served = Served::new();
    let cookie = format!("Cookie: {}", served.cookie());
    for (header, status) in [
        ("Origin: http://evil.example", 403),
        ("Origin: null", 403),
        ("Origin: http://127.0.0.1:1", 403),
        ("Sec-Fetch-Site: cross-site\r\nSec-Fetch-Mode: no-cors\r\nSec-Fetch-Dest: image", 403),
        ("Sec-Fetch-Site: same-site\r\nSec-Fetch-Mode: cors\r\nSec-Fetch-Dest: empty", 403),
        ("Sec-Fetch-Site: cross-site\r\nSec-Fetch-Mode: navigate\r\nSec-Fetch-Dest: iframe", 403),
        ("Sec-Fetch-Site: cross-site\r\nSec-Fetch-Mode: navigate\r\nSec-Fetch-Dest: document", 200),
        ("Sec-Fetch-Site: same-origin\r\nSec-Fetch-Mode: cors\r\nSec-Fetch-Dest: empty", 200),
        ("Sec-Fetch-Site: none\r\nSec-Fetch-Mode: navigate\r\nSec-Fetch-Dest: document", 200),
    ] {
        assert_eq!(served.ask("GET /", &[&cookie, header]).status, status, "{header}");
    }
    let own = format!("Origin: http://{}", served.address);
    assert_eq!(served.ask("GET /", &[&cookie, &own]).status, 200);
}

#[test]
fn nothing_can_be_changed() {
    let served = Served::new();
    let bearer = format!("Authorization: Bearer {TOKEN}");
    for method in ["POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "BREW"] {
        let answer = served.ask(&format!("{method} /events"), &[&bearer, "Content-Length: 2"]);
        assert_eq!((answer.status, answer.header("allow")), (405, "GET, HEAD"), "{method}");
    }
    let head = served.ask("HEAD /events", &[&bearer]);
    assert_eq!((head.status, head.body.as_str()), (200, ""));
    assert_ne!(head.header("content-length"), "0");
    assert_eq!(served.ask("HEAD /live", &[&bearer]).body, "");
}

#[test]
fn files_are_kept_by_browsers_and_pages_are_not() {
    let served = Served::new();
    let css = served.ask("GET /assets/board.css", &[]);
    assert_eq!(css.header("content-type"), "text/css; charset=utf-8");
    assert_eq!(css.header("cache-control"), "no-cache");
    assert_eq!(css.body, flyball_board::document::STYLES);
    let tag = css.header("etag");
    let known = served.ask("GET /assets/board.css", &[&format!("If-None-Match: \"x\", W/{tag}")]);
    assert_eq!((known.status, known.body.as_str(), known.header("etag")), (304, "", tag));
    let versioned = served.ask(&format!("GET {}", flyball_board::asset("board.css")), &[]);
    assert_eq!(versioned.header("cache-control"), "public, max-age=31536000, immutable");
    let outdated = served.ask("GET /assets/board.css?v=0", &[]);
    assert_eq!(outdated.header("cache-control"), "no-cache");
    for (path, kind) in [
        ("/assets/board.js", "text/javascript; charset=utf-8"),
        ("/assets/theme.js", "text/javascript; charset=utf-8"),
        ("/assets/icon.svg", "image/svg+xml"),
        ("/favicon.ico", "image/svg+xml"),
    ] {
        let answer = served.ask(&format!("GET {path}"), &[]);
        assert_eq!((answer.status, answer.header("content-type")), (200, kind), "{path}");
    }
    assert_eq!(served.get("/").header("cache-control"), "no-store");
}

#[test]
fn all_pages_load_their_files_from_here() {
    let served = Served::new();
    let page = served.get("/").body;
    let addresses = page.split(['"']).filter(|text| text.starts_with("/assets/"));
    let answers: Vec<(&str, u16)> =
        addresses.map(|path| (path, served.ask(&format!("GET {path}"), &[]).status)).collect();
    assert!(answers.len() >= 3 && answers.iter().all(|(_, status)| *status == 200), "{answers:?}");
}

#[test]
fn only_the_inside_of_main_is_sent_to_the_script() {
    let served = Served::new();
    for (path, status) in [("/", 200), ("/sessions", 200), ("/events/nosuchid", 404), ("/nowhere", 404)] {
        let whole = served.get(path);
        let bearer = format!("Authorization: Bearer {TOKEN}");
        let part = served.ask(&format!("GET {path}"), &[&bearer, "X-Flyball-Part: main"]);
        assert_eq!((whole.status, part.status), (status, status), "{path}");
        assert!(!part.body.contains("<main") && !part.body.contains("<html"), "{}", part.body);
        assert!(whole.body.contains("</html>") && whole.body.contains("href=\"/\""), "{}", whole.body);
    }
}

#[test]
fn hostile_addresses_lead_nowhere() {
    let served = Served::new();
    let long = format!("/events?q={}", "a".repeat(9_000));
    let longer = format!("/{}", "a".repeat(70_000));
    let many = format!("/events?{}", "q=1&".repeat(1_000));
    for (path, expected) in [
        ("/../../etc/passwd", 404),
        ("/%2e%2e/%2e%2e/etc/passwd", 404),
        ("/events/..%2f..%2fetc%2fpasswd", 404),
        ("/events/%00", 404),
        ("/events/%ff%fe", 404),
        ("/events?q=%00%ff%f0%9f&tool=%27%20OR%201=1--", 200),
        ("/events?before=99999999999999999999999&range=x&verdict=%3Cscript%3E", 200),
        ("/events?q=%25%25%5f%5c", 200),
        ("/%3Cscript%3Ealert(1)%3C%2Fscript%3E", 404),
        ("//evil.example/", 404),
        (&many, 200),
        (&long, 414),
        (&longer, 414),
    ] {
        let answer = served.get(path);
        let short: String = path.chars().take(60).collect();
        assert_eq!(answer.status, expected, "{short}");
        assert!(!answer.body.contains("<script>"), "{short}");
    }
    let header = format!("X: {}", "y".repeat(40_000));
    assert_eq!(served.ask("GET /", &[&header]).status, 431);
    let headers: Vec<String> = (0..200).map(|number| format!("X-{number}: y")).collect();
    let headers: Vec<&str> = headers.iter().map(String::as_str).collect();
    assert_eq!(served.ask("GET /", &headers).status, 431);
    assert_eq!(send(served.address, b"\x16\x03\x01 what\r\n\r\n").status, 400);
    assert_eq!(served.get("/").status, 200);
}

#[test]
fn two_hundred_requests_at_once_are_all_answered() {
    let served = Served::new();
    for number in 0..50 {
        served.record("s", number, "silent");
    }
    let expected = served.get("/events").status;
    std::thread::scope(|scope| {
        let all: Vec<_> = (0..200)
            .map(|number| {
                let served = &served;
                let path = ["/", "/sessions", "/events", "/policies", "/tasks"][number % 5];
                scope.spawn(move || served.get(path).status)
            })
            .collect();
        for answer in all {
            assert_eq!(answer.join().unwrap(), expected);
        }
    });
    assert_eq!(expected, 200);
}

#[test]
fn a_connection_is_used_again() {
    let served = Served::new();
    let mut stream = connect(served.address);
    let line = format!("GET /healthz HTTP/1.1\r\nHost: {}\r\n\r\n", served.address);
    for _ in 0..3 {
        stream.write_all(line.as_bytes()).unwrap();
        let mut text = String::new();
        while !text.ends_with("\r\n\r\nok\n") {
            let mut bytes = [0; 256];
            let read = stream.read(&mut bytes).unwrap();
            assert_ne!(read, 0, "{text}");
            text.push_str(std::str::from_utf8(&bytes[..read]).unwrap());
        }
    }
}

#[test]
fn a_damaged_store_has_an_error_page() {
    let served = Served::new();
    std::fs::write(
        served.state().join("flyball.db"),
        "this is not a database, but it is long enough for one".repeat(40),
    )
    .unwrap();
    let answer = served.get("/events");
    assert_eq!(answer.status, 503);
    assert!(answer.body.contains("flyball doctor --repair"), "{}", answer.body);
    std::fs::remove_file(served.state().join("flyball.db")).unwrap();
    assert_eq!(served.get("/events").status, 200);
}

#[test]
fn a_page_shows_what_was_just_recorded_without_any_listener() {
    let served = Served::new();
    served.record("s", 1, "deny");
    let answer = served.get("/events/s000001");
    assert_eq!(answer.status, 200, "{}", answer.body);
}
