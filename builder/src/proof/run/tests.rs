//! Faults behind many instants, searches that come to an end, and runs with guards beside the check of time.

use beryl_abi::{DriverId, Duration, ThreadId};
use beryl_syscode::check::time::{Breach, Fault, Loss, PATIENCE, Parts, Policy, Task, Time};
use beryl_syscode::container::Content;
use beryl_syscode::{Container, Instruction};
use beryl_testing::High as Random;

use super::{MOST, Searched, search};

/// Every ten ticks a task is released, whose job takes one.
fn searched(losses: &[Loss], most: usize) -> Searched {
    let code = [
        Instruction::Release { task: ThreadId(0), deadline: 0 },
        Instruction::Future { delay: 0, address: 0 },
        Instruction::Return {},
    ];
    let code = code.map(|instruction| instruction.encode());
    let durations = [Duration::from_ticks(10)];
    let content = Content { code: &code, durations: &durations, tasks: &["task"], ..Content::default() };
    let mut bytes = Vec::new();
    Container::write(&content, &mut bytes);
    let container = Container::read(&bytes).expect("a fresh container");
    let parts = Parts {
        programs: &[container],
        tasks: &[Task { bound: 1, rank: 0 }],
        touches: &[],
        policies: &[Policy::EarliestDeadline],
        losses,
    };
    search(&parts, most)
}

/// Three ticks are lost in each period, so the job isn't done only where both periods begin between two instants.
fn in_step(periods: [u32; 2]) -> [Loss; 2] {
    periods.map(|period| Loss { period, worst: 3, is_in_step: true })
}

#[test]
fn a_fault_behind_more_than_fifty_thousand_instants_is_found() {
    let periods = [4007, 4013];
    let begins = |from: u64, period: u64| (from + 9) / period > from / period;
    let mut instants = (0..).step_by(10);
    let from = instants.find(|from| periods.iter().all(|period| begins(*from, u64::from(*period))));
    let from = from.expect("they meet at last");
    assert!(from / 10 > 50_000, "{from}");
    let Searched::Found(run) = searched(&in_step(periods), MOST) else { panic!("there is a run") };
    let ats: Vec<_> = run.instants.iter().map(|visit| visit.at).collect();
    assert_eq!(ats, (0..=from + 10).step_by(10).collect::<Vec<_>>());
    assert!(
        run.instants[1..]
            .split_last()
            .is_some_and(|(_, all)| all.iter().all(|visit| visit.addresses == [0, 1, 2]))
    );
    assert_eq!(
        (run.instants.last().map(|visit| visit.addresses.as_slice()), run.task, run.left),
        (Some(&[0][..]), 0, 1)
    );
}

#[test]
fn a_search_ends_where_everything_repeats_itself() {
    // These periods begin at instants, never between two; all is as before after 400 of them.
    assert_eq!(searched(&in_step([4000, 800]), 300), Searched::GivenUp(300));
    assert_eq!(searched(&in_step([4000, 800]), 402), Searched::None);
    assert_eq!(searched(&[], 2), Searched::None);
}

/// Instants one behind the other; at each, guards decide which of three tasks are released, and which outputs are read.
fn random_code(random: &mut Random) -> Vec<Instruction> {
    let instants = 1 + random.below(3) as u16;
    let mut code = Vec::new();
    for instant in 0..instants {
        for _ in 0..2 {
            let address = code.len() as u16 + 2 + random.below(2) as u16;
            code.push(Instruction::Branch { address });
            let task = random.below(3) as u8;
            code.push(Instruction::Call { driver: DriverId(task.into()) });
            code.push(Instruction::Release {
                task: ThreadId(random.below(3) as u8),
                deadline: random.below(3) as u8,
            });
        }
        let next = if instant + 1 == instants { 0 } else { code.len() as u16 + 2 };
        code.push(Instruction::Future { delay: random.below(3) as u8, address: next });
        code.push(Instruction::Return {});
    }
    code
}

#[test]
fn with_guards_a_run_is_as_short_as_the_check_of_time_says() {
    let (mut found, mut late, mut none) = (0, 0, 0);
    for seed in 0..3000 {
        let mut random = Random::new(seed + 1);
        let code = random_code(&mut random);
        let words: Vec<_> = code.iter().map(|instruction| instruction.encode()).collect();
        let durations = [10, 20, 30].map(Duration::from_ticks);
        let (drivers, tasks) = (["one", "two", "three"], ["one", "two", "three"]);
        let content = Content {
            code: &words,
            durations: &durations,
            tasks: &tasks,
            drivers: &drivers,
            ..Content::default()
        };
        let mut bytes = Vec::new();
        Container::write(&content, &mut bytes);
        let policy = [Policy::EarliestDeadline, Policy::FixedPriority][random.below(2) as usize];
        let tasks = [0, 1, 2].map(|_| Task { bound: 1 + random.below(4), rank: 0 });
        let losses = [Loss {
            period: 70 + 50 * random.below(3),
            worst: random.below(12),
            is_in_step: random.below(2) == 0,
        }];
        let parts = Parts {
            programs: &[Container::read(&bytes).expect("a fresh container")],
            tasks: &tasks,
            touches: &[1, 2, 4],
            policies: &[policy],
            losses: &losses,
        };
        let context = format!("seed {seed}: {code:?}, {tasks:?}, {policy:?}, {losses:?}");
        match (Time::new(&parts, 0, PATIENCE).run(&parts, &mut vec![0; 4000]), search(&parts, MOST)) {
            (Ok(_), run) => {
                assert_eq!(run, Searched::None, "{context}");
                none += 1;
            }
            (Err(Breach { at, fault: Fault::Safety(_), .. }), Searched::Found(run)) => {
                assert_eq!(run.instants.last().map(|visit| visit.at), Some(at), "{context}");
                (found, late) = (found + 1, late + usize::from(run.instants.len() > 3));
            }
            (Err(Breach { fault: Fault::Memory | Fault::Long, .. }), _) => {}
            (check, run) => panic!("{context}: {check:?}, {run:?}"),
        }
    }
    assert!(found > 500 && late > 20 && none > 100, "{found} found, {late} of them late, {none} accepted");
}
