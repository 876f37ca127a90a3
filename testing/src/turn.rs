//! Whose turn it is: what takes long is tried in shares, one share at a time.

use std::env;

/// The variable by which `./x test` says whose turn it is.
const TURN: &str = "BERYL_TURN";

/// Those of `all` whose turn it is: one in `shares`, from another one on after each change of the sources.
///
/// It is all of them where nobody asks for a share: under `./x test --long`, and where a suite is run by itself.
///
/// ```
/// let of_three = beryl_testing::whose_turn(["bell", "lamp", "lift"], 3);
/// assert!(of_three.len() == 1 || of_three.len() == 3);
/// ```
#[must_use]
pub fn whose_turn<T>(all: impl IntoIterator<Item = T>, shares: usize) -> Vec<T> {
    share(all, shares, turn())
}

/// The number that [`whose_turn`] goes by; there is none where all have their turn.
///
/// # Panics
/// If the variable is no number.
#[must_use]
pub fn turn() -> Option<usize> {
    let number = env::var(TURN).ok()?;
    Some(number.parse().unwrap_or_else(|_| panic!("{TURN} is `{number}`, which is no number")))
}

fn share<T>(all: impl IntoIterator<Item = T>, shares: usize, turn: Option<usize>) -> Vec<T> {
    let has_turn = |place: usize| turn.is_none_or(|turn| place % shares == turn % shares);
    all.into_iter().enumerate().filter(|(place, _)| has_turn(*place)).map(|(_, one)| one).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everybody_has_a_turn_and_nobody_has_two() {
        let all = ["a", "b", "c", "d", "e", "f", "g"];
        let mut had: Vec<_> = (30..33).flat_map(|turn| share(all, 3, Some(turn))).collect();
        assert_eq!(share(all, 3, Some(31)), ["b", "e"]);
        had.sort_unstable();
        assert_eq!(had, all);
        assert_eq!(share(all, 3, None), all);
    }
}
