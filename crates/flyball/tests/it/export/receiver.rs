//! A receiver of OTLP/HTTP on loopback that decodes with the official types, and fails as its script says.

use std::collections::VecDeque;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};

use opentelemetry_proto::tonic::collector::logs::v1::ExportLogsServiceRequest;
use opentelemetry_proto::tonic::collector::metrics::v1::ExportMetricsServiceRequest;
use opentelemetry_proto::tonic::collector::trace::v1::ExportTraceServiceRequest;
use opentelemetry_proto::tonic::common::v1::KeyValue;
use opentelemetry_proto::tonic::common::v1::any_value::Value as Any;
use opentelemetry_proto::tonic::logs::v1::LogRecord;
use opentelemetry_proto::tonic::trace::v1::Span;
use prost::Message;
use serde::de::DeserializeOwned;

/// How one request is answered.
#[derive(Clone, Debug)]
pub(crate) enum Behaviour {
    Accept,
    /// A status, and more headers.
    Status(u16, &'static str),
    /// Takes it, and breaks the connection before the reply.
    Lose,
    /// Nothing, ever.
    Hang,
    /// An answer that is not HTTP.
    Garbage,
    /// 413 for more log records than this.
    AtMost(usize),
}

/// A request that came.
#[derive(Clone, Debug)]
pub(crate) struct Request {
    pub(crate) path: String,
    pub(crate) head: String,
    pub(crate) body: Vec<u8>,
    pub(crate) is_accepted: bool,
}

/// The receiver; it lives as long as the process.
pub(crate) struct Receiver {
    pub(crate) port: u16,
    requests: Arc<Mutex<Vec<Request>>>,
    script: Arc<Mutex<VecDeque<Behaviour>>>,
}

impl Receiver {
    /// Answers with these, one after the other; the last one for all that come later.
    pub(crate) fn start(script: &[Behaviour]) -> Receiver {
        Receiver::at(0, script)
    }

    pub(crate) fn at(port: u16, script: &[Behaviour]) -> Receiver {
        let listener = TcpListener::bind(("127.0.0.1", port)).unwrap();
        let receiver = Receiver {
            port: listener.local_addr().unwrap().port(),
            requests: Arc::default(),
            script: Arc::new(Mutex::new(script.iter().cloned().collect())),
        };
        let (requests, script) = (Arc::clone(&receiver.requests), Arc::clone(&receiver.script));
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let (requests, script) = (Arc::clone(&requests), Arc::clone(&script));
                std::thread::spawn(move || serve(stream, &requests, &script));
            }
        });
        receiver
    }

    /// Answers with these from now on.
    pub(crate) fn then(&self, script: &[Behaviour]) {
        *self.script.lock().unwrap() = script.iter().cloned().collect();
    }

    /// All requests that came, in their order.
    pub(crate) fn requests(&self) -> Vec<Request> {
        self.requests.lock().unwrap().clone()
    }

    /// Those that were accepted.
    fn accepted(&self, path: &str) -> Vec<Request> {
        self.requests().into_iter().filter(|it| it.is_accepted && it.path == path).collect()
    }

    pub(crate) fn logs(&self) -> Vec<LogRecord> {
        let requests =
            self.accepted("/v1/logs").into_iter().map(|it| it.decoded::<ExportLogsServiceRequest>());
        let scopes = requests.flat_map(|it| it.resource_logs).flat_map(|it| it.scope_logs);
        scopes.flat_map(|it| it.log_records).collect()
    }

    pub(crate) fn spans(&self) -> Vec<Span> {
        let requests =
            self.accepted("/v1/traces").into_iter().map(|it| it.decoded::<ExportTraceServiceRequest>());
        let scopes = requests.flat_map(|it| it.resource_spans).flat_map(|it| it.scope_spans);
        scopes.flat_map(|it| it.spans).collect()
    }

    pub(crate) fn metrics(&self) -> Vec<ExportMetricsServiceRequest> {
        self.accepted("/v1/metrics").into_iter().map(|it| it.decoded()).collect()
    }

    /// The ids of the answers of all log records, as they came.
    pub(crate) fn answers(&self) -> Vec<String> {
        self.logs().iter().map(|log| attribute(&log.attributes, "flyball.answer.id")).collect()
    }
}

impl Request {
    pub(crate) fn decoded<T: Message + Default + DeserializeOwned>(&self) -> T {
        if self.head.to_lowercase().contains("content-type: application/json") {
            return serde_json::from_slice(&self.body).unwrap();
        }
        T::decode(self.body.as_slice()).unwrap()
    }
}

/// A text among attributes.
pub(crate) fn attribute(attributes: &[KeyValue], name: &str) -> String {
    let found = attributes.iter().find(|it| it.key == name).and_then(|it| it.value.clone()?.value);
    match found {
        Some(Any::StringValue(text)) => text,
        _ => String::new(),
    }
}

fn serve(mut stream: TcpStream, requests: &Mutex<Vec<Request>>, script: &Mutex<VecDeque<Behaviour>>) {
    let Some((path, head, body)) = read(&stream) else { return };
    let behaviour = {
        let mut script = script.lock().unwrap();
        let first = script.front().cloned().unwrap_or(Behaviour::Accept);
        if script.len() > 1 {
            script.pop_front();
        }
        first
    };
    let mut request = Request { path, head, body, is_accepted: false };
    let answer = match behaviour {
        Behaviour::Accept => "HTTP/1.1 200 OK\r\n".to_owned(),
        Behaviour::Status(status, headers) => format!("HTTP/1.1 {status} X\r\n{headers}"),
        Behaviour::Garbage => "what?\n".to_owned(),
        Behaviour::AtMost(most) if request.path == "/v1/logs" && count(&request) > most => {
            "HTTP/1.1 413 Too Large\r\n".to_owned()
        }
        Behaviour::AtMost(_) => "HTTP/1.1 200 OK\r\n".to_owned(),
        Behaviour::Lose => {
            request.is_accepted = true;
            requests.lock().unwrap().push(request);
            return;
        }
        Behaviour::Hang => {
            requests.lock().unwrap().push(request);
            loop {
                std::thread::park();
            }
        }
    };
    request.is_accepted = answer.starts_with("HTTP/1.1 200");
    requests.lock().unwrap().push(request);
    // The sender may have been killed meanwhile.
    drop(stream.write_all(format!("{answer}content-length: 0\r\nconnection: close\r\n\r\n").as_bytes()));
}

fn count(request: &Request) -> usize {
    let read = request.decoded::<ExportLogsServiceRequest>();
    read.resource_logs.iter().flat_map(|it| &it.scope_logs).map(|it| it.log_records.len()).sum()
}

fn read(stream: &TcpStream) -> Option<(String, String, Vec<u8>)> {
    let mut reader = BufReader::new(stream);
    let mut head = String::new();
    while !head.ends_with("\r\n\r\n") {
        if reader.read_line(&mut head).ok()? == 0 {
            return None;
        }
    }
    let path = head.split(' ').nth(1)?.to_owned();
    let length = head
        .lines()
        .find_map(|line| line.to_lowercase().strip_prefix("content-length:")?.trim().parse().ok());
    let mut body = vec![0; length.unwrap_or(0)];
    reader.read_exact(&mut body).ok()?;
    Some((path, head, body))
}
