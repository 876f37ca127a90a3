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
//! Algorithms 1 and 2 of the programmable-microkernel paper, with three differences. The trigger queue is
//! ordered by instant, phase and program first, and only then by the order of setting, so that several
//! programs at one instant keep the phases of the timing language (rule 2). Each arrow is a step of its own,
//! so that the masked stretch doesn't grow with the program. Delays count from the logical instant, not from
//! the moment at which the machine reached the instruction, so that nothing drifts.

use beryl_abi::{Instant, Moment, Note, ProgramId, ThreadId};

use crate::event::{Machine, Switch};
use crate::kernel::{Kernel, Next, Outcome};
use crate::machine::activity::{Activity, Ahead};
use crate::machine::agenda::EMachine;
use crate::machine::schedule::ScheduleId;
use crate::machine::trigger::TriggerState;
use crate::parts::Parts;
use crate::scheduling::timers::HORIZON;
use crate::sizes::Sizes;
use crate::table::Table;
use crate::ways::{Any, Way};

/// Until when no trigger is due, if this is the first trigger and it is at most [`HORIZON`] ahead: to the end
/// of a span of that many ticks. Spans are counted from the start, so it doesn't matter when in a span this
/// is asked.
#[inline(always)]
fn calm_until(first: Instant, now: Instant) -> Moment {
    let word = (now.ticks() as u32 | (HORIZON - 1)).wrapping_add(1);
    let end = Instant::from_ticks(word.into()).moment();
    first.min(now.nearest(end)).moment()
}

const _: () = assert!(HORIZON.is_power_of_two());

impl<S: Sizes, M: Machine<S>> Kernel<S, M> {
    /// The alarm went off. The kernel's work from here on isn't charged to the running thread. If nothing is
    /// under way and the only thing due is a release of a periodic thread, that comes at once.
    #[inline(always)]
    pub(crate) fn alarm<W: Way>(&mut self, way: W) -> Outcome {
        if !way.is_calm() {
            return Ok(self.alarm_under_way());
        }
        let now = self.machine.now();
        self.charge_until(now.moment());
        if self.sees_spent() || self.sees_overdue() {
            return Ok(self.begin_to_select());
        }
        match self.first_plain_release(now.moment()) {
            Some(thread) => Ok(self.release_in_a_row(way, thread, now)),
            None => Ok(self.begin_to_select()),
        }
    }

    /// The thread whose release comes next, if one is due and nothing that takes more comes before it.
    #[inline(always)]
    fn first_plain_release(&self, now: Moment) -> Option<ThreadId> {
        let (thread, due) = self.state.timers.first();
        let is_next = now.is_before(self.state.calm_until) && !now.is_before(due);
        (is_next && self.is_plain_release(thread, due)).then_some(thread)
    }

    /// Releases a thread, and then all others whose releases are due and plain, as long as nothing comes in
    /// between. Each round equals a step of its own.
    #[inline(always)]
    fn release_in_a_row<W: Way>(&mut self, way: W, mut thread: ThreadId, now: Instant) -> Next {
        let mut first = ThreadId::NONE;
        // bound: STEPS, each round is one
        loop {
            if self.release_plainly(way, thread, now) {
                first = thread;
            }
            let (_, due) = self.state.timers.first();
            let moment = self.machine.moment();
            if moment.is_before(due) && !self.state.bands.is_sorting() {
                self.arm_and_go_on(self.state.calm_until.earlier(due));
                return if first.is_some() { Next::Run(first) } else { Next::Stay };
            }
            let Some(next) = self.first_plain_release(moment).filter(|_| !self.must_pause()) else {
                self.state.undecided = true;
                return self.begin_to_select();
            };
            thread = next;
        }
    }

    #[cold]
    #[inline(never)]
    fn begin_to_select(&mut self) -> Next {
        self.state.e_machine.activity = Activity::Select;
        Next::Again
    }

    /// The alarm went off while something else is under way, or something has to be asked of the interrupted
    /// thread.
    #[inline(never)]
    fn alarm_under_way(&mut self) -> Next {
        let activity = self.state.e_machine.activity;
        if !matches!(activity, Activity::Idle | Activity::Await { .. }) {
            return Next::Again;
        }
        let now = self.charge_until_now();
        if let Activity::Await { driver, until, .. } = activity {
            self.check_budget(driver, until, now);
            return if self.is_under_way() { Next::Again } else { Next::Stay };
        }
        self.sees_spent();
        self.sees_overdue();
        self.begin_to_select()
    }

    /// Steps of the E machine: one, and more as long as nothing comes in between. Each does the same as it
    /// would alone.
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

    /// Whether the next step has to wait because something is pending or there is deferred work, which come
    /// first.
    #[inline(always)]
    pub(crate) fn must_pause(&mut self) -> bool {
        self.state.has_deferred_work || self.machine.is_pending()
    }

    /// One step of the E machine.
    #[inline(always)]
    fn react_once(&mut self) -> Switch {
        match self.state.e_machine.activity {
            Activity::Idle | Activity::Select => {
                let now = self.machine.now();
                self.select(now)
            }
            Activity::Await { .. } => {
                self.wait_for_driver();
                self.decide(Any::UNDER_WAY)
            }
            Activity::Resume { schedule, due } if S::SCHEDULED => {
                self.state.e_machine.activity = self.go_on_with(schedule, due);
                Switch::Again
            }
            Activity::Look { next } if S::HAS_EVENT_TRIGGERS => {
                self.state.e_machine.activity = self.look_at(next);
                Switch::Again
            }
            Activity::Drop { program, next, then } if S::HAS_ROOMS => {
                self.state.e_machine.activity = self.drop_next(program, next, then);
                Switch::Again
            }
            // This kernel has none of these.
            Activity::Resume { .. } | Activity::Look { .. } | Activity::Drop { .. } => {
                self.state.e_machine.activity = Activity::Select;
                Switch::Again
            }
            Activity::Run { program, address } => {
                self.run(program, address);
                Switch::Again
            }
            Activity::Copy { program, driver, offset, then } => {
                self.state.e_machine.activity = self.copy_chunk(program, driver, offset, then);
                Switch::Again
            }
        }
    }

    /// Whether something comes before the work that is due: a left-over timeout, or ports.
    pub(crate) fn looks_elsewhere_first(&self) -> bool {
        let e_machine = &self.state.e_machine;
        S::SCHEDULED && e_machine.stale.is_some() || S::HAS_EVENT_TRIGGERS && e_machine.has_worked
    }

    /// Takes the first trigger that is due, or the first timer, or ends the instant.
    #[inline(never)]
    fn select(&mut self, now: Instant) -> Switch {
        // A step of its own: the decision at the end of this one is long enough already.
        if S::SCHEDULED && self.state.e_machine.stale.is_some() {
            self.state.e_machine.forget_stale();
            return Switch::Again;
        }
        let (slot, key) = self.state.e_machine.first();
        let is_due = key.instant().is_due(now);
        if S::HAS_EVENT_TRIGGERS && self.begins_to_look(slot, key, now) {
            return Switch::Again;
        }
        if is_due {
            let slot = self.state.e_machine.first_set(self.machine.system(), slot, key);
            self.state.e_machine.take(slot);
            self.state.e_machine.activity = match slot.checked_sub(S::Triggers::LENGTH) {
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
            self.state.e_machine.activity = Activity::Select;
            return Switch::Again;
        }
        self.state.e_machine.activity = Activity::Idle;
        self.state.since = now.moment();
        self.state.calm_until = calm_until(key.instant(), now);
        self.arm(self.state.calm_until.earlier(moment));
        self.decide_at_length()
    }

    /// A phase of this instant begins after the earlier phases of other programs; at once, if the queue holds
    /// none of those.
    #[inline(always)]
    pub(crate) fn begin_phase(&mut self, program: ProgramId, phase: u8, address: u16) -> Ahead {
        let e_machine = &mut self.state.e_machine;
        let instant = e_machine.instant;
        let is_next = e_machine.first().1 > EMachine::<S>::key_of(program, instant, phase);
        if !is_next || !e_machine.has_place() || S::SCHEDULED && e_machine.stale.is_some() {
            e_machine.set_trigger(self.machine.system(), program, instant, phase, address);
            return self.break_off(Activity::Select);
        }
        (e_machine.reference, e_machine.schedule) = (instant, ScheduleId::NONE);
        e_machine.has_worked |= S::HAS_EVENT_TRIGGERS;
        self.note(Note::react(program, address, instant));
        Some(address)
    }

    /// A trigger is due.
    #[inline(always)]
    fn enter(&mut self, place: usize, instant: Instant) -> Activity {
        let e_machine = &mut self.state.e_machine;
        (e_machine.instant, e_machine.reference) = (instant, instant);
        (e_machine.schedule, e_machine.place) = (ScheduleId::NONE, place as u8);
        if S::HAS_EVENT_TRIGGERS {
            e_machine.has_worked = true;
        }
        let TriggerState { program, address, .. } = *e_machine.triggers.at(place);
        e_machine.end_trigger(self.machine.system(), place);
        self.note(Note::react(program, address, instant));
        Activity::Run { program, address }
    }

    /// A program goes on elsewhere at this instant, as at a start: first it drops everything that it has
    /// pending, step by step.
    pub(crate) fn begin_anew(&mut self, program: ProgramId, then: u16) -> Activity {
        let state = self.state.e_machine.programs.at_mut(program.index());
        (state.handling, state.is_forced, state.position) = (None, false, 0);
        self.state.e_machine.done = 0;
        Activity::Drop { program, next: 0, then }
    }

    /// Drops the next pending thing of a program: event triggers first, since an interrupt could make them
    /// due, then triggers, then threads.
    fn drop_next(&mut self, program: ProgramId, next: u8, then: u16) -> Activity {
        let system = self.machine.system();
        let row = system.programs.at(program.index());
        let more = Activity::Drop { program, next: next.saturating_add(1), then };
        let mut place = usize::from(next);
        if S::HAS_EVENT_TRIGGERS && place < S::EventTriggers::LENGTH {
            self.forget_watch_of(program, place);
            return more;
        }
        place -= if S::HAS_EVENT_TRIGGERS { S::EventTriggers::LENGTH } else { 0 };
        if place < usize::from(row.triggers) {
            self.state.e_machine.forget_trigger(usize::from(row.first_trigger) + place);
            return more;
        }
        place -= usize::from(row.triggers);
        if S::SCHEDULED && place < usize::from(row.schedules) {
            self.forget_schedule(program, ScheduleId(row.first_schedule.saturating_add(place as u8)));
            return more;
        }
        let e_machine = &mut self.state.e_machine;
        (e_machine.reference, e_machine.schedule) = (e_machine.instant, ScheduleId::NONE);
        e_machine.leave_place(system, program);
        Activity::Run { program, address: then }
    }
}
