//! Condition variables with both kinds of lock: signal, broadcast, timeouts.

use beryl_abi::{ConditionId, SemaphoreId, ThreadId};
use beryl_kernel::{Condition as Row, Semaphore, SemaphoreKind};
use beryl_user::condition::Condition;
use beryl_user::lock::Lock;
use beryl_user::semaphore::Binary;
use beryl_user::time::Wait;

use crate::scenario::{
    ALL, BASE, Scenario, at_most, elsewhere, end, free, level, note, sleep_until, spend, words,
};

fn binary() -> Binary<i32> {
    // SAFETY: the first semaphore has no word; the value has a place of its own.
    unsafe { Binary::new(SemaphoreId(0), 0, ThreadId(0), BASE) }
}

fn condition() -> Condition {
    // SAFETY: all threads may use the first condition.
    unsafe { Condition::new(ConditionId(0)) }
}

fn tables(scenario: Scenario) -> Scenario {
    scenario.with(|system| {
        system.semaphores[0] = Semaphore { processes: ALL, kind: SemaphoreKind::Binary { word: 0 } };
        system.conditions[0] = Row { processes: ALL };
        system.threads.iter_mut().for_each(|thread| thread.highest_ceiling = level(3));
    })
}

/// Waits until the value is `LEAST` at least, with the semaphore.
extern "C" fn waiter<const LEAST: i32>() -> ! {
    let mut semaphore = binary();
    let mut held = semaphore.wait().unwrap();
    while *held < LEAST {
        condition().wait(&mut held).unwrap();
        note(&format!("{LEAST} sees {}", *held));
    }
    spend(2);
    drop(held);
    end(&format!("{LEAST} ends"))
}

/// Counts up with a signal, then with a broadcast.
extern "C" fn changer() -> ! {
    let mut semaphore = binary();
    for number in 1..=2 {
        spend(10);
        let mut held = semaphore.wait().unwrap();
        *held = number;
        if number == 1 {
            condition().signal()
        } else {
            condition().broadcast()
        }
        spend(1);
        note(&format!("set {number}"));
    }
    end("changer ends")
}

#[test]
fn the_most_urgent_is_signalled_and_a_broadcast_reaches_all() {
    let scenario = Scenario::new()
        .thread(elsewhere(free(2)), waiter::<1>)
        .thread(free(3), waiter::<2>)
        .thread(free(1), changer);
    let expected = [
        "11 set 1",
        "11 2 sees 1", // more urgent, but it isn't enough for it
        "22 set 2",
        "22 2 sees 2", // both are woken, and get the semaphore one after the other
        "24 2 ends",
        "24 1 sees 2",
        "26 1 ends",
        "26 changer ends",
    ];
    let notes = tables(scenario).notes(100);
    assert_eq!(notes, expected);
}

extern "C" fn impatient() -> ! {
    let mut semaphore = binary();
    let mut held = semaphore.wait().unwrap();
    let answer = condition().wait_for(&mut held, at_most(15));
    note(&format!("{answer:?}, {}", *held));
    drop(held);
    end("impatient ends")
}

#[test]
fn who_waits_too_long_owns_the_semaphore_all_the_same() {
    let scenario = Scenario::new().thread(free(2), impatient).thread(free(1), busy);
    let expected = ["20 busy out", "20 Err(TimedOut), 7", "20 impatient ends", "20 busy ends"];
    assert_eq!(tables(scenario).notes(100), expected);
}

/// Owns the semaphore from 0 to 20, so that a timeout at 15 has to wait for it.
extern "C" fn busy() -> ! {
    let mut semaphore = binary();
    let mut held = semaphore.wait().unwrap();
    spend(20);
    *held = 7;
    note("busy out");
    drop(held);
    end("busy ends")
}

fn lock(thread: u32) -> Lock<i32> {
    // SAFETY: the words are the thread's own, and the value has a place of its own.
    unsafe { Lock::new(words(thread), level(3).into(), BASE + 8) }
}

/// Waits inside the ceiling lock until the value is positive, and takes it.
extern "C" fn inside() -> ! {
    let taken = lock(0).with_when(&condition(), Wait::Forever, |value| {
        note(&format!("inside sees {value}"));
        (*value > 0).then(|| std::mem::take(value))
    });
    note(&format!("took {}", taken.unwrap()));
    let waited = lock(0).with_when(&condition(), at_most(9), |value| (*value > 0).then_some(()));
    end(&format!("then {waited:?}"))
}

extern "C" fn filler() -> ! {
    sleep_until(10);
    lock(1).with(|value| {
        *value = 5;
        condition().signal();
        note("signalled");
        spend(3);
        note("filler out");
    });
    spend(4);
    end("filler ends")
}

#[test]
fn a_ceiling_lock_is_given_up_while_its_thread_waits() {
    let scenario = Scenario::new().thread(free(3), inside).thread(free(2), filler);
    let expected = [
        "0 inside sees 0",
        "10 signalled",
        "13 filler out", // the woken thread isn't above the ceiling
        "13 inside sees 5",
        "13 took 5",
        "17 filler ends",
        "22 then Err(TimedOut)",
    ];
    assert_eq!(tables(scenario).notes(100), expected);
}
