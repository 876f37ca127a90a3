//! A scripted host: a hand-cranked clock, a memory of words, and a log of every effect.
//!
//! The log is text, a line an effect, with the clock in front, so that a test reads as the story
//! of a run:
//!
//! ```text
//! 10 release 1 at 10 by 20      a release record: task, logical instant, deadline
//! 10 switch 0 to 1              a switch record
//! 10 driver 4 at 10 = 7         a driver record, with the first word of what it moved
//! 10 arm 20                     the alarm was set
//! 10 returns to 1: Null Success a thread goes on behind its system call
//! ```

#![allow(dead_code, reason = "each test binary uses a part of it")]

pub mod asks;
pub mod code;
pub mod draft;
pub mod machine;
pub mod objects;
pub mod tables;
pub mod user;

use beryl_abi::{CallNumber, Classes, Duration, Fault, FaultKind, Instant, Line, ThreadId};
use beryl_kernel::{Call, Event, Kernel, Machine, Sizes, State, StepKind, Switch, System};

pub use machine::Host;

/// What a script can make happen. Calls and faults come from the thread that runs.
#[derive(Clone, Copy, Debug)]
pub enum Do {
    /// Time passes until this instant; the alarm goes off on the way, as often as it is due.
    At(u64),
    /// Time passes until this instant, and the alarm is held back.
    Late(u64),
    /// The alarm goes off now, due or not.
    Alarm,
    /// A system call without arguments.
    Call(CallNumber),
    /// The driver thread ends its function with a verdict, or asks for its first.
    Done(bool),
    /// A system call that there isn't.
    Number(u32),
    /// A system call with arguments; [`asks`] has short names for them.
    Ask(CallNumber, [u32; 4]),
    /// A fault.
    Fault(FaultKind),
    /// An interrupt.
    Interrupt(u16),
    /// The running thread writes a word of its memory.
    Write(u32, u32),
}

/// More steps than any instant of these tests has.
const PATIENCE: usize = 2000;

/// A step of the kernel, and what it is charged as.
#[derive(Clone, Copy, Debug)]
pub struct Step {
    pub instant: Instant,
    pub running: ThreadId,
    pub event: Event,
    pub kind: StepKind,
}

/// A kernel on a scripted host.
#[derive(Clone)]
pub struct Rig<S: Sizes> {
    pub kernel: Kernel<S, Host<S>>,
    /// All steps so far.
    pub charged: Vec<Step>,
    /// Something that means nothing comes after every step that isn't the last.
    pub disturbed: bool,
}

impl<S: Sizes> Rig<S> {
    /// A system before it starts. Its records are made.
    pub fn new(system: &System<S>) -> Rig<S> {
        let mut kernel = Kernel::new(Host::new(Box::leak(Box::new(system.clone()))));
        kernel.state.set_tracing(true);
        Rig { kernel, charged: Vec::new(), disturbed: false }
    }

    pub fn host(&mut self) -> &mut Host<S> {
        &mut self.kernel.machine
    }

    pub fn state(&self) -> &State<S> {
        &self.kernel.state
    }

    /// Lets the kernel handle an event, with all the steps that it asks for; answers how many. However many
    /// steps the kernel does in a row, and whoever listens, the story is the same, and so is the state at its
    /// end.
    pub fn raise(&mut self, event: Event) -> usize {
        let mut story = std::mem::take(&mut self.host().log);
        let mut charged = std::mem::take(&mut self.charged);
        let twins = [0, 2].map(|pending_every| {
            let mut twin = self.clone();
            twin.host().pending_every = pending_every;
            twin
        });
        let heard = [Classes::NONE, Classes::ALL].map(|classes| self.heard_by(classes));
        let steps = self.raise_alone(event);
        for twin in heard {
            self.assert_goes_on_as(twin, event, steps);
        }
        let disturbed = self.disturbed;
        for mut twin in twins.into_iter().filter(|_| !disturbed) {
            twin.raise_alone(event);
            let every = twin.host().pending_every;
            assert_eq!(
                twin.host().log,
                self.host().log,
                "something is pending at every look and at every {every}"
            );
            assert!(
                twin.state() == self.state(),
                "the state where something is pending at every {every} looks"
            );
        }
        story.append(&mut self.host().log);
        self.host().log = story;
        charged.append(&mut self.charged);
        self.charged = charged;
        steps
    }

    /// The same with somebody else who listens.
    fn heard_by(&self, classes: Classes) -> Rig<S> {
        let mut twin = self.clone();
        twin.kernel.state.record(classes);
        twin
    }

    /// Whoever listens, the same comes of an event, in as many steps.
    fn assert_goes_on_as(&self, mut twin: Rig<S>, event: Event, steps: usize) {
        assert_eq!(twin.raise_alone(event), steps, "steps of {event:?} with others who listen");
        let effects = |rig: &Rig<S>| {
            let mut log = rig.kernel.machine.log.clone();
            log.retain(|line| line.split(' ').nth(1).is_some_and(|kind| HEARD_BY_NOBODY.contains(&kind)));
            log
        };
        assert_eq!(effects(&twin), effects(self), "effects of {event:?} with others who listen");
        let canonical = |rig: &Rig<S>| {
            let machine = &rig.kernel.machine;
            rig.state().canonical(Machine::<S>::system(machine), machine.clock)
        };
        assert!(canonical(&twin) == canonical(self), "the state after {event:?} with others who listen");
    }

    fn raise_alone(&mut self, event: Event) -> usize {
        let running = self.kernel.state.running();
        self.host().user_stops(running, event);
        let mut event = event;
        for steps in 1..PATIENCE {
            let told = self.host().log.len();
            self.charge(event);
            let answer = self.kernel.handle(event);
            self.assert_is_a_step_of_one_kind(event, told);
            if answer != Switch::Again {
                self.user_goes_on(running, answer);
                return steps;
            }
            if self.disturbed {
                self.disturb();
            }
            event = Event::Continue;
        }
        panic!("the instant never ends: {:?}", self.host().log.last());
    }

    /// Notes what the next step is going to be charged as.
    pub fn charge(&mut self, event: Event) {
        let (instant, running) = (self.host().clock, self.kernel.state.running());
        let kind = self.kernel.kind_of(&event);
        self.charged.push(Step { instant, running, event, kind });
    }

    /// The bound of a step (`beryl-bench`, `step`) leaves out paths on which one both judges a job and wakes somebody.
    fn assert_is_a_step_of_one_kind(&self, event: Event, told: usize) {
        let has = |kinds: &[&str]| {
            let mut kind = self.kernel.machine.log[told..].iter().filter_map(|line| line.split(' ').nth(1));
            kind.any(|kind| kinds.contains(&kind))
        };
        let is_both = has(&["complete", "miss", "overrun"]) && has(&["wake"]);
        assert!(!is_both, "{event:?} judges a job and wakes somebody");
    }

    /// An interrupt that nobody serves, and an alarm before its time: what is under way stays so.
    fn disturb(&mut self) {
        for event in [Event::Interrupt(Line(77)), Event::Alarm] {
            assert_eq!(self.kernel.handle(event), Switch::Again, "{event:?} ends what was under way");
        }
    }

    fn user_goes_on(&mut self, before: ThreadId, answer: Switch) {
        let running = self.kernel.state.running();
        if let Switch::To(thread) = answer {
            assert_eq!(running, thread, "the host is sent to somebody else");
        } else {
            assert_eq!(running, before, "a switch that the host isn't told");
        }
        self.host().user_goes_on(running, answer == Switch::Stay);
    }

    /// Carries out one line of a script.
    pub fn step(&mut self, step: Do) {
        let call = |number: u32, first: u32| Event::Call(Call { number, arguments: [first, 0, 0, 0] });
        let event = match step {
            Do::At(instant) => return self.pass(Instant::from_ticks(instant)),
            Do::Late(instant) => return self.host().clock = Instant::from_ticks(instant),
            Do::Write(address, value) => {
                self.host().memory.insert(address, value);
                return;
            }
            Do::Alarm => Event::Alarm,
            Do::Call(number) => call(number as u32, 0),
            Do::Number(number) => call(number, 0),
            Do::Ask(number, arguments) => Event::Call(Call { number: number as u32, arguments }),
            Do::Done(verdict) => call(CallNumber::DriverDone as u32, verdict.into()),
            Do::Fault(kind) => Event::Fault(Fault { kind, address: 0, instruction: 0 }),
            Do::Interrupt(line) => Event::Interrupt(Line(line)),
        };
        self.raise(event);
    }

    fn pass(&mut self, until: Instant) {
        loop {
            // a host lets no more than 2^31 ticks pass without an alarm
            let round = self.host().clock.after(Duration::from_ticks(1 << 30));
            let next = self.host().alarm.min(round);
            if next > until {
                break;
            }
            self.host().clock = self.host().clock.max(next);
            self.host().alarm = Instant::NEVER;
            self.raise(Event::Alarm);
        }
        self.host().clock = self.host().clock.max(until);
    }
}

/// Runs a script from the start on and answers every effect of the kernel.
pub fn run<S: Sizes>(system: &System<S>, script: &[Do]) -> Vec<String> {
    without(play(system, script).kernel.machine.log, &["returns"])
}

/// The same as its threads see it: what the trace would tell, and what their calls return.
pub fn story<S: Sizes>(system: &System<S>, script: &[Do]) -> Vec<String> {
    without(play(system, script).kernel.machine.log, &EFFECTS)
}

/// The same, but only what the trace would tell.
pub fn records<S: Sizes>(system: &System<S>, script: &[Do]) -> Vec<String> {
    only_records(run(system, script))
}

/// Lines that aren't about listeners.
const HEARD_BY_NOBODY: [&str; 10] =
    ["arm", "copy", "depth", "result", "status", "restart", "back:", "mask", "unmask", "returns"];

/// Leaves out effects that aren't records.
pub fn only_records(log: Vec<String>) -> Vec<String> {
    without(without(log, &EFFECTS), &["returns"])
}

/// Lines that no thread sees.
pub const EFFECTS: [&str; 8] = ["arm", "copy", "result", "status", "restart", "back:", "mask", "unmask"];

/// Leaves out lines of some kinds.
pub fn without(mut log: Vec<String>, kinds: &[&str]) -> Vec<String> {
    log.retain(|line| line.split(' ').nth(1).is_some_and(|kind| !kinds.contains(&kind)));
    log
}

/// Runs a script from the start on; answers what there is at its end.
pub fn play<S: Sizes>(system: &System<S>, script: &[Do]) -> Rig<S> {
    let mut rig = Rig::new(system);
    rig.raise(Event::Start);
    script.iter().for_each(|step| rig.step(*step));
    rig
}

/// A number of ticks as a duration.
pub const fn ticks(number: u64) -> Duration {
    Duration::from_ticks(number)
}
