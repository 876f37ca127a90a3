//! The paper's inheritance under fixed priorities: owner and waiter switch their places in the sorted list,
//! and who waits keeps the owner's place for it (EMERALDS, section 6.2).

use crate::linked::{Inheritance, Linked};

/// See above.
pub enum Switches {}

/// All tasks by priority, of which two switch their places.
pub type Switching = Linked<Switches>;

impl Inheritance for Switches {
    const NAME: &'static str = "switching";

    #[inline(always)]
    fn inherit(list: &mut Switching, owner: u8, waiter: u8) {
        list.switch(owner, waiter);
    }

    #[inline(always)]
    fn restore(list: &mut Switching, owner: u8, waiter: u8) {
        list.switch(owner, waiter);
    }
}
