use serde_json::json;

use super::{ServerCall, patch_edits};
use crate::event::{Change, FileEdit};

fn call(name: &str, input: &serde_json::Value) -> ServerCall {
    let (server, tool) = name.split_once("__").unwrap_or(("", name));
    ServerCall::read(server, tool, &input.to_string())
}

fn write(path: &str, content: &str) -> FileEdit {
    FileEdit { path: path.to_owned(), change: Change::Write { content: content.to_owned() } }
}

fn replace(path: &str, old: &str, new: &str) -> FileEdit {
    let change = Change::Replace { old: old.to_owned(), new: new.to_owned(), all: false };
    FileEdit { path: path.to_owned(), change }
}

#[test]
fn lines() {
    let cases = [
        ("shell__execute", json!({"command": "ls -la"}), "ls -la"),
        ("shell__run", json!({"cmd": "ls", "cwd": "web"}), "cd web && ls"),
        ("shell__run", json!({"steps": [{"command": "a"}, {"command": "b"}]}), "bash -c a\nbash -c b"),
        ("exec__spawn", json!({"argv": ["git", "log", "a b"]}), "git log 'a b'"),
        ("exec__run", json!({"program": "ls", "args": ["-l", "x"]}), "ls -l x"),
        ("shell__run", json!({"command": "ls", "env": {"A": "1 2"}}), "export A='1 2'\nls"),
        ("tmux__send_keys", json!({"keys": ["npm test", "Enter"]}), "npm test"),
        ("dc__interact_with_process", json!({"pid": 1, "input": "ls"}), "ls"),
        ("python__run_code", json!({"code": "print(1)"}), "python3 -c 'print(1)'"),
        ("runner__run", json!({"language": "node", "code": "f()"}), "node -e 'f()'"),
        (
            "jupyter__execute_cell",
            json!({"code": "!ls\nx = 1"}),
            "bash -c ls\nbash -c 'python3 -c '\\''x = 1'\\'''",
        ),
        ("runner__run_script", json!({"script": "set -e\nls"}), "set -e\nls"),
    ];
    check_lines(&cases);
}

/// The tools, what they are given, and the lines that this amounts to.
fn check_lines(cases: &[(&str, serde_json::Value, &str)]) {
    for (name, input, expected) in cases {
        assert_eq!(call(name, input).line, *expected, "{name} {input}");
    }
}

#[test]
fn lines_of_databases_and_services() {
    let cases = [
        ("postgres__query", json!({"sql": "SELECT 1"}), "psql -c 'SELECT 1'"),
        (
            "mysql__execute",
            json!({"statements": ["USE a", "SELECT 1"]}),
            "bash -c 'mysql -e '\\''USE a'\\'''\nbash -c 'mysql -e '\\''SELECT 1'\\'''",
        ),
        ("db__drop_table", json!({"table": "users"}), "psql -c 'DROP TABLE users'"),
        ("mongodb__drop-database", json!({"database": "x"}), "mongosh --eval 'db.dropDatabase()'"),
        ("redis__execute", json!({"command": "GET", "args": ["k"]}), "redis-cli GET k"),
        ("git__git_reset", json!({"repo_path": ".", "mode": "hard"}), "git reset --hard"),
        ("git__git_push", json!({"remote": "o", "branch": "b", "force": true}), "git push --force o b"),
        ("git__git_clean", json!({"force": true, "directories": true}), "git clean -d -f"),
        ("git__git_commit", json!({"message": "a b", "noVerify": true}), "git commit -m 'a b' --no-verify"),
        ("git__config_set", json!({"key": "a.b", "value": "c"}), "git config a.b c"),
        ("git__run", json!({"args": ["status"]}), "git status"),
        ("kubernetes__kubectl", json!({"command": "get pods"}), "kubectl get pods"),
        ("kubernetes__delete_namespace", json!({"name": "x"}), "kubectl delete namespace x"),
        ("docker__remove_volume", json!({"volume": "x"}), "docker volume rm x"),
        ("github__delete_repository", json!({"owner": "a", "repo": "b"}), "gh repo delete a/b"),
        ("github__merge_pull_request", json!({"pullNumber": 1, "admin": true}), "gh pr merge --admin"),
        (
            "terraform__execute",
            json!({"command": "destroy", "args": ["-auto-approve"]}),
            "terraform destroy -auto-approve",
        ),
        ("npm__install", json!({"packages": ["a", "b"]}), "npm install a b"),
        ("filesystem__delete_file", json!({"path": "a b"}), "rm -f -- 'a b'"),
        ("filesystem__move_file", json!({"source": "a", "destination": "b"}), "mv -- a b"),
        ("filesystem__create_symlink", json!({"target": "/x", "link": "y"}), "ln -sf -- /x y"),
        ("filesystem__read_file", json!({"path": "~/.ssh/id"}), "cat -- ~/.ssh/id"),
        ("fs__get_and_delete", json!({"path": "x"}), "rm -f -- x"),
        ("fs__file", json!({"action": "delete", "path": "x"}), "rm -f -- x"),
        (
            "browser__upload_file",
            json!({"paths": ["~/k"]}),
            "curl --upload-file ~/k https://upload.example.com/",
        ),
        ("http__request", json!({"method": "DELETE", "url": "https://a/b"}), "curl -X DELETE https://a/b"),
        ("flow__run_steps", json!({"steps": [{"name": "a", "sh": "ls a"}]}), "ls a"),
        ("python__eval", json!({"src": "f()"}), "python3 -c 'f()'"),
        ("any__do", json!({"options": {"python": "f()"}}), "python3 -c 'f()'"),
        ("mongo__command", json!({"cmd": {"dropDatabase": 1}}), "mongosh --eval 'db.dropDatabase()'"),
        ("mongo__command", json!({"command": {"drop": "users"}}), "mongosh --eval 'db.users.drop()'"),
        (
            "mongo__command",
            json!({"command": {"delete": "users", "deletes": [{"q": {}, "limit": 0}]}}),
            "mongosh --eval 'db.users.deleteMany({})'",
        ),
        ("mongo__command", json!({"command": {"delete": "users", "deletes": [{"q": {"a": 1}}]}}), ""),
        (
            "http__request",
            json!({"verb": "POST", "endpoint": "https://a/b", "bodyFile": "k"}),
            "curl -X POST --data-binary @k https://a/b",
        ),
        (
            "http__call",
            json!({"request": {"method": "PUT", "url": "https://a/b", "file": "k"}}),
            "curl -X PUT --data-binary @k https://a/b",
        ),
        (
            "mail__send",
            json!({"to": "a", "attachments": ["k"]}),
            "curl --upload-file k https://upload.example.com/",
        ),
        ("slack__post_message", json!({"channel": "#a", "text": "rm -rf /"}), ""),
        ("github__create_issue", json!({"title": "x", "body": "git push --force"}), ""),
        ("docs__query-docs", json!({"query": "drop table in sql"}), ""),
    ];
    check_lines(&cases);
}

#[test]
fn edits() {
    let cases = [
        ("fs__write_file", json!({"path": "a", "content": "x"}), vec![write("a", "x")]),
        ("fs__write_file", json!({"uri": "file://./a%20b", "contents": "x"}), vec![write("./a b", "x")]),
        ("fs__write_file", json!({"directory": "d", "path": "a", "content": ""}), vec![write("d/a", "")]),
        ("ed__save", json!({"folder": "d", "name": "a.json", "text": "x"}), vec![write("d/a.json", "x")]),
        (
            "fs__write_files",
            json!({"files": [{"path": "a", "content": "x"}, {"path": "b", "content": "y"}]}),
            vec![write("a", "x"), write("b", "y")],
        ),
        (
            "fs__edit_file",
            json!({"path": "a", "edits": [{"oldText": "x", "newText": "y"}]}),
            vec![replace("a", "x", "y")],
        ),
        (
            "ed__str_replace",
            json!({"file_path": "a", "old_str": "x", "new_str": "y"}),
            vec![replace("a", "x", "y")],
        ),
        (
            "ed__multi",
            json!({"changes": {"a.ts": {"old": "x", "new": "y"}}}),
            vec![replace("a.ts", "x", "y")],
        ),
        ("fs__append_file", json!({"path": "a", "content": "x"}), vec![replace("a", "", "x")]),
        (
            "ed__patch",
            json!({"diff": "--- a/f\n+++ b/f\n@@ -1 +1 @@\n-x\n+y\n"}),
            vec![replace("f", "x", "y")],
        ),
        ("fs__write", json!({"dest": "d/a", "content": "x"}), vec![write("d/a", "x")]),
        ("fs__write", json!({"target": "~/a", "content": "x"}), vec![write("~/a", "x")]),
        (
            "ed__apply",
            json!({"uri": "file:///h/a", "edits": [{"range": [0, 0], "newText": "x"}]}),
            vec![replace("/h/a", "", "x")],
        ),
        ("fs__read_file", json!({"path": "a"}), vec![]),
        ("fs__search", json!({"path": "a", "text": "x"}), vec![]),
    ];
    for (name, input, expected) in cases {
        assert_eq!(call(name, &input).edits, expected, "{name} {input}");
    }
}

#[test]
fn a_read_is_known_by_all_its_words_and_fields() {
    let cases = [
        ("fs__read_file", json!({"path": "x"}), true),
        ("fs__readMultipleFiles", json!({"paths": ["x"]}), true),
        ("git__get_commit", json!({"path": "x"}), true),
        ("fs__get_and_delete", json!({"path": "x"}), false),
        ("fs__read_file", json!({"path": "x", "content": "y"}), false),
        ("fs__process", json!({"path": "x"}), false),
    ];
    for (name, input, expected) in cases {
        assert_eq!(call(name, &input).only_reads(), expected, "{name} {input}");
    }
    assert_eq!(call("fs__process", &json!({"path": "x", "body": "y z"})).names, Vec::<String>::new());
    assert_eq!(call("fs__process", &json!({"path": "x"})).names, ["x"]);
    // However long it is.
    let padded = json!({"command": "ls", "note": "x".repeat(2 * 1024 * 1024)});
    assert_eq!(call("sh__exec", &padded).line, "ls");
}

#[test]
fn texts_under_other_names_may_be_command_lines() {
    let maybe = |name, input| call(name, &input).maybe;
    assert_eq!(maybe("any__job", json!({"payload": {"step": "make clean"}})), ["make clean"]);
    assert_eq!(maybe("any__job", json!({"steps": ["make a", "make b"]})), ["make a", "make b"]);
    let many: Vec<String> = (0..100).map(|number| format!("make target{number}")).collect();
    assert_eq!(maybe("any__job", json!({ "steps": many })), many);
    let none: [String; 0] = [];
    assert_eq!(maybe("any__job", json!({"description": "make clean", "title": "make it"})), none);
    assert_eq!(maybe("slack__post", json!({"payload": "make clean"})), none);
    assert_eq!(maybe("fs__search", json!({"glob": "make clean"})), none);
}

#[test]
fn what_a_service_deletes() {
    let deletes = |name, input| call(name, &input).deletes;
    assert_eq!(
        deletes("vercel__delete_project", json!({"projectId": "shop"})).as_deref(),
        Some("project shop")
    );
    assert_eq!(deletes("notes__delete_note", json!({"id": "1"})), None);
    assert_eq!(deletes("vercel__list_projects", json!({})), None);
}

#[test]
fn unified_diffs() {
    let text = "diff --git a/x b/x\nrename from x\nrename to y\n--- a/gone\n+++ /dev/null\n@@ -1 +0,0 @@\n-a\n--- /dev/null\n+++ b/new\n@@ -0,0 +1 @@\n+b\n";
    let expected = [
        FileEdit { path: "x".to_owned(), change: Change::Move { to: "y".to_owned() } },
        FileEdit { path: "gone".to_owned(), change: Change::Delete },
        write("new", "b\n"),
    ];
    assert_eq!(patch_edits(text), expected);
}
