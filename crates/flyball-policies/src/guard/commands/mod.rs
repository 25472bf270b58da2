//! Stops commands that destroy work or leak secrets, by what they would do.

mod bypass;
mod checks;
mod context;
mod databases;
mod deleted;
mod deletion;
mod disposable;
mod files;
mod finding;
mod flow;
mod git;
mod hidden;
mod hosts;
mod installs;
mod key_folders;
mod leaks;
mod listed;
mod machine;
mod network;
mod opaque;
mod oversight;
mod persistence;
mod printed;
mod privilege;
mod remote;
mod rule;
mod security;
mod seen;
mod services;
mod settings;
mod shown;
mod table;
#[cfg(test)]
mod tests;
mod tokens;
mod vital;
mod work;
mod written;
mod zone;

pub use rule::{Preset, Setting};
pub use settings::Settings;
pub use table::ids as rule_ids;

use std::collections::BTreeSet;

use flyball_core::config::{Mode, SectionSpec, Tightening};
use flyball_core::event::{EventKind, Tool};
use flyball_core::policy::{OnError, Policy, PolicyError, PolicyId, Situation};
use flyball_core::server::ServerCall;
use flyball_core::snapshot::Snapshot;
use flyball_core::text::Words;
use flyball_core::verdict::{Reason, Snippet, Stance, Subject, Verdict};
use flyball_effects::{FileAct, Line, shell};
use flyball_programs::{Kind, program};

use self::context::{Call, Context};
use self::finding::Finding;
use self::git::call::GitCall;
use self::leaks::holds_private_key;
use self::rule::{Check, Rule};
use self::seen::Seen;
use self::settings::{Stored, Undoable};
use super::secret_files::holds_secret;

pub static POLICY: Policy = Policy {
    id: PolicyId::new("guard.commands"),
    summary: "commands that destroy work, leak secrets or slip past checks do not run",
    page: include_str!("policy.md"),
    listens: &[EventKind::BeforeTool],
    on_error: OnError::Deny,
    mode: Mode::Enforce,
    section: SectionSpec::compiled::<Settings>().raised_by_anyone().tightened_by(&[
        ("preset", Tightening::Later(&["standard", "strict", "paranoid"])),
        ("rules.*", Tightening::Later(&["off", "ask", "deny"])),
        ("undoable", Tightening::Later(&["tell", "ask"])),
    ]),
    run: judge,
    gather: None,
    review: None,
};

fn judge(situation: &Situation<'_>) -> Result<Verdict, PolicyError> {
    let server = situation.server_call();
    let call = situation.event.call();
    let passes_key = || call.is_some_and(|call| holds_private_key(&call.input));
    let edits = matches!(call.map(|call| &call.tool), Some(Tool::Edit(_)))
        || server.is_some_and(|server| !server.edits.is_empty() || !server.maybe.is_empty() || passes_key());
    // What a tool writes is judged by the same rules as what a command writes.
    let no_line = edits.then(|| Line::read(""));
    let Some(line) = situation.effective_line().or(no_line.as_ref()) else { return judge_tool(situation) };
    let settings: Stored = situation.config()?;
    let mut context = Context::new(situation, line);
    // Most lines only look, and neither use nor leave anything for later lines.
    let leaves_traces = edits || line.effects.files.iter().any(|effect| effect.act != FileAct::Read);
    let builds = || line.script.commands.iter().any(flyball_effects::builds);
    let uses_traces =
        leaves_traces || !line.effects.network.is_empty() || !line.effects.files.is_empty() || builds();
    if uses_traces {
        context.seen = flow::recall(situation)?;
    }
    let mut verdict = judge_line(&settings, &context)?;
    if let Some(deep) = situation.deep_line() {
        // What files do that the line runs: only what is certain, because most of them are ordinary scripts.
        let settings = settings.without_doubts();
        let inside = |line| Context::new(situation, line).knowing(context.seen.clone());
        let found = judge_line(&settings, &inside(&deep.line))?;
        if found.stance > verdict.stance {
            verdict = named_files(found, &deep.files);
        }
        if verdict.stance < Stance::Ask
            && let Some(guessed) = &deep.guessed
        {
            verdict.join(doubtful(judge_line(&settings, &inside(guessed))?));
        }
    }
    if verdict.stance < Stance::Ask
        && let Some(found) = server.and_then(|server| judge_texts(situation, &settings, server).transpose())
    {
        verdict.join(found?);
    }
    // Recorded even if nothing could be found in it: what was not read was not judged.
    if let Some(reason) = line.script.unknown.iter().find_map(|unknown| unknown.why.unread()) {
        verdict = verdict.with_evidence("not read to its end", reason);
    }
    if verdict.stance != Stance::Deny && (leaves_traces || context.seen != Seen::default()) {
        flow::remember(situation, &context, &context.seen)?;
    }
    Ok(verdict)
}

/// The verdict about texts that a tool server may run, under names that do not say so.
fn judge_texts(
    situation: &Situation<'_>,
    settings: &Stored,
    server: &ServerCall,
) -> Result<Option<Verdict>, PolicyError> {
    /// How many bytes of such texts are judged, each with what it costs to judge any text.
    const MOST_BYTES: usize = 256 * 1024;
    const TEXT_BYTES: usize = 512;
    let mut bytes_left = MOST_BYTES;
    let unread_rule = table::rules().find(|rule| rule.id == opaque::UNREAD_PART);
    let unread_stance = unread_rule.and_then(|rule| Some((rule, settings.stance(rule)?)));
    let settings = settings.without_doubts();
    for text in server.maybe.iter().filter(|text| starts_program(text)) {
        let Some(rest) = bytes_left.checked_sub(text.len() + TEXT_BYTES) else {
            // What is not judged is not silently free.
            let finding = || opaque::unread_finding("this call has too many texts to read them all", text);
            match unread_stance.filter(|_| shell::may_harm(text)) {
                Some((rule, stance)) => return Ok(finding().map(|found| rule_verdict(rule, stance, found))),
                None => continue,
            }
        };
        bytes_left = rest;
        let line = Line::read(text);
        let mut verdict = judge_line(&settings, &Context::new(situation, &line))?;
        if verdict.stance >= Stance::Ask {
            verdict.stance = Stance::Ask;
            for reason in &mut verdict.reasons {
                reason.what.push_str(" (if the tool runs this text)");
            }
            return Ok(Some(verdict));
        }
    }
    Ok(None)
}

/// Whether a command of a text begins with a program that is known, behind variables and what opens a block.
fn starts_program(text: &str) -> bool {
    const OPENING: Words = Words("(|{|!|if|then|else|elif|do|while|until|time|$");
    text.split([';', '&', '|', '\n', '`', '(']).any(|command| {
        let is_in_front = |word: &&str| word.contains('=') || OPENING.contains(word);
        let first = command.split_ascii_whitespace().find(|word| !is_in_front(word)).unwrap_or_default();
        let name = first.rsplit('/').next().unwrap_or(first);
        program(name).is_some_and(|known| known.kind != Kind::Builtin && name.len() > 1) || name == "cd"
    })
}

/// The verdict about what an unknown program may start: whether it does, the user knows.
fn doubtful(mut verdict: Verdict) -> Verdict {
    if verdict.stance > Stance::Ask {
        verdict.stance = Stance::Ask;
    }
    for reason in &mut verdict.reasons {
        reason.what.push_str(" (if the program in front starts it)");
    }
    verdict
}

/// The verdict with the files in its reasons in which that was found.
fn named_files(mut verdict: Verdict, files: &[String]) -> Verdict {
    const MOST_NAMED: usize = 3;
    let mut names: Vec<String> = files.iter().map(|file| format!("`{file}`")).collect();
    names.dedup();
    if names.is_empty() {
        return verdict;
    }
    if names.len() > MOST_NAMED {
        names.truncate(MOST_NAMED);
        names.push("…".to_owned());
    }
    let place = format!(" (in what this line runs: {})", names.join(", "));
    for reason in &mut verdict.reasons {
        reason.what.push_str(&place);
    }
    verdict
}

fn judge_line(settings: &Stored, context: &Context<'_>) -> Result<Verdict, PolicyError> {
    let line_calls = LineCalls::read(context);
    let mut verdict = Verdict::silent();
    // Not only up to the first finding: a later rule may deny what an earlier one asks about.
    for rule in table::rules() {
        let Some(stance) = settings.stance(rule) else { continue };
        let Some(finding) = check_rule(rule, &rule.check, context, &line_calls)? else { continue };
        let is_told = stance == Stance::Ask && finding.is_in_tree && settings.undoable == Undoable::Tell;
        verdict.join(match context.snapshot().filter(|_| is_told) {
            Some(snapshot) => told_verdict(rule, &finding, snapshot),
            None if is_told => rule_verdict(rule, stance, finding).with_evidence("undo", NOT_COPIED),
            None => rule_verdict(rule, stance, finding),
        });
    }
    Ok(verdict)
}

/// Judges the client's own tool for reading files.
fn judge_tool(situation: &Situation<'_>) -> Result<Verdict, PolicyError> {
    let Some(Tool::Read { path }) = situation.event.call().map(|call| &call.tool) else {
        // A tool server may write what a later line runs.
        if situation.server_call().is_some_and(|call| !call.edits.is_empty()) {
            situation.remember_texts()?;
        }
        return Ok(Verdict::silent());
    };
    let before = flow::recall(situation)?;
    if before != Seen::default() {
        let no_line = Line::read("");
        flow::remember(situation, &Context::new(situation, &no_line), &before)?;
    }
    let is_secret = |path: &str| holds_secret(situation.world.clients(), path);
    // Checking the name first is free, and most files are not secret by it.
    let real = || situation.world.real_path(&situation.event.cwd, path);
    let secret = is_secret(path).then(real).filter(|path| is_secret(path));
    let rule = table::rules().find(|rule| rule.id == network::READ_SECRET);
    let (Some(secret), Some(rule)) = (secret, rule) else { return Ok(Verdict::silent()) };
    let stance = situation.config::<Stored>()?.stance(rule);
    let verdict =
        stance.and_then(|stance| Some(rule_verdict(rule, stance, network::secret_read_finding(&secret)?)));
    Ok(verdict.unwrap_or_default())
}

/// The commands of a line, read once for all rules.
struct LineCalls<'a> {
    calls: Vec<Call<'a>>,
    /// Their programs, without duplicates: a long line has many commands of few programs.
    names: BTreeSet<&'a str>,
    gits: Vec<GitCall<'a>>,
    /// Those that the table of programs lists for a rule.
    listed: Vec<ListedCall<'a>>,
}

impl<'a> LineCalls<'a> {
    fn read(context: &Context<'a>) -> LineCalls<'a> {
        let calls: Vec<Call<'a>> = context.calls().collect();
        let gits = calls.iter().filter(|call| call.program == "git").filter_map(GitCall::read).collect();
        let names = calls.iter().map(|call| call.program).collect();
        let listed = calls.iter().flat_map(|call| {
            listed::rules_of(context, call).into_iter().map(|rule| ListedCall { rule, call: *call })
        });
        let listed = listed.collect();
        LineCalls { calls, names, gits, listed }
    }
}

/// What one of several rules found.
struct RuleFinding {
    rule: &'static str,
    finding: Finding,
}

/// The first finding of these rules, whatever the settings say about them.
fn first_finding(context: &Context<'_>, ids: &[&str]) -> Result<Option<RuleFinding>, PolicyError> {
    let line_calls = LineCalls::read(context);
    for rule in table::rules().filter(|rule| ids.contains(&rule.id)) {
        if let Some(finding) = check_rule(rule, &rule.check, context, &line_calls)? {
            return Ok(Some(RuleFinding { rule: rule.id, finding }));
        }
    }
    Ok(None)
}

/// What the line does on other machines and in containers, by the rules that hold there too.
fn judge_elsewhere(
    context: &Context<'_>,
    line_calls: &LineCalls<'_>,
) -> Result<Option<Finding>, PolicyError> {
    if !remote::starts_elsewhere(line_calls.names.iter().copied()) {
        return Ok(None);
    }
    for call in &line_calls.calls {
        if let Some(found) = harm_elsewhere(context, call, MOST_MACHINES)? {
            return Ok(remote::finding(call, found.place, &found.what));
        }
    }
    Ok(None)
}

/// From how many machines to the next one a line is followed: `ssh a ssh b …`.
const MOST_MACHINES: usize = 4;

/// What a call does elsewhere.
struct HarmElsewhere {
    place: remote::Place,
    what: String,
}

fn harm_elsewhere(
    context: &Context<'_>,
    call: &Call<'_>,
    machines_left: usize,
) -> Result<Option<HarmElsewhere>, PolicyError> {
    if machines_left == 0 {
        return Ok(None);
    }
    for remote::Remote { text, place } in remote::remote_texts(call) {
        let line = Line::read(&text);
        let there = context.reading(&line);
        let what = match remote::deleted_folder(&line, place) {
            Some(folder) => Some(format!("delete {folder}")),
            None => first_finding(&there, place.rules())?
                .filter(|it| it.rule != "stop-services" || !remote::starts_again(&text))
                .map(|it| it.finding.what),
        };
        if let Some(what) = what {
            return Ok(Some(HarmElsewhere { place, what }));
        }
        for inner in there.calls() {
            if let Some(found) = harm_elsewhere(&there, &inner, machines_left - 1)? {
                return Ok(Some(found));
            }
        }
    }
    Ok(None)
}

/// A call that the table of programs lists for a rule.
struct ListedCall<'a> {
    rule: &'static str,
    call: Call<'a>,
}

/// The first thing that a rule finds.
fn check_rule(
    rule: &Rule,
    check: &Check,
    context: &Context<'_>,
    line_calls: &LineCalls<'_>,
) -> Result<Option<Finding>, PolicyError> {
    match check {
        Check::Listed(listed) => {
            let mut matching = line_calls.listed.iter().filter(|it| it.rule == rule.id);
            Ok(matching.find_map(|it| listed.finding(&it.call)))
        }
        Check::Any(checks) => {
            for check in *checks {
                if let Some(finding) = check_rule(rule, check, context, line_calls)? {
                    return Ok(Some(finding));
                }
            }
            Ok(None)
        }
        Check::Programs(programs, _) if !programs.iter().any(|name| line_calls.names.contains(name)) => {
            Ok(None)
        }
        Check::Programs(programs, look) => {
            let mut matching = line_calls.calls.iter().filter(|call| programs.contains(&call.program));
            Ok(matching.find_map(|call| look(context, call)))
        }
        Check::Clients(look) => {
            let mut clients = line_calls.calls.iter().filter(|call| context.client(call.program).is_some());
            Ok(clients.find_map(|call| look(context, call)))
        }
        Check::Git(look) => Ok(line_calls.gits.iter().find_map(|git| look(context, git))),
        Check::Repository(look) => {
            for git in &line_calls.gits {
                if let Some(finding) = look(context, git)?
                    && !git.is_in_new_repository(context)
                {
                    return Ok(Some(finding));
                }
            }
            Ok(None)
        }
        Check::Written(look) => Ok(context.written().iter().find_map(|written| look(context, written))),
        Check::Elsewhere => judge_elsewhere(context, line_calls),
        Check::Line(look) => Ok(look(context)),
        Check::LineAndRepository(look) => look(context),
    }
}

/// Why it is asked about what `flyball undo` could bring back.
const NOT_COPIED: &str = "not asked about if all files were copied before";

/// The verdict about what `flyball undo` brings back: the command runs, and everybody knows how to undo it.
fn told_verdict(rule: &Rule, finding: &Finding, snapshot: &Snapshot) -> Verdict {
    let text = format!("{}; `flyball undo {}` brings it back", finding.what, snapshot.id);
    let text = text.replacen("this would", "this may", 1);
    let mut verdict = Verdict::silent().with_evidence("told", format!("{}: {text}", rule.id));
    verdict.notices.push(text.clone());
    verdict.context.push(Snippet { key: format!("undo {}", rule.id), rank: 50, text });
    verdict
}

fn rule_verdict(rule: &Rule, stance: Stance, finding: Finding) -> Verdict {
    let Finding { what, why, instead, file, seen, .. } = finding;
    let reason = Reason { what, why: why.to_owned(), instead };
    // By the intent, guard.denials recognizes another attempt at the same thing.
    let mut verdict = Verdict { stance, reasons: vec![reason], ..Verdict::default() }
        .with_evidence("rule", rule.id)
        .with_subject(Subject::Intent(format!("commands.{}", rule.id)));
    if let Some(path) = file {
        verdict = verdict.with_evidence("file", path.as_str()).with_subject(Subject::File(path));
    }
    if let Some((name, value)) = seen {
        verdict = verdict.with_evidence(name, value);
    }
    verdict
}
