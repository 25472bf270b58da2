//! The name that a misspelt one was probably meant to be.

/// The candidate with the fewest changes from `name`, if they are few enough to be a slip; the
/// first of several that are equally near. Else the only one
/// that holds `name`, and before that the only one that begins with it.
#[must_use]
pub fn nearest<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let candidates: Vec<&str> = candidates.into_iter().collect();
    let allowed = (name.chars().count() / 3).max(1);
    let measured = candidates.iter().map(|candidate| (distance(name, candidate), *candidate));
    let near = measured.filter(|(steps, _)| *steps <= allowed).min_by_key(|(steps, _)| *steps);
    near.map(|(_, candidate)| candidate).or_else(|| completed(name, &candidates))
}

fn completed<'a>(name: &str, candidates: &[&'a str]) -> Option<&'a str> {
    const SHORTEST: usize = 3;
    let only = |fits: fn(&str, &str) -> bool| {
        let mut longer =
            candidates.iter().filter(|candidate| name.len() >= SHORTEST && fits(candidate, name));
        let first = longer.next()?;
        longer.next().is_none().then_some(*first)
    };
    only(|candidate, name| candidate.starts_with(name))
        .or_else(|| only(|candidate, name| candidate.contains(name)))
}

/// How many characters to insert, remove, replace, or swap with the next (Damerau and
/// Levenshtein, without changing a swapped pair again).
fn distance(left: &str, right: &str) -> usize {
    let right: Vec<char> = right.chars().collect();
    let first: Vec<usize> = (0..=right.len()).collect();
    let (mut two_above, mut above, mut previous) = (Vec::new(), first, None);
    for (index, own) in left.chars().enumerate() {
        let mut row = vec![index + 1];
        for (column, other) in right.iter().enumerate() {
            let at = |row: &[usize], column: usize| row.get(column).copied().unwrap_or(usize::MAX - 1);
            let replaced = at(&above, column) + usize::from(own != *other);
            let mut steps = replaced.min(at(&above, column + 1) + 1).min(at(&row, column) + 1);
            let is_swap = column > 0 && right.get(column - 1) == Some(&own) && previous == Some(*other);
            if is_swap {
                steps = steps.min(at(&two_above, column - 1) + 1);
            }
            row.push(steps);
        }
        (two_above, above, previous) = (above, row, Some(own));
    }
    above.last().copied().unwrap_or_default()
}

/// Names in backticks, as error texts list them: "`a`, `b`".
pub(crate) fn enumerate<'a>(names: impl IntoIterator<Item = &'a str>) -> String {
    let quoted: Vec<_> = names.into_iter().map(|name| format!("`{name}`")).collect();
    quoted.join(", ")
}
