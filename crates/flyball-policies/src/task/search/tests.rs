//! What is reported about an index, when, and what is started for it.

use std::fs;
use std::io::Read as _;
use std::net::{TcpListener, TcpStream};
use std::os::unix::fs::PermissionsExt;
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use flyball_core::engine::Judgement;
use flyball_core::event::{Agent, Event, SearchFor, Tool};
use flyball_core::path::AbsolutePath;
use flyball_core::verdict::FollowUp;
use flyball_core::workshop::NoteChanges;
use flyball_core::world::Notes;

use super::*;
use crate::test_project::TestProject;
use crate::testing::{before, event, problems, shell};

/// A program that prints a line when it runs and waits until its input ends.
const WAITING: &str = "#!/bin/sh\necho up\nread -r line\n";

fn start(source: &str) -> Event {
    event(EventData::SessionStart { source: source.to_owned() })
}

fn search(target: SearchFor, path: Option<&str>) -> Event {
    let path = path.map(str::to_owned);
    before("Grep", Tool::Search { target, pattern: "login".to_owned(), path })
}

fn by_agent(event: Event, id: &str) -> Event {
    Event { agent: Some(Agent { id: id.to_owned(), role: "developer".to_owned() }), ..event }
}

/// A project that uses a tool `finder` with these further settings.
fn staged(settings: &str) -> TestProject {
    let stage = TestProject::new(&format!(
        "[task.search]\nmode = 'enforce'\n[[task.search.tool]]\nname = 'finder'\nmarker = '.finder'\n\
         index = '.finder/index'\nreminder = 'Ask finder.'\n{settings}"
    ));
    stage.write(".finder/index", &"x".repeat(2_150_000));
    stage
}

/// The program of the tool, in a folder of its own.
struct Program(tempfile::TempDir);

impl Program {
    fn new() -> Program {
        let program = Program(tempfile::tempdir().unwrap());
        fs::write(program.path(), WAITING).unwrap();
        fs::set_permissions(program.path(), fs::Permissions::from_mode(0o755)).unwrap();
        program
    }

    fn path(&self) -> String {
        self.0.path().canonicalize().unwrap().join("finder").to_string_lossy().into_owned()
    }
}

/// The settings of a program that keeps the index fresh.
fn watch(program: &str, settings: &str) -> String {
    format!("watch = ['{program}', 'watch']\nwatch_pid = ['.finder/watch.pid']\n{settings}")
}

/// A process that ends with the test.
struct LiveProcess(Child);

impl LiveProcess {
    fn run(program: &str, argument: &str) -> LiveProcess {
        let mut command = Command::new(program);
        command.arg(argument).stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command.spawn().unwrap();
        // Before it prints something it may still be a copy of this process.
        child.stdout.as_mut().unwrap().read_exact(&mut [0; 3]).unwrap();
        LiveProcess(child)
    }

    fn number(&self) -> String {
        format!("{}\n", self.0.id())
    }
}

impl Drop for LiveProcess {
    fn drop(&mut self) {
        drop(self.0.stdin.take());
        self.0.wait().unwrap();
    }
}

/// The notices for the user, the context for the model, and what is started.
type Output = (Vec<String>, String, Vec<FollowUp>);

fn output(judgement: &Judgement) -> Output {
    let merged = &judgement.merged;
    (merged.notices.clone(), merged.context.text.clone(), merged.follow_ups.clone())
}

fn starting(stage: &TestProject, program: &str) -> FollowUp {
    let words = ["-c", "cd \"$1\" && shift && exec \"$@\"", "sh", &stage.path(""), program, "watch"];
    let words = words.map(|word| word.trim_end_matches('/').to_owned());
    FollowUp { program: AbsolutePath::from_root("/bin/sh"), arguments: words.to_vec() }
}

/// A service that is asked, and how often it was.
struct Served {
    port: u16,
    asked: Arc<AtomicUsize>,
}

/// Accepts connections, and sends the answer if there is one.
fn served(answer: Option<&'static str>) -> Served {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    let asked = Arc::new(AtomicUsize::new(0));
    let count = Arc::clone(&asked);
    std::thread::spawn(move || {
        let mut open: Vec<TcpStream> = Vec::new();
        for stream in listener.incoming() {
            let mut stream = stream.unwrap();
            count.fetch_add(1, Ordering::SeqCst);
            if let Some(answer) = answer {
                drop(stream.read(&mut [0; 1024]));
                drop(std::io::Write::write_all(&mut stream, answer.as_bytes()));
            } else {
                open.push(stream);
            }
        }
    });
    Served { port, asked }
}

const FINE: &str = "HTTP/1.1 200 OK\r\ncontent-length: 2\r\nconnection: close\r\n\r\n{}";

#[test]
fn nothing_is_reported_in_a_project_without_the_folder() {
    let stage = TestProject::new("[task.search]\nmode = 'enforce'\n");
    assert_eq!(output(&stage.judge_event(start("startup"))), (vec![], String::new(), vec![]));
    assert_eq!(stage.injected_context(shell("grep -r login src")), "");
}

#[test]
fn the_size_of_the_index_and_what_is_missing_are_reported() {
    let cases = [
        (Some(2_150_000), "finder: ready | index: 2.1 MB"),
        (Some(100_000), "finder: ready | index: 0.1 MB"),
        (Some(99_999), "finder: ready | index: 99 KB"),
        (Some(19_999), "finder: ready | index: 19 KB, nearly empty"),
        (None, "finder: ready | index: missing"),
    ];
    for (bytes, expected) in cases {
        let stage = staged("");
        match bytes {
            Some(bytes) => stage.write(".finder/index", &"x".repeat(bytes)),
            None => fs::remove_file(stage.path(".finder/index")).unwrap(),
        }
        let reminder = if bytes.is_some() { "Ask finder." } else { "" };
        let expected = (vec![expected.to_owned()], reminder.to_owned(), vec![]);
        assert_eq!(output(&stage.judge_event(start("startup"))), expected);
    }
}

#[test]
fn after_a_compaction_only_the_model_is_reminded_again() {
    let stage = staged("");
    assert_eq!(output(&stage.judge_event(start("compact"))), (vec![], "Ask finder.".to_owned(), vec![]));
}

#[test]
fn a_service_is_asked_once_and_only_where_there_is_something_to_search() {
    let service = served(Some(FINE));
    let stage = staged(&format!("service = 'http://127.0.0.1:{}/api/tags'\n", service.port));
    let ready = vec!["finder: ready | index: 2.1 MB".to_owned()];
    assert_eq!(output(&stage.judge_event(start("startup"))), (ready, "Ask finder.".to_owned(), vec![]));
    assert_eq!(service.asked.load(Ordering::SeqCst), 1);
    fs::remove_file(stage.path(".finder/index")).unwrap();
    stage.judge_event(start("startup"));
    assert_eq!(service.asked.load(Ordering::SeqCst), 1);
}

#[test]
fn a_service_that_hangs_is_not_waited_for_and_nothing_is_started_without_it() {
    let service = served(None);
    let settings = format!(
        "service = 'http://127.0.0.1:{}/api/tags'\nwatch = ['/bin/true', 'watch']\nauto_start = true\n",
        service.port
    );
    let stage = staged(&settings);
    let expected =
        format!("finder: 127.0.0.1:{} does not answer, watch: stopped | index: 2.1 MB", service.port);
    // The server never answers: that this comes back at all shows that nobody waits for it.
    assert_eq!(output(&stage.judge_event(start("startup"))), (vec![expected], String::new(), vec![]));
    assert_eq!(service.asked.load(Ordering::SeqCst), 1);
}

#[test]
fn a_stopped_watcher_is_started_by_one_session_and_reported_as_starting() {
    let program = Program::new();
    let path = program.path();
    let stage = staged(&watch(&path, "auto_start = true\n"));
    let expected = vec!["finder: watch: starting | index: 2.1 MB".to_owned()];
    let first = output(&stage.judge_event(start("startup")));
    assert_eq!(first, (expected.clone(), "Ask finder.".to_owned(), vec![starting(&stage, &path)]));
    let second = output(&stage.judge_event(start("startup")));
    assert_eq!(second, (expected, "Ask finder.".to_owned(), vec![]));
}

#[test]
fn a_start_that_left_nothing_running_is_reported() {
    let program = Program::new();
    let path = program.path();
    let stage = staged(&watch(&path, "auto_start = true\n"));
    let note = |_: Option<&str>| Ok(Some("1000".to_owned()));
    stage.machine().change_note("task.search.started finder", &mut { note }).unwrap();
    let (notices, _, follow_ups) = output(&stage.judge_event(start("startup")));
    let expected = "finder: watch: starting again, the last start left nothing running | index: 2.1 MB";
    assert_eq!((notices, follow_ups.len()), (vec![expected.to_owned()], 1));
}

#[test]
fn nothing_is_started_if_switched_off_not_installed_or_only_observed() {
    let program = Program::new();
    let stage = staged(&watch(&program.path(), "auto_start = false\n"));
    let stopped = vec!["finder: watch: stopped | index: 2.1 MB".to_owned()];
    assert_eq!(output(&stage.judge_event(start("startup"))).0, stopped);
    let stage = staged(&watch("/nowhere/finder", "auto_start = true\n"));
    let (notices, _, follow_ups) = output(&stage.judge_event(start("startup")));
    let expected = "finder: watch: stopped, `/nowhere/finder` is not installed | index: 2.1 MB";
    assert_eq!((notices, follow_ups), (vec![expected.to_owned()], vec![]));
    let settings = watch(&program.path(), "auto_start = true\n");
    let stage = TestProject::new(&format!(
        "[task.search]\nmode = 'observe'\n[[task.search.tool]]\nname = 'finder'\nmarker = '.finder'\n\
         index = '.finder/index'\n{settings}"
    ));
    stage.write(".finder/index", "x");
    assert_eq!(output(&stage.judge_event(start("startup"))), (vec![], String::new(), vec![]));
    assert_eq!(stage.machine().project_note("task.search.started finder").unwrap(), None);
}

#[test]
fn defect_28_only_a_process_of_that_program_counts_as_running() {
    let program = Program::new();
    let path = program.path();
    let stage = staged(&watch(&path, ""));
    let status = |stage: &TestProject| output(&stage.judge_event(start("startup"))).0;
    let ready = ["finder: ready | index: 2.1 MB"];
    let stopped = ["finder: watch: stopped | index: 2.1 MB"];
    assert_eq!(status(&stage), stopped, "no file");
    // This process is alive, and its command line may contain the words, but it is another program.
    stage.write(".finder/watch.pid", &format!("{}\n", std::process::id()));
    assert_eq!(status(&stage), stopped, "a number that another program has");
    let watcher = LiveProcess::run(&path, "watch");
    stage.write(".finder/watch.pid", &watcher.number());
    assert_eq!(status(&stage), ready, "the program itself");
    let other = LiveProcess::run(&path, "serve");
    stage.write(".finder/watch.pid", &other.number());
    assert_eq!(status(&stage), stopped, "the program, doing something else");
    drop(watcher);
    for broken in ["", "none", "-1", "99999999999999"] {
        stage.write(".finder/watch.pid", broken);
        assert_eq!(status(&stage), stopped, "{broken:?}");
    }
}

#[test]
fn a_server_that_is_down_is_reported_and_the_model_is_not_reminded() {
    let stage = staged("server_pid = ['.finder/server.pid']\n");
    let expected = vec!["finder: server: stopped | index: 2.1 MB".to_owned()];
    assert_eq!(output(&stage.judge_event(start("startup"))), (expected, String::new(), vec![]));
    let program = Program::new();
    let server = LiveProcess::run(&program.path(), "serve");
    stage.write(".finder/server.pid", &server.number());
    let expected = vec!["finder: ready | index: 2.1 MB".to_owned()];
    assert_eq!(output(&stage.judge_event(start("startup"))), (expected, "Ask finder.".to_owned(), vec![]));
}

#[test]
fn a_search_of_the_project_by_text_is_reminded() {
    let reminded = [
        shell("grep -rn login src"),
        shell("cd src && grep -inR login ."),
        shell("grep --recursive login"),
        shell("rg login"),
        shell("sudo rg login src"),
        shell("git grep login"),
        shell("find . -name '*.rs' | xargs grep login"),
        shell("find . -name '*.rs' -exec grep -l login {} +"),
        shell("rg login | head"),
        search(SearchFor::Content, None),
        search(SearchFor::Content, Some("src")),
    ];
    for event in reminded {
        assert_eq!(staged("").injected_context(event.clone()), "Ask finder.", "{event:?}");
    }
    let ignored = [
        shell("grep login src/a.rs"),
        shell("cargo test | grep failed"),
        shell("cargo test | rg failed"),
        shell("rg --files"),
        shell("git log --grep login"),
        shell("ls src"),
        shell("grep -r login /usr/include"),
        shell("echo grep -r login"),
        search(SearchFor::Names, None),
        search(SearchFor::Content, Some("/usr/include")),
    ];
    for event in ignored {
        assert_eq!(staged("").injected_context(event.clone()), "", "{event:?}");
    }
}

#[test]
fn each_agent_has_its_own_throttle() {
    let stage = staged("");
    let injected = |event: Event| stage.injected_context(event);
    assert_eq!(injected(shell("rg login")), "Ask finder.");
    assert_eq!(injected(shell("rg login")), "");
    assert_eq!(injected(by_agent(shell("rg login"), "a1")), "Ask finder.");
    assert_eq!(injected(by_agent(search(SearchFor::Content, None), "a1")), "");
    assert_eq!(injected(by_agent(shell("rg login"), "a2")), "Ask finder.");
    let stage = staged("");
    assert_eq!(stage.injected_context(start("startup")), "Ask finder.");
    assert_eq!(stage.injected_context(shell("rg login")), "", "it was reminded at the start");
    let stage = staged("throttle_seconds = 0\n");
    assert_eq!(stage.injected_context(shell("rg login")), "Ask finder.");
    assert_eq!(stage.injected_context(shell("rg login")), "Ask finder.");
}

#[test]
fn the_default_reminder_names_the_tool() {
    let stage = TestProject::new("[task.search]\nmode = 'enforce'\n");
    stage.write(".grepai/index.gob", "x");
    let expected = "Search with grepai first for questions like \"where is this done\": its index of this project finds \
                    code by meaning, a text search does not.";
    assert_eq!(stage.injected_context(shell("rg login")), expected);
}

#[test]
fn invalid_settings_are_refused_at_their_place() {
    let tool = "[[task.search.tool]]\nname = 'x'\nmarker = '.x'\n";
    let cases = [
        (
            format!("{tool}index = '../x'\n"),
            "flyball.toml:4:9: `../x` is not inside the project; write a path from the project's root, without `..`",
        ),
        (
            format!("{tool}index = 'x'\nservice = 'http://example.com/'\n"),
            "flyball.toml:5:11: `http://example.com/` is not an address on this machine; write `http://localhost:PORT/…`",
        ),
        (
            format!("{tool}index = 'x'\nservice = 'http://localhost:1@example.com/'\n"),
            "flyball.toml:5:11: `http://localhost:1@example.com/` is not an address on this machine; write `http://localhost:PORT/…`",
        ),
        (
            format!("{tool}index = 'x'\nservice = 'http://localhost.example.com/'\n"),
            "flyball.toml:5:11: `http://localhost.example.com/` is not an address on this machine; write `http://localhost:PORT/…`",
        ),
    ];
    for (text, expected) in cases {
        assert_eq!(problems(&text), [expected], "{text}");
    }
    for url in ["http://localhost/", "http://127.0.0.1:1/x", "http://[::1]:1", "http://localhost:1?x"] {
        let text = format!("{tool}index = 'x'\nservice = '{url}'\n");
        assert_eq!(problems(&text), Vec::<String>::new(), "{url}");
    }
}

fn spawned(stage: &TestProject, client: &str, prompt: &str) -> Option<String> {
    let tool = Tool::SpawnAgent { role: "Explore".to_owned(), prompt: prompt.to_owned(), background: None };
    let event = Event { client: client.to_owned(), ..before("Agent", tool) };
    stage.judge_event(event).merged.rewritten
}

#[test]
fn a_subagent_is_told_how_to_ask_the_index() {
    let program = Program::new();
    let (path, server) = (
        program.path(),
        r#"{"mcpServers": {"other": {"command": "x"}, "code": {"command": "finder", "args": ["serve"]}}}"#,
    );
    let tool = |settings: &str| {
        let stage = TestProject::new(&format!(
            "[task.search]\nmode = 'enforce'\n[[task.search.tool]]\nname = 'finder'\nmarker = '.finder'\n\
             index = '.finder/index'\nserver_tool = 'find'\n{settings}"
        ));
        stage.write(".finder/index", "x");
        stage
    };
    let by_command = format!("command = ['{path}', 'search']\n");
    let first =
        "This project has an index that finds code by meaning (finder): to find where something is done, ";
    let stage = tool(&by_command);
    let expected = format!("{first}run `{path} search \"QUESTION\"` before you search by text.\n\nFind it.");
    assert_eq!(spawned(&stage, "claude-code", "Find it."), Some(expected.clone()));
    assert_eq!(spawned(&stage, "claude-code", &expected), None, "once");
    stage.write(".mcp.json", server);
    let expected = format!(
        "{first}call `mcp__code__find` or run `{path} search \"QUESTION\"` before you search by text.\n\nFind it."
    );
    assert_eq!(spawned(&stage, "claude-code", "Find it."), Some(expected));
    let missing = tool("command = ['/nowhere/finder', 'search']\n");
    assert_eq!(spawned(&missing, "claude-code", "Find it."), None, "neither is there");
    missing.write(".mcp.json", server);
    let expected = format!("{first}call `mcp__code__find` before you search by text.\n\nFind it.");
    assert_eq!(spawned(&missing, "claude-code", "Find it."), Some(expected));
    assert_eq!(spawned(&missing, "test", "Find it."), None, "a client that does not read that file");
}

#[test]
fn a_tool_that_does_not_say_how_it_is_asked_is_named() {
    let tool = |settings: &str| {
        let stage = TestProject::new(&format!(
            "[task.search]\nmode = 'enforce'\n[[task.search.tool]]\nname = 'finder'\nmarker = '.finder'\n\
             index = '.finder/index'\n{settings}"
        ));
        stage.write(".finder/index", "x");
        stage
    };
    let said = |how: &str| {
        Some(format!(
            "This project has an index that finds code by meaning (finder): to find where something is done, {how} before \
             you search by text.\n\nFind it."
        ))
    };
    let bare = tool("");
    assert_eq!(spawned(&bare, "claude-code", "Find it."), said("ask finder"));
    bare.write(".mcp.json", r#"{"mcpServers": {"code": {"command": "finder", "args": ["serve"]}}}"#);
    assert_eq!(spawned(&bare, "claude-code", "Find it."), said("call a tool of the server `code`"));
    assert_eq!(
        spawned(&bare, "test", "Find it."),
        said("ask finder"),
        "a client that does not read that file"
    );
    let named = tool("server_tool = 'find'\n");
    assert_eq!(spawned(&named, "claude-code", "Find it."), None, "its server is not there");
    named.write(".mcp.json", r#"{"mcpServers": {"code": {"command": "finder"}}}"#);
    assert_eq!(spawned(&named, "claude-code", "Find it."), said("call `mcp__code__find`"));
    fs::remove_file(bare.path(".finder/index")).unwrap();
    assert_eq!(spawned(&bare, "claude-code", "Find it."), None, "no index");
}

#[test]
fn a_subagent_is_not_told_about_an_index_that_cannot_be_asked() {
    let program = Program::new();
    let command = format!("command = ['{}', 'search']\n", program.path());
    let told = |stage: &TestProject| spawned(stage, "claude-code", "Find it.").is_some();
    assert!(told(&staged(&command)));
    let stage = staged(&command);
    fs::remove_file(stage.path(".finder/index")).unwrap();
    assert!(!told(&stage), "no index");
    fs::remove_dir(stage.path(".finder")).unwrap();
    assert!(!told(&stage), "not used");
    let service = served(None);
    let silent = format!("service = 'http://127.0.0.1:{}/api'\n{command}", service.port);
    assert!(!told(&staged(&silent)), "the service does not answer");
    assert!(!told(&staged(&format!("server_pid = ['.finder/server.pid']\n{command}"))), "the server is down");
    // A text of the user's own says how.
    assert_eq!(spawned(&staged(""), "test", "Find it."), Some("Ask finder.\n\nFind it.".to_owned()));
}
