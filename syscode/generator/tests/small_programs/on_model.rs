//! A small program on the reference machine, and what the checkers say of it.

use std::cell::RefCell;
use std::rc::Rc;

use beryl_reference::{Change, Driver, Event, Machine, Policy, Task, Trap, World};
use beryl_syscode::check::time::{self, Parts, Time};
use beryl_syscode::check::{Rights, Structure};
use beryl_syscode::{Container, Exception};

use crate::choices::Choices;
use crate::observed::{Observed, Weather, Word};
use crate::shape::TIMES;

/// Whether triggers of a program begin threads, if the checker of structure accepts it.
pub fn begins_threads(container: Container<'_>) -> Option<bool> {
    let mut marks = [0; 16];
    Structure::new(container, Rights::ALL, &mut marks).run().ok().map(|shape| shape.begins_threads)
}

/// Whether the checker of time accepts a program.
pub fn is_in_time(container: Container<'_>) -> bool {
    let tasks = TIMES.map(|[_, longest]| time::Task { bound: longest as u32, rank: 0 });
    let (programs, policies) = ([container], [time::Policy::FixedPriority]);
    // The guard touches none of the tasks' ports, the output driver those of the first.
    let touches = [0, 1];
    let image =
        Parts { programs: &programs, tasks: &tasks, touches: &touches, policies: &policies, losses: &[] };
    let check = Time::new(&image, 8, 200);
    check.run(&image, &mut vec![0xA5A5_A5A5; check.words(8)]).is_ok()
}

/// What happens up to an instant.
pub fn run(
    container: Container<'_>,
    weather: Weather,
    choices: &Rc<RefCell<Choices>>,
    until: u64,
) -> Result<Vec<Observed>, Trap> {
    let says = (0..until).map(|at| (at, Change::Port(0, i32::from(weather.says_yes(at)))));
    let chosen = Rc::clone(choices);
    let world = World {
        tasks: vec![Task { reads: vec![], writes: vec![1] }, Task::default()],
        drivers: vec![Driver::guard(0), Driver::copy(1, 2)],
        ports: vec![i32::from(weather.says_yes(0)), 0, 0],
        policy: Policy::FixedPriority,
        changes: says.filter(|(at, _)| *at > 0 && weather.changes_at(*at)).collect(),
        execution: Box::new(move |task, number| chosen.borrow_mut().time(task, number)),
        ..World::of_times(&[])
    };
    let trace = Machine::new(&[container], world).run(until)?;
    let mut told: Vec<Observed> = Vec::new();
    let (mut running, mut last) = (None, None);
    let mut entries = trace.into_iter().peekable();
    while let Some(entry) = entries.next() {
        let word = match entry.event {
            Event::Driver(1) => Some(Word::Output),
            Event::Release(task) => Some(Word::Release(task)),
            Event::Complete(task) => Some(Word::Complete(task)),
            Event::Violation(Exception::Safety, ref tasks) => {
                tasks.first().map(|task| Word::Violation(*task))
            }
            Event::Violation(Exception::Share, _) => Some(Word::Share),
            _ => None,
        };
        running = match entry.event {
            Event::Start(task) | Event::Resume(task) => Some(task),
            Event::Preempt(_) | Event::Complete(_) | Event::Stop(_) => None,
            _ => running,
        };
        if let Event::Complete(_) = entry.event {
            last = None;
        }
        told.extend(word.map(|word| (entry.at, word)));
        // Who runs is told when everything of the instant is done.
        if entries.peek().is_none_or(|next| next.at > entry.at) && running != last {
            last = running;
            told.push((entry.at, Word::Runs(running)));
        }
    }
    Ok(told)
}
