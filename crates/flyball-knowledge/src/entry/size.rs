//! How large a section of a node is: long lists are read over.

use crate::node::{Node, Topic, rules};

/// Beyond this a section is too long, in words and in rules.
const MOST_WORDS: usize = 300;
const MOST_RULES: usize = 10;

/// How large a section is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SectionSize {
    pub topic: Topic,
    pub words: usize,
    pub rules: usize,
}

impl SectionSize {
    /// The size of the rules of a topic in a node.
    #[must_use]
    pub fn measure(node: &Node, topic: Topic) -> SectionSize {
        let of_topic: Vec<_> = rules(node).into_iter().filter(|rule| rule.topic == topic).collect();
        let words = of_topic.iter().map(|rule| rule.words().split_whitespace().count()).sum();
        SectionSize { topic, words, rules: of_topic.len() }
    }

    /// Whether agents read over it.
    #[must_use]
    pub const fn is_bloated(&self) -> bool {
        self.words > MOST_WORDS || self.rules > MOST_RULES
    }
}
