//! "Did you mean": the declared name nearest to a mistyped one.

use crate::help::Help;
use crate::place::Place;
use crate::syntax::Name;

/// The nearest of `names`, if it is near enough to be meant.
pub(super) fn nearest<'a>(wrong: &str, names: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let limit = 1 + wrong.len() / 4;
    let lower = wrong.to_ascii_lowercase();
    names
        .into_iter()
        .map(|name| (distance(&lower, &name.to_ascii_lowercase()), name))
        .filter(|&(distance, _)| distance <= limit)
        .min()
        .map(|(_, name)| name)
}

/// "did you mean `name`?", or `otherwise` if nothing is near.
pub(super) fn proposal<'a>(
    wrong: &Name,
    names: impl IntoIterator<Item = &'a str>,
    otherwise: impl Into<Help<Place>>,
) -> Help<Place> {
    match nearest(&wrong.text, names) {
        Some(name) => Help::meant(wrong.place, name),
        None => otherwise.into(),
    }
}

/// The insertions, deletions, replacements and swaps of neighbours that turn one name into the other (Damerau
/// 1964, in the form that edits no byte twice).
fn distance(from: &str, to: &str) -> usize {
    let (from, to) = (from.as_bytes(), to.as_bytes());
    let mut before: Vec<usize> = Vec::new();
    let mut above: Vec<usize> = (0..=to.len()).collect();
    for row in 1..=from.len() {
        let mut current = vec![row];
        for column in 1..=to.len() {
            let differs = usize::from(from[row - 1] != to[column - 1]);
            let mut best = (above[column - 1] + differs).min(above[column] + 1).min(current[column - 1] + 1);
            if row > 1 && column > 1 && from[row - 1] == to[column - 2] && from[row - 2] == to[column - 1] {
                best = best.min(before[column - 2] + 1);
            }
            current.push(best);
        }
        before = std::mem::replace(&mut above, current);
    }
    above[to.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distances() {
        let cases = [
            ("", "", 0),
            ("gps", "", 3),
            ("", "gps", 3),
            ("gps", "gps", 0),
            ("gsp", "gps", 1),
            ("kitten", "sitting", 3),
        ];
        for (from, to, expected) in cases {
            assert_eq!(distance(from, to), expected, "{from} to {to}");
        }
    }

    #[test]
    fn only_near_names_are_proposed() {
        let names = ["navigate", "survey", "gps"];
        assert_eq!(nearest("navigte", names), Some("navigate"));
        assert_eq!(nearest("Gps", names), Some("gps"));
        assert_eq!(nearest("command", names), None);
    }
}
