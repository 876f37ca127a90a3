//! What the checker costs on the board: every step of reading a program, of its structure, of its time, and
//! of its certificate. Counted on the board, so elsewhere it is empty.
#![no_std]
#![forbid(unsafe_code)]
#![cfg(target_arch = "arm")]

mod programs;

use bench_board::{Sample, Tally, elapsed};
use beryl_syscode::check::demand::{self, Demand};
use beryl_syscode::check::time::{Outcome, Parts, Policy, Task, Time};
use beryl_syscode::check::{Progress, Rights, Structure};
use beryl_syscode::container::{Container, Reading};

use beryl_user::println;
use programs::{PROGRAMS, Program};

/// The most tasks of a program, and its most instructions.
const TASKS: usize = 100;
const LENGTH: usize = 512;
/// Places at which the thread of a schedule may stand.
const PLACES: u8 = 6;
/// How many long steps are told one by one.
const LONG: usize = 300;
/// Words for the check of time: two states of a hundred tasks and six places.
const WORDS: usize = 2200;

/// Thread: checks all programs.
pub fn check() -> ! {
    PROGRAMS.iter().for_each(measure);
    bench_board::end()
}

fn measure(program: &Program) {
    let Some(container) = read(program) else { return };
    structure(program, container);
    let mut touches = [0; 2 * TASKS * TASKS.div_ceil(8)];
    let (row, count) = (program.tasks.div_ceil(8), 2 * program.tasks);
    for driver in 0..count {
        let task = driver % program.tasks;
        touches[driver * row + task / 8] |= 1 << (task % 8);
    }
    let tasks = [Task { bound: program.bound, rank: 0 }; TASKS];
    let policies = [Policy::EarliestDeadline];
    let image = Parts {
        programs: &[container],
        tasks: &tasks[..program.tasks],
        touches: &touches[..row * count],
        policies: &policies,
        losses: &[],
    };
    time(program, &image);
    if !program.certificate.is_empty() {
        certificate(program, &image);
    }
}

/// Goes on until a step says that it was the last, and prints what each of them took.
#[inline(always)]
fn count(program: &Program, what: &str, mut step: impl FnMut() -> bool) {
    let (mut tally, mut long) = (Tally::new(), [Sample { before: 0, after: 0 }; LONG]);
    let mut longs = long.iter_mut();
    let mut goes_on = true;
    while goes_on {
        let before = elapsed();
        goes_on = step();
        let sample = Sample { before, after: elapsed() };
        // What the tally can't tell apart is told one by one.
        match (sample.instructions() > 2000).then(|| longs.next()).flatten() {
            Some(place) => *place = sample,
            None => tally.add(sample),
        }
    }
    tally.print(format_args!("{what}/{}", program.name));
    for Sample { before, after } in long.into_iter().filter(|sample| sample.after > 0) {
        println!("sample {what}/{} {before} {after}", program.name);
    }
}

#[inline(never)]
fn read(program: &Program) -> Option<Container<'static>> {
    let mut reading = Reading::BEGIN;
    let mut container = None;
    count(program, "reading", || {
        container = reading.step(program.bytes).expect("what the generator wrote");
        container.is_none()
    });
    container
}

#[inline(never)]
fn structure(program: &Program, container: Container<'_>) {
    let mut marks = [0; LENGTH];
    let mut structure = Structure::new(container, Rights::ALL, &mut marks);
    count(program, "structure", || match structure.step() {
        Progress::Again => true,
        Progress::Accepted(_) => false,
        Progress::Refused(refusal) => panic!("{refusal:?}"),
    });
}

#[inline(never)]
fn time(program: &Program, image: &Parts<'_>) {
    let mut memory = [0; WORDS];
    let mut check = Time::new(image, PLACES, 100);
    count(program, "time", || match check.step(image, &mut memory) {
        Outcome::Again => true,
        Outcome::Accepted(_) => false,
        Outcome::Refused(breach) => panic!("{breach:?}"),
    });
}

#[inline(never)]
fn certificate(program: &Program, image: &Parts<'_>) {
    let mut memory = [0; demand::WORDS * TASKS];
    let mut check = Demand::BEGIN;
    count(program, "certificate", || match check.step(image, program.certificate, &mut memory) {
        demand::Outcome::Again => true,
        demand::Outcome::Accepted => false,
        demand::Outcome::Refused(refusal) => panic!("{refusal:?}"),
    });
}
