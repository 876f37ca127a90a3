//! What user mode may do is exactly what was asked for: compared with a plain reading of what was asked, through a unit
//! that is written down anew by the architecture's words, for random regions that overlap.

use beryl_testing::{Draw, SplitMix64};

use super::*;

const ACCESSES: [Access; 3] = [Access::Read, Access::Write, Access::Execute];

/// The unit as the architecture has it: user mode, an access to one word. All kinds of matching but a lone word are there.
fn unit(configs: &[u32; CONFIGS], addresses: &[u32; 16], address: u32, access: Access) -> bool {
    let needed = match access {
        Access::Read => 0b001,
        Access::Write => 0b010,
        Access::Execute => 0b100,
    };
    let word = u64::from(address / 4);
    for entry in 0..16 {
        let config = configs[entry / 4] >> (8 * (entry % 4)) & 0xFF;
        let own = u64::from(addresses[entry]);
        let is_matching = match config >> 3 & 0b11 {
            0 => false,
            1 => (if entry == 0 { 0 } else { u64::from(addresses[entry - 1]) }) <= word && word < own,
            3 => {
                let words = 2 << addresses[entry].trailing_ones();
                own / words * words <= word && word < own / words * words + words
            }
            _ => panic!("nothing asks for a lone word"),
        };
        if is_matching {
            return config & needed != 0;
        }
    }
    false
}

/// All registers of the unit with a guard somewhere else.
fn with_guard(entries: &Entries) -> ([u32; CONFIGS], [u32; 16]) {
    let [address, config] = guard(0xFFFF_0000);
    let mut configs = entries.configs;
    configs[GUARD_ENTRY / 4] |= config;
    let mut addresses = [0; 16];
    addresses[..ADDRESSES].copy_from_slice(&entries.addresses);
    addresses[GUARD_ENTRY] = address;
    (configs, addresses)
}

/// What was asked for: of the regions that hold the address, the one with the highest number says.
fn asked(regions: &[Option<Interval>; REGIONS], address: u32, access: Access) -> bool {
    let holds = |interval: &&Interval| (interval.base..interval.limit).contains(&address);
    let deciding = regions.iter().flatten().rev().find(holds);
    deciding.is_some_and(|interval| match access {
        Access::Read => true,
        Access::Write => interval.rights == Rights::ReadWrite,
        Access::Execute => interval.executable,
    })
}

/// A region of some words among the first hundred, or one that is off.
fn drawn(draw: &mut SplitMix64) -> Option<Interval> {
    let mut below = |bound: u64| (draw.next() >> 32) as u32 % bound as u32;
    let (first, length) = (below(100), 1 + below(40));
    let rights = [Rights::Read, Rights::ReadWrite][below(2) as usize];
    let interval = Interval {
        base: 0x8000_0000 + 4 * first,
        limit: 0x8000_0000 + 4 * (first + length),
        rights,
        executable: below(2) == 0,
        device: false,
    };
    (below(4) > 0).then_some(interval)
}

#[test]
fn user_mode_may_do_what_was_asked_for_and_nothing_else() {
    for seed in 0..500 {
        let mut draw = SplitMix64(seed);
        let regions: [_; REGIONS] = core::array::from_fn(|_| drawn(&mut draw));
        let entries = Entries::of(&regions).expect("all are whole words");
        let (configs, addresses) = with_guard(&entries);
        for address in (0x7FFF_FFF0..0x8000_0240).step_by(4) {
            for access in ACCESSES {
                let is_asked = asked(&regions, address, access);
                assert_eq!(
                    unit(&configs, &addresses, address, access),
                    is_asked,
                    "seed {seed}: {address:#x} {access:?}"
                );
            }
        }
    }
}

/// The parts that a thread brings and those that stay are all of them.
#[test]
fn what_is_switched_and_what_stays_are_the_whole() {
    use crate::layout::{Fixed, Switched};
    for seed in 0..100 {
        let mut draw = SplitMix64(seed);
        let regions: [_; REGIONS] = core::array::from_fn(|_| drawn(&mut draw));
        let entries = Entries::of(&regions).expect("all are whole words");
        let switched = Switched::of(&entries);
        for address in (0x7FFF_FFF0..0x8000_0240).step_by(4) {
            for access in ACCESSES {
                let is_let = switched.lets(&Fixed::of(&entries), address, access);
                assert_eq!(is_let, asked(&regions, address, access), "seed {seed}: {address:#x} {access:?}");
            }
        }
    }
}

#[test]
fn what_is_no_whole_word_is_no_region() {
    let of = |base, limit| {
        let mut regions = [None; REGIONS];
        let read = Interval { base, limit, rights: Rights::Read, executable: false, device: false };
        regions[3] = Some(read);
        Entries::of(&regions)
    };
    assert!(of(4, 8).is_ok());
    for (base, limit) in [(5, 8), (4, 9), (8, 8), (8, 4)] {
        assert_eq!(of(base, limit), Err((3, Uncoverable)), "{base}..{limit}");
    }
}

#[test]
fn the_guard_is_nobodys() {
    let (configs, addresses) = with_guard(&Entries::default());
    assert_eq!(addresses[GUARD_ENTRY] & 0b111, 0b011, "32 bytes");
    assert_eq!(configs[3] >> 16 & 0xFF, 0x98, "locked, a power of two, no rights");
    assert!(!unit(&configs, &addresses, 0xFFFF_0000, Access::Read));
}
