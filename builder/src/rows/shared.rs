//! Sensors that several programs read: the kernel keeps a bit for each, so that they are read once an instant.
//!
//! So has one that a program may come to more than once at an instant, whose activities come with different
//! beats. A module with a slot counts as two: where another program takes over, both have that instant.

use crate::assembly::{Assembly, DriverKind};
use crate::code::Program;

/// So many sensors have a bit. Others are read by each program that needs them.
const BITS: usize = 32;

/// For each driver its bit; zero for one that isn't a getter, or that one program alone calls.
pub(super) fn bits(assembly: &Assembly, programs: &[Program]) -> Vec<u32> {
    let mut free = (0..BITS).map(|bit| 1_u32 << bit);
    let is_getter = |driver: usize| matches!(assembly.drivers[driver].kind, DriverKind::Getter { .. });
    let drivers = 0..assembly.drivers.len();
    drivers
        .map(|driver| match is_getter(driver) && readings(assembly, programs, driver) > 1 {
            true => free.next().unwrap_or(0),
            false => 0,
        })
        .collect()
}

/// How often a driver may be called at one instant.
fn readings(assembly: &Assembly, programs: &[Program], driver: usize) -> usize {
    let again = programs.iter().filter(|program| program.read_again.contains(&driver)).count();
    readers(assembly, driver) + again
}

/// How many programs may call a driver at one instant.
fn readers(assembly: &Assembly, driver: usize) -> usize {
    let modules = assembly.modules.iter().map(|module| match module.slot {
        Some(slot) => 2 * usize::from(assembly.is_used(&assembly.bodies(slot), driver)),
        None => usize::from(assembly.is_used(&[module], driver)),
    });
    let asynchronous = assembly.asynchronous.iter();
    let asynchronous = asynchronous.filter(|row| row.drivers().any(|used| used == driver)).count();
    modules.sum::<usize>() + asynchronous
}
