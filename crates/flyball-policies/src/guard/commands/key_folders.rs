//! Folders that hold keys by their name, where nothing else is known about them, and that leave the machine.

use flyball_core::path::AbsolutePath;
use flyball_effects::{FileAct, NetworkEffect, Sent, Target};

use super::context::Context;
use super::finding::Finding;
use super::leaks::{sends, shows_only_facts};

/// The names of such folders.
const KEY_FOLDERS: &[&str] = &["certs", "keys", "secrets", "private-keys", ".ssh", ".gnupg"];

/// `scp -r certs host:`, `cat certs/* | curl --data-binary @- …`
pub(super) fn send_key_folder(context: &Context<'_>) -> Option<Finding> {
    let (to, folder) =
        sends(context).find_map(|network| Some((network.to.as_deref(), sent(context, network)?)))?;
    let to = to.unwrap_or("another machine");
    Finding::new(
        format!("this would send {folder}, which may hold keys, to {to}"),
        "A key that leaves the machine is no longer secret",
        "Send only the files that are needed, by their names, or let the user decide",
    )
    .map(|finding| finding.about(folder))
}

/// The folder of keys that a call of the network sends, itself or through files and pipes of the line.
fn sent(context: &Context<'_>, network: &NetworkEffect) -> Option<AbsolutePath> {
    let mut sources = context.upstream(network.command);
    sources.push(network.command);
    for sent in &network.sends {
        let Sent::File(target) = sent else { continue };
        if let Some(folder) = key_folder(context, target) {
            return Some(folder);
        }
        sources.extend(writers(context, target));
    }
    let reads = context.effects().files.iter().filter(|effect| {
        matches!(effect.act, FileAct::Read | FileAct::Anything) && sources.contains(&effect.command)
    });
    let reads = reads.filter(|effect| !shows_only_facts(context, effect.command));
    reads.into_iter().find_map(|effect| key_folder(context, &effect.target))
}

/// The commands that write a file. Whatever their order: a pipe with a name is read before it is written.
fn writers(context: &Context<'_>, target: &Target) -> Vec<usize> {
    let file = context.locate_target(target);
    let writes = context.effects().files.iter().filter(|effect| {
        let is_write = matches!(effect.act, FileAct::Write(_) | FileAct::Append(_) | FileAct::Change);
        is_write
            && context.locate_target(&effect.target).paths().iter().any(|path| file.paths().contains(path))
    });
    writes.map(|effect| effect.command).collect()
}

/// The folder, if a target is such a folder or a pattern in it, and the disk does not show what is in it.
fn key_folder(context: &Context<'_>, target: &Target) -> Option<AbsolutePath> {
    let place = context.locate_target(target);
    place.paths().iter().find_map(|path| {
        let path = path.trim_end_matches('/');
        let (above, name) = path.rsplit_once('/')?;
        let folder = if name.contains(['*', '?', '[', '(']) { above } else { path };
        let is_named = KEY_FOLDERS.contains(&folder.rsplit('/').next().unwrap_or_default());
        let folder = AbsolutePath::from_root(folder);
        (is_named && !context.exists(&folder)).then_some(folder)
    })
}
