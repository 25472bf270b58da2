//! The project as it was before the change, in a folder of its own: linters that look at a whole project cannot be given old
//! content.

use std::collections::BTreeMap;
use std::time::Duration;

use flyball_core::path::AbsolutePath;
use flyball_core::workshop::{Ending, Job, JobResult, Limits, Places, ProgramQuery, Scratch};

use super::context::Context;
use super::keys::ENVIRONMENTS;
use crate::finding::Finding;

/// Writing out a project with more files would take longer than its linters.
const MOST_FILES: usize = 20_000;
const TIMEOUT: Duration = Duration::from_secs(20);
const LIST_BYTES: usize = 4 * 1024 * 1024;
/// Nothing is fetched and no program of the repository's config runs for files that git stores elsewhere.
const PLAIN: &[&str] = &[
    "--no-optional-locks",
    "-c",
    "core.fsmonitor=false",
    "-c",
    "filter.lfs.smudge=",
    "-c",
    "filter.lfs.process=",
    "-c",
    "filter.lfs.required=false",
];

/// The project as it was.
pub(super) struct BaseTree {
    #[expect(dead_code, reason = "it is removed when this is dropped")]
    scratch: Box<dyn Scratch>,
    root: AbsolutePath,
    project: AbsolutePath,
}

impl BaseTree {
    /// Writes it out. `None` without git or a commit, or if there is too much of it.
    pub(super) fn write(context: &Context<'_>) -> Option<BaseTree> {
        let git = Git::find(context)?;
        let commit = git.commit()?;
        let names = git.ask(&["ls-tree", "-r", "--name-only", "-z", &commit])?;
        if names.matches('\0').count() > MOST_FILES {
            return None;
        }
        // Where the project is in its repository: the files are written with their whole paths.
        let prefix = git.ask(&["rev-parse", "--show-prefix"])?;
        let scratch = context.workshop.scratch(&[]).ok()?;
        let git = Git { index: Some(scratch.path().join("index")), ..git };
        git.ask(&["read-tree", &commit])?;
        let tree = scratch.path().join("tree");
        git.ask(&["checkout-index", "--all", "--quiet", &format!("--prefix={tree}/")])?;
        let root = tree.join(prefix.trim().trim_end_matches('/'));
        for name in ENVIRONMENTS {
            let installed = context.root.join(name);
            // It may be part of the repository.
            if context.workshop.stat(&installed).is_some() {
                scratch.link(&root.join(name), &installed);
            }
        }
        Some(BaseTree { scratch, root, project: context.root.clone() })
    }

    /// Where a path of the project is in here.
    pub(super) fn place(&self, path: &AbsolutePath) -> AbsolutePath {
        path.strip_folder(&self.project).map_or_else(|| self.root.clone(), |below| self.root.join(below))
    }

    pub(super) fn root(&self) -> &AbsolutePath {
        &self.root
    }

    /// Findings about files in here, named as in the project.
    pub(super) fn rename(&self, findings: Vec<Finding>) -> Vec<Finding> {
        let name = |file: String| match AbsolutePath::new(file.clone()) {
            Some(path) => path.strip_folder(&self.root).map_or(file, str::to_owned),
            None => file,
        };
        findings.into_iter().map(|finding| Finding { file: name(finding.file), ..finding }).collect()
    }
}

/// The commit that a run compares with; `None` if there is none.
pub(super) fn commit(context: &Context<'_>) -> Option<String> {
    Git::find(context)?.commit()
}

struct Git<'a, 'c> {
    context: &'a Context<'c>,
    program: AbsolutePath,
    /// An index of our own.
    index: Option<AbsolutePath>,
}

impl<'a, 'c> Git<'a, 'c> {
    fn find(context: &'a Context<'c>) -> Option<Git<'a, 'c>> {
        let near = context.root.to_owned();
        let query = ProgramQuery { name: "git".to_owned(), near, places: Places::OutsideProject };
        Some(Git { context, program: context.workshop.find(&query)?.path, index: None })
    }

    fn commit(&self) -> Option<String> {
        let commit = format!("{}^{{commit}}", self.context.request.base.commit()?);
        let found = self.ask(&["rev-parse", "--verify", "--quiet", "--end-of-options", &commit])?;
        Some(found.trim().to_owned())
    }

    /// What git says; `None` if it fails.
    fn ask(&self, words: &[&str]) -> Option<String> {
        let set: BTreeMap<String, String> =
            self.index.iter().map(|index| ("GIT_INDEX_FILE".to_owned(), index.to_string())).collect();
        let arguments = [PLAIN, words].concat().into_iter().map(str::to_owned).collect();
        let folder = self.context.root.clone();
        let job = Job { program: self.program.clone(), arguments, folder, set, ..Job::default() };
        let limits = Limits { timeout: TIMEOUT, at_a_time: 1, output_bytes: LIST_BYTES };
        let results = self.context.workshop.run(&[job], limits);
        let JobResult { ending, stdout, cut, .. } = results.into_iter().next()?;
        let is_whole = ending == Ending::Exited(0) && !cut;
        is_whole.then(|| String::from_utf8_lossy(&stdout).into_owned())
    }
}
