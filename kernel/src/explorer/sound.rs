//! What must hold in every state of every system: no thread waits in vain, none runs out of turn, nothing is
//! left behind.

use std::vec::Vec;

use beryl_abi::{EndpointId, MailboxId, ThreadId};

use super::Place;

use crate::doors::door;
use crate::machine::activity::Activity;
use crate::objects::queue::Queue;
use crate::rows;
use crate::rows::gates::{GateId, Gated};
use crate::rows::objects::SemaphoreKind;
use crate::rows::threads::{Thread, ThreadKind};
use crate::scheduling::broadcast::Broadcast;
use crate::scheduling::caller::Caller;
use crate::scheduling::thread::{Phase, Standing, ThreadState, Wait};
use crate::scheduling::tree::Key;
use crate::scheduling::watchdog::WatchdogState;
use crate::sizes::Sizes;
use crate::state::State;
use crate::system::System;
use crate::table::{Optional as _, Table};

/// The urgency of a thread's own place, whatever places are lent to it: less is more urgent.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Urgency(u8, Key);

impl Urgency {
    fn of(row: &Thread, state: &ThreadState) -> Urgency {
        let key = match row.place {
            rows::threads::Place::Dynamic { slot, .. } | rows::threads::Place::Offered { slot, .. } => {
                Key::new(state.deadline, slot)
            }
            _ => Key::FIRST,
        };
        Urgency(state.rank().number(), key)
    }
}

/// Panics unless a place is sound.
pub(super) fn check<S: Sizes>(place: &Place<S>) {
    let (state, system) = (&place.kernel.state, place.kernel.machine.system);
    state.bands.assert_consistent(system, &state.threads);
    let view = View { state, system };
    view.check_queues();
    view.check_owners();
    view.check_servers();
    if !state.has_deferred_work {
        view.check_dormant_tasks();
    }
    if place.again {
        assert_eq!(state.processor.caller(), Caller::ASK);
        return;
    }
    assert_eq!(state.stopping, None);
    assert_eq!((state.returning, state.broadcast), (ThreadId::NONE, Broadcast::Nobody));
    view.check_caller();
    if state.processor.caller().is_calm() {
        let now = place.kernel.machine.now;
        assert!(
            now.nearest(state.calm_until) <= state.e_machine.first().1.instant(),
            "a trigger is overslept"
        );
    }
    view.check_nobody_waits_in_vain();
    view.threads().for_each(|thread| view.check_place(thread));
    view.check_who_runs();
}

struct View<'a, S: Sizes> {
    state: &'a State<S>,
    system: &'a System<S>,
}

impl<S: Sizes> View<'_, S> {
    fn threads(&self) -> impl Iterator<Item = ThreadId> {
        (0..S::Threads::LENGTH).map(|index| ThreadId(index as u8))
    }

    fn of(&self, thread: ThreadId) -> &ThreadState {
        self.state.threads.at(thread.index())
    }

    fn end(&self, thread: ThreadId) -> ThreadId {
        self.state.end_of_chain(self.system, thread)
    }

    /// Calls are done at once only for a caller of whom nothing has to be asked.
    fn check_caller(&self) {
        let caller = self.state.processor.caller();
        let takes_locks = caller.takes_locks();
        let caller = if takes_locks { caller.without_locks() } else { caller };
        if !caller.is_calm() {
            return;
        }
        let running = self.system.threads.at(self.state.running().index());
        let is_heard = self.state.tracing.is_any();
        let is_idle = running.kind == ThreadKind::Idle;
        assert_eq!(caller.is_quiet(), !is_heard);
        let process = (!is_heard && !is_idle).then_some(running.process.0);
        assert_eq!(caller.process(), process);
        assert!(!self.state.raised.is_some());
        assert_eq!(takes_locks, running.highest_ceiling > 0);
        assert!(
            is_idle || matches!(running.kind, ThreadKind::Task | ThreadKind::Free | ThreadKind::Periodic)
        );
        assert_eq!(self.state.e_machine.activity, Activity::Idle);
        let (running, first) = (self.state.running(), self.state.bands.first());
        let is_first = !self.state.processor.is_in_own_place() || running == first;
        assert!(is_first, "the place of {running:?} isn't the first: {first:?}");
    }

    /// A task that waits for its release belongs to a process that isn't stopped: its own drivers rely on
    /// that.
    fn check_dormant_tasks(&self) {
        let is_dormant = |thread: &ThreadId| self.of(*thread).phase() == Phase::Dormant;
        for task in self.threads().filter(is_dormant) {
            let row = self.system.threads.at(task.index());
            if row.kind == ThreadKind::Task {
                assert!(!self.state.processes.at(row.process.index()).stopped, "{task:?} is left");
            }
        }
    }

    /// The members of a queue in order.
    fn members(&self, queue: Queue) -> Vec<ThreadId> {
        let mut members = Vec::new();
        let mut thread = queue.first();
        while thread.is_some() {
            assert!(!members.contains(&thread), "{thread:?} is in a queue twice");
            members.push(thread);
            thread = self.of(thread).behind;
        }
        assert!(members.len() <= 16, "a queue has no bound");
        members
    }

    /// An object's queue holds exactly the threads that claim to wait for that object.
    fn check_queues(&self) {
        let state = self.state;
        for index in 0..S::Semaphores::LENGTH {
            self.check_queue(Wait::Semaphore, index, state.semaphores.at(index).queue);
        }
        for index in 0..S::Conditions::LENGTH {
            self.check_queue(Wait::Condition, index, *state.conditions.at(index));
        }
        for index in 0..S::Mailboxes::LENGTH {
            self.check_queue(Wait::Send, index, state.mailboxes.at(index).senders);
            self.check_queue(Wait::Receive, index, state.mailboxes.at(index).receivers);
        }
        for index in 0..S::Endpoints::LENGTH {
            self.check_queue(Wait::Call, index, state.endpoints.at(index).queue);
        }
        for index in 0..S::EventGroups::LENGTH {
            self.check_queue(Wait::EventGroup, index, state.event_groups.at(index).queue);
        }
    }

    /// Of each owner it is known for how many of its semaphores somebody waits, and one of whom somebody wants one is
    /// policed if it may be.
    fn check_owners(&self) {
        for index in 0..S::Threads::LENGTH {
            let Some(section) = self.state.sections.get(index) else { return };
            let is_wanted = |lock: &usize| {
                let semaphore = self.state.semaphores.at(*lock);
                !semaphore.queue.is_empty() && semaphore.owner.thread().index() == index
            };
            let wanted = (0..S::Semaphores::LENGTH).filter(is_wanted).count();
            assert_eq!(section.wanted(), wanted, "for how many semaphores of {index} somebody waits");
            let may_be = wanted > 0 && S::HOLDS.get(index).is_some_and(|hold| *hold > 0);
            let is_found = section.is_policed() || self.state.stopping.is_some();
            assert!(!may_be || is_found, "{index} isn't policed");
        }
    }

    /// Of each server that is policed it is counted while it works for a request, and while one waits for which it could; and
    /// never while it waits for requests.
    fn check_servers(&self) {
        for index in 0..S::Endpoints::LENGTH {
            let (server, state) = (self.system.endpoints.at(index).server, self.state.endpoints.at(index));
            let Some(answer) = self.state.answers.get(server.index()) else { continue };
            let may_be = S::ANSWERS.get(server.index()).is_some_and(|hold| *hold > 0);
            let waits = self.of(server).waits_for(Wait::Request, index as u8);
            let is_wanted = state.serving || !state.queue.is_empty() && !waits;
            let is_found = answer.is_some() || self.state.stopping.is_some();
            assert!(!(may_be && is_wanted) || is_found, "{server:?} has as long as it likes");
            assert!(!(answer.is_some() && waits), "{server:?} waits for requests");
        }
    }

    fn check_queue(&self, wait: Wait, object: usize, queue: Queue) {
        let mut queued = self.members(queue);
        let rows = &self.system.threads;
        let urgencies = queued.iter().map(|thread| Urgency::of(rows.at(thread.index()), self.of(*thread)));
        assert!(urgencies.is_sorted(), "{wait:?} {object}: {queued:?} aren't served by urgency");
        queued.sort();
        let waits = |thread: &ThreadId| {
            let state = self.of(*thread);
            let does = matches!(state.phase(), Phase::Lent | Phase::Asleep);
            does && state.wait() == wait && usize::from(state.object()) == object
        };
        assert_eq!(queued, self.threads().filter(waits).collect::<Vec<_>>(), "{wait:?} {object}");
    }

    /// No wake-up was lost, and no lock has a stopped owner.
    fn check_nobody_waits_in_vain(&self) {
        for index in 0..S::Semaphores::LENGTH {
            let semaphore = self.state.semaphores.at(index);
            let waited_for = !semaphore.queue.is_empty();
            match self.system.semaphores.at(index).kind {
                SemaphoreKind::Binary { .. } => {
                    let owner = semaphore.owner.thread();
                    assert!(!waited_for || owner.is_some(), "a free semaphore is waited for");
                    let dead = owner.is_some() && self.of(owner).phase() == Phase::Stopped;
                    assert!(!dead, "a lock has a dead owner");
                }
                SemaphoreKind::Counting { most, .. } => {
                    assert!(!waited_for || semaphore.units == 0, "there are units");
                    assert!(semaphore.units <= most);
                }
            }
        }
        for index in 0..S::Mailboxes::LENGTH {
            let (mailbox, capacity) =
                (self.state.mailboxes.at(index), self.system.mailboxes.at(index).capacity);
            let is_held_back = self.is_awaited(Gated::Mailbox(MailboxId(index as u8)));
            assert!(mailbox.receivers.is_empty() || mailbox.count == 0 || is_held_back, "there is a message");
            assert!(mailbox.senders.is_empty() || mailbox.count == capacity, "there is room");
            assert!(mailbox.count <= capacity);
            self.check_watchdog(MailboxId(index as u8));
        }
        for index in 0..S::Endpoints::LENGTH {
            self.check_endpoint(index);
        }
        for thread in self.threads().map(|thread| self.of(thread)) {
            let missed = thread.wait() == Wait::Notification && thread.bits & thread.offer.as_mask() != 0;
            assert!(!missed, "there are bits");
            let group = self.state.event_groups.at(thread.object().into());
            let missed = thread.wait() == Wait::EventGroup && thread.offer.as_wanted().is_met_by(group.bits);
            assert!(!missed, "the group's bits are there");
        }
        let groups = (0..S::EventGroups::LENGTH).map(|index| self.state.event_groups.at(index));
        assert!(groups.into_iter().all(|group| group.taken == 0), "what was taken is still there");
    }

    /// Nobody who is watched over leaves reports where they are without being waited for.
    fn check_watchdog(&self, mailbox: MailboxId) {
        let watchdog = self.system.watchdog_of.get(mailbox.index()).filter(|watchdog| watchdog.is_some());
        let Some(watchdog) = watchdog.map(|watchdog| watchdog.index()) else { return };
        let (row, state) = (self.system.watchdogs.get(watchdog), self.state.watchdogs.get(watchdog));
        let is_stopped = row.is_some_and(|row| self.of(row.thread).phase() == Phase::Stopped);
        let mailbox = self.state.mailboxes.at(mailbox.index());
        let is_left = mailbox.count > 0 && mailbox.receivers.is_empty();
        let is_watching = state.is_some_and(WatchdogState::is_watching);
        assert!(!is_left || is_stopped || is_watching, "reports are left, and nobody minds");
        assert!(!self.state.has_watchdog_to_set() && !self.state.has_bite(), "a watchdog is left");
    }

    /// Whether something waits before the gate of an object, which will open.
    fn is_awaited(&self, before: Gated) -> bool {
        let gate = self.system.doors.get(door::<S>(before)).filter(|gate| **gate != GateId::NONE);
        let state = gate.and_then(|gate| self.state.gates.get(gate.index()));
        state.is_some_and(|state| state.awaited().is_some())
    }

    fn check_endpoint(&self, index: usize) {
        let (endpoint, server) = (self.state.endpoints.at(index), self.system.endpoints.at(index).server);
        if !server.is_some() {
            return;
        }
        let receives =
            self.of(server).wait() == Wait::Request && usize::from(self.of(server).object()) == index;
        let is_held_back = self.is_awaited(Gated::Endpoint(EndpointId(index as u8)));
        assert!(!receives || endpoint.queue.is_empty() || is_held_back, "the server doesn't take a request");
        assert!(!receives || !endpoint.serving);
        let dead = self.of(server).phase() == Phase::Stopped;
        let waited_for = !endpoint.queue.is_empty() || endpoint.client.is_some();
        assert!(!dead || !waited_for, "somebody waits for a dead server");
        if endpoint.client.is_some() {
            assert!(endpoint.serving && self.of(endpoint.client).wait() == Wait::Reply);
            assert_eq!(self.of(server).standing(), Standing::Guest, "a server has two places");
        }
    }

    /// The place of a thread that wants to run or lends it is in its band, or parked at the end of its chain.
    fn check_place(&self, thread: ThreadId) {
        let state = self.of(thread);
        if !self.system.threads.at(thread.index()).kind.is_scheduled() {
            return;
        }
        let wants = matches!(state.phase(), Phase::Ready | Phase::Lent);
        match state.standing() {
            Standing::In => assert!(wants, "{thread:?} has a place and doesn't want to run"),
            Standing::Out => assert!(!wants, "{thread:?} has no place: {state:?}"),
            Standing::Guest => {}
            Standing::Parked => {
                let end = self.end(thread);
                assert_ne!(end, thread);
                assert_ne!(self.of(end).phase(), Phase::Ready, "{thread:?} is parked at who could run");
                assert!(self.parked_at(end).contains(&thread), "{thread:?} is parked at somebody else");
            }
        }
        if state.wakes_alone() && matches!(state.phase(), Phase::Asleep | Phase::Lent) {
            assert!(
                state.phase() == Phase::Asleep && state.is_plain() && state.then == 0,
                "{thread:?}: {state:?}"
            );
            assert_eq!(state.wakes_plainly(), state.rank().as_fixed());
        }
        assert!(
            state.wait() != Wait::Period || !state.timed,
            "{thread:?} waits for its period, and not for so long"
        );
        for parked in self.parked_at(thread) {
            assert_eq!(self.of(parked).standing(), Standing::Parked);
            assert_eq!(self.end(parked), thread);
        }
        assert_ne!(self.of(self.end(thread)).phase(), Phase::Lent, "a chain has no end");
    }

    fn parked_at(&self, thread: ThreadId) -> Vec<ThreadId> {
        let last = self.of(thread).parked();
        let mut ring = Vec::new();
        if last.is_some() {
            ring.push(last);
            while self.of(ring[ring.len() - 1]).next != last {
                ring.push(self.of(ring[ring.len() - 1]).next);
            }
        }
        ring
    }

    /// By full search: the running thread is the end of the first place's chain, unless a raised word or a
    /// driver keeps it out. If no thread waits for a lock, the place is its own.
    fn check_who_runs(&self) {
        if let Activity::Await { thread, .. } = self.state.e_machine.activity {
            return assert_eq!(self.state.running(), thread);
        }
        let first = self.state.bands.first();
        let takes_locks = self.system.threads.at(self.state.running().index()).highest_ceiling > 0;
        let kept_out = self.state.raised.is_some() || takes_locks && !self.state.processor.is_in_own_place();
        let running = self.state.running();
        assert!(kept_out || self.end(first) == running, "{first:?} comes first, and {running:?} runs");
        assert_eq!(self.of(self.state.running()).phase(), Phase::Ready);
        let lends = |thread: ThreadId| self.of(thread).phase() == Phase::Lent;
        assert!(kept_out || self.threads().any(lends) || first == self.state.running());
    }
}
