//! Python: pip, poetry, pipenv, uv, conda.

mod pip;
mod read;
mod specifier;
mod write;

use std::collections::BTreeMap;

pub(super) use read::{VALUED, read};
pub(super) use write::write;

/// What a command is for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Intent {
    /// Something that pip does; the others can run or imitate pip.
    Pip(Pip),
    /// Adds packages to the project.
    Add(Details),
    /// Installs what the project needs.
    Sync(Details),
    /// Removes packages from the project.
    Remove(Details),
    /// Runs a program in the project's environment.
    Run(Vec<String>),
    /// Makes a virtual environment.
    Venv(Venv),
    /// An act that most tools have one word for.
    Plain { act: &'static str, words: Vec<String> },
}

/// What can be said of the packages that are added, installed or removed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Detail {
    /// The lock file must not change.
    Locked,
    /// Without what is only needed to develop.
    Production,
    /// Without the project itself.
    Rootless,
    AllExtras,
    AllGroups,
    /// To develop: the group `dev`.
    Dev,
    Group,
    Without,
    Only,
    /// The extra of the project that packages are added to.
    Optional,
    /// Extras of the packages that are wanted.
    Extras,
    DryRun,
    /// The packages to upgrade.
    Upgrade,
    Prerelease,
    /// Flags that say where packages come from; pip and uv agree on them.
    Index,
    /// Files that list packages.
    Requirements,
    Constraints,
    /// Folders to be used in place.
    Editables,
    /// Files of the project: `.`, `./lib`, `x.whl`.
    Paths,
    /// Names with versions and extras, and addresses.
    Packages,
}

impl Detail {
    /// Whether it has no value.
    const fn is_flag(self) -> bool {
        matches!(
            self,
            Detail::Locked
                | Detail::Production
                | Detail::Rootless
                | Detail::AllExtras
                | Detail::AllGroups
                | Detail::Dev
                | Detail::DryRun
                | Detail::Upgrade
                | Detail::Prerelease
        )
    }

    /// Whether its value is a list of names in one word.
    const fn is_list(self) -> bool {
        matches!(self, Detail::Group | Detail::Without | Detail::Only | Detail::Extras)
    }
}

/// The details that a command says, with their values.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Details(BTreeMap<Detail, Vec<String>>);

impl Details {
    /// One that has no value.
    fn flag(detail: Detail) -> Details {
        Details(BTreeMap::from([(detail, Vec::new())]))
    }

    /// One more, if it has a value.
    fn with(mut self, detail: Detail, values: Vec<String>) -> Details {
        if !values.is_empty() {
            self.0.insert(detail, values);
        }
        self
    }

    fn has(&self, detail: Detail) -> bool {
        self.0.contains_key(&detail)
    }

    fn values(&self, detail: Detail) -> &[String] {
        self.0.get(&detail).map_or(&[], Vec::as_slice)
    }

    /// The packages, if nothing else is named.
    pub(super) fn packages_alone(&self) -> Option<&[String]> {
        let beside = [Detail::Paths, Detail::Requirements, Detail::Editables];
        (!beside.into_iter().any(|detail| self.has(detail))).then(|| self.values(Detail::Packages))
    }
}

/// A virtual environment to make.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Venv {
    folder: Vec<String>,
    /// The version it is for.
    python: Option<String>,
    flags: Vec<String>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Pip {
    /// `install`, `list` …
    verb: String,
    /// Everything behind `pip`, as written.
    words: Vec<String>,
    /// What stands behind `uv pip`, if uv imitates this.
    uv: Option<UvPip>,
    /// What it is for, if it says nothing that only pip understands.
    pub(super) simple: Option<Box<Intent>>,
}

/// What stands behind `uv pip`.
#[derive(Clone, Debug, PartialEq, Eq)]
struct UvPip {
    words: Vec<String>,
    left_out: Vec<String>,
}
