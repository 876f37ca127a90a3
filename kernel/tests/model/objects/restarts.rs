//! Processes that begin anew after a fault.

use beryl_abi::{ProcessId, Range};
use beryl_kernel::{Optional, SemaphoreKind, Sizes, Table, ThreadKind};

use super::{Index, Model, Phase, Reason, Semaphore, Waiting};

impl<S: Sizes> Model<'_, S> {
    /// All of a process is stopped: it begins anew, if it didn't too often of late.
    pub fn begin_anew(&mut self, process: ProcessId, members: &[Index]) {
        let Some(row) = self.system.restarts.get(process.index()).filter(|row| row.most > 0) else { return };
        let (now, within) = (self.now, row.within.ticks());
        let restarts = self.restarts.entry(process.index()).or_default();
        if restarts.iter().filter(|at| now - **at < within).count() >= row.most.into() {
            return;
        }
        restarts.push(now);
        let [memory, ..] = self.system.processes.at(process.index()).memory;
        self.memory.retain(|address, _| !memory.contains(Range::new(*address, 4)));
        self.put_objects_back(1 << process.0);
        for line in (0..S::Interrupts::LENGTH).map(|index| self.system.interrupts.at(index)) {
            if line.thread.is_some() && self.row(line.thread.index()).process == process {
                self.unmasked.insert(line.line.0);
            }
        }
        members.iter().for_each(|member| self.begin_once_more(*member));
    }

    /// What only these processes may name is as at the start.
    fn put_objects_back(&mut self, alone: u32) {
        for (index, state) in self.semaphores.iter_mut().enumerate() {
            let row = self.system.semaphores.at(index);
            if row.processes != alone {
                continue;
            }
            let units = match row.kind {
                SemaphoreKind::Binary { word } => {
                    self.memory.remove(&word);
                    0
                }
                SemaphoreKind::Counting { initial, .. } => initial,
            };
            *state = Semaphore { owner: None, died: false, units };
        }
        for (index, messages) in self.mailboxes.iter_mut().enumerate() {
            let row = self.system.mailboxes.at(index);
            if row.senders | row.receivers == alone && row.senders != 0 {
                messages.clear();
            }
        }
        for mailbox in 0..S::Mailboxes::LENGTH {
            if self.is_kernels(mailbox) && self.system.mailboxes.at(mailbox).receivers == alone {
                self.comes_back(mailbox, !self.mailboxes[mailbox].is_empty());
            }
        }
        for (index, bits) in self.event_groups.iter_mut().enumerate() {
            let row = self.system.event_groups.at(index);
            if row.sources | row.waiters == alone {
                *bits = 0;
            }
        }
    }

    fn begin_once_more(&mut self, thread: Index) {
        let (kind, period) = (self.row(thread).kind, self.row(thread).period.ticks());
        (self.threads[thread].bits, self.threads[thread].missed) = (0, 0);
        match kind {
            ThreadKind::Free => {
                self.threads[thread].phase = Phase::Ready;
                self.want_from_now_on(thread);
                self.return_to_band(thread);
            }
            ThreadKind::Periodic => {
                let last = self.threads[thread].last_release;
                let passed = if last <= self.now { (self.now - last) / period + 1 } else { 0 };
                self.threads[thread].release = Some(last + passed * period);
                let since = self.turn();
                self.threads[thread].phase =
                    Phase::Waiting(Waiting { reason: Reason::Period, since, until: None, then: None });
            }
            _ => self.threads[thread].phase = Phase::Dormant,
        }
    }
}
