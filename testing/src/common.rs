//! What two periods have in common.

/// The greatest number that divides both; of zero and another number, the other.
pub fn divisor(one: u64, other: u64) -> u64 {
    if other == 0 { one } else { divisor(other, one % other) }
}

/// The least number that both divide: when what happens every so often at both happens together again.
///
/// # Panics
///
/// If both are zero, and where there is no room for the result.
pub fn multiple(one: u64, other: u64) -> u64 {
    let factor = other / divisor(one, other);
    one.checked_mul(factor).expect("periods whose common multiple has room in 64 bits")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_divisor_is_the_greatest_that_divides_both() {
        for one in 0..40_u64 {
            for other in 1..40_u64 {
                let divides = |number: &u64| one.is_multiple_of(*number) && other.is_multiple_of(*number);
                let greatest = (1..=40).filter(divides).max();
                assert_eq!(Some(divisor(one, other)), greatest, "{one} and {other}");
                assert_eq!(divisor(other, one), divisor(one, other));
            }
        }
        assert_eq!(divisor(0, 0), 0);
    }

    #[test]
    fn a_multiple_is_the_least_that_both_divide() {
        for one in 1..30_u64 {
            for other in 1..30_u64 {
                let least = (1..).find(|at: &u64| at.is_multiple_of(one) && at.is_multiple_of(other));
                assert_eq!(Some(multiple(one, other)), least, "{one} and {other}");
            }
        }
    }

    #[test]
    #[should_panic(expected = "room in 64 bits")]
    fn a_multiple_without_room_is_none() {
        multiple(u64::MAX, u64::MAX - 1);
    }
}
