//! Copies between machines: `scp`, `rsync`, buckets.

use super::super::call::{Call, base_name};
use super::super::collector::Collector;
use super::{file, is_remote};
use crate::model::{Content, FileAct, OpaqueReason, Sent, Word};

/// `scp`
pub(in super::super) fn scp(call: &Call, found: &mut Collector) {
    let Some((to, sources)) = call.operands.split_last() else { return };
    transfer(call, sources, to, found);
}

/// `rsync`
pub(in super::super) fn rsync(call: &Call, found: &mut Collector) {
    if call.has("n dry-run") {
        return;
    }
    let Some((to, sources)) = call.operands.split_last() else { return };
    transfer(call, sources, to, found);
    call.reads_values("files-from exclude-from include-from password-file", found);
    call.writes_values("log-file", found);
    // `--del`, `--delete`, `--delete-after` …
    if call.options.iter().any(|given| given.name.starts_with("del")) && !is_remote(to) {
        // What the source does not have is deleted.
        found.file(FileAct::Delete { recursive: true }, call.target(to), "rsync --delete");
        found.opaque(OpaqueReason::Program, call.name);
    }
    if call.has("remove-source-files") {
        let local = sources.iter().copied().filter(|word| !is_remote(word));
        call.each(local, &FileAct::Delete { recursive: true }, found);
    }
}

/// Files go to another machine, or come from one.
fn transfer(call: &Call, sources: &[&Word], to: &Word, found: &mut Collector) {
    if is_remote(to) {
        let sends = sources.iter().filter(|word| !is_remote(word)).map(|word| file(call, word)).collect();
        return found.network(to.text.clone(), sends);
    }
    for source in sources {
        let is_from_elsewhere = is_remote(source);
        if is_from_elsewhere {
            found.network(source.text.clone(), Vec::new());
        } else {
            found.file(FileAct::Read, call.target(source), call.name);
        }
        let mut place = call.target(to);
        // rsync copies the content of `folder/`, so no name is added below the target.
        let text = source.text.as_deref().filter(|text| call.name != "rsync" || !text.ends_with('/'));
        let name = text.and_then(|text| base_name(text.rsplit(':').next().unwrap_or(text)));
        place.or_below = name.map(str::to_owned);
        place.word.glob |= source.glob;
        found.file(FileAct::Write(Content::Unknown), place, call.name);
    }
}

/// `aws s3 cp`; of its other verbs nothing is known.
pub(in super::super) fn aws(call: &Call, found: &mut Collector) {
    match call.operands.as_slice() {
        [service, verb, rest @ ..] if service.is("s3") => bucket_verb(call, verb, rest, found),
        [] => {}
        _ => {
            found.network(None, values_sent(call));
            found.opaque(OpaqueReason::Program, call.name);
        }
    }
}

/// `gsutil cp`, `rclone copy`, `gcloud storage cp`
pub(in super::super) fn buckets(call: &Call, found: &mut Collector) {
    match call.operands.as_slice() {
        [service, verb, rest @ ..] if call.name == "gcloud" && service.is("storage") => {
            bucket_verb(call, verb, rest, found);
        }
        [verb, rest @ ..] if call.name != "gcloud" => bucket_verb(call, verb, rest, found),
        [] => {}
        _ => found.opaque(OpaqueReason::Program, call.name),
    }
}

fn bucket_verb(call: &Call, verb: &Word, places: &[&Word], found: &mut Collector) {
    let copies =
        ["cp", "mv", "sync", "rsync", "copy", "move", "copyto", "moveto"].iter().any(|name| verb.is(name));
    match places.split_last() {
        Some((to, sources)) if copies && !sources.is_empty() => {
            transfer(call, sources, to, found);
            if verb.is("mv") || verb.is("move") || verb.is("moveto") {
                let local = sources.iter().copied().filter(|word| !is_remote(word));
                call.each(local, &FileAct::Delete { recursive: true }, found);
            }
            // `rclone sync` deletes what the source does not have.
            let mirrors = call.has("delete") || (call.name == "rclone" && verb.is("sync"));
            if mirrors && !is_remote(to) && !call.has("n dry-run dryrun") {
                found.file(FileAct::Delete { recursive: true }, call.target(to), call.name);
                found.opaque(OpaqueReason::Program, call.name);
            }
        }
        Some((place, _)) => found.network(place.text.clone(), Vec::new()),
        None => {}
    }
}

/// `--body file://x`, `--cli-input-json file://x`
fn values_sent(call: &Call) -> Vec<Sent> {
    let words = call.arguments.iter().filter_map(|word| {
        let text = word.text.as_deref()?;
        text.strip_prefix("file://").or_else(|| text.strip_prefix("fileb://"))
    });
    words.map(|path| Sent::File(call.target(&Word::literal(path)))).collect()
}
