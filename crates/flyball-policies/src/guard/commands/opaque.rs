//! What cannot be seen through. Only for those who want to be asked about it.

use flyball_core::text;
use flyball_effects::{OpaqueReason, UnknownReason};

use super::context::{Call, Context};
use super::rule::{Check, Finding, rules};

rules! {
    "hidden-code" Paranoid Ask "text that is only known when a shell runs it: `eval \"$X\"`, `base64 -d | sh`, code that hides what it does"
        => Check::Line(hidden_code);
    "unreadable-line" Paranoid Ask "a line that cannot be read, or whose program is only known when it runs"
        => Check::Line(unreadable_line);
    "superuser" Paranoid Ask "anything as another user: `sudo`, `doas`, `su`"
        => Check::Line(superuser);
}

fn hidden_code(scene: &Context<'_>) -> Option<Finding> {
    let in_line = scene.line.script.unknown.iter().find(|unknown| unknown.why == UnknownReason::Source);
    let in_code = || scene.effects().opaque.iter().find(|opaque| opaque.why == OpaqueReason::Code);
    let text = in_line.map(|unknown| &unknown.text).or_else(|| in_code().map(|opaque| &opaque.text))?;
    Finding::new(
        format!("what `{}` runs is only known when it runs", cut(text)),
        "Nobody can judge it before",
        "Write out what shall run",
    )
}

fn unreadable_line(scene: &Context<'_>) -> Option<Finding> {
    let unknown = scene.line.script.unknown.iter().find(|unknown| unknown.why != UnknownReason::Source)?;
    Finding::new(
        format!("a part of this line cannot be read: `{}`", cut(&unknown.text)),
        "Nobody can judge it before it runs",
        "Write it more plainly, or as several commands",
    )
}

fn superuser(scene: &Context<'_>) -> Option<Finding> {
    let is_wrapped = |call: &Call<'_>| {
        call.command.wrappers.iter().any(|it| matches!(it.as_str(), "sudo" | "doas" | "pkexec"))
    };
    let is_itself = |call: &Call<'_>| matches!(call.program, "sudo" | "doas" | "su" | "pkexec" | "run0");
    let call = scene.calls().find(|call| is_wrapped(call) || is_itself(call))?;
    Finding::new(
        format!("`{}` would run as another user", call.display_text()),
        "It may change everything on the machine",
        "Run it without, inside the project",
    )
}

fn cut(text: &str) -> String {
    text::head(text, 60).replace('\n', " ")
}
