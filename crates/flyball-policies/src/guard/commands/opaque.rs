//! Lines whose effects cannot be determined. Mostly, only the strictest preset asks about them.

use flyball_core::text;
use flyball_effects::{OpaqueReason, RedirectKind, UnknownReason};
use flyball_programs::Kind;

use super::context::{Call, Context};
use super::finding::Finding;
use super::rule::{Check, rules};

rules! {
    "unread-part" Standard Ask "a line that is too long or nested too deeply to be read, with a word such as `rm` in the part that was not read"
        => Check::Line(unread_part);
    "run-variable" Strict Ask "running what a variable of the environment holds: `eval \"$X\"`, `bash -c \"$X\"`"
        => Check::Line(run_variable);
    "hidden-code" Paranoid Ask "code that is only known at run time: `eval \"$X\"`, `base64 -d | sh`, code that hides what it does"
        => Check::Line(hidden_code);
    "unreadable-line" Paranoid Ask "a line that cannot be parsed, or whose program is only known at run time"
        => Check::Line(unreadable_line);
    "superuser" Paranoid Ask "anything as another user: `sudo`, `doas`, `su`"
        => Check::Line(superuser);
}

/// The rule about what is not read.
pub(super) const UNREAD_PART: &str = "unread-part";

fn unread_part(context: &Context<'_>) -> Option<Finding> {
    let unknown = context.line.script.unknown.iter().find(|unknown| unknown.may_harm)?;
    unread_finding("a part of this line is too long or nested too deeply to be read", &unknown.text)
}

/// The finding about a text that is not read, and why not.
pub(super) fn unread_finding(why: &str, text: &str) -> Option<Finding> {
    Finding::new(
        format!("{why}: `{}`", cut(text)),
        "What it does cannot be checked before it runs",
        "Write it as several shorter commands",
    )
}

fn run_variable(context: &Context<'_>) -> Option<Finding> {
    let mut hidden =
        context.line.script.unknown.iter().filter(|unknown| unknown.why == UnknownReason::Source);
    let given = hidden.find(|unknown| runs_variable(&unknown.text)).map(|unknown| unknown.text.clone());
    let text = given.or_else(|| reads_variable(context))?;
    Finding::new(
        format!("what `{}` runs is only known at run time", cut(&text)),
        "It cannot be checked before it runs",
        "Write out the commands",
    )
}

/// Whether a shell is given a text with a command that is what a variable holds: `eval "$X"`, `bash -c "${X:-}; ls"`.
fn runs_variable(text: &str) -> bool {
    let is_last = text.split_whitespace().last().is_some_and(is_variable);
    // The text comes behind the name of the shell and its options.
    let words = text.split_whitespace().skip_while(|word| !word.starts_with(['"', '$']));
    let behind = words.collect::<Vec<_>>().join(" ");
    let script = match behind.strip_prefix('"') {
        Some(quoted) => quoted.split('"').next().unwrap_or(quoted),
        None => &behind,
    };
    is_last || script.split([';', '|', '&', '\n']).any(is_all_variables)
}

fn is_all_variables(command: &str) -> bool {
    let mut words = command.split_whitespace().peekable();
    words.peek().is_some() && words.all(is_variable)
}

/// `$NAME`, `${NAME}`, `${NAME:-}`, `$1`, `$@`, `${!NAME}`; `${NAME:+text}` is that text.
fn is_variable(word: &str) -> bool {
    let Some(name) = word.trim_matches('"').strip_prefix('$') else { return false };
    let is_letter = |letter: char| letter.is_ascii_alphanumeric() || letter == '_';
    let Some(inner) = name.strip_prefix('{') else {
        return matches!(name, "@" | "*") || (!name.is_empty() && name.chars().all(is_letter));
    };
    let inner = inner.strip_suffix('}').unwrap_or_default().trim_start_matches('!');
    let rest = inner.trim_start_matches(is_letter);
    rest.len() < inner.len() && !rest.starts_with('+') && !rest.starts_with(":+")
}

/// `echo "$X" | bash`, `bash <<EOF` with nothing but `$X`: a shell reads what a variable holds.
fn reads_variable(context: &Context<'_>) -> Option<String> {
    let is_fed = |call: &Call<'_>| {
        call.kind == Some(Kind::Shell)
            && call.command.arguments.iter().all(|word| word.raw.starts_with(['-', '+']))
    };
    context.calls().filter(is_fed).find_map(|call| {
        let documents = call.command.redirects.iter().filter(|it| it.kind == RedirectKind::HereDoc);
        let mut documents = documents.filter(|it| it.target.text.is_none()).map(|it| it.target.raw.as_str());
        let piped = || {
            let printing =
                context.upstream(call.index).into_iter().filter_map(|index| context.command(index));
            let mut printing = printing
                .filter(|command| matches!(command.program_name(), Some("echo" | "printf" | "print")));
            printing.any(|command| {
                // A format is in front of what it is filled with.
                let words = command.arguments.iter().filter(|word| !word.raw.contains('%'));
                let mut words = words.filter(|word| !word.raw.starts_with('-')).peekable();
                words.peek().is_some() && words.all(|word| word.text.is_none() && is_variable(&word.raw))
            })
        };
        (documents.any(is_all_variables) || piped()).then(|| call.display_text())
    })
}

fn hidden_code(context: &Context<'_>) -> Option<Finding> {
    let in_line = context.line.script.unknown.iter().find(|unknown| unknown.why == UnknownReason::Source);
    let in_code = || context.effects().opaque.iter().find(|opaque| opaque.why == OpaqueReason::Code);
    let text = in_line.map(|unknown| &unknown.text).or_else(|| in_code().map(|opaque| &opaque.text))?;
    Finding::new(
        format!("the code in `{}` is only known at run time", cut(text)),
        "It cannot be checked before it runs",
        "Write out the commands",
    )
}

fn unreadable_line(context: &Context<'_>) -> Option<Finding> {
    let unknown = context.line.script.unknown.iter().find(|unknown| unknown.why != UnknownReason::Source)?;
    Finding::new(
        format!("a part of this line cannot be parsed: `{}`", cut(&unknown.text)),
        "It cannot be checked before it runs",
        "Write it more simply, or as several commands",
    )
}

fn superuser(context: &Context<'_>) -> Option<Finding> {
    let is_wrapped = |call: &Call<'_>| {
        call.command.wrappers.iter().any(|it| matches!(it.as_str(), "sudo" | "doas" | "pkexec"))
    };
    let is_itself = |call: &Call<'_>| matches!(call.program, "sudo" | "doas" | "su" | "pkexec" | "run0");
    let call = context.calls().find(|call| is_wrapped(call) || is_itself(call))?;
    Finding::new(
        format!("`{}` would run as another user", call.display_text()),
        "It could change anything on the machine",
        "Run it as the current user, inside the project",
    )
}

fn cut(text: &str) -> String {
    text::head(text, 60).replace('\n', " ")
}
