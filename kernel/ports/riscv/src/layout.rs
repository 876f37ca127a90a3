//! Where everything of a system is: the table that the builder writes beside the kernel's own.

pub use beryl_port::{Image, Tables};

use crate::pmp::{ADDRESSES, Access, CONFIGS, Entries, REGIONS, SWITCHED_ADDRESSES, SWITCHED_CONFIGS};
use crate::pmp::{MATCHING, TOP_OF_RANGE};

/// Where everything of a system is.
pub type Layout = beryl_port::Layout<Fixed, Switched>;
/// Where a thread is.
pub type ThreadLayout = beryl_port::ThreadLayout<Switched>;

/// Entries of the protection unit that come with a thread. The switch loads it word by word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C)]
pub struct Switched {
    /// The first configuration registers. The last of them has fixed entries, too.
    pub configs: [u32; SWITCHED_CONFIGS],
    /// The first address registers.
    pub addresses: [u32; SWITCHED_ADDRESSES],
}

/// Entries of the protection unit that stay.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fixed {
    /// The last configuration register.
    pub config: u32,
    /// The address registers behind those that are switched, as far as they are used.
    pub addresses: [u32; ADDRESSES - SWITCHED_ADDRESSES],
}

impl Switched {
    /// Those of a thread, among all.
    #[must_use]
    pub fn of(entries: &Entries) -> Switched {
        Switched {
            configs: core::array::from_fn(|place| entries.configs[place]),
            addresses: core::array::from_fn(|place| entries.addresses[place]),
        }
    }

    /// Whether user mode may do that, as long as a thread runs that has these: what the unit does, for this kind of entries. Both of
    /// a region are asked together, since this is part of a fault, which a proof counts at its longest.
    #[must_use]
    pub fn lets(&self, fixed: &Fixed, address: u32, access: Access) -> bool {
        let [first, second, third] = self.configs;
        let configs = [first, second, third, fixed.config];
        let register = |entry: usize| {
            let fixed = || fixed.addresses.get(entry.wrapping_sub(SWITCHED_ADDRESSES));
            self.addresses.get(entry).or_else(fixed).copied().unwrap_or(0)
        };
        // bound: 7, `REGIONS`
        for region in 0..REGIONS {
            let [base, limit] = [2 * region, 2 * region + 1];
            let config = configs[limit / 4] >> (limit % 4 * 8);
            if config & MATCHING == TOP_OF_RANGE
                && (register(base)..register(limit)).contains(&(address >> 2))
            {
                return config & access.bit() != 0;
            }
        }
        false
    }
}

impl Fixed {
    /// Those that stay, among all.
    #[must_use]
    pub fn of(entries: &Entries) -> Fixed {
        Fixed {
            config: entries.configs[CONFIGS - 1],
            addresses: core::array::from_fn(|place| entries.addresses[SWITCHED_ADDRESSES + place]),
        }
    }
}
