//! The E machine: system code at logical instants.
//!
//! ```text
//!             alarm (1)            trigger due (2)             call (4)
//!     Idle -------------> Select ------------------> Run -------------------> Copy, Await
//!      ^                    |  ^                     |  ^                        |
//!      +--------------------+  +---------------------+  +------------------------+
//!       nothing is due (3)       phase, return (5)           driver done (6)
//! ```
//! (1) `alarm`, (2) and (3) `select`, (4) `drivers::begin_driver`, (5) `instructions`,
//! (6) `drivers::copy_chunk`, `drivers::driver_done`.
//!
//! Algorithms 1 and 2 of the programmable-microkernel paper, with three differences: the trigger
//! queue is ordered by instant, phase and program before the order of setting, so that several programs at one instant
//! keep the phases of the timing language (rule 2); each arrow is a step of its own, so that the masked
//! stretch doesn't grow with the program; delays count from the logical instant, not from the
//! moment at which the machine came to the instruction, so that nothing drifts.

use beryl_abi::{DriverId, Instant, Note, ProgramId, ThreadId};

use crate::event::{Machine, Switch};
use crate::handle::Kernel;
use crate::schedules::ScheduleId;
use crate::sensors::Sensors;
use crate::sizes::{Blank, Sizes, Table};
use crate::state::ProgramState;
use crate::system::System;
use crate::tree::{Key, Tree};
use crate::turns::{TriggerState, Turn};
use crate::watches::WatchState;

/// What the E machine is doing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Activity {
    /// Nothing: no trigger is due.
    Idle,
    /// Looking for the next trigger that is due.
    Select,
    /// Letting a thread of S code go on, whose turn has come.
    Resume {
        /// The thread.
        schedule: ScheduleId,
        /// When its time was up.
        due: Instant,
    },
    /// Carrying out the instruction at an address.
    Run {
        /// The program.
        program: ProgramId,
        /// Its next instruction.
        address: u16,
    },
    /// Looking whether ports have come to what triggers wait for.
    Look {
        /// The next trigger to be looked at.
        next: u8,
    },
    /// Dropping all that a program has waiting, before it goes on elsewhere.
    Drop {
        /// The program.
        program: ProgramId,
        /// The next of its places.
        next: u8,
        /// Where it goes on.
        then: u16,
    },
    /// Copying a driver's value, chunk by chunk.
    Copy {
        /// The program.
        program: ProgramId,
        /// The driver.
        driver: DriverId,
        /// How many bytes are done.
        offset: u32,
        /// Where the program goes on.
        then: u16,
    },
    /// Waiting for a native driver.
    Await {
        /// The program.
        program: ProgramId,
        /// The driver.
        driver: DriverId,
        /// The driver thread.
        thread: ThreadId,
        /// Where the program goes on.
        then: u16,
        /// When its budget is used up; `NEVER` until it begins.
        until: Instant,
        /// Whether the thread has been told what to do.
        fetched: bool,
    },
}

/// The E machine's state. What is asked for most stands first; see [`State`](crate::state::State).
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[repr(C)]
pub(crate) struct Reactions<S: Sizes> {
    pub activity: Activity,
    /// The logical instant.
    pub instant: Instant,
    /// From when delays count in what is under way.
    pub reference: Instant,
    /// The thread of S code that is under way, if one is.
    pub schedule: ScheduleId,
    /// How many objects of the run that is under way are done.
    pub done: u8,
    /// The place of the trigger that is under way.
    pub place: u8,
    /// How many triggers there are on anything but time.
    pub watching: u8,
    /// Whether a thread of S code may wait for a task's release.
    pub has_expectant: bool,
    /// A thread of S code that goes on before its time, whose timeout is still in the queue: it may be about to wait until then again.
    stale: ScheduleId,
    /// Whether some program did something since ports were looked at.
    pub has_worked: bool,
    pub nodes: S::TriggerNodes,
    pub keys: S::TriggerKeys,
    /// Triggers by place.
    pub triggers: S::Triggers,
    pub programs: S::ProgramStates,
    /// Triggers on anything but time.
    pub watches: S::Watches,
    pub sensors: Sensors,
}

impl<S: Sizes> Reactions<S> {
    pub(crate) const QUEUE: Tree = Tree { base: 0, leaves: S::TriggerKeys::LENGTH };

    /// What memory holds before the start.
    pub const BLANK: Reactions<S> = Reactions {
        activity: Activity::Idle,
        instant: Instant::START,
        programs: S::ProgramStates::BLANK,
        schedule: ScheduleId(0),
        reference: Instant::START,
        done: 0,
        place: 0,
        triggers: S::Triggers::BLANK,
        watches: S::Watches::BLANK,
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
        self.watches.rows_mut().fill(WatchState::NONE);
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

    /// Gives a program a trigger: in the place of the one that is under way, or in one that is free. Where there is none,
    /// nothing is set; the checker has seen to it that there is. Phases have three bits of the order, programs five; see
    /// `turns` for several of one program.
    #[inline(always)]
    pub(crate) fn set_trigger(
        &mut self,
        system: &System<S>,
        program: ProgramId,
        instant: Instant,
        phase: u8,
        address: u16,
    ) {
        let key = Key::new(instant, phase << 5 | program.0 & 31);
        match self.triggers.at(self.place.into()).turn {
            Turn::FREE => self.put_trigger(system, self.place.into(), program, key, address),
            _ => self.put_in_free_place(system, program, key, address),
        }
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

    /// What is under way from here on is none of the triggers' doing: what it sets takes any place of its program.
    pub(crate) fn leave_place(&mut self, system: &System<S>, program: ProgramId) {
        self.place = system.programs.at(program.index()).first_trigger;
    }

    /// Takes a program's trigger away, as all others of it.
    fn forget_trigger(&mut self, place: usize) {
        let trigger = self.triggers.at_mut(place);
        if core::mem::replace(&mut trigger.turn, Turn::FREE) != Turn::FREE {
            self.take(place);
        }
    }

    /// Gives a thread of S code its timeout: behind all phases, those who hold a task before others.
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

    /// Takes the timeout of a thread of S code out of the queue.
    pub(crate) fn forget_timeout(&mut self, schedule: ScheduleId) {
        self.take(Self::slot_of(schedule));
    }

    /// The same when the queue is asked next, if it has one, unless the thread waits until then again.
    #[inline(always)]
    pub(crate) fn forget_timeout_later(&mut self, schedule: ScheduleId) {
        if !self.keys.at(Self::slot_of(schedule)).is_never() {
            self.stale = schedule;
        }
    }

    /// Nothing waits for the timeout of a thread that went on before its time.
    #[cold]
    #[inline(never)]
    fn forget_stale(&mut self) {
        let schedule = core::mem::replace(&mut self.stale, ScheduleId::NONE);
        self.forget_timeout(schedule);
    }

    /// The first slot in the queue: a program's trigger, or behind those the timeout of a thread of S code.
    #[inline(always)]
    pub(crate) fn first(&self) -> (usize, Key) {
        let slot = Self::QUEUE.first(&self.nodes);
        (slot, *self.keys.at(slot))
    }

    /// Takes a trigger or a timeout out of the queue.
    #[inline(always)]
    fn take(&mut self, slot: usize) {
        Self::QUEUE.set(&mut self.keys, &mut self.nodes, slot, Key::NEVER);
    }

    fn slot_of(schedule: ScheduleId) -> usize {
        S::Triggers::LENGTH + schedule.index()
    }
}

impl<S: Sizes, M: Machine<S>> Kernel<S, M> {
    /// The alarm went off while user code runs of whose caller nothing has to be asked: what comes first is
    /// carried out, and if nothing else is due, the decision is made at once.
    #[inline(never)]
    pub fn alarm_at_once(&mut self) -> Switch {
        let now = self.machine.now();
        self.charge_until(now);
        let (_, key) = self.state.reactions.first();
        let (thread, moment) = self.state.timers.first();
        let is_timer = !key.instant().is_due(now) && !now.moment().is_before(moment);
        if !is_timer || !self.is_plain_release(thread, now) {
            return self.go_on_selecting();
        }
        let is_first = self.release_at_once(thread, now);
        let (_, moment) = self.state.timers.first();
        if !now.moment().is_before(moment) {
            self.state.undecided = true;
            return self.go_on_selecting();
        }
        let until = key.instant().since(now).ticks();
        let is_trigger_first = until < u64::from(moment.ticks_since(now.moment()));
        self.arm(if is_trigger_first { key.instant().moment() } else { moment });
        self.state.since = self.machine.moment();
        if is_first { self.run_at_once(thread) } else { Switch::Stay }
    }

    #[cold]
    #[inline(never)]
    fn go_on_selecting(&mut self) -> Switch {
        self.state.reactions.activity = Activity::Select;
        self.go_on_at_length()
    }

    /// The alarm went off. What the kernel does from here on isn't charged to the running thread.
    /// Answers whether another step follows.
    #[inline(never)]
    pub(crate) fn alarm(&mut self) -> Switch {
        let activity = self.state.reactions.activity;
        if !matches!(activity, Activity::Idle | Activity::Await { .. }) {
            return Switch::Again;
        }
        let now = self.charge_until_now();
        if let Activity::Await { until, .. } = activity {
            self.check_budget(until, now);
            return if self.is_under_way() { Switch::Again } else { Switch::Stay };
        }
        self.state.reactions.activity = Activity::Select;
        Switch::Again
    }

    /// Steps of the E machine: one, and more as long as nothing comes in between. Each is what it would be alone.
    #[inline(always)]
    pub(crate) fn react(&mut self) -> Switch {
        // bound: STEPS, each round is one
        loop {
            let switch = self.react_once();
            if switch != Switch::Again || self.must_pause() {
                return switch;
            }
        }
    }

    /// Whether the next step may not follow at once: something is pending, or there are chores, which come before.
    #[inline(always)]
    pub(crate) fn must_pause(&mut self) -> bool {
        self.state.chores || self.machine.is_pending()
    }

    /// One step of the E machine.
    #[inline(always)]
    fn react_once(&mut self) -> Switch {
        match self.state.reactions.activity {
            Activity::Idle | Activity::Select => {
                let now = self.machine.now();
                self.select(now)
            }
            Activity::Await { .. } => {
                self.wait_for_driver();
                self.decide()
            }
            Activity::Resume { schedule, due } if S::SCHEDULED => {
                self.state.reactions.activity = self.go_on_with(schedule, due);
                Switch::Again
            }
            Activity::Look { next } if Self::HAS_WATCHES => {
                self.state.reactions.activity = self.look_at(next);
                Switch::Again
            }
            Activity::Drop { program, next, then } if Self::HAS_ROOMS => {
                self.state.reactions.activity = self.drop_next(program, next, then);
                Switch::Again
            }
            // There are none of these.
            Activity::Resume { .. } | Activity::Look { .. } | Activity::Drop { .. } => {
                self.state.reactions.activity = Activity::Select;
                Switch::Again
            }
            Activity::Run { program, address } => {
                self.run(program, address);
                Switch::Again
            }
            Activity::Copy { program, driver, offset, then } => {
                self.state.reactions.activity = self.copy_chunk(program, driver, offset, then);
                Switch::Again
            }
        }
    }

    /// Takes the first trigger that is due, or the first timer, or ends the instant.
    #[inline(never)]
    fn select(&mut self, now: Instant) -> Switch {
        // A step of its own: the decision at the end of this one is long enough.
        if S::SCHEDULED && self.state.reactions.stale.is_some() {
            self.state.reactions.forget_stale();
            return Switch::Again;
        }
        let (slot, key) = self.state.reactions.first();
        let is_due = key.instant().is_due(now);
        if Self::HAS_WATCHES && self.begins_to_look(slot, key, now) {
            return Switch::Again;
        }
        if is_due {
            let slot = self.state.reactions.first_set(self.machine.system(), slot, key);
            self.state.reactions.take(slot);
            self.state.reactions.activity = match slot.checked_sub(S::Triggers::LENGTH) {
                Some(schedule) if S::SCHEDULED => {
                    Activity::Resume { schedule: ScheduleId(schedule as u8), due: key.instant() }
                }
                _ => self.enter(slot, key.instant()),
            };
            return Switch::Again;
        }
        let (thread, moment) = self.state.timers.first();
        if !now.moment().is_before(moment) {
            self.expire(thread, now);
            self.state.reactions.activity = Activity::Select;
            return Switch::Again;
        }
        self.state.reactions.activity = Activity::Idle;
        self.state.since = now.moment();
        self.arm(key.instant().min(now.nearest(moment)).moment());
        self.decide_at_length()
    }

    /// A trigger is due.
    #[inline(always)]
    fn enter(&mut self, place: usize, instant: Instant) -> Activity {
        let reactions = &mut self.state.reactions;
        (reactions.instant, reactions.reference) = (instant, instant);
        (reactions.schedule, reactions.place) = (ScheduleId::NONE, place as u8);
        if Self::HAS_WATCHES {
            reactions.has_worked = true;
        }
        let TriggerState { program, address, .. } = *reactions.triggers.at(place);
        reactions.end_turn(self.machine.system(), place);
        self.note(Note::react(program, address, instant.moment().ticks()));
        Activity::Run { program, address }
    }

    /// A program goes on somewhere else, as at a start, at this instant: whatever it has waiting is dropped first, in steps.
    pub(crate) fn begin_anew(&mut self, program: ProgramId, then: u16) -> Activity {
        let state = self.state.reactions.programs.at_mut(program.index());
        (state.handling, state.is_forced) = (None, false);
        self.state.reactions.done = 0;
        Activity::Drop { program, next: 0, then }
    }

    /// Drops the next that a program has waiting: watches, which an interrupt could make due otherwise, then triggers, then threads.
    fn drop_next(&mut self, program: ProgramId, next: u8, then: u16) -> Activity {
        let system = self.machine.system();
        let row = system.programs.at(program.index());
        let more = Activity::Drop { program, next: next.saturating_add(1), then };
        let mut place = usize::from(next);
        if Self::HAS_WATCHES && place < S::Watches::LENGTH {
            self.forget_watch_of(program, place);
            return more;
        }
        place -= if Self::HAS_WATCHES { S::Watches::LENGTH } else { 0 };
        if place < usize::from(row.triggers) {
            self.state.reactions.forget_trigger(usize::from(row.first_trigger) + place);
            return more;
        }
        place -= usize::from(row.triggers);
        if S::SCHEDULED && place < usize::from(row.schedules) {
            self.forget_schedule(program, ScheduleId(row.first_schedule.saturating_add(place as u8)));
            return more;
        }
        let reactions = &mut self.state.reactions;
        (reactions.reference, reactions.schedule) = (reactions.instant, ScheduleId::NONE);
        reactions.leave_place(system, program);
        Activity::Run { program, address: then }
    }
}
