//! Where everything of a system is: the table that the builder writes beside the kernel's own.

pub use beryl_port::{Image, Tables};

use crate::pmp::{ADDRESSES, Access, CONFIGS, Entries, SWITCHED_ADDRESSES, SWITCHED_CONFIGS};

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

    /// Whether user mode may do that, as long as a thread runs that has these.
    #[must_use]
    pub fn lets(&self, fixed: &Fixed, address: u32, access: Access) -> bool {
        let [first, second, third] = self.configs;
        let mut addresses = [0; ADDRESSES];
        let all = self.addresses.iter().chain(&fixed.addresses);
        addresses.iter_mut().zip(all).for_each(|(place, word)| *place = *word);
        Entries { configs: [first, second, third, fixed.config], addresses }.lets(address, access)
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
