//! Asks a command of the user for its opinion on an answer.

use std::time::Duration;

use flyball_core::policy::PolicyId;
use flyball_core::redact::redact;
use flyball_core::workshop::{Ending, Job, JobResult, Limits, Places, ProgramQuery, Workshop};
use serde::Serialize;

/// How long it may take.
const TIMEOUT: Duration = Duration::from_secs(30);
/// How much of its output is passed on, and how much of an answer it reads.
const MOST_CHARS: usize = 2_000;
const MOST_ANSWER: usize = 100_000;

/// What the command reads on its standard input.
#[derive(Serialize)]
pub(super) struct Question<'a> {
    pub(super) role: &'a str,
    pub(super) answer: &'a str,
}

/// Its opinion, or why there is none.
pub(super) fn ask(
    command: &[String],
    question: &Question<'_>,
    policy: PolicyId,
    workshop: &dyn Workshop,
) -> Result<String, String> {
    let Some((name, arguments)) = command.split_first() else { return Ok(String::new()) };
    let folder = workshop.project_root().to_owned();
    let query = ProgramQuery { name: name.clone(), near: folder.clone(), places: Places::SearchPath };
    let Some(program) = workshop.find(&query) else { return Err(format!("`{name}` was not found")) };
    // The command may send the answer to a model. Redacted before it is cut: half of a secret is not
    // recognised.
    let answer: String = redact(question.answer).chars().take(MOST_ANSWER).collect();
    let question = Question { answer: &answer, ..*question };
    let stdin = serde_json::to_vec(&question).map_err(|cause| cause.to_string())?;
    // A command that runs an agent would be asked for an opinion on that agent's answer, too.
    let set = [("FLYBALL_SKIP".to_owned(), policy.to_string())].into();
    let arguments = arguments.to_vec();
    let job = Job { program: program.path, arguments, folder, stdin: Some(stdin), set, ..Job::default() };
    let limits = Limits { timeout: TIMEOUT, at_a_time: 1, output_bytes: 64 * 1024 };
    let Some(ran) = workshop.run(&[job], limits).into_iter().next() else {
        return Err(format!("`{name}` did not run"));
    };
    read_reply(name, &ran)
}

fn read_reply(name: &str, ran: &JobResult) -> Result<String, String> {
    match &ran.ending {
        Ending::Exited(0) => Ok(plain(&ran.stdout)),
        Ending::Exited(code) => Err(format!("`{name}` exited with {code}: {}", plain(&ran.stderr))),
        Ending::Killed(signal) => Err(format!("`{name}` was killed by signal {signal}")),
        Ending::TimedOut | Ending::OverLimit(_) => {
            Err(format!("`{name}` took longer than {} s", TIMEOUT.as_secs()))
        }
        Ending::NotStarted(why) => Err(why.clone()),
    }
}

fn plain(bytes: &[u8]) -> String {
    let text = String::from_utf8_lossy(bytes);
    let seen = text.trim().chars().filter(|letter| *letter == '\n' || !letter.is_control());
    redact(&seen.take(MOST_CHARS).collect::<String>()).into_owned()
}
