//! Where in a node a rule belongs.

use flyball_core::path::AbsolutePath;

use super::insertion::Insertion;
use crate::markdown::{Block, Kind, blocks, content_start};
use crate::node::{LEAST_LEVEL, Node, Topic, rules};

/// The level of a new section where there is no other section.
const NEW_SECTION: u8 = 2;
/// A section of a deeper level has no room for headings below it.
const MOST_LEVEL: u8 = 5;

/// The blocks of a text, in order.
pub(super) struct Outline<'a> {
    text: &'a str,
    blocks: Vec<Block>,
}

/// A section, and where in it a rule can go.
pub(super) struct Spot {
    /// The level of the section.
    pub(super) level: u8,
    /// The title of a section that has to be added.
    pub(super) new_section: Option<&'static str>,
    /// Offsets in the text, the best first.
    pub(super) places: Vec<usize>,
    /// The mark of the list that the section is; the rule is one more item of it.
    pub(super) list: Option<char>,
}

impl<'a> Outline<'a> {
    pub(super) fn read(text: &'a str) -> Outline<'a> {
        Outline { text, blocks: blocks(text) }
    }

    /// Where a rule of this topic can go, the best first: into its section, into a new one beside the sections of other
    /// topics, into a new one at the end.
    pub(super) fn spots(&self, topic: Topic) -> Vec<Spot> {
        let sections = self.sections(topic);
        let lists = sections.iter().filter_map(|(at, level)| self.in_list_of((*at, *level)));
        let lists: Vec<Spot> = lists.collect();
        let own = sections.into_iter().map(|(at, level)| self.inside((at, level), None));
        let new_section = Some(topic.heading());
        // Sections are in the order of `Topic::ALL`: a new one goes behind those of earlier topics, else in
        // front of later ones.
        let mine = Topic::ALL.iter().position(|it| *it == topic).unwrap_or_default();
        let (before, after) = Topic::ALL.split_at(mine);
        let behind = before.iter().rev().flat_map(|it| self.sections(*it));
        let behind = behind.map(|(at, level)| self.inside((at, level), new_section));
        let ahead = after.iter().flat_map(|it| self.sections(*it)).map(|(at, level)| {
            let places = vec![self.blocks.get(at).map_or(self.text.len(), |block| block.span.start)];
            Spot { level, new_section, places, list: None }
        });
        let places = self.places(0, self.blocks.len());
        let last = Spot { level: NEW_SECTION, new_section, places, list: None };
        lists.into_iter().chain(own).chain(behind).chain(ahead).chain(std::iter::once(last)).collect()
    }

    /// The sections of a topic: those nearest to the surface first.
    fn sections(&self, topic: Topic) -> Vec<(usize, u8)> {
        let named = self.blocks.iter().enumerate().filter_map(|(at, block)| match &block.kind {
            Kind::Heading { level, title } if (LEAST_LEVEL..=MOST_LEVEL).contains(level) => {
                (Topic::from_heading(title) == Some(topic)).then_some((at, *level))
            }
            _ => None,
        });
        let mut found: Vec<(usize, u8)> = named.collect();
        found.sort_by_key(|(at, level)| (*level, *at));
        found
    }

    fn inside(&self, (at, level): (usize, u8), new_section: Option<&'static str>) -> Spot {
        Spot { level, new_section, places: self.places(at + 1, self.end(at, level)), list: None }
    }

    /// The end of a section that is a list: there are no headings in it, and its last block is an item with a mark.
    fn in_list_of(&self, (at, level): (usize, u8)) -> Option<Spot> {
        let end = self.end(at, level);
        let inside = self.blocks.get(at + 1..end)?;
        let closing = inside.iter().rev().take_while(|block| self.is_closing(block)).count();
        let inside = inside.get(..inside.len() - closing)?;
        let has_heading = inside.iter().any(|block| matches!(block.kind, Kind::Heading { .. }));
        let last = inside.last().filter(|last| last.kind == Kind::Item && !has_heading)?;
        let mark = self.text.get(last.span.clone())?.chars().next().filter(|mark| "-*+".contains(*mark))?;
        let places = vec![self.place(at + 1 + inside.len())];
        Some(Spot { level, new_section: None, places, list: Some(mark) })
    }

    /// The block that ends a section: the next heading of its level or above.
    fn end(&self, section: usize, of: u8) -> usize {
        let ends = |block: &Block| matches!(block.kind, Kind::Heading { level, .. } if level <= of);
        let next = self.blocks.iter().skip(section + 1).position(ends);
        next.map_or(self.blocks.len(), |next| section + 1 + next)
    }

    /// The places between some blocks, the last first, none of them within a list.
    fn places(&self, first: usize, end: usize) -> Vec<usize> {
        let upto = self.blocks.get(..end).unwrap_or_default();
        let closing = upto.iter().skip(first).rev().take_while(|block| self.is_closing(block)).count();
        let within = (first..=end.saturating_sub(closing)).rev().filter(|before| !self.is_in_list(*before));
        let mut places: Vec<usize> = within.map(|before| self.place(before)).collect();
        places.dedup();
        places
    }

    fn is_in_list(&self, before: usize) -> bool {
        let is_item = |at: usize| self.blocks.get(at).is_some_and(|block| block.kind == Kind::Item);
        is_item(before) && before.checked_sub(1).is_some_and(is_item)
    }

    /// A thematic break or a closing comment: rules go above it.
    fn is_closing(&self, block: &Block) -> bool {
        let text = self.text.get(block.span.clone()).unwrap_or_default().trim_start();
        let mark = text.strip_prefix("<!--").map(str::trim_start).unwrap_or_default().to_lowercase();
        block.kind == Kind::Break || mark.starts_with('/') || mark.starts_with("end ")
    }

    /// The end of the last line that is not blank before a block.
    fn place(&self, block: usize) -> usize {
        let limit = self.blocks.get(block).map_or(self.text.len(), |block| block.span.start);
        let before = self.text.get(..limit).unwrap_or(self.text);
        let start = content_start(self.text).min(limit);
        let end = before.trim_end().len().max(start);
        // There is nothing but front matter before it.
        if end == start {
            return start;
        }
        before.get(end..).and_then(|rest| rest.find('\n')).map_or(limit, |at| end + at + 1)
    }

    fn headings(&self) -> Vec<(u8, &str, usize)> {
        let all = self.blocks.iter().filter_map(|block| match &block.kind {
            Kind::Heading { level, title } => Some((*level, title.as_str(), block.span.start)),
            _ => None,
        });
        all.collect()
    }
}

impl Spot {
    /// Whether the changed text has one rule more, of this topic, and every heading that was there.
    pub(super) fn is_clean_insert(&self, before: &Outline<'_>, changed: &Insertion, topic: Topic) -> bool {
        // One line can change what the lines after it are, in Markdown: so the result is parsed again and
        // compared.
        let after = Outline::read(&changed.text);
        let (old, new) = (before.headings(), after.headings());
        if self.list.is_some() {
            let plain = |(level, title, _): &(u8, &'_ str, usize)| (*level, (*title).to_owned());
            return old.iter().map(plain).eq(new.iter().map(plain))
                && counts(&changed.text, topic) == plus_one(counts(before.text, topic));
        }
        let ahead = old.iter().filter(|(_, _, start)| *start < changed.cut).count();
        let own = 1 + usize::from(self.new_section.is_some());
        let is_same =
            |(one, other): (&(u8, &str, usize), &(u8, &str, usize))| one.0 == other.0 && one.1 == other.1;
        old.len() + own == new.len()
            && old.iter().take(ahead).zip(&new).all(is_same)
            && old.iter().skip(ahead).zip(new.iter().skip(ahead + own)).all(is_same)
            && new.get(ahead).is_some_and(|(_, _, start)| *start == changed.start)
            && new.get(ahead + own - 1).is_some_and(|(level, ..)| *level == self.rule_level())
            && counts(&changed.text, topic) == plus_one(counts(before.text, topic))
    }

    /// The level of a rule's heading.
    pub(super) const fn rule_level(&self) -> u8 {
        self.level + 1
    }
}

/// How many rules a text has of a topic, and of the others that have a section of their own. What is below other
/// headings may become a part of the new rule's section.
fn counts(text: &str, topic: Topic) -> (usize, usize) {
    let node = Node::new(AbsolutePath::default(), text);
    let all = rules(&node);
    let of_topic = all.iter().filter(|rule| rule.topic == topic).count();
    let others = all.iter().filter(|rule| rule.topic != topic && rule.topic != Topic::Rules).count();
    (of_topic, others)
}

const fn plus_one((of_topic, others): (usize, usize)) -> (usize, usize) {
    (of_topic + 1, others)
}
