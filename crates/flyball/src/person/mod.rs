//! Distinguishes a person at a terminal from an agent.
//!
//! An agent can make a terminal, leave the chain of its parents and forget its variables. So this looks at who holds the
//! other end of the terminal, and at what was running when it was made. Where the system can ask for something that
//! only the person has, it is asked: see [`proof`].

mod calls;
mod proof;
mod refusal;
mod terminal_owner;

use flyball_clients::CLIENTS;

pub(crate) use self::proof::Proof;

use self::refusal::refused;

use crate::environment::{self, Environment};
use crate::outcome::Failed;
use crate::processes::{self, Process};
use crate::seatbelt;
use crate::terminal::Terminal;

/// Refuses everyone but a person at a terminal, and returns how that was shown.
pub(crate) fn require_person(what: &str, terminal: &Terminal) -> Result<Proof, Failed> {
    require_no_agent(what)?;
    // Last, because the other refusals say more.
    if !terminal.is_interactive() {
        return Err(refused(what, "this is not a terminal"));
    }
    proof::demand(what, terminal)
}

/// Whether a person is at this terminal. Nothing is asked.
pub(crate) fn is_person(terminal: &Terminal) -> bool {
    find_agent().is_none() && terminal.is_interactive()
}

/// Refuses agents. For what scripts of people may do too.
pub(crate) fn require_no_agent(what: &str) -> Result<(), Failed> {
    find_agent().map_or(Ok(()), |why| Err(refused(what, &why)))
}

/// How people show that they are, on this machine.
pub(crate) fn available_proof() -> Proof {
    proof::strongest()
}

/// Why an agent is behind this process, if one is.
fn find_agent() -> Option<String> {
    if seatbelt::is_inside(&Environment::read()) {
        return Some("this runs in the seatbelt of an agent's command".to_owned());
    }
    // The cheap test first: clients mark what they start with a variable.
    for facts in CLIENTS.iter().map(|client| client.facts()) {
        if let Some(mark) = facts.marks.iter().find(|mark| environment::variable(mark).is_some()) {
            return Some(format!("an agent started this ({mark} is set)"));
        }
    }
    // A variable can be unset in a command line; the chain of parents cannot.
    let this = processes::this();
    let ancestors = this.ancestors();
    if let Some(process) = ancestors.iter().find(|process| process.client().is_some()) {
        return Some(format!("an agent started this (process {}, `{}`)", process.id, process.name));
    }
    // The chain can be cut, but then somebody else holds the terminal.
    let mut chains = vec![ancestors];
    for owner in terminal_owner::find(&this) {
        let mut chain = vec![owner.clone()];
        chain.extend(owner.ancestors());
        chains.push(chain);
    }
    chains.iter().find_map(|chain| find_in_chain(chain)).or_else(|| calls::made_meanwhile(&chains))
}

/// An agent among the processes that hold a terminal.
fn find_in_chain(chain: &[Process]) -> Option<String> {
    chain.iter().find_map(|process| {
        let who = || format!("process {}, `{}`", process.id, process.name);
        if process.client().is_some() {
            return Some(format!("an agent holds this terminal ({})", who()));
        }
        let mut marks = CLIENTS.iter().map(|client| client.facts().marks);
        let mark = marks.find_map(|marks| process.mark(marks))?;
        Some(format!("an agent made this terminal ({} was started with {mark})", who()))
    })
}
