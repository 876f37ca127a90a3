//! Reports: supervisors are told of faults, overruns, misses, violations and refusals, each by a message.
//!
//! A supervisor is a thread with a mailbox of the kernel's own, to which no process may send. What happens is noted
//! where it is found, and sent in a step of its own, as deferred work: behind what stops and begins anew, so that a
//! supervisor that stops with others loses nothing. A message only says which report it is; what has
//! happened is filled in when it is fetched. So a report is in its mailbox once, however often something happens.

use beryl_abi::{Incident, MailboxId, Moment, Note, Passed, ThreadId};

use crate::event::{Machine, Switch};
use crate::kernel::Kernel;
use crate::objects::mailbox::Sent;
use crate::rows::gates::{GateId, Gated};
use crate::rows::reports::{ReportId, Telling, Watched};
use crate::scheduling::report::Unsent;
use crate::scheduling::thread::ThreadState;
use crate::sizes::Sizes;
use crate::state::State;
use crate::table::{Optional, Table};

impl<S: Sizes> State<S> {
    /// Whether reports have yet to be sent.
    #[inline(always)]
    pub(crate) fn has_reports_to_send(&self) -> bool {
        S::SUPERVISED && self.unsent.get(0).is_some_and(|unsent| unsent.first.is_some())
    }
}

impl<S: Sizes, M: Machine<S>> Kernel<S, M> {
    /// Something has happened to a thread: its supervisor, if it has one, is told in a step of its own.
    #[inline(always)]
    pub(crate) fn inform(&mut self, thread: ThreadId, incident: Incident) {
        if S::SUPERVISED && thread.is_some() {
            self.inform_of(thread.index(), incident);
        }
    }

    /// Something came too early to a gate that drops it.
    #[inline(always)]
    pub(crate) fn inform_of_refusal(&mut self, gate: GateId) {
        if S::SUPERVISED {
            self.inform_of(S::Threads::LENGTH.saturating_add(gate.index()), Incident::Refusal);
        }
    }

    /// A thread asked for what it has no right to.
    #[inline(always)]
    pub(crate) fn inform_of_lack(&mut self, thread: ThreadId) {
        if S::SUPERVISED {
            let behind_gates = S::Threads::LENGTH.saturating_add(S::GATES);
            self.inform_of(behind_gates.saturating_add(thread.index()), Incident::Refusal);
        }
    }

    #[cold]
    #[inline(never)]
    fn inform_of(&mut self, subject: usize, incident: Incident) {
        let report = self.machine.system().watched.get(subject).unwrap_or(&Watched::NONE).report(incident);
        let now = self.machine.now();
        let state = self.state.reports.get_mut(report.index()).filter(|_| report.is_some());
        if state.is_some_and(|state| state.note(now)) {
            self.send_later(report);
        }
    }

    fn send_later(&mut self, report: ReportId) {
        let Some(unsent) = self.state.unsent.get_mut(0) else { return };
        let last = core::mem::replace(&mut unsent.last, report);
        match unsent.first.is_some() {
            false => unsent.first = report,
            true => {
                if let Some(last) = self.state.reports.get_mut(last.index()) {
                    last.next = report;
                }
            }
        }
        self.state.has_deferred_work = true;
    }

    /// Sends the first report that has yet to be sent: to a supervisor that waits for one, or into its mailbox.
    #[cold]
    #[inline(never)]
    pub(crate) fn send_report(&mut self) {
        let Some(Unsent { first: report, last }) = self.state.unsent.get(0).copied() else { return };
        let next = self.state.reports.get(report.index()).map_or(ReportId::NONE, |state| state.next);
        if let Some(unsent) = self.state.unsent.get_mut(0) {
            *unsent = if report == last { Unsent::NONE } else { Unsent { first: next, last } };
        }
        let row = self.machine.system().tellings.get(report.index()).unwrap_or(&Telling::NONE);
        let gate = self.closed_gate(Gated::Mailbox(row.mailbox));
        let state = self.state.mailboxes.at_mut(row.mailbox.index());
        match if gate.is_some() { state.put_by() } else { state.send(&self.state.threads) } {
            Sent::To(supervisor) => {
                let message = self.with_news(row.mailbox, [report.0.into(), 0]);
                self.machine.result(supervisor, message);
                self.close_gate(Gated::Mailbox(row.mailbox));
                self.note(Note::message(supervisor, Passed::Received, row.mailbox.0));
                self.wake_later(supervisor);
            }
            Sent::Kept(place) => {
                self.machine.store(place, report.0.into());
                let is_awaited =
                    gate.is_some() && !self.state.mailboxes.at(row.mailbox.index()).receivers.is_empty();
                if is_awaited {
                    let _ = self.wait_before(Gated::Mailbox(row.mailbox));
                } else {
                    self.remind_watchdog(row.mailbox);
                }
            }
            // There is a place for each of its reports.
            Sent::Full => {}
        }
    }

    /// A message leaves its mailbox. One of the kernel's own is filled in.
    #[inline(always)]
    pub(crate) fn with_news(&mut self, mailbox: MailboxId, message: [u32; 2]) -> [u32; 2] {
        let [report, _] = message;
        if S::SUPERVISED
            && self.state.mailboxes.at(mailbox.index()).is_kernels()
            && let Some(state) = self.state.reports.get_mut(report as usize)
        {
            let news = state.take(report as u8);
            self.rouse_watchdog(mailbox);
            return news;
        }
        message
    }

    /// The answer of a step: user code runs only once reports are sent.
    #[inline(always)]
    pub(crate) fn once_reports_are_sent(&self, switch: Switch) -> Switch {
        if switch == Switch::Stay && self.state.has_reports_to_send() {
            return Switch::Again;
        }
        if S::WATCHED_OVER && switch == Switch::Stay && self.state.has_watchdog_to_set() {
            return Switch::Again;
        }
        switch
    }

    /// Whether the running thread's job ends now without anything that a supervisor may be told of.
    #[inline(always)]
    pub(crate) fn ends_quietly(&self, is_on_time: impl FnOnce(&ThreadState) -> bool, now: Moment) -> bool {
        if !S::SUPERVISED {
            return true;
        }
        let thread = self.state.running().index();
        let job = self.state.threads.at(thread);
        let used = job.clock.longer_by(now.ticks_since(self.state.since));
        is_on_time(job) && used <= self.machine.system().threads.at(thread).worst
    }
}
