//! Loading: a thread that loads a program into a slot, part by part and check by check, and starts again once
//! it has taken over.

use std::cell::RefCell;
use std::mem::MaybeUninit;

use beryl_abi::call::{CallNumber, LONGEST_PART, Progress};
use beryl_builder::Project;
use beryl_builder::emit::container::containers;
use beryl_user::platform;

thread_local! {
    static PROGRAM: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
    static WRITTEN: RefCell<usize> = const { RefCell::new(0) };
    static RUNNING: RefCell<u64> = const { RefCell::new(0) };
}

/// Uses the program of a project's module with a slot, until the next project.
pub fn prepare(project: &Project) {
    let module = project.assembly.modules.iter().position(|module| module.slot.is_some());
    let program = module.and_then(|module| containers(project).into_iter().nth(module));
    PROGRAM.set(program.map(|(_, bytes)| bytes).unwrap_or_default());
    WRITTEN.set(0);
    RUNNING.set(0);
}

/// How many programs have taken over.
#[cfg(test)]
pub fn taken_over() -> u64 {
    RUNNING.with_borrow(|count| *count)
}

/// Writes the next part, or does the next step of the check.
pub fn load(slot: u32) {
    let length = LONGEST_PART as usize;
    let at = WRITTEN.with_borrow(|at| *at);
    let part =
        PROGRAM.with_borrow(|program| program.get(at..).map(|rest| rest[..rest.len().min(length)].to_vec()));
    match part {
        Some(part) if !part.is_empty() => {
            let filled = part.len().next_multiple_of(4);
            let mut room = [MaybeUninit::new(0); LONGEST_PART as usize];
            room.iter_mut().zip(&part).for_each(|(place, byte)| *place = MaybeUninit::new(*byte));
            let [status, ..] = platform::with_buffer(&mut room[..filled], filled, |address| {
                let offset = u32::try_from(at).ok();
                let count = u32::try_from(filled).ok();
                platform::call(CallNumber::SlotWrite, [Some(slot), offset, Some(address), count])
            });
            if status < beryl_abi::call::OWNER_DIED {
                WRITTEN.set(at + filled);
            }
        }
        _ => {
            let [_, kind, address] = platform::call(CallNumber::SlotCheck, [Some(slot), None, None, None]);
            match Progress::decode([kind, address]) {
                Progress::More | Progress::Accepted => {}
                Progress::Running => {
                    RUNNING.with_borrow_mut(|count| *count += 1);
                    WRITTEN.set(0);
                }
                Progress::Refused { .. } | Progress::Nothing => WRITTEN.set(0),
            }
        }
    }
}
