//! Running a text, and showing what happened an instant a line, with the text's names.

#![allow(dead_code, reason = "each test binary uses a part of it")]

use beryl_assembler::{Program, assemble};
use beryl_reference::{Entry, Event, Machine, Trap, World};
use beryl_syscode::{Container, Exception};

/// The program of a text.
#[track_caller]
pub fn program(text: &str) -> Program {
    assemble(text).unwrap_or_else(|wrong| panic!("{wrong:#?}"))
}

/// Runs programs in a world up to an instant.
pub fn run(programs: &[Program], world: World, until: u64) -> Result<Vec<Entry>, Trap> {
    let bytes: Vec<_> = programs.iter().map(Program::to_bytes).collect();
    let containers: Vec<_> =
        bytes.iter().map(|bytes| Container::read(bytes).expect("a fresh container")).collect();
    Machine::new(&containers, world).run(until)
}

/// Runs one text and compares what happened.
#[track_caller]
pub fn happens(text: &str, world: World, until: u64, expected: &str) {
    let program = program(text);
    let trace = run(std::slice::from_ref(&program), world, until).expect("no trap");
    assert_eq!(show(&program, &trace), expected);
}

/// A trace, an instant a line.
pub fn show(program: &Program, trace: &[Entry]) -> String {
    let mut text = String::new();
    let mut last = None;
    for entry in trace {
        let separator = if last == Some(entry.at) { ", ".into() } else { format!("\n{:>2}: ", entry.at) };
        last = Some(entry.at);
        text += &separator;
        text += &event(program, &entry.event);
    }
    text.trim_start_matches('\n').to_owned() + "\n"
}

/// Only who runs when: beginnings, interruptions and ends of jobs.
pub fn running(trace: &[Entry]) -> Vec<Entry> {
    let is_running = |entry: &&Entry| {
        matches!(entry.event, Event::Start(_) | Event::Preempt(_) | Event::Resume(_) | Event::Complete(_))
    };
    trace.iter().filter(is_running).cloned().collect()
}

fn event(program: &Program, event: &Event) -> String {
    let task = |number: &usize| program.tasks[*number].clone();
    match event {
        Event::Driver(driver) => format!("call {}", program.drivers[*driver]),
        Event::Read(sensor) => format!("read {sensor}"),
        Event::Write(port, value) => format!("{} = {value}", program.ports[*port]),
        Event::Release(number) => format!("release {}", task(number)),
        Event::Start(number) => format!("start {}", task(number)),
        Event::Preempt(number) => format!("preempt {}", task(number)),
        Event::Resume(number) => format!("resume {}", task(number)),
        Event::Complete(number) => format!("complete {}", task(number)),
        Event::Stop(number) => format!("stop {}", task(number)),
        Event::Violation(exception, tasks) => {
            let kind = if *exception == Exception::Safety { "safety" } else { "share" };
            format!("{kind} [{}]", tasks.iter().map(task).collect::<Vec<_>>().join(" "))
        }
    }
}
