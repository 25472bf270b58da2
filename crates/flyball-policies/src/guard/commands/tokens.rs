//! Secrets in variables that a line sends out. A token that is used to log in somewhere is not one of them.

use flyball_core::redact::is_secret_name;
use flyball_core::text::Words;
use flyball_effects::{FileAct, RedirectKind, Sent, Word};

use super::context::{Call, Context};
use super::finding::Finding;
use super::hosts::{host, is_local};
use super::leaks::sends;
use super::printed::variables;
use super::rule::{Check, rules};

rules! {
    "send-token" Strict Ask "a secret variable as the data that is sent: `curl -d \"$TOKEN\" …`, `https://…?t=$TOKEN`"
        => Check::Line(send_token);
    "send-raw" Strict Ask "a file sent over a bare connection: `nc host port < file`"
        => Check::Line(send_raw);
}

/// Whoever listens there gets the file, and nothing shows who that is.
fn send_raw(context: &Context<'_>) -> Option<Finding> {
    let reads = |index: usize| {
        context.effects().files.iter().any(|effect| effect.command == index && effect.act == FileAct::Read)
    };
    let found = sends(context).find(|network| {
        let name = context.command(network.command).and_then(|command| command.program_name());
        let is_bare = matches!(name, Some("nc" | "ncat" | "netcat" | "telnet" | "socat"));
        let is_file = network.sends.iter().any(|sent| match sent {
            Sent::File(_) => true,
            Sent::Input => reads(network.command) || context.upstream(network.command).into_iter().any(reads),
            Sent::Text(_) | Sent::Unknown(_) => false,
        });
        is_bare && is_file
    })?;
    let to = found.to.as_deref().unwrap_or("another machine");
    Finding::new(
        format!("this would send a file to {to} over a bare connection"),
        "Whoever listens there gets it, unencrypted",
        "Use `scp` to a machine that the user names",
    )
}

/// Programs that send what they are given.
const SENDERS: Words = Words("curl|wget|http|https|xh|nc|ncat|netcat|telnet|socat");

/// Options of those whose value is sent as data.
const DATA: &[&str] = &[
    "-d",
    "--data",
    "--data-raw",
    "--data-binary",
    "--data-ascii",
    "--data-urlencode",
    "--json",
    "--post-data",
    "--body-data",
];

/// Names of fields that are made for a credential.
const FIELDS: &[&str] = &["key", "token", "secret", "password", "auth", "pass", "sig", "code"];

fn send_token(context: &Context<'_>) -> Option<Finding> {
    context.calls().filter(|call| SENDERS.contains(call.program)).find_map(|call| {
        let mut addresses = call.command.arguments.iter().map(|word| word.raw.trim_matches(['"', '\'']));
        let to = addresses.find(|text| text.contains("://")).map(host).unwrap_or_default();
        if is_local(to) {
            return None;
        }
        let name = in_data(&call).or_else(|| in_address(&call)).or_else(|| in_input(context, &call))?;
        Finding::new(
            format!("`{}` would send the value of {name}", call.display_text()),
            "A secret that leaves the machine is no longer secret",
            "Send it only to its own service, in the header that is made for it",
        )
    })
}

/// The secret variable that a word consists of.
fn whole(word: &Word) -> Option<String> {
    let bare = word.raw.trim_matches(['"', '\n', ' ']);
    let name = bare.strip_prefix('$')?.trim_start_matches('{').trim_end_matches('}');
    let is_name = name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
    (is_name && is_secret_name(name)).then(|| name.to_owned())
}

fn in_data(call: &Call<'_>) -> Option<String> {
    call.values(DATA).into_iter().find_map(whole)
}

/// `https://host/ping?t=$TOKEN`; `?key=$KEY` logs in.
fn in_address(call: &Call<'_>) -> Option<String> {
    let words = call.command.arguments.iter().filter(|word| word.raw.contains("://"));
    words.into_iter().find_map(|word| {
        let (_, query) = word.raw.split_once('?')?;
        query.split('&').find_map(|part| {
            let (field, _) = part.split_once('=')?;
            let field = field.to_ascii_lowercase();
            let is_credential = FIELDS.iter().any(|known| field.contains(known));
            let name = variables(part).find(|name| is_secret_name(name)).filter(|_| !is_credential)?;
            Some(name.to_owned())
        })
    })
}

/// `echo $TOKEN | curl -d @- …`, `curl -d @- … <<< "$TOKEN"`.
fn in_input(context: &Context<'_>, call: &Call<'_>) -> Option<String> {
    let reads = !matches!(call.program, "curl" | "wget" | "http" | "https" | "xh")
        || call.texts().any(|text| text.ends_with("@-") || matches!(text, "-" | "-T-" | "."));
    if !reads {
        return None;
    }
    let is_text = |kind: RedirectKind| matches!(kind, RedirectKind::HereString | RedirectKind::HereDoc);
    let redirects = call.command.redirects.iter().filter(|redirect| is_text(redirect.kind));
    let given = redirects.map(|redirect| &redirect.target).find_map(whole);
    given.or_else(|| {
        let printing = context.upstream(call.index).into_iter().filter_map(|index| context.command(index));
        let mut printing =
            printing.filter(|command| matches!(command.program_name(), Some("echo" | "printf" | "print")));
        printing.find_map(|command| command.arguments.iter().find_map(whole))
    })
}
