//! Fewer preemptions: the maker reorders the schedule that runs.

use beryl_syscode::generate::{Kept, Recording, Reordering, preemptions};
use beryl_user::println;
use beryl_user::slot::Slot;

use super::{WORDS, module, offered, recorded, taken_over};

/// Tries orders with fewer preemptions than the one that was recorded, and leaves the best of those that the
/// kernel accepts.
pub fn reorder(slot: &mut Slot, words: &[u32]) -> Result<(), &'static str> {
    let before = counted(slot)?;
    println!("preemptions in a period: {before}");
    let (recording, module) = (Recording::new(words), module(slot)?);
    let (mut search, mut running) = (Reordering::new(before), Kept::NONE);
    while let Some(kept) = search.candidate(&recording, &module).map_err(|reason| reason.as_str())? {
        let came = match offered(slot, words, kept) {
            Ok(steps) => {
                println!("another order is accepted after {steps} steps");
                taken_over(slot);
                running = kept;
                Some(counted(slot)?)
            }
            Err(what) => {
                println!("another order: {what}");
                None
            }
        };
        search.came_to(came);
    }
    if running != search.best() {
        offered(slot, words, search.best())?;
        taken_over(slot);
    }
    println!("preemptions in a period, reordered: {}", search.preemptions());
    Ok(())
}

/// The preemptions in a period of what runs.
fn counted(slot: &mut Slot) -> Result<u32, &'static str> {
    let mut words = [0; WORDS];
    let module = module(slot)?;
    let words = recorded(slot, &mut words)?;
    preemptions(&Recording::new(words), &module).map_err(|reason| reason.as_str())
}
