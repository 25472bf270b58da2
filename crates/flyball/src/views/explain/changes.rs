//! What would have led to another decision: computed from the record and by judging again, never guessed.

use flyball_board::explanation::Change;
use flyball_core::config::{Layer, Mode};
use flyball_core::event::EventKind;
use flyball_core::record::{Record, RecordedRuling};
use flyball_core::verdict::Stance;
use flyball_policies::guard::{denials, protected};

use super::rejudge::RejudgeableEvent;
use super::settings::{MatchedRule, matched_rules};
use super::{modes, notes, today};
use crate::project_context::line_of;
use crate::views::project::Project;

/// At most this many suggestions are judged.
const MOST_SUGGESTIONS: usize = 3;

/// All changes that are known to matter.
pub(super) fn find(record: &Record, project: &Project) -> Vec<Change> {
    let again = RejudgeableEvent::from_record(record, project);
    let mut changes = again.as_ref().map(|again| suggestions(record, again)).unwrap_or_default();
    let objectors: Vec<&RecordedRuling> = objectors(record).collect();
    for ruling in &objectors {
        changes.extend(without_rules(ruling, record, project));
        changes.extend(without(ruling, record, project));
    }
    if objectors.len() > 1 {
        changes.push(without_all(&objectors, record));
    }
    for ruling in &record.rulings {
        changes.extend(if_counted(ruling, record, project));
    }
    changes.extend(approvals(record));
    changes.extend(again.and_then(|again| today::change(record, &again, project)));
    changes
}

/// The rulings that denied or asked.
fn objectors(record: &Record) -> impl Iterator<Item = &RecordedRuling> {
    record.rulings.iter().filter(|ruling| ruling.counts() && ruling.stance >= Stance::Ask)
}

/// A decision, and the policies that make it.
struct Outcome<'a> {
    stance: Stance,
    by: Vec<&'a str>,
}

impl<'a> Outcome<'a> {
    fn merge(stances: impl Iterator<Item = (&'a str, Stance)>) -> Outcome<'a> {
        let all: Vec<(&str, Stance)> = stances.collect();
        let stance = all.iter().map(|(_, stance)| *stance).max().unwrap_or_default();
        let by = all.into_iter().filter(|(_, own)| *own == stance && stance != Stance::Silent);
        Outcome { stance, by: by.map(|(policy, _)| policy).collect() }
    }

    /// `silent`, `ask: rules`, `still deny: rules objects as well`.
    fn describe(&self, record: &Record) -> String {
        let by = self.by.join(", ");
        match (self.stance, self.stance == record.stance, self.by.len()) {
            (Stance::Silent, ..) => "silent".to_owned(),
            (stance, true, 1) => format!("still {}: {by} objects as well", stance.name()),
            (stance, true, _) => format!("still {}: {by} object as well", stance.name()),
            (stance, false, _) => format!("{}: {by}", stance.name()),
        }
    }
}

/// The decision if some rulings had not counted.
fn merged_without<'a>(record: &'a Record, left_out: &[&RecordedRuling]) -> Outcome<'a> {
    let is_out = |ruling: &RecordedRuling| left_out.iter().any(|out| out.policy == ruling.policy);
    let others = record.rulings.iter().filter(|ruling| ruling.counts() && !is_out(ruling));
    let others: Vec<&RecordedRuling> = others.collect();
    // A repeated denial that is not about a blocked file counts only together with a denial of another policy.
    let is_denied = others.iter().any(|ruling| !only_repeats(ruling) && ruling.stance == Stance::Deny);
    let counts_still = |ruling: &&&RecordedRuling| is_denied || !only_repeats(ruling);
    Outcome::merge(others.iter().filter(counts_still).map(|ruling| (ruling.policy.as_str(), ruling.stance)))
}

/// Whether a ruling only reports that something was denied before, and blocks nothing by itself.
fn only_repeats(ruling: &RecordedRuling) -> bool {
    ruling.policy == denials::POLICY.id.as_str()
        // The name of the evidence is stored in records, so it stays as it was.
        && !ruling.evidence.iter().any(|seen| seen.name == "held file")
}

/// If a policy had not counted: by its mode, or for one run of the client.
fn without(ruling: &RecordedRuling, record: &Record, project: &Project) -> Vec<Change> {
    let policy = &ruling.policy;
    let then = merged_without(record, &[ruling]).describe(record);
    let now = project.mode_of(policy);
    let how = match now {
        Some(Mode::Enforce) => modes::describe_change(project, policy, Mode::Observe),
        Some(mode) => {
            format!("already so: the mode is {} now ({})", mode.name(), project.origins.describe_mode(policy))
        }
        None => "already so: this flyball has no such policy".to_owned(),
    };
    let mut changes =
        vec![Change { if_only: format!("{policy} only observed"), then: then.clone(), how: Some(how) }];
    if now == Some(Mode::Enforce) {
        let if_only = format!("the client ran with `FLYBALL_SKIP={policy}`");
        let how = "a person sets it before starting the client; that is recorded with every event";
        changes.push(Change { if_only, then, how: Some(how.to_owned()) });
    }
    changes
}

fn without_all(objectors: &[&RecordedRuling], record: &Record) -> Change {
    let names: Vec<&str> = objectors.iter().map(|ruling| ruling.policy.as_str()).collect();
    Change {
        if_only: format!("{} all only observed", names.join(", ")),
        then: merged_without(record, objectors).describe(record),
        how: None,
    }
}

/// If one of the user's rules had not counted.
fn without_rules(ruling: &RecordedRuling, record: &Record, project: &Project) -> Vec<Change> {
    let rules = matched_rules(ruling);
    let strongest = |left_out: Option<&str>| {
        let counted = rules.iter().filter(|rule| !rule.observed && Some(rule.id.as_str()) != left_out);
        counted.map(|rule| stance_of(&rule.action)).max().unwrap_or_default()
    };
    // A rule that could not be evaluated has a stance other than its action.
    if strongest(None) != ruling.stance {
        return Vec::new();
    }
    let objecting = rules.iter().filter(|rule| !rule.observed && stance_of(&rule.action) >= Stance::Ask);
    let change = |rule: &MatchedRule| {
        let others = record.rulings.iter().filter(|other| other.counts() && other.policy != ruling.policy);
        let others =
            others.filter(|other| !only_repeats(other)).map(|other| (other.policy.as_str(), other.stance));
        let rest = [(ruling.policy.as_str(), strongest(Some(&rule.id)))];
        Change {
            if_only: format!("the rule `{}` only observed", rule.id),
            then: Outcome::merge(others.chain(rest)).describe(record),
            how: Some(rule_how(rule, project)),
        }
    };
    objecting.map(change).collect()
}

fn rule_how(rule: &MatchedRule, project: &Project) -> String {
    let place = project.origins.rule(&rule.id).and_then(|origin| origin.place.as_ref());
    match place {
        None => "already so: the config no longer has this rule".to_owned(),
        Some(place) if place.layer == Layer::Managed => {
            format!("only the administrator can: it is set in {}", line_of(place))
        }
        Some(place) if rule.observed => {
            format!("without `mode = \"observe\"` in the rule at {}", line_of(place))
        }
        Some(place) => format!("`mode = \"observe\"` in the rule at {}", line_of(place)),
    }
}

fn stance_of(action: &str) -> Stance {
    Stance::from_name(action).unwrap_or_default()
}

/// If a ruling that only observed or was skipped had counted.
fn if_counted(ruling: &RecordedRuling, record: &Record, project: &Project) -> Vec<Change> {
    let policy = &ruling.policy;
    let with = |stance: Stance| {
        let counted = record.rulings.iter().filter(|other| other.counts());
        let counted = counted.map(|other| (other.policy.as_str(), other.stance));
        Outcome::merge(counted.chain([(policy.as_str(), stance)])).describe(record)
    };
    if !ruling.counts() && ruling.stance > record.stance.max(Stance::Allow) {
        let how = if ruling.skipped {
            format!("start the client without {policy} in `FLYBALL_SKIP`")
        } else if project.mode_of(policy) == Some(Mode::Enforce) {
            format!("already so: the mode is enforce now ({})", project.origins.describe_mode(policy))
        } else {
            modes::describe_change(project, policy, Mode::Enforce)
        };
        return vec![Change {
            if_only: format!("{policy} counted"),
            then: with(ruling.stance),
            how: Some(how),
        }];
    }
    let rules = matched_rules(ruling).into_iter().filter(|rule| rule.observed && ruling.counts());
    let stronger = rules.filter(|rule| stance_of(&rule.action) > record.stance.max(Stance::Allow));
    let change = |rule: MatchedRule| Change {
        if_only: format!("the rule `{}` counted", rule.id),
        then: with(stance_of(&rule.action)),
        how: Some(rule_how(&rule, project)),
    };
    stronger.map(change).collect()
}

/// If a person had approved the content of a protected file: only for objections after the fact.
fn approvals(record: &Record) -> Vec<Change> {
    let protected = objectors(record).filter(|ruling| ruling.policy == protected::POLICY.id.as_str());
    let after =
        // Before a call nothing has changed yet that a person could approve.
        protected.filter(|_| !matches!(record.kind, EventKind::BeforeTool | EventKind::PermissionAsked));
    let names = after.flat_map(notes::files);
    let change = |name: String| Change {
        if_only: format!("a person approved `{name}` as it is"),
        then: format!("the events after that do not object to `{name}`"),
        how: Some(format!("`flyball approve {name}` in a terminal")),
    };
    names.map(change).collect()
}

/// If the agent had run what the reasons suggest.
fn suggestions(record: &Record, again: &RejudgeableEvent<'_>) -> Vec<Change> {
    if !again.is_command() {
        return Vec::new();
    }
    let instead = objectors(record).flat_map(|ruling| &ruling.reasons).map(|reason| reason.instead.as_str());
    let mut commands: Vec<&str> = Vec::new();
    for command in instead.flat_map(suggested) {
        if !commands.contains(&command) {
            commands.push(command);
        }
    }
    if commands.is_empty() {
        return Vec::new();
    }
    // Judged once without a change, to see which policies ask git anyway.
    let usual = again.rejudge();
    let change = |command: &&str| {
        let judged = again.rejudge_with(command)?;
        // Some policies always query git and decide without its answer. One that queries it only for this command cannot
        // be predicted.
        let lacks_git = judged.asked_git.difference(&usual.asked_git).next().is_some();
        let then = match (lacks_git, judged.stance) {
            (true, _) => "unknown without asking git".to_owned(),
            (false, Stance::Silent) => "silent: this would pass".to_owned(),
            (false, stance) => format!("{}: {}", stance.name(), judged.by.join(", ")),
        };
        Some(Change { if_only: format!("the command was `{command}`"), then, how: None })
    };
    commands.iter().take(MOST_SUGGESTIONS).filter_map(change).collect()
}

/// The commands in a text like "Use `uv add x` instead of `pip y`"; a word alone is the name of a tool.
fn suggested(text: &str) -> impl Iterator<Item = &str> {
    let parts: Vec<&str> = text.split('`').collect();
    // Every second part is between backticks.
    let quoted = parts.windows(3).step_by(2).filter_map(|part| match part {
        [before, command, _] if ["Run ", "Use ", "use "].iter().any(|verb| before.ends_with(verb)) => {
            Some(command.trim())
        }
        _ => None,
    });
    quoted.filter(|command| command.contains(' ')).collect::<Vec<_>>().into_iter()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_suggested_command_follows_run_or_use() {
        let cases: [(&str, &[&str]); 6] = [
            ("Use `uv add requests`", &["uv add requests"]),
            ("Run `uv add requests`", &["uv add requests"]),
            ("Use `uv x y` instead of `pip x`; use `pnpm y` instead of `npm y`", &["uv x y", "pnpm y"]),
            ("Use `find_symbol` for `Foo`", &[]),
            ("Use ``", &[]),
            ("Use `never ended", &[]),
        ];
        for (text, expected) in cases {
            assert_eq!(suggested(text).collect::<Vec<_>>(), expected, "{text}");
        }
    }
}
