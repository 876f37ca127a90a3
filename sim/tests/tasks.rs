//! Tasks that share something: the locks of threads, with the urgency of deadlines.

mod controller;

use beryl_abi::{Duration, Instant, SemaphoreId, ThreadId};
use beryl_kernel::{Semaphore, SemaphoreKind, System};
use beryl_sim::{Options, run};
use beryl_user::lock::Lock;
use beryl_user::semaphore::Binary;
use beryl_user::{call, task};
use controller::records::{lines, without_switches};
use controller::{BASE, Controller, SYSTEM, simulation, threads_taking};

/// The controller with a semaphore, and a ceiling lock of both tasks: fast has the higher level.
fn system() -> &'static System<Controller> {
    let mut system = SYSTEM.clone();
    system.semaphores[0] = Semaphore { processes: 0b01, kind: SemaphoreKind::Binary { word: 0 } };
    for (thread, level) in [(0, 2), (1, 1)] {
        (system.threads[thread].level, system.threads[thread].highest_ceiling) = (level, 2);
    }
    Box::leak(Box::new(system))
}

/// What happens from 100 on, without drivers, if both tasks run this code.
fn from_100(fast: extern "C" fn() -> !, slow: extern "C" fn() -> !) -> Vec<String> {
    let mut threads = threads_taking(10, 40);
    (threads[0].entry, threads[1].entry) = (Some(fast), Some(slow));
    let outcome = run(simulation(system(), &threads), &Options::until(Instant::from_ticks(199))).unwrap();
    let instant = |line: &String| line.split(' ').next().and_then(|word| word.parse::<u64>().ok()).unwrap();
    let lines = lines(&outcome.trace).into_iter();
    lines.filter(|line| instant(line) >= 100 && !line.contains("driver")).collect()
}

fn spend(ticks: u64) {
    call::spend(Duration::from_ticks(ticks));
}

fn semaphore() -> Binary<i32> {
    // SAFETY: it has no word, and the value has a place of its own.
    unsafe { Binary::new(SemaphoreId(0), 0, ThreadId(0), BASE + 0x60) }
}

fn lock(thread: u32) -> Lock<i32> {
    // SAFETY: the words are the thread's own, and the value has a place of its own.
    unsafe { Lock::new(SYSTEM.threads[thread as usize].words, 2, BASE + 0x60) }
}

extern "C" fn fast_with_semaphore() -> ! {
    task::run(|| {
        let mut semaphore = semaphore();
        let _held = semaphore.wait().unwrap();
        spend(5);
    })
}

extern "C" fn slow_with_semaphore() -> ! {
    task::run(|| {
        let mut semaphore = semaphore();
        let held = semaphore.wait().unwrap();
        spend(100);
        drop(held);
        spend(20);
    })
}

#[test]
fn a_task_that_holds_a_semaphore_runs_at_the_deadline_of_who_waits() {
    let expected = [
        "100 switch 1 to 2",
        "100 release 0 at 100 until 200",
        "100 switch 2 to 0",
        "100 switch 0 to 1", // slow has it since 10
        "110 switch 1 to 0",
        "120 complete 0",
        "120 switch 0 to 1",
        "140 complete 1",
        "140 switch 1 to 3",
    ];
    assert_eq!(from_100(fast_with_semaphore, slow_with_semaphore), expected);
}

extern "C" fn fast_with_lock() -> ! {
    task::run(|| lock(0).with(|_| spend(5)))
}

extern "C" fn slow_with_lock() -> ! {
    task::run(|| {
        lock(1).with(|_| spend(100));
        spend(20);
    })
}

#[test]
fn a_task_inside_a_ceiling_lock_is_not_preempted_by_who_uses_it() {
    let expected = [
        "100 switch 1 to 2",
        "100 release 0 at 100 until 200",
        "100 switch 2 to 1",
        "110 switch 1 to 0",
        "120 complete 0",
        "120 switch 0 to 1",
        "140 complete 1",
        "140 switch 1 to 3",
    ];
    assert_eq!(from_100(fast_with_lock, slow_with_lock), expected);
}

extern "C" fn completing_inside() -> ! {
    task::run(|| lock(1).with(|_| call::complete()))
}

#[test]
fn completing_inside_a_ceiling_lock_is_a_fault() {
    let mut threads = threads_taking(10, 40);
    threads[1].entry = Some(completing_inside);
    let outcome = run(simulation(system(), &threads), &Options::until(Instant::from_ticks(199))).unwrap();
    let records = without_switches(&lines(&outcome.trace));
    let expected = ["50 fault 1 kind 6 address 0x0", "100 driver 2 at 100: [1]"];
    assert_eq!(records[6..8], expected);
}

/// Takes far too long inside both the first time; counts its jobs in the value of the lock.
extern "C" fn too_long_inside() -> ! {
    task::run(|| {
        let mut semaphore = semaphore();
        let _held = semaphore.wait().unwrap();
        lock(1).with(|jobs| {
            *jobs += 1;
            spend(if *jobs == 1 { 1000 } else { 5 });
        });
    })
}

extern "C" fn fast_with_both() -> ! {
    task::run(|| {
        let mut semaphore = semaphore();
        let held = semaphore.wait().unwrap();
        call::spend(Duration::from_ticks(if held.owner_died() { 7 } else { 3 }));
        drop(held);
        lock(0).with(|_| ());
    })
}

#[test]
fn a_violation_inside_ends_both_locks() {
    let mut threads = threads_taking(0, 0);
    threads[0].entry = Some(fast_with_both);
    threads[1].entry = Some(too_long_inside);
    let outcome = run(simulation(system(), &threads), &Options::until(Instant::from_ticks(399))).unwrap();
    let records: Vec<_> = without_switches(&lines(&outcome.trace))
        .into_iter()
        .filter(|line| !line.contains("driver"))
        .collect();
    let expected = [
        "0 release 0 at 0 until 100",
        "0 release 1 at 0 until 200",
        "3 complete 0",
        "100 release 0 at 100 until 200", // waits inside its lock for slow, which is inside both
        "200 violation 0 at 200",
        "200 violation 1 at 200",
        "200 release 0 at 200 until 300",
        "200 release 1 at 200 until 400",
        "207 complete 0", // learns that the owner has died
        "212 complete 1",
        "300 release 0 at 300 until 400",
        "303 complete 0",
    ];
    assert_eq!(records, expected);
}
