//! The path of one event: read, decode, judge, record, answer.

mod caller;
mod context;
mod follow_up;
mod input;
mod record;
mod restore;
mod secrets;

use std::io::Write;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::time::{Duration, Instant};

use flyball_clients::stranger::{self, Report};
use flyball_clients::{Caller, Client, Output, identify};
use flyball_core::answer::Answer;
use flyball_core::engine::{Case, Judgement, Watch, judge};
use flyball_core::event::{Event, EventData, SessionId};
use flyball_core::policy::World;
use flyball_core::verdict::FollowUp;
use flyball_core::workshop::Workshop;
use flyball_policies::REGISTRY;
use flyball_policies::observe::events::records;

pub(crate) use self::context::of_session;
pub(crate) use self::input::variables_of_project;
pub(crate) use self::record::subject;

use crate::processes::{self, Process};
use crate::seatbelt;
use flyball_world::limits;

use self::caller::Speaker;
use self::context::EventContext;
use self::input::{HookArguments, HookInput};

/// A larger payload is judged with a deadline, watched by a second thread.
// Below this, policies are bounded by their input, and a thread would cost a tenth of the call.
const TRUSTED_BYTES: usize = 16 * 1024;

/// How long an event is judged again because others overtake it. Once what git said is known, judging takes a millisecond.
const JUDGED_AGAIN: Duration = Duration::from_secs(20);

/// The answer to a panic of flyball itself.
const BUG: &str = "flyball has a bug; `flyball doctor` collects what a bug report needs";

/// Answers the event on standard input, and returns the exit code.
pub(crate) fn run(arguments: &[String]) -> u8 {
    let started = Instant::now();
    limits::survive();
    // A panic is caught and answered; its default report would end up where nobody reads it.
    std::panic::set_hook(Box::new(|_| {}));
    let declared = HookArguments::parse(arguments);
    // Clients take any exit code but 2 for an error that blocks nothing: a panic would let the call pass.
    let answered = catch_unwind(AssertUnwindSafe(|| answer(&declared, started)));
    let HookResult { output, background, follow_ups } =
        answered.unwrap_or_else(|_| declared.failure_output(BUG).into());
    let exit = print(&output);
    // Only after the answer is out: the client waits for it, not for these.
    follow_up::start_all(&follow_ups);
    record::start_background(background);
    exit
}

/// Prints the answer, and returns the exit code. If the client cannot get a refusal on stdout, it gets it by exit code.
fn print(output: &Output) -> u8 {
    let mut stdout = std::io::stdout().lock();
    let written = stdout.write_all(output.stdout.as_bytes()).and_then(|()| stdout.flush());
    let unprinted =
        output.unprinted.as_ref().filter(|_| written.is_err() || flyball_system::leads_nowhere(&stdout));
    let (stderr, exit) = match unprinted {
        Some(refused) => (refused.reason.as_str(), refused.exit),
        None => (output.stderr.as_str(), output.exit),
    };
    // If the client no longer reads, there is nobody to report it to; the record has the answer.
    drop(std::io::stderr().write_all(stderr.as_bytes()));
    exit
}

/// The name under which events are recorded that no client reported. It has a journal of its own, so that the session
/// that the event names remembers nothing of it.
const FORGED: &str = "forged";

/// Records an event that an agent reports itself, and refuses it.
fn refuse(input: &HookInput<'_>, forger: &Process) -> HookResult {
    let recorded = judge_event(input, input.foreign_event(FORGED), Recipient::Nobody);
    HookResult { output: refusal(forger), ..recorded }
}

/// The answer to an agent that reports an event itself.
fn refusal(forger: &Process) -> Output {
    let (id, name) = (forger.id, &forger.name);
    Output {
        stderr: format!(
            "Only the client reports events: this one came from a command of an agent (process {id}, `{name}`). It was not \
             counted, and is recorded\n"
        ),
        exit: REFUSED,
        ..Output::default()
    }
}

/// The exit code with which commands refuse agents.
const REFUSED: u8 = 3;

/// What to print, and what to do after that.
struct HookResult {
    output: Output,
    background: record::BackgroundWork,
    follow_ups: Vec<FollowUp>,
}

impl From<Output> for HookResult {
    fn from(output: Output) -> HookResult {
        HookResult { output, background: record::BackgroundWork::Nothing, follow_ups: Vec::new() }
    }
}

fn answer(declared: &HookArguments, started: Instant) -> HookResult {
    let payload = match input::read() {
        Ok(payload) => payload,
        Err(problem) => return declared.failure_output(&problem.to_string()).into(),
    };
    let mut input = HookInput::new(declared, payload, started);
    if seatbelt::is_inside(&input.environment) {
        return refusal(&processes::this()).into();
    }
    if let Speaker::Agent(forger) = &input.speaker {
        return refuse(&input, forger);
    }
    match identify(&input.payload, &input.caller_context()) {
        Caller::Known(client) => match client.decode(&input.payload, &input.caller_context()) {
            Ok(event) => match input::impossible_folder(&event) {
                Some(problem) => client.encode_failure(declared.event.as_deref(), &problem).into(),
                None => {
                    input.ignore_project_variables(&event);
                    if input.speaker.is_forged(&event, &input.environment) {
                        return refuse(&input, &processes::this());
                    }
                    judge_event(&input, event, Recipient::Client(client))
                }
            },
            Err(problem) => {
                client.encode_failure(declared.event.as_deref(), &input::decode_failure(&problem)).into()
            }
        },
        // Another client may execute the first one's settings.
        Caller::Foreign { name } => answer_stranger(&mut input, name),
        Caller::Unknown => answer_stranger(&mut input, "unknown"),
    }
}

/// Answers a client whose protocol we do not speak: its calls are guarded, everything else is only recorded.
fn answer_stranger(input: &mut HookInput<'_>, name: &'static str) -> HookResult {
    let event = input.foreign_event(name);
    match stranger::read(&input.payload, input.arguments.event.as_deref()) {
        Report::Call(call, folders) => {
            let project = folders.session.unwrap_or_else(|| event.cwd.clone());
            let cwd = folders.call.unwrap_or_else(|| event.cwd.clone());
            // Sessions without a name are told apart by their folder: each has the rules of its project.
            let session = match event.session.as_str() {
                SessionId::UNNAMED => SessionId::new(&format!("{} {project}", SessionId::UNNAMED)),
                _ => event.session.clone(),
            };
            let happening = EventData::BeforeTool(*call);
            let event = Event { happening, cwd, session, project: Some(project), ..event };
            if let Some(problem) = input::impossible_folder(&event) {
                return stranger::encode_failure(&problem).into();
            }
            input.ignore_project_variables(&event);
            judge_event(input, event, Recipient::Stranger(name))
        }
        Report::Other => judge_event(input, event, Recipient::Nobody),
        Report::Unreadable => {
            let recorded = judge_event(input, event, Recipient::Nobody);
            HookResult { output: stranger::encode_unreadable(name), ..recorded }
        }
    }
}

/// Who gets the answer.
#[derive(Clone, Copy)]
enum Recipient {
    Client(&'static Client),
    /// A client whose protocol we do not speak.
    Stranger(&'static str),
    /// Nobody: the event is only recorded.
    Nobody,
}

impl Recipient {
    fn encode(self, event: &Event, answer: &Answer) -> Output {
        match self {
            Recipient::Client(client) => client.encode(event, answer),
            Recipient::Stranger(name) => stranger::encode(name, answer),
            Recipient::Nobody => Output::silent(),
        }
    }

    const fn client(self) -> Option<&'static Client> {
        match self {
            Recipient::Client(client) => Some(client),
            Recipient::Stranger(_) | Recipient::Nobody => None,
        }
    }
}

/// Judges an event, and records it. If another event of the session changes meanwhile what policies remember, this one is
/// judged again, so that nobody holds a lock while git or a linter runs.
fn judge_event(input: &HookInput, event: Event, recipient: Recipient) -> HookResult {
    let event = Arc::new(event);
    let mut facts = Arc::default();
    let mut machine = None;
    loop {
        let mut notices = Vec::new();
        if let Recipient::Stranger(name) = recipient {
            notices.push(stranger::notice(name));
        }
        let context = EventContext::load(&event, &input.environment, notices);
        input.speaker.remember(&event, &*context.memory());
        let machine = machine.get_or_insert_with(|| {
            // Before anything is judged: what policies store, report or show passes through `redact`.
            secrets::learn(input, &event, &context);
            let (environment, root, config) =
                (input.environment.clone(), context.root.clone(), Arc::clone(&context.config));
            let words = move || seatbelt::words_for_own_programs(&environment, &root, &config);
            Arc::new(context.machine(input).with_seatbelt(words))
        });
        // Tests plan only a panic or a hang here; a planned error has nothing to fail.
        drop(input.environment.faults().inject("hook"));
        let case = Case {
            event: Arc::clone(&event),
            config: Arc::clone(&context.config),
            world: Arc::clone(machine) as Arc<dyn World>,
            memory: context.memory(),
            skipped: input.environment.skipped.clone().into(),
            watch: watch(input),
            faults: input.environment.faults(),
            facts: Arc::clone(&facts),
            workshop: Some(Arc::clone(machine) as Arc<dyn Workshop>),
        };
        let judgement = judge(REGISTRY, &case);
        let mut answer = Answer::new(input.id(), judgement.merged.clone());
        answer.notices.extend(context.notices.iter().cloned());
        let judged = Judged { context, case, judgement, answer };
        if input.started.elapsed() < JUDGED_AGAIN && judged.is_overtaken() {
            facts = Arc::new(facts.for_next_attempt());
            machine.repeat_answers();
            continue;
        }
        return finish(input, recipient, judged);
    }
}

/// An event with all that was decided about it.
struct Judged {
    context: EventContext,
    case: Case,
    judgement: Judgement,
    answer: Answer,
}

impl Judged {
    fn is_overtaken(&self) -> bool {
        let is_recorded = records(&self.context.config, self.case.event.kind(), self.answer.is_silent());
        self.context.is_overtaken(is_recorded)
    }
}

/// Acts on a judgement: restores files, records the event, encodes the answer.
fn finish(input: &HookInput, recipient: Recipient, judged: Judged) -> HookResult {
    let Judged { context, case, judgement, mut answer } = judged;
    // Files are restored before the record, so that the record has the notice about it.
    answer.notices.extend(restore::put_back(&judgement.merged.restores, &context, input));
    if judgement.merged.strikes_output {
        strike_output(input, &case.event, recipient.client(), &mut answer);
    }
    // Recorded before it is encoded: a duplicate loses its context, and a store that fails adds a notice.
    let background =
        record::record(input, &context, &record::Outcome { case: &case, judgement: &judgement }, &mut answer);
    let output = recipient.encode(&case.event, &answer);
    let result = HookResult { output, background, follow_ups: judgement.merged.follow_ups.clone() };
    // The process ends in a moment, and then all of it is free at once.
    std::mem::forget((case, context, judgement));
    result
}

/// Puts what the tool returned into the answer, without secrets. The user is told in any case, because a secret that
/// was printed once may be elsewhere, too.
fn strike_output(input: &HookInput, event: &Event, client: Option<&Client>, answer: &mut Answer) {
    answer.output = client.and_then(|client| client.struck_output(event, &input.payload));
    let tool = event.call().map_or("a tool", |call| call.name.as_str());
    answer.notices.push(match answer.output {
        Some(_) => format!("{tool} returned secrets; they were struck out before the model saw them"),
        None => format!("{tool} returned secrets and the model has seen them: replace them if they matter"),
    });
}

fn watch(input: &HookInput) -> Watch {
    // Planned faults can hang, so they are always watched.
    let trusted = input.payload.len() <= TRUSTED_BYTES && input.environment.faults().is_empty();
    if trusted { Watch::Trust } else { Watch::Deadline }
}
