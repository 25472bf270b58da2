//! Questions to git about the repository that a project is in.

use std::collections::BTreeMap;
use std::time::Duration;

use flyball_core::path::AbsolutePath;
use flyball_core::workshop::{Ending, Job, JobResult, Limits, Places, ProgramQuery, Workshop};

const TIMEOUT: Duration = Duration::from_secs(20);
const LIST_BYTES: usize = 16 * 1024 * 1024;

/// Nothing is fetched, and no program that the repository's config names is run.
const PLAIN: &[(&str, &str)] =
    &[("core.fsmonitor", "false"), ("core.hooksPath", "/dev/null"), ("protocol.allow", "never")];
/// What a filter of the config does, and what makes it do nothing.
const NO_FILTER: &[(&str, &str)] = &[("smudge", ""), ("clean", ""), ("process", ""), ("required", "false")];

/// The repository that a project is in.
pub(super) struct Git<'w> {
    workshop: &'w dyn Workshop,
    program: AbsolutePath,
    /// The folder of the whole repository.
    pub top: AbsolutePath,
    /// Where the project is in it: empty, or ending with a `/`.
    pub prefix: String,
    /// Filters of the config.
    pub filters: Vec<String>,
    /// An index of our own.
    pub index: Option<AbsolutePath>,
}

impl<'w> Git<'w> {
    pub(super) fn find(workshop: &'w dyn Workshop) -> Option<Git<'w>> {
        let root = workshop.project_root();
        let query =
            ProgramQuery { name: "git".to_owned(), near: root.clone(), places: Places::OutsideProject };
        let program = workshop.find(&query)?.path;
        let mut git = Git {
            workshop,
            program,
            top: root.clone(),
            prefix: String::new(),
            filters: Vec::new(),
            index: None,
        };
        let found = git.ask(&["rev-parse", "--show-toplevel", "--show-prefix"])?;
        let mut lines = found.lines();
        let top = AbsolutePath::new(lines.next()?)?;
        git.prefix = lines.next().unwrap_or_default().to_owned();
        git.top = top;
        // It ends with an error if there are none.
        let keys =
            git.ask(&["config", "--name-only", "-z", "--get-regexp", r"^filter\."]).unwrap_or_default();
        let name = |key: &str| Some(key.strip_prefix("filter.")?.rsplit_once('.')?.0.to_owned());
        git.filters = keys.split_terminator('\0').filter_map(name).collect();
        git.filters.sort_unstable();
        git.filters.dedup();
        Some(git)
    }

    /// The folder of the project.
    pub(super) fn project(&self) -> &AbsolutePath {
        self.workshop.project_root()
    }

    /// A commit's full name.
    pub(super) fn commit(&self, name: &str) -> Option<String> {
        let commit = format!("{name}^{{commit}}");
        let found = self.ask(&["rev-parse", "--verify", "--quiet", "--end-of-options", &commit])?;
        Some(found.trim().to_owned())
    }

    /// What git prints; `None` if it fails.
    pub(super) fn ask(&self, words: &[&str]) -> Option<String> {
        self.run(words, None)
    }

    /// The names that git prints, each ended by a zero.
    pub(super) fn names(&self, words: &[&str]) -> Option<Vec<String>> {
        Some(self.ask(words)?.split_terminator('\0').map(str::to_owned).collect())
    }

    /// The same as [`Git::ask`], with names on standard input.
    pub(super) fn ask_about(&self, words: &[&str], names: &[String]) -> Option<String> {
        let mut input = names.join("\0").into_bytes();
        input.push(0);
        self.run(words, (!names.is_empty()).then_some(input))
    }

    fn run(&self, words: &[&str], stdin: Option<Vec<u8>>) -> Option<String> {
        let arguments = ["--no-optional-locks"].iter().chain(words).map(|word| (*word).to_owned()).collect();
        let (program, folder, set) = (self.program.clone(), self.top.clone(), self.environment());
        let job = Job { program, arguments, folder, stdin, set, in_seatbelt: true, ..Job::default() };
        let limits = Limits { timeout: TIMEOUT, at_a_time: 1, output_bytes: LIST_BYTES };
        let results = self.workshop.run(&[job], limits);
        let JobResult { ending, stdout, cut, .. } = results.into_iter().next()?;
        let is_whole = ending == Ending::Exited(0) && !cut;
        is_whole.then(|| String::from_utf8(stdout).ok()).flatten()
    }

    /// Settings as variables: the name of a filter may contain anything.
    fn environment(&self) -> BTreeMap<String, String> {
        let plain = PLAIN.iter().map(|(key, value)| ((*key).to_owned(), *value));
        let filters = self.filters.iter().flat_map(|name| {
            NO_FILTER.iter().map(move |(key, value)| (format!("filter.{name}.{key}"), *value))
        });
        let mut set = BTreeMap::from([("GIT_NO_LAZY_FETCH".to_owned(), "1".to_owned())]);
        let mut count = 0;
        for (key, value) in plain.chain(filters) {
            set.insert(format!("GIT_CONFIG_KEY_{count}"), key);
            set.insert(format!("GIT_CONFIG_VALUE_{count}"), value.to_owned());
            count += 1;
        }
        set.insert("GIT_CONFIG_COUNT".to_owned(), count.to_string());
        set.extend(self.index.iter().map(|index| ("GIT_INDEX_FILE".to_owned(), index.to_string())));
        set
    }
}
