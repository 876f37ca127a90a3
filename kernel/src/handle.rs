//! The one way in: an event, a step, a decision.

use beryl_abi::{Line, Moment, Record, ThreadId};

use crate::event::{Call, Event, Machine, Switch};
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
    let next = match event {
        Event::Call(call) => step.call(call),
        Event::Start | Event::Alarm => step.alarm(),
        Event::Interrupt(line) => step.interrupt(line),
        Event::Fault(fault) => step.fault(fault),
        Event::Continue => step.proceed(),
    };
    match next {
        Next::Stay => Switch::Stay,
        Next::Again => Switch::Again,
        Next::Decide(now) => step.decide(now),
        Next::To(thread, now) => step.switch(thread, now),
    }
}

/// Does a system call if it is one of the shortest, which take one step without a search: nothing
/// and yield. Hosts may try this first, so that their way in and out stays short; [`handle`] does
/// the same calls in the same way.
#[inline(always)]
pub fn handle_short<S: Sizes, M: Machine>(
    state: &mut State<S>,
    system: &System<S>,
    call: Call,
    machine: &mut M,
) -> Option<Switch> {
    let mut step = Step { state, system, machine };
    match step.short_call(call.number)? {
        Some((thread, now)) => Some(step.switch(thread, now)),
        None => Some(Switch::Stay),
    }
}

/// What follows a step.
#[must_use = "who runs next depends on it"]
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Next {
    /// Nothing has changed that could make another thread run.
    Stay,
    /// Another step.
    Again,
    /// A decision, at this moment.
    Decide(Moment),
    /// A switch to a thread that is known to be the most urgent and isn't running, at this moment.
    To(ThreadId, Moment),
}

/// A step under way: the state, the tables and the door.
pub(crate) struct Step<'a, S: Sizes, M: Machine> {
    pub state: &'a mut State<S>,
    pub system: &'a System<S>,
    pub machine: &'a mut M,
}

impl<S: Sizes, M: Machine> Step<'_, S, M> {
    /// Decides who runs.
    #[inline(always)]
    fn decide(&mut self, now: Moment) -> Switch {
        let next = match self.state.reactions.activity {
            Activity::Await { thread, .. } => thread,
            _ => self.state.bands.first(self.system),
        };
        if next == self.state.running && !self.state.displaced {
            return Switch::Stay;
        }
        self.switch(next, now)
    }

    /// Gives the processor to `next`, and begins to charge it.
    #[inline(always)]
    fn switch(&mut self, next: ThreadId, now: Moment) -> Switch {
        let from = self.state.running;
        self.charge(now);
        self.state.running = next;
        self.state.displaced = false;
        if self.state.tracing {
            self.apart().tell(&Record::Switch { from, to: next });
        }
        Switch::To(next)
    }

    /// Adds the time since the last charge to the running thread's execution-time clock.
    #[inline(always)]
    pub fn charge(&mut self, now: Moment) {
        let thread = self.state.threads.at_mut(self.state.running.index());
        thread.clock = thread.clock.plus(now.since(self.state.since));
        self.state.since = now;
    }

    /// The same step for a function that isn't inlined: if this one were lent, the compiler would
    /// keep it in memory on the hot path, too.
    #[inline(always)]
    pub fn apart(&mut self) -> Step<'_, S, M> {
        Step { state: self.state, system: self.system, machine: self.machine }
    }

    /// Goes on with what is under way.
    fn proceed(&mut self) -> Next {
        if let Some((process, thread)) = self.state.stopping {
            return self.stop_next(process, thread);
        }
        self.react()
    }

    /// Nobody has asked for interrupts yet: the line is masked, so that it can't come again.
    #[cold]
    fn interrupt(&mut self, line: Line) -> Next {
        self.machine.mask(line);
        self.trace(Record::Stray { line });
        self.resume()
    }

    /// After an event that changed nothing: goes on with an instant that is under way, if one is.
    pub fn resume(&mut self) -> Next {
        match self.state.reactions.activity {
            Activity::Idle | Activity::Await { .. } if self.state.stopping.is_none() => Next::Stay,
            _ => Next::Again,
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
            self.tell(&record);
        }
    }

    /// Kept out of the paths that don't trace.
    #[cold]
    #[inline(never)]
    fn tell(&mut self, record: &Record) {
        self.machine.trace(*record);
    }
}
