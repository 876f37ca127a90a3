//! The virtual processor: grants time, performs operations, delivers the alarm and interrupts.
//!
//! The next thing to happen is the end of the running segment, the alarm or an interrupt, whichever comes
//! first; at the same instant in this order, and of several interrupts the lowest line first. If a thread's
//! next job hasn't begun, what is due comes before the thread goes on: it would have got the processor only
//! after that. The same holds after a system call or a point.

use std::rc::Rc;

use beryl_abi::{CallNumber, Classes, Duration, Fault, Instant, Line, ProcessId, Range, ThreadId};
use beryl_kernel::{Call, Event, Kernel, Sizes, System, Table, ThreadKind};

use crate::calls::Calls;
use crate::chances::Chances;
use crate::context::{Context, Stage};
use crate::costs::StepTimes;
use crate::devices::Devices;
use crate::error::SimulationError;
use crate::explore::{Explored, Known};
use crate::fault_injection::{Harms, What};
use crate::fiber::{Answer, Arena, Borders, End, Traps};
use crate::fingerprint::{print, print_of_path};
use crate::hostile::{Act, Hostile, HostileThread, Own, Shared};
use crate::lines::Lines;
use crate::machine::VirtualMachine;
use crate::peer::Peer;
use crate::place::Placed;
use crate::scenario::{Scenario, Script};
use crate::simulation::{Options, Outcome, Simulation, ThreadCode};
use crate::trace::Trace;

mod steps;

/// Kernel steps and operations at one instant of virtual time, at most. Real systems need
/// thousands; a million means that time stands still.
const MOST_AT_ONE_INSTANT: u32 = 1_000_000;

/// The kernel on its machine, and the world around it.
pub(crate) struct Processor<S: Sizes> {
    kernel: Kernel<S, VirtualMachine<S>>,
    devices: Devices,
    traps: Traps,
    options: Options,
    script: Script,
    /// Steps and operations since virtual time last moved.
    at_this_instant: u32,
    /// The system calls that were made.
    calls: Calls,
    /// How long steps of the kernel take.
    times: StepTimes,
    /// What the hostile process has done.
    misdeeds: Shared,
    /// Everything from outside is known up to this instant.
    seen: Instant,
    /// Where faults happened.
    places: Vec<Placed>,
}

/// What happens next to the running thread.
enum Next {
    /// Its native code runs; no virtual time passes.
    Segment,
    /// Its segment ends at this instant.
    End(Instant),
    /// Only an event from outside can happen.
    Event,
    /// The same, once the kernel has been asked how deep the processor may sleep meanwhile.
    Sleep,
}

/// An event from outside the running thread.
enum Outside {
    Alarm,
    Interrupt,
}

impl<S: Sizes> Processor<S> {
    pub(crate) fn new(
        simulation: Simulation<'_, S>,
        peer: Box<dyn Peer>,
        options: &Options,
        scenario: &Scenario,
    ) -> Result<Self, SimulationError> {
        let Simulation { system, threads, memory, tick, console, environment } = simulation;
        let filled = || {
            Arena::new(memory.base, memory.size, memory.image)
                .map_err(|error| SimulationError::Memory(error.to_string()))
        };
        let (memory, memory_at_start) = (filled()?, filled()?);
        let script = Script::new(scenario.picks.clone());
        let mut contexts = contexts(system, threads, options, &script)?;
        let misdeeds = Shared::default();
        if let Some(hostile) = &scenario.hostile {
            turn(system, &mut contexts, hostile, &misdeeds);
        }
        let mut kernel = Kernel::new(VirtualMachine {
            system,
            now: Instant::START,
            under_way: Duration::ZERO,
            alarm: Instant::NEVER,
            wake: Duration::ZERO,
            is_asleep: false,
            lines: Lines::default(),
            rung: 0,
            memory,
            memory_at_start,
            contexts,
            trace: Trace::keeping(&scenario.keep),
        });
        kernel.state.record(if options.records { Classes::RUN } else { Classes::NONE });
        Ok(Processor {
            kernel,
            devices: Devices::new(
                environment,
                peer,
                console,
                tick,
                Chances::new(&scenario.chances, script.clone()),
                Harms::new(&scenario.harms),
            ),
            traps: Traps::new(options.watchdog).map_err(SimulationError::Machine)?,
            options: *options,
            script,
            at_this_instant: 0,
            calls: Calls::default(),
            times: StepTimes::new(options.costs),
            misdeeds,
            seen: Instant::START,
            places: Vec::new(),
        })
    }

    /// Runs from the start to the end of the run, or until a thread's code doesn't end: what came before is kept.
    pub(crate) fn run(mut self) -> Result<(Outcome, Option<SimulationError>), SimulationError> {
        self.start()?;
        let mut endless = None;
        while endless.is_none() && self.goes_on() {
            match self.step() {
                Err(error @ SimulationError::Endless { .. }) => endless = Some(error),
                other => other?,
            }
        }
        Ok(self.finish(endless))
    }

    /// Starts the system.
    pub(crate) fn start(&mut self) -> Result<(), SimulationError> {
        self.deliver(Event::Start)
    }

    /// Whether the run isn't over.
    fn goes_on(&self) -> bool {
        self.kernel.machine.now < self.options.until && !self.has_stopped()
    }

    /// When it does its next step; nothing if the run is over.
    pub(crate) fn coming(&mut self) -> Result<Option<Instant>, SimulationError> {
        if !self.goes_on() {
            return Ok(None);
        }
        let (instant, _) = self.upcoming()?;
        let at = match self.next(instant)? {
            Next::Segment | Next::Sleep => self.kernel.machine.now,
            Next::End(end) if end <= instant => end,
            Next::End(_) | Next::Event => self.awake(instant),
        };
        Ok(Some(at.min(self.options.until)))
    }

    /// Something outside has changed that may concern it.
    pub(crate) fn look_again(&mut self) {
        self.devices.border.look_again();
    }

    /// Which doorbells at other cores it has rung since this was asked last, and when that was at the latest.
    pub(crate) fn rung(&mut self) -> (u32, Instant) {
        (std::mem::take(&mut self.kernel.machine.rung), self.kernel.machine.now)
    }

    /// A doorbell of another core comes here at an instant.
    pub(crate) fn hear(&mut self, at: Instant, line: Line) {
        self.devices.bells.add(at, line);
    }

    /// Its memory.
    pub(crate) fn memory(&self) -> &Arena {
        &self.kernel.machine.memory
    }

    /// What has come of it, with what ended it if a thread's code doesn't end.
    pub(crate) fn finish(mut self, endless: Option<SimulationError>) -> (Outcome, Option<SimulationError>) {
        if let Some(SimulationError::Endless { place: Some(place), instant: at, .. }) = &endless {
            let (at, thread, place) = (*at, self.kernel.state.running(), place.clone());
            self.places.push(Placed { at, thread, place });
        }
        let Devices { mut border, console, .. } = self.devices;
        let outcome = Outcome {
            trace: self.kernel.machine.trace.bytes,
            counts: self.kernel.machine.trace.counts,
            environment: border.finish(self.kernel.machine.now),
            accesses: border.accesses,
            calls: self.calls,
            misdeeds: self.misdeeds.borrow().clone(),
            memory: self.kernel.machine.memory.contents(),
            console: console.text(),
            printed: console.into_lines(),
            places: self.places,
        };
        (outcome, endless)
    }

    /// Runs to the end, or to a known state. States before the pick number `planned` don't count.
    pub(crate) fn explore(mut self, planned: usize, known: &mut Known) -> Result<Explored, SimulationError> {
        let (mut prints, mut is_cut) = (Vec::new(), false);
        self.deliver(Event::Start)?;
        while !is_cut && self.goes_on() {
            self.step()?;
            if self.script.count() > prints.len() {
                let print = match known.merges() {
                    true => print(&self.kernel, &self.devices),
                    false => print_of_path(&self.script.made(), self.kernel.machine.now),
                };
                prints.resize(self.script.count(), print);
                is_cut = prints.len() >= planned && !known.is_new(print);
            }
        }
        let made = self.script.made().into_iter().zip(prints).collect();
        Ok(Explored { made, is_cut, trace: self.kernel.machine.trace.bytes })
    }

    /// Whether the event that ends the run early has happened.
    pub(crate) fn has_stopped(&self) -> bool {
        self.options.stop.is_some_and(|stop| stop.has_come(&self.kernel.machine.trace.counts))
    }

    pub(crate) fn step(&mut self) -> Result<(), SimulationError> {
        self.count_step()?;
        let (instant, event) = self.upcoming()?;
        match self.next(instant)? {
            Next::Segment => self.run_segment(),
            Next::End(end) if end <= instant => self.at(end, Self::perform),
            Next::End(_) | Next::Event => self.at(self.awake(instant), |processor| processor.take(event)),
            Next::Sleep => {
                self.kernel.machine.is_asleep = true;
                self.deliver(Event::Call(Call { number: CallNumber::Yield as u32, arguments: [0; 4] }))
            }
        }
    }

    /// The next event from outside, and when it comes.
    fn upcoming(&mut self) -> Result<(Instant, Outside), SimulationError> {
        let alarm = self.kernel.machine.alarm;
        let interrupt = if self.kernel.machine.lines.is_any_due() {
            self.kernel.machine.now
        } else {
            self.devices.next()?
        };
        Ok(if alarm <= interrupt { (alarm, Outside::Alarm) } else { (interrupt, Outside::Interrupt) })
    }

    /// What happens to the running thread if an event comes from outside at `instant`.
    fn next(&mut self, instant: Instant) -> Result<Next, SimulationError> {
        let now = self.kernel.machine.now;
        let thread = self.kernel.state.running();
        let Some(context) = self.kernel.machine.context(thread) else {
            return match self.kernel.machine.system.threads.at(thread.index()).kind {
                ThreadKind::Idle if S::DEPTHS > 0 && !self.kernel.machine.is_asleep => Ok(Next::Sleep),
                ThreadKind::Idle => Ok(Next::Event),
                _ => Err(SimulationError::NoCode { thread: thread.index() }),
            };
        };
        Ok(match &context.stage {
            Stage::Code(_) if instant.is_due(now) && context.lets_pass() => Next::Event,
            Stage::Code(_) => Next::Segment,
            Stage::Granting { left, .. } => Next::End(now.after(*left)),
        })
    }

    /// When the processor is awake that something wakes at `instant`: at once unless it sleeps deeper.
    fn awake(&self, instant: Instant) -> Instant {
        if self.kernel.machine.is_asleep { instant.after(self.kernel.machine.wake) } else { instant }
    }

    /// Lets virtual time pass until `instant`, for the running thread; then does `action` if that is still
    /// within the run.
    fn at(
        &mut self,
        instant: Instant,
        action: impl FnOnce(&mut Self) -> Result<(), SimulationError>,
    ) -> Result<(), SimulationError> {
        let now = self.kernel.machine.now;
        let reached = instant.min(self.options.until).max(now);
        let running = self.kernel.state.running();
        if let Some(context) = self.kernel.machine.context(running) {
            context.grant(reached.since(now));
        }
        if reached > now {
            self.kernel.machine.now = reached;
            self.seen = reached;
            self.at_this_instant = 0;
        }
        if reached < self.options.until { action(self) } else { Ok(()) }
    }

    fn run_segment(&mut self) -> Result<(), SimulationError> {
        let thread = self.kernel.state.running();
        let VirtualMachine { now, memory, contexts, .. } = &mut self.kernel.machine;
        let Some(Some(context)) = contexts.get_mut(thread.index()) else {
            return Err(SimulationError::NoCode { thread: thread.index() });
        };
        context.run_segment(memory, &self.traps, *now)
    }

    /// Performs the operation at the end of the running thread's segment.
    fn perform(&mut self) -> Result<(), SimulationError> {
        let thread = self.kernel.state.running();
        let now = self.kernel.machine.now;
        let operation = self.kernel.machine.context(thread).and_then(|context| context.take_operation(now));
        let Some(operation) = operation else {
            return Ok(());
        };
        match operation {
            End::Call { number, arguments } => {
                self.calls.note(number);
                self.deliver(Event::Call(Call { number: number as u32, arguments }))
            }
            End::Fault(fault) => self.fault(thread, fault),
            End::Misdeed(act) => self.misdeed(thread, act),
            other => {
                self.exchange(thread, other);
                Ok(())
            }
        }
    }

    /// Performs an operation that doesn't involve the kernel.
    fn exchange(&mut self, thread: ThreadId, operation: End) {
        let instant = self.access_instant(thread);
        let now = self.kernel.machine.now;
        let Devices { border, console, input, .. } = &mut self.devices;
        match operation {
            End::Read { channel, value } => {
                let value = border.read(instant, channel, value);
                border.hold_lines(now, &mut self.kernel.machine.lines);
                self.answer(thread, Answer::Bytes(value));
            }
            End::Write { channel, value } => {
                border.write(instant, channel, value);
                border.hold_lines(now, &mut self.kernel.machine.lines);
            }
            End::Print(text) => console.print(&text, thread, now),
            End::Transmit(byte) => console.transmit(byte, thread, now),
            End::Receive => {
                let byte = input.fetch();
                self.answer(thread, Answer::Bytes(byte.into_iter().collect()));
            }
            End::Call { .. } | End::Spend(_) | End::Rest | End::Point | End::Misdeed(_) | End::Fault(_) => {}
        }
    }

    /// Does what a hostile thread does.
    fn misdeed(&mut self, thread: ThreadId, act: Act) -> Result<(), SimulationError> {
        match act {
            Act::Call { number, arguments } => {
                CallNumber::decode(number).into_iter().for_each(|number| self.calls.note(number));
                return self.deliver(Event::Call(Call { number, arguments }));
            }
            Act::Fault(fault) => return self.fault(thread, fault),
            Act::Store { address, word } => self.kernel.machine.memory.set_word(address, word),
            Act::Raise(line) => self.kernel.machine.lines.raise(line),
        }
        Ok(())
    }

    /// The instant of a thread's access to the environment, as the environment sees it.
    fn access_instant(&self, thread: ThreadId) -> Instant {
        match self.kernel.machine.system.threads.at(thread.index()).kind {
            ThreadKind::Drivers => self.kernel.state.instant(),
            _ => self.kernel.machine.now,
        }
    }

    fn answer(&mut self, thread: ThreadId, answer: Answer) {
        if let Some(context) = self.kernel.machine.context(thread) {
            context.answer(answer);
        }
    }

    /// The code can't go on after a fault. If the kernel lets the thread run again, it starts over.
    fn fault(&mut self, thread: ThreadId, fault: Fault) -> Result<(), SimulationError> {
        let at = self.kernel.machine.now;
        if let Some(context) = self.kernel.machine.context(thread) {
            let place = context.take_place();
            context.restart();
            self.places.extend(place.map(|place| Placed { at, thread, place }));
        }
        self.deliver(Event::Fault(fault))
    }

    /// Takes an event from outside.
    fn take(&mut self, event: Outside) -> Result<(), SimulationError> {
        self.kernel.machine.is_asleep = false;
        match event {
            Outside::Alarm => {
                self.kernel.machine.alarm = Instant::NEVER;
                self.deliver(Event::Alarm)
            }
            Outside::Interrupt => {
                self.devices.raise(self.kernel.machine.now, &mut self.kernel.machine.lines)?;
                self.harm();
                self.kernel.machine.lines.take().map_or(Ok(()), |line| self.deliver(Event::Interrupt(line)))
            }
        }
    }

    /// Applies the faults inside the machine that are due by now.
    fn harm(&mut self) {
        while let Some(what) = self.devices.harms.inside(self.kernel.machine.now) {
            match what {
                What::Flip(address, bit) => self.kernel.machine.flip(address, bit),
                What::Stop(thread) => {
                    if let Some(context) = self.kernel.machine.context(thread) {
                        context.doom();
                    }
                }
                What::Drop(_) | What::Delay(..) | What::Again(..) | What::Raise(_) => {}
            }
        }
    }

    fn count_step(&mut self) -> Result<(), SimulationError> {
        self.at_this_instant += 1;
        if self.at_this_instant < MOST_AT_ONE_INSTANT {
            return Ok(());
        }
        let thread = self.name(self.kernel.state.running());
        Err(SimulationError::Stuck { thread, instant: self.kernel.machine.now })
    }

    fn name(&mut self, thread: ThreadId) -> &'static str {
        self.kernel.machine.context(thread).map_or("idle", |context| context.name())
    }
}

fn contexts<S: Sizes>(
    system: &System<S>,
    threads: &[ThreadCode],
    options: &Options,
    script: &Script,
) -> Result<Vec<Option<Context>>, SimulationError> {
    let borders = Rc::new(Borders::new(options.borders));
    let context = |(number, code): (usize, &ThreadCode)| {
        let row = system.threads.at(number);
        let journal = system.processes.at(row.process.index()).journal;
        let journal = (journal.places > 0).then_some(journal.address);
        Context::new(*code, row.kind, number, options, script.clone(), &borders, journal)
    };
    threads.iter().enumerate().map(context).collect()
}

/// Makes the threads of a process hostile.
fn turn<S: Sizes>(
    system: &System<S>,
    contexts: &mut [Option<Context>],
    hostile: &Hostile,
    misdeeds: &Shared,
) {
    let others = others(system, contexts.len(), hostile.process);
    for (number, context) in contexts.iter_mut().enumerate() {
        let row = system.threads.at(number);
        let (Some(context), Ok(thread)) = (context, u8::try_from(number)) else { continue };
        if row.process != hostile.process {
            continue;
        }
        let memory = system.processes.at(row.process.index()).memory.to_vec();
        let others = others.clone();
        let own = Own {
            thread: ThreadId(thread),
            stack: row.stack,
            words: row.words,
            memory,
            others,
            runs_drivers: row.kind == ThreadKind::Drivers,
        };
        context.turn(HostileThread::new(hostile, own, misdeeds));
    }
}

/// The stacks and the memory of the first so many threads that aren't of a process.
fn others<S: Sizes>(system: &System<S>, threads: usize, process: ProcessId) -> Vec<Range> {
    let rows = (0..threads).map(|number| system.threads.at(number));
    let strangers: Vec<_> = rows.filter(|row| row.process != process).collect();
    let memory = strangers.iter().flat_map(|row| system.processes.at(row.process.index()).memory);
    strangers.iter().map(|row| row.stack).chain(memory).collect()
}
