//! How much a random test tries: little where somebody waits for the answer, all where there is time.

/// The variable that `./x test --long` sets.
const LONG: &str = "BERYL_LONG";

/// How many cases to try: usually the first number, and the second, which is more, under `./x test --long`.
///
/// Both begin with the same seeds, so what the short run tries the long one does, too.
pub fn cases(usually: u64, long: u64) -> u64 {
    if std::env::var_os(LONG).is_some() { long } else { usually }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_are_more_cases_where_there_is_time() {
        let expected = if std::env::var_os(LONG).is_some() { 90 } else { 5 };
        assert_eq!(cases(5, 90), expected);
    }
}
