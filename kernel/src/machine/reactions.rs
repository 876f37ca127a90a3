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

use beryl_abi::{Instant, Note, ProgramId};

use crate::event::{Machine, Switch};
use crate::kernel::{Kernel, Next, Outcome};
use crate::machine::activity::Activity;
use crate::machine::schedule::ScheduleId;
use crate::machine::trigger::TriggerState;
use crate::parts::Parts;
use crate::sizes::Sizes;
use crate::table::Table;
use crate::ways::{Any, Way};

impl<S: Sizes, M: Machine<S>> Kernel<S, M> {
    /// The alarm went off. What the kernel does from here on isn't charged to the running thread. If nothing is under way and a
    /// release of a periodic thread is all that is due, it comes at once.
    #[inline(always)]
    pub(crate) fn alarm<W: Way>(&mut self, way: W) -> Outcome {
        if !way.is_calm() {
            return Ok(self.alarm_under_way());
        }
        let now = self.machine.now();
        self.charge_until(now.moment());
        let (_, key) = self.state.reactions.first();
        let (thread, moment) = self.state.timers.first();
        let is_timer = !key.instant().is_due(now) && !now.moment().is_before(moment);
        if !is_timer || !self.is_plain_release(thread, moment) {
            return Ok(self.begin_to_select());
        }
        let is_first = self.release_plainly(way, thread, now);
        let (_, moment) = self.state.timers.first();
        if !now.moment().is_before(moment) || self.state.bands.is_sorting() {
            self.state.undecided = true;
            return Ok(self.begin_to_select());
        }
        let until = key.instant().since(now).ticks();
        let is_trigger_first = until < u64::from(moment.ticks_since(now.moment()));
        self.arm(if is_trigger_first { key.instant().moment() } else { moment });
        self.state.since = self.machine.moment();
        Ok(if is_first { Next::Run(thread) } else { Next::Stay })
    }

    #[cold]
    #[inline(never)]
    fn begin_to_select(&mut self) -> Next {
        self.state.reactions.activity = Activity::Select;
        Next::Again
    }

    /// The alarm went off while something else is under way, or user code runs of which something has to be asked.
    #[inline(never)]
    fn alarm_under_way(&mut self) -> Next {
        let activity = self.state.reactions.activity;
        if !matches!(activity, Activity::Idle | Activity::Await { .. }) {
            return Next::Again;
        }
        let now = self.charge_until_now();
        if let Activity::Await { driver, until, .. } = activity {
            self.check_budget(driver, until, now);
            return if self.is_under_way() { Next::Again } else { Next::Stay };
        }
        self.begin_to_select()
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
                self.decide(Any::UNDER_WAY)
            }
            Activity::Resume { schedule, due } if S::SCHEDULED => {
                self.state.reactions.activity = self.go_on_with(schedule, due);
                Switch::Again
            }
            Activity::Look { next } if S::HAS_WATCHES => {
                self.state.reactions.activity = self.look_at(next);
                Switch::Again
            }
            Activity::Drop { program, next, then } if S::HAS_ROOMS => {
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
        if S::HAS_WATCHES && self.begins_to_look(slot, key, now) {
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
            self.expire(thread, moment, now);
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
        if S::HAS_WATCHES {
            reactions.has_worked = true;
        }
        let TriggerState { program, address, .. } = *reactions.triggers.at(place);
        reactions.end_turn(self.machine.system(), place);
        self.note(Note::react(program, address, instant));
        Activity::Run { program, address }
    }

    /// A program goes on somewhere else, as at a start, at this instant: whatever it has waiting is dropped first, in steps.
    pub(crate) fn begin_anew(&mut self, program: ProgramId, then: u16) -> Activity {
        let state = self.state.reactions.programs.at_mut(program.index());
        (state.handling, state.is_forced, state.position) = (None, false, 0);
        self.state.reactions.done = 0;
        Activity::Drop { program, next: 0, then }
    }

    /// Drops the next that a program has waiting: watches, which an interrupt could make due otherwise, then triggers, then threads.
    fn drop_next(&mut self, program: ProgramId, next: u8, then: u16) -> Activity {
        let system = self.machine.system();
        let row = system.programs.at(program.index());
        let more = Activity::Drop { program, next: next.saturating_add(1), then };
        let mut place = usize::from(next);
        if S::HAS_WATCHES && place < S::Watches::LENGTH {
            self.forget_watch_of(program, place);
            return more;
        }
        place -= if S::HAS_WATCHES { S::Watches::LENGTH } else { 0 };
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
