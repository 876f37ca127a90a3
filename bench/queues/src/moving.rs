//! The standard inheritance under fixed priorities: the owner is taken out of the sorted list, and put in
//! again where its priority belongs now (EMERALDS, section 6.1).

use crate::linked::{Inheritance, Linked};

/// See above.
pub enum Moves {}

/// All tasks by priority, of which the owner moves.
pub type Moving = Linked<Moves>;

impl Inheritance for Moves {
    const NAME: &'static str = "moving";

    #[inline(always)]
    fn inherit(list: &mut Moving, owner: u8, waiter: u8) {
        let priority = list.priority(waiter);
        list.move_to(owner, priority);
    }

    /// A task's number is the priority that it was given.
    #[inline(always)]
    fn restore(list: &mut Moving, owner: u8, _waiter: u8) {
        list.move_to(owner, owner);
    }
}
