//! Has a client start the commands of its agent through `flyball run`, and removes that again. Somebody else's program in that
//! place is never touched.

use std::path::Path;

use flyball_clients::Client;
use flyball_clients::registration::Object;
use serde_json::Value;

use super::own_sandbox;
use crate::seatbelt::LINK;

/// The key of a client's settings with the variables that it sets.
const VARIABLES: &str = "env";

/// What happens to the program through which a client starts commands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::commands) enum WrapperEdit {
    /// It is ours already, or the client knows no such program.
    Unchanged,
    /// It is another one, which is not changed.
    Foreign,
    /// The text with ours.
    Written(String),
}

/// The settings with our program, which the link in this state directory leads to.
pub(in crate::commands) fn add(text: &str, client: &Client, state: &Path) -> WrapperEdit {
    let text = if text.trim().is_empty() { "{}\n" } else { text };
    let Some((root, name)) = Object::root(text).zip(client.facts.shared.shell_wrapper) else {
        return WrapperEdit::Unchanged;
    };
    let link = state.join(LINK);
    // The client reads what follows ` -` as options of the program.
    let Some(link) = link.to_str().filter(|link| !link.contains(" -")) else { return WrapperEdit::Unchanged };
    let value = Value::from(link).to_string();
    let Some(variables) = root.below(text, VARIABLES) else {
        return match root.value(text, VARIABLES) {
            None => WrapperEdit::Written(root.with(
                text,
                VARIABLES,
                &format!("{{ {}: {value} }}", Value::from(name)),
            )),
            Some(_) => WrapperEdit::Foreign,
        };
    };
    match variables.value(text, name) {
        None => WrapperEdit::Written(variables.with(text, name, &value)),
        Some(found) if found == link => WrapperEdit::Unchanged,
        Some(found) if is_ours(&found) => WrapperEdit::Written(variables.changed(text, name, &value)),
        Some(_) => WrapperEdit::Foreign,
    }
}

/// The settings without our program, and without our places in the client's own sandbox; nothing if there are none of them.
pub(in crate::commands) fn remove(text: &str, client: &Client) -> Option<String> {
    let rest = without_program(text, client);
    own_sandbox::remove(rest.as_deref().unwrap_or(text), client).or(rest)
}

fn without_program(text: &str, client: &Client) -> Option<String> {
    let (root, name) = Object::root(text).zip(client.facts.shared.shell_wrapper)?;
    let variables = root.below(text, VARIABLES)?;
    variables.value(text, name).filter(is_ours)?;
    let rest = variables.without(text, name);
    let root = Object::root(&rest)?;
    let is_empty = root.below(&rest, VARIABLES).is_some_and(|variables| variables.is_empty());
    Some(if is_empty { root.without(&rest, VARIABLES) } else { rest })
}

/// The program through which these settings have commands started, if there is one.
pub(in crate::commands) fn find(text: &str, client: &Client) -> Option<String> {
    let (root, name) = Object::root(text).zip(client.facts.shared.shell_wrapper)?;
    Some(root.below(text, VARIABLES)?.value(text, name)?.as_str()?.to_owned())
}

/// Whether a value names our link, wherever the state directory is.
fn is_ours(value: &Value) -> bool {
    value.as_str().is_some_and(|path| path.ends_with(&format!("/{LINK}")))
}

#[cfg(test)]
mod tests {
    use flyball_clients::find as client;

    use super::*;

    #[test]
    fn our_program_is_added_once_and_removed_again() {
        let claude = client("claude-code").unwrap();
        for (before, after) in [
            (
                "{\n  \"model\": \"x\"\n}\n",
                "{\n  \"model\": \"x\",\n  \"env\": { \"CLAUDE_CODE_SHELL_PREFIX\": \"/s/bin/flyball-run\" }\n}\n",
            ),
            (
                "{ \"env\": { \"A\": \"1\" } }",
                "{ \"env\": { \"A\": \"1\", \"CLAUDE_CODE_SHELL_PREFIX\": \"/s/bin/flyball-run\" } }",
            ),
        ] {
            let WrapperEdit::Written(text) = add(before, claude, Path::new("/s")) else {
                panic!("not written")
            };
            assert_eq!(text, after);
            assert_eq!(add(&text, claude, Path::new("/s")), WrapperEdit::Unchanged);
            assert_eq!(remove(&text, claude).unwrap(), before);
            let WrapperEdit::Written(moved) = add(&text, claude, Path::new("/t")) else {
                panic!("not written")
            };
            assert_eq!(find(&moved, claude).unwrap(), "/t/bin/flyball-run");
        }
    }

    #[test]
    fn somebody_elses_program_stays() {
        let claude = client("claude-code").unwrap();
        let theirs = "{ \"env\": { \"CLAUDE_CODE_SHELL_PREFIX\": \"/opt/log\" } }";
        assert_eq!(add(theirs, claude, Path::new("/s")), WrapperEdit::Foreign);
        assert_eq!(remove(theirs, claude), None);
        assert_eq!(add("{}", client("codex").unwrap(), Path::new("/s")), WrapperEdit::Unchanged);
        assert_eq!(add("{}", claude, Path::new("/a -b")), WrapperEdit::Unchanged);
    }
}
