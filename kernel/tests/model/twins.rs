//! The kernel and the model side by side: every event to both, and everything compared that a thread
//! could see.

#![allow(dead_code, reason = "each test binary uses a part of it")]

use beryl_abi::{CallNumber, Fault, FaultKind, Instant, Line, ThreadId};
use beryl_kernel::{Call, Event, Sizes, System};

use super::objects::{Index, Model, Ticks};
use crate::host::asks::{call_name, name};
use crate::host::objects::STORAGE_END;
use crate::host::{Host, Rig};

/// Both, and how they came to where they are.
#[derive(Clone)]
pub struct Twins<'a, S: Sizes> {
    pub rig: Rig<S>,
    pub model: Model<'a, S>,
    /// What was done so far, for messages.
    pub story: Vec<String>,
}

impl<'a, S: Sizes> Twins<'a, S> {
    /// A system that has started. System code releases these tasks, each with its period.
    pub fn new(system: &'a System<S>, tasks: &[(Index, Ticks)]) -> Twins<'a, S> {
        let (rig, model) = (Rig::new(system), Model::new(system, tasks));
        let mut twins = Twins { rig, model, story: Vec::new() };
        twins.rig.raise(Event::Start);
        twins.compare();
        twins
    }

    pub fn running(&self) -> ThreadId {
        self.rig.state().running()
    }

    pub fn host(&mut self) -> &mut Host<S> {
        self.rig.host()
    }

    /// The running thread makes any call.
    pub fn call(&mut self, number: u32, arguments: [u32; 4]) {
        self.tell(format!("{} {arguments:x?}", call_name(number)));
        self.model.call(number, arguments);
        self.raise(Event::Call(Call { number, arguments }));
    }

    /// The running thread faults.
    pub fn fault(&mut self) {
        self.tell("faults".into());
        self.model.fault();
        self.raise(Event::Fault(Fault { kind: FaultKind::Data, address: 0, instruction: 0 }));
    }

    /// An interrupt comes.
    pub fn interrupt(&mut self, line: u16) {
        self.tell(format!("is interrupted by {line}"));
        self.model.interrupt(line);
        self.raise(Event::Interrupt(Line(line)));
    }

    /// The clock goes on; the alarm doesn't go off.
    pub fn pass(&mut self, until: Ticks) {
        self.rig.kernel.machine.clock = Instant::from_ticks(until);
        self.model.now = until;
    }

    /// The alarm goes off.
    pub fn alarm(&mut self) {
        self.tell("is interrupted by the alarm".into());
        self.rig.kernel.machine.alarm = Instant::NEVER;
        self.model.time_passes(self.rig.kernel.machine.clock.ticks());
        self.raise(Event::Alarm);
    }

    /// User code of the running thread writes a word.
    pub fn write(&mut self, address: u32, value: u32) {
        self.tell(format!("writes {value:#x} to {address:#x}"));
        self.rig.kernel.machine.memory.insert(address, value);
        self.model.memory.insert(address, value);
    }

    fn tell(&mut self, what: String) {
        let line = format!("{} {} {what}", self.rig.kernel.machine.clock.ticks(), self.running().0);
        self.story.push(line);
    }

    fn raise(&mut self, event: Event) {
        self.rig.kernel.machine.returned = None;
        self.rig.raise(event);
        self.compare();
    }

    fn compare(&mut self) {
        assert_eq!(self.running().index(), self.model.running, "who runs");
        self.compare_answers();
        self.compare_memory();
        self.compare_lacks();
        assert!(
            self.rig.kernel.machine.unmasked.iter().map(|line| line.0).eq(self
                .model
                .unmasked
                .iter()
                .copied())
        );
        self.assert_alarm_is_set();
        self.model.assert_sound();
    }

    fn compare_answers(&mut self) {
        let expected = self.model.returned();
        let Some((thread, number)) = self.rig.kernel.machine.returned.take() else { return };
        let [status, values @ ..] = self.rig.kernel.machine.registers[&thread];
        if [CallNumber::Time as u32, CallNumber::ExecutionTime as u32].contains(&number) {
            return;
        }
        if number == CallNumber::Complete as u32 && expected.is_none() {
            return;
        }
        let expected = expected.unwrap_or_else(|| panic!("the model's {thread:?} has no answer"));
        assert_eq!(name(status), name(expected.status), "what {thread:?} gets");
        assert_eq!(values[..expected.values.len()], expected.values, "what {thread:?} gets");
    }

    /// What threads have no right to.
    fn compare_lacks(&self) {
        for (number, model) in (0..).zip(&self.model.lacks) {
            let lacked = self.rig.state().lacked(ThreadId(number));
            let last = lacked.last().map(|(call, object)| (call as u32, object));
            assert_eq!((lacked.times(), last), *model, "what thread {number} has no right to");
        }
    }

    /// Memory that threads can see. Messages in mailboxes aren't in it.
    fn compare_memory(&self) {
        let seen = |address: &u32| *address >= STORAGE_END;
        for address in self
            .rig
            .kernel
            .machine
            .memory
            .keys()
            .chain(self.model.memory.keys())
            .filter(|address| seen(address))
        {
            let (host, model) = (self.rig.kernel.machine.word(*address), self.model.word(*address));
            assert_eq!(host, model, "the word at {address:#x}");
        }
    }

    fn assert_alarm_is_set(&self) {
        let timers = (0..self.model.threads.len()).filter_map(|thread| self.model.due(thread));
        // An alarm that comes between steps may have found already what the model will find with the next one.
        let budget = self.model.end_of_budget().filter(|end| !self.rig.disturbed || *end > self.model.now);
        let budget = budget.map(|end| end.max(self.model.now));
        let section = self.model.end_of_section().map(|end| end.max(self.model.now));
        let bite = self.model.next_bite().map(|(instant, _)| instant);
        let due = timers
            .chain(bite)
            .chain(self.model.end_of_window())
            .chain(self.model.next_release().map(|(instant, _)| instant))
            .chain(budget)
            .chain(section)
            .chain(self.model.end_of_answer().map(|end| end.max(self.model.now)))
            .min();
        assert!(
            due.is_none_or(|due| self.rig.kernel.machine.alarm.ticks() <= due),
            "nobody will be woken at {due:?}, the alarm is at {:?}",
            self.rig.kernel.machine.alarm
        );
    }
}
