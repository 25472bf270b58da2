//! A compact way to write down what code does: one act a line.

use crate::model::{CodeAct, CodeReading, Content, FileAct, Target};

/// Every act, and `opaque` if there may be more.
pub(super) fn render(reading: &CodeReading) -> Vec<String> {
    let mut lines: Vec<String> = reading.acts.iter().map(act).collect();
    lines.extend(reading.is_opaque.then(|| "opaque".to_owned()));
    lines
}

fn act(act: &CodeAct) -> String {
    match act {
        CodeAct::File { act, path } => file(act, &known(path.as_ref())),
        CodeAct::Network { to, sends } => {
            format!("{} {}", if *sends { "send" } else { "fetch" }, known(to.as_ref()))
        }
        CodeAct::Decoded => "decoded".to_owned(),
        CodeAct::Shell { line } => format!("shell {}", known(line.as_ref())),
        CodeAct::Command { words } => {
            let words: Vec<String> = words.iter().map(|word| known(word.as_ref())).collect();
            format!("run {}", words.join("|"))
        }
    }
}

fn file(act: &FileAct, path: &str) -> String {
    let content = |content: &Content| match content {
        Content::Text(text) => format!(" {text:?}"),
        Content::Unknown => String::new(),
    };
    match act {
        FileAct::Read => format!("read {path}"),
        FileAct::Write(text) => format!("write {path}{}", content(text)),
        FileAct::Append(text) => format!("append {path}{}", content(text)),
        FileAct::Change => format!("change {path}"),
        FileAct::Delete { recursive: false } => format!("delete {path}"),
        FileAct::Delete { recursive: true } => format!("delete-tree {path}"),
        FileAct::Move { to } => format!("move {path} {}", target(to)),
        FileAct::Link { name } => format!("link {path} {}", target(name)),
        FileAct::Attributes { .. } => format!("attributes {path}"),
        FileAct::ApplyPatch | FileAct::Run | FileAct::Anything => format!("{act:?} {path}"),
    }
}

fn target(target: &Target) -> String {
    known(target.word.text.as_ref())
}

fn known(text: Option<&String>) -> String {
    text.cloned().unwrap_or_else(|| "?".to_owned())
}
