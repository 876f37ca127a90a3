//! The shortest run that breaks a program for a slot ends where the check of time says that it may go wrong,
//! and there is none where it accepts.

use std::path::Path;

use beryl_abi::ThreadId;
use beryl_builder::code::Program;
use beryl_builder::emit::container::containers;
use beryl_builder::proof::{Searched, check, read_and_check, shortest_run};
use beryl_builder::{Project, Variant};
use beryl_syscode::Instruction;
use beryl_syscode::check::time::{Breach, Fault, Loss};
use beryl_syscode::refused::Refused;
use beryl_testing::High;

fn landing() -> Project {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples/landing");
    let project = Project::load(&folder, Variant::default()).expect("the example is right");
    project.with(|system| {
        let all = system.programs.iter_mut().chain(&mut system.alternatives);
        all.for_each(|program| program.certificate.clear());
    })
}

/// The same code with the first and the last task exchanged, and their outputs read in the releases' place only.
fn exchanged(code: &[u32]) -> Vec<u32> {
    let other = |word: &u32| match Instruction::decode(*word) {
        Some(Instruction::Release { task, deadline }) => {
            Instruction::Release { task: ThreadId(2 - task.0), deadline }.encode()
        }
        Some(Instruction::Call { .. } | Instruction::Calls { .. }) => Instruction::Period {}.encode(),
        _ => *word,
    };
    code.iter().map(other).collect()
}

/// Supplies with other times and losses: of both programs, what is refused breaks where the check says.
#[test]
fn a_run_ends_where_the_check_says_that_it_may_go_wrong() {
    let original = landing();
    let mut containers = containers(&original);
    // The last number is the most urgent, and only their releases and reads are left.
    let urgent =
        Program { code: exchanged(&original.alternatives[0].code), ..original.alternatives[0].clone() };
    let exchanged = original.with(|system| system.alternatives = vec![urgent]);
    containers.extend(beryl_builder::emit::container::containers(&exchanged).into_iter().skip(1));
    let (mut refused, mut late) = (0, 0);
    for seed in 0..160 {
        let mut random = High::new(seed);
        let project = original.with(|system| {
            let supply = &mut system.supplies[0];
            supply.times.iter_mut().for_each(|task| task.bound = random.below(220_000));
            supply.losses[0].is_in_step = random.below(2) == 0;
            let period = 260_000 + random.below(400_000);
            supply.losses.push(Loss { period, worst: random.below(60_000), is_in_step: true });
        });
        for (name, bytes) in &containers {
            let Err(Refused::Time(breach)) = read_and_check(&project, 0, bytes) else { continue };
            // It also gives up where nothing repeats itself.
            let Breach { address, at, fault: Fault::Safety(task), .. } = breach else { continue };
            let Searched::Found(run) = shortest_run(&project, 0, bytes) else {
                panic!("seed {seed}, {name}: {breach}");
            };
            let last = run.instants.last().expect("it has an end");
            assert_eq!(
                (last.at, last.addresses.last(), run.task),
                (at, Some(&address), task.into()),
                "seed {seed}"
            );
            assert!(run.left > 0 && run.instants[0].at == 0, "seed {seed}, {name}: {run:?}");
            assert!(run.instants.is_sorted_by(|one, next| one.at < next.at), "seed {seed}, {name}: {run:?}");
            refused += 1;
            late += usize::from(run.instants.len() > 3);
        }
    }
    assert!(refused > 120 && late > 10, "{refused} refused, {late} of them later than the third instant");
}

#[test]
fn what_is_accepted_has_no_run_that_breaks_it() {
    let project = landing();
    for ((_, bytes), program) in
        containers(&project).iter().zip(project.programs.iter().chain(&project.alternatives))
    {
        let bare = Program { certificate: Vec::new(), ..program.clone() };
        assert!(check(&project, 0, &bare).is_ok());
        assert_eq!(shortest_run(&project, 0, bytes), Searched::None, "{}", program.module);
    }
}
