//! A browser reduced to its socket: every byte that is sent is written by the test.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::time::{Duration, Instant};

use serde_json::Value;

/// Longer than anything here takes on a busy machine.
pub const TIMEOUT: Duration = Duration::from_secs(60);

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Response {
    pub status: u16,
    /// Names in lower case, and values.
    pub headers: Vec<(String, String)>,
    pub body: String,
}

impl Response {
    /// The value of a header; empty if it is not there.
    pub fn header(&self, name: &str) -> &str {
        self.headers.iter().find(|(key, _)| key == name).map_or("", |(_, value)| value)
    }
}

/// Sends bytes, and reads until the other side is done.
pub fn send(address: SocketAddr, bytes: &[u8]) -> Response {
    let mut stream = connect(address);
    // The server may answer and close before all of it is sent.
    drop(stream.write_all(bytes));
    let mut reader = BufReader::new(stream);
    let (status, headers) = head(&mut reader);
    let is_chunked = headers.iter().any(|(key, value)| key == "transfer-encoding" && value == "chunked");
    let mut body = Vec::new();
    if is_chunked {
        while let Some(chunk) = chunk(&mut reader) {
            body.extend(chunk);
        }
    } else {
        // A connection that is reset has no more of it.
        drop(reader.read_to_end(&mut body));
    }
    Response { status, headers, body: String::from_utf8(body).unwrap() }
}

/// A request with these lines of headers, `Host` included if there is to be one.
pub fn request(address: SocketAddr, line: &str, headers: &[&str]) -> Response {
    let headers: String = headers.iter().map(|header| format!("{header}\r\n")).collect();
    send(address, format!("{line} HTTP/1.1\r\n{headers}Connection: close\r\n\r\n").as_bytes())
}

/// A page, as a browser that has the token asks for it.
pub fn get(address: SocketAddr, path: &str, token: &str) -> Response {
    request(
        address,
        &format!("GET {path}"),
        &[&format!("Host: {address}"), &format!("Authorization: Bearer {token}")],
    )
}

/// One message of the stream.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Message {
    /// `id:`
    pub id: String,
    /// `event:`
    pub event: String,
    /// `data:`, which is JSON.
    pub data: Value,
    /// `retry:`
    pub retry: String,
}

/// An open stream of events.
pub struct Events {
    reader: BufReader<TcpStream>,
    text: String,
}

impl Events {
    /// Opens it, with these lines of headers besides.
    pub fn open(address: SocketAddr, (path, token): (&str, &str), headers: &[&str]) -> Events {
        let mut stream = connect(address);
        let more: String = headers.iter().map(|header| format!("{header}\r\n")).collect();
        let text = format!(
            "GET {path} HTTP/1.1\r\nHost: {address}\r\nAuthorization: Bearer {token}\r\nAccept: text/event-stream\r\n{more}\r\n"
        );
        stream.write_all(text.as_bytes()).unwrap();
        let mut reader = BufReader::new(stream);
        let (status, headers) = head(&mut reader);
        assert_eq!(status, 200, "{headers:?}");
        assert!(
            headers.contains(&("content-type".to_owned(), "text/event-stream".to_owned())),
            "{headers:?}"
        );
        Events { reader, text: String::new() }
    }

    /// The messages until this many events have come.
    pub fn until(&mut self, events: u64) -> Vec<Message> {
        let (mut all, mut sum) = (Vec::new(), 0);
        let deadline = Instant::now() + TIMEOUT;
        while sum < events && Instant::now() < deadline {
            let message = self.next().expect("the stream ended");
            sum += message.data["events"].as_u64().unwrap_or(0);
            all.push(message);
        }
        assert_eq!(sum, events, "{all:?}");
        all
    }
}

impl Iterator for Events {
    type Item = Message;

    /// The next message; nothing at the end of the stream. Comments are left out.
    fn next(&mut self) -> Option<Message> {
        loop {
            while let Some((message, rest)) = self.text.split_once("\n\n") {
                let message = parse_message(message);
                self.text = rest.to_owned();
                if message != Message::default() {
                    return Some(message);
                }
            }
            let bytes = chunk(&mut self.reader)?;
            self.text.push_str(std::str::from_utf8(&bytes).unwrap());
        }
    }
}

fn parse_message(text: &str) -> Message {
    let mut message = Message::default();
    for line in text.lines() {
        match line.split_once(": ") {
            Some(("id", id)) => id.clone_into(&mut message.id),
            Some(("event", event)) => event.clone_into(&mut message.event),
            Some(("data", data)) => message.data = serde_json::from_str(data).unwrap(),
            Some(("retry", retry)) => retry.clone_into(&mut message.retry),
            // A comment, which keeps the connection.
            _ => assert!(line.starts_with(':') || line.is_empty(), "{line}"),
        }
    }
    message
}

/// A connection that no test waits for without end.
pub fn connect(address: SocketAddr) -> TcpStream {
    let stream = TcpStream::connect(address).unwrap();
    stream.set_read_timeout(Some(TIMEOUT)).unwrap();
    stream
}

fn head(reader: &mut impl BufRead) -> (u16, Vec<(String, String)>) {
    let first = line(reader);
    let status = first.split(' ').nth(1).unwrap_or_else(|| panic!("no answer: {first:?}")).parse().unwrap();
    let mut headers = Vec::new();
    loop {
        let line = line(reader);
        let Some((key, value)) = line.split_once(": ") else { return (status, headers) };
        headers.push((key.to_ascii_lowercase(), value.to_owned()));
    }
}

fn line(reader: &mut impl BufRead) -> String {
    let mut line = String::new();
    // A connection that was closed has no more lines.
    if reader.read_line(&mut line).is_err() {
        return String::new();
    }
    line.trim_end().to_owned()
}

fn chunk(reader: &mut impl BufRead) -> Option<Vec<u8>> {
    let size = usize::from_str_radix(&line(reader), 16).ok().filter(|size| *size > 0)?;
    let mut bytes = vec![0; size + 2];
    reader.read_exact(&mut bytes).ok()?;
    bytes.truncate(size);
    Some(bytes)
}
