//! The order of one program's triggers: those of one instant and phase go in the order of their setting
//! (paper, Algorithm 6: the first that is enabled).
//!
//! ```text
//!            set (1)                        the first that is due (3)
//!     free -----------> the program's last -------------------------> free
//!      |                    ^     |                                     ^
//!      +--------------------+     +-------------------------------------+
//!        `when` (2): its order is that of its setting, too      all are dropped (4)
//! ```
//! (1) `set_trigger`, (2) `hold_trigger`, (3) `first_set` and `end_trigger`, (4) `forget_trigger`.
//!
//! A key of the queue only has room for instant, phase and program, and a counter of settings would wrap
//! around while a trigger waits. So the triggers of a program are numbered without gaps: a new one is the
//! last, and when a trigger's turn has come, those behind it move up. That takes one round for each place of
//! the program; if every program has just one place, it is left out.

use beryl_abi::{Instant, ProgramId};

use crate::machine::agenda::EMachine;
use crate::machine::trigger::{SetOrder, TriggerState};
use crate::parts::Parts;
use crate::scheduling::tree::Key;
use crate::sizes::Sizes;
use crate::system::System;
use crate::table::Table;

impl<S: Sizes> EMachine<S> {
    /// Gives a program an event trigger, which takes its place in the order now.
    pub(crate) fn hold_trigger(
        &mut self,
        system: &System<S>,
        program: ProgramId,
        address: u16,
    ) -> Option<u8> {
        let place = match self.triggers.at(self.place.into()).order {
            SetOrder::FREE => self.place.into(),
            _ => self.free_place(system, program)?,
        };
        self.hold(system, place, program, address);
        Some(place as u8)
    }

    /// The event that a trigger waits for has happened.
    pub(crate) fn enable_trigger(&mut self, place: u8, due: Instant) {
        let program = self.triggers.at(place.into()).program;
        let key = Key::new(due, program.0 & 31);
        Self::QUEUE.set(&mut self.keys, &mut self.nodes, place.into(), key);
    }

    /// The program of a trigger.
    pub(crate) fn owner(&self, place: u8) -> ProgramId {
        self.triggers.at(place.into()).program
    }

    /// Gives a trigger its place, and its order behind all others of its program.
    #[inline(always)]
    pub(crate) fn hold(&mut self, system: &System<S>, place: usize, program: ProgramId, address: u16) {
        let order = if S::HAS_TRIGGER_ORDER { self.count_set(system, program) } else { SetOrder::FIRST };
        *self.triggers.at_mut(place) = TriggerState { program, address, order };
    }

    /// Of the triggers with the queue's first key, the one that was set first. A timeout of a thread has a
    /// key of its own.
    #[inline(always)]
    pub(crate) fn first_set(&self, system: &System<S>, slot: usize, key: Key) -> usize {
        let is_trigger = slot < S::Triggers::LENGTH;
        if S::HAS_TRIGGER_ORDER && is_trigger { self.earliest_of(system, slot, key) } else { slot }
    }

    /// A trigger's turn has come: it is over, and its place is free.
    #[inline(always)]
    pub(crate) fn end_trigger(&mut self, system: &System<S>, place: usize) {
        let order = core::mem::replace(&mut self.triggers.at_mut(place).order, SetOrder::FREE);
        if S::HAS_TRIGGER_ORDER {
            self.move_up(system, place, order);
        }
    }

    /// A free place for a trigger of a program.
    pub(crate) fn free_place(&self, system: &System<S>, program: ProgramId) -> Option<usize> {
        // bound: TRIGGERS
        places_of(system, program).find(|place| self.triggers.at(*place).order == SetOrder::FREE)
    }

    #[inline(never)]
    fn count_set(&self, system: &System<S>, program: ProgramId) -> SetOrder {
        let mut order = SetOrder::FIRST;
        // bound: TRIGGERS
        for place in places_of(system, program) {
            if self.triggers.at(place).order != SetOrder::FREE {
                order = order.next();
            }
        }
        order
    }

    #[inline(never)]
    fn earliest_of(&self, system: &System<S>, slot: usize, key: Key) -> usize {
        let mut first = slot;
        // bound: TRIGGERS
        for place in places_of(system, self.triggers.at(slot).program) {
            if *self.keys.at(place) == key && self.triggers.at(place).order < self.triggers.at(first).order {
                first = place;
            }
        }
        first
    }

    #[inline(never)]
    fn move_up(&mut self, system: &System<S>, place: usize, over: SetOrder) {
        // bound: TRIGGERS
        for place in places_of(system, self.triggers.at(place).program) {
            let order = &mut self.triggers.at_mut(place).order;
            if *order != SetOrder::FREE && *order > over {
                *order = order.previous();
            }
        }
    }
}

/// The places of a program's triggers.
fn places_of<S: Sizes>(system: &System<S>, program: ProgramId) -> core::ops::Range<usize> {
    let row = system.programs.at(program.index());
    let first = usize::from(row.first_trigger);
    first..first + usize::from(row.triggers)
}
