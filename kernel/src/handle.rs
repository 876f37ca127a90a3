//! The only way in: an event, a step, a decision.

use beryl_abi::{CallError, Classes, Instant, Moment, Note, Record, ThreadId};

use crate::event::{Event, Machine, Switch};
use crate::exits::Exit;
use crate::kernel::{Kernel, Next, Outcome};
use crate::machine::activity::Activity;
use crate::parts::Parts;
use crate::scheduling::processor::Place;
use crate::sizes::Sizes;
use crate::table::Table;
use crate::ways::{Any, Ordinary};

impl<S: Sizes, M: Machine<S>> Kernel<S, M> {
    /// Does one bounded step for `event`. If there is more to do, the answer is [`Switch::Again`].
    #[inline(always)]
    pub fn handle(&mut self, event: Event) -> Switch {
        self.handle_ordinarily(Ordinary, event).flatten().unwrap_or_else(|| self.handle_at_length(event))
    }

    /// Handles an ordinary case; if the answer is none, nothing has changed. Hosts that know the kind of
    /// event and the call's number pass them as constants, so that each has a short way in and out.
    #[inline(always)]
    pub fn handle_ordinarily<W: Exit<S, M>>(&mut self, way: W, event: Event) -> Option<W::Answer> {
        let caller = self.state.processor.caller();
        let is_ordinary = match event {
            Event::Call(_) => caller.process().is_some() || self.without_locks(caller).process().is_some(),
            Event::Interrupt(_) | Event::Alarm => caller.is_quiet() || self.without_locks(caller).is_quiet(),
            Event::Start | Event::Fault(_) | Event::Continue => false,
        };
        if !is_ordinary {
            return None;
        }
        let outcome = match event {
            Event::Call(call) => return Some(self.call(way, call)),
            Event::Interrupt(line) => self.interrupt(way, line),
            Event::Alarm => self.alarm(way),
            Event::Start | Event::Fault(_) | Event::Continue => return None,
        };
        match outcome {
            Ok(next) => Some(self.conclude(way, next)),
            Err(_) => None,
        }
    }

    /// Handles any case.
    #[inline(always)]
    pub fn handle_at_length(&mut self, event: Event) -> Switch {
        let way = Any { is_calm: self.without_locks(self.state.processor.caller()).is_calm() };
        self.state.processor.ask();
        self.trace_entry(&event);
        self.ask_whether_section_ends(&event);
        let switch = self.step(way, event);
        self.count_lack(event);
        let switch = self.once_budgets_are_dealt_with(switch);
        let switch = self.once_reports_are_sent(switch);
        if switch != Switch::Again {
            self.settle();
        }
        switch
    }

    /// User code runs: notes whether anything has to be asked of its thread.
    #[inline(always)]
    fn settle(&mut self) {
        let is_heard = self.state.tracing.is_any();
        if is_heard {
            self.note(Note::leave(self.state.running()));
        }
        if !self.has_raised() {
            let own = self.state.threads.at(self.state.running().index()).own;
            self.state.processor.settle(own, is_heard);
        }
    }

    #[inline(always)]
    fn step(&mut self, way: Any, event: Event) -> Switch {
        let outcome = match event {
            Event::Call(call) => return self.call(way, call),
            Event::Alarm => self.alarm(way),
            Event::Interrupt(line) => self.interrupt(way, line),
            Event::Start => {
                self.start();
                Ok(Next::Again)
            }
            Event::Fault(fault) => {
                self.fault(fault);
                if S::HAS_CRASHES {
                    self.state.know_registers();
                }
                Ok(Next::Again)
            }
            // Deferred work makes the state whole again, so it comes before the E machine.
            Event::Continue if self.state.has_deferred_work => {
                self.do_deferred();
                Ok(Next::Again)
            }
            Event::Continue if self.state.undecided && self.state.e_machine.activity == Activity::Idle => {
                return self.decide_at_length();
            }
            Event::Continue => return self.react(),
        };
        self.come_to(way, outcome)
    }

    /// Turns the outcome of an operation into an answer. One refusal is ordinary: the call would have to wait
    /// and the caller doesn't want to.
    #[inline(always)]
    pub(crate) fn come_to<W: Exit<S, M>>(&mut self, way: W, outcome: Outcome) -> W::Answer {
        match outcome {
            Ok(next) => self.conclude(way, next),
            Err(error @ CallError::WouldBlock) => {
                self.machine.tell(self.state.running(), error as u32);
                way.stay()
            }
            Err(error) => way.give_up(self, error),
        }
    }

    /// The running thread hands the processor to `next`, which runs in this place.
    #[inline(always)]
    pub(crate) fn hand_over<W: Exit<S, M>>(&mut self, way: W, next: ThreadId, place: Place) -> W::Answer {
        self.charge();
        self.let_go_on(way, next, place)
    }

    /// As above, where the running thread has had it in its own place.
    #[inline(always)]
    pub(crate) fn hand_over_own_place<W: Exit<S, M>>(&mut self, way: W, next: ThreadId) -> W::Answer {
        let now = self.machine.moment();
        self.charge_place_until(self.state.running(), now);
        self.let_go_on(way, next, Place::Own)
    }

    /// As above, where the processor's time is charged already.
    #[inline(always)]
    pub(crate) fn let_go_on<W: Exit<S, M>>(&mut self, way: W, next: ThreadId, place: Place) -> W::Answer {
        let own = self.state.threads.at(next.index()).own;
        self.lets_in(way, self.state.running());
        let from = self.state.processor.give(way, own, place);
        if !self.pay_in(way, next, place) {
            return self.switch_and_ask(way, next);
        }
        if !W::IS_ORDINARY && self.state.tracing.has(Classes::SWITCHES) {
            self.tell_of_switch(from, next);
        }
        way.switch(self, next)
    }

    /// The same where it has to be asked when its budget ends: behind all else, so that nothing has to be kept for it.
    #[cold]
    #[inline(never)]
    fn switch_and_ask<W: Exit<S, M>>(&mut self, way: W, next: ThreadId) -> W::Answer {
        self.ask_when_it_ends();
        way.switch(self, next)
    }

    /// There is more to do than this step.
    #[inline(always)]
    pub(crate) fn ask_for_more<W: Exit<S, M>>(&mut self, way: W) -> W::Answer {
        self.state.processor.ask();
        way.again(self)
    }

    #[cold]
    #[inline(never)]
    fn tell_of_switch(&mut self, from: ThreadId, to: ThreadId) {
        self.trace(Record::Switch { from, to });
    }

    /// Adds the time since the last charge to the running thread's execution-time clock.
    #[inline(always)]
    fn charge(&mut self) {
        let now = self.machine.moment();
        self.charge_until(now);
    }

    /// As above, where the time is known.
    #[inline(always)]
    pub(crate) fn charge_until(&mut self, now: Moment) {
        self.charge_place_until(self.state.payer(), now);
    }

    /// As above, where it is known who pays.
    #[inline(always)]
    fn charge_place_until(&mut self, payer: ThreadId, now: Moment) {
        let thread = self.state.threads.at_mut(self.state.running().index());
        thread.clock = thread.clock.longer_by(now.ticks_since(self.state.since));
        self.state.charge_place(self.machine.system(), payer, now.ticks_since(self.state.since));
        self.state.since = now;
    }

    /// Charges the running thread's execution-time clock up to now.
    #[inline(never)]
    pub(crate) fn charge_until_now(&mut self) -> Instant {
        let now = self.machine.now();
        self.charge_until(now.moment());
        now
    }

    /// The system starts: unmasks interrupts that have a server and begins all programs.
    #[cold]
    fn start(&mut self) {
        // bound: INTERRUPTS
        for index in 0..S::Interrupts::LENGTH {
            let row = *self.machine.system().interrupts.at(index);
            if row.thread.is_some() {
                self.machine.unmask(row.line);
            }
        }
        self.charge_until_now();
        self.state.e_machine.activity = Activity::Select;
    }

    /// Whether anything is under way, so that another step has to follow.
    pub(crate) fn is_under_way(&self) -> bool {
        let complete = match self.state.e_machine.activity {
            Activity::Idle => true,
            Activity::Await { thread, .. } => thread == self.state.running(),
            _ => false,
        };
        !complete
            || self.state.has_deferred_work
            || self.state.undecided
            || self.state.processor.is_displaced()
    }

    /// Makes a thread begin anew when it runs next; if it runs now, its registers are given up.
    pub(crate) fn restart(&mut self, thread: ThreadId) {
        let words = self.machine.system().threads.at(thread.index()).words;
        if words != 0 {
            self.machine.store(words, 0);
            self.machine.store(words.wrapping_add(4), 0);
        }
        self.machine.restart(thread);
        if S::REPLACED
            && let Some(entry) = self.entry_in_room(thread)
        {
            self.machine.begin_at(thread, entry);
        }
        self.state.processor.displace(thread);
    }
}
