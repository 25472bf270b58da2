//! Cuts a text to a client's limit, between characters.

use flyball_core::event::AnswerId;
use flyball_core::text;

/// The text, cut to `limit` UTF-16 units (what JavaScript counts) and with a pointer to the rest.
/// A client that gets more hides all of it in a file.
pub(crate) fn shorten(text: String, limit: usize, id: &AnswerId) -> String {
    // No text has more units than bytes, so that most are not even counted.
    if text.len() <= limit || text.encode_utf16().count() <= limit {
        return text;
    }
    let tail = format!("… (flyball explain {id} has all of it)");
    let room = limit.saturating_sub(tail.encode_utf16().count());
    format!("{}{tail}", text::head_utf16(&text, room))
}

#[cfg(test)]
mod tests {
    use flyball_core::event::AnswerId;
    use proptest::prelude::*;

    use super::shorten;

    #[test]
    fn a_short_text_is_left_alone() {
        assert_eq!(shorten("ééé".to_owned(), 3, &AnswerId::parse("a")), "ééé");
    }

    #[test]
    fn a_long_text_ends_with_where_the_rest_is() {
        let text = shorten("x".repeat(200), 50, &AnswerId::parse("4k7q2m8x"));
        assert_eq!(text, format!("{}… (flyball explain 4k7q2m8x has all of it)", "x".repeat(8)));
        assert_eq!(text.encode_utf16().count(), 50);
    }

    proptest! {
        #[test]
        fn the_limit_holds_and_the_start_stays(text in "\\PC{0,300}", limit in 60usize..200) {
            let short = shorten(text.clone(), limit, &AnswerId::parse("4k7q2m8x"));
            prop_assert!(short.encode_utf16().count() <= limit);
            let head = short.split('…').next().unwrap();
            prop_assert!(short == text || text.starts_with(head));
        }
    }
}
