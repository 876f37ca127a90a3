//! Waits that end without what they were for, and threads that end.

use beryl_abi::{CallError, Incident};
use beryl_kernel::{OnFault, Sizes, Table, ThreadKind};

use super::semaphores::Patience;
use super::{Answer, Index, Model, Outcome, Phase, Reason};

impl<S: Sizes> Model<'_, S> {
    /// A caller waits as long as it is told to.
    pub fn begin_to_wait(
        &mut self,
        me: Index,
        reason: Reason,
        patience: Patience,
        then: Option<Index>,
    ) -> Outcome {
        let until = match patience {
            Patience::Poll => return Err(CallError::WouldBlock),
            Patience::Forever => None,
            Patience::Until(instant) => Some(instant),
        };
        self.wait(me, reason, until, then);
        Ok(None)
    }

    /// A wait ends with an error. What was asked for besides isn't taken, but for a condition's lock.
    pub fn give_up(&mut self, thread: Index, error: CallError) {
        let reason = self.threads[thread].waiting().unwrap().reason.clone();
        let answer = Answer::status(error as u32);
        self.leaves(&reason);
        if matches!(reason, Reason::Condition(..)) {
            return self.wake(thread, answer);
        }
        if let Phase::Waiting(waiting) = &mut self.threads[thread].phase {
            waiting.then = None;
        }
        if self.lender_to(thread).is_none() {
            return self.wake(thread, answer);
        }
        let last = self.last_of_chain(thread);
        self.threads[thread].answer = Some(answer);
        self.threads[thread].phase = Phase::Ready;
        match reason {
            Reason::Semaphore(semaphore) => self.forget_waiter(semaphore),
            Reason::Reply(endpoint, _) if self.serving[endpoint] == Some(Some(thread)) => {
                self.forget_client(endpoint);
            }
            _ => {}
        }
        self.bring_back(last);
    }

    /// The running thread faults.
    pub fn fault(&mut self) {
        // What it has used stays used, whatever becomes of its debt.
        self.charge();
        self.stop_what_faults(self.running);
        self.decide();
    }

    pub fn stop_what_faults(&mut self, thread: Index) {
        self.inform(thread, Incident::Fault);
        let row = *self.row(thread);
        let whole = self.system.processes.at(row.process.index()).on_fault == OnFault::StopProcess;
        if whole && row.kind != ThreadKind::Idle {
            let members = self.indices().filter(|other| {
                let other = self.row(*other);
                other.process == row.process && !matches!(other.kind, ThreadKind::None | ThreadKind::Idle)
            });
            let members: Vec<_> = members.collect();
            members.iter().for_each(|member| self.stop(*member));
            self.begin_anew(row.process, &members);
        } else if row.kind != ThreadKind::Idle {
            self.stop(thread);
        }
    }

    /// A thread ends: what it owned passes on, whom it served learns it.
    pub fn stop(&mut self, thread: Index) {
        let owned = self.owned_by(thread);
        self.withdraw(thread, Phase::Stopped);
        if let Some(release) = self.threads[thread].release.take() {
            self.threads[thread].last_release = release;
        }
        for semaphore in owned {
            self.pass_on(semaphore, true);
        }
        self.dismiss_clients(thread);
    }

    /// A thread leaves whatever it waits for, and has no place any more.
    pub fn withdraw(&mut self, thread: Index, phase: Phase) {
        let last = self.last_of_chain(thread);
        let reason = self.threads[thread].waiting().map(|waiting| waiting.reason.clone());
        self.threads[thread].phase = phase;
        self.threads[thread].priority = self.first_priority(thread);
        self.threads[thread].answer = None;
        self.leave_band(thread);
        self.raised.retain(|other| *other != thread);
        self.forget_words(thread);
        self.forget_debt(thread);
        match reason {
            Some(Reason::Semaphore(semaphore)) if self.is_binary(semaphore) => self.forget_waiter(semaphore),
            Some(Reason::Reply(endpoint, _)) => self.forget_client(endpoint),
            _ => {}
        }
        self.bring_back(last);
        self.bring_back(thread);
    }
}
