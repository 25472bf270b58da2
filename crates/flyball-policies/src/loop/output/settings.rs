//! `[loop.output]`: which documents belong where, and which agents have to use which skills.

use flyball_core::time::Time;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::words::{day_and_time, slug};
use crate::client_defaults;
use crate::globs::{Glob, Globs, any_matches, any_matches_name};

/// Where agents' documents belong by default.
const BELONGS: [&str; 4] = [".feature-development/**", ".worktrees/**", "modules/**", "**/docs/**"];

/// Documents that belong next to what they describe.
const EXCEPT: [&str; 5] = [
    "**/{README,CHANGELOG,CONTRIBUTING,LICENSE,SECURITY,CODE_OF_CONDUCT}.md",
    client_defaults::INSTRUCTIONS,
    ".github/**",
    // Texts that tests read are code.
    "**/{fixtures,testdata,__fixtures__,__snapshots__}/**",
    "**/{test,tests}/**",
];

/// `[loop.output]`
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Settings {
    /// Which files belong where. The first rule whose `files` match decides.
    pub(super) rule: Vec<Rule>,
    /// Globs of the roles of agents that are not checked.
    pub(super) skip_agents: Vec<Glob>,
    /// Which agents have to use which skills. Default: none.
    pub(super) skills: Vec<Owed>,
}

impl Default for Settings {
    fn default() -> Settings {
        let rule = Rule {
            files: Globs::builtin(&["**/*.md"]),
            belongs: Globs::builtin(&[client_defaults::DOCUMENTS.as_slice(), &BELONGS].concat()),
            except: usual_exceptions(),
            suggest: client_defaults::SUGGESTED.to_owned(),
        };
        Settings {
            rule: vec![rule],
            skip_agents: client_defaults::BUILT_IN.map(Glob::builtin).to_vec(),
            skills: Vec::new(),
        }
    }
}

/// Where some files belong.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(try_from = "Written", into = "Written")]
#[schemars(with = "Written")]
pub(super) struct Rule {
    pub(super) files: Globs,
    pub(super) belongs: Globs,
    pub(super) except: Vec<Glob>,
    pub(super) suggest: String,
}

/// A rule as people write it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Written {
    /// Globs of the files, relative to the checkout or worktree they are in.
    files: Globs,
    /// Globs of where they belong.
    belongs: Globs,
    /// Globs of files that may be anywhere.
    #[serde(default = "usual_exceptions")]
    except: Vec<Glob>,
    /// The folder that is suggested to an agent: `{date}` is today and `{time}` now, both UTC; `{slug}` is made of its
    /// role. Default: the usual one, or the first folder of `belongs`.
    #[serde(default)]
    suggest: Option<String>,
}

#[derive(Debug, thiserror::Error)]
pub(super) enum SuggestError {
    #[error(
        "`suggest` is `{0}`, and nothing in `belongs` matches a file there; name a folder that `belongs` matches"
    )]
    Elsewhere(String),
    #[error("no glob in `belongs` begins with a folder; name one in `suggest`")]
    NoFolder,
}

impl TryFrom<Written> for Rule {
    type Error = SuggestError;

    fn try_from(written: Written) -> Result<Rule, SuggestError> {
        let Written { files, belongs, except, suggest } = written;
        let mut rule = Rule { files, belongs, except, suggest: client_defaults::SUGGESTED.to_owned() };
        if let Some(suggest) = suggest {
            rule.suggest = suggest;
            return if rule.suggests_a_place() {
                Ok(rule)
            } else {
                Err(SuggestError::Elsewhere(rule.suggest))
            };
        }
        let folders: Vec<String> = rule.belongs.iter().filter_map(folder_of).collect();
        for suggest in [client_defaults::SUGGESTED.to_owned()].into_iter().chain(folders) {
            rule.suggest = suggest;
            if rule.suggests_a_place() {
                return Ok(rule);
            }
        }
        Err(SuggestError::NoFolder)
    }
}

impl From<Rule> for Written {
    fn from(rule: Rule) -> Written {
        let Rule { files, belongs, except, suggest } = rule;
        Written { files, belongs, except, suggest: Some(suggest) }
    }
}

/// The folder that a glob begins with.
fn folder_of(glob: &str) -> Option<String> {
    let plain = glob.find(['*', '?', '[', '{', '!']).and_then(|at| glob.get(..at)).unwrap_or_default();
    plain.rfind('/').and_then(|at| plain.get(..=at)).map(str::to_owned)
}

impl Rule {
    /// Whether the files belong in a folder, by its path below the top of its tree.
    fn accepts_folder(&self, folder: &str) -> bool {
        let folder = folder.trim_end_matches('/');
        // A glob may need an ending (`docs/**/*.md`), so a name with each of them is tried.
        let endings = self.files.iter().filter_map(|glob| glob.rsplit_once('.')).map(|(_, ending)| ending);
        let mut names = endings.map(|ending| format!("{folder}/x.{ending}")).chain([format!("{folder}/x")]);
        names.any(|name| self.belongs.match_path(&name))
    }

    fn suggests_a_place(&self) -> bool {
        let folder = rendered(&self.suggest, "agent", Time::default());
        let is_plain = !folder.starts_with('/') && !folder.split('/').any(|part| part == "..");
        is_plain && self.accepts_folder(&folder)
    }
}

/// A suggested folder for an agent of this role, now.
pub(super) fn rendered(suggest: &str, role: &str, now: Time) -> String {
    let (date, time) = day_and_time(now);
    suggest.replace("{date}", &date).replace("{time}", &time).replace("{slug}", &slug(role))
}

/// The skills that some agents have to use.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Owed {
    /// Globs of the roles.
    pub(super) agents: Globs,
    /// The names of the skills, all of which have to be used.
    pub(super) required: Vec<String>,
}

fn usual_exceptions() -> Vec<Glob> {
    EXCEPT.map(Glob::builtin).to_vec()
}

impl Settings {
    /// The rule that a file breaks, by its path below the top of its tree.
    pub(super) fn broken_by(&self, path: &str) -> Option<&Rule> {
        let rule = self.rule.iter().find(|rule| rule.files.match_path(path))?;
        let is_right = rule.belongs.match_path(path) || any_matches(&rule.except, path);
        (!is_right).then_some(rule)
    }

    /// Whether a rule is about a file, by its path below the top of its tree.
    pub(super) fn is_document(&self, path: &str) -> bool {
        self.rule.iter().any(|rule| rule.files.match_path(path))
    }

    /// Whether a folder, by its path below the top of its tree, is one that documents belong in.
    pub(super) fn is_place(&self, folder: &str) -> bool {
        self.rule.iter().any(|rule| rule.accepts_folder(folder))
    }

    /// Whether agents of this role are not checked. The client's internal ones have no role.
    pub(super) fn skips(&self, role: &str) -> bool {
        role.is_empty() || any_matches_name(&self.skip_agents, role)
    }

    /// The skills that an agent of this role has to use, each once.
    pub(super) fn required_skills(&self, role: &str) -> Vec<&str> {
        let mine = |entry: &&Owed| entry.agents.match_name(role);
        let mut required: Vec<&str> = Vec::new();
        for skill in self.skills.iter().filter(mine).flat_map(|entry| &entry.required) {
            if !required.contains(&skill.as_str()) {
                required.push(skill);
            }
        }
        required
    }
}
