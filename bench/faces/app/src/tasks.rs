//! A task that another thread wakes, beside a thread that waits for a notification: from before the telling to behind the wait, and to where
//! the one that told goes on.

use core::sync::atomic::{AtomicU32, Ordering};

use bench_board::{Sample, elapsed};
use beryl_ecosystem::executor::{Event, Executor};
use beryl_user::call;
use beryl_user::lock::Lock;
use beryl_user::notification::{Notification, Notifier};
use embassy_sync::blocking_mutex::raw::CriticalSectionRawMutex;
use embassy_sync::signal::Signal;

use crate::{SAMPLES, failed, print};

static EXECUTOR: Executor = Executor::new();
static SIGNAL: Signal<CriticalSectionRawMutex, u32> = Signal::new();
static TOLD: Event = Event::new();

/// When the one that waited was through.
static WOKEN: AtomicU32 = AtomicU32::new(0);

/// What was read just now.
#[inline(always)]
fn note(woken: u32) {
    WOKEN.store(woken, Ordering::Relaxed);
}

/// Thread: runs a task.
pub fn run_tasks(_exclusion: Lock<()>, wake: Notifier, woken: Notification, told: Notification) -> ! {
    EXECUTOR.run(wake, &woken, [(told.bits(), &TOLD)], |spawner| match wait() {
        Ok(task) => spawner.spawn(task),
        Err(_) => failed("there is no room for a task"),
    })
}

/// Waits for a signal of another thread, and later for an event of its own.
#[embassy_executor::task]
async fn wait() {
    for round in 0..ROUNDS {
        let came = SIGNAL.wait().await;
        note(elapsed());
        if came != round {
            failed("a signal was lost");
        }
    }
    loop {
        TOLD.wait().await;
        note(elapsed());
    }
}

/// Thread: waits for a notification.
pub fn wait_natively(mut bell: Notification) -> ! {
    loop {
        let came = bell.wait();
        note(elapsed());
        if came.is_err() {
            failed("a notification didn't come");
        }
    }
}

/// How often something is told: what whoever waits does after its last round is something else.
const ROUNDS: u32 = SAMPLES as u32 + 1;

/// Thread, less urgent than those: tells them.
pub fn tell(_exclusion: Lock<()>, _wake: Notifier, mut told: Notifier, mut bell: Notifier) -> ! {
    measure(["ecosystem/wake/native", "ecosystem/back/native"], |_| bell.notify());
    measure(["ecosystem/wake/signal", "ecosystem/back/signal"], |round| SIGNAL.signal(round));
    measure(["ecosystem/wake/event", "ecosystem/back/event"], |_| told.notify());
    call::stop()
}

#[inline(always)]
fn measure([there, back]: [&str; 2], mut tell: impl FnMut(u32)) {
    let mut samples = [[Sample { before: 0, after: 0 }; SAMPLES]; 2];
    let [to, from] = &mut samples;
    for (round, (to, from)) in (0..).zip(to.iter_mut().zip(from)) {
        let before = elapsed();
        tell(round);
        let after = elapsed();
        *to = Sample { before, after: WOKEN.load(Ordering::Relaxed) };
        *from = Sample { before, after };
    }
    tell(ROUNDS - 1);
    let [to, from] = &samples;
    print(there, to);
    print(back, from);
}
