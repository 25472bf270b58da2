//! Rules on git in words: "do not push to `main`", "never force-push", "don't commit unless asked".

use flyball_effects::{Command, GitCall};
use flyball_knowledge::polarity::Token;

use super::breach::Breach;

/// What a rule says not to do with git.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct OnBranch {
    acts: Vec<Act>,
    /// On which branches; empty for all.
    branches: Vec<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Act {
    Push,
    ForcePush,
    Commit,
    Amend,
    Merge,
}

const NEGATIONS: &[&str] =
    &["avoid", "can't", "cannot", "don't", "dont", "mustn't", "never", "no", "not", "shouldn't"];
/// Between a negation and its verb, and between a verb and where it leads.
const BETWEEN: &[&str] = &["be", "direct", "directly", "ever", "just", "make", "please", "straight", "to"];
const OBJECTS: &[&str] = &[
    "any", "anything", "changes", "code", "commits", "directly", "it", "new", "right", "straight", "them",
    "things", "work", "your",
];
const LEADS: &[&str] = &["against", "into", "on", "onto", "to"];
/// Words around the names of branches.
const AROUND: &[&str] = &["a", "and", "any", "branch", "branches", "or", "our", "remote", "the", "upstream"];
/// Names of branches that are written as words, and the words that stand for the first two.
const BRANCHES: &[&str] = &["main", "master", "develop", "production", "release", "staging", "trunk"];
const MAIN: &[&str] = &["default", "main", "protected", "shared"];
/// What is pushed to as a whole.
const REMOTES: &[&str] = &["github", "gitlab", "origin", "remote", "server", "upstream"];
/// What may follow a verb that is forbidden altogether.
const CONDITIONS: &[&str] =
    &["before", "if", "on", "unless", "until", "unprompted", "when", "while", "without", "yourself"];

/// What a rule says not to do with git.
pub(super) fn read(tokens: &[(usize, Token<'_>)]) -> Vec<OnBranch> {
    let plain: Vec<Token<'_>> = tokens.iter().map(|(_, token)| *token).collect();
    let clauses = plain.split(|token| matches!(token, Token::Stop | Token::Colon));
    clauses.filter_map(read_clause).collect()
}

fn read_clause(clause: &[Token<'_>]) -> Option<OnBranch> {
    let negation = clause.iter().position(|token| is_one_of(token, NEGATIONS))?;
    let rest = skip(clause.get(negation + 1..)?, BETWEEN);
    let (acts, rest) = acts(rest);
    let is_always = acts.iter().all(|act| matches!(act, Act::ForcePush | Act::Amend));
    let is_direct = rest.first().is_some_and(|token| is_one_of(token, &["directly", "straight"]))
        || clause.get(negation + 1).is_some_and(|token| is_one_of(token, &["direct", "directly"]));
    let behind = skip(rest, OBJECTS);
    let branches = match behind.split_first() {
        _ if acts.is_empty() => return None,
        Some((lead, names)) if is_one_of(lead, LEADS) => branches(names),
        None | Some((Token::Comma, _)) if is_direct => main_branches(),
        None => Vec::new(),
        Some((next, _)) if *next == Token::Comma || is_one_of(next, CONDITIONS) => Vec::new(),
        // It says what is not pushed or committed: secrets.
        Some(_) if !is_always => return None,
        Some(_) => Vec::new(),
    };
    let leads = behind.first().is_some_and(|lead| is_one_of(lead, LEADS) && !is_one_of(lead, &["on"]));
    let is_anywhere = skip(behind.get(1..).unwrap_or_default(), AROUND).first();
    let is_remote = behind.iter().any(|token| is_one_of(token, REMOTES))
        && is_anywhere.is_none_or(|token| is_one_of(token, REMOTES) || is_one_of(token, CONDITIONS));
    (!branches.is_empty() || !leads || is_always || is_remote).then_some(OnBranch { acts, branches })
}

/// The verbs at the beginning of a clause, and what is behind them.
fn acts<'t, 'a>(mut rest: &'t [Token<'a>]) -> (Vec<Act>, &'t [Token<'a>]) {
    let mut acts = Vec::new();
    loop {
        let (act, length) = match rest {
            [Token::Word(first), Token::Word(second), ..]
                if first.eq_ignore_ascii_case("force") && act(second) == Some(Act::Push) =>
            {
                (Some(Act::ForcePush), 2)
            }
            [Token::Word(word), ..] => (act(word), 1),
            _ => (None, 0),
        };
        let Some(act) = act else { return (acts, rest) };
        acts.push(act);
        rest = rest.get(length..).unwrap_or_default();
        let is_joint = |token: &Token<'_>| *token == Token::Comma || is_one_of(token, &["and", "or", "nor"]);
        let joints = rest.iter().take_while(|token| is_joint(token)).count();
        let next = rest.get(joints..).unwrap_or_default();
        if joints == 0 || self::acts(next).0.is_empty() {
            return (acts, rest);
        }
        rest = next;
    }
}

fn act(word: &str) -> Option<Act> {
    Some(match word.to_ascii_lowercase().as_str() {
        "push" | "pushes" | "pushing" | "pushed" => Act::Push,
        "force-push" | "force-pushes" | "force-pushing" => Act::ForcePush,
        "commit" | "commits" | "committing" | "committed" => Act::Commit,
        "amend" | "amending" => Act::Amend,
        "merge" | "merges" | "merging" => Act::Merge,
        _ => return None,
    })
}

/// The names of branches at the beginning of some words.
fn branches(tokens: &[Token<'_>]) -> Vec<String> {
    let mut found = Vec::new();
    for token in tokens {
        match token {
            Token::Code(code) if !code.contains(' ') => found.push((*code).to_owned()),
            Token::Word(word) if is_one_of(token, BRANCHES) => found.push(word.to_ascii_lowercase()),
            Token::Word(_) if is_one_of(token, MAIN) => found.extend(main_branches()),
            Token::Comma => {}
            Token::Word(_) if is_one_of(token, AROUND) => {}
            _ => break,
        }
    }
    found
}

fn main_branches() -> Vec<String> {
    ["main", "master"].map(str::to_owned).to_vec()
}

fn skip<'t, 'a>(tokens: &'t [Token<'a>], words: &[&str]) -> &'t [Token<'a>] {
    let count = tokens.iter().take_while(|token| is_one_of(token, words)).count();
    tokens.get(count..).unwrap_or_default()
}

fn is_one_of(token: &Token<'_>, words: &[&str]) -> bool {
    let Token::Word(word) = token else { return false };
    let small = word.to_lowercase().replace('’', "'");
    words.contains(&small.as_str())
}

impl OnBranch {
    /// Whether a command does it.
    pub(super) fn breach(&self, command: &Command) -> Breach {
        let Some(call) = GitCall::parse(command) else { return Breach::None };
        let does = |act: Act| self.acts.contains(&act);
        match call.verb {
            Some("push") if !call.flag("dry-run", "n") => {
                let refspecs: Vec<&str> =
                    call.operands().iter().skip(1).filter_map(|word| word.text.as_deref()).collect();
                let is_forced = call.flag("force", "f")
                    || call.flag("force-with-lease", "")
                    || refspecs.iter().any(|refspec| refspec.starts_with('+'));
                let is_meant = does(Act::Push) || (does(Act::ForcePush) && is_forced);
                if is_meant { self.push(&call, &refspecs) } else { Breach::None }
            }
            Some("commit") if !call.flag("dry-run", "") => {
                let is_meant = does(Act::Commit) || (does(Act::Amend) && call.flag("amend", ""));
                if is_meant { self.on_current() } else { Breach::None }
            }
            Some("merge") if !call.operands().is_empty() && does(Act::Merge) => self.on_current(),
            _ => Breach::None,
        }
    }

    fn push(&self, call: &GitCall<'_>, refspecs: &[&str]) -> Breach {
        let is_meant = |refspec: &&&str| {
            let (_, to) = refspec.split_once(':').unwrap_or(("", refspec));
            self.is_branch(to.trim_start_matches('+').trim_start_matches("refs/heads/"))
        };
        let is_current = |refspec: &&str| matches!(refspec.trim_start_matches('+'), "HEAD" | "@");
        if self.branches.is_empty() || call.flag("all", "") || call.flag("mirror", "") {
            return Breach::Sure;
        }
        match () {
            () if refspecs.iter().any(|refspec| is_meant(&refspec)) => Breach::Sure,
            () if refspecs.iter().any(is_current) => self.on_current(),
            () if refspecs.is_empty() && !call.flag("tags", "") => self.on_current(),
            () => Breach::None,
        }
    }

    fn on_current(&self) -> Breach {
        if self.branches.is_empty() { Breach::Sure } else { Breach::OnBranch(self.branches.clone()) }
    }

    fn is_branch(&self, name: &str) -> bool {
        self.branches.iter().any(|branch| is_branch(branch, name))
    }
}

/// Whether a branch is one that a rule names, maybe by a pattern.
pub(crate) fn is_branch(named: &str, branch: &str) -> bool {
    named == branch || fast_glob::glob_match(named, branch)
}

/// The branch that a command switches to, if it does.
pub(crate) fn switched_to(command: &Command) -> Option<String> {
    let call = GitCall::parse(command).filter(|call| matches!(call.verb, Some("checkout" | "switch")))?;
    let new = call.value("create", "c").or_else(|| call.value("", "b")).or_else(|| call.value("", "B"));
    let named = || match call.split_at_dashes() {
        // `git checkout -- file`
        Some((before, _)) => before.first().copied(),
        None => call.operands().first().copied(),
    };
    new.or_else(named)?.text.clone()
}
