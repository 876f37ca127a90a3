//! Regions against a plain model of the protection unit: which addresses do the words open?

use super::*;
use proptest::prelude::*;

/// What the architecture manual says of an address under RBAR and RASR.
fn is_open(words: RegionWords, address: u32) -> bool {
    let size = 1_u64 << ((words.rasr >> 1 & 0x1F) + 1);
    let base = u64::from(words.rbar) / size * size;
    let address = u64::from(address);
    let inside = address >= base && address < base + size;
    let subregion = address.saturating_sub(base) / (size / 8).max(1);
    let off = size >= 256 && inside && words.rasr >> (8 + subregion) & 1 == 1;
    words.rasr & 1 == 1 && inside && !off
}

fn memory(base: u32, limit: u32) -> Interval {
    Interval { base, limit, rights: Rights::ReadWrite, executable: false, device: false }
}

#[test]
fn words_by_hand() {
    let text = Interval { rights: Rights::Read, executable: true, ..memory(0x8000, 0x1_0000) };
    assert_eq!(cover(0, text), Ok(RegionWords { rbar: 0x8010, rasr: 0x0206_001D }));
    let device = Interval { device: true, ..memory(0x4000_4000, 0x4000_5000) };
    assert_eq!(cover(3, device), Ok(RegionWords { rbar: 0x4000_4013, rasr: 0x1304_0017 }));
    let three_eighths = memory(0x2000_0100, 0x2000_0160);
    assert_eq!(cover(6, three_eighths), Ok(RegionWords { rbar: 0x2000_0116, rasr: 0x1306_F80F }));
    assert_eq!(RegionWords::off(5), RegionWords { rbar: 0x15, rasr: 0 });
}

#[test]
fn what_cannot_be_covered_names_the_nearest() {
    assert_eq!(
        cover(0, memory(0x2000_0010, 0x2000_0050)),
        Err(Uncoverable { nearest_base: 0x2000_0000, nearest_limit: 0x2000_0060, padding: 32 })
    );
    assert_eq!(
        cover(0, memory(0x2000_0000, 0x2000_0000)),
        Err(Uncoverable { nearest_base: 0x2000_0000, nearest_limit: 0x2000_0020, padding: 32 })
    );
    assert_eq!(
        cover(0, memory(0x7FFF_FFE0, 0x8000_0020)),
        Err(Uncoverable { nearest_base: 0x6000_0000, nearest_limit: 0xA000_0000, padding: 0x3FFF_FFC0 })
    );
}

/// Every interval of whole 32-byte pieces in 2 kB, and for each whether another one inside would do.
#[test]
fn nearest_is_the_tightest() {
    let coverable = |base, limit| cover(1, memory(base, limit)).is_ok();
    for base in (0..0x800_u32).step_by(32) {
        for limit in (base + 32..=0x800).step_by(32) {
            let Err(error) = cover(1, memory(base, limit)) else { continue };
            let nearest = u32::try_from(error.nearest_limit).unwrap();
            assert!(error.nearest_base <= base && nearest >= limit && coverable(error.nearest_base, nearest));
            assert_eq!(error.padding, u64::from((nearest - error.nearest_base) - (limit - base)));
            let tighter = (0..=base)
                .step_by(32)
                .flat_map(|low| (limit..=0x800).step_by(32).map(move |high| (low, high)));
            for (low, high) in
                tighter.filter(|(low, high)| u64::from(high - low) < u64::from(limit - base) + error.padding)
            {
                assert!(!coverable(low, high), "{base:#x}..{limit:#x}: {low:#x}..{high:#x} is tighter");
            }
        }
    }
}

proptest! {
    #[test]
    fn exactly_the_interval_is_open(
        power in 5_u32..32, place: u32, first in 0_u32..8, count in 1_u32..=8, probes: [u32; 16],
    ) {
        let base = place >> power << power;
        let grain = if power >= 8 { 1 << (power - 3) } else { 1 << power };
        let (first, count) = if power >= 8 { (first, count.min(8 - first)) } else { (0, 1) };
        let low = base + first * grain;
        let Some(high) = low.checked_add(count * grain) else { return Ok(()) };
        let words = cover(2, memory(low, high)).unwrap();
        prop_assert_eq!(words.rbar & 0x1F, 0x12);
        let near = probes.map(|probe| low.wrapping_add(probe % (2 * grain)).wrapping_sub(grain / 2));
        let edges = [low, low.wrapping_sub(1), high - 1, high, base, base.wrapping_sub(1)];
        for address in probes.into_iter().chain(near).chain(edges) {
            prop_assert_eq!(is_open(words, address), (low..high).contains(&address), "{:#x}", address);
        }
    }

    #[test]
    fn what_is_refused_lies_in_what_is_proposed(base: u32, length in 1_u32..0x1_0000) {
        let Some(limit) = base.checked_add(length) else { return Ok(()) };
        match cover(3, memory(base, limit)) {
            Ok(words) => prop_assert!(is_open(words, base) && is_open(words, limit - 1)),
            Err(error) => {
                prop_assert!(error.nearest_base <= base && error.nearest_limit >= u64::from(limit));
                prop_assert_eq!(
                    error.padding + u64::from(length),
                    error.nearest_limit - u64::from(error.nearest_base)
                );
            }
        }
    }
}
