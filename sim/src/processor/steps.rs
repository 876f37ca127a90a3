//! Steps of the kernel: how long each takes, which thread pays for it, and what is taken between two of them.
//!
//! A step that begins from user code reads the clock first as it enters, and after that as it ends; all
//! others read it where they end. So a job is charged only for the kernel's steps that its own calls cause,
//! and a driver's budget counts from where it begins. Whatever comes while a step is under way stays pending
//! until the step ends, as with interrupts masked.
//!
//! Calls that a thread makes for itself are part of its execution time: their steps take from what is left of
//! that, and no time if nothing is left.

use beryl_abi::{Duration, Instant, ThreadId};
use beryl_kernel::{Event, Sizes, StepKind, Switch, Table, ThreadKind};

use super::Processor;
use crate::error::SimulationError;

impl<S: Sizes> Processor<S> {
    /// Hands an event to the kernel and lets it finish all of its steps. Events that have come meanwhile are
    /// taken before the next step, as on a board.
    pub(super) fn deliver(&mut self, event: Event) -> Result<(), SimulationError> {
        let caller = self.kernel.state.running();
        let kind = self.kernel.kind_of(&event);
        // Deferred work of a call is also its caller's own. The end of a job isn't a call in this sense.
        let is_own = kind == StepKind::Call && matches!(event, Event::Call(_));
        self.kernel.machine.under_way = self.price(kind, is_own.then_some(caller));
        let mut switch = self.kernel.handle(event);
        self.kernel.machine.end_step();
        self.come()?;
        while switch == Switch::Again && self.kernel.machine.now < self.options.until {
            self.count_step()?;
            let event = self.meanwhile();
            let kind = self.kernel.kind_of(&event);
            let is_left_over = event == Event::Continue && is_left_over(kind);
            let price = self.price(kind, (is_own && is_left_over).then_some(caller));
            self.kernel.machine.now = self.kernel.machine.now.after(price);
            switch = self.kernel.handle(event);
            self.come()?;
        }
        match switch {
            Switch::To(thread) => self.pass_switch(caller, thread),
            Switch::Stay | Switch::Again => Ok(()),
        }
    }

    /// How long the next step takes. A thread that has asked for it can't pay more than it has.
    fn price(&mut self, kind: StepKind, payer: Option<ThreadId>) -> Duration {
        let price = self.times.of(kind);
        match payer.and_then(|payer| self.kernel.machine.context(payer)) {
            Some(context) => context.pay(price),
            None => price,
        }
    }

    /// The event that comes before the next step: an alarm, an interrupt, or nothing special.
    fn meanwhile(&mut self) -> Event {
        let machine = &mut self.kernel.machine;
        if machine.alarm < machine.now {
            machine.alarm = Instant::NEVER;
            return Event::Alarm;
        }
        machine.lines.take().map_or(Event::Continue, Event::Interrupt)
    }

    /// The processor goes to another thread. A switch to a driver's thread and back is part of the driver.
    fn pass_switch(&mut self, from: ThreadId, to: ThreadId) -> Result<(), SimulationError> {
        let threads = &self.kernel.machine.system.threads;
        let is_driver = |thread: ThreadId| threads.at(thread.index()).kind == ThreadKind::Drivers;
        if is_driver(from) || is_driver(to) {
            return Ok(());
        }
        let time = self.times.of_switch();
        self.kernel.machine.now = self.kernel.machine.now.after(time);
        self.come()
    }

    /// Makes pending whatever has come while a step was under way.
    fn come(&mut self) -> Result<(), SimulationError> {
        let machine = &mut self.kernel.machine;
        if machine.now == self.seen {
            return Ok(());
        }
        (self.seen, self.at_this_instant) = (machine.now, 0);
        self.devices.raise(machine.now, &mut machine.lines)?;
        self.harm();
        Ok(())
    }
}

/// Whether a call may defer such a step. Instants and releases come by themselves.
fn is_left_over(kind: StepKind) -> bool {
    match kind {
        StepKind::Sorting | StepKind::EMachine | StepKind::Decision | StepKind::Job | StepKind::Call => true,
        StepKind::Stop | StepKind::Search => true,
        StepKind::Alarm
        | StepKind::Release
        | StepKind::Completion
        | StepKind::Driver
        | StepKind::Instant
        | StepKind::Look => false,
    }
}
