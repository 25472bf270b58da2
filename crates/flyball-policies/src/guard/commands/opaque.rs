//! Lines whose effects cannot be determined. Mostly, only the strictest preset asks about them.

use flyball_core::text;
use flyball_effects::{OpaqueReason, UnknownReason};

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

fn unread_part(context: &Context<'_>) -> Option<Finding> {
    let unknown = context.line.script.unknown.iter().find(|unknown| unknown.may_harm)?;
    Finding::new(
        format!("a part of this line is too long or nested too deeply to be read: `{}`", cut(&unknown.text)),
        "What it does cannot be checked before it runs",
        "Write it as several shorter commands",
    )
}

fn run_variable(context: &Context<'_>) -> Option<Finding> {
    let is_variable = |text: &str| {
        // `eval "$X"`, `bash -c "$X"`: what is run comes last.
        let name = text.split_whitespace().last()?.trim_matches('"').strip_prefix('$')?;
        let name = name.strip_prefix('{').and_then(|name| name.strip_suffix('}')).unwrap_or(name);
        let is_name = !name.is_empty() && name.chars().all(|it| it.is_ascii_alphanumeric() || it == '_');
        is_name.then_some(())
    };
    let mut hidden =
        context.line.script.unknown.iter().filter(|unknown| unknown.why == UnknownReason::Source);
    let unknown = hidden.find(|unknown| is_variable(&unknown.text).is_some())?;
    Finding::new(
        format!("what `{}` runs is only known at run time", cut(&unknown.text)),
        "It cannot be checked before it runs",
        "Write out the commands",
    )
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
