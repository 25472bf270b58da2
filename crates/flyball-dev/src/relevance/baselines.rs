//! What could be shown without knowing what an edit is about.

use std::collections::{BTreeMap, BTreeSet};

use flyball_knowledge::node::Rule;

use super::set::Edit;

/// The rules that share words with an edit, the best first: BM25 over the rules that cover the file.
pub(super) fn by_words(edit: &Edit, rules: &[Rule]) -> Vec<usize> {
    const SATURATION: f64 = 1.2;
    const LENGTH: f64 = 0.75;
    let texts: Vec<Vec<String>> = rules.iter().map(|rule| words(&rule.words())).collect();
    let all: f64 = count(texts.len());
    let average = texts.iter().map(|text| count(text.len())).sum::<f64>() / all.max(1.0);
    let mut with: BTreeMap<&str, usize> = BTreeMap::new();
    for text in &texts {
        let unique: BTreeSet<&str> = text.iter().map(String::as_str).collect();
        unique.into_iter().for_each(|word| *with.entry(word).or_default() += 1);
    }
    let asked = [Some(&edit.file), edit.shell.as_ref(), edit.old.as_ref(), edit.new.as_ref()];
    let asked: BTreeSet<String> = asked.into_iter().flatten().flat_map(|text| words(text)).collect();
    let score = |text: &[String]| -> f64 {
        let value = |word: &String| {
            let times = count(text.iter().filter(|other| *other == word).count());
            let with = count(with.get(word.as_str()).copied().unwrap_or_default());
            let rarity = (1.0 + (all - with + 0.5) / (with + 0.5)).ln();
            let length = 1.0 - LENGTH + LENGTH * count(text.len()) / average;
            rarity * times * (SATURATION + 1.0) / (times + SATURATION * length)
        };
        asked.iter().filter(|word| text.contains(word)).map(value).sum()
    };
    let mut scored: Vec<(f64, usize)> = texts
        .iter()
        .enumerate()
        .map(|(place, text)| (score(text), place))
        .filter(|(score, _)| *score > 0.0)
        .collect();
    scored.sort_by(|(one, place), (other, other_place)| other.total_cmp(one).then(place.cmp(other_place)));
    scored.into_iter().map(|(_, place)| place).collect()
}

/// All rules, those of the nearest file first.
pub(super) fn everything(rules: &[Rule]) -> Vec<usize> {
    let mut places: Vec<usize> = (0..rules.len()).collect();
    let depth = |place: &usize| rules.get(*place).map_or(0, |rule| rule.node.matches('/').count());
    places.sort_by_key(|place| std::cmp::Reverse(depth(place)));
    places
}

fn count(number: usize) -> f64 {
    f64::from(u32::try_from(number).unwrap_or(u32::MAX))
}

/// Words of at least three letters, in lower case.
fn words(text: &str) -> Vec<String> {
    let parts = text.split(|letter: char| !letter.is_alphabetic());
    parts.filter(|word| word.len() > 2).map(str::to_lowercase).collect()
}
