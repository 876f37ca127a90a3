//! Fixed priorities with offsets: compared with simulated transactions.

use beryl_testing::{Draw, SplitMix64 as Random};

use super::jobs::{self, Activation, START, always, longest};
use super::ticks;
use crate::fixed_priority::offsets::{Member, holds, response_times};
use crate::fixed_priority::{self};
use crate::{Failure, Fault, Sporadic};

/// Up to three transactions of one to three tasks, mixed in priority, with less than the whole processor.
fn members(random: &mut Random) -> Vec<Member> {
    loop {
        let periods = [0; 3].map(|_| *random.one_of(&[8, 10, 12, 15, 20, 24]));
        let count = random.within(2, 5);
        let members: Vec<_> = (0..count)
            .map(|_| {
                let transaction = usize::try_from(random.within(0, 2)).unwrap();
                let period = periods[transaction];
                let worst = random.within(1, period / 4);
                let jitter = *random.one_of(&[0, 0, random.0 % period]);
                let task = Sporadic::implicit(ticks(period), ticks(worst)).due(ticks(4 * period));
                let offset = ticks(random.within(0, period - 1));
                Member { transaction, offset, task: task.released_within(ticks(jitter)) }
            })
            .collect();
        let tasks: Vec<_> = members.iter().map(|member| member.task).collect();
        if crate::sporadic::utilisation(&tasks).unwrap() < crate::Utilisation::ONE {
            return members;
        }
    }
}

/// The jobs of transactions whose first events come at these times, and then as often as they may. Releases
/// have the jitter that `late` gives.
fn activations(members: &[Member], first: [u64; 3], mut late: impl FnMut(u64) -> u64) -> Vec<Activation> {
    let mut jobs = Vec::new();
    for (task, member) in members.iter().enumerate() {
        let (period, jitter) = (member.task.period.get(), member.task.jitter.get());
        let mut last = 0;
        for event in (0..200 / period).map(|event| first[member.transaction] + event * period) {
            let arrival = event + member.offset.get();
            last = last.max(arrival + late(jitter));
            let deadline = arrival + member.task.deadline.get();
            jobs.push(Activation { task, arrival, release: last, deadline, work: member.task.worst.get() });
        }
    }
    jobs
}

fn by_order(job: &Activation, _: u64) -> usize {
    job.task
}

#[test]
fn no_phasing_of_transactions_takes_longer() {
    let (mut reached, mut bounds, mut shorter) = (0, 0, 0);
    for seed in 0..30 {
        let mut random = Random(seed);
        let members = members(&mut random);
        let responses = response_times(&members).unwrap();
        let mut seen = vec![0; members.len()];
        for _ in 0..60 {
            let first = [0; 3].map(|_| START + random.within(0, 24));
            let all_late = random.within(0, 1) == 0;
            let jobs = activations(&members, first, |jitter| match all_late {
                true => jitter,
                false => *random.one_of(&[0, jitter, random.0 % (jitter + 1)]),
            });
            let ends = jobs::run(&jobs, by_order, always);
            let found = longest(members.len(), &jobs, &ends);
            seen.iter_mut().zip(found).for_each(|(seen, found)| *seen = found.max(*seen));
        }
        for (index, (seen, bound)) in seen.iter().zip(&responses).enumerate() {
            assert!(*seen <= bound.get(), "seed {seed}, task {index}: {seen} beyond {bound}: {members:?}");
            reached += u32::from(*seen == bound.get());
            bounds += 1;
        }
        let tasks: Vec<_> = members.iter().map(|member| member.task).collect();
        let together = fixed_priority::response_times(&tasks, &[]).unwrap();
        assert!(responses.iter().zip(&together).all(|(apart, together)| apart <= together), "seed {seed}");
        shorter += u32::from(responses != together);
    }
    assert!(
        reached * 2 > bounds && shorter > 8,
        "{reached} of {bounds} reached, {shorter} better than without"
    );
}

/// For tasks alone in their transactions, offsets don't matter.
#[test]
fn lone_tasks_are_sporadic() {
    for seed in 0..300 {
        let mut random = Random(seed);
        let tasks = jobs::tasks(&mut random);
        let alone: Vec<_> = tasks
            .iter()
            .enumerate()
            .map(|(transaction, task)| {
                let offset = ticks(random.within(0, task.period.get() - 1));
                Member { transaction, offset, task: *task }
            })
            .collect();
        assert_eq!(
            response_times(&alone),
            fixed_priority::response_times(&tasks, &[]),
            "seed {seed}: {tasks:?}"
        );
    }
}

/// By hand: three tasks of 3 in 12 that come 4 apart never meet; negative control: together they take up to
/// 9, and jitter brings them together again: the first comes late, then on time, and meets the third twice.
#[test]
fn tasks_that_never_meet_do_not_wait() {
    let task = Sporadic::implicit(ticks(12), ticks(3));
    let apart = [0, 4, 8].map(|offset| Member { transaction: 0, offset: ticks(offset), task });
    assert_eq!(response_times(&apart), Ok(vec![ticks(3); 3]));
    let due = apart.map(|member| Member { task: task.due(ticks(3)), ..member });
    assert_eq!(holds(&due), Ok(true));
    let together = apart.map(|member| Member { offset: ticks(0), ..member });
    assert_eq!(response_times(&together), Ok([3, 6, 9].map(ticks).to_vec()));
    let mut late = apart;
    late[0].task.jitter = ticks(4);
    assert_eq!(response_times(&late), Ok([7, 6, 8].map(ticks).to_vec()));
}

#[test]
fn offsets_beyond_the_period_and_overload_are_refused() {
    let task = Sporadic::implicit(ticks(12), ticks(4));
    let member = |transaction, offset, task| Member { transaction, offset: ticks(offset), task };
    let too_much = [0, 1, 2, 3].map(|offset| member(0, offset, task));
    assert!(matches!(response_times(&too_much), Err(Failure::Overload { .. })));
    assert_eq!(holds(&too_much), Ok(false));
    let refused = |members: &[Member]| match response_times(members) {
        Err(Failure::Invalid { name, fault: Fault::OffsetOutOfRange }) => name,
        other => panic!("{other:?}"),
    };
    assert_eq!(refused(&[member(0, 0, task), member(0, 12, task)]), "task 1");
    let other = Sporadic::implicit(ticks(13), ticks(1));
    assert_eq!(refused(&[member(0, 0, task), member(0, 1, other)]), "task 0");
}
