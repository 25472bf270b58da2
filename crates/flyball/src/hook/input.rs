//! What arrives with an event: the payload, the registration's arguments, the environment.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use flyball_clients::install::Places;
use flyball_clients::{CLIENTS, CallerContext, DecodeError, Output, stranger};
use flyball_core::event::{AnswerId, Event, EventData, SessionId};
use flyball_core::path::AbsolutePath;
use flyball_core::time::Time;
use flyball_system::Input;
use flyball_world::machine;

use super::caller::Speaker;
use crate::environment::{self, Environment, STEERING};

/// The largest payload that is judged. Clients send file contents, never anything near this.
const LARGEST: usize = 32 * 1024 * 1024;

/// The longest path of a folder that systems can have.
const LONGEST_PATH: usize = 4096;

/// Most payloads come in one piece of less than this.
const FIRST_READ: usize = 8 * 1024;
/// Longer ones in pieces of this size.
const NEXT_READS: usize = 64 * 1024;

/// How long the payload may take. Clients send it at once.
const INPUT_DEADLINE: Duration = Duration::from_secs(30);
/// How long nothing at all may arrive.
const LONGEST_PAUSE: Duration = Duration::from_secs(10);

/// The arguments that the registration passes: `flyball hook --client X --event Y`.
#[derive(Debug, Default)]
pub(super) struct HookArguments {
    client: Option<String>,
    pub(super) event: Option<String>,
}

impl HookArguments {
    /// Reads the arguments after `hook`. Unknown ones are ignored, because a newer registration
    /// must not break an older program.
    pub(super) fn parse(arguments: &[String]) -> HookArguments {
        let mut declared = HookArguments::default();
        let mut words = arguments.iter();
        while let Some(word) = words.next() {
            match word.as_str() {
                "--client" => declared.client = words.next().cloned(),
                "--event" => declared.event = words.next().cloned(),
                _ => {}
            }
        }
        declared
    }

    /// The answer when the event itself is lost: only the registration knows which it was.
    pub(super) fn failure_output(&self, text: &str) -> Output {
        let client = CLIENTS.iter().find(|client| Some(client.id()) == self.client.as_deref());
        let text = format!("flyball could not judge this event: {text}");
        match client {
            Some(client) => client.encode_failure(self.event.as_deref(), &text),
            None => stranger::encode_failure(&text),
        }
    }
}

/// Why there is no payload.
#[derive(Debug, thiserror::Error)]
pub(super) enum ReadError {
    #[error("standard input was empty; check the registration with `flyball doctor`")]
    Empty,
    #[error("the payload is larger than {} MiB; write less at once", LARGEST / 1024 / 1024)]
    TooLarge,
    #[error(
        "the payload did not arrive within {} s: the client neither finished nor closed it; check the installation with `flyball doctor`",
        waited.as_secs()
    )]
    TooSlow { waited: Duration },
    #[error("standard input could not be read: {0}; check the installation with `flyball doctor`")]
    Broken(#[from] std::io::Error),
}

/// Reads the payload from standard input. It is complete when its object is: a client that forgets to close its end of
/// the pipe must not wait for ever, and nor must one that stops in the middle.
///
/// A payload beyond the limit is read to its end: a client whose pipe breaks would report an error of its own instead of
/// our answer.
pub(super) fn read() -> Result<String, ReadError> {
    let mut source = Patient { stdin: Input::new(), started: Instant::now() };
    let mut payload = Vec::with_capacity(FIRST_READ);
    let mut object = ObjectScan::default();
    let mut chunk = vec![0; FIRST_READ];
    loop {
        let count = source.read(&mut chunk)?;
        let read = chunk.get(..count).unwrap_or_default();
        // What comes behind the object is not part of it, whether it came at once or later.
        let end = object.end_in(read);
        payload.extend_from_slice(read.get(..end.unwrap_or(count)).unwrap_or_default());
        if count == 0 || end.is_some() {
            break;
        }
        if payload.len() > LARGEST {
            drop(payload);
            while source.read(&mut chunk)? > 0 {}
            return Err(ReadError::TooLarge);
        }
        // A long payload arrives in the size of the pipe.
        chunk.resize(NEXT_READS, 0);
    }
    // Bytes that are not UTF-8 become replacement characters: the event is judged all the same.
    let payload = String::from_utf8(payload)
        .unwrap_or_else(|broken| String::from_utf8_lossy(broken.as_bytes()).into_owned());
    if payload.trim().is_empty() { Err(ReadError::Empty) } else { Ok(payload) }
}

/// Standard input that is not waited for without end.
struct Patient {
    stdin: Input,
    started: Instant,
}

impl Patient {
    fn read(&mut self, buffer: &mut [u8]) -> Result<usize, ReadError> {
        let left = INPUT_DEADLINE.saturating_sub(self.started.elapsed());
        if left.is_zero() {
            return Err(ReadError::TooSlow { waited: self.started.elapsed() });
        }
        let read = self.stdin.read_within(left.min(LONGEST_PAUSE), buffer)?;
        read.ok_or_else(|| ReadError::TooSlow { waited: self.started.elapsed() })
    }
}

/// Finds the end of a JSON object in what arrives piece by piece. Anything else ends with the input.
#[derive(Default)]
struct ObjectScan {
    depth: usize,
    is_in_string: bool,
    is_escaped: bool,
    is_other: bool,
}

impl ObjectScan {
    /// Where the object ends in the next piece, if it does.
    fn end_in(&mut self, piece: &[u8]) -> Option<usize> {
        piece.iter().position(|byte| self.ends_with(*byte)).map(|at| at + 1)
    }

    fn ends_with(&mut self, byte: u8) -> bool {
        if self.is_in_string {
            (self.is_in_string, self.is_escaped) =
                (byte != b'"' || self.is_escaped, byte == b'\\' && !self.is_escaped);
            return false;
        }
        match byte {
            b'{' | b'[' if self.depth > 0 => self.depth += 1,
            b'{' if !self.is_other => self.depth = 1,
            b'}' | b']' if self.depth > 0 => {
                self.depth -= 1;
                return self.depth == 0;
            }
            b'"' if self.depth > 0 => self.is_in_string = true,
            _ if self.depth == 0 && !byte.is_ascii_whitespace() => self.is_other = true,
            _ => {}
        }
        false
    }
}

/// The message about a payload that cannot be decoded.
pub(super) fn decode_failure(problem: &DecodeError) -> String {
    format!(
        "flyball could not judge this event: {problem}; this is an error of the client or the machine, not a broken rule; check the installation with `flyball doctor`"
    )
}

/// The message about an event in a folder that cannot be: everything above it would be looked for, in time that grows with
/// the square of its length.
pub(super) fn impossible_folder(event: &Event) -> Option<String> {
    let folders = [Some(&event.cwd), event.project.as_ref()];
    let long = folders.into_iter().flatten().find(|folder| folder.as_str().len() > LONGEST_PATH)?;
    Some(format!(
        "flyball could not judge this event: its folder has a path of {} bytes, and none can have more than {LONGEST_PATH}; \
         this is an error of the client or the machine, not a broken rule; check the installation with `flyball doctor`",
        long.as_str().len()
    ))
}

/// The payload of one event and what came with it.
pub(super) struct HookInput<'a> {
    pub(super) arguments: &'a HookArguments,
    pub(super) payload: String,
    pub(super) started: Instant,
    pub(super) at: Time,
    pub(super) environment: Environment,
    pub(super) speaker: Speaker,
}

impl<'a> HookInput<'a> {
    pub(super) fn new(declared: &'a HookArguments, payload: String, started: Instant) -> HookInput<'a> {
        let environment = Environment::read();
        let speaker = Speaker::find(environment.state_dir());
        HookInput { arguments: declared, payload, started, at: Time::now(), environment, speaker }
    }

    /// Ignores variables that the project's own settings of a client set: a cloned repository must not lead flyball to
    /// other rules.
    pub(super) fn ignore_project_variables(&mut self, event: &Event) {
        let project = PathBuf::from(event.project.as_ref().unwrap_or(&event.cwd).as_str());
        let by_project = variables_of_project(&project, &self.environment);
        if !by_project.is_empty() {
            self.environment = Environment::read_without(&by_project);
        }
    }

    pub(super) fn caller_context(&self) -> CallerContext<'_> {
        CallerContext {
            variable: &environment::variable,
            folder: &own_folder,
            declared_client: self.arguments.client.as_deref(),
            declared_event: self.arguments.event.as_deref(),
        }
    }

    /// An id that no other answer has: two processes differ in their number, two answers of one
    /// process in their time.
    pub(super) fn id(&self) -> AnswerId {
        // The factor leaves room for the process id beside the time.
        let at = u64::try_from(self.at.as_micros()).unwrap_or_default();
        AnswerId::from_seed(at.wrapping_mul(0x1_0000).wrapping_add(u64::from(std::process::id())))
    }

    /// The event of a client whose protocol we do not speak: only that it happened is recorded.
    pub(super) fn foreign_event(&self, name: &str) -> Event {
        // A payload of unknown shape is recorded with empty names rather than not at all.
        let (session, native) = stranger::sender(&self.payload);
        let cwd = own_folder().unwrap_or_default();
        Event { native, ..Event::new(name, SessionId::new(&session), cwd, EventData::Unknown) }
    }
}

/// The variables that would lead flyball elsewhere and that the project's own settings of a client set.
pub(crate) fn variables_of_project(project: &Path, environment: &Environment) -> Vec<&'static str> {
    let set = STEERING.iter().copied().filter(|name| environment::variable(name).is_some());
    let set: Vec<&'static str> = set.collect();
    if set.is_empty() {
        return set;
    }
    let settings = project_settings(project, environment);
    set.into_iter().filter(|name| settings.iter().any(|text| sets_variable(text, name))).collect()
}

/// The texts of the clients' settings that belong to a project, from the folder of the session up to its root.
fn project_settings(folder: &Path, environment: &Environment) -> Vec<String> {
    // Whatever it says the home is.
    let root = machine::project_root(folder, None);
    let home = environment.home.as_deref().unwrap_or(&root);
    let mut texts = Vec::new();
    for folder in folder.ancestors().take_while(|folder| folder.starts_with(&root)) {
        let places = Places { project: folder, home, variable: &environment::variable };
        let facts = CLIENTS.iter().map(|client| client.facts());
        let files = facts.flat_map(|facts| facts.guarded.iter().map(|place| facts.locate(place, &places)));
        let own = files.filter(|file| file.starts_with(folder));
        let read = own.filter_map(|file| std::fs::read(file).ok());
        let text = |bytes| {
            String::from_utf8(bytes).unwrap_or_else(|it| String::from_utf8_lossy(it.as_bytes()).into_owned())
        };
        texts.extend(read.map(text));
    }
    texts
}

/// Whether settings of a client set a variable. What cannot be read here may be readable for the client.
fn sets_variable(text: &str, name: &str) -> bool {
    if text.contains(&format!("\"{name}\"")) {
        return true;
    }
    // JSON may spell a name with escapes; TOML cannot spell a bare key with any.
    if !text.contains("\\u") {
        return false;
    }
    match serde_json::from_str::<serde_json::Value>(text) {
        Ok(settings) => settings.get("env").is_some_and(|env| env.get(name).is_some()),
        Err(_) => true,
    }
}

/// The folder that the hook runs in: that of the session.
fn own_folder() -> Option<AbsolutePath> {
    environment::working_directory().as_deref().map(AbsolutePath::from_path)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// How many bytes of a text are read until its object is complete, byte by byte and at once.
    fn end(text: &str) -> Option<usize> {
        let mut scan = ObjectScan::default();
        let end = text.bytes().position(|byte| scan.ends_with(byte)).map(|at| at + 1);
        assert_eq!(ObjectScan::default().end_in(text.as_bytes()), end, "{text}");
        end
    }

    #[test]
    fn an_object_is_complete_when_it_ends() {
        let whole = [
            "{}",
            " \n{\"a\":{\"b\":[1,{}]}}",
            r#"{"a":"}","b":"\"}","c":"\\"}"#,
            r#"{"a":"\\\"}","b":["]"]}"#,
        ];
        for text in whole {
            assert_eq!(end(text), Some(text.len()), "{text}");
            assert_eq!(end(&format!("{text}\n{{")), Some(text.len()), "{text}");
            assert_eq!(end(&text[..text.len() - 1]), None, "{text}");
        }
        for other in ["[1]", "1 {}", "\"{}\"", "", "{ \"a\": \"", "}{"] {
            assert_eq!(end(other), None, "{other}");
        }
    }
}
