//! Time: releases of periodic threads, sleeps, and waits that have lasted long enough.

use beryl_abi::{CallError, Incident, call::LONGEST_WAIT};
use beryl_kernel::Sizes;

use super::{Answer, Index, Model, Outcome, Phase, Reason, Ticks};

impl<S: Sizes> Model<'_, S> {
    /// The alarm goes off, at or after the instant at which something is due.
    pub fn time_passes(&mut self, now: Ticks) {
        self.now = now;
        self.open_windows();
        self.look_at_running_section();
        self.look_at_budget();
        self.send_reports();
        self.release_tasks();
        while let Some((due, thread)) = self.next_due()
            && due <= now
        {
            match self.next_bite().filter(|(bites, _)| *bites < due) {
                Some((_, number)) => self.bite(number),
                None => self.come_due(thread, due),
            }
            self.send_reports();
        }
        while let Some((_, number)) = self.next_bite().filter(|(bites, _)| *bites <= now) {
            self.bite(number);
            self.send_reports();
        }
        self.decide();
    }

    /// Which thread is next to be released, or to have waited long enough.
    fn next_due(&self) -> Option<(Ticks, Index)> {
        self.indices().filter_map(|thread| Some((self.due(thread)?, thread))).min()
    }

    pub fn due(&self, thread: Index) -> Option<Ticks> {
        let until = self.threads[thread].waiting().and_then(|waiting| waiting.until);
        [self.threads[thread].release, until, self.back(thread)].into_iter().flatten().min()
    }

    fn come_due(&mut self, thread: Index, due: Ticks) {
        if self.back(thread) == Some(due) {
            return self.budget_comes_back_less_debt(thread, due);
        }
        if self.threads[thread].release == Some(due) {
            return self.release(thread, due);
        }
        let Phase::Waiting(waiting) = self.threads[thread].phase.clone() else { unreachable!() };
        match waiting.reason {
            Reason::Time => self.wake(thread, Answer::success()),
            _ => self.give_up(thread, CallError::TimedOut),
        }
    }

    fn release(&mut self, thread: Index, due: Ticks) {
        let row = *self.row(thread);
        self.threads[thread].release = Some(due + row.period.ticks());
        if self.threads[thread].waiting().is_some_and(|waiting| waiting.reason == Reason::Period) {
            self.threads[thread].deadline = due + row.deadline.ticks();
            self.budget_comes_back(thread);
            let missed = std::mem::take(&mut self.threads[thread].missed);
            self.wake(thread, Answer::values(vec![missed]));
        } else {
            self.threads[thread].missed += 1;
            self.inform(thread, Incident::Miss);
        }
    }

    pub fn wait_period(&mut self, me: Index, then: Option<Index>) -> Outcome {
        let missed = self.threads[me].missed;
        if missed == 0 && self.now > self.threads[me].deadline {
            self.inform(me, Incident::Miss);
        }
        let row = *self.row(me);
        if missed > 0 && row.catch_up > 0 {
            let kept = missed.min(row.catch_up.into());
            self.budget_comes_back(me);
            self.threads[me].missed = kept - 1;
            self.threads[me].deadline += row.period.ticks() * Ticks::from(missed - kept + 1);
            return self.go_on(me, Answer::values(vec![missed]), then);
        }
        self.wait(me, Reason::Period, None, then);
        Ok(None)
    }

    pub fn sleep_until(&mut self, me: Index, instant: Ticks, then: Option<Index>) -> Outcome {
        if instant <= self.now {
            return self.go_on(me, Answer::success(), then);
        }
        let until = instant.min(self.now + Ticks::from(LONGEST_WAIT));
        self.wait(me, Reason::Time, Some(until), then);
        Ok(None)
    }
}
