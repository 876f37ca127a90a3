//! A vote: what most replicas of a module say, bit for bit.

use crate::port::{Plain, bytes};
use crate::trace;

/// The event that a vote tells if its outcome isn't that of the vote before. Its value has a bit for each replica that says
/// otherwise than most, the first one the lowest; all of them, if no more than half agree. From bit 8 on stands which port of the
/// task it is, counted from 0 in the order of the vote.
///
/// An application that tells events of its own leaves this number out.
pub const EVENT: u16 = 0xFFFF;

/// Puts into `kept` what more than half of `all` say. If no more than half agree, it stays as it is: the last value holds.
/// `outcome` is what the last vote told, 0 at first.
///
/// Values are compared by their bits. Two that count as equal may have different ones, as 0.0 and -0.0.
///
/// # Cost
///
/// With replicas that agree, a comparison for each but the first and a copy of the value; at worst each is compared with half of the
/// others. `docs/measurements/votes.md` has the instructions. The event, when an outcome is another one than before, costs as much as [`trace::tell`].
#[inline]
pub fn settle<T: Plain, const N: usize>(kept: &mut T, outcome: &mut i32, all: [&T; N], port: u8) {
    let (winner, others) = counted(all);
    if let Some(value) = winner {
        *kept = *value;
    }
    tell(outcome, others, port);
}

/// The same of what replicas remember. If no more than half agree, it is what the first one remembers: all replicas that see the
/// same take the same, so they agree again behind their next jobs.
#[inline]
pub fn remember<T: Plain, const N: usize>(state: &mut T, outcome: &mut i32, all: [&T; N], port: u8) {
    let (winner, others) = counted(all);
    if let Some(value) = winner.or(all.first().copied()) {
        *state = *value;
    }
    tell(outcome, others, port);
}

/// Tells an outcome that isn't that of the vote before.
#[inline]
fn tell(outcome: &mut i32, others: u8, port: u8) {
    if *outcome != i32::from(others) {
        *outcome = i32::from(others);
        trace::tell(EVENT, u32::from(others) | u32::from(port) << 8);
    }
}

/// What more than half say, and a bit for each that says otherwise; of all, if there is no such value.
fn counted<T: Plain, const N: usize>(all: [&T; N]) -> (Option<&T>, u8) {
    for (place, candidate) in all.into_iter().enumerate() {
        let (mut others, mut count) = (0, 0);
        for (number, other) in all.into_iter().enumerate() {
            if number != place && !is_same(candidate, other) {
                (others, count) = (others | 1 << number, count + 1);
            }
            // No more than half can agree with it.
            if 2 * count > N {
                break;
            }
        }
        if 2 * count < N {
            return (Some(candidate), others);
        }
    }
    (None, all.iter().enumerate().fold(0, |others, (number, _)| others | 1 << number))
}

/// Whether two values have the same bits. What isn't a word or less is compared four bytes at once: the compiler would call a
/// function that compares one after the other.
#[inline(always)]
fn is_same<T: Plain>(one: &T, other: &T) -> bool {
    let (one, other) = (bytes(one), bytes(other));
    if size_of::<T>() <= size_of::<u32>() {
        return one == other;
    }
    let (mut one, mut other) = (one.chunks_exact(4), other.chunks_exact(4));
    one.by_ref().zip(other.by_ref()).all(|(one, other)| word(one) == word(other))
        && one.remainder().iter().eq(other.remainder())
}

/// The number that four bytes are.
fn word(bytes: &[u8]) -> u32 {
    bytes.first_chunk().map_or(0, |four| u32::from_ne_bytes(*four))
}

#[cfg(test)]
mod tests {
    use super::counted;

    /// The same by counting how often each value is there.
    fn plain(all: [u8; 5]) -> Option<u8> {
        all.into_iter().find(|value| all.iter().filter(|other| *other == value).count() > 2)
    }

    /// All that five replicas can say in four values, and three of them in each order.
    #[test]
    fn what_most_say_is_what_a_plain_count_finds() {
        for number in 0..4_u32.pow(5) {
            let all = [0, 1, 2, 3, 4].map(|place| (number / 4_u32.pow(place) % 4) as u8);
            let (winner, others) = counted(all.each_ref());
            assert_eq!(winner.copied(), plain(all), "{all:?}");
            for (place, value) in all.iter().enumerate() {
                assert_eq!(others >> place & 1 == 1, winner != Some(value), "{all:?}");
            }
            assert_eq!(others >> 5, 0);
        }
    }

    /// By words, and by what is left behind them.
    #[test]
    fn one_bit_anywhere_makes_another_value() {
        fn each<const BYTES: usize>() {
            let one = [0x5A_u8; BYTES];
            for bit in 0..8 * BYTES {
                let mut other = one;
                other[bit / 8] ^= 1 << (bit % 8);
                assert_eq!(counted([&one, &other, &one]), (Some(&one), 0b010), "bit {bit} of {BYTES} bytes");
                assert_eq!(counted([&other, &one, &one]), (Some(&one), 0b001), "bit {bit} of {BYTES} bytes");
            }
        }
        each::<1>();
        each::<3>();
        each::<4>();
        each::<5>();
        each::<8>();
        each::<11>();
        each::<64>();
    }

    #[test]
    fn values_are_compared_by_their_bits() {
        let nan = f32::NAN;
        assert_eq!(counted([&0.0_f32, &-0.0, &0.0]), (Some(&0.0), 0b010));
        assert!(matches!(counted([&nan, &nan, &1.0]), (Some(value), 0b100) if value.is_nan()));
        assert_eq!(counted([&[1, 2], &[1, 3], &[2, 2]]), (None::<&[i32; 2]>, 0b111));
    }
}
