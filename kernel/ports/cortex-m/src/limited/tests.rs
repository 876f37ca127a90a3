//! Regions against a plain model of the protection unit: which addresses do the words open?

use super::*;
use proptest::prelude::*;

/// What the architecture manual says of an address under RBAR and RLAR.
fn is_open(words: RegionWords, address: u32) -> bool {
    words.rlar & 1 == 1 && (words.rbar & !0x1F..=words.rlar | 0x1F).contains(&address)
}

fn memory(base: u32, limit: u32) -> Interval {
    Interval { base, limit, rights: Rights::ReadWrite, executable: false, device: false }
}

#[test]
fn words_by_hand() {
    let text = Interval { rights: Rights::Read, executable: true, ..memory(0x1000_8000, 0x1001_0000) };
    assert_eq!(cover(text), Ok(RegionWords { rbar: 0x1000_8016, rlar: 0x1000_FFE3 }));
    let device = Interval { device: true, ..memory(0x5020_0000, 0x5020_1000) };
    assert_eq!(cover(device), Ok(RegionWords { rbar: 0x5020_0013, rlar: 0x5020_0FE1 }));
    let read = Interval { rights: Rights::Read, ..memory(0x3800_0020, 0x3800_0040) };
    assert_eq!(cover(read), Ok(RegionWords { rbar: 0x3800_0037, rlar: 0x3800_0023 }));
    assert_eq!(KINDS, 0xAA00, "the first kind is a device's, the second memory's");
}

#[test]
fn what_cannot_be_covered_names_the_nearest() {
    let nearest = |base, limit| cover(memory(base, limit)).expect_err("it can't be covered");
    assert_eq!(
        nearest(0x2000_0010, 0x2000_0050),
        Uncoverable { nearest_base: 0x2000_0000, nearest_limit: 0x2000_0060, padding: 32 }
    );
    assert_eq!(
        nearest(0x2000_0000, 0x2000_0000),
        Uncoverable { nearest_base: 0x2000_0000, nearest_limit: 0x2000_0020, padding: 32 }
    );
    assert_eq!(
        nearest(0xFFFF_FFE0, 0xFFFF_FFFF),
        Uncoverable { nearest_base: 0xFFFF_FFE0, nearest_limit: 1 << 32, padding: 1 }
    );
}

proptest! {
    #[test]
    fn exactly_the_interval_is_open(base: u32, length in 1_u32..0x1_0000, probes: [u32; 16]) {
        let base = base & !0x1F;
        let Some(limit) = base.checked_add(length.next_multiple_of(32)) else { return Ok(()) };
        let words = cover(memory(base, limit)).expect("whole pieces");
        let near = probes.map(|probe| base.wrapping_add(probe % 0x2_0000).wrapping_sub(0x8000));
        let edges = [base, base.wrapping_sub(1), limit - 1, limit];
        for address in probes.into_iter().chain(near).chain(edges) {
            prop_assert_eq!(is_open(words, address), (base..limit).contains(&address), "{:#x}", address);
        }
    }

    #[test]
    fn what_is_proposed_can_be_covered(base: u32, length in 1_u32..0x1_0000) {
        let Some(limit) = base.checked_add(length) else { return Ok(()) };
        let Err(error) = cover(memory(base, limit)) else { return Ok(()) };
        prop_assert!(error.nearest_base <= base && error.nearest_limit >= u64::from(limit));
        prop_assert_eq!(error.padding + u64::from(length), error.nearest_limit - u64::from(error.nearest_base));
        if let Ok(nearest) = u32::try_from(error.nearest_limit) {
            prop_assert!(cover(memory(error.nearest_base, nearest)).is_ok());
        }
    }

    #[test]
    fn places_are_free_large_enough_and_coverable(base: u32, free in 0_u32..0x1000, size in 0_u64..0x1000) {
        let Some(limit) = base.checked_add(free) else { return Ok(()) };
        let needed = u64::from(base).next_multiple_of(32) + size.max(1).next_multiple_of(32);
        let place = coverable(base, limit, size);
        prop_assert_eq!(place.is_some(), needed <= u64::from(limit));
        if let Some([first, end]) = place {
            prop_assert!(base <= first && end <= limit && u64::from(end - first) >= size.max(1));
            prop_assert!(cover(memory(first, end)).is_ok());
        }
    }
}
