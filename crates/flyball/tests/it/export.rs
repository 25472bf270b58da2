//! Telemetry, by real hooks, real senders and a receiver on loopback.

#![allow(
    clippy::allow_attributes,
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "all of it is test code"
)]

mod receiver;
use std::collections::{BTreeMap, BTreeSet};
use std::net::TcpListener;
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

use crate::support::{ProcessResult, Project};
use opentelemetry_proto::tonic::metrics::v1::metric::Data;
use opentelemetry_proto::tonic::metrics::v1::number_data_point::Value as Number;
use receiver::{Behaviour, Receiver, attribute};
use serde_json::{Value, json};

fn project() -> Project {
    Project::new().with("COLUMNS", "400").with("TZ", "UTC")
}

/// Writes the user's config, so that all is sent to this port.
fn send_to(project: &Project, port: u16, more: &str) {
    let folder = project.home().join(".config/flyball");
    std::fs::create_dir_all(&folder).unwrap();
    let text = format!("[otlp]\nendpoint = \"http://127.0.0.1:{port}\"\n{more}");
    std::fs::write(folder.join("config.toml"), text).unwrap();
    // Some sessions have begun before.
    project.accept(&folder.join("config.toml"));
}

/// A short session, from its start to its end.
fn session(project: &Project) {
    project.hook("SessionStart", json!({ "source": "startup" }));
    project.hook("UserPromptSubmit", json!({ "prompt": "make it faster" }));
    project.shell("cargo test --secret-target");
    let config = project.root().join("flyball.toml");
    project.before("Write", json!({ "file_path": config, "content": "" })).assert_denied_by("guard.self");
    project.hook("Stop", json!({ "stop_hook_active": false, "last_assistant_message": "Done." }));
    project.hook("SessionEnd", json!({ "reason": "exit" }));
}

/// The ids of all that is recorded.
fn recorded(project: &Project) -> BTreeSet<String> {
    project.log().iter().map(|record| record["id"].as_str().unwrap().to_owned()).collect()
}

fn set(all: Vec<String>) -> BTreeSet<String> {
    all.into_iter().collect()
}

#[track_caller]
fn wait_for(what: &str, mut is_so: impl FnMut() -> bool) {
    let deadline = Instant::now() + Duration::from_secs(120);
    while !is_so() {
        assert!(Instant::now() < deadline, "{what} did not come");
        std::thread::sleep(Duration::from_millis(20));
    }
}

fn sender(project: &Project) -> Child {
    let mut command = project.command(&["export", "--detached", "0"]);
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    command.spawn().unwrap()
}

fn end(mut child: Child) {
    child.kill().unwrap();
    child.wait().unwrap();
}

#[track_caller]
fn ends(ran: &ProcessResult, expected: (i32, &str, &str)) {
    assert_eq!((ran.status, ran.stdout.as_str(), ran.stderr.as_str()), expected);
}

fn status(project: &Project) -> Value {
    project.run(&["export", "--status", "--json"]).json()
}

#[test]
fn nothing_happens_without_an_endpoint() {
    let project = project();
    session(&project);
    assert!(!project.state().join("otlp.lock").exists());
    assert!(!project.state().join("otlp").exists());
    let report = "error: nothing is sent: no endpoint is set\n help: name an `endpoint` in `[otlp]` of your own config file; see docs/telemetry.md\n";
    ends(&project.run(&["export"]), (2, "", report));
}

#[test]
fn what_hooks_record_arrives_once_by_itself() {
    let project = project();
    let receiver = Receiver::start(&[Behaviour::Accept]);
    send_to(&project, receiver.port, "");
    session(&project);
    let ids = recorded(&project);
    assert_eq!(ids.len(), 6);
    wait_for("the logs", || set(receiver.answers()) == ids);
    assert_eq!(receiver.answers().len(), 6, "each once");
    wait_for("the session's span", || receiver.spans().iter().any(|span| span.name == "session"));
    let spans = receiver.spans();
    let hooks: Vec<String> = spans
        .iter()
        .filter(|span| span.name == "hook")
        .map(|span| attribute(&span.attributes, "flyball.answer.id"))
        .collect();
    assert_eq!((hooks.len(), set(hooks)), (6, ids));
    let span_ids: BTreeSet<&[u8]> = spans.iter().map(|span| span.span_id.as_slice()).collect();
    assert_eq!(span_ids.len(), spans.len());
    let is_known = |span: &opentelemetry_proto::tonic::trace::v1::Span| {
        span.parent_span_id.is_empty() == (span.name == "session")
            && (span.parent_span_id.is_empty() || span_ids.contains(span.parent_span_id.as_slice()))
    };
    assert!(spans.iter().all(is_known), "{spans:#?}");
    wait_for("the metrics", || counted(&receiver) == 6);
    assert_metrics_touch(&receiver);
}

/// How many events the metrics come to: of each series, the last total counts.
fn counted(receiver: &Receiver) -> i64 {
    let events = points(receiver).into_iter().filter(|(name, ..)| name.starts_with("flyball.events "));
    let last: BTreeMap<String, i64> = events.map(|(name, _, _, count)| (name, count)).collect();
    last.values().sum()
}

/// Name and series, start, end and count of each point of a sum.
fn points(receiver: &Receiver) -> Vec<(String, u64, u64, i64)> {
    let requests = receiver.metrics().into_iter().flat_map(|it| it.resource_metrics);
    let metrics = requests.flat_map(|it| it.scope_metrics).flat_map(|it| it.metrics);
    let mut all = Vec::new();
    for metric in metrics {
        if let Some(Data::Sum(sum)) = metric.data {
            for point in sum.data_points {
                let Some(Number::AsInt(count)) = point.value else { panic!("no number") };
                let series = format!("{} {:?}", metric.name, point.attributes);
                all.push((series, point.start_time_unix_nano, point.time_unix_nano, count));
            }
        }
    }
    all
}

/// All totals are since the same moment, and none is older than the one before.
#[track_caller]
fn assert_metrics_touch(receiver: &Receiver) {
    let mut intervals: Vec<(u64, u64)> =
        points(receiver).into_iter().map(|(_, from, to, _)| (from, to)).collect();
    intervals.dedup();
    for pair in intervals.windows(2) {
        assert!(pair[0].0 == pair[1].0 && pair[0].1 <= pair[1].1, "{intervals:?}");
    }
}

#[test]
fn a_reply_that_is_lost_doubles_nothing() {
    let project = project();
    session(&project);
    // Accepts the first request of each signal, and breaks the connection before the reply.
    let receiver = Receiver::start(&[Behaviour::Lose, Behaviour::Lose, Behaviour::Lose, Behaviour::Accept]);
    send_to(&project, receiver.port, "");
    assert_eq!(project.run(&["export", "--since", "1d"]).status, 2);
    assert_eq!(project.run(&["export"]).status, 0);
    assert_eq!(receiver.metrics().len(), 2, "it came twice");
    assert_eq!(counted(&receiver), 6);
    // Later than calls that come twice.
    std::thread::sleep(Duration::from_millis(1_100));
    session(&project);
    assert_eq!(project.run(&["export"]).status, 0);
    assert_eq!(counted(&receiver), 12);
    assert_metrics_touch(&receiver);
}

#[test]
fn what_is_due_is_sent_when_asked_although_a_sender_waits() {
    let project = project();
    session(&project);
    let busy = Behaviour::Status(503, "retry-after: 25\r\n");
    let receiver = Receiver::start(&[busy.clone(), busy.clone(), busy, Behaviour::Accept]);
    send_to(&project, receiver.port, "");
    let sender = sender(&project);
    wait_for("three refusals", || receiver.requests().len() >= 3);
    let ran = project.run(&["export"]);
    assert_eq!((ran.status, ran.stderr.as_str()), (0, ""), "{}", ran.stdout);
    assert_eq!((receiver.answers().len(), counted(&receiver)), (6, 6));
    end(sender);
}

#[test]
fn the_hook_does_not_wait_for_a_receiver_that_never_answers() {
    let project = project();
    let receiver = Receiver::start(&[Behaviour::Hang]);
    send_to(&project, receiver.port, "timeout_ms = 600000\n");
    project.shell("ls").assert_silent();
    wait_for("a request", || !receiver.requests().is_empty());
    // The sender waits for its answer, and this one ends all the same.
    project.shell("ls -l").assert_silent();
    assert_eq!(receiver.requests().len(), 1);
}

#[test]
fn a_receiver_that_is_busy_is_asked_again() {
    let project = project();
    let receiver = Receiver::start(&[
        Behaviour::Status(503, "retry-after: 1\r\n"),
        Behaviour::Status(429, ""),
        Behaviour::Garbage,
        Behaviour::Accept,
    ]);
    send_to(&project, receiver.port, "signals = [\"logs\"]\n");
    session(&project);
    wait_for("the logs", || set(receiver.answers()) == recorded(&project));
    assert_eq!(receiver.answers().len(), 6);
}

#[test]
fn what_could_not_be_sent_is_stored_and_reported() {
    let project = project();
    session(&project);
    let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    send_to(&project, port, "signals = [\"logs\"]\n");
    let ran = project.run(&["export", "--since", "1h"]);
    assert_eq!((ran.status, ran.stdout), (2, format!("logs to 127.0.0.1:{port}: nothing was due\n")));
    assert!(ran.stderr.contains("did not answer"), "{}", ran.stderr);
    let report = status(&project);
    assert_eq!(
        (&report[0]["waiting"], &report[0]["sent"], &report[0]["failures"]),
        (&json!(6), &json!(0), &json!(1))
    );
    let receiver = Receiver::at(port, &[Behaviour::Accept]);
    ends(&project.run(&["export"]), (0, &format!("logs to 127.0.0.1:{port}: 6 events sent\n"), ""));
    assert_eq!(set(receiver.answers()), recorded(&project));
    ends(&project.run(&["export"]), (0, &format!("logs to 127.0.0.1:{port}: nothing was due\n"), ""));
    let report = status(&project);
    assert_eq!(
        (&report[0]["waiting"], &report[0]["sent"], &report[0]["last_error"]),
        (&json!(0), &json!(6), &json!(""))
    );
}

#[test]
fn a_key_that_is_not_accepted_stops_the_sender_and_loses_nothing() {
    let project = project();
    let receiver = Receiver::start(&[Behaviour::Status(401, "")]);
    send_to(&project, receiver.port, "signals = [\"logs\"]\nheaders.authorization = \"Bearer ${env:KEY}\"\n");
    let project = project.with("KEY", "k3y");
    session(&project);
    let lock = project.state().join("otlp.lock");
    wait_for("the result of the sender", || std::fs::read_to_string(&lock).is_ok_and(|text| text.len() > 10));
    assert!(receiver.requests()[0].head.contains("Bearer k3y"));
    let tried = receiver.requests().len();
    project.shell("ls").assert_silent();
    let error = "the receiver answered 401: it does not accept the key; check `headers` of `[otlp]`";
    assert_eq!(status(&project)[0]["last_error"], error);
    let doctor = project.run(&["doctor"]);
    assert!(doctor.stdout.contains(error), "{}", doctor.stdout);
    assert!(!doctor.stdout.contains("k3y") && !project.run(&["config", "show"]).stdout.contains("Bearer"));
    assert_eq!(receiver.requests().len(), tried, "no sender was started without need");
    receiver.then(&[Behaviour::Accept]);
    assert_eq!(project.run(&["export"]).status, 0);
    assert_eq!(set(receiver.answers()), recorded(&project));
}

#[test]
fn a_receiver_with_a_limit_gets_smaller_requests() {
    let project = project();
    session(&project);
    let receiver = Receiver::start(&[Behaviour::AtMost(2)]);
    send_to(&project, receiver.port, "");
    assert_eq!(project.run(&["export", "--since", "1h"]).status, 0);
    assert_eq!((receiver.answers().len(), set(receiver.answers())), (6, recorded(&project)));
    receiver.then(&[Behaviour::AtMost(0), Behaviour::Accept]);
    project.shell("ls");
    wait_for("the result of the sender", || status(&project)[0]["rejected"] == json!(1));
}

#[test]
fn a_sender_that_is_killed_loses_nothing_and_repeats_itself_to_the_byte() {
    let project = project();
    session(&project);
    let hang = [Behaviour::Accept, Behaviour::Accept, Behaviour::Hang, Behaviour::Accept];
    let receiver = Receiver::start(&hang);
    for signal in ["logs", "metrics", "traces"] {
        receiver.then(&hang);
        let before = receiver.requests().len();
        send_to(&project, receiver.port, &format!("signals = [\"{signal}\"]\nbatch = 1\n"));
        let child = sender(&project);
        wait_for("the request that hangs", || receiver.requests().len() == before + 3);
        end(child);
        let child = sender(&project);
        wait_for("the rest", || receiver.requests().len() == before + 7);
        end(child);
        let requests = receiver.requests().split_off(before);
        assert_eq!(requests[2].body, requests[3].body, "{signal}");
    }
    assert_eq!((receiver.answers().len(), set(receiver.answers())), (6, recorded(&project)));
    assert_eq!(counted(&receiver), 6);
    assert_metrics_touch(&receiver);
    let sessions = receiver.spans().iter().filter(|span| span.name == "session").count();
    assert_eq!(sessions, 1);
}

#[test]
fn of_two_senders_one_sends() {
    let project = project();
    session(&project);
    let receiver = Receiver::start(&[Behaviour::Accept]);
    send_to(&project, receiver.port, "batch = 1\n");
    let senders = [sender(&project), sender(&project), sender(&project)];
    wait_for("the session's span", || receiver.spans().iter().any(|span| span.name == "session"));
    senders.into_iter().for_each(end);
    assert_eq!((receiver.answers().len(), set(receiver.answers())), (6, recorded(&project)));
    assert_eq!(counted(&receiver), 6);
}

#[test]
fn commands_and_file_names_leave_the_machine_only_if_asked_for() {
    let project = project();
    session(&project);
    for (content, expected) in [("none", [false; 3]), ("subjects", [true, true, false]), ("full", [true; 3])]
    {
        let receiver = Receiver::start(&[Behaviour::Accept]);
        send_to(&project, receiver.port, &format!("content = \"{content}\"\n"));
        assert_eq!(project.run(&["export", "--since", "1h"]).status, 0);
        let sent: Vec<u8> = receiver.requests().into_iter().flat_map(|it| it.body).collect();
        let sent = String::from_utf8_lossy(&sent);
        let root = project.root();
        let texts = ["--secret-target", root.to_str().unwrap(), "flyball's configuration"];
        assert_eq!(texts.map(|text| sent.contains(text)), expected, "{content}");
    }
}

#[test]
fn json_and_protobuf_carry_the_same() {
    let project = project();
    session(&project);
    let [one, other] = ["http/json", "http/protobuf"].map(|protocol| {
        let receiver = Receiver::start(&[Behaviour::Accept]);
        send_to(&project, receiver.port, &format!("protocol = \"{protocol}\"\ncontent = \"full\"\n"));
        assert_eq!(project.run(&["export", "--since", "1h"]).status, 0);
        let mut logs = receiver.logs();
        logs.iter_mut().for_each(|log| log.observed_time_unix_nano = 0);
        assert_eq!(logs.len(), 6);
        (logs, receiver.spans())
    });
    assert_eq!(one, other);
}

#[test]
fn a_project_cannot_have_the_record_sent_elsewhere() {
    let project = project();
    let receiver = Receiver::start(&[Behaviour::Accept]);
    project.config(&format!("[otlp]\nendpoint = \"http://127.0.0.1:{}\"\n", receiver.port));
    session(&project);
    assert!(!project.state().join("otlp.lock").exists());
    assert_eq!(project.run(&["export"]).status, 2);
    let report = project.run(&["config", "check", "--json"]).json();
    let expected = "`otlp.endpoint` is ignored: a project cannot set `[otlp]`";
    assert_eq!((&report[0]["severity"], &report[0]["message"]), (&json!("warning"), &json!(expected)));
    assert!(receiver.requests().is_empty());
}

#[test]
fn a_dry_run_shows_what_would_be_sent_and_sends_nothing() {
    let project = project();
    session(&project);
    let receiver = Receiver::start(&[Behaviour::Accept]);
    send_to(&project, receiver.port, "");
    let ran = project.run(&["export", "--dry-run", "--since", "1h"]);
    assert_eq!((ran.status, ran.stderr.as_str()), (0, ""));
    let lines: Vec<Value> = ran.stdout.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let signals: Vec<&Value> = lines.iter().map(|line| &line["signal"]).collect();
    assert_eq!(signals, ["logs", "metrics", "traces"]);
    let logs = lines[0]["request"]["resourceLogs"][0]["scopeLogs"][0]["logRecords"].as_array().unwrap();
    assert_eq!(logs.len(), 6);
    assert!(receiver.requests().is_empty() && !project.state().join("otlp").exists());
}

#[test]
fn keys_in_addresses_and_headers_are_shown_nowhere_and_stay_with_their_host() {
    let project = project();
    session(&project);
    let elsewhere = Receiver::start(&[Behaviour::Accept]);
    let location = format!("Location: http://127.0.0.1:{}/v1/logs\r\n", elsewhere.port);
    let receiver = Receiver::start(&[Behaviour::Status(307, Box::leak(location.into_boxed_str()))]);
    let folder = project.home().join(".config/flyball");
    std::fs::create_dir_all(&folder).unwrap();
    let endpoint = format!("http://ada:hunter-1@127.0.0.1:{}/hunter-2?key=hunter-3", receiver.port);
    let text = format!(
        "[otlp]\nendpoint = \"{endpoint}\"\nsignals = [\"logs\"]\nheaders = {{ authorization = \"Bearer hunter-4\" }}\n"
    );
    std::fs::write(folder.join("config.toml"), text).unwrap();
    let commands: [&[&str]; 6] = [
        &["export", "--dry-run", "--since", "1h"],
        &["export", "--since", "1h"],
        &["export", "--status"],
        &["export", "--status", "--json"],
        &["export", "--check"],
        &["doctor"],
    ];
    for command in commands {
        let ran = project.run(command);
        let report = ran.stdout + &ran.stderr;
        assert!(!report.contains("hunter-"), "{command:?}: {report}");
    }
    assert!(!project.run(&["config", "show", "--json"]).stdout.contains("hunter-4"));
    assert!(!receiver.requests().is_empty());
    assert!(elsewhere.requests().is_empty(), "a key is for one host");
    for entry in std::fs::read_dir(project.state().join("otlp")).unwrap() {
        let path = entry.unwrap().path();
        assert!(!std::fs::read_to_string(&path).unwrap().contains("hunter-"), "{path:?}");
        let mode = std::os::unix::fs::PermissionsExt::mode(&std::fs::metadata(&path).unwrap().permissions());
        assert_eq!(mode & 0o777, 0o600, "{path:?}");
    }
}

#[test]
fn what_retention_takes_before_it_was_sent_is_counted() {
    let project = project();
    session(&project);
    let receiver = Receiver::start(&[Behaviour::Status(503, "")]);
    send_to(&project, receiver.port, "signals = [\"logs\"]\n");
    assert_eq!(project.run(&["export", "--since", "1h"]).status, 2);
    assert_eq!(status(&project)[0]["waiting"], 6);
    let database = project.state().join("flyball.db");
    let taken = "DELETE FROM events WHERE id IN (SELECT id FROM events ORDER BY id LIMIT 4)";
    let script = "import sqlite3, sys; c = sqlite3.connect(sys.argv[1]); c.execute(sys.argv[2]); c.commit()";
    let mut python = std::process::Command::new("python3");
    assert!(python.args(["-c", script]).arg(database).arg(taken).status().unwrap().success());
    receiver.then(&[Behaviour::Accept]);
    assert_eq!(project.run(&["export"]).status, 0);
    let report = &status(&project)[0];
    assert_eq!((&report["sent"], &report["lost"], &report["waiting"]), (&json!(2), &json!(4), &json!(0)));
}

#[test]
fn each_address_can_be_checked() {
    let project = project();
    let receiver = Receiver::start(&[Behaviour::Accept, Behaviour::Status(404, ""), Behaviour::Accept]);
    send_to(&project, receiver.port, "");
    let port = receiver.port;
    let expected = format!(
        "✓ logs to 127.0.0.1:{port}\n✗ metrics to 127.0.0.1:{port}: the receiver answered 404: nothing there; check the address in `[otlp]`\n✓ traces to 127.0.0.1:{port}\n"
    );
    ends(&project.run(&["export", "--check"]), (1, &expected, ""));
}

#[test]
fn an_index_that_is_rebuilt_loses_nothing() {
    let project = project();
    session(&project);
    let receiver = Receiver::start(&[Behaviour::Accept]);
    send_to(&project, receiver.port, "signals = [\"logs\"]\n");
    assert_eq!(project.run(&["export", "--since", "1h"]).status, 0);
    assert_eq!(receiver.answers().len(), 6);
    for name in ["flyball.db", "flyball.db-wal", "flyball.db-shm"] {
        // SQLite may have removed the last two itself.
        drop(std::fs::remove_file(project.state().join(name)));
    }
    receiver.then(&[Behaviour::Status(503, "")]);
    project.shell("ls");
    receiver.then(&[Behaviour::Accept]);
    wait_for("the new event", || set(receiver.answers()) == recorded(&project));
    assert_eq!(set(receiver.answers()).len(), 7);
}
