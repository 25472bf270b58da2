//! The clients to register with.

use flyball_clients::install::Scope;

use crate::install::{DetectedClient, Site, detect};
use crate::progress::Progress;

/// Those that are registered with, and those of this machine that are not. `named` are those that the person named.
pub(super) fn choose(
    named: &[String],
    scope: Scope,
    (site, progress): (&Site, &Progress),
) -> (Vec<DetectedClient>, Vec<DetectedClient>) {
    let is_named = |id: &str| named.is_empty() || named.iter().any(|name| name == id);
    let mut found = detect(site, &|client| is_named(client.id()), progress);
    if !named.is_empty() {
        return (found, Vec::new());
    }
    let of_project = scope.is_of_project();
    // Other people may not have a client that only this machine has, so their project gets no file of it. The first in
    // the table is the one that most people use.
    let first = found.first().map(|detected| detected.client.id());
    let is_wanted = |detected: &DetectedClient| {
        detected.in_project || (detected.in_use && (!of_project || Some(detected.client.id()) == first))
    };
    let (mut chosen, mut others): (Vec<_>, Vec<_>) = found.drain(..).partition(is_wanted);
    if chosen.is_empty() {
        let (in_use, unused): (Vec<_>, Vec<_>) = others.drain(..).partition(|detected| detected.in_use);
        chosen = if in_use.is_empty() { unused.into_iter().take(1).collect() } else { in_use };
    }
    others.retain(|detected| detected.in_use);
    (chosen, others)
}
