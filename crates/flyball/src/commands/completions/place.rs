//! Where a shell finds the completions of its user.

use std::path::PathBuf;

use clap_complete::Shell;

use crate::environment::{self, Environment};
use crate::outcome::Failed;
use crate::project_context::tilde;

pub(super) struct Place {
    pub(super) file: PathBuf,
    /// What the user has to do before they work.
    pub(super) steps: Vec<String>,
}

impl Place {
    /// The file for a shell; its folder may not exist yet.
    pub(super) fn of(shell: Shell) -> Result<Place, Failed> {
        let next_shell = vec!["They work in the next shell that you open.".to_owned()];
        match shell {
            Shell::Bash => {
                let folder = match folder("BASH_COMPLETION_USER_DIR") {
                    Some(folder) => folder,
                    None => base("XDG_DATA_HOME", ".local/share")?.join("bash-completion"),
                };
                let steps = vec![
                    "They work in the next shell that you open, if bash-completion is installed.".to_owned(),
                ];
                Ok(Place { file: folder.join("completions/flyball"), steps })
            }
            Shell::Fish => {
                let file = base("XDG_CONFIG_HOME", ".config")?.join("fish/completions/flyball.fish");
                Ok(Place { file, steps: next_shell })
            }
            Shell::Zsh => {
                let home = base("ZDOTDIR", "")?;
                Ok(Place { file: home.join(".zfunc/_flyball"), steps: zsh_steps(&home, next_shell) })
            }
            other => Err(Failed::new(
                format!("completions for {other} cannot be installed by flyball"),
                format!("print them with `flyball completions {other}` and load them in your profile"),
            )),
        }
    }
}

/// zsh searches no folder of the user's by itself.
fn zsh_steps(home: &std::path::Path, done: Vec<String>) -> Vec<String> {
    let settings = home.join(".zshrc");
    if std::fs::read_to_string(&settings).is_ok_and(|text| text.contains(".zfunc")) {
        return done;
    }
    let folder = tilde(&home.join(".zfunc").to_string_lossy());
    vec![
        format!("Add these two lines to {} yourself:", tilde(&settings.to_string_lossy())),
        format!("  fpath+=({folder})"),
        "  autoload -Uz compinit && compinit".to_owned(),
    ]
}

/// The folder that a variable names, or the one below the home.
fn base(variable: &str, below_home: &str) -> Result<PathBuf, Failed> {
    folder(variable)
        .or_else(|| Environment::read().home.map(|home| home.join(below_home)))
        .ok_or_else(|| Failed::new("there is no home folder", format!("set HOME or {variable}")))
}

/// A relative path would mean another place in each directory.
fn folder(variable: &str) -> Option<PathBuf> {
    environment::variable(variable).map(PathBuf::from).filter(|path| path.is_absolute())
}
