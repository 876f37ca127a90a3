//! All three kinds of exclusion at once, preempted anywhere: no update is lost, whatever the times.

use beryl_abi::{InterruptId, Line, SemaphoreId, ThreadId};
use beryl_kernel::{Interrupt as Row, Semaphore, SemaphoreKind};
use beryl_sim::Outcome;
use beryl_user::interrupt::Interrupt;
use beryl_user::lock::Lock;
use beryl_user::period::Period;
use beryl_user::platform;
use beryl_user::semaphore::Binary;

use crate::scenario::{ALL, BASE, Scenario, elsewhere, end, free, notes, pause, periodic, urgent, words};

/// The word of the semaphore that all users take without the kernel.
const WORD: u32 = BASE + 0x10;
/// The level of the most urgent user of the lock.
const CEILING: u8 = 40;
/// How often each thread counts.
const ROUNDS: u32 = 20;

/// What thread number `ME` counts with: under the lock, under the semaphore with a word, and under the
/// one without.
struct Counters<const ME: u8> {
    lock: Lock<i32>,
    fast: Binary<i32>,
    kernel: Binary<i32>,
}

impl<const ME: u8> Counters<ME> {
    fn new() -> Self {
        // SAFETY: words and number are the caller's own, and each value has a place of its own.
        unsafe {
            Counters {
                lock: Lock::new(words(ME.into()), CEILING.into(), BASE),
                fast: Binary::new(SemaphoreId(0), WORD, ThreadId(ME), BASE + 4),
                kernel: Binary::new(SemaphoreId(1), 0, ThreadId(ME), BASE + 8),
            }
        }
    }

    fn lock(&mut self) -> &mut Self {
        self.lock.with(count);
        self
    }

    fn fast(&mut self) -> &mut Self {
        count(&mut self.fast.wait().unwrap());
        self
    }

    fn kernel(&mut self) -> &mut Self {
        count(&mut self.kernel.wait().unwrap());
        self
    }

    /// Ends the thread with what has been counted until now.
    fn end(&mut self) -> ! {
        let fast = *self.fast.wait().unwrap();
        let kernel = *self.kernel.wait().unwrap();
        end(&self.lock.with(|lock| format!("{lock} {fast} {kernel}")))
    }
}

/// Loses an update if another thread counts meanwhile.
fn count(value: &mut i32) {
    let before = *value;
    platform::point();
    *value = before + 1;
}

extern "C" fn job() -> ! {
    // SAFETY: the calling thread is periodic.
    let (mut counters, mut period) = (Counters::<0>::new(), unsafe { Period::new() });
    for _ in 0..ROUNDS {
        counters.lock().fast();
        period.wait();
    }
    counters.end()
}

extern "C" fn everything() -> ! {
    let mut counters = Counters::<1>::new();
    for _ in 0..ROUNDS {
        counters.lock().fast().kernel();
        pause(60);
    }
    counters.end()
}

extern "C" fn deadline() -> ! {
    let mut counters = Counters::<2>::new();
    for _ in 0..ROUNDS {
        counters.kernel().lock();
        pause(70);
    }
    counters.end()
}

/// In the other process, so it uses the kernel's semaphore only.
extern "C" fn foreign() -> ! {
    let mut counters = Counters::<3>::new();
    for _ in 0..ROUNDS {
        counters.kernel();
        pause(50);
    }
    end("")
}

extern "C" fn server() -> ! {
    // SAFETY: the interrupt is this thread's, with this bit.
    let (mut counters, mut interrupt) = (Counters::<4>::new(), unsafe { Interrupt::new(InterruptId(0), 1) });
    for _ in 0..ROUNDS {
        interrupt.wait().unwrap();
        counters.fast().lock();
    }
    counters.end()
}

/// An interrupt every 83 ticks.
static INTERRUPTS: [(u64, u16); 100] = {
    let mut interrupts = [(0, 4); 100];
    let mut number = 0;
    while number < 100 {
        interrupts[number].0 = 83 * (number as u64 + 1);
        number += 1;
    }
    interrupts
};

fn outcome(seed: u64) -> Outcome {
    Scenario::new()
        .thread_taking(5, 20, periodic(3, 0, 110), job)
        .thread_taking(1, 20, free(1), everything)
        .thread_taking(1, 5, urgent(0, 30), deadline)
        .thread_taking(1, 5, elsewhere(free(2)), foreign)
        .thread_taking(1, 10, free(4), server)
        .with(|system| {
            system.semaphores[0] = Semaphore { processes: 0b01, kind: SemaphoreKind::Binary { word: WORD } };
            system.semaphores[1] = Semaphore { processes: ALL, kind: SemaphoreKind::Binary { word: 0 } };
            system.interrupts[0] = Row { line: Line(4), thread: ThreadId(4), bits: 1 };
            for user in [0, 1, 2, 4] {
                system.threads[user].highest_ceiling = CEILING;
            }
        })
        .interrupts(&INTERRUPTS)
        .seed(seed)
        .outcome(20_000)
        .unwrap()
}

#[test]
fn no_update_is_lost_wherever_preemption_falls() {
    for seed in 0..40 {
        let notes = notes(&outcome(seed));
        assert_eq!(notes.len(), 5, "seed {seed}: all threads end: {notes:?}");
        let last = notes.iter().rfind(|note| !note.ends_with(' ')).unwrap();
        assert!(last.ends_with(" 80 60 60"), "seed {seed}: {notes:?}");
    }
}

#[test]
fn the_same_seed_gives_the_same_run() {
    assert_eq!(outcome(7), outcome(7));
    assert_ne!(outcome(7).trace, outcome(8).trace);
}
