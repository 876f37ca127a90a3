//! The one way in: an event, a step, a decision.

use beryl_abi::{Instant, Line, Record, ThreadId};

use crate::event::{Event, Machine, Switch};
use crate::reactions::Activity;
use crate::sizes::{Sizes, Table};
use crate::state::State;
use crate::system::System;

/// Does one step for `event`. The step is bounded; if it isn't all there is to do, the answer is
/// [`Switch::Again`].
#[inline(always)]
pub fn handle<S: Sizes, M: Machine>(
    state: &mut State<S>,
    system: &System<S>,
    event: Event,
    machine: &mut M,
) -> Switch {
    let mut step = Step { state, system, machine };
    match event {
        Event::Call(call) => step.call(call),
        Event::Start | Event::Alarm => step.alarm(),
        Event::Interrupt(line) => step.interrupt(line),
        Event::Fault(fault) => step.fault(fault),
        Event::Continue => step.proceed(),
    }
}

/// A step under way: the state, the tables and the door.
pub(crate) struct Step<'a, S: Sizes, M: Machine> {
    pub state: &'a mut State<S>,
    pub system: &'a System<S>,
    pub machine: &'a mut M,
}

impl<S: Sizes, M: Machine> Step<'_, S, M> {
    /// Decides who runs, and begins to charge it.
    #[inline(always)]
    pub fn decide(&mut self, now: Instant) -> Switch {
        let next = match self.state.reactions.activity {
            Activity::Await { thread, .. } => thread,
            _ => self.state.bands.first(self.system, &self.state.threads),
        };
        let from = self.state.running;
        if next == from && !self.state.displaced {
            return Switch::Stay;
        }
        self.charge(now);
        self.state.running = next;
        self.state.displaced = false;
        self.trace(Record::Switch { from, to: next });
        Switch::To(next)
    }

    /// Adds the time since the last charge to the running thread's execution-time clock.
    #[inline(always)]
    pub fn charge(&mut self, now: Instant) {
        let thread = self.state.threads.at_mut(self.state.running.index());
        thread.clock = thread.clock.plus(now.since(self.state.since));
        self.state.since = now;
    }

    /// Goes on with what is under way, then decides.
    pub fn proceed(&mut self) -> Switch {
        if let Some((process, thread)) = self.state.stopping {
            return self.stop_next(process, thread);
        }
        self.react()
    }

    /// Nobody has asked for interrupts yet: the line is masked, so that it can't come again.
    #[cold]
    fn interrupt(&mut self, line: Line) -> Switch {
        self.machine.mask(line);
        self.trace(Record::Stray { line });
        self.resume()
    }

    /// After an event that changed nothing: goes on with an instant that is under way, if one is.
    pub fn resume(&mut self) -> Switch {
        match self.state.reactions.activity {
            Activity::Idle | Activity::Await { .. } if self.state.stopping.is_none() => Switch::Stay,
            _ => Switch::Again,
        }
    }

    /// Makes a thread begin anew when it runs next; if it runs now, its registers are given up.
    pub fn restart(&mut self, thread: ThreadId) {
        self.machine.restart(thread);
        self.state.displaced |= thread == self.state.running;
    }

    #[inline(always)]
    pub fn trace(&mut self, record: Record) {
        if self.state.tracing {
            self.machine.trace(record);
        }
    }
}
