//! What the checker of time promises where more than one program has the processor: programs side by side,
//! ranks, what is lost to others, and guards. Accepted programs never go wrong in the reference machine; of
//! the exact class, each refused one does.

mod random;
mod show;
mod timed;

use std::cell::Cell;
use std::fmt::Write;

use beryl_assembler::Program;
use beryl_reference::{
    Action, Change, Counterexample, Driver, Execution, Policy, World, counterexample as counterexample_of,
};
use beryl_syscode::Container;
use beryl_syscode::check::time::{Breach, Fault, Loss};
use beryl_testing::{Draw, XorShiftStar as Random};
use timed::{
    Periodic, UNIT, check_all, e_code, e_code_of, hyperperiod, is_well_formed, names, random_tasks, world,
};

/// Programs in a world that is one of many.
struct Case {
    tasks: Vec<Periodic>,
    texts: Vec<String>,
    policy: Policy,
    ranks: Vec<u8>,
    losses: Vec<Loss>,
    /// Whether a refusal has to be explained by a run.
    is_exact: bool,
}

impl Case {
    fn new(tasks: Vec<Periodic>, texts: Vec<String>) -> Case {
        let (ranks, losses) = (Vec::new(), Vec::new());
        Case { tasks, texts, policy: Policy::EarliestDeadline, ranks, losses, is_exact: true }
    }

    /// One of its worlds: what guards see and when others take the processor is up to the number.
    fn world(&self, number: u64, execution: Execution) -> World {
        let mut random = Random::new(number);
        let mut own = world(&self.tasks, self.policy, execution);
        let mode = own.ports.len();
        own.ports.push(random.below(2) as i32);
        own.drivers.push(Driver { action: Action::Guard, reads: vec![mode], writes: Vec::new() });
        let until = 3 * hyperperiod(&self.tasks);
        let change = |at: u64, random: &mut Random| (at, Change::Port(mode, random.below(2) as i32));
        own.changes = (1..until).step_by(3).map(|at| change(at, &mut random)).collect();
        World { ranks: self.ranks.clone(), taken: taken(&self.losses, until, &mut random), ..own }
    }

    fn programs(&self) -> Vec<Program> {
        self.texts.iter().map(|text| show::program(text)).collect()
    }

    fn check(&self, programs: &[Program]) -> Result<(), Breach> {
        let bounds: Vec<_> = self.tasks.iter().map(|task| task.bound).collect();
        let world = self.world(0, Box::new(|_, _| 1));
        check_all(programs, &world, &bounds, &self.losses).map(|_| ())
    }

    fn counterexample(&self, programs: &[Program], at: u64, tries: u64) -> Option<Counterexample> {
        let bytes: Vec<_> = programs.iter().map(Program::to_bytes).collect();
        let containers: Vec<_> =
            bytes.iter().map(|bytes| Container::read(bytes).expect("a fresh container")).collect();
        let bounds: Vec<_> = self.tasks.iter().map(|task| u64::from(task.bound)).collect();
        let number = Cell::new(0);
        let world = |execution: Execution| {
            number.set(number.get() + 1);
            self.world(number.get(), execution)
        };
        counterexample_of(&containers, &world, &bounds, at, tries)
    }
}

/// Stretches that others take: in each period as much as they may, anywhere; one after the other where they meet.
fn taken(losses: &[Loss], until: u64, random: &mut Random) -> Vec<(u64, u64)> {
    let mut wishes = Vec::new();
    for loss in losses {
        let (period, worst) = (u64::from(loss.period), u64::from(loss.worst));
        let mut begin = if loss.is_in_step { 0 } else { random.next() % period };
        while begin < until {
            wishes.push((begin + random.next() % (period - worst + 1), worst));
            begin += period;
        }
    }
    wishes.sort_unstable();
    let mut free = 0;
    let mut taken = Vec::new();
    for (from, length) in wishes {
        let from = from.max(free);
        free = from + length;
        taken.push((from, free));
    }
    taken
}

#[derive(Default)]
struct Tally {
    accepted: usize,
    refused: usize,
    undecided: usize,
}

fn compare(seeds: std::ops::Range<u64>, make: impl Fn(&mut Random) -> Case) -> Tally {
    let mut tally = Tally::default();
    for seed in seeds {
        let mut random = Random::new(seed);
        let case = make(&mut random);
        let programs = case.programs();
        if !programs.iter().all(is_well_formed) {
            continue;
        }
        let text =
            || format!("seed {seed}: {:?} {:?}\n{}", case.tasks, case.losses, case.texts.join("\n----\n"));
        match case.check(&programs) {
            Ok(()) => {
                tally.accepted += 1;
                let found = case.counterexample(&programs, 3 * hyperperiod(&case.tasks), 60);
                assert_eq!(found, None, "{}", text());
            }
            Err(Breach { fault: Fault::Unknown(_) | Fault::Memory | Fault::Long, .. }) => {
                tally.undecided += 1
            }
            Err(breach) => {
                tally.refused += 1;
                let is_explained = || {
                    let found = case.counterexample(&programs, breach.at, 6_000);
                    found.is_some_and(|found| found.at == breach.at)
                };
                assert!(!case.is_exact || is_explained(), "{breach}: {}", text());
            }
        }
    }
    println!("{} accepted, {} refused, {} undecided", tally.accepted, tally.refused, tally.undecided);
    tally
}

/// A schedule for some tasks: dispatches and waits for the clock, in one thread.
fn schedule(tasks: &[Periodic], own: &[usize], random: &mut Random) -> String {
    let mut text = format!("threads 1\n{}fork s0\nreturn\ns0:\n", names(tasks));
    let (mut now, end) = (0, hyperperiod(tasks) / UNIT);
    for block in 0..3 {
        // Something of each task in each block.
        for _ in 0..own.len() {
            let task = *random.one_of(own);
            let time = UNIT * (now + 1 + random.below(6) as u64).min(end);
            let _ = match random.below(3) {
                0 => writeln!(text, "dispatch t{task}"),
                _ => writeln!(text, "dispatch t{task}, {time}, s0b{block}"),
            };
        }
        now = (now + 1 + random.below(6) as u64).min(end - 1);
        let _ = writeln!(text, "s0b{block}:\nidle {}", UNIT * now);
    }
    own.iter().for_each(|task| writeln!(text, "dispatch t{task}").expect("text"));
    let _ = writeln!(text, "idle {}\nfork s0\nreturn", hyperperiod(tasks));
    text
}

/// The tasks of two modules.
fn divided(count: usize) -> [Vec<usize>; 2] {
    [(0..count).step_by(2).collect(), (1..count).step_by(2).collect()]
}

#[test]
fn modules_with_a_schedule_of_their_own_are_accepted_if_and_only_if_nothing_can_go_wrong() {
    let tally = compare(0..600, |random| {
        let tasks = random_tasks(random);
        let mut texts: Vec<_> = divided(tasks.len()).iter().map(|own| e_code_of(&tasks, own, "")).collect();
        let all: Vec<_> = (0..tasks.len()).collect();
        texts.push(schedule(&tasks, &all, random));
        // The schedule may be the first or the last of the programs.
        let shift = random.below(3);
        texts.rotate_right(shift);
        // What a block doesn't name is run by nobody.
        Case {
            policy: Policy::None,
            is_exact: is_every_task_named(&tasks, &texts),
            ..Case::new(tasks, texts)
        }
    });
    assert!(tally.accepted > 20 && tally.refused > 80, "too few");
}

fn is_every_task_named(tasks: &[Periodic], texts: &[String]) -> bool {
    (0..tasks.len()).all(|task| texts.iter().any(|text| text.contains(&format!("dispatch t{task}"))))
}

#[test]
fn ranks_are_accepted_if_and_only_if_nothing_can_go_wrong() {
    let tally = compare(0..250, |random| {
        let tasks = random_tasks(random);
        let texts = divided(tasks.len()).iter().map(|own| e_code_of(&tasks, own, "")).collect();
        let policy = *random.one_of(&[Policy::EarliestDeadline, Policy::FixedPriority]);
        let ranks = (0..tasks.len()).map(|_| random.below(3) as u8).collect();
        Case { policy, ranks, ..Case::new(tasks, texts) }
    });
    assert!(tally.accepted > 80 && tally.refused > 80 && tally.undecided == 0);
}

/// A schedule in the middle, tasks of a policy above and below.
#[test]
fn a_schedule_between_bands_is_never_accepted_if_something_can_go_wrong() {
    let tally = compare(0..300, |random| {
        let tasks = random_tasks(random);
        let named = random.below(tasks.len());
        let texts = vec![e_code(&tasks, ""), schedule(&tasks, &[named], random)];
        let rank = |task: usize| if task == named { 1 } else { [0, 2][random.below(2)] };
        let ranks = (0..tasks.len()).map(rank).collect();
        Case { ranks, is_exact: false, ..Case::new(tasks, texts) }
    });
    assert!(tally.accepted > 80 && tally.refused > 80, "too few");
}

#[test]
fn what_is_lost_to_others_is_never_too_little() {
    let tally = compare(0..250, |random| {
        let tasks = random_tasks(random);
        let all: Vec<_> = (0..tasks.len()).collect();
        let is_by_code = random.below(2) == 0;
        let texts = match is_by_code {
            true => vec![e_code(&tasks, ""), schedule(&tasks, &all, random)],
            false => vec![e_code(&tasks, "")],
        };
        let loss = |random: &mut Random| Loss {
            period: 10 * (1 + random.below(6) as u32),
            worst: 1 + random.below(4) as u32,
            is_in_step: random.below(2) == 0,
        };
        let losses = (0..1 + random.below(2)).map(|_| loss(random)).collect();
        let policy = if is_by_code { Policy::None } else { Policy::EarliestDeadline };
        Case { losses, policy, is_exact: false, ..Case::new(tasks, texts) }
    });
    assert!(tally.accepted > 25 && tally.refused > 80, "too few");
}

/// E code in which guards decide on releases.
fn guarded(tasks: &[Periodic], random: &mut Random) -> String {
    let mut text = String::new();
    for (number, line) in e_code(tasks, "").lines().enumerate() {
        match line.strip_prefix("release ") {
            Some(_) if random.below(2) == 0 => {
                let _ = writeln!(text, "call look\nbranch g{number}\n{line}\ng{number}:");
            }
            _ => text = text + line + "\n",
        }
    }
    let last = tasks.len() - 1;
    text.replace(&format!("driver in{last}, out{last}"), &format!("driver in{last}, out{last}, look"))
}

#[test]
fn guards_are_followed_both_ways() {
    let tally = compare(0..250, |random| {
        let tasks = random_tasks(random);
        let text = guarded(&tasks, random);
        Case::new(tasks, vec![text])
    });
    assert!(tally.accepted > 80 && tally.refused > 80 && tally.undecided == 0);
}

/// Two modes with different tasks, a guard at the end of each.
fn modes(tasks: &[Periodic], own: [&[usize]; 2]) -> String {
    let mut text = names(tasks) + "driver look\njump first\n";
    let period = hyperperiod(tasks);
    for (mode, own) in own.iter().enumerate() {
        let _ = writeln!(text, "m{mode}:");
        own.iter().for_each(|task| writeln!(text, "call out{task}").expect("text"));
        if mode == 0 {
            text += "first:\n";
        }
        for task in *own {
            let _ = writeln!(text, "call in{task}\nrelease t{task}, {period}");
        }
        let other = 1 - mode;
        let _ = writeln!(text, "future {period}, x{mode}\nreturn");
        let _ = writeln!(text, "x{mode}: call look\nbranch y{mode}\nfuture 1, z{mode}\nreturn");
        let _ = writeln!(text, "y{mode}: future 1, z{other}\nreturn\nz{mode}: future 1, m{mode}\nreturn");
    }
    text
}

#[test]
fn modes_between_which_guards_choose_are_all_looked_at() {
    let tally = compare(0..200, |random| {
        let mut tasks = random_tasks(random);
        let period = tasks.iter().map(|task| task.period).max().unwrap_or(1);
        for task in &mut tasks {
            task.period = period;
            task.bound = UNIT as u32 * (1 + random.below((period / UNIT) as usize * 2 / 3) as u32);
        }
        let last = tasks.len() - 1;
        let text = modes(&tasks, [&[0, last], &[last - 1, last]]);
        Case { policy: Policy::FixedPriority, ..Case::new(tasks, vec![text]) }
    });
    assert!(tally.accepted > 40 && tally.refused > 20 && tally.undecided == 0);
}

/// The third stretch is the first in which two periods of what is lost may have work.
#[test]
fn everything_repeats_only_when_losses_do_so_too() {
    let tasks = vec![Periodic { period: 10, bound: 8 }];
    let texts = vec![e_code(&tasks, "")];
    let loss = |worst| vec![Loss { period: 25, worst, is_in_step: true }];
    let case = Case { losses: loss(1), ..Case::new(tasks, texts) };
    assert_eq!(case.check(&case.programs()), Ok(()));
    let case = Case { losses: loss(2), ..case };
    let breach = case.check(&case.programs()).expect_err("12 of 10");
    assert_eq!((breach.at, breach.fault), (30, Fault::Safety(0)));
}

/// One module reads the other's output before that releases its task again.
#[test]
fn phases_of_one_instant_are_ordered_over_all_programs() {
    let tasks = vec![Periodic { period: 10, bound: 4 }];
    let own = "task t0\ndriver in0, out0\na: phase releases\ncall in0\nrelease t0, 10\nfuture 10, a\nreturn";
    let reader =
        |phase: &str| format!("task t0\ndriver in0, out0\nb: {phase}\ncall out0\nfuture 10, b\nreturn");
    let check = |phase: &str| {
        let case = Case::new(tasks.clone(), vec![own.to_owned(), reader(phase)]);
        assert!(case.programs().iter().all(is_well_formed));
        case.check(&case.programs()).map_err(|breach| (breach.program, breach.at, breach.fault))
    };
    assert_eq!(check("phase actuators"), Ok(()));
    assert_eq!(check("phase releases"), Err((1, 0, Fault::Safety(0))));
}

#[test]
fn too_little_memory_is_said_and_breaks_nothing() {
    use beryl_syscode::check::time::{Parts, Policy, Task, Time};
    let tasks = [Periodic { period: 20, bound: 4 }, Periodic { period: 40, bound: 8 }];
    let text = guarded(&tasks, &mut Random::new(3));
    let (bytes, touches) = (show::program(&text).to_bytes(), [1, 1, 2, 2, 0]);
    let programs = [Container::read(&bytes).expect("a fresh container")];
    let rows = tasks.map(|task| Task { bound: task.bound, rank: 0 });
    let policies = [Policy::EarliestDeadline];
    let image =
        Parts { programs: &programs, tasks: &rows, touches: &touches, policies: &policies, losses: &[] };
    let check = Time::new(&image, 0, 100);
    let needed = check.words(4);
    assert!(check.run(&image, &mut vec![7; needed]).is_ok());
    for words in 0..needed {
        match check.run(&image, &mut vec![7; words]) {
            Ok(_) => assert!(words >= check.words(1), "{words} of {needed} words"),
            Err(breach) => assert_eq!(breach.fault, Fault::Memory),
        }
    }
}
