//! Where everything of a system is: the table that the builder writes beside the kernel's own.

use core::cell::UnsafeCell;

use beryl_kernel::{Sizes, System};

/// The tables of the one system of an image, by their type, so that their addresses are constants of
/// the kernel's code.
pub trait Tables<const THREADS: usize>: 'static {
    /// How large the kernel's tables are.
    type Sizes: Sizes;
    /// What the protection unit has for all threads.
    type Fixed: 'static;
    /// What it has for the one that runs.
    type Switched: 'static;
    /// What the port keeps of a thread that doesn't run.
    type Context: 'static;

    /// The kernel's tables.
    fn system() -> &'static System<Self::Sizes>;
    /// Where everything is.
    fn layout() -> &'static Layout<Self::Fixed, Self::Switched>;
    /// What is kept of the threads, in the order of the kernel's table.
    fn contexts() -> &'static [UnsafeCell<Self::Context>; THREADS];
}

/// Where everything of a system is.
#[derive(Clone, Copy, Debug)]
pub struct Layout<Fixed, Switched: 'static> {
    /// What the protection unit has for all threads, set once.
    pub fixed: Fixed,
    /// The threads, in the order of the kernel's table.
    pub threads: &'static [ThreadLayout<Switched>],
    /// The memory of all processes that has to be filled before they start.
    pub images: &'static [Image],
}

/// Where a thread is.
#[derive(Clone, Copy, Debug)]
pub struct ThreadLayout<Switched> {
    /// Its entry point, as the linker tells it.
    pub entry: u32,
    /// The lowest address of its stack.
    pub stack_bottom: u32,
    /// The address behind its stack, a multiple of eight: where it begins to grow downwards, at the next place that the
    /// processor's stacks may begin at.
    pub stack_top: u32,
    /// What the protection unit has for it.
    pub regions: Switched,
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
