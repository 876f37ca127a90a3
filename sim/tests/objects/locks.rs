//! Ceiling locks: who may come in between, and who has to wait.

use beryl_user::lock::Lock;

use crate::scenario::{BASE, Scenario, elsewhere, end, free, level, note, sleep_until, spend, urgent, words};

/// The lock of threads up to priority `ceiling`, for thread number `thread`.
fn lock(thread: u32, ceiling: u8) -> Lock<i32> {
    // SAFETY: the words are the thread's own, and the value has a place of its own.
    unsafe { Lock::new(words(thread), level(ceiling).into(), BASE) }
}

extern "C" fn low() -> ! {
    let mut lock = lock(0, 3);
    lock.with(|value| {
        note("low in");
        spend(30);
        *value += 1;
        note("low out");
    });
    end("low ends")
}

extern "C" fn medium() -> ! {
    sleep_until(10);
    note("medium");
    spend(10);
    end("medium ends")
}

extern "C" fn high() -> ! {
    sleep_until(20);
    note("high");
    lock(2, 3).with(|value| {
        spend(5);
        *value += 1;
        note(&format!("high out, {value}"));
    });
    end("high ends")
}

extern "C" fn above() -> ! {
    sleep_until(15);
    note("above");
    spend(2);
    end("above ends")
}

/// The four of them; the first three use the lock or are below its ceiling.
fn scenario() -> Scenario {
    Scenario::new()
        .thread(free(1), low)
        .thread(free(2), medium)
        .thread(free(3), high)
        .thread(urgent(0, 100), above)
        .with(|system| {
            for user in [0, 2] {
                system.threads[user].highest_ceiling = level(3);
            }
        })
}

#[test]
fn nobody_up_to_the_ceiling_comes_in_between() {
    let expected = [
        "0 low in",
        "15 above", // its level is above the ceiling
        "17 above ends",
        "32 low out", // medium is ready since 10, high since 20
        "32 high",
        "37 high out, 2",
        "37 high ends",
        "37 medium",
        "47 medium ends",
        "47 low ends",
    ];
    assert_eq!(scenario().notes(200), expected);
}

#[test]
fn the_kernel_believes_a_word_up_to_the_highest_ceiling_only() {
    let scenario = scenario().with(|system| system.threads[0].highest_ceiling = level(1));
    let expected = ["0 low in", "10 medium", "15 above", "17 above ends", "20 high", "25 high out, 1"];
    assert_eq!(scenario.notes(200)[..expected.len()], expected);
}

extern "C" fn stays() -> ! {
    lock(0, 3).with(|_| spend(297));
    end("stays ends")
}

/// A hold that isn't kept is felt up to the ceiling, also in a process that has nothing to do with the lock;
/// and not above it.
#[test]
fn who_stays_inside_delays_other_processes_up_to_the_ceiling() {
    let scenario = |priority| {
        let other = elsewhere(free(priority));
        Scenario::new()
            .thread(free(1), stays)
            .thread(other, medium)
            .with(|system| system.threads[0].highest_ceiling = level(3))
    };
    assert_eq!(scenario(3).notes(400)[..2], ["297 medium", "307 medium ends"]);
    assert_eq!(scenario(4).notes(400)[..2], ["10 medium", "20 medium ends"]);
}

extern "C" fn nested() -> ! {
    // SAFETY: as in `lock`, with a value of its own.
    let mut inner: Lock<i32> = unsafe { Lock::new(words(0), level(3).into(), BASE + 8) };
    lock(0, 2).with(|_| {
        spend(5);
        inner.with(|_| spend(20));
        note("inner out");
        spend(5);
        note("outer out");
    });
    end("nested ends")
}

#[test]
fn who_is_between_two_ceilings_waits_for_the_inner_lock_only() {
    let scenario = Scenario::new()
        .thread(free(1), nested)
        .thread(free(2), medium)
        .thread(free(3), high)
        .with(|system| system.threads.iter_mut().for_each(|thread| thread.highest_ceiling = level(3)));
    let expected = [
        "25 high", // ready since 20
        "30 high out, 1",
        "30 high ends",
        "30 inner out",
        "35 outer out",
        "35 medium", // ready since 10
        "45 medium ends",
        "45 nested ends",
    ];
    assert_eq!(scenario.notes(200), expected);
}
