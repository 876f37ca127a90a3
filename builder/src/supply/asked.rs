//! What a slot asks of programs that arrive: the names that they may use, and what they have of the processor.

use beryl_abi::Line;
use beryl_syscode::Container;
use beryl_syscode::check::Rights;
use beryl_syscode::check::admission::Terms;

use super::supplied::Supply;
use crate::assembly::objects::Slot;
use crate::assembly::{Assembly, Role, Thread, Trigger};
use crate::code::Program;
use crate::code::container;

/// What a slot asks of programs, beside what they have of the processor.
pub struct Asked {
    interface: u32,
    tasks: Vec<u8>,
    drivers: Vec<u8>,
    lines: Vec<Line>,
    ports: u16,
}

impl Asked {
    /// What the slot asks: the tasks of its module, and the drivers of all programs of it, a bit each, the
    /// lowest of the first byte first.
    #[must_use]
    pub fn of(assembly: &Assembly, programs: &[Program], slot: usize) -> Asked {
        let module = assembly.module_of(slot);
        let bodies = assembly.bodies(slot);
        let own = module.and_then(|module| programs.get(module));
        let is_own =
            |thread: &Thread| matches!(&thread.role, Role::Task(task) if Some(task.module) == module);
        Asked {
            interface: own.map_or(0, |program| interface(assembly, program)),
            tasks: bits(assembly.threads.iter().map(is_own)),
            drivers: bits((0..assembly.drivers.len()).map(|driver| assembly.is_used(&bodies, driver))),
            lines: lines(assembly).map(Line).collect(),
            ports: u16::try_from(assembly.ports.len()).unwrap_or(u16::MAX),
        }
    }

    /// All of it.
    #[must_use]
    pub fn terms<'a>(&'a self, slot: &'a Slot, supply: &'a Supply) -> Terms<'a> {
        Terms {
            interface: self.interface,
            rights: Rights { tasks: &self.tasks, drivers: &self.drivers },
            lines: &self.lines,
            ports: self.ports,
            triggers: 1,
            threads: u8::from(slot.offers.is_some()),
            certified_only: slot.certified_only,
            grain: supply.grain,
            times: &supply.times,
            policies: &supply.policies,
            costs: supply.costs(),
            losses: &supply.losses,
        }
    }
}

/// What programs of a slot have in common: the checksum of all names.
fn interface(assembly: &Assembly, program: &Program) -> u32 {
    Container::read(&container(assembly, program)).map_or(0, |container| container.interface())
}

/// The interrupts for which programs that arrive may wait: those that release tasks, and so have no thread.
fn lines(assembly: &Assembly) -> impl Iterator<Item = u16> {
    assembly.asynchronous.iter().filter_map(|row| match row.trigger {
        Trigger::Interrupt(line) => Some(line),
        Trigger::Change(_) => None,
    })
}

/// A bit each, the lowest of the first byte first.
fn bits(flags: impl Iterator<Item = bool>) -> Vec<u8> {
    let flags: Vec<_> = flags.collect();
    let byte = |chunk: &[bool]| {
        chunk.iter().enumerate().fold(0, |byte, (place, flag)| byte | u8::from(*flag) << place)
    };
    flags.chunks(8).map(byte).collect()
}
