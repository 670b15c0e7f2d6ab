//! Counting words.

use std::collections::BTreeMap;

/// Counts each word of `text`.
pub fn count(text: &str) -> BTreeMap<&str, usize> {
    let mut words = BTreeMap::new();
    for word in text.split_whitespace() {
        *words.entry(word).or_default() += 1;
    }
    words
}
