//! The E machine's agenda: its triggers in the order in which they are due.

use beryl_abi::{Instant, ProgramId};

use crate::machine::activity::Activity;
use crate::machine::event_trigger::EventTriggerState;
use crate::machine::program::ProgramState;
use crate::machine::schedule::ScheduleId;
use crate::machine::sensors::Sensors;
use crate::machine::trigger::{SetOrder, TriggerState};
use crate::scheduling::tree::{Key, Tree};
use crate::sizes::Sizes;
use crate::system::System;
use crate::table::{Blank, Table};

/// The E machine's state. The fields that are read most stand first; see [`State`](crate::state::State).
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[repr(C)]
pub(crate) struct EMachine<S: Sizes> {
    pub activity: Activity,
    /// The logical instant.
    pub instant: Instant,
    /// The instant from which the current activity's delays count.
    pub reference: Instant,
    /// The thread of S code that is under way, if any.
    pub schedule: ScheduleId,
    /// How many objects of the batch that is under way are done.
    pub done: u8,
    /// The place of the trigger that is under way.
    pub place: u8,
    /// How many event triggers wait.
    pub watching: u8,
    /// Whether a thread of S code may wait for a task's release.
    pub has_expectant: bool,
    /// A thread of S code that went on early and whose timeout is still in the queue, since it may be about
    /// to wait until that time again.
    pub stale: ScheduleId,
    /// Whether some program did something since ports were last looked at.
    pub has_worked: bool,
    pub nodes: S::TriggerNodes,
    pub keys: S::TriggerKeys,
    /// Triggers by place.
    pub triggers: S::Triggers,
    pub programs: S::ProgramStates,
    /// The event triggers.
    pub event_triggers: S::EventTriggers,
    /// What longer ports held when they began to wait.
    pub kept: S::Kept,
    pub sensors: Sensors,
}

impl<S: Sizes> EMachine<S> {
    pub(crate) const QUEUE: Tree = Tree { base: 0, leaves: S::TriggerKeys::LENGTH };

    /// What memory holds before the start.
    pub const BLANK: EMachine<S> = EMachine {
        activity: Activity::Idle,
        instant: Instant::START,
        programs: S::ProgramStates::BLANK,
        schedule: ScheduleId(0),
        reference: Instant::START,
        done: 0,
        place: 0,
        triggers: S::Triggers::BLANK,
        event_triggers: S::EventTriggers::BLANK,
        kept: S::Kept::BLANK,
        watching: 0,
        has_expectant: false,
        stale: ScheduleId(0),
        has_worked: false,
        keys: S::TriggerKeys::BLANK,
        nodes: S::TriggerNodes::BLANK,
        sensors: Sensors::BLANK,
    };

    /// Gives every program its first trigger: the start.
    pub(crate) fn begin(&mut self, system: &System<S>) {
        (self.schedule, self.stale) = (ScheduleId::NONE, ScheduleId::NONE);
        self.programs.rows_mut().fill(ProgramState::BEFORE);
        self.triggers.rows_mut().fill(TriggerState::NONE);
        self.event_triggers.rows_mut().fill(EventTriggerState::NONE);
        self.keys.rows_mut().fill(Key::NEVER);
        Self::QUEUE.clear(&mut self.nodes);
        for index in 0..S::Programs::LENGTH {
            let program = system.programs.at(index);
            if !program.code.is_empty() {
                self.place = program.first_trigger;
                self.set_trigger(system, ProgramId(index as u8), Instant::START, 0, program.start);
            }
        }
    }

    /// Gives a program a trigger, in the place of the current one or in a free one. If there is none, nothing
    /// is set; the checker has made sure that there is. Phases have three bits of the order, programs five;
    /// `trigger_order` orders several of one program.
    #[inline(always)]
    pub(crate) fn set_trigger(
        &mut self,
        system: &System<S>,
        program: ProgramId,
        instant: Instant,
        phase: u8,
        address: u16,
    ) {
        let key = Self::key_of(program, instant, phase);
        match self.has_place() {
            true => self.put_trigger(system, self.place.into(), program, key, address),
            false => self.put_in_free_place(system, program, key, address),
        }
    }

    /// A program's slot in the queue.
    #[inline(always)]
    pub(crate) fn key_of(program: ProgramId, instant: Instant, phase: u8) -> Key {
        Key::new(instant, phase << 5 | program.0 & 31)
    }

    /// Whether the place of the trigger that is under way is free.
    #[inline(always)]
    pub(crate) fn has_place(&self) -> bool {
        self.triggers.at(self.place.into()).order == SetOrder::FREE
    }

    #[inline(always)]
    fn put_trigger(&mut self, system: &System<S>, place: usize, program: ProgramId, key: Key, address: u16) {
        self.hold(system, place, program, address);
        Self::QUEUE.set(&mut self.keys, &mut self.nodes, place, key);
    }

    #[cold]
    #[inline(never)]
    fn put_in_free_place(&mut self, system: &System<S>, program: ProgramId, key: Key, address: u16) {
        if let Some(place) = self.free_place(system, program) {
            self.put_trigger(system, place, program, key, address);
        }
    }

    /// From here on no trigger is under way: a trigger that is set takes any free place of its program.
    pub(crate) fn leave_place(&mut self, system: &System<S>, program: ProgramId) {
        self.place = system.programs.at(program.index()).first_trigger;
    }

    /// Removes one of a program's triggers.
    pub fn forget_trigger(&mut self, place: usize) {
        let trigger = self.triggers.at_mut(place);
        if core::mem::replace(&mut trigger.order, SetOrder::FREE) != SetOrder::FREE {
            self.take(place);
        }
    }

    /// Gives a thread of S code its timeout: behind all phases, threads that hold a task first.
    pub(crate) fn set_timeout<const HOLDS: bool>(&mut self, schedule: ScheduleId, due: Instant) {
        let phase = if HOLDS { 4 } else { 5 };
        let key = Key::new(due, phase << 5 | schedule.0 & 31);
        if self.stale == schedule {
            self.stale = ScheduleId::NONE;
        }
        if *self.keys.at(Self::slot_of(schedule)) != key {
            Self::QUEUE.set(&mut self.keys, &mut self.nodes, Self::slot_of(schedule), key);
        }
    }

    /// When the timeout of a thread of S code comes, given that it has one.
    pub(crate) fn timeout_of(&self, schedule: ScheduleId) -> Instant {
        self.keys.at(Self::slot_of(schedule)).instant()
    }

    /// Takes the timeout of a thread of S code out of the queue.
    pub(crate) fn forget_timeout(&mut self, schedule: ScheduleId) {
        self.take(Self::slot_of(schedule));
    }

    /// Removes it later, when the queue is next read, unless the thread waits until the same time again.
    #[inline(always)]
    pub(crate) fn forget_timeout_later(&mut self, schedule: ScheduleId) {
        if !self.keys.at(Self::slot_of(schedule)).is_never() {
            self.stale = schedule;
        }
    }

    /// Drops the timeout of a thread that went on early and doesn't wait for it again.
    #[cold]
    #[inline(never)]
    pub fn forget_stale(&mut self) {
        let schedule = core::mem::replace(&mut self.stale, ScheduleId::NONE);
        self.forget_timeout(schedule);
    }

    /// The first slot in the queue: a program's trigger or, behind the triggers, a thread's timeout.
    #[inline(always)]
    pub(crate) fn first(&self) -> (usize, Key) {
        let slot = Self::QUEUE.first(&self.nodes);
        (slot, *self.keys.at(slot))
    }

    /// Takes a trigger or a timeout out of the queue.
    #[inline(always)]
    pub fn take(&mut self, slot: usize) {
        Self::QUEUE.set(&mut self.keys, &mut self.nodes, slot, Key::NEVER);
    }

    fn slot_of(schedule: ScheduleId) -> usize {
        S::Triggers::LENGTH + schedule.index()
    }
}
