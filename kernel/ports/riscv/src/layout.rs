//! Where everything of a system is: the table that the builder writes beside the kernel's own.

use beryl_kernel::{Sizes, System};

use crate::pmp::{ADDRESSES, Access, CONFIGS, Entries, SWITCHED_ADDRESSES, SWITCHED_CONFIGS};

/// The tables of the one system of an image, by their type, so that their addresses are constants of
/// the kernel's code.
pub trait Tables: 'static {
    /// How large the kernel's tables are.
    type Sizes: Sizes;
    /// The kernel's tables.
    fn system() -> &'static System<Self::Sizes>;
    /// Where everything is.
    fn layout() -> &'static Layout;
}

/// Where everything of a system is.
#[derive(Clone, Copy, Debug)]
pub struct Layout {
    /// What is the same for all threads, set once.
    pub fixed: Fixed,
    /// The threads, in the order of the kernel's table.
    pub threads: &'static [ThreadLayout],
    /// The memory of all processes that has to be filled before they start.
    pub images: &'static [Image],
}

/// Where a thread is.
#[derive(Clone, Copy, Debug)]
pub struct ThreadLayout {
    /// Its entry point.
    pub entry: u32,
    /// The lowest address of its stack.
    pub stack_bottom: u32,
    /// The address behind its stack: where it begins to grow downwards, at the multiple of sixteen below.
    pub stack_top: u32,
    /// What it may touch beside what all may.
    pub regions: Switched,
}

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

/// Memory of a process and what it holds at the start: `length` bytes from `load`, then zeros.
/// All addresses and lengths are multiples of four.
#[derive(Clone, Copy, Debug)]
pub struct Image {
    /// Where the initial bytes are in flash.
    pub load: u32,
    /// Where they belong.
    pub address: u32,
    /// How many of them there are.
    pub length: u32,
    /// How many bytes behind them start as zero.
    pub zeros: u32,
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

impl ThreadLayout {
    /// Whether user mode may do that, as long as the thread runs.
    #[must_use]
    pub fn lets(&self, fixed: &Fixed, address: u32, access: Access) -> bool {
        let Switched { configs: [first, second, third], .. } = self.regions;
        let mut addresses = [0; ADDRESSES];
        let all = self.regions.addresses.iter().chain(&fixed.addresses);
        addresses.iter_mut().zip(all).for_each(|(place, word)| *place = *word);
        Entries { configs: [first, second, third, fixed.config], addresses }.lets(address, access)
    }
}
