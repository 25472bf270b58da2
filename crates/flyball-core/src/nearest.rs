//! The name that a misspelt one was probably meant to be.

/// The candidate with the fewest changes from `name`, if they are few enough to be a slip; the
/// first of several that are equally near. Else the only one
/// that contains `name`, and before that the only one that begins with it.
#[must_use]
pub fn nearest<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let candidates: Vec<&str> = candidates.into_iter().collect();
    let allowed = (name.chars().count() / 3).max(1);
    let measured = candidates.iter().map(|candidate| (strsim::osa_distance(name, candidate), *candidate));
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
