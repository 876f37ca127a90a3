//! The print of a state: a number that equal states share.
//!
//! A state includes everything that decides how a run goes on: virtual time, the kernel's state, the system's
//! memory with ports and objects, each thread's next action and remaining time, the lines, and the values
//! exchanged with the environment. It leaves out what native code keeps to itself and the contents of
//! journals, except for the room left in them: a thread without room calls the kernel.

use std::hash::{DefaultHasher, Hash, Hasher};

use beryl_abi::{Instant, Journal, Range};
use beryl_kernel::{Kernel, Sizes, Table};

use crate::devices::Devices;
use crate::machine::VirtualMachine;

/// The print of the state from which the processor is about to go on.
pub(crate) fn print<S: Sizes>(kernel: &Kernel<S, VirtualMachine<S>>, devices: &Devices) -> u64 {
    let VirtualMachine {
        system,
        now,
        under_way,
        alarm,
        wake,
        is_asleep,
        lines,
        rung,
        memory,
        memory_at_start: _,
        contexts,
        trace,
    } = &kernel.machine;
    let mut hasher = DefaultHasher::new();
    kernel.state.canonical(system, *now).hash(&mut hasher);
    (now, under_way, alarm, wake, is_asleep, rung).hash(&mut hasher);
    lines.hash(&mut hasher);
    let journals = system.processes.rows().iter().map(|row| row.journal).filter(|journal| journal.places > 0);
    let journals: Vec<_> = journals.collect();
    let ranges: Vec<_> =
        journals.iter().map(|row| Range::new(row.address, Journal::bytes(row.places))).collect();
    memory.hash_without(&ranges, &mut hasher);
    for Journal { address, .. } in journals {
        let [put, end] = [Journal::PUT, Journal::END].map(|word| memory.word(address + word));
        end.wrapping_sub(put).hash(&mut hasher);
    }
    contexts.hash(&mut hasher);
    trace.kept.hash(&mut hasher);
    devices.hash(&mut hasher);
    hasher.finish()
}

/// A digest of a sequence of events.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct Digest(u64);

impl Digest {
    /// Adds an event.
    pub(crate) fn add(&mut self, happened: impl Hash) {
        let mut hasher = DefaultHasher::new();
        (self.0, happened).hash(&mut hasher);
        self.0 = hasher.finish();
    }
}

/// Where states aren't compared: the same picks make the same path, so the print is that of their number.
pub(crate) fn print_of_path(made: &[crate::scenario::Choice], now: Instant) -> u64 {
    let mut hasher = DefaultHasher::new();
    (made, now).hash(&mut hasher);
    hasher.finish()
}
