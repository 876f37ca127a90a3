//! What a timer of 16 bits is told to count, as it is on an STM32F405: cycles of 80 MHz, or of a part of that.

/// By how much cycles are divided, less one, and what is counted of that up to, less one: so many nanoseconds, to 12.5 of them and
/// the 65,536th part.
pub const fn divided(nanoseconds: u32) -> [u32; 2] {
    let cycles = nanoseconds / 25 * 2 + nanoseconds % 25 * 2 / 25;
    let divider = cycles >> 16;
    let counted = cycles / (divider + 1);
    // A timer that counts up to 0 stands still.
    [divider, if counted < 2 { 1 } else { counted - 1 }]
}

#[cfg(test)]
mod tests {
    use beryl_testing::{Draw, SplitMix64};

    use super::divided;

    #[test]
    fn whatever_is_counted_fits_and_takes_as_long_as_it_should() {
        assert_eq!(divided(1_000), [0, 79]);
        assert_eq!(divided(819_200), [1, 32_767], "65,536 cycles");
        assert_eq!(divided(0), [0, 1], "two cycles are the least");
        let mut random = SplitMix64(0x0405);
        let drawn = (0..100_000).map(|_| (random.next() >> 32) as u32 >> random.below(22));
        for nanoseconds in drawn.chain([u32::MAX]) {
            let [divider, last] = divided(nanoseconds).map(u64::from);
            assert!(divider <= 0xFFFF && (1..=0xFFFF).contains(&last), "{nanoseconds}: {divider} {last}");
            let told = (divider + 1) * (last + 1) * 25 / 2;
            let apart = u64::from(nanoseconds.max(25)).abs_diff(told);
            assert!(apart <= 25 + (divider + 1) * 25 / 2, "{nanoseconds}: {told}");
        }
    }
}
