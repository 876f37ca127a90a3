//! Slots: a period is recorded, a damaged program is refused, a whole one takes over while tasks run, and the
//! one before comes back.

use beryl_user::call::CallError;
use beryl_user::period::Period;
use beryl_user::slot::{Progress, Slot};
use beryl_user::trace::tell;

use crate::work;

/// Words of the slot's room.
const WORDS: usize = 128;
/// Steps of a check in one job.
const STEPS: usize = 6;

/// Does something with its slot in each of its jobs, again and again.
pub fn changer(mut period: Period, mut slot: Slot) -> ! {
    loop {
        record(&mut period, &mut slot);
        replace(&mut period, &mut slot, true);
        replace(&mut period, &mut slot, false);
        let _ = slot.rollback();
        until_it_runs(&mut period, &mut slot);
        next(&mut period);
    }
}

fn next(period: &mut Period) {
    work(60);
    period.wait();
    work(130);
}

/// How long a recording of one period is. What it holds is physical time, which is each host's own.
fn record(period: &mut Period, slot: &mut Slot) {
    tell(1, slot.record().is_ok().into());
    let mut words = [0; WORDS];
    while slot.recording(&mut words) == Err(CallError::WouldBlock) {
        next(period);
    }
    tell(2, slot.recording(&mut words).map_or(0, |words| words.len() as u32));
    next(period);
}

/// Writes the module's own program, whole or with another last byte, and lets it be checked.
fn replace(period: &mut Period, slot: &mut Slot, is_damaged: bool) {
    let program = slot.program();
    let mut copy = [0; 4 * WORDS];
    let Some(copy) = copy.get_mut(..program.len()) else { return };
    copy.copy_from_slice(program);
    if let Some(last) = copy.last_mut().filter(|_| is_damaged) {
        *last ^= 0x10;
    }
    tell(3, slot.write(copy).is_ok().into());
    next(period);
    while check(slot) == Some(Progress::More) {
        next(period);
    }
    if !is_damaged {
        until_it_runs(period, slot);
    }
}

/// Some steps of a check; what the last came to is told unless there is more.
fn check(slot: &mut Slot) -> Option<Progress> {
    let mut progress = None;
    for _ in 0..STEPS {
        progress = slot.check().ok();
        if progress != Some(Progress::More) {
            let [what, address] = progress.map_or([u32::MAX; 2], Progress::encode);
            tell(4, what);
            tell(5, address);
            break;
        }
    }
    progress
}

fn until_it_runs(period: &mut Period, slot: &mut Slot) {
    while slot.check() != Ok(Progress::Running) {
        next(period);
    }
    tell(6, 0);
}
