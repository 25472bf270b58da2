//! The contrast of the colours that meet, computed as WCAG says, in both themes.

use std::collections::BTreeMap;

use flyball_board::document::STYLES;

/// What text needs, and what lines and bars need.
const TEXT: f64 = 4.5;
const SHAPE: f64 = 3.0;

/// Every background of text.
const GROUNDS: [&str; 4] = ["ground", "surface", "raised", "accent-soft"];

/// The relative luminance of `#rrggbb`.
fn luminance(colour: &str) -> f64 {
    let part = |at: usize| {
        let value = f64::from(u8::from_str_radix(&colour[at..at + 2], 16).unwrap()) / 255.0;
        if value <= 0.040_45 { value / 12.92 } else { ((value + 0.055) / 1.055).powf(2.4) }
    };
    0.2126 * part(1) + 0.7152 * part(3) + 0.0722 * part(5)
}

fn contrast(one: &str, other: &str) -> f64 {
    let (one, other) = (luminance(one), luminance(other));
    (one.max(other) + 0.05) / (one.min(other) + 0.05)
}

/// The colours by name, light and dark.
fn colours() -> BTreeMap<&'static str, [&'static str; 2]> {
    let named = STYLES.split("--").filter_map(|rest| {
        let (name, rest) = rest.split_once(": light-dark(")?;
        let (light, dark) = rest.split_once(')')?.0.split_once(", ")?;
        Some((name, [light, dark]))
    });
    named.collect()
}

#[test]
fn text_can_be_read_and_shapes_can_be_seen_in_both_themes() {
    let mut pairs: Vec<(&str, &str, f64)> = Vec::new();
    for text in ["text", "muted", "accent"] {
        pairs.extend(GROUNDS.map(|ground| (text, ground, TEXT)));
    }
    for (stance, soft) in [
        ("deny", "deny-soft"),
        ("ask", "ask-soft"),
        ("held", "held-soft"),
        ("finding", "finding-soft"),
        ("allow", "allow-soft"),
        ("silent", "silent-soft"),
    ] {
        pairs.push((stance, soft, TEXT));
        pairs.extend(GROUNDS.map(|ground| (stance, ground, TEXT)));
    }
    for shape in [
        "bar-deny",
        "bar-ask",
        "bar-held",
        "bar-finding",
        "bar-allow",
        "bar-silent",
        "line-p50",
        "line-p90",
        "line-p99",
        "edge",
    ] {
        pairs.push((shape, "surface", SHAPE));
    }
    pairs.push(("edge", "ground", SHAPE));
    let colours = colours();
    let weak: Vec<String> = pairs
        .iter()
        .flat_map(|(one, other, least)| {
            [0, 1].map(|theme| (one, other, least, contrast(colours[one][theme], colours[other][theme])))
        })
        .filter(|(_, _, least, found)| found < least)
        .map(|(one, other, least, found)| format!("{one} on {other}: {found:.2} of {least}"))
        .collect();
    assert_eq!(weak, Vec::<String>::new());
}

#[test]
fn the_contrast_is_computed_as_the_standard_says() {
    assert_eq!(format!("{:.2}", contrast("#000000", "#ffffff")), "21.00");
    assert_eq!(format!("{:.2}", contrast("#777777", "#ffffff")), "4.48");
}
