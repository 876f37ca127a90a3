//! The one way in: an event, a step, a decision.

use beryl_abi::{Classes, Instant, Moment, Note, Record, ThreadId};

use crate::event::{Event, Machine, Switch};
use crate::reactions::Activity;
use crate::sizes::{Sizes, Table};
use crate::state::{Caller, State};

/// The kernel of one system on one machine: everything that changes, and the door to the world.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[repr(C)]
pub struct Kernel<S: Sizes, M> {
    /// The door, which knows the constant tables, too. What it keeps is small, so that both are near.
    pub machine: M,
    /// Everything that changes.
    pub state: State<S>,
}

/// What follows a step.
#[must_use = "who runs next depends on it"]
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Next {
    /// Nothing has changed that could make another thread run.
    Stay,
    /// Another step.
    Again,
    /// A decision.
    Decide,
    /// A decision that can't be for the running thread, which isn't ready any more.
    Leave,
    /// What this thread slept for has happened: it wakes, and a decision follows.
    Wake(ThreadId),
    /// The running thread waits for a lock; at the end of the chain of its owners stands this thread.
    Lend(ThreadId),
}

impl<S: Sizes, M: Machine<S>> Kernel<S, M> {
    /// The kernel of the machine's system in the state in which it starts.
    #[must_use]
    pub fn new(machine: M) -> Kernel<S, M> {
        Kernel { state: State::new(machine.system()), machine }
    }

    /// Does one step for `event`. The step is bounded; if it isn't all there is to do, the answer is
    /// [`Switch::Again`].
    #[inline(always)]
    pub fn handle(&mut self, event: Event) -> Switch {
        match event {
            Event::Call(call) => self.call_at_once(call).unwrap_or_else(|| self.handle_at_length(event)),
            Event::Alarm if self.is_calm() => self.alarm_at_once(),
            Event::Interrupt(line) if self.is_calm() => self.interrupt_at_once(line),
            event => self.handle_at_length(event),
        }
    }

    /// Whether user code runs of whose calls nothing has to be asked: interrupts may take their short way.
    #[inline(always)]
    pub fn is_calm(&self) -> bool {
        self.state.caller.process().is_some()
    }

    /// The same by the way that every event can take. Hosts come here where the short way of an event had
    /// no answer.
    #[inline(always)]
    pub fn handle_at_length(&mut self, event: Event) -> Switch {
        self.state.caller = Caller::ASK;
        self.trace_entry(&event);
        let switch = self.step(event);
        if switch != Switch::Again {
            self.settle();
        }
        switch
    }

    /// User code runs: notes whether its calls can be done at once.
    #[inline(always)]
    fn settle(&mut self) {
        if self.state.tracing.is_any() {
            return self.note(Note::leave(self.state.running));
        }
        if !self.state.raised.is_some() {
            self.state.caller = self.state.threads.at(self.state.running.index()).caller;
        }
    }

    #[inline(always)]
    fn step(&mut self, event: Event) -> Switch {
        match event {
            Event::Call(call) => self.call_at_length(call),
            Event::Start => self.start(),
            Event::Alarm => self.alarm(),
            Event::Interrupt(line) => self.interrupt(line),
            Event::Fault(fault) => {
                self.fault(fault);
                Switch::Again
            }
            // What makes the state whole again comes before the E machine.
            Event::Continue if self.state.chores => {
                self.do_chore();
                Switch::Again
            }
            Event::Continue if self.state.undecided && self.state.reactions.activity == Activity::Idle => {
                self.decide_at_length()
            }
            Event::Continue => self.react(),
        }
    }

    /// The running thread, which is not displaced, hands the processor to `next`.
    #[inline(always)]
    pub(crate) fn hand_over(&mut self, next: ThreadId) -> Switch {
        let from = self.state.running;
        self.charge(from);
        self.state.running = next;
        if self.state.tracing.has(Classes::SWITCHES) {
            self.tell_of_switch(from, next);
        }
        Switch::To(next)
    }

    /// The processor goes from the running thread, of which nothing had to be asked, to one that is ready and
    /// runs in its own place.
    #[inline(always)]
    pub(crate) fn hand_over_at_once(&mut self, from: ThreadId, next: ThreadId) -> Switch {
        self.charge(from);
        self.run_at_once(next)
    }

    /// The same, where the processor's time is charged already.
    #[inline(always)]
    pub(crate) fn run_at_once(&mut self, next: ThreadId) -> Switch {
        self.state.caller = self.state.threads.at(next.index()).caller;
        self.state.running = next;
        self.state.place = next;
        Switch::To(next)
    }

    /// The step isn't all there is to do.
    #[inline(always)]
    pub(crate) fn go_on_at_length(&mut self) -> Switch {
        self.state.caller = Caller::ASK;
        Switch::Again
    }

    #[cold]
    #[inline(never)]
    fn tell_of_switch(&mut self, from: ThreadId, to: ThreadId) {
        self.trace(Record::Switch { from, to });
    }

    /// Adds the time since the last charge to the running thread's execution-time clock.
    #[inline(always)]
    fn charge(&mut self, running: ThreadId) {
        let now = self.machine.moment();
        self.charge_to(running, now);
    }

    /// The same, where the time is known.
    #[inline(always)]
    pub(crate) fn charge_until(&mut self, now: Instant) {
        self.charge_to(self.state.running, now.moment());
    }

    #[inline(always)]
    fn charge_to(&mut self, running: ThreadId, now: Moment) {
        let thread = self.state.threads.at_mut(running.index());
        thread.clock = thread.clock.longer_by(now.ticks_since(self.state.since));
        self.state.since = now;
    }

    /// Brings the running thread's execution-time clock up to now.
    #[inline(never)]
    pub(crate) fn charge_until_now(&mut self) -> Instant {
        self.charge(self.state.running);
        self.machine.now()
    }

    /// The system starts: interrupts that somebody serves may come, and all programs begin.
    fn start(&mut self) -> Switch {
        // bound: INTERRUPTS
        for index in 0..S::Interrupts::LENGTH {
            let row = *self.machine.system().interrupts.at(index);
            if row.thread.is_some() {
                self.machine.unmask(row.line);
            }
        }
        self.alarm()
    }

    /// Whether anything is under way, so that another step follows.
    pub(crate) fn is_under_way(&self) -> bool {
        let complete = match self.state.reactions.activity {
            Activity::Idle => true,
            Activity::Await { thread, .. } => thread == self.state.running,
            _ => false,
        };
        !complete || self.state.chores || self.state.undecided || self.state.displaced
    }

    /// Makes a thread begin anew when it runs next; if it runs now, its registers are given up.
    pub(crate) fn restart(&mut self, thread: ThreadId) {
        let words = self.machine.system().threads.at(thread.index()).words;
        if words != 0 {
            self.machine.store(words, 0);
            self.machine.store(words.wrapping_add(4), 0);
        }
        self.machine.restart(thread);
        self.state.displaced |= thread == self.state.running;
    }
}
