//! Which rules are about an edit or a task, the best first: by the paths, code, words and topics of both.
//!
//! It reads no file and asks no model, and the same rules and the same edit give the same order.

pub(crate) mod command;
mod edit;
mod forbidden;
mod headings;
mod language;
mod lead;
mod lines;
mod phrases;
mod place;
mod rule;
mod score;
mod shape;
mod sought;
mod source;
mod text;
mod things;
mod topic;
mod topic_set;
mod topics;

use std::rc::Rc;

use flyball_knowledge::node::{Rule, Topic};
use flyball_knowledge::similar;

pub(crate) use self::edit::Subject;
use self::headings::{Above, are_below_same};
use self::rule::Features;
pub(crate) use self::score::Relevance;
use self::score::{Frequencies, rate};
pub(crate) use self::sought::{Place, sought, title_words};

/// A rule with less is not about the edit.
const LEAST_SCORE: f64 = 1.9;
/// A rule with less than this share of the best one's score is beside the point. A best one counts at most so much.
const LEAST_SHARE: f64 = 0.65;
const TOP_SCORE: f64 = 3.64;
/// More rules at one edit are not read.
const MOST_RULES: usize = 4;

/// A rule and how much it is about an edit.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Rated<'a> {
    pub(crate) rule: &'a Rule,
    pub(crate) relevance: Relevance,
    /// Its place in the list that was rated.
    pub(crate) place: usize,
}

/// Rules that cover a file, read once for several edits.
pub(crate) struct RuleSet<'a> {
    rules: Vec<&'a Rule>,
    features: Vec<Features>,
}

impl<'a> RuleSet<'a> {
    /// Rules with the depth of their nodes in the project: 0 for its root.
    #[must_use]
    pub(crate) fn new(rules: impl IntoIterator<Item = (&'a Rule, usize)>) -> RuleSet<'a> {
        let mut set = RuleSet { rules: Vec::new(), features: Vec::new() };
        let mut above: Option<Rc<Above>> = None;
        for (rule, depth) in rules {
            let is_below_same = set.rules.last().is_some_and(|last| are_below_same(last, rule));
            let shared = above.filter(|_| is_below_same).unwrap_or_else(|| Rc::new(Above::new(rule)));
            set.features.push(Features::new(rule, &shared, depth));
            set.rules.push(rule);
            above = Some(shared);
        }
        set
    }

    /// All rules, the best first.
    #[must_use]
    pub(crate) fn rated(&self, subject: &Subject) -> Vec<Rated<'a>> {
        let frequencies = Frequencies::new(&self.features);
        let all = self.rules.iter().zip(&self.features).enumerate();
        let mut rated: Vec<(Rated<'a>, usize)> = all
            .map(|(place, (rule, features))| {
                let relevance = rate(features, subject, &frequencies);
                (Rated { rule, relevance, place }, features.depth)
            })
            .collect();
        // With equal scores: the nearest node, then as in the file.
        rated.sort_by(|(one, one_depth), (other, other_depth)| {
            let by_score = other.relevance.score.total_cmp(&one.relevance.score);
            by_score.then(other_depth.cmp(one_depth)).then(one.place.cmp(&other.place))
        });
        rated.into_iter().map(|(rated, _)| rated).collect()
    }

    /// All rules, in their order, without knowing an edit.
    pub(crate) fn unrated(&self) -> impl Iterator<Item = Rated<'a>> {
        let rated =
            |(place, rule): (usize, &&'a Rule)| Rated { rule, relevance: Relevance::default(), place };
        self.rules.iter().enumerate().map(rated)
    }

    /// How many rules a node has.
    pub(crate) fn rules_of(&self, node: &str) -> usize {
        self.rules.iter().filter(|rule| rule.node == node).count()
    }

    /// Whether a rule names nothing in particular: no code, no path, and no topic that only some rules are about.
    pub(crate) fn is_about_nothing(&self, rated: &Rated<'_>) -> bool {
        let names_nothing = |features: &Features| {
            features.code.is_empty()
                && (features.topics.once | features.topics.headings).without(topic::broad()).is_empty()
        };
        self.features.get(rated.place).is_some_and(names_nothing) && rated.rule.is_general()
    }

    /// The other rules that share many words with one: they may say the same.
    pub(crate) fn like(&self, rated: &Rated<'_>) -> impl Iterator<Item = &'a Rule> {
        let (place, features) = (rated.place, self.features.get(rated.place));
        let others = self.rules.iter().zip(&self.features).enumerate();
        let is_like = move |other: &Features| features.is_some_and(|features| features.is_like(other));
        others
            .filter(move |(other_place, (_, other))| *other_place != place && is_like(other))
            .map(|(_, (rule, _))| *rule)
    }

    /// The rules that are about an edit, the best first. What two nodes say in other words is there once.
    #[must_use]
    pub(crate) fn about(&self, subject: &Subject) -> Vec<Rated<'a>> {
        choose(self.rated(subject))
    }
}

/// Whether a rule is for the whole project, whatever is edited: it names nothing in particular. What is recorded as a check, a
/// pitfall or a contract may be about something if it names no code.
pub(crate) fn is_for_all(rule: &Rule) -> bool {
    let is_plain = !rule.words().contains('`');
    match rule.topic {
        Topic::Contracts | Topic::Checks | Topic::Pitfalls => {
            rule.is_general() || (rule.topic == Topic::Checks && is_plain)
        }
        Topic::Rules | Topic::Patterns => {
            rule.is_general() && {
                let features = Features::new(rule, &Rc::new(Above::new(rule)), 0);
                // No edit brings up what is about commands, branches and commits.
                features.is_about_work() || features.is_about_commands || is_about_process(rule)
            }
        }
        Topic::Context => false,
    }
}

/// Whether a rule is about what is done with a change.
fn is_about_process(rule: &Rule) -> bool {
    const STEPS: &[&str] = &["push", "commit", "commits", "branch", "branches", "merge", "rebase", "pull"];
    let words = rule.text.split(|letter: char| !letter.is_alphanumeric());
    words.into_iter().any(|word| STEPS.iter().any(|step| word.eq_ignore_ascii_case(step)))
}

fn choose(rated: Vec<Rated<'_>>) -> Vec<Rated<'_>> {
    let mut chosen: Vec<Rated<'_>> = Vec::new();
    let best = rated.first().map_or(0.0, |best| best.relevance.score.min(TOP_SCORE));
    for candidate in rated {
        let score = candidate.relevance.score;
        if score < LEAST_SCORE || score < LEAST_SHARE * best || chosen.len() == MOST_RULES {
            break;
        }
        let is_same = |other: &Rated<'_>| is_same(other.rule, candidate.rule);
        if !chosen.iter().any(is_same) {
            chosen.push(candidate);
        }
    }
    chosen
}

/// Whether two rules say the same.
pub(crate) fn is_same(one: &Rule, other: &Rule) -> bool {
    similar::is_same_rule((&one.title, &one.text), (&other.title, &other.text))
}

#[cfg(test)]
mod tests {
    use flyball_core::path::AbsolutePath;
    use flyball_knowledge::node::{Node, rules};

    use super::*;

    fn read(items: &[&str]) -> Vec<Rule> {
        let text = format!("# App\n\n## Rules\n\n- {}\n", items.join("\n- "));
        rules(&Node::new(AbsolutePath::new("/p/AGENTS.md").unwrap(), text))
    }

    #[test]
    fn rules_on_commands_and_the_way_of_working_are_for_all() {
        let cases = [
            ("Do not run `cargo test` directly. Use `just test` instead.", true),
            ("Do _not_ run `npm run build` inside of a session.", true),
            ("Never push directly to `main`.", true),
            ("Run `make lint` before each commit.", true),
            ("`parseDate` is in UTC.", false),
            ("Tests in `tests/api` use `client()`.", false),
        ];
        for (item, expected) in cases {
            let found = read(&[item]);
            assert_eq!(found.iter().any(is_for_all), expected, "{item}: {found:?}");
        }
    }

    #[test]
    fn a_rule_is_broken_by_what_it_forbids_and_met_by_what_it_wants() {
        // The rule, the file, what is there and what comes, and whether the rule is about to be broken.
        let cases = [
            ("`print` is not allowed.", "a.py", "", "print(1)", true),
            ("Prefer `logger` to `print`.", "a.py", "", "logger.info(1)", false),
            ("Never skip `validate()`.", "a.py", "", "validate(x)", false),
            ("Do not use `open()` without `encoding=`.", "a.py", "", "open(p, encoding='utf-8')", false),
            ("Do not use `open()` without `encoding=`.", "a.py", "", "open(p)", true),
            ("Don't remove `# noqa` comments.", "a.py", "", "x = 1  # noqa", false),
            ("Don't remove `# noqa` comments.", "a.py", "x = 1  # noqa", "x = 1", true),
            ("Only `config.py` may read `os.environ`.", "src/config.py", "", "os.environ['A']", false),
            ("Only `config.py` may read `os.environ`.", "src/a.py", "", "os.environ['A']", true),
            ("Never use `float` for money.", "a.css", "", "a { float: left; }", false),
            ("Never use `any`.", "docs/a.md", "", "in any case", false),
            ("Never use `any`.", "a.ts", "", "// in any case", false),
            ("Never use `any`.", "a.ts", "", "let a: any", true),
            ("Rust: no `unwrap`.", "a.js", "", "x.unwrap()", false),
            ("Prefer TypeScript (`.tsx`) for new components.", "A.jsx", "", "export function A() {}", true),
            ("No `print` in `src/`.", "tools/a.py", "", "print(1)", false),
        ];
        for (item, file, old, new, expected) in cases {
            let found = read(&[item, "Be kind.", "Keep it small."]);
            let set = RuleSet::new(found.iter().map(|rule| (rule, 0)));
            let rated = set.rated(&Subject::edit(file, old, new));
            let own = rated.iter().find(|rated| rated.rule.text.contains(item)).unwrap();
            assert_eq!(own.relevance.is_broken, expected, "{item} @ {new}");
        }
    }
}
