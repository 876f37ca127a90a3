//! Links to other kernels: from which instant on the outputs of a job count, and what of another kernel counts now.
//!
//! Values cross from kernel to kernel outside of them: see [`beryl_abi::link`] for the memory through which they do.
//! What the kernel does is what no one else can: it knows the logical instant.

use core::marker::PhantomData;

use beryl_abi::link::{self, Words};
use beryl_abi::{DriverId, ProgramId};

use crate::event::Machine;
use crate::kernel::Kernel;
use crate::machine::activity::Activity;
use crate::rows::drivers::{Driver, DriverKind};
use crate::sizes::Sizes;
use crate::table::Table;

impl<S: Sizes, M: Machine<S>> Kernel<S, M> {
    /// Begins a driver of a link; the program goes on at `then`.
    #[inline(always)]
    pub(crate) fn begin_link(&mut self, program: ProgramId, driver: DriverId, then: u16) -> Activity {
        let row = self.machine.system().drivers.at(driver.index());
        let DriverKind::Ahead { by } = row.kind else {
            return Activity::Copy { program, driver, offset: 0, then };
        };
        let instant = self.state.e_machine.instant.after(by).ticks();
        self.machine.store(row.to, instant as u32);
        self.machine.store(row.to.saturating_add(4), (instant >> 32) as u32);
        self.trace_driver(driver, row);
        Activity::Run { program, address: then }
    }

    /// Where the value of a driver is that the kernel copies; nothing if no value of its link counts yet.
    #[inline(always)]
    pub(crate) fn source(&mut self, row: &Driver) -> Option<u32> {
        match row.kind {
            DriverKind::Arrival if S::LINKED => self.newest_that_counts(row),
            _ => Some(row.from),
        }
    }

    #[inline(never)]
    fn newest_that_counts(&mut self, row: &Driver) -> Option<u32> {
        let now = self.state.e_machine.instant;
        let mut memory = Memory { machine: &mut self.machine, sizes: PhantomData };
        link::counting(&mut memory, (row.from, row.length), now)
    }
}

/// The memory of links, as this kernel sees it.
struct Memory<'a, S: Sizes, M: Machine<S>> {
    machine: &'a mut M,
    sizes: PhantomData<S>,
}

impl<S: Sizes, M: Machine<S>> Words for Memory<'_, S, M> {
    #[inline(always)]
    fn load(&mut self, address: u32) -> u32 {
        self.machine.load(address)
    }

    #[inline(always)]
    fn store(&mut self, address: u32, word: u32) {
        self.machine.store(address, word);
    }
}
