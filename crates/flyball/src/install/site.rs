//! Where a command was started: the project, the home, the state directory.

use std::path::{Path, PathBuf};

use flyball_clients::install::Places;

use crate::environment::{self, Environment};
use crate::outcome::Failed;

/// The place a command works in.
pub(crate) struct Site {
    pub(crate) root: PathBuf,
    pub(crate) home: PathBuf,
    pub(crate) environment: Environment,
}

impl Site {
    /// The site of this process.
    pub(crate) fn find() -> Result<Site, Failed> {
        let environment = Environment::read();
        let home = environment.home.clone();
        let home = home.ok_or_else(|| Failed::new("no home directory", "set HOME to it"))?;
        let from = environment::working_directory()
            .ok_or_else(|| Failed::new("the working directory is gone", "change to one that exists"))?;
        Ok(Site { root: environment::project_root(&from), home, environment })
    }

    /// Where clients keep their files, seen from here.
    pub(crate) fn places(&self) -> Places<'_> {
        Places { project: &self.root, home: &self.home, variable: &environment::variable }
    }

    /// The directory with flyball's own state.
    pub(crate) fn state(&self) -> Option<&Path> {
        self.environment.state_dir()
    }

    /// A path as people read it: from the project's root, else from their home, else all of it.
    pub(crate) fn show(&self, path: &Path) -> String {
        // The root itself would be an empty text; it is shown from the home instead.
        // Below the whole machine, nothing is gained by leaving the root out.
        if let Ok(inside) = path.strip_prefix(&self.root)
            && !inside.as_os_str().is_empty()
            && self.root.parent().is_some()
        {
            return inside.display().to_string();
        }
        match path.strip_prefix(&self.home) {
            Ok(inside) if inside.as_os_str().is_empty() => "~".to_owned(),
            Ok(inside) => format!("~/{}", inside.display()),
            Err(_) => path.display().to_string(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_shown_from_the_nearest_landmark() {
        let site = Site {
            root: "/home/ada/shop".into(),
            home: "/home/ada".into(),
            environment: Environment::default(),
        };
        let cases = [
            ("/home/ada/shop/.claude/settings.json", ".claude/settings.json"),
            ("/home/ada/shop", "~/shop"),
            ("/home/ada/.claude/settings.json", "~/.claude/settings.json"),
            ("/home/ada", "~"),
            ("/etc/claude-code/managed-settings.json", "/etc/claude-code/managed-settings.json"),
        ];
        for (path, shown) in cases {
            assert_eq!(site.show(Path::new(path)), shown);
        }
        let site = Site { root: "/".into(), home: "/home/ada".into(), environment: Environment::default() };
        for (path, shown) in [("/tmp/a", "/tmp/a"), ("/home/ada/x", "~/x"), ("/", "/")] {
            assert_eq!(site.show(Path::new(path)), shown);
        }
    }
}
