//! Waiting for so long and no longer.

use beryl_abi::{Duration, Instant, MailboxId, SemaphoreId};
use beryl_kernel::{Mailbox, Semaphore, SemaphoreKind};
use beryl_user::call::{self, CallError};
use beryl_user::mailbox::Receiver;
use beryl_user::semaphore::Counting;
use beryl_user::time::{self, Wait};

use crate::scenario::{ALL, BASE, Scenario, at_most, end, free, note, pause, sleep_until, spend};

const NOTHING: Semaphore =
    Semaphore { processes: ALL, kind: SemaphoreKind::Counting { initial: 0, most: 1 } };
const EMPTY: Mailbox =
    Mailbox { senders: ALL, receivers: ALL, base: BASE + 0x100, length: 4, capacity: 1, first_come: false };

fn scenario() -> Scenario {
    Scenario::new().with(|system| (system.semaphores[0], system.mailboxes[0]) = (NOTHING, EMPTY))
}

fn counting() -> Counting {
    // SAFETY: the first semaphore counts.
    unsafe { Counting::new(SemaphoreId(0)) }
}

fn mailbox() -> Receiver<i32> {
    // SAFETY: the first mailbox holds `i32`.
    unsafe { Receiver::new(MailboxId(0)) }
}

extern "C" fn at_17() -> ! {
    note(&format!("{:?}", mailbox().receive_for(at_most(17))));
    note(&format!("{:?}", mailbox().receive_for(Wait::Poll)));
    end(&format!("{:?}", mailbox().receive_for(Wait::AtMost(Duration::from_ticks(1 << 31)))))
}

extern "C" fn also_at_17() -> ! {
    sleep_until(5);
    note(&format!("low {:?}", counting().wait_for(at_most(12))));
    pause(3);
    end("low has slept")
}

#[test]
fn waits_end_at_their_instant_the_more_urgent_thread_first() {
    let scenario = scenario().thread(free(1), also_at_17).thread(free(2), at_17);
    let expected = [
        "17 Err(TimedOut)",
        "17 Err(WouldBlock)",
        "17 Err(TooLong)",
        "17 low Err(TimedOut)",
        "20 low has slept",
    ];
    assert_eq!(scenario.notes(100), expected);
}

extern "C" fn just_in_time() -> ! {
    let answer = counting().wait_for(at_most(10));
    end(&format!("{answer:?}"))
}

extern "C" fn gives_at<const INSTANT: u64>() -> ! {
    spend(INSTANT);
    counting().signal().unwrap();
    end("given")
}

#[test]
fn at_the_same_instant_the_end_of_a_segment_comes_before_the_timeout() {
    let run = |gives: extern "C" fn() -> !| {
        scenario().thread(free(2), just_in_time).thread(free(1), gives).notes(100)
    };
    assert_eq!(run(gives_at::<10>), ["10 Ok(())", "10 given"]);
    assert_eq!(run(gives_at::<11>), ["10 Err(TimedOut)", "11 given"]);
}

extern "C" fn busy() -> ! {
    spend((1 << 33) + 5);
    end(&format!("{}", call::execution_time().ticks() - (1 << 33)))
}

#[test]
fn execution_time_is_counted_over_windows_of_any_length() {
    assert_eq!(scenario().thread(free(1), busy).notes(1 << 34), ["8589934597 5"]);
}

extern "C" fn sleeper() -> ! {
    spend(4);
    time::sleep_until(Instant::from_ticks(3)).unwrap();
    note("not at all");
    pause(5);
    note("five");
    sleep_until((1 << 31) + 12);
    end(&format!("long {:?}", counting().wait_for(Wait::Poll).err() == Some(CallError::WouldBlock)))
}

#[test]
fn sleep_is_exact_however_long() {
    let expected = ["4 not at all", "9 five", "2147483660 long true"];
    assert_eq!(scenario().thread(free(1), sleeper).notes(1 << 32), expected);
}
