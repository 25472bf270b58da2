//! Takes back verdicts to which a person allowed an exception.

use crate::grant::{EVIDENCE, Grant, Granted, NEVER_GRANTED};
use crate::path::AbsolutePath;
use crate::ruling::Ruling;
use crate::time::Time;
use crate::verdict::{Evidence, Stance, Subject, Verdict};

/// The rules of a policy that a verdict names in its evidence, without where they are written.
fn objecting_rules(verdict: &Verdict) -> impl Iterator<Item = &str> {
    let rules = verdict.evidence.iter().filter(|seen| seen.name == "rule");
    // A rule of the user's own is `slow at flyball.toml:5:6: deny`; others may only warn or observe.
    rules.filter_map(|seen| match seen.value.split_once(" at ") {
        None => Some(seen.value.as_str()),
        Some((id, rest)) => [": deny", ": ask"].iter().any(|action| rest.ends_with(action)).then_some(id),
    })
}

/// What people allowed in a project, at this time.
pub(crate) struct ActiveGrants<'a> {
    pub(crate) grants: &'a [Grant],
    /// The project's root, without symlinks.
    pub(crate) root: &'a AbsolutePath,
    pub(crate) now: Time,
}

fn is_about(subject: &Subject, file: &AbsolutePath, root: &AbsolutePath) -> bool {
    match subject {
        Subject::File(path) => path == file,
        // `gaming.suppression:src/app.py`: an intent that names the file it is about.
        Subject::Intent(intent) => intent.split_once(':').is_some_and(|(_, path)| root.join(path) == *file),
    }
}

/// Takes back the verdicts to which a person allowed an exception. What they would have been stays in the evidence.
pub(crate) fn lift(rulings: &mut [Ruling], active: &ActiveGrants<'_>) {
    for ruling in rulings.iter_mut().filter(|ruling| ruling.verdict.stance >= Stance::Ask) {
        let is_lifting = |grant: &&Grant| grant.is_active(active.now) && lifts(grant, ruling, active.root);
        let Some(grant) = active.grants.iter().find(is_lifting) else {
            continue;
        };
        let Verdict { stance, reasons, mut evidence, rewrites, context, notices, .. } =
            std::mem::take(&mut ruling.verdict);
        let reason = reasons.first().map(|reason| format!(": {}", reason.text())).unwrap_or_default();
        let value = format!("`{}` by a person, for a while; otherwise {}{reason}", grant.name, stance.name());
        evidence.push(Evidence { name: EVIDENCE.to_owned(), value });
        ruling.verdict = Verdict { evidence, rewrites, context, notices, ..Verdict::default() };
    }
}

/// Whether a grant lifts the verdict of a policy.
fn lifts(grant: &Grant, ruling: &Ruling, root: &AbsolutePath) -> bool {
    match &grant.granted {
        _ if ruling.policy.as_str() == NEVER_GRANTED => false,
        Granted::Rule(id) if id == ruling.policy.as_str() => true,
        Granted::Rule(id) => {
            let mut rules = objecting_rules(&ruling.verdict).peekable();
            rules.peek().is_some() && rules.all(|rule| rule == id)
        }
        // A guard that could not judge does not know what the call does to other files.
        Granted::File(_) if ruling.error.is_some() => false,
        Granted::File(file) => {
            let subjects = &ruling.verdict.subjects;
            !subjects.is_empty() && subjects.iter().all(|subject| is_about(subject, file, root))
        }
    }
}

#[cfg(test)]
mod tests;
