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
//! ```

#![allow(dead_code, reason = "each test binary uses a part of it")]

pub mod code;
pub mod draft;
pub mod random;

use std::collections::BTreeMap;

use beryl_abi::{CallNumber, Duration, Fault, FaultKind, Instant, Line, Record, ThreadId};
use beryl_kernel::{Call, Event, Machine, Sizes, State, Switch, System, handle, handle_call};

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
    /// A fault.
    Fault(FaultKind),
    /// An interrupt.
    Interrupt(u16),
    /// The running thread writes a word of port memory.
    Write(u32, u32),
}

/// The machine: it notes what it is asked for.
#[derive(Clone, Debug)]
pub struct Host {
    /// What [`Machine::now`] says.
    pub clock: Instant,
    /// What the alarm is set to.
    pub alarm: Instant,
    /// Port memory by address; words that nobody wrote are zero.
    pub memory: BTreeMap<u32, u32>,
    /// The story so far.
    pub log: Vec<String>,
    /// The running thread's registers were given up: it must not go on as it was.
    given_up: bool,
    running: ThreadId,
}

/// More steps than any instant of these tests has.
const PATIENCE: usize = 2000;
/// More effects than any run of these tests has.
const LONGEST_STORY: usize = 20_000;

impl Host {
    /// A machine that has just been switched on.
    pub fn new() -> Host {
        Host {
            clock: Instant::START,
            alarm: Instant::NEVER,
            memory: BTreeMap::new(),
            log: Vec::new(),
            given_up: false,
            running: ThreadId::NONE,
        }
    }

    /// Lets the kernel handle an event, with all the steps that it asks for; answers how many.
    pub fn raise<S: Sizes>(&mut self, state: &mut State<S>, system: &System<S>, event: Event) -> usize {
        self.running = state.running();
        self.compare_with_the_short_way(state, system, event);
        let mut event = event;
        for steps in 1..PATIENCE {
            match handle(state, system, event, self) {
                Switch::Again => event = Event::Continue,
                Switch::Stay => {
                    assert!(!self.given_up, "{:?} goes on without its registers", state.running());
                    assert_eq!(state.running(), self.running, "a switch that the host isn't told");
                    return steps;
                }
                Switch::To(thread) => {
                    assert_eq!(state.running(), thread, "the host is sent to somebody else");
                    self.given_up = false;
                    return steps;
                }
            }
        }
        panic!("the instant never ends: {:?}", self.log.last());
    }

    /// The way for calls does what the way for all events does.
    fn compare_with_the_short_way<S: Sizes>(&self, state: &State<S>, system: &System<S>, event: Event) {
        let Event::Call(call) = event else { return };
        let twin = || (state.clone(), Host { log: Vec::new(), memory: BTreeMap::new(), ..*self });
        let ((mut short_state, mut short), (mut long_state, mut long)) = (twin(), twin());
        let answers = (
            handle_call(&mut short_state, system, call, &mut short),
            handle(&mut long_state, system, event, &mut long),
        );
        assert_eq!(answers.0, answers.1);
        assert_eq!((short_state, short.log), (long_state, long.log));
    }

    /// Carries out one line of a script.
    pub fn step<S: Sizes>(&mut self, state: &mut State<S>, system: &System<S>, step: Do) {
        let call = |number: u32, first: u32| Event::Call(Call { number, arguments: [first, 0, 0] });
        let event = match step {
            Do::At(instant) => return self.pass(state, system, Instant::from_ticks(instant)),
            Do::Late(instant) => return self.clock = Instant::from_ticks(instant),
            Do::Write(address, value) => {
                self.memory.insert(address, value);
                return;
            }
            Do::Alarm => Event::Alarm,
            Do::Call(number) => call(number as u32, 0),
            Do::Number(number) => call(number, 0),
            Do::Done(verdict) => call(CallNumber::DriverDone as u32, verdict.into()),
            Do::Fault(kind) => Event::Fault(Fault { kind, address: 0, instruction: 0 }),
            Do::Interrupt(line) => Event::Interrupt(Line(line)),
        };
        self.raise(state, system, event);
    }

    fn pass<S: Sizes>(&mut self, state: &mut State<S>, system: &System<S>, until: Instant) {
        loop {
            // a host lets no more than 2^31 ticks pass without an alarm
            let round = self.clock.after(Duration::from_ticks(1 << 30));
            if self.alarm.min(round) > until {
                break;
            }
            self.clock = self.clock.max(self.alarm.min(round));
            self.alarm = Instant::NEVER;
            self.raise(state, system, Event::Alarm);
        }
        self.clock = self.clock.max(until);
    }

    fn note(&mut self, line: String) {
        assert!(self.log.len() < LONGEST_STORY, "the story never ends: {line}");
        self.log.push(format!("{} {line}", self.clock.ticks()));
    }

    fn word(&self, address: u32) -> u32 {
        self.memory.get(&address).copied().unwrap_or_default()
    }
}

/// Runs a script from the start on and answers the whole story.
pub fn run<S: Sizes>(system: &System<S>, script: &[Do]) -> Vec<String> {
    play(system, script).1.log
}

/// The same, but only what the trace would tell.
pub fn records<S: Sizes>(system: &System<S>, script: &[Do]) -> Vec<String> {
    only_records(run(system, script))
}

/// Leaves out effects that aren't records.
pub fn only_records(mut log: Vec<String>) -> Vec<String> {
    const EFFECTS: [&str; 6] = ["arm", "copy", "result", "restart", "mask", "unmask"];
    log.retain(|line| line.split(' ').nth(1).is_some_and(|word| !EFFECTS.contains(&word)));
    log
}

/// Runs a script from the start on; answers what there is at its end.
pub fn play<S: Sizes>(system: &System<S>, script: &[Do]) -> (State<S>, Host) {
    let mut state = State::new(system);
    state.tracing = true;
    let mut host = Host::new();
    host.raise(&mut state, system, Event::Start);
    script.iter().for_each(|step| host.step(&mut state, system, *step));
    (state, host)
}

/// A number of ticks as a duration.
pub const fn ticks(number: u64) -> Duration {
    Duration::from_ticks(number)
}

impl Machine for Host {
    fn now(&mut self) -> Instant {
        self.clock
    }

    fn arm(&mut self, instant: Instant) {
        self.alarm = instant;
        self.note(match instant {
            Instant::NEVER => "arm never".into(),
            other => format!("arm {}", other.ticks()),
        });
    }

    fn copy(&mut self, from: u32, to: u32, length: u32) {
        for offset in (0..length).step_by(4) {
            let word = self.word(from + offset);
            self.memory.insert(to + offset, word);
        }
        self.note(format!("copy {from:#x} to {to:#x}, {length} bytes"));
    }

    fn result(&mut self, thread: ThreadId, [first, second]: [u32; 2]) {
        self.note(format!("result of {}: {first:#x} {second:#x}", thread.0));
    }

    fn restart(&mut self, thread: ThreadId) {
        self.given_up |= thread == self.running;
        self.note(format!("restart {}", thread.0));
    }

    fn mask(&mut self, line: Line) {
        self.note(format!("mask {}", line.0));
    }

    fn unmask(&mut self, line: Line) {
        self.note(format!("unmask {}", line.0));
    }

    fn trace(&mut self, record: Record) {
        let line = match record {
            Record::Release { task, instant, deadline } => {
                format!("release {} at {} by {}", task.0, instant.ticks(), deadline.ticks())
            }
            Record::Switch { from, to } => format!("switch {} to {}", from.0, to.0),
            Record::Complete { task } => format!("complete {}", task.0),
            Record::Miss { task, deadline } => format!("miss {} by {}", task.0, deadline.ticks()),
            Record::Driver { driver, instant, value } => {
                format!("driver {} at {} = {}", driver.0, instant.ticks(), self.word(value.address))
            }
            Record::Skip { program, instant } => format!("skip of {} at {}", program.0, instant.ticks()),
            Record::Violation { task, instant } => format!("violation {} at {}", task.0, instant.ticks()),
            Record::Fault { thread, fault } => format!("fault {}: {}", thread.0, fault.kind.words()),
            Record::Overrun { task } => format!("overrun {}", task.0),
            Record::Stray { line } => format!("stray {}", line.0),
        };
        self.note(line);
    }
}
