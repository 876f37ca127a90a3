//! Deadlines beyond periods in bands of a system: compared with the tests for lists, and by hand.

use beryl_testing::SplitMix64 as Random;

use super::jobs;
use super::*;
use crate::demand::Load;

fn of(list: &[Sporadic]) -> Vec<Task> {
    let one = |of: &Sporadic| Task {
        deadline: of.deadline,
        backlog: 9,
        ..task("t", of.period.get(), of.worst.get())
    };
    list.iter().map(one).collect()
}

/// With either policy, and in the search for the largest slowdown.
#[test]
fn bands_have_the_response_times_of_lists() {
    let (mut beyond, mut held) = (0, 0);
    for seed in 0..3000 {
        let list: Vec<_> =
            jobs::tasks(&mut Random(seed)).iter().map(|task| task.released_within(ticks(0))).collect();
        let analysed = |system: &System, policy| {
            let analysis = crate::proof::analyse(&Load::of(system).unwrap(), 0, policy).unwrap();
            (analysis.responses, analysis.holds)
        };
        let (responses, holds) = analysed(&dynamic(of(&list)), Policy::Dynamic);
        assert_eq!(responses, edf::response_times(&list).unwrap(), "seed {seed}: {list:?}");
        assert_eq!(holds, edf::holds(&list).unwrap(), "seed {seed}: {list:?}");
        let system = fixed(of(&list));
        let (responses, holds) = analysed(&system, Policy::Fixed);
        assert_eq!(holds, fixed_priority::holds(&list, &[]).unwrap(), "seed {seed}: {list:?}");
        assert_eq!(holds, crate::sensitivity::speed(&system).is_ok(), "seed {seed}: {list:?}");
        let theirs = fixed_priority::response_times(&list, &[]).unwrap();
        for ((ours, theirs), task) in responses.iter().zip(theirs).zip(&list) {
            let is_late = *ours > task.deadline && theirs > task.deadline;
            assert!(*ours == theirs || is_late, "seed {seed}: {ours} {theirs}: {list:?}");
            beyond += u32::from(theirs > task.period && theirs <= task.deadline);
        }
        held += u32::from(holds);
    }
    assert!(beyond > 100 && held > 500, "{beyond} {held}");
}

/// 4 in 10, and 7 in 12: the first of the less urgent jobs takes 15, and is at work when the second comes.
#[test]
fn a_job_must_be_done_before_a_release_is_skipped_for_it() {
    let late = |backlog, deadline| Task { backlog, deadline: ticks(deadline), ..task("late", 12, 7) };
    let system = |late: Task| fixed(vec![task("first", 10, 4), late]);
    let fault = Failure::Invalid { name: "late".into(), fault: Fault::DeadlineOutOfRange };
    assert_eq!(prove(&system(late(0, 20))), Err(fault));
    let proof = prove(&system(late(1, 20))).unwrap();
    assert_eq!((responses(&proof), proof.bands[0].tasks[1].deadline), (vec![4, 15], ticks(20)));
    // With a longer deadline one release may still wait, and no more.
    assert_eq!(prove(&system(late(1, 40))).unwrap().bands[0].tasks[1].deadline, ticks(24));
    assert!(prove(&system(late(1, 13))).is_err());
    // By deadlines, as long as nothing is skipped.
    let both = dynamic(vec![task("first", 10, 4), late(1, 20)]);
    let list =
        [Sporadic::implicit(ticks(10), ticks(4)), Sporadic::implicit(ticks(12), ticks(7)).due(ticks(20))];
    let theirs: Vec<u64> = edf::response_times(&list).unwrap().iter().map(|time| time.get()).collect();
    assert_eq!(responses(&prove(&both).unwrap()), theirs);
    assert!(crate::sensitivity::speed(&both).is_ok());
    let skips = dynamic(vec![task("first", 10, 4), Task { deadline: ticks(100), ..late(1, 20) }]);
    assert_eq!(prove(&skips).unwrap().bands[0].tasks[1].deadline, ticks(24));
    // Modes don't allow such tasks.
    let modal = crate::modes::Modal { system: both, modules: Vec::new() };
    assert!(matches!(crate::modes::prove(&modal), Err(Failure::Invalid { .. })));
}
