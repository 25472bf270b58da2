//! Which of a client's settings files is meant.

use clap::Args;
use flyball_clients::install::Scope;

/// The settings file that the command line selects.
#[derive(Args)]
#[group(multiple = false)]
pub(crate) struct ScopeArguments {
    /// Only you, in this project (not committed)
    #[arg(long)]
    local: bool,
    /// You, in every project
    #[arg(long)]
    user: bool,
    /// Everyone on this machine (for administrators)
    #[arg(long)]
    managed: bool,
}

impl ScopeArguments {
    /// The scope that was chosen; the project's if none was.
    pub(crate) fn chosen(&self) -> Scope {
        match (self.local, self.user, self.managed) {
            (true, _, _) => Scope::Local,
            (_, true, _) => Scope::User,
            (_, _, true) => Scope::Managed,
            (false, false, false) => Scope::Project,
        }
    }
}

/// The name of a scope.
pub(crate) const fn scope_name(scope: Scope) -> &'static str {
    match scope {
        Scope::Project => "project",
        Scope::Local => "local",
        Scope::User => "user",
        Scope::Managed => "managed",
    }
}

/// The option that selects a scope, with a space before it.
pub(crate) const fn scope_option(scope: Scope) -> &'static str {
    match scope {
        Scope::Project => "",
        Scope::Local => " --local",
        Scope::User => " --user",
        Scope::Managed => " --managed",
    }
}
