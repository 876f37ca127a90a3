//! Servers: one that works for a client answers within its `hold`.
//!
//! A server works in the places of its clients, so none of its own budgets ends that, and whoever waits for it does so for
//! as long as it likes. One that is policed has so much of its own clock until it takes a request, and again until it answers:
//!
//! ```text
//!   server  ---a client comes (1)---- takes the request (2)------- answers, or waits for the next (3)
//!                its clock plus `hold`      the same anew             |  or: the alarm finds it at work still (4): a fault
//!                is when it has to come                               v  or: it sleeps where a client would run (5): a fault
//! ```
//! (1) `has_to_come`, (2) `has_to_answer` and `has_to_answer_from_now_on`, (3) `has_answered`, (4) `sees_overdue`, (5)
//! `sleeps_over_request`.
//!
//! While others work, in whatever place, its clock stands still. A client that gives up changes nothing: the next one
//! waits for the same answer. Of its endpoints a policed server has one. Once it has answered it waits for requests or has one,
//! so a client that it keeps waiting twice is its first.

use beryl_abi::{EndpointId, Fault, FaultKind, Moment, ThreadId};

use crate::event::Machine;
use crate::kernel::Kernel;
use crate::scheduling::allowance::Allowance;
use crate::scheduling::thread::Wait;
use crate::sizes::Sizes;
use crate::table::{Optional, Table};

impl<S: Sizes, M: Machine<S>> Kernel<S, M> {
    /// A client waits for a server that doesn't wait for requests, and may have none.
    #[inline(always)]
    pub(crate) fn has_to_come(&mut self, server: ThreadId, endpoint: EndpointId) {
        if self.state.answers.get(server.index()).is_some_and(|answer| !answer.is_some())
            && !self.state.threads.at(server.index()).waits_for(Wait::Request, endpoint.0)
        {
            self.has_to_answer(server);
        }
    }

    /// A server that waited gets a request.
    #[inline(always)]
    pub(crate) fn has_to_answer(&mut self, server: ThreadId) {
        if let Some(hold) = S::ANSWERS.get(server.index()).copied().filter(|hold| *hold > 0) {
            let clock = self.state.threads.at(server.index()).clock;
            if let Some(answer) = self.state.answers.get_mut(server.index()) {
                *answer = Allowance::of(hold, clock);
            }
        }
    }

    /// The running server gets the next request: what it has done until now was for others. Its alarm is set where that is
    /// decided.
    #[inline(always)]
    pub(crate) fn has_to_answer_from_now_on(&mut self, server: ThreadId) {
        if !S::ANSWERS.is_empty() {
            let now = self.machine.moment();
            self.charge_until(now);
            self.has_to_answer(server);
        }
    }

    /// It has answered, or has nobody to answer any more.
    #[inline(always)]
    pub(crate) fn has_answered(&mut self, server: ThreadId) {
        if let Some(answer) = self.state.answers.get_mut(server.index()) {
            *answer = Allowance::NONE;
        }
    }

    /// Whether it is counted how long a thread works.
    #[inline(always)]
    pub(crate) fn has_something_to_answer(&self, thread: ThreadId) -> bool {
        self.state.answers.get(thread.index()).is_some_and(|answer| answer.is_some())
    }

    /// The alarm is about to be set while `running` runs, which may have to answer before.
    #[inline(always)]
    pub(crate) fn until_answer_is_due(&self, running: ThreadId, moment: Moment) -> Moment {
        match self.state.answers.get(running.index()).filter(|answer| answer.is_some()) {
            Some(answer) => {
                let clock = self.state.threads.at(running.index()).clock;
                self.state.since.after(answer.left(clock)).earlier(moment)
            }
            None => moment,
        }
    }

    /// Whether the running thread should have answered by now, as far as time is charged.
    #[inline(always)]
    pub(crate) fn is_late_to_answer(&self) -> bool {
        let running = self.state.running();
        let clock = self.state.threads.at(running.index()).clock;
        let answer = self.state.answers.get(running.index());
        answer.is_some_and(|answer| answer.is_used_up(clock))
    }

    /// The place of a client would come first, and the server sleeps. No `hold` counts for that.
    #[inline(always)]
    pub(crate) fn sleeps_over_request(&mut self, server: ThreadId) {
        if self.has_something_to_answer(server) {
            self.answers_too_late(server);
        }
    }

    #[cold]
    #[inline(never)]
    pub(crate) fn answers_too_late(&mut self, server: ThreadId) {
        self.has_answered(server);
        self.fault_of(server, Fault { kind: FaultKind::Answer, address: 0, instruction: 0 });
    }
}
