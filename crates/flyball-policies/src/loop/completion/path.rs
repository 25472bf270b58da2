//! Whether a word names one file, and which.

use flyball_core::text::Words;

/// Endings that only files have; not `com` or version numbers.
const ENDINGS: Words = Words(
    "md|mdx|txt|rst|adoc|json|jsonl|yaml|yml|toml|ini|cfg|conf|env|xml|html|htm|css|scss|sass|less|svg|png|\
    jpg|jpeg|gif|pdf|csv|tsv|sql|rs|go|py|pyi|ipynb|ts|tsx|mts|cts|js|jsx|mjs|cjs|vue|svelte|java|kt|kts|\
    scala|c|h|cc|cpp|hpp|cs|fs|rb|php|swift|dart|ex|exs|erl|clj|hs|ml|lua|pl|r|jl|zig|sol|sh|bash|proto|tf|\
    lock",
);
/// Names with such an ending that are products.
const PRODUCTS: Words = Words(
    "node.js|next.js|vue.js|nuxt.js|express.js|react.js|three.js|d3.js|chart.js|ember.js|backbone.js|\
    angular.js|alpine.js|moment.js",
);
/// Parts of placeholder names.
const PLACEHOLDERS: Words =
    Words("path/to|/path/|your-|your_|my-file|xxx|yyyy|foo.|bar.|filename.|file.ext|example.");

/// The file that a word names, without a line number, quotes and punctuation around it.
pub(super) fn parse(word: &str) -> Option<String> {
    let word = word.trim().trim_start_matches(['`', '"', '\'', '(', '*']);
    let word = word.trim_end_matches(['`', '"', '\'', ')', '*', ',', ';', ':', '.', '!']);
    let word = without_line(word);
    let is_plain = |letter: char| letter.is_alphanumeric() || "/._-+@~".contains(letter);
    if word.len() > 300 || !word.chars().all(is_plain) || word.contains("..") && !word.starts_with("../") {
        return None;
    }
    let small = word.to_lowercase();
    if PLACEHOLDERS.iter().any(|part| small.contains(part)) || PRODUCTS.contains(&small) {
        return None;
    }
    let name = word.rsplit('/').next()?;
    let (stem, ending) = name.rsplit_once('.')?;
    let has_name = !stem.is_empty() && stem.chars().any(char::is_alphanumeric) && !word.starts_with('@');
    (has_name && ENDINGS.contains(&ending.to_lowercase())).then(|| word.to_owned())
}

/// `a.rs` of `a.rs:12`, `a.rs:12:3`, `a.rs:12-20` and `a.rs#L12`.
fn without_line(word: &str) -> &str {
    let word = word.split("#L").next().unwrap_or(word);
    let is_number =
        |text: &str| !text.is_empty() && text.chars().all(|letter| letter.is_ascii_digit() || letter == '-');
    match word.split_once(':') {
        Some((name, rest)) if rest.split(':').all(is_number) => name,
        _ => word,
    }
}
