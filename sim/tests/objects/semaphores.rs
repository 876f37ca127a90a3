//! Semaphores: inheritance through bands and chains, owners that stop, early hand-over, units.

use beryl_abi::call::CallError;
use beryl_abi::{SemaphoreId, ThreadId};
use beryl_kernel::{Mailbox, Semaphore, SemaphoreKind};
use beryl_user::call;
use beryl_user::mailbox::{Receiver, Sender};
use beryl_user::semaphore::{Binary, Counting};

use crate::records::lines;
use crate::scenario::{
    ALL, BASE, Scenario, elsewhere, end, free, note, notes, pause, sleep_until, spend, urgent,
};

const KERNEL: Semaphore = Semaphore { processes: ALL, kind: SemaphoreKind::Binary { word: 0 } };
/// With a user word.
const WORD: u32 = BASE + 0x10;
const FAST: Semaphore = Semaphore { processes: 0b01, kind: SemaphoreKind::Binary { word: WORD } };

/// A binary semaphore that protects a number.
fn binary(number: u8) -> Binary<i32> {
    // SAFETY: the value has a place of its own; a semaphore without a word doesn't use the caller's number.
    unsafe { Binary::new(SemaphoreId(number), 0, ThreadId(0), BASE + 4 * u32::from(number)) }
}

/// The first semaphore, with its word, for thread number `me`.
fn fast(me: u8) -> Binary<i32> {
    // SAFETY: as in `binary`; `me` is the caller.
    unsafe { Binary::new(SemaphoreId(0), WORD, ThreadId(me), BASE) }
}

fn hold(mut semaphore: Binary<i32>, name: &str, ticks: u64) {
    let mut held = semaphore.wait().unwrap();
    *held += 1;
    note(&format!("{name} in, {}", *held));
    spend(ticks);
    note(&format!("{name} out"));
}

extern "C" fn low() -> ! {
    hold(binary(0), "low", 30);
    end("low ends")
}

extern "C" fn low_fast() -> ! {
    hold(fast(0), "low", 30);
    end("low ends")
}

extern "C" fn medium() -> ! {
    sleep_until(15);
    note("medium");
    spend(20);
    end("medium ends")
}

extern "C" fn high() -> ! {
    sleep_until(10);
    hold(binary(0), "high", 5);
    end("high ends")
}

extern "C" fn high_fast() -> ! {
    sleep_until(10);
    hold(fast(2), "high", 5);
    end("high ends")
}

const INHERITED: [&str; 8] = [
    "0 low in, 1",
    "30 low out", // at the urgency of who waits since 10; medium can't come in between
    "30 high in, 2",
    "35 high out",
    "35 high ends",
    "35 medium",
    "55 medium ends",
    "55 low ends",
];

#[test]
fn the_owner_runs_at_the_urgency_of_who_waits() {
    let scenario = Scenario::new().thread(free(1), low).thread(elsewhere(free(2)), medium);
    let scenario = scenario.thread(elsewhere(free(3)), high).with(|system| system.semaphores[0] = KERNEL);
    assert_eq!(scenario.notes(200), INHERITED);
}

#[test]
fn so_it_does_if_it_took_the_semaphore_without_the_kernel() {
    let scenario = Scenario::new().thread(free(1), low_fast).thread(elsewhere(free(2)), medium);
    let scenario = scenario.thread(free(3), high_fast).with(|system| system.semaphores[0] = FAST);
    assert_eq!(scenario.notes(200), INHERITED);
}

/// Holds the first semaphore, then waits for the second.
extern "C" fn between() -> ! {
    sleep_until(5);
    let mut outer = binary(1);
    let held = outer.wait().unwrap();
    note("between holds the second");
    hold(binary(0), "between", 4);
    drop(held);
    end("between ends")
}

extern "C" fn deadline() -> ! {
    sleep_until(20);
    hold(binary(1), "deadline", 3);
    end("deadline ends")
}

#[test]
fn urgency_goes_through_chains_and_bands() {
    let scenario = Scenario::new()
        .thread(free(1), low)
        .thread(free(2), between)
        .thread(free(9), medium) // from 15 on
        .thread(urgent(0, 50), deadline) // from 20 on
        .with(|system| system.semaphores[..2].fill(KERNEL));
    let expected = [
        "0 low in, 1",
        "5 between holds the second",
        "15 medium",
        "35 low out", // 15 before medium, then at the urgency of the deadline: 15 more from 20
        "35 between in, 2",
        "39 between out",
        "39 deadline in, 1",
        "42 deadline out",
        "42 deadline ends",
        "57 medium ends",
        "57 between ends",
        "57 low ends",
    ];
    assert_eq!(scenario.notes(200), expected);
}

extern "C" fn dying() -> ! {
    let mut semaphore = binary(0);
    let held = semaphore.wait().unwrap();
    spend(10);
    std::mem::forget(held);
    end("stops as the owner")
}

extern "C" fn survivor() -> ! {
    let mut semaphore = binary(0);
    let mut try_semaphore = binary(0);
    sleep_until(5);
    assert_eq!(try_semaphore.try_wait().err(), Some(CallError::WouldBlock));
    let held = semaphore.wait().unwrap();
    note(&format!("owner died: {}", held.owner_died()));
    drop(held);
    let held = semaphore.wait().unwrap();
    end(&format!("owner died: {}", held.owner_died()))
}

#[test]
fn who_takes_it_from_a_dead_owner_learns_so_once() {
    let scenario = Scenario::new().thread(free(1), dying).thread(elsewhere(free(2)), survivor);
    let notes = scenario.with(|system| system.semaphores[0] = KERNEL).notes(100);
    assert_eq!(notes, ["10 stops as the owner", "10 owner died: true", "10 owner died: false"]);
}

const MESSAGES: Mailbox =
    Mailbox { senders: ALL, receivers: ALL, base: BASE + 0x100, length: 4, capacity: 1, first_come: false };

/// Sends a message to `next_owner` while it holds what that will want next.
extern "C" fn awakening() -> ! {
    // SAFETY: the first mailbox holds `i32`.
    let mut mailbox: Sender<i32> = unsafe { Sender::new(beryl_abi::MailboxId(0)) };
    let mut semaphore = binary(0);
    let held = semaphore.wait().unwrap();
    spend(5);
    mailbox.send(&7).unwrap();
    note("sent");
    spend(5);
    drop(held);
    end("given back")
}

extern "C" fn next_owner() -> ! {
    // SAFETY: as in `awakening`.
    let mut mailbox: Receiver<i32> = unsafe { Receiver::new(beryl_abi::MailboxId(0)) };
    let mut semaphore = binary(0);
    let (number, held) = mailbox.receive_then(&mut semaphore).unwrap();
    note(&format!("got {number}, owner died: {}", held.owner_died()));
    spend(1);
    drop(held);
    end("done")
}

#[test]
fn a_wake_up_with_early_hand_over_does_not_switch_to_who_would_have_to_wait() {
    let scenario = Scenario::new().thread(free(1), awakening).thread(free(2), next_owner);
    let outcome = scenario
        .with(|system| (system.semaphores[0], system.mailboxes[0]) = (KERNEL, MESSAGES))
        .outcome(100)
        .unwrap();
    assert_eq!(notes(&outcome), ["5 sent", "10 got 7, owner died: false", "11 done", "11 given back"]);
    let switches: Vec<_> = lines(&outcome.trace).into_iter().filter(|line| line.contains("switch")).collect();
    let expected =
        ["0 switch 7 to 1", "0 switch 1 to 0", "10 switch 0 to 1", "11 switch 1 to 0", "11 switch 0 to 7"];
    assert_eq!(switches, expected);
}

const UNITS: Semaphore = Semaphore { processes: ALL, kind: SemaphoreKind::Counting { initial: 1, most: 2 } };

/// Takes three units, though there is one.
extern "C" fn taker() -> ! {
    // SAFETY: the first semaphore counts.
    let mut units = unsafe { Counting::new(SemaphoreId(0)) };
    for number in 1..=3 {
        units.wait().unwrap();
        note(&format!("takes {number}"));
    }
    end("has three")
}

extern "C" fn giver() -> ! {
    // SAFETY: as in `taker`.
    let mut units = unsafe { Counting::new(SemaphoreId(0)) };
    for _ in 0..4 {
        pause(10);
        note(&format!("gives: {:?}", units.signal()));
    }
    end(&format!("one too many: {:?}", units.signal()))
}

#[test]
fn units_are_counted_up_to_the_most() {
    let scenario = Scenario::new().thread(free(2), taker).thread(elsewhere(free(1)), giver);
    let expected = [
        "0 takes 1",
        "10 takes 2",
        "10 gives: Ok(())",
        "20 takes 3",
        "20 has three",
        "20 gives: Ok(())",
        "30 gives: Ok(())",
        "40 gives: Ok(())",
        "40 one too many: Err(Overflow)",
    ];
    assert_eq!(scenario.with(|system| system.semaphores[0] = UNITS).notes(100), expected);
}

/// Two threads that would wait for each other.
extern "C" fn crossing<const FIRST: u8, const SECOND: u8>() -> ! {
    let (mut first, mut second) = (binary(FIRST), binary(SECOND));
    let held = first.wait().unwrap();
    spend(5);
    pause(10);
    match second.wait() {
        Ok(other) => {
            note(&format!("{FIRST} has both"));
            drop(other);
        }
        Err(error) => note(&format!("{FIRST} {error:?}")),
    }
    drop(held);
    call::stop()
}

#[test]
fn a_ring_of_waits_is_refused() {
    let scenario = Scenario::new().thread(free(2), crossing::<0, 1>).thread(free(1), crossing::<1, 0>);
    let notes = scenario.with(|system| system.semaphores[..2].fill(KERNEL)).notes(100);
    assert_eq!(notes, ["20 1 Deadlock", "20 0 has both"]);
}
