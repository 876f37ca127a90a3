//! "Did you mean": the known name that a wrong one resembles.

use beryl_timing::Help;
use miette::SourceSpan;

/// A proposal for a name that isn't among `known`: the one it resembles, then all of them.
pub(crate) fn suggestion(wrong: &str, known: &[&str], kind: &str) -> String {
    let all = known.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ");
    match closest(wrong, known) {
        _ if known.is_empty() => format!("there are no {kind}"),
        Some(name) => format!("did you mean `{name}`? The {kind}: {all}"),
        None => format!("the {kind}: {all}"),
    }
}

/// Whether a name stands in quotation marks.
#[derive(Clone, Copy)]
pub(super) enum Quoted {
    Yes,
    No,
}

/// The same for a name at a place, with what to write there.
pub(super) fn meant(
    place: SourceSpan,
    wrong: &str,
    known: &[&str],
    kind: &str,
    quoted: Quoted,
) -> Help<SourceSpan> {
    let help = Help::from(suggestion(wrong, known, kind));
    match (closest(wrong, known), quoted) {
        (None, _) => help,
        (Some(name), Quoted::No) => help.or(place, name),
        (Some(name), Quoted::Yes) => help.or(place, format!("\"{name}\"")),
    }
}

/// The known name that a wrong one resembles, if any.
pub(crate) fn closest<'a>(wrong: &str, known: &[&'a str]) -> Option<&'a str> {
    let (edits, name) = known.iter().map(|name| (distance(wrong, name), *name)).min()?;
    (edits <= 1 + wrong.chars().count() / 4).then_some(name)
}

/// The number of letters to insert, remove or replace (Levenshtein's distance), row by row of the usual table.
fn distance(from: &str, to: &str) -> usize {
    let mut row: Vec<usize> = (0..=to.chars().count()).collect();
    for (line, letter) in from.chars().enumerate() {
        let mut diagonal = line;
        let mut left = line + 1;
        for (cell, other) in row.iter_mut().skip(1).zip(to.chars()) {
            let replaced = diagonal + usize::from(letter != other);
            diagonal = *cell;
            left = replaced.min(left + 1).min(*cell + 1);
            *cell = left;
        }
        if let Some(first) = row.first_mut() {
            *first = line + 1;
        }
    }
    row.last().copied().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distances() {
        let pairs =
            [("", ""), ("", "abc"), ("stak", "stack"), ("best", "worst"), ("kitten", "sitting"), ("a", "b")];
        assert_eq!(pairs.map(|(from, to)| distance(from, to)), [0, 3, 1, 3, 3, 1]);
        assert_eq!(pairs.map(|(from, to)| distance(to, from)), [0, 3, 1, 3, 3, 1]);
    }

    #[test]
    fn only_what_resembles_is_proposed() {
        let known = ["stack", "worst"];
        assert_eq!(suggestion("stak", &known, "keys"), "did you mean `stack`? The keys: `stack`, `worst`");
        assert_eq!(suggestion("colour", &known, "keys"), "the keys: `stack`, `worst`");
        assert_eq!(suggestion("x", &[], "keys"), "there are no keys");
    }
}
