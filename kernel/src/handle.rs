//! The one way in: an event, a step, a decision.

use beryl_abi::{Instant, Line, Moment, Record, ThreadId};

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
        Event::Call(call) => return step.call(call),
        Event::Start | Event::Alarm => Next::more(step.alarm()),
        Event::Interrupt(line) => Next::more(step.interrupt(line)),
        Event::Fault(fault) => {
            step.fault(fault);
            Next::Again
        }
        Event::Continue => step.proceed(),
    };
    step.conclude(next)
}

/// What [`handle`] does for a system call. Hosts that know that it is one come in here, so that the
/// shortest calls have a short way in and out.
#[inline(always)]
pub fn handle_call<S: Sizes, M: Machine>(
    state: &mut State<S>,
    system: &System<S>,
    call: Call,
    machine: &mut M,
) -> Switch {
    Step { state, system, machine }.call(call)
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
    /// A decision at this moment that can't be for the running thread, which isn't ready any more.
    Leave(Moment),
}

impl Next {
    /// Another step, if there is more to do.
    const fn more(is_under_way: bool) -> Next {
        if is_under_way { Next::Again } else { Next::Stay }
    }
}

/// A step under way: the state, the tables and the door.
pub(crate) struct Step<'a, S: Sizes, M: Machine> {
    pub state: &'a mut State<S>,
    pub system: &'a System<S>,
    pub machine: &'a mut M,
}

impl<S: Sizes, M: Machine> Step<'_, S, M> {
    /// The host's answer after a step.
    #[inline(always)]
    pub fn conclude(&mut self, next: Next) -> Switch {
        match next {
            Next::Stay => Switch::Stay,
            Next::Again => Switch::Again,
            Next::Decide(now) => self.decide(now),
            Next::Leave(now) => self.hand_over(self.state.bands.first(self.system), now),
        }
    }

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

    /// Gives the processor to `next`, whoever had it until now.
    #[inline(never)]
    fn switch(&mut self, next: ThreadId, now: Moment) -> Switch {
        self.state.displaced = false;
        self.hand_over(next, now)
    }

    /// The running thread, which is not displaced, hands the processor to `next`.
    #[inline(always)]
    pub fn hand_over(&mut self, next: ThreadId, now: Moment) -> Switch {
        let from = self.state.running;
        self.charge(now);
        self.state.running = next;
        if self.state.tracing {
            self.apart().tell(&Record::Switch { from, to: next });
        }
        Switch::To(next)
    }

    /// Adds the time since the last charge to the running thread's execution-time clock.
    #[inline(always)]
    fn charge(&mut self, now: Moment) {
        let thread = self.state.threads.at_mut(self.state.running.index());
        thread.clock = thread.clock.plus(now.since(self.state.since));
        self.state.since = now;
    }

    /// Brings the running thread's execution-time clock up to now.
    #[inline(never)]
    pub fn charge_until_now(&mut self) -> Instant {
        let now = self.machine.now();
        self.charge(now.moment());
        now
    }

    /// The same step for a function that isn't inlined: if this one were lent, the compiler would
    /// keep it in memory on the hot path, too.
    #[inline(always)]
    pub fn apart(&mut self) -> Step<'_, S, M> {
        Step { state: self.state, system: self.system, machine: self.machine }
    }

    /// Goes on with what is under way.
    #[inline(always)]
    fn proceed(&mut self) -> Next {
        match self.state.stopping {
            Some(stopping) => {
                self.stop_next(stopping);
                Next::Again
            }
            None => self.react(),
        }
    }

    /// Nobody has asked for interrupts yet: the line is masked, so that it can't come again.
    #[cold]
    #[inline(never)]
    fn interrupt(&mut self, line: Line) -> bool {
        self.machine.mask(line);
        self.trace(Record::Stray { line });
        self.is_under_way()
    }

    /// Whether anything is under way, so that another step follows.
    pub fn is_under_way(&self) -> bool {
        let complete = match self.state.reactions.activity {
            Activity::Idle => true,
            Activity::Await { thread, .. } => thread == self.state.running,
            _ => false,
        };
        !complete || self.state.stopping.is_some() || self.state.displaced
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
