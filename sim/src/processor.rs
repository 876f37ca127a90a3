//! The virtual processor: grants time, performs operations, delivers the alarm.
//!
//! The next thing to happen is the end of the running segment or the alarm, whichever comes first;
//! at the same instant the end of the segment. A thread whose next job hasn't begun lets an alarm
//! that is due pass: it would have got the processor only after it.

use beryl_abi::{Fault, Instant, ThreadId};
use beryl_kernel::{Call, Event, Sizes, State, Switch, System, Table, ThreadKind, handle};

use crate::context::{Context, Stage};
use crate::environment::Border;
use crate::error::SimulationError;
use crate::fiber::{Answer, Arena, End, Traps};
use crate::machine::VirtualMachine;
use crate::simulation::{Options, Outcome, Simulation, ThreadCode};
use crate::trace::Trace;

/// Kernel steps and operations at one instant of virtual time, at most. Real systems need
/// thousands; a million means that time stands still.
const MOST_AT_ONE_INSTANT: u32 = 1_000_000;

/// The kernel, its state, and the machine that it runs on.
pub(crate) struct Processor<'a, S: Sizes> {
    system: &'a System<S>,
    state: State<S>,
    machine: VirtualMachine,
    border: Border,
    console: String,
    traps: Traps,
    options: Options,
    /// Steps and operations since virtual time last moved.
    at_this_instant: u32,
}

/// What happens next to the running thread.
enum Next {
    /// Its native code runs; no virtual time passes.
    Segment,
    /// Its segment ends at this instant.
    End(Instant),
    /// Only the alarm can happen.
    Alarm,
}

impl<'a, S: Sizes> Processor<'a, S> {
    pub(crate) fn new(simulation: Simulation<'a, S>, options: &Options) -> Result<Self, SimulationError> {
        let Simulation { system, threads, memory, tick, environment } = simulation;
        let memory = Arena::new(memory.base, memory.size, memory.image)
            .map_err(|error| SimulationError::Memory(error.to_string()))?;
        let mut state = State::new(system);
        state.tracing = true;
        Ok(Processor {
            system,
            state,
            machine: VirtualMachine {
                now: Instant::START,
                alarm: Instant::NEVER,
                memory,
                contexts: contexts(system, threads, options)?,
                trace: Trace::default(),
            },
            border: Border::new(environment, tick),
            console: String::new(),
            traps: Traps::new(options.watchdog).map_err(SimulationError::Machine)?,
            options: *options,
            at_this_instant: 0,
        })
    }

    /// Runs from the start to the end of the run.
    pub(crate) fn run(mut self) -> Result<Outcome, SimulationError> {
        self.deliver(Event::Start)?;
        while self.machine.now < self.options.until {
            self.step()?;
        }
        Ok(Outcome {
            trace: self.machine.trace.bytes,
            counts: self.machine.trace.counts,
            environment: self.border.finish(self.machine.now),
            accesses: self.border.accesses,
            console: self.console,
        })
    }

    fn step(&mut self) -> Result<(), SimulationError> {
        self.count_step()?;
        let alarm = self.machine.alarm;
        match self.next()? {
            Next::Segment => self.run_segment(),
            Next::End(end) if end <= alarm => self.at(end, Self::perform),
            Next::End(_) | Next::Alarm => self.at(alarm, Self::alarm),
        }
    }

    fn next(&mut self) -> Result<Next, SimulationError> {
        let (now, alarm) = (self.machine.now, self.machine.alarm);
        let thread = self.state.running();
        let Some(context) = self.machine.context(thread) else {
            return match self.system.threads.at(thread.index()).kind {
                ThreadKind::Idle => Ok(Next::Alarm),
                _ => Err(SimulationError::NoCode { thread: thread.index() }),
            };
        };
        Ok(match &context.stage {
            Stage::Code(_) if alarm.is_due(now) && !context.has_begun() => Next::Alarm,
            Stage::Code(_) => Next::Segment,
            Stage::Granting { left, .. } => Next::End(now.after(*left)),
        })
    }

    /// Lets virtual time pass until `instant`, for the running thread; then does `action` if that is
    /// still within the run.
    fn at(
        &mut self,
        instant: Instant,
        action: impl FnOnce(&mut Self) -> Result<(), SimulationError>,
    ) -> Result<(), SimulationError> {
        let now = self.machine.now;
        let reached = instant.min(self.options.until).max(now);
        let running = self.state.running();
        if let Some(context) = self.machine.context(running) {
            context.grant(reached.since(now));
        }
        if reached > now {
            self.machine.now = reached;
            self.at_this_instant = 0;
        }
        if reached < self.options.until { action(self) } else { Ok(()) }
    }

    fn run_segment(&mut self) -> Result<(), SimulationError> {
        let thread = self.state.running();
        let VirtualMachine { now, memory, contexts, .. } = &mut self.machine;
        let Some(Some(context)) = contexts.get_mut(thread.index()) else {
            return Err(SimulationError::NoCode { thread: thread.index() });
        };
        context.run_segment(memory, &self.traps, *now)
    }

    /// Performs the operation at the end of the running thread's segment.
    fn perform(&mut self) -> Result<(), SimulationError> {
        let thread = self.state.running();
        let Some(operation) = self.machine.context(thread).and_then(Context::take_operation) else {
            return Ok(());
        };
        match operation {
            End::Call { number, arguments } => {
                self.deliver(Event::Call(Call { number: number as u32, arguments }))
            }
            End::Spend(_) => Ok(()),
            End::Read { channel, value } => {
                let value = self.border.read(self.state.instant(), channel, value);
                self.answer(thread, Answer::Bytes(value));
                Ok(())
            }
            End::Write { channel, value } => {
                self.border.write(self.state.instant(), channel, value);
                Ok(())
            }
            End::Print(text) => {
                self.console.push_str(&text);
                Ok(())
            }
            End::Fault(fault) => self.fault(thread, fault),
        }
    }

    fn answer(&mut self, thread: ThreadId, answer: Answer) {
        if let Some(context) = self.machine.context(thread) {
            context.answer(answer);
        }
    }

    /// The code can't go on after a fault. If the kernel lets the thread run again, it begins anew.
    fn fault(&mut self, thread: ThreadId, fault: Fault) -> Result<(), SimulationError> {
        if let Some(context) = self.machine.context(thread) {
            context.restart();
        }
        self.deliver(Event::Fault(fault))
    }

    fn alarm(&mut self) -> Result<(), SimulationError> {
        self.machine.alarm = Instant::NEVER;
        self.deliver(Event::Alarm)
    }

    /// Hands an event to the kernel and lets it finish all of its steps.
    fn deliver(&mut self, event: Event) -> Result<(), SimulationError> {
        let mut switch = handle(&mut self.state, self.system, event, &mut self.machine);
        while switch == Switch::Again {
            self.count_step()?;
            switch = handle(&mut self.state, self.system, Event::Continue, &mut self.machine);
        }
        Ok(())
    }

    fn count_step(&mut self) -> Result<(), SimulationError> {
        self.at_this_instant += 1;
        if self.at_this_instant < MOST_AT_ONE_INSTANT {
            return Ok(());
        }
        let thread = self.name(self.state.running());
        Err(SimulationError::Stuck { thread, instant: self.machine.now })
    }

    fn name(&mut self, thread: ThreadId) -> &'static str {
        self.machine.context(thread).map_or("idle", |context| context.name())
    }
}

fn contexts<S: Sizes>(
    system: &System<S>,
    threads: &[ThreadCode],
    options: &Options,
) -> Result<Vec<Option<Context>>, SimulationError> {
    let context = |(number, code): (usize, &ThreadCode)| {
        Context::new(*code, system.threads.at(number).kind, number, options.times)
    };
    threads.iter().enumerate().map(context).collect()
}
