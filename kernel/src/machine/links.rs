//! Links to other kernels: from which instant on the outputs of a job count, and what of another kernel counts now.
//!
//! Values cross from kernel to kernel outside of them: see [`beryl_abi::link`] for the memory through which they do.
//! What the kernel does is what no one else can: it knows the logical instant.

use beryl_abi::{DriverId, Instant, ProgramId, link};

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
        let newest = self.machine.load(row.from);
        // bound: 2, the entries of a link
        for number in [newest, newest.wrapping_add(1)] {
            let stamp = row.from.saturating_add(link::stamp(number, row.length));
            let low = self.machine.load(stamp);
            let high = self.machine.load(stamp.saturating_add(4));
            let instant = Instant::from_ticks(u64::from(high) << 32 | u64::from(low));
            if instant.is_due(self.state.e_machine.instant) {
                return Some(row.from.saturating_add(link::value(number, row.length)));
            }
        }
        None
    }
}
