//! Priorities that change: the handles on the kernel, and that no job takes longer than what is proved for
//! all priorities.

use beryl_abi::{Duration, SemaphoreId, ThreadId};
use beryl_analysis::prove;
use beryl_kernel::{Place, Semaphore, SemaphoreKind, Thread as Line};
use beryl_testing::{Draw, XorShift as Random};
use beryl_user::call::CallError;
use beryl_user::period::Period;
use beryl_user::semaphore::Counting;
use beryl_user::thread::Thread;

use crate::blocking::{DYNAMIC, Row, SYSTEMS, THREADS, UNIT, longest_seen, responses, row, system};
use crate::records::{lines, without_switches};
use crate::scenario::{Scenario, elsewhere, end, free, note, periodic, sleep_until, spend};

fn thread(number: u8) -> Thread {
    // SAFETY: who may not change it is found out by the kernel.
    unsafe { Thread::new(ThreadId(number)) }
}

/// The same row with a range of priorities.
const fn between(least: u8, most: u8, row: Line) -> Line {
    let place = match row.place {
        Place::Fixed { priority, .. } => Place::Fixed { priority, least, most },
        place => place,
    };
    Line { place, ..row }
}

fn units() -> Counting {
    // SAFETY: the first semaphore, which everybody may take.
    unsafe { Counting::new(SemaphoreId(0)) }
}

extern "C" fn first() -> ! {
    units().wait().unwrap();
    end("first")
}

extern "C" fn second() -> ! {
    units().wait().unwrap();
    end("second")
}

/// Both wait; before it gives two units, it exchanges their order, and it is as urgent as both then.
extern "C" fn chooser() -> ! {
    spend(1);
    note(&format!("{:?}", thread(1).set_priority(8)));
    note(&format!("{:?} {:?}", thread(1).set_priority(9), thread(0).set_priority(1)));
    note(&format!("{:?}", thread(2).set_priority(8)));
    units().signal().unwrap();
    units().signal().unwrap();
    spend(2);
    // The least urgent of all: who waits until now runs.
    note(&format!("{:?}", thread(2).set_priority(2)));
    end("chooser")
}

#[test]
fn a_thread_says_who_of_its_process_is_served_first_and_when_it_makes_way() {
    let scenario = Scenario::new()
        .thread(between(3, 8, free(5)), first)
        .thread(between(3, 8, free(4)), second)
        .thread(between(2, 8, free(3)), chooser);
    let scenario = scenario.with(|system| {
        system.semaphores[0] =
            Semaphore { processes: 1, kind: SemaphoreKind::Counting { initial: 0, most: 2 } };
    });
    let refused = Err::<(), _>(CallError::OutOfRange);
    let expected = [
        "1 Ok(())".to_owned(),
        format!("1 {refused:?} {refused:?}"),
        "1 Ok(())".to_owned(),
        // second is woken first, and stands behind the chooser at 8; first at 5 waits for both
        "3 second".to_owned(),
        "3 first".to_owned(),
        "3 Ok(())".to_owned(),
        "3 chooser".to_owned(),
    ];
    assert_eq!(scenario.notes(100), expected);
}

extern "C" fn stranger() -> ! {
    note(&format!("{:?}", thread(1).set_priority(3)));
    end("stranger")
}

extern "C" fn sleeper() -> ! {
    sleep_until(9);
    end("sleeper")
}

#[test]
fn threads_of_other_processes_are_left_alone() {
    let scenario =
        Scenario::new().thread(elsewhere(free(2)), stranger).thread(between(1, 4, free(4)), sleeper);
    assert_eq!(scenario.notes(20), ["0 Err(NoSuchObject)", "0 stranger", "9 sleeper"]);
}

/// At the end of its first job it becomes less urgent than the other, for good.
extern "C" fn lowers_itself() -> ! {
    // SAFETY: the calling thread is periodic.
    let mut period = unsafe { Period::new() };
    spend(20);
    thread(0).set_priority(3).unwrap();
    loop {
        period.wait();
        spend(20);
    }
}

extern "C" fn worker() -> ! {
    // SAFETY: the calling thread is periodic.
    let mut period = unsafe { Period::new() };
    loop {
        spend(40);
        period.wait();
    }
}

/// The system that `builder/tests/priorities.rs` has in milliseconds: whoever keeps its priority is in time,
/// and whoever may become less urgent isn't.
#[test]
fn a_range_that_is_refused_makes_somebody_late() {
    let urgent = Line { deadline: Duration::from_ticks(50), ..periodic(9, 0, 100) };
    let misses = |entry: extern "C" fn() -> !| {
        let scenario =
            Scenario::new().thread(between(3, 9, urgent), entry).thread(periodic(5, 0, 100), worker);
        let lines = without_switches(&lines(&scenario.outcome(299).unwrap().trace));
        lines.into_iter().filter(|line| line.contains("miss")).collect::<Vec<_>>()
    };
    extern "C" fn keeps() -> ! {
        // SAFETY: the calling thread is periodic.
        let mut period = unsafe { Period::new() };
        loop {
            spend(20);
            period.wait();
        }
    }
    assert_eq!(misses(keeps), [""; 0]);
    assert_eq!(misses(lowers_itself), ["60 miss 0 of 50", "160 miss 0 of 150", "260 miss 0 of 250"]);
}

/// So many systems are run without changes, too.
const COMPARED: usize = 10;

/// Half of the threads of the fixed band may become more and less urgent than all others there.
fn changing(random: &mut Random, index: usize) -> Row {
    let drawn = row(random, index);
    if index < DYNAMIC || random.under(2) == 0 { drawn } else { drawn.between([1, 6]) }
}

/// What is proved for all priorities: each thread at its least urgent, with all others at their most urgent.
fn bounds(rows: &[Row]) -> Option<Vec<u64>> {
    let of = |subject: usize| {
        let mut rows = rows.to_vec();
        let [least, _] = rows[subject].range;
        rows[subject].range = [least; 2];
        Some(responses(&prove(&system(&rows)).ok()?)[subject])
    };
    (0..rows.len()).map(of).collect()
}

#[test]
fn no_job_takes_longer_whatever_priorities_change() {
    let (mut held, mut reached, mut otherwise) = (0, 0, 0);
    for seed in 1..=SYSTEMS {
        let mut random = Random::new(seed);
        let rows: Vec<Row> = (0..THREADS).map(|index| changing(&mut random, index)).collect();
        let (seen, broken) = longest_seen(&rows, seed);
        assert!(!broken, "two in one section: seed {seed}: {rows:#?}");
        let Some(bounds) = bounds(&rows) else { continue };
        held += 1;
        let exceeds = seen.iter().zip(&bounds).any(|(seen, bound)| seen > bound);
        assert!(!exceeds, "seed {seed}: {seen:?} of {bounds:?}: {rows:#?}");
        reached += seen.iter().zip(&bounds).filter(|(seen, bound)| **seen + UNIT > **bound).count();
        // That they change is seen: jobs take another time than with the priorities of the beginning. What
        // that may come to is above.
        if held <= COMPARED {
            let kept: Vec<_> = rows.iter().map(|row| row.clone().between([row.priority; 2])).collect();
            otherwise += usize::from(longest_seen(&kept, seed).0 != seen);
        }
    }
    println!("{held} hold, {reached} bounds reached; {otherwise} of {COMPARED} run otherwise");
    assert!(held > 25 && reached > 8 && otherwise > COMPARED / 2);
}
