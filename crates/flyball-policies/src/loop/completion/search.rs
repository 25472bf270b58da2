//! Looks for files that an answer claims were written. A claim is wrong only if the file is in none of the places it
//! can mean.

use flyball_core::event::Event;
use flyball_core::path::AbsolutePath;
use flyball_core::policy::{GitAnswer, World};

/// The claims without a file, relative to the agent's folder, to the project's root, and to every folder in between.
pub(super) fn missing_nearby(claims: Vec<String>, event: &Event, world: &dyn World) -> Vec<String> {
    let root = world.project_root();
    let above = event.cwd.ancestors().skip(1).take_while(|folder| folder.is_in(root));
    let places: Vec<AbsolutePath> =
        [event.cwd.clone()].into_iter().chain(above).chain([root.clone()]).collect();
    let is_there = |claim: &String| places.iter().any(|place| is_file(world, place, claim));
    claims.into_iter().filter(|claim| !is_there(claim)).collect()
}

/// Those of them that are in no linked worktree and unknown to git. Without an answer of git a claim is accepted.
pub(super) fn missing_everywhere(claims: Vec<String>, event: &Event, world: &dyn World) -> Vec<String> {
    if claims.is_empty() {
        return claims;
    }
    let root = world.project_root();
    let worktrees = worktrees(&event.cwd, world);
    let below_root = |claim: &str| world.real_path(&event.cwd, claim).strip_folder(root).map(str::to_owned);
    let is_there = |claim: &String| {
        let relative = below_root(claim).unwrap_or_else(|| claim.clone());
        worktrees.iter().any(|tree| is_file(world, tree, claim) || is_file(world, tree, &relative))
    };
    let claims: Vec<String> = claims.into_iter().filter(|claim| !is_there(claim)).collect();
    let relative = |claim: &String| claim.trim_start_matches("./").trim_start_matches("../").to_owned();
    // An absolute path means one place only, which was looked at already.
    let (placed, open): (Vec<String>, Vec<String>) =
        claims.into_iter().partition(|claim| claim.starts_with(['/', '~']));
    if open.is_empty() {
        return placed;
    }
    // The folder that the agent means is not known, so any folder counts; ignored files count, too.
    let patterns: Vec<String> = open.iter().map(|claim| format!(":(glob)**/{}", relative(claim))).collect();
    let mut question = vec!["ls-files", "--cached", "--others", "-z", "--"];
    question.extend(patterns.iter().map(String::as_str));
    // A claim is only refuted by what is known.
    let Ok(GitAnswer::Said(known)) = world.git(root, &question) else { return placed };
    let is_known = |claim: &String| {
        let name = relative(claim);
        known.split('\0').any(|path| path == name || path.ends_with(&format!("/{name}")))
    };
    placed.into_iter().chain(open.into_iter().filter(|claim| !is_known(claim))).collect()
}

fn is_file(world: &dyn World, base: &AbsolutePath, claim: &str) -> bool {
    world.stat(&world.real_path(base, claim)).is_some()
}

/// The folders of the repository's worktrees.
fn worktrees(folder: &AbsolutePath, world: &dyn World) -> Vec<AbsolutePath> {
    let list = match world.git(folder, &["worktree", "list", "--porcelain"]) {
        Ok(GitAnswer::Said(list)) => list,
        // If git does not answer here, it does not answer the next question, and the claim is accepted.
        Ok(GitAnswer::No | GitAnswer::NoRepository) | Err(_) => return Vec::new(),
    };
    list.lines().filter_map(|line| AbsolutePath::new(line.strip_prefix("worktree ")?)).collect()
}
