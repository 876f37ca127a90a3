//! Event triggers wait for a port's value, an interrupt, or a task's completion; and so do timeouts of S code.
//!
//! ```text
//!           when (1)             the condition holds (2)            its turn (3)
//!   None -------------> waiting -------------------------> due ----------------> E code runs
//! ```
//! (1) `set_event_trigger`, `watch_for`, (2) `notice` at interrupts and completions, `look_at` for ports,
//! (3) `e_machine::enter`, `s_machine::go_on_with`.
//!
//! A condition is first checked at the instant after it was set, so each instant ends, whatever ports do.
//! Ports change only when drivers write them. They are checked at an instant at which some program did
//! something, after all its other work. So a condition that holds already when it is set comes true with the
//! next thing that happens, and can't monopolise the processor. An interrupt's line is unmasked while a
//! trigger waits for it.

use beryl_abi::{Instant, Line, ProgramId, ThreadId};
use beryl_syscode::{Condition, PortId};

use crate::event::Machine;
use crate::kernel::Kernel;
use crate::machine::activity::Activity;
use crate::machine::event_trigger::{EventTriggerState, Waiter};
use crate::machine::schedule::ScheduleId;
use crate::parts::Parts;
use crate::rows::programs::{Held, Port};
use crate::scheduling::tree::Key;
use crate::sizes::Sizes;
use crate::table::Table;

/// Events other than time and ports.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Occasion {
    /// A task completed a job.
    Completed(ThreadId),
    /// An interrupt came.
    Interrupt(Line),
}

impl<S: Sizes, M: Machine<S>> Kernel<S, M> {
    /// Sets a trigger. If there is no place for it, nothing is set; the builder has made sure that there is.
    #[inline(never)]
    pub(crate) fn set_event_trigger(&mut self, program: ProgramId, condition: u8, address: u16) {
        let condition = self.condition_of(program, condition);
        let (Some(condition), Some(place), true) = (condition, self.free_watch(), S::HAS_EVENT_TRIGGERS)
        else {
            return;
        };
        let system = self.machine.system();
        let Some(trigger) = self.state.e_machine.hold_trigger(system, program, address) else { return };
        self.watch(place, condition, Waiter::Trigger(trigger));
    }

    /// Sets a timeout of a thread on an event. If there is no place for it, the event never comes.
    #[inline(never)]
    pub(crate) fn watch_for(&mut self, schedule: ScheduleId, condition: Condition) {
        if let Some(place) = self.free_watch() {
            self.watch(place, condition, Waiter::Thread(schedule));
        }
    }

    fn free_watch(&self) -> Option<usize> {
        // bound: WATCHES
        (0..S::EventTriggers::LENGTH).find(|place| self.event_trigger(*place).condition.is_none())
    }

    #[inline(always)]
    fn watch(&mut self, place: usize, condition: Condition, waiter: Waiter) {
        let before = self.value_before(place, condition);
        let since = self.state.e_machine.instant;
        *self.state.e_machine.event_triggers.at_mut(place) =
            EventTriggerState { condition: Some(condition), waiter, before, since };
        self.state.e_machine.watching = self.state.e_machine.watching.saturating_add(1);
        if let Condition::Interrupt(line) = condition {
            self.machine.unmask(line);
        }
    }

    /// Whether any event triggers wait.
    #[inline(always)]
    pub(crate) fn is_watching(&self) -> bool {
        S::HAS_EVENT_TRIGGERS && self.state.e_machine.watching > 0
    }

    /// An output is published now; a trigger may be waiting for it.
    #[inline(always)]
    pub(crate) fn look_afterwards(&mut self) {
        self.state.e_machine.has_worked |= S::HAS_EVENT_TRIGGERS;
    }

    /// Whether triggers wait for an interrupt; those that do are due now.
    #[inline(never)]
    pub(crate) fn notice_interrupt(&mut self, line: Line) -> bool {
        let now = self.charge_until_now();
        self.notice(Occasion::Interrupt(line), now)
    }

    /// An event has happened at an instant: the triggers that wait for it are due. Returns whether there are
    /// any.
    #[inline(never)]
    pub(crate) fn notice(&mut self, occasion: Occasion, instant: Instant) -> bool {
        let mut any = false;
        // bound: WATCHES
        for place in 0..S::EventTriggers::LENGTH {
            let waits = match (self.event_trigger(place).condition, occasion) {
                (Some(Condition::Completed(task)), Occasion::Completed(other)) => task == other,
                (Some(Condition::Interrupt(line)), Occasion::Interrupt(other)) => line == other,
                _ => false,
            };
            if waits {
                self.fire(place, instant);
                any = true;
            }
        }
        if any && self.state.e_machine.activity == Activity::Idle {
            self.state.e_machine.activity = Activity::Select;
        }
        any
    }

    /// Begins to look at ports, if their turn has come: after all triggers of an instant and threads whose tasks
    /// are complete, before its timeouts (Algorithm 6), and before later instants. `slot` and `key` are the
    /// first of the queue.
    pub(crate) fn begins_to_look(&mut self, slot: usize, key: Key, now: Instant) -> bool {
        let e_machine = &mut self.state.e_machine;
        let is_trigger = slot < S::Triggers::LENGTH && key.instant().is_due(now);
        let is_trigger_first = is_trigger && key.instant() <= e_machine.instant;
        // A thread whose task is complete is due since the start.
        let is_done_first = S::SCHEDULED && key.instant() == Instant::START;
        if !e_machine.has_worked || is_trigger_first || is_done_first {
            return false;
        }
        e_machine.activity = Activity::Look { next: 0 };
        true
    }

    /// Looks at one of the triggers on ports.
    pub(crate) fn look_at(&mut self, next: u8) -> Activity {
        let place = usize::from(next);
        if place >= S::EventTriggers::LENGTH {
            self.state.e_machine.has_worked = false;
            return Activity::Select;
        }
        let waiting = *self.event_trigger(place);
        let instant = self.state.e_machine.instant;
        if let Some(condition) = waiting.condition
            && waiting.since < instant
            && self.holds(place, condition, waiting.before)
        {
            self.fire(place, instant);
        }
        Activity::Look { next: next.saturating_add(1) }
    }

    /// Drops a trigger or a timeout, if it is this program's.
    pub(crate) fn forget_watch_of(&mut self, program: ProgramId, place: usize) {
        let EventTriggerState { condition, waiter, .. } = *self.event_trigger(place);
        let owner = match waiter {
            Waiter::Thread(schedule) if S::SCHEDULED => self.program_of(schedule),
            Waiter::Trigger(trigger) => self.state.e_machine.owner(trigger),
            Waiter::Thread(_) => return,
        };
        if condition.is_some() && owner == program {
            self.forget_watch(place);
        }
    }

    /// A thread goes on for another reason than its timeout's event.
    #[inline(never)]
    pub(crate) fn forget_watch_for(&mut self, schedule: ScheduleId) {
        // bound: WATCHES
        for place in 0..S::EventTriggers::LENGTH {
            let EventTriggerState { condition, waiter, .. } = *self.event_trigger(place);
            if condition.is_some() && waiter == Waiter::Thread(schedule) {
                self.forget_watch(place);
            }
        }
    }

    /// What is waited for has happened: the waiter enters the queue like one that waited for time.
    fn fire(&mut self, place: usize, due: Instant) {
        let waiter = self.event_trigger(place).waiter;
        self.forget_watch(place);
        match waiter {
            Waiter::Thread(schedule) if S::SCHEDULED => self.set_timeout(schedule, due),
            Waiter::Trigger(trigger) => self.state.e_machine.enable_trigger(trigger, due),
            Waiter::Thread(_) => {}
        }
    }

    fn forget_watch(&mut self, place: usize) {
        self.state.e_machine.event_triggers.at_mut(place).condition = None;
        self.state.e_machine.watching = self.state.e_machine.watching.saturating_sub(1);
    }

    fn event_trigger(&self, place: usize) -> &EventTriggerState {
        self.state.e_machine.event_triggers.at(place)
    }

    /// Whether a condition on a port holds for what waits in a place.
    fn holds(&mut self, place: usize, condition: Condition, before: i32) -> bool {
        match condition {
            Condition::Changed(port) => match self.port(port) {
                Port { address, holds: Held::Bytes(length) } if S::HAS_LONG_PORTS => {
                    self.differs_from_kept(place, address, length)
                }
                number => self.number_in(number) != before,
            },
            Condition::Compare(port, relation, value) => match self.port(port) {
                Port { holds: Held::Bytes(_), .. } if S::HAS_LONG_PORTS => false,
                number => relation.holds(self.number_in(number), value),
            },
            _ => false,
        }
    }

    /// What a port holds when a wait in a place begins: the number, if it is one. Other values are kept.
    fn value_before(&mut self, place: usize, condition: Condition) -> i32 {
        let Condition::Changed(port) = condition else { return 0 };
        match self.port(port) {
            Port { address, holds: Held::Bytes(length) } if S::HAS_LONG_PORTS => {
                self.keep(place, address, length);
                0
            }
            number => self.number_in(number),
        }
    }

    fn port(&self, port: PortId) -> Port {
        *self.machine.system().ports.at(usize::from(port.0))
    }

    fn number_in(&mut self, port: Port) -> i32 {
        let word = self.machine.load(port.address & !3) >> (8 * (port.address & 3));
        match port.holds {
            Held::Byte => i32::from(word as u8),
            Held::Half => i32::from(word as i16),
            Held::Word | Held::Bytes(_) => word as i32,
        }
    }
}
