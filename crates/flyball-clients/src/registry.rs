//! The table of clients. A new one is one line in [`known`]'s call and one in [`SIGNS`].

use flyball_core::client::Clients;
use flyball_core::policy::{ContextSize, PolicyError, TailReader};

use crate::client::Client;
use crate::evidence::Sign;
use crate::foreign;

/// Declares the tables that follow from the list of folders.
macro_rules! known {
    ($($folder:ident),+; foreign: $($name:ident),+) => {
        /// Every client, in the order in which they are shown.
        pub static CLIENTS: &[&Client] = &[$(&crate::$folder::CLIENT),+];

        /// What policies may know of them, and of the clients that would not understand our answers.
        pub static FACTS: Clients = &[$(&crate::$folder::SHARED),+, $(&foreign::$name),+];
    };
}

known! {
    claude_code, codex;
    foreign: GEMINI, OPENCODE, CURSOR, COPILOT, AMP, AIDER, QWEN, DROID, HERMES, PI, KIRO, OPENCLAW
}

/// How callers are recognised; the first match counts. A client that others imitate comes after them.
pub(crate) static SIGNS: &[Sign] = &[
    foreign::CURSOR_SIGN,
    foreign::VS_CODE_SIGN,
    foreign::COPILOT_SIGN,
    crate::codex::SIGN,
    foreign::GEMINI_SIGN,
    foreign::QWEN_SIGN,
    foreign::DROID_SIGN,
    foreign::WINDSURF_SIGN,
    foreign::CLINE_SIGN,
    foreign::KIMI_SIGN,
    foreign::GOOSE_SIGN,
    foreign::CRUSH_SIGN,
    foreign::QODER_SIGN,
    foreign::AUGGIE_SIGN,
    foreign::LETTA_SIGN,
    crate::claude_code::SIGN,
];

/// The client of that id.
#[must_use]
pub fn find(id: &str) -> Option<&'static Client> {
    CLIENTS.iter().copied().find(|client| client.id == id)
}

/// How full the model's context is, by the end of the transcript of a client of that id. `None` if the transcript
/// does not say, or flyball cannot read it.
///
/// # Errors
/// When the transcript is there and cannot be read.
pub fn context_size(id: &str, tails: &mut TailReader<'_>) -> Result<Option<ContextSize>, PolicyError> {
    let transcripts = find(id).and_then(|client| client.transcripts.as_ref());
    transcripts.map_or(Ok(None), |transcripts| (transcripts.context_size)(tails))
}

/// The latest messages and tool calls, from the end of the transcript of a client of that id, up to `most` characters.
/// `None` if flyball cannot read the transcript.
///
/// # Errors
/// When the transcript is there and cannot be read.
pub fn recent_conversation(
    id: &str,
    tails: &mut TailReader<'_>,
    most: usize,
) -> Result<Option<String>, PolicyError> {
    let transcripts = find(id).and_then(|client| client.transcripts.as_ref());
    transcripts.map_or(Ok(None), |transcripts| (transcripts.recent_conversation)(tails, most))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::path::Path;

    use super::{CLIENTS, FACTS};

    #[test]
    fn every_folder_of_a_client_is_registered() {
        let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
        let folders = std::fs::read_dir(source).unwrap().map(|entry| entry.unwrap().path());
        let found: BTreeSet<String> = folders
            .filter(|folder| folder.join("events.rs").is_file())
            .map(|folder| folder.file_name().unwrap().to_string_lossy().replace('_', "-"))
            .collect();
        let registered: BTreeSet<String> = CLIENTS.iter().map(|client| client.id.to_owned()).collect();
        assert_eq!(found, registered);
    }

    #[test]
    fn no_two_clients_share_an_id_a_program_or_a_variable() {
        let ids = CLIENTS.iter().map(|client| client.id);
        let programs = FACTS.iter().flat_map(|facts| facts.programs.iter().copied());
        let variables = FACTS.iter().filter_map(|facts| facts.home_variable);
        let all: Vec<&str> = ids.collect::<Vec<_>>();
        assert_eq!(all.iter().collect::<BTreeSet<_>>().len(), all.len());
        for words in [programs.collect::<Vec<_>>(), variables.collect::<Vec<_>>()] {
            assert_eq!(words.iter().collect::<BTreeSet<_>>().len(), words.len(), "{words:?}");
        }
    }
}
