//! Python: pip, poetry, pipenv, uv, conda.

mod pip;
mod read;
mod specifier;
mod write;

pub(super) use read::{VALUED, read};
pub(super) use write::write;

/// What a command is for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Wish {
    /// Something that pip does; the others can run or imitate pip.
    Pip(Pip),
    /// Adds packages to the project.
    Add(Add),
    /// Installs what the project needs.
    Sync(Sync),
    /// Removes packages from the project.
    Remove { packages: Vec<String>, group: Option<String> },
    /// Runs a program in the project's environment.
    Run(Vec<String>),
    /// Makes a virtual environment.
    Venv(Venv),
    /// Works out the lock file.
    Lock { is_upgrade: bool },
    /// Brings these packages, or all, to their newest version.
    Update(Vec<String>),
    /// Shows these packages, or all.
    Show(Vec<String>),
    /// Shows which packages need which.
    Tree,
    /// Shows what has a newer version.
    Outdated,
    /// Checks the lock file.
    Check,
    /// Makes a project.
    Init(Vec<String>),
    /// Builds the project.
    Build,
    /// Uploads what was built, which is done first if asked.
    Publish { builds: bool },
    /// Writes the lock file as requirements.
    Export(Export),
    /// Throws away what was downloaded.
    CleanCache,
    /// The version of the project.
    Version(Vec<String>),
}

/// A virtual environment to make.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Venv {
    pub(super) folder: Vec<String>,
    /// The version it is for.
    pub(super) python: Option<String>,
    pub(super) flags: Vec<String>,
    pub(super) on_existing: OnExisting,
}

/// What is done with an environment that is there already.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum OnExisting {
    #[default]
    Keep,
    Replace,
}

/// How the lock file is written as requirements.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Export {
    pub(super) file: Option<String>,
    pub(super) has_hashes: bool,
    /// With what is only needed to develop.
    pub(super) has_dev: bool,
    /// Without the project itself.
    pub(super) is_projectless: bool,
}

/// A pip command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Pip {
    /// `install`, `list` …
    pub(super) verb: String,
    /// Everything behind `pip`, as written.
    pub(super) words: Vec<String>,
    /// What stands behind `uv pip`, if uv imitates this.
    pub(super) uv: Option<UvPip>,
    /// What it is for, if it says nothing that only pip understands.
    pub(super) simple: Option<Box<Wish>>,
}

/// What stands behind `uv pip`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct UvPip {
    pub(super) words: Vec<String>,
    pub(super) left_out: Vec<String>,
}

/// Packages to add.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Add {
    /// Names with versions and extras, and addresses.
    pub(super) packages: Vec<String>,
    /// Files of the project: `.`, `./lib`, `x.whl`.
    pub(super) paths: Vec<String>,
    /// Files that list packages.
    pub(super) requirements: Vec<String>,
    pub(super) constraints: Vec<String>,
    /// Folders to be used in place.
    pub(super) editables: Vec<String>,
    /// The group they are added to; `dev` for what is only needed to develop.
    pub(super) group: Option<String>,
    /// The extra of the project they are added to.
    pub(super) extra: Option<String>,
    /// Extras of the packages that are wanted.
    pub(super) extras: Vec<String>,
    pub(super) is_upgrade: bool,
    pub(super) is_prerelease: bool,
    /// Flags that say where packages come from; pip and uv agree on them.
    pub(super) index: Vec<String>,
}

/// How the project's packages are installed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Sync {
    pub(super) groups: Vec<String>,
    pub(super) without: Vec<String>,
    pub(super) only: Vec<String>,
    pub(super) extras: Vec<String>,
    pub(super) has_all_extras: bool,
    pub(super) has_all_groups: bool,
    /// Without what is only needed to develop.
    pub(super) is_production: bool,
    /// Without the project itself.
    pub(super) is_rootless: bool,
    /// The lock file must not change.
    pub(super) is_locked: bool,
    pub(super) is_trial: bool,
}
