//! Tasks: jobs that system code releases.

use beryl_abi::Incident;
use beryl_kernel::Sizes;

use super::{Index, Model, Phase, Ticks};

impl<S: Sizes> Model<'_, S> {
    /// Everything that is due, instant by instant.
    pub fn release_tasks(&mut self) {
        while let Some((instant, position)) = self.next_release()
            && instant <= self.now
        {
            let (task, period, _) = self.tasks[position];
            self.tasks[position].2 += period;
            self.release_task(task, instant + period);
        }
    }

    pub fn next_release(&self) -> Option<(Ticks, Index)> {
        let releases = self.tasks.iter().enumerate();
        releases.map(|(position, (_, _, instant))| (*instant, position)).min()
    }

    fn release_task(&mut self, task: Index, deadline: Ticks) {
        match self.threads[task].phase {
            Phase::Stopped => return,
            Phase::Dormant => {}
            Phase::Ready | Phase::Waiting(_) | Phase::Spent => {
                self.violation(task);
                self.send_reports();
            }
        }
        self.budget_comes_back(task);
        self.threads[task].phase = Phase::Ready;
        self.threads[task].deadline = deadline;
        self.enter_band(task);
        self.bring_back(task);
    }

    /// A job that isn't done in time is stopped, and gives up its locks.
    fn violation(&mut self, task: Index) {
        self.inform(task, Incident::Violation);
        let owned = self.owned_by(task);
        self.withdraw(task, Phase::Dormant);
        for semaphore in owned {
            self.pass_on(semaphore, true);
        }
    }

    /// A job is done. What it owns it keeps.
    pub fn complete(&mut self, task: Index) {
        if self.is_raised(task) {
            return self.stop_what_faults(task);
        }
        if self.now > self.threads[task].deadline {
            self.inform(task, Incident::Miss);
        }
        self.threads[task].phase = Phase::Dormant;
        self.leave_band(task);
    }
}
