//! Servers that are policed: how much longer each may work for the request that it has.

use beryl_kernel::Sizes;

use super::{Index, Model, Ticks};

impl<S: Sizes> Model<'_, S> {
    /// A client waits for a server that doesn't wait for requests, and may have none.
    pub fn come_in_time(&mut self, server: Index) {
        if !self.answers.contains_key(&server) {
            self.have_answered_in_time(server);
        }
    }

    /// A server has a request from now on. If it is running, what it did until now was for others.
    pub fn have_answered_in_time(&mut self, server: Index) {
        if server == self.running && !S::ANSWERS.is_empty() {
            self.charge();
        }
        if let Some(hold) = S::ANSWERS.get(server).filter(|hold| **hold > 0) {
            self.answers.insert(server, (*hold).into());
        }
    }

    /// The running thread has had the processor for so long.
    pub fn use_answer(&mut self, ticks: Ticks) {
        if let Some(left) = self.answers.get_mut(&self.running) {
            *left -= i64::try_from(ticks).unwrap();
        }
    }

    /// When somebody has to look.
    pub fn end_of_answer(&self) -> Option<Ticks> {
        let left = self.answers.get(&self.running)?;
        Some(self.charged + u64::try_from(left + 1).unwrap_or(0))
    }

    /// The alarm: whether the running thread should have answered. Returns whether it is stopped for that.
    pub fn look_at_running_answer(&mut self) -> bool {
        let is_late = self.answers.get(&self.running).is_some_and(|left| *left < 0);
        if is_late {
            self.late_answers += 1;
            self.answer_too_late(self.running);
        }
        is_late
    }

    /// A place waits for who sleeps, which may have something to answer.
    pub fn look_at_sleeping_server(&mut self, server: Index) {
        if self.answers.contains_key(&server) {
            self.slept_over_requests += 1;
            self.answer_too_late(server);
        }
    }

    fn answer_too_late(&mut self, server: Index) {
        self.answers.remove(&server);
        self.stop_what_faults(server);
    }
}
