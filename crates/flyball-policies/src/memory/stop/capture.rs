//! Asks a model what a session taught, and makes reports of what is new.
//!
//! An error here is only reported: a session never waits for a model twice for the same reason.

use flyball_core::path::strip_folder;
use flyball_core::policy::{PolicyError, Situation};
use flyball_core::redact::redact;
use flyball_core::text;
use flyball_core::workshop::Workshop;
use flyball_knowledge::node::{self, Rule};
use flyball_knowledge::report::ledger::{self, Line, Recorded};
use flyball_knowledge::report::{Draft, Origin};
use flyball_knowledge::similar;

use super::question::{self, Confidence, Learning};
use super::settings::Model;
use super::state::State;
use crate::models::{Query, Size};

/// How much of a model's answer is read, in characters.
const MOST_CHARS: usize = 12_000;

/// How long a title and a text may be, in characters.
const TITLE_CHARS: usize = 80;
const DETAIL_CHARS: usize = 800;

/// The result of a query.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Inputs {
    /// The model that replied; empty if none did.
    pub(super) by: String,
    /// The new reports.
    pub(super) recorded: Vec<Line>,
    /// How many learnings were known already.
    pub(super) known: usize,
    /// What went wrong, without secrets.
    pub(super) errors: Vec<String>,
}

/// Asks what there is to be learned and records it.
pub(super) fn ask(
    situation: &Situation<'_>,
    state: &State,
    model: &Model,
    workshop: &dyn Workshop,
) -> Inputs {
    let mut inputs = Inputs::default();
    let talk = match read_transcript(situation, model.chars) {
        Ok(talk) => talk,
        Err(why) => return Inputs { errors: vec![why], ..inputs },
    };
    let query = Query {
        providers: &model.providers,
        server: &|provider| model.server(provider),
        size: Size::Small,
        timeout: model.deadline.duration(),
        question: &question::write(&talk, state.new_signs()),
        most_chars: MOST_CHARS,
    };
    let Some(reply) = query.consult(workshop, &mut inputs.errors) else { return inputs };
    inputs.by = reply.source;
    match question::read(&reply.text) {
        Ok(learnings) => learnings.iter().for_each(|learning| record(learning, workshop, &mut inputs)),
        Err(why) => inputs.errors.push(format!("{}: {why}", inputs.by)),
    }
    inputs
}

/// The end of the session.
fn read_transcript(situation: &Situation<'_>, most: usize) -> Result<String, String> {
    let event = situation.event;
    let transcript = event.transcript.as_ref().ok_or("the client gave no transcript")?;
    let talk = situation.world.recent_conversation(&event.client, transcript, most);
    let talk = talk.map_err(|error| error.to_string())?.unwrap_or_default();
    if talk.is_empty() { Err("the transcript is empty".to_owned()) } else { Ok(talk) }
}

fn record(learning: &Learning, workshop: &dyn Workshop, inputs: &mut Inputs) {
    let draft = draft(learning, workshop);
    let recorded = match is_known(&draft, workshop, &inputs.recorded) {
        Ok(true) => Ok(None),
        Ok(false) => ledger::record(workshop, &draft).map(Some),
        Err(error) => Err(error),
    };
    match recorded {
        Ok(Some(Recorded::New(id))) => {
            inputs.recorded.push(Line { id, title: draft.title, folder: draft.folder, at: workshop.now() });
        }
        Ok(None | Some(Recorded::Again(_) | Recorded::Rejected(_))) => inputs.known += 1,
        Err(error) => inputs.errors.push(error.to_string()),
    }
}

/// Whether a rule or a report says it already.
fn is_known(draft: &Draft, workshop: &dyn Workshop, new: &[Line]) -> Result<bool, PolicyError> {
    let place = workshop.real_path(workshop.project_root(), &format!("{}/", draft.folder));
    let nodes = node::covering(workshop, &format!("{place}/"))?;
    let whole = format!("{} {}", draft.title, draft.detail);
    let says = |rule: Rule| {
        similar::is_same(&draft.title, &rule.title)
            || similar::is_same(&draft.detail, &rule.text)
            || similar::is_same(&whole, &format!("{} {}", rule.title, rule.text))
    };
    if nodes.iter().flat_map(node::rules).any(says) {
        return Ok(true);
    }
    // Only the newest are in the summary; `record` recognises older ones by their sameness.
    let summary = ledger::summary(workshop)?;
    let reports = summary.newest_pending.iter().chain(&summary.newest_accepted).chain(new);
    let is_same = |line: &Line| line.folder == draft.folder && similar::is_same(&draft.title, &line.title);
    Ok(reports.into_iter().any(is_same))
}

/// A learning as a report. It is a model's text about a session: cleaned, cut, and without secrets.
fn draft(learning: &Learning, workshop: &dyn Workshop) -> Draft {
    let Learning { kind, title, detail, path, confidence } = learning;
    let (folder, file) = place(path, workshop);
    let title = short(title, TITLE_CHARS);
    let sure = match confidence {
        Confidence::High => "high",
        Confidence::Low => "low",
    };
    let words: Vec<String> = title
        .split(|it: char| !it.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .map(str::to_lowercase)
        .collect();
    let node = node_of(&folder, workshop);
    Draft {
        kind: *kind,
        origin: Origin::Session,
        operation: format!("a session, read by a model (confidence: {sure})"),
        detail: short(detail, DETAIL_CHARS),
        sameness: format!("session {kind:?} {folder} {}", words.join(" ")),
        said: String::new(),
        command: String::new(),
        file,
        node,
        told_before: Vec::new(),
        agent: String::new(),
        title,
        folder,
    }
}

/// The folder and the file that a model names; the whole project if the path is outside of it.
fn place(path: &str, workshop: &dyn Workshop) -> (String, String) {
    let root = workshop.project_root();
    let real = workshop.real_path(root, path.trim());
    let Some(path) = strip_folder(&real, root) else { return (".".to_owned(), String::new()) };
    let stat = workshop.stat(&real);
    if stat.is_some_and(|stat| stat.is_folder) {
        return (path.to_owned(), String::new());
    }
    let folder = path.rsplit_once('/').map_or(".", |(folder, _)| folder);
    (folder.to_owned(), if stat.is_some() { path.to_owned() } else { String::new() })
}

/// The nearest node that covers a folder, relative to the project's root.
fn node_of(folder: &str, workshop: &dyn Workshop) -> String {
    let root = workshop.project_root();
    let nodes = node::covering(workshop, &format!("{root}/{folder}/")).unwrap_or_default();
    let nearest = node::nearest(&nodes).and_then(|node| strip_folder(&node.path, root));
    nearest.unwrap_or_default().to_owned()
}

fn short(text: &str, most: usize) -> String {
    // Redacted before it is cut: half of a secret is not recognised.
    text::cut_trimmed(&text::one_line(&redact(text)), most).into_owned()
}
