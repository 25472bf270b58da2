//! What commands leave running, under a client that is really above the hooks and the commands.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::{CONFIG, Session, stopping};
use crate::support::{Project, git, program, unique};

struct Client {
    project: Project,
    process: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

/// Listens at once, and until it is killed.
const SERVER: &str = "import os, socket, time\ns = socket.socket()\ns.bind(('127.0.0.1', 0))\ns.listen()\nopen('server.pid', 'w').write(str(os.getpid()))\ntime.sleep(60)\n";
/// Until a file says more.
const WORKER: &str = "import os, time\nopen('worker.pid', 'w').write(str(os.getpid()))\nwhile not os.path.exists('go'):\n    time.sleep(0.01)\nopen('src/b.py', 'w').write('generated\\n')\n";

impl Client {
    fn new() -> Client {
        let Session(project) = Session::new(CONFIG);
        project.file("app.py", SERVER).file("work.py", WORKER).file("chain.sh", "python3 work.py & exit 0\n");
        let mut command = Command::new("python3");
        let script = project.folder().join("client.py");
        std::fs::write(&script, include_str!("client.py")).unwrap();
        command.arg(&script).current_dir(project.root()).env_clear();
        command.env("HOME", project.home()).env("PATH", std::env::var_os("PATH").unwrap());
        let mut process = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        let input = process.stdin.take().unwrap();
        let output = BufReader::new(process.stdout.take().unwrap());
        let mut client = Client { project, process, input, output };
        assert_eq!(client.hook("UserPromptSubmit", json!({ "prompt": "begin" })), "");
        client
    }

    fn send(&mut self, step: &Value) -> Value {
        writeln!(self.input, "{step}").unwrap();
        let mut line = String::new();
        self.output.read_line(&mut line).unwrap();
        serde_json::from_str(&line).unwrap()
    }

    fn hook(&mut self, event: &str, fields: Value) -> String {
        let words = [&program().to_string_lossy(), "hook", "--client", "claude-code", "--event", event]
            .map(str::to_owned);
        let payload = self.project.payload(event, fields);
        let seen = self.send(&json!({ "hook": words, "payload": payload }));
        assert_eq!((&seen["status"], &seen["stderr"]), (&json!(0), &json!("")), "{seen}");
        seen["stdout"].as_str().unwrap().to_owned()
    }

    /// The agent runs a command.
    fn run(&mut self, line: &str) {
        let (id, input) = (unique(), json!({ "command": line }));
        self.hook("PreToolUse", json!({ "tool_name": "Bash", "tool_input": input, "tool_use_id": id }));
        self.send(&json!({ "run": line }));
        let response = json!({ "stdout": "", "stderr": "", "interrupted": false, "isImage": false });
        let fields = json!({
            "tool_name": "Bash", "tool_input": input, "tool_use_id": id, "tool_response": response, "duration_ms": 1,
        });
        assert_eq!(self.hook("PostToolUse", fields), "");
    }

    fn stop(&mut self) -> String {
        self.hook("Stop", stopping(json!([])))
    }

    fn user_saves(&self) {
        self.project.file("src/b.py", "the user's\n");
    }

    /// Waits until a program that the agent started says that it is there.
    fn wait_for(&self, file: &str) -> String {
        self.wait_until(file, |text| !text.is_empty())
    }

    /// Waits until the worker that the agent started has written.
    fn wait_for_work(&self) {
        self.wait_until("src/b.py", |text| text == "generated\n");
    }

    fn wait_until(&self, file: &str, is_it: impl Fn(&str) -> bool) -> String {
        let began = Instant::now();
        loop {
            let text = std::fs::read_to_string(self.project.root().join(file)).unwrap_or_default();
            if is_it(&text) {
                return text;
            }
            assert!(began.elapsed() < Duration::from_secs(60), "{file} is still {text:?}");
            std::thread::sleep(Duration::from_millis(5));
        }
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        for name in ["server.pid", "worker.pid"] {
            if let Ok(id) = std::fs::read_to_string(self.project.root().join(name)) {
                Command::new("/bin/sh").args(["-c", "kill \"$0\" 2>/dev/null", &id]).status().ok();
            }
        }
        self.process.kill().ok();
        self.process.wait().ok();
    }
}

#[test]
fn what_the_user_saves_while_a_server_of_the_agent_runs_is_theirs() {
    for line in ["python3 app.py &", "nohup python3 app.py >server.log 2>&1 &", "(python3 app.py &)"] {
        let mut client = Client::new();
        client.run(line);
        client.wait_for("server.pid");
        assert_eq!(client.stop(), "");
        client.user_saves();
        assert_eq!(client.stop(), "", "{line}");
    }
}

#[test]
fn what_the_user_saves_after_what_was_left_has_ended_is_theirs() {
    for line in ["./generate &", "nohup true &", "setsid true", "python3 -c 'import os; os.fork()' &"] {
        let mut client = Client::new();
        client.run(&format!("{line} sleep 0.3"));
        client.user_saves();
        assert_eq!(client.stop(), "", "{line}");
    }
}

#[test]
fn what_was_left_and_runs_may_write() {
    for line in ["python3 work.py &", "nohup python3 work.py &", "setsid -f python3 work.py", "sh chain.sh &"]
    {
        let mut client = Client::new();
        client.run(line);
        client.wait_for("worker.pid");
        assert_eq!(client.stop(), "");
        client.project.file("go", "");
        client.wait_for_work();
        assert!(client.stop().contains("src/b.py"), "{line}");
    }
}

#[test]
fn what_was_left_writes_no_more_once_it_has_ended() {
    let mut client = Client::new();
    client.run("python3 work.py &");
    let worker = client.wait_for("worker.pid");
    assert_eq!(client.stop(), "");
    client.project.file("go", "");
    client.wait_for_work();
    client.wait_until(&format!("/proc/{worker}/stat"), |text| text.is_empty() || text.contains(") Z "));
    assert!(client.stop().contains("src/b.py"));
    git(&client.project, &["checkout", "--quiet", "src/b.py"]);
    assert_eq!(client.stop(), "");
    client.user_saves();
    assert_eq!(client.stop(), "");
}

#[test]
fn what_went_on_in_another_process_may_write() {
    let mut client = Client::new();
    client.project.file("first.sh", "while [ ! -e second ]; do sleep 0.01; done\nsetsid python3 work.py &\n");
    client.run("sh first.sh &");
    assert_eq!(client.stop(), "");
    client.project.file("second", "");
    client.wait_for("worker.pid");
    assert_eq!(client.stop(), "");
    client.project.file("go", "");
    client.wait_for_work();
    assert!(client.stop().contains("src/b.py"));
}

#[test]
fn a_shell_that_writes_later_is_no_server_because_it_started_one() {
    let mut client = Client::new();
    let line = "(python3 app.py & while [ ! -e go ]; do sleep 0.01; done; echo generated > src/b.py) &";
    client.run(line);
    client.wait_for("server.pid");
    assert_eq!(client.stop(), "");
    client.project.file("go", "");
    client.wait_for_work();
    assert!(client.stop().contains("src/b.py"));
}
