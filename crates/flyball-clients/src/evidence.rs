//! What identifies a caller: its payload's keys and the environment it gives its hooks.

use crate::client::Client;
use crate::exchange::CallerContext;
use crate::install::ReadBy;
use crate::wire::Object;

/// The clients that we can talk to.
type KnownClients = &'static [&'static Client];

/// How a caller is recognised.
pub(crate) struct Sign {
    /// The id of a client of ours, or the name of another one.
    pub(crate) caller: &'static str,
    pub(crate) holds: fn(&CallerEvidence<'_>) -> bool,
}

/// What is known of a caller.
pub(crate) struct CallerEvidence<'a> {
    pub(crate) payload: Object<'a>,
    /// The payload's name of the event; empty if it has none.
    pub(crate) event: String,
    surroundings: &'a CallerContext<'a>,
    clients: KnownClients,
    /// The client whose session variable is set to the payload's session.
    certain: Option<&'static str>,
}

impl<'a> CallerEvidence<'a> {
    /// Gathers what identifies a caller among these clients.
    pub(crate) fn new(
        payload: Object<'a>,
        surroundings: &'a CallerContext<'a>,
        clients: KnownClients,
    ) -> CallerEvidence<'a> {
        let event = payload.string("hook_event_name");
        let session = payload.non_empty("session_id");
        let has_session = |client: &&&Client| {
            let variable = client.facts.hook_session_variable.and_then(surroundings.variable);
            session.is_some() && session == variable
        };
        // An id that is in the payload and in the variable was not inherited from another client's terminal.
        let certain = clients.iter().find(has_session).map(|client| client.id);
        CallerEvidence { payload, event, surroundings, clients, certain }
    }

    pub(crate) fn has(&self, key: &str) -> bool {
        self.payload.has(key)
    }

    pub(crate) const fn is_nameless(&self) -> bool {
        self.event.is_empty()
    }

    /// Whether the caller is certain, by the session that the environment names.
    pub(crate) const fn is_certain(&self) -> bool {
        self.certain.is_some()
    }

    /// Whether the session that the environment names makes this client certain.
    pub(crate) fn is_certainly(&self, client: &str) -> bool {
        self.certain == Some(client)
    }

    /// Whether the registration names this client.
    pub(crate) fn is_declared(&self, client: &str) -> bool {
        self.surroundings.declared_client == Some(client)
    }

    /// Whether one of our clients has set the variable that marks all programs it starts.
    pub(crate) fn is_marked(&self) -> bool {
        self.clients
            .iter()
            .filter_map(|client| client.facts.hook_mark)
            .any(|mark| self.variable(mark).is_some())
    }

    /// Whether another client of ours has set its project variable.
    pub(crate) fn is_in_project_of_another(&self, client: &str) -> bool {
        let others = self.clients.iter().filter(|other| other.id != client);
        let mut variables = others.filter_map(|other| other.facts.shared.project_variable);
        variables.any(|name| self.variable(name).is_some())
    }

    /// Whether a variable marks its client. A client that was started in another's terminal has
    /// inherited that one's marks: they count for nothing where the caller is certain, or where
    /// the registration is one that only its own client executes.
    pub(crate) fn is_set(&self, variable: &str) -> bool {
        let is_alone = |client: &&&Client| client.facts.settings_read_by == ReadBy::ItselfOnly;
        let may_be_inherited = self.is_certain()
            || self.clients.iter().filter(is_alone).any(|client| self.is_declared(client.id));
        !may_be_inherited && self.variable(variable).is_some()
    }

    fn variable(&self, name: &str) -> Option<String> {
        (self.surroundings.variable)(name).filter(|value| !value.is_empty())
    }
}
