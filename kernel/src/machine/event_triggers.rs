//! Event triggers wait for a port's value, an interrupt, or a task's completion.
//!
//! ```text
//!           when (1)             the condition holds (2)            its turn (3)
//!   None -------------> waiting -------------------------> due ----------------> E code runs
//! ```
//! (1) `set_event_trigger`, (2) `notice` at interrupts and completions, `look_at` for ports,
//! (3) `e_machine::enter`.
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
use crate::machine::event_trigger::EventTriggerState;
use crate::parts::Parts;
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
        let before = condition.map_or(0, |condition| self.port_value(condition));
        let since = self.state.e_machine.instant;
        // bound: WATCHES
        let place =
            (0..S::EventTriggers::LENGTH).find(|place| self.event_trigger(*place).condition.is_none());
        let (Some(condition), Some(place), true) = (condition, place, S::HAS_EVENT_TRIGGERS) else { return };
        let system = self.machine.system();
        let Some(trigger) = self.state.e_machine.hold_trigger(system, program, address) else { return };
        *self.state.e_machine.event_triggers.at_mut(place) =
            EventTriggerState { condition: Some(condition), trigger, before, since };
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

    /// Begins to look at ports, if their turn has come: after all triggers of an instant, before its timeouts
    /// (Algorithm 6), and before later instants. `slot` and `key` are the first of the queue.
    pub(crate) fn begins_to_look(&mut self, slot: usize, key: Key, now: Instant) -> bool {
        let e_machine = &mut self.state.e_machine;
        let is_trigger = slot < S::Triggers::LENGTH && key.instant().is_due(now);
        let is_trigger_first = is_trigger && key.instant() <= e_machine.instant;
        if !e_machine.has_worked || is_trigger_first {
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
            && self.holds(condition, waiting.before)
        {
            self.fire(place, instant);
        }
        Activity::Look { next: next.saturating_add(1) }
    }

    /// Drops a trigger, if it is this program's.
    pub(crate) fn forget_watch_of(&mut self, program: ProgramId, place: usize) {
        let EventTriggerState { condition, trigger, .. } = *self.event_trigger(place);
        if condition.is_some() && self.state.e_machine.owner(trigger) == program {
            self.forget_watch(place);
        }
    }

    /// A trigger is due: it enters the queue like one that waited for time.
    fn fire(&mut self, place: usize, due: Instant) {
        let trigger = self.event_trigger(place).trigger;
        self.forget_watch(place);
        self.state.e_machine.enable_trigger(trigger, due);
    }

    fn forget_watch(&mut self, place: usize) {
        self.state.e_machine.event_triggers.at_mut(place).condition = None;
        self.state.e_machine.watching = self.state.e_machine.watching.saturating_sub(1);
    }

    fn event_trigger(&self, place: usize) -> &EventTriggerState {
        self.state.e_machine.event_triggers.at(place)
    }

    /// Whether a condition on a port holds.
    fn holds(&mut self, condition: Condition, before: i32) -> bool {
        match condition {
            Condition::Changed(_) => self.port_value(condition) != before,
            Condition::Compare(_, relation, value) => relation.holds(self.port_value(condition), value),
            _ => false,
        }
    }

    /// The value of the port that a condition is about.
    fn port_value(&mut self, condition: Condition) -> i32 {
        match condition {
            Condition::Changed(port) | Condition::Compare(port, ..) => self.value_of(port),
            _ => 0,
        }
    }

    fn value_of(&mut self, port: PortId) -> i32 {
        let row = *self.machine.system().ports.at(usize::from(port.0));
        let word = self.machine.load(row.address & !3) >> (8 * (row.address & 3));
        match row.length {
            1 => i32::from(word as u8),
            2 => i32::from(word as i16),
            _ => word as i32,
        }
    }
}
