//! What policies may know of the clients: facts, never a name. The table is in `flyball-clients`, and reaches policies
//! through the [`World`](crate::world::World).

/// The facts about every client that is known, also of those that do not call flyball.
pub type Clients = &'static [&'static ClientFacts];

/// Someone who has the table of clients.
pub trait KnowsClients: Send + Sync {
    /// The facts about every client.
    fn clients(&self) -> Clients;
}

/// What policies may know of one client.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ClientFacts {
    /// The names of its program. It prints its version for `--version`.
    pub programs: &'static [&'static str],
    /// The variable that moves the client's own folder, and with it the settings that register hooks.
    pub home_variable: Option<&'static str>,
    /// The variable in which it tells the programs it starts where the project is.
    pub project_variable: Option<&'static str>,
    /// The folder of a project in which hooks for it are usually kept.
    pub hooks_folder: Option<&'static str>,
    /// The files in which it keeps keys and tokens, below the user's home.
    pub secret_files: &'static [&'static str],
    /// The file in any folder from which it reads what holds there.
    pub instruction_file: Option<&'static str>,
    /// How a command line starts it without hooks.
    pub hooks_off: HooksOff,
    /// Long options that start it without a person who is asked.
    pub unattended: &'static [&'static str],
    /// Short options that do the same. They mean something else to other clients.
    pub unattended_short: &'static [&'static str],
    /// Values of any option that do the same.
    pub unattended_values: &'static [&'static str],
}

/// How a command line switches all hooks of a client off.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HooksOff {
    /// A setting that does it, wherever in a word it is written.
    pub settings: &'static [&'static str],
    /// Options that do it when their value is empty.
    pub empty_options: &'static [&'static str],
    /// Features that do it when an option switches them off.
    pub features: &'static [&'static str],
    /// The options that switch a feature off.
    pub feature_options: &'static [&'static str],
    /// Whole words that do it.
    pub words: &'static [&'static str],
}

impl HooksOff {
    /// Nothing is known to do it.
    pub const UNKNOWN: HooksOff =
        HooksOff { settings: &[], empty_options: &[], features: &[], feature_options: &[], words: &[] };
}

impl ClientFacts {
    /// A client of which nothing is known; a table fills in what is.
    pub const UNKNOWN: ClientFacts = ClientFacts {
        programs: &[],
        home_variable: None,
        project_variable: None,
        hooks_folder: None,
        secret_files: &[],
        instruction_file: None,
        hooks_off: HooksOff::UNKNOWN,
        unattended: &[],
        unattended_short: &[],
        unattended_values: &[],
    };
}
