//! `flyball dash`: the real program, real hooks, real sockets.

#![expect(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "a test that cannot be set up has failed, and what is not there is null"
)]

use std::io::{BufRead, BufReader, Read};
use std::net::{SocketAddr, TcpListener};
use std::process::{Child, Command, Stdio};

use crate::support::Project;
use flyball_testkit::http::{self, Events, request};
use serde_json::Value;

const TOKEN: &str = "a-token-of-my-own-0123456789";

/// A board that is running.
struct Dash {
    child: Child,
    address: SocketAddr,
    url: String,
}

impl Dash {
    /// Starts it on any port.
    fn start(project: &Project, arguments: &[&str]) -> Dash {
        let all = [&["dash", "--json", "--port", "0"], arguments].concat();
        let mut command = project.command(&all);
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let reported: Value =
            serde_json::from_str(&line).unwrap_or_else(|problem| panic!("{problem}: {line:?}"));
        assert_eq!(reported["pid"], child.id());
        let url = reported["url"].as_str().unwrap().to_owned();
        let host = url.strip_prefix("http://").unwrap().split('/').next().unwrap();
        let address: SocketAddr = host.parse().unwrap();
        assert_eq!(reported["port"], address.port());
        Dash { child, address, url }
    }

    fn token(&self) -> &str {
        self.url.split_once("/?token=").unwrap().1
    }

    fn get(&self, path: &str) -> http::Response {
        http::get(self.address, path, self.token())
    }

    fn events(&self, path: &str) -> Events {
        Events::open(self.address, (path, self.token()), &[])
    }

    /// Ends it by a signal, and returns its exit code and its standard error.
    fn end(mut self, signal: &str) -> (Option<i32>, String) {
        let id = self.child.id().to_string();
        assert!(Command::new("kill").args([signal, &id]).status().unwrap().success());
        let code = self.child.wait().unwrap().code();
        let mut printed = String::new();
        self.child.stderr.take().unwrap().read_to_string(&mut printed).unwrap();
        (code, printed)
    }
}

impl Drop for Dash {
    fn drop(&mut self) {
        // It has ended already, or the test failed.
        drop(self.child.kill());
        drop(self.child.wait());
    }
}

#[test]
fn a_sessions_page_shows_what_its_commands_changed() {
    let project = Project::new();
    project.file("a.py", "old = 1\n").shell("python3 one.py");
    project.file("a.py", "new = 2\n").shell("python3 two.py");
    let dash = Dash::start(&project, &[]);
    let page = dash.get("/sessions/claude-code/00000000-0000-4000-8000-000000000001").body;
    assert!(page.contains("id=\"snapshot-1\"") && page.contains("href=\"#snapshot-2\""), "{page}");
    assert!(page.contains("-old = 1") && page.contains("+new = 2"), "{page}");
    dash.end("-TERM");
}

#[test]
fn an_event_of_a_hook_is_on_the_stream_and_on_its_page() {
    let project = Project::new();
    project.config("[guard.packages]\npython = 'uv'");
    let dash = Dash::start(&project, &[]);
    let mut events = dash.events("/live");
    assert_eq!(events.next().unwrap().event, "hello");
    assert_eq!(project.shell("pip install requests").decision().as_deref(), Some("deny"));
    let message = events.until(1).remove(0);
    let reported = &message.data["last"][0];
    assert_eq!((&reported["stance"], &reported["subject"]), (&"deny".into(), &"pip install requests".into()));
    assert_eq!(reported["project"], project.root().to_str().unwrap());
    let answer = reported["answer"].as_str().unwrap();
    let page = dash.get(&format!("/events/{answer}"));
    assert_eq!(page.status, 200);
    assert!(page.body.contains(answer), "{}", page.body);
    assert_eq!(dash.end("-INT"), (Some(0), String::new()));
}

#[test]
fn hooks_at_the_same_time_as_commands_that_fold_lose_nothing() {
    let project = Project::new();
    let dash = Dash::start(&project, &[]);
    let mut events = dash.events("/live?after=0");
    assert_eq!(events.next().unwrap().event, "hello");
    std::thread::scope(|scope| {
        for worker in 0..3 {
            let project = &project;
            scope.spawn(move || {
                for number in 0..6 {
                    assert_eq!(project.shell(&format!("echo {worker} {number}")).status, 0);
                    assert_eq!(project.run(&["fold"]).status, 0);
                }
            });
        }
        let messages = events.until(18);
        let last = messages.last().unwrap().id.clone();
        // A reader that reconnects after the first of them gets only the others.
        let first = &messages[0];
        let rest = 18 - first.data["events"].as_u64().unwrap();
        if rest > 0 {
            let again = dash.events(&format!("/live?after={}", first.id)).until(rest);
            assert_eq!(again.last().unwrap().id, last);
        }
    });
}

#[test]
fn the_board_ends_on_a_signal_even_with_open_streams() {
    let project = Project::new();
    for signal in ["-INT", "-TERM", "-HUP"] {
        let dash = Dash::start(&project, &[]);
        let mut streams: Vec<Events> = (0..3).map(|_| dash.events("/live")).collect();
        streams.iter_mut().for_each(|stream| assert_eq!(stream.next().unwrap().event, "hello"));
        let silent = http::connect(dash.address);
        assert_eq!(dash.end(signal), (Some(0), String::new()), "{signal}");
        for stream in &mut streams {
            assert_eq!(stream.next().map(|message| message.event), Some("closed".to_owned()));
            assert_eq!(stream.next(), None);
        }
        drop(silent);
    }
}

#[test]
fn each_start_has_a_token_of_its_own() {
    let project = Project::new();
    let (one, other) = (Dash::start(&project, &[]), Dash::start(&project, &[]));
    assert_ne!(one.token(), other.token());
    assert!(
        one.token().len() >= 32 && one.token().bytes().all(|byte| byte.is_ascii_hexdigit()),
        "{}",
        one.token()
    );
    assert_eq!(http::get(one.address, "/", other.token()).status, 401);
    assert_eq!(http::get(one.address, "/", one.token()).status, 200);
    let given = Dash::start(&project, &["--token", TOKEN]);
    assert_eq!(given.token(), TOKEN);
    let host = format!("Host: {}", given.address);
    assert_eq!(request(given.address, &format!("GET /?token={TOKEN}"), &[&host]).status, 303);
}

#[test]
fn the_board_prints_its_address_and_what_it_shows() {
    let project = Project::new();
    let mut command = project.command(&["dash", "--port", "0", "--no-open", "--token", TOKEN]);
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut line = String::new();
    let mut stdout = BufReader::new(child.stdout.take().unwrap());
    stdout.read_line(&mut line).unwrap();
    let host = line.strip_prefix("http://").unwrap().strip_suffix(&format!("/?token={TOKEN}\n")).unwrap();
    let address: SocketAddr = host.parse().unwrap();
    assert!(address.ip().is_loopback());
    let dash = Dash { child, address, url: line.trim().to_owned() };
    assert_eq!(dash.get("/").status, 200);
    let (code, printed) = dash.end("-INT");
    let expected = "The board shows all sessions that are recorded in ~/.local/state/flyball. Ctrl-C ends it.\n\
                    The board is closed.\n";
    assert_eq!((code, printed.as_str()), (Some(0), expected));
    let mut rest = String::new();
    stdout.read_to_string(&mut rest).unwrap();
    assert_eq!(rest, "");
}

#[test]
fn wrong_options_are_errors_with_a_fix() {
    let project = Project::new();
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = taken.local_addr().unwrap().port().to_string();
    let cases: [(&[&str], String); 4] = [
        (
            &["--port", &port],
            format!(
                "error: cannot listen on 127.0.0.1:{port}: Address already in use (os error 98)\n \
                 help: another program has that port, perhaps another board: leave out --port to use any free one\n"
            ),
        ),
        (
            &["--listen", "0.0.0.0"],
            "error: other machines could open the board on 0.0.0.0\n \
             help: add --expose if they may (plain HTTP: anyone who has the link, or listens on the network, sees \
             commands and file names), or forward a port: ssh -L 7177:127.0.0.1:7177 HOST\n"
                .to_owned(),
        ),
        (
            &["--token", "short"],
            "error: this token cannot be used\n \
             help: use 16 to 200 letters, digits, `-` or `_`, or leave out --token for a new one\n"
                .to_owned(),
        ),
        (
            &["--listen", "192.0.2.1", "--expose"],
            "error: cannot listen on 192.0.2.1:7177: Cannot assign requested address (os error 99)\n \
             help: --listen needs an address of this machine\n"
                .to_owned(),
        ),
    ];
    for (arguments, expected) in cases {
        let ran = project.run(&[&["dash", "--no-open"], arguments].concat());
        assert_eq!((ran.status, ran.stdout.as_str(), ran.stderr), (2, "", expected), "{arguments:?}");
    }
}

#[test]
fn an_exposed_board_accepts_any_address_as_its_name() {
    let project = Project::new();
    let dash = Dash::start(&project, &["--listen", "0.0.0.0", "--expose"]);
    assert!(dash.url.starts_with("http://127.0.0.1:"), "{}", dash.url);
    let bearer = format!("Authorization: Bearer {}", dash.token());
    let ask = |host: &str| {
        request(dash.address, "GET /", &[&format!("Host: {host}:{}", dash.address.port()), &bearer]).status
    };
    assert_eq!((ask("192.168.7.7"), ask("board.example"), ask("localhost")), (200, 421, 200));
}

#[test]
fn a_damaged_store_is_a_page_and_no_reason_not_to_start() {
    let project = Project::new();
    project.shell("echo 1");
    let database = project.state().join("flyball.db");
    std::fs::write(&database, "this is no database, but it is long enough for one".repeat(40)).unwrap();
    let dash = Dash::start(&project, &[]);
    let page = dash.get("/");
    assert_eq!(page.status, 503);
    assert!(page.body.contains("flyball doctor --repair"), "{}", page.body);
    let repaired = project.run(&["doctor", "--repair"]);
    assert!(!repaired.stdout.is_empty(), "{repaired:?}");
    assert_eq!(dash.get("/").status, 200);
    let (code, printed) = dash.end("-INT");
    assert_eq!(code, Some(0));
    let expected = format!(
        "warning: `{0}` is damaged: file is not a database\n   help: `flyball doctor --repair` moves it aside and builds it again from the journals\n",
        database.display()
    );
    assert_eq!(printed, expected);
}
