//! Requests to a small server of ours.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::thread::JoinHandle;
use std::time::Duration;

use flyball_core::policy::PolicyError;
use flyball_core::workshop::{Network, Request, Response};

use crate::workshop::sample::machine;

const SECRET: &str = "sk-secret";

/// A server that answers one request with these bytes and hands over what it was sent.
fn serve(answer: &'static [u8]) -> (Request, JoinHandle<String>) {
    serve_by(move |mut stream| {
        let sent = receive(&stream);
        stream.write_all(answer).unwrap();
        sent
    })
}

fn serve_by(answer: impl FnOnce(TcpStream) -> String + Send + 'static) -> (Request, JoinHandle<String>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}/v1/messages?key={SECRET}", listener.local_addr().unwrap());
    let server = std::thread::spawn(move || answer(listener.accept().unwrap().0));
    (request(url), server)
}

fn request(url: String) -> Request {
    let headers = vec![
        ("content-type".to_owned(), "application/json".to_owned()),
        ("x-api-key".to_owned(), SECRET.to_owned()),
    ];
    Request { url, headers, body: Some("{\"a\":\"ä\"}".to_owned()), timeout: Duration::from_secs(20) }
}

fn receive(stream: &TcpStream) -> String {
    let mut reader = BufReader::new(stream);
    let mut sent = String::new();
    while !sent.ends_with("\r\n\r\n") {
        assert_ne!(reader.read_line(&mut sent).unwrap(), 0);
    }
    let length = sent.to_lowercase().split("content-length: ").nth(1).unwrap_or("0").to_owned();
    let mut body = vec![0; length.lines().next().unwrap().parse().unwrap()];
    reader.read_exact(&mut body).unwrap();
    sent + &String::from_utf8(body).unwrap()
}

fn response(status: u16, body: &str) -> Response {
    Response { status, retry_after: None, body: body.to_owned() }
}

fn what(error: &PolicyError) -> String {
    assert!(!format!("{error:?}").contains(SECRET));
    error.to_string()
}

#[test]
fn a_request_arrives_with_its_headers_and_its_body() {
    let (request, server) = serve(b"HTTP/1.1 200 OK\r\ncontent-length: 4\r\n\r\n\xc3\xa4!\n");
    assert_eq!(machine().post(&request).unwrap(), response(200, "ä!\n"));
    let sent = server.join().unwrap();
    assert!(sent.starts_with(&format!("POST /v1/messages?key={SECRET} HTTP/1.1\r\n")), "{sent}");
    assert!(sent.contains(&format!("\r\nx-api-key: {SECRET}\r\n")), "{sent}");
    assert!(sent.ends_with("\r\n\r\n{\"a\":\"ä\"}"), "{sent}");
}

#[test]
fn what_a_server_refuses_is_an_answer() {
    let (request, _) = serve(b"HTTP/1.1 429 Too Many\r\ncontent-length: 5\r\n\r\nlater");
    assert_eq!(machine().post(&request).unwrap(), response(429, "later"));
    let (request, _) = serve(b"HTTP/1.1 500 Oh\r\ntransfer-encoding: chunked\r\n\r\n2\r\nno\r\n0\r\n\r\n");
    assert_eq!(machine().post(&request).unwrap(), response(500, "no"));
}

#[test]
fn no_key_follows_a_server_that_sends_elsewhere() {
    let (request, _) =
        serve(b"HTTP/1.1 307 Go\r\nlocation: http://127.0.0.1:1/\r\ncontent-length: 0\r\n\r\n");
    assert_eq!(machine().post(&request).unwrap(), response(307, ""));
}

#[test]
fn a_long_answer_is_cut() {
    let (request, server) = serve_by(|mut stream| {
        receive(&stream);
        stream.write_all(b"HTTP/1.1 200 OK\r\ncontent-length: 5000000\r\n\r\n").unwrap();
        // The other end hangs up before all of it is sent.
        drop(stream.write_all(&vec![b'x'; 5_000_000]));
        String::new()
    });
    assert_eq!(machine().post(&request).unwrap(), response(200, &"x".repeat(4 * 1024 * 1024)));
    server.join().unwrap();
}

#[test]
fn a_server_that_hangs_is_given_up_whether_before_or_within_its_answer() {
    for beginning in [&b""[..], b"HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nhalf"] {
        let (request, server) = serve_by(move |mut stream| {
            receive(&stream);
            stream.write_all(beginning).unwrap();
            // Ends when the other end hangs up.
            drop(stream.read(&mut [0]));
            String::new()
        });
        let error = machine().post(&Request { timeout: Duration::from_millis(300), ..request }).unwrap_err();
        assert_eq!(what(&error), "`127.0.0.1` did not answer within 300 ms");
        assert_eq!(error.fix(), "try again later or give it more time in the configuration");
        server.join().unwrap();
    }
}

#[test]
fn no_http_answer_is_an_error_that_names_the_host_and_no_secret() {
    let (garbage, _) = serve(b"\x00\x01 this is no HTTP\r\n\r\n");
    let (short, _) = serve(b"HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nhalf");
    let (nothing, _) = serve(b"");
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let refused = request(format!("http://{}/{SECRET}", listener.local_addr().unwrap()));
    drop(listener);
    let (unencrypted, _) = serve_by(|mut stream| {
        stream.write_all(b"HTTP/1.1 400 No\r\n\r\n").unwrap();
        String::new()
    });
    let encrypted = Request { url: unencrypted.url.replace("http:", "https:"), ..unencrypted };
    for request in [garbage, short, nothing, refused, encrypted] {
        let error = what(&machine().post(&request).unwrap_err());
        assert!(error.starts_with("`127.0.0.1` did not answer: "), "{error}");
    }
    let mut unsendable = request("http://127.0.0.1:1/".to_owned());
    unsendable.headers[1].1.push('\n');
    assert_eq!(
        what(&machine().post(&unsendable).unwrap_err()),
        "`127.0.0.1` was not contacted: its address or a header has characters that are not allowed"
    );
    let nowhere = machine().post(&request(format!("{SECRET} no url"))).unwrap_err();
    assert_eq!(what(&nowhere), "the address of a server is not a valid URL");
}

/// The same request without a body.
fn probe(request: Request) -> Request {
    Request { body: None, ..request }
}

#[test]
fn a_request_without_a_body_is_a_get() {
    let (request, server) = serve(b"HTTP/1.1 200 OK\r\ncontent-length: 13\r\n\r\n{\"models\":[]}");
    assert_eq!(machine().post(&probe(request)).unwrap(), response(200, "{\"models\":[]}"));
    let sent = server.join().unwrap();
    assert!(sent.starts_with(&format!("GET /v1/messages?key={SECRET} HTTP/1.1\r\n")), "{sent}");
    assert!(sent.contains(&format!("\r\nx-api-key: {SECRET}\r\n")), "{sent}");
    assert!(sent.ends_with("\r\n\r\n"), "nothing follows the head: {sent}");
    let (request, _) = serve(b"HTTP/1.1 503 No\r\nretry-after: 3\r\ncontent-length: 4\r\n\r\nlate");
    let busy = Response { retry_after: Some(Duration::from_secs(3)), ..response(503, "late") };
    assert_eq!(machine().post(&probe(request)).unwrap(), busy);
}

#[test]
fn a_probe_that_hangs_is_given_up() {
    let (request, server) = serve_by(|mut stream| {
        let sent = receive(&stream);
        // Ends when the other end hangs up.
        drop(stream.read(&mut [0]));
        sent
    });
    let error =
        machine().post(&Request { timeout: Duration::from_millis(300), ..probe(request) }).unwrap_err();
    assert_eq!(what(&error), "`127.0.0.1` did not answer within 300 ms");
    assert!(server.join().unwrap().starts_with("GET "));
}

#[test]
fn a_probe_of_a_closed_port_is_an_error() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}/{SECRET}", listener.local_addr().unwrap());
    drop(listener);
    let error = what(&machine().post(&probe(request(url))).unwrap_err());
    assert!(error.starts_with("`127.0.0.1` did not answer: "), "{error}");
}
