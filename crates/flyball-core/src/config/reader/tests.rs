//! The reader says what `toml`'s own says, of values and of mistakes.

use std::collections::BTreeMap;

use serde::Deserialize;
use toml::Spanned;

use super::read_toml;

#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct Sample {
    text: String,
    number: u8,
    large: i64,
    part: f64,
    flag: Option<bool>,
    list: Vec<u32>,
    pair: Option<(u8, String)>,
    place: Option<Spanned<String>>,
    named: BTreeMap<Spanned<String>, Name>,
    choice: Option<Choice>,
    inner: Inner,
    either: Option<Either>,
}

#[derive(Debug, Deserialize)]
#[expect(dead_code, reason = "only shown")]
struct Name(String);

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(dead_code, reason = "only shown")]
struct Inner {
    must: bool,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
#[expect(dead_code, reason = "only shown")]
enum Choice {
    Plain,
    Number(u8),
    Table { width: u8 },
}

#[derive(Debug, Deserialize)]
#[serde(untagged)]
#[expect(dead_code, reason = "only shown")]
enum Either {
    Text(String),
    Number(i64),
}

#[test]
fn it_agrees_with_the_reader_of_toml() {
    let texts = [
        "",
        "text = 'a'\nnumber = 7\nlarge = -0x1f\npart = 1.5\nflag = true\nlist = [1, 2]\npair = [1, 'b']",
        "large = 0x1f\npart = inf",
        "part = 3",
        "part = 1e999",
        "place = 'here'\n[named]\none = 'first'\n\"two words\" = 'second'",
        "choice = 'plain'",
        "choice = { number = 3 }",
        "choice = { table = { width = 3 } }",
        "either = 'a'",
        "either = 4",
        "inner = { must = true }",
        // Mistakes.
        "text = 3",
        "text = 1979-05-27",
        "text = []",
        "number = 256",
        "number = -1",
        "number = 'seven'",
        "number = 99999999999999999999",
        "number = 999999999999999999999999999999999999999999",
        "flag = 1",
        "list = [1, 'a']",
        "list = {}",
        "pair = [1]",
        "unknown = 1",
        "choice = 'other'",
        "choice = 3",
        "choice = {}",
        "choice = { plain = 1 }",
        "choice = { plain = { more = 1 } }",
        "choice = { number = 'x' }",
        "choice = { number = 1, plain = {} }",
        "choice = { table = { width = 3, height = 4 } }",
        "choice = 'number'",
        "choice = { other = 1 }",
        "inner = {}",
        "inner = { must = 'x' }",
        "inner = { must = true, more = 1 }",
        "inner = []",
        "either = []",
        "named = { one = 1 }",
        "text = ",
    ];
    for text in texts {
        let ours = read_toml::<Sample>(text).map(|sample| format!("{sample:?}"));
        let theirs = toml::from_str::<Sample>(text);
        let theirs = theirs.map(|sample| format!("{sample:?}")).map_err(|error| error.message().to_owned());
        assert_eq!(ours, theirs, "{text}");
    }
}
