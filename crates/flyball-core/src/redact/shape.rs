//! Tokens that are recognised by their prefix.

/// A token that is recognised by its prefix.
pub(super) struct Shape {
    pub(super) prefix: &'static [u8],
    /// The place in it of the byte that it is found by.
    pub(super) rarest: usize,
    /// How much has to follow.
    pub(super) least: usize,
    /// Whether a digit has to be in it, because words start like that too.
    pub(super) digit: bool,
    /// How many dots have to be in it.
    pub(super) dots: usize,
}

impl Shape {
    /// Such a token: its beginning and how much has to follow.
    const fn new(prefix: &'static [u8], least: usize) -> Shape {
        Shape { prefix, rarest: rarest(prefix), least, digit: false, dots: 0 }
    }

    /// The same with a digit, because there are words that start like that.
    const fn no_word(self) -> Shape {
        Shape { digit: true, ..self }
    }

    /// The same with a dot.
    const fn dotted(self) -> Shape {
        Shape { dots: 1, ..self }
    }
}

/// The place of the first byte that is rare in texts.
const fn rarest(prefix: &[u8]) -> usize {
    let mut place = 0;
    let mut rest = prefix;
    while let [byte, next @ ..] = rest {
        if matches!(byte, b'_' | b'-' | b'.' | b'I' | b'J') {
            return place;
        }
        place += 1;
        rest = next;
    }
    place
}

pub(super) const SHAPES: &[Shape] = &[
    Shape::new(b"AKIA", 16),
    Shape::new(b"ASIA", 16),
    Shape::new(b"AIza", 30),
    Shape::new(b"ghp_", 20),
    Shape::new(b"gho_", 20),
    Shape::new(b"ghu_", 20),
    Shape::new(b"ghs_", 20),
    Shape::new(b"ghr_", 20),
    Shape::new(b"github_pat_", 20),
    Shape::new(b"glpat-", 16),
    Shape::new(b"sk-", 20).no_word(),
    Shape::new(b"sk_live_", 16).no_word(),
    Shape::new(b"sk_test_", 16).no_word(),
    Shape::new(b"rk_live_", 16).no_word(),
    Shape::new(b"xoxb-", 10),
    Shape::new(b"xoxa-", 10),
    Shape::new(b"xoxp-", 10),
    Shape::new(b"xoxr-", 10),
    Shape::new(b"xoxs-", 10),
    Shape::new(b"npm_", 30).no_word(),
    Shape::new(b"hf_", 30).no_word(),
    Shape::new(b"pypi-AgE", 30),
    Shape::new(b"ya29.", 20).no_word(),
    Shape::new(b"SG.", 40).no_word().dotted(),
    Shape::new(b"eyJ", 20).dotted(),
];
