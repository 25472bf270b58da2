//! What policies may know of the clients: facts, never a name. The table is in `flyball-clients`, and reaches policies
//! through the [`World`](crate::world::World).

/// The facts about every client that is known, also of those that do not call flyball.
pub type Clients = &'static [&'static ClientFacts];

/// Has the table of clients.
pub trait KnowsClients: Send + Sync {
    /// The facts about every client.
    fn clients(&self) -> Clients;
}

/// What policies may know of one client.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ClientFacts {
    /// As [`Event::client`](crate::event::Event::client) has it.
    pub id: &'static str,
    /// The names of its program. It prints its version for `--version`.
    pub programs: &'static [&'static str],
    /// The variable that moves the client's own folder, and with it the settings that register hooks.
    pub home_variable: Option<&'static str>,
    /// The variable that gives the project's folder to the programs it starts.
    pub project_variable: Option<&'static str>,
    /// The folder of a project that usually contains its hooks.
    pub hooks_folder: Option<&'static str>,
    /// The folder of a project with the definitions of its subagents, a file each.
    pub agents_folder: Option<&'static str>,
    /// The folders of a project with its skills and typed commands, a file or a folder each.
    pub skill_folders: &'static [&'static str],
    /// The files below the user's home that store its keys and tokens.
    pub secret_files: &'static [&'static str],
    /// The files with its settings, the strongest first. The one in `~` is in its own folder, which a variable may move.
    pub settings: &'static [&'static str],
    /// Where it looks for the instructions of a project.
    pub instructions: InstructionFiles,
    /// Other files with instructions, which are not read here: a name that counts in any folder, or a path from the
    /// project's root; a folder ends with `/`.
    pub rule_files: &'static [&'static str],
    /// How a command line starts it without hooks.
    pub hooks_off: HooksOff,
    /// The variable with the program through which it starts the commands of its agent.
    pub shell_wrapper: Option<&'static str>,
    /// Long options that make it run without asking a person.
    pub unattended: &'static [&'static str],
    /// Short options that do the same. They mean something else to other clients.
    pub unattended_short: &'static [&'static str],
    /// Values of any option that do the same.
    pub unattended_values: &'static [&'static str],
    /// The variable of its hooks, and its value, while it makes one run for which no person is there.
    pub runs_alone: Option<(&'static str, &'static str)>,
    /// The role of the subagent that it has in every project.
    pub worker: Option<&'static str>,
    /// Where the plans of its plan mode are, if it has one.
    pub plans: Option<PlanFolder>,
    /// Where a project names its tool servers, if that is a file of JSON.
    pub servers: Option<ToolServers>,
}

/// Where a client keeps the plans of its plan mode.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PlanFolder {
    /// The folder, unless a setting names another one.
    pub usual: &'static str,
    /// The key of the setting. It names a folder by its path from the project's root, and one inside of it.
    pub setting: &'static str,
    /// The tool with which a plan is accepted, and the field of its input that has the file.
    pub accepted_by: (&'static str, &'static str),
}

/// Where a project names the tool servers of a client.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ToolServers {
    /// The file, from the project's root.
    pub file: &'static str,
    /// Its key that has the servers by name.
    pub key: &'static str,
    /// How the tool of a server is called, with `{server}` and `{tool}`.
    pub tool: &'static str,
}

/// The files with instructions that a client looks for in every folder, by their paths from there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InstructionFiles {
    /// The file that a team shares.
    pub shared: Option<&'static str>,
    /// Read instead of the shared file where it exists.
    pub replacement: Option<&'static str>,
    /// Shared as well, in a folder of the client's own.
    pub hidden: Option<&'static str>,
    /// Those of one person, which are not committed.
    pub personal: Option<&'static str>,
    /// A folder of more files; each can name the files that it is about.
    pub rules_folder: Option<&'static str>,
    /// The folder in a user's home from which instructions can be imported.
    pub user_folder: Option<&'static str>,
    /// The files of a user, in the client's own folder, with which each session begins: the first that exists counts.
    pub user: &'static [&'static str],
    /// The folder of more of them, there.
    pub user_rules: Option<&'static str>,
    /// The setting with globs of files that it does not load, by their absolute paths.
    pub excludes: Option<&'static str>,
    /// When it puts them into context by itself.
    pub loads: LoadsInstructions,
    /// What it reads where a project has no shared file of its own.
    pub fallback: Option<Fallback>,
}

/// A file that newer versions of a client read in a project without the client's own, without reporting it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fallback {
    pub file: &'static str,
    /// The variable of its hooks that has its version.
    pub variable: &'static str,
    /// What is before the version there; its numbers are separated by dashes.
    pub prefix: &'static str,
    /// The first version that is known to do it.
    pub since: [u32; 3],
}

impl Fallback {
    /// Whether the version in the value of the variable does it.
    #[must_use]
    pub fn is_in(&self, value: &str) -> bool {
        let Some(version) = value.strip_prefix(self.prefix) else { return false };
        let mut numbers =
            version.split(|letter: char| !letter.is_ascii_digit()).map_while(|it| it.parse().ok());
        let found: [u32; 3] = std::array::from_fn(|_| numbers.next().unwrap_or_default());
        found >= self.since
    }
}

/// When a client puts files of instructions into an agent's context by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LoadsInstructions {
    Never,
    /// When it starts: those of the folder where it is started, and of the folders above.
    AtStart,
    /// Also those of a folder below, when a file there is read.
    AtStartAndOnRead,
}

impl InstructionFiles {
    /// It reads none.
    pub const NONE: InstructionFiles = InstructionFiles {
        shared: None,
        replacement: None,
        hidden: None,
        personal: None,
        rules_folder: None,
        user_folder: None,
        user: &[],
        user_rules: None,
        excludes: None,
        loads: LoadsInstructions::Never,
        fallback: None,
    };
}

/// How a command line switches all hooks of a client off.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HooksOff {
    /// Settings that do it, anywhere in a word.
    pub settings: &'static [&'static str],
    /// Options that name a file with settings.
    pub settings_options: &'static [&'static str],
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
    /// No known way.
    pub const UNKNOWN: HooksOff = HooksOff {
        settings: &[],
        settings_options: &[],
        empty_options: &[],
        features: &[],
        feature_options: &[],
        words: &[],
    };
}

impl ClientFacts {
    /// A client of which nothing is known: the base of each entry of the table.
    pub const UNKNOWN: ClientFacts = ClientFacts {
        id: "",
        programs: &[],
        home_variable: None,
        project_variable: None,
        hooks_folder: None,
        agents_folder: None,
        skill_folders: &[],
        secret_files: &[],
        settings: &[],
        instructions: InstructionFiles::NONE,
        rule_files: &[],
        hooks_off: HooksOff::UNKNOWN,
        shell_wrapper: None,
        unattended: &[],
        unattended_short: &[],
        unattended_values: &[],
        runs_alone: None,
        worker: None,
        plans: None,
        servers: None,
    };
}
