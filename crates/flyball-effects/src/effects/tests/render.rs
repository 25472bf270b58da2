//! A compact way to write down what a line does.

use crate::model::{
    Content, Directory, Effects, FileAct, NetworkEffect, Opaque, OpaqueReason, Sent, Target, Word,
};

/// Every effect, a `;` between them; `nothing` if there is none.
pub(super) fn render(effects: &Effects) -> String {
    let files = effects.files.iter().map(|effect| file(&effect.act, &effect.target));
    let network = effects.network.iter().map(network);
    let fetched = effects.fetched_code.iter().map(|code| {
        format!("fetched {}{}>{}", if code.is_in_folder { "folder " } else { "" }, code.fetch, code.run)
    });
    let decoded = effects.decoded_code.iter().map(|code| format!("decoded {}>{}", code.decoder, code.run));
    let opaque = effects.opaque.iter().map(opaque);
    let all: Vec<String> = files.chain(network).chain(fetched).chain(decoded).chain(opaque).collect();
    if all.is_empty() { "nothing".to_owned() } else { all.join("; ") }
}

fn file(act: &FileAct, at: &Target) -> String {
    let place = target(at);
    match act {
        FileAct::Read => format!("read {place}"),
        FileAct::Write(content) => format!("write {place}{}", text(content)),
        FileAct::Append(content) => format!("append {place}{}", text(content)),
        FileAct::Change => format!("change {place}"),
        FileAct::Delete { recursive: false } => format!("delete {place}"),
        FileAct::Delete { recursive: true } => format!("delete -r {place}"),
        FileAct::Move { to } => format!("move {place} to {}", target(to)),
        FileAct::Link { name } => format!("link {} to {place}", target(name)),
        FileAct::Attributes { recursive: false } => format!("mark {place}"),
        FileAct::Attributes { recursive: true } => format!("mark -r {place}"),
        FileAct::ApplyPatch => format!("patch by {place}"),
        FileAct::Run => format!("run {place}"),
        FileAct::Anything => format!("any {place}"),
    }
}

fn text(content: &Content) -> String {
    content.text().map(|text| format!("={text:?}")).unwrap_or_default()
}

fn target(target: &Target) -> String {
    let below = target.or_below.as_ref().map(|name| format!("[/{name}]")).unwrap_or_default();
    let directory = match &target.directory {
        Directory::Start => String::new(),
        Directory::OneOf(places) => format!("@{}", places.join("|")),
        Directory::Unknown => "@?".to_owned(),
    };
    format!("{}{below}{directory}", word(&target.word))
}

fn word(word: &Word) -> String {
    match &word.text {
        None => format!("?{}", word.raw),
        Some(text) if word.glob => format!("glob:{text}"),
        Some(text) => text.clone(),
    }
}

fn network(effect: &NetworkEffect) -> String {
    let to = effect.to.as_deref().unwrap_or("?");
    let sends: String = effect.sends.iter().map(sent).collect();
    format!("net {to}{sends}")
}

fn sent(sent: &Sent) -> String {
    match sent {
        Sent::File(at) => format!(" <file:{}", target(at)),
        Sent::Input => " <input".to_owned(),
        Sent::Text(text) => format!(" <{text:?}"),
        Sent::Unknown(raw) => format!(" <?{raw}"),
    }
}

fn opaque(opaque: &Opaque) -> String {
    let why = match opaque.why {
        OpaqueReason::Line => "line",
        OpaqueReason::Program => "program",
        OpaqueReason::Code => "code",
    };
    format!("opaque {why} {}", opaque.text)
}
