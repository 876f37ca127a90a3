//! The threads' core and the kernel's, with the hatch between them: every interleaving, and what a memory may do to the order of their
//! words.
//!
//! Both run the code that ships ([`beryl_abi::hatch`]) over words that `loom` follows. The threads' core saves what its thread has, makes a
//! call, and comes when it is beckoned, until another thread has it. The kernel's core sleeps unless it is called; between two steps an
//! interrupt chooses another thread. The kernel has to find what was saved, who is answered what the kernel has changed, and nobody
//! may wait in vain. Each order is left out once, and is missed. Four of them need be no more than the order of a release or of an
//! acquisition, and are no more here.

use beryl_abi::hatch::{self, Hatch, Order, Question, Side, Word};
use loom::sync::Arc;
use loom::sync::atomic::{AtomicU32, Ordering, fence};
use loom::thread;

/// What both see: the words, who is called, and what a thread has, which both change in turns.
struct Machine {
    words: [AtomicU32; Word::COUNT],
    called: [AtomicU32; 2],
    register: AtomicU32,
}

/// What is wrong with the cores.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Wrong {
    /// An order isn't kept.
    Without(Order),
    /// The kernel looks whether it is asked, and withdraws that it was called only then.
    LooksFirst,
    /// The threads' core withdraws that it was beckoned when it has been answered.
    WithdrawsLate,
}

/// One of the cores.
struct Core {
    machine: Arc<Machine>,
    wrong: Option<Wrong>,
    /// How often in a row it has waited.
    waited: u32,
}

/// Nobody waits longer in a run that ends.
const PATIENCE: u32 = 12;
/// How often something is looked for that may be late.
const SOON: u32 = 2;
/// The thread that runs at first, and the one that the interrupt chooses.
const FIRST: u32 = 1;
const SECOND: u32 = 2;
const CALL: u32 = 11;
const BECKONED: u32 = 22;

impl Core {
    fn is_called(&self, side: Side) -> bool {
        self.machine.called[side as usize].load(Ordering::Relaxed) == 1
    }

    fn register(&self) -> u32 {
        self.machine.register.load(Ordering::Relaxed)
    }

    fn set_register(&self, value: u32) {
        self.machine.register.store(value, Ordering::Relaxed);
    }
}

impl Hatch for Core {
    fn load(&mut self, word: Word) -> u32 {
        self.machine.words[word as usize].load(Ordering::Relaxed)
    }

    fn store(&mut self, word: Word, value: u32) {
        self.machine.words[word as usize].store(value, Ordering::Relaxed);
    }

    fn order(&mut self, order: Order) {
        if order == Order::Asked {
            // For loom, which tries whatever two cores do with one word: the kernel may answer here, and not only behind the order.
            self.load(Word::Void);
        }
        if self.wrong != Some(Wrong::Without(order)) {
            fence(match order {
                Order::Told | Order::Done => Ordering::Release,
                Order::Taken | Order::Heard => Ordering::Acquire,
                Order::Asked | Order::Withdrawn => Ordering::SeqCst,
            });
        }
    }

    fn call(&mut self, side: Side) {
        self.machine.called[side as usize].store(1, Ordering::Relaxed);
    }

    fn withdraw(&mut self, side: Side) {
        self.machine.called[side as usize].store(0, Ordering::Relaxed);
    }

    fn wait(&mut self) {
        self.waited += 1;
        assert!(self.waited < PATIENCE, "nobody waits in vain");
        thread::yield_now();
        if self.waited >= SOON {
            seen_some_time();
        }
    }
}

/// What was stored is seen by others some time, without an order.
fn seen_some_time() {
    fence(Ordering::SeqCst);
}

/// The threads' core saves `saved`, asks, and finds what the kernel has made of that.
fn asks(core: &mut Core, cause: u32, saved: u32) -> u32 {
    core.set_register(saved);
    if cause == BECKONED && core.wrong != Some(Wrong::WithdrawsLate) {
        core.withdraw(Side::Threads);
    }
    core.waited = 0;
    let next = hatch::ask(core, Question { cause, words: [saved; 5] });
    assert_eq!(core.register(), saved + 100, "what the kernel has changed is loaded");
    if cause == BECKONED && core.wrong == Some(Wrong::WithdrawsLate) {
        core.withdraw(Side::Threads);
    }
    next
}

/// A call, and then whatever it is beckoned for, until the second thread has the core.
fn threads_core(core: &mut Core) {
    let mut running = asks(core, CALL, 1);
    let mut saved = 2;
    core.waited = 0;
    while running != SECOND {
        match core.is_called(Side::Threads) {
            true => {
                running = asks(core, BECKONED, saved);
                saved += 1;
                core.waited = 0;
            }
            false => core.wait(),
        }
    }
}

/// Serves until the second thread has the other core. An interrupt comes behind so many steps and chooses it. Where it `stops` all threads
/// first, one more came before it, which needs what the first thread has, and lets it go on.
fn kernels_core(core: &mut Core, mut before: u32, mut stops: bool) {
    let mut chosen = FIRST;
    while core.load(Word::Next) != SECOND {
        let was_asked = hatch::is_asked(core);
        // When the call is over, nobody but an interrupt comes.
        if chosen == FIRST && (before == 0 || !was_asked && core.load(Word::Answered) > 0) {
            match stops {
                true => stop(core),
                false => chosen = SECOND,
            }
            (stops, before) = (false, 1);
        } else if core.is_called(Side::Kernel) {
            hatch::listen(core);
        } else if !was_asked {
            sleep(core);
            continue;
        }
        before = before.saturating_sub(1);
        if core.wrong == Some(Wrong::LooksFirst) && !was_asked {
            continue;
        }
        match hatch::take(core) {
            Some(question) => {
                let asked = core.load(Word::Asked);
                assert_eq!((question.words, core.register()), ([asked; 5], asked), "what was saved is found");
                core.set_register(asked + 100);
                hatch::answer(core, chosen);
            }
            None if chosen != core.load(Word::Next) => hatch::beckon(core),
            None => {}
        }
    }
}

/// A step for which no thread may be at work.
fn stop(core: &mut Core) {
    core.waited = 0;
    hatch::bring_in(core);
    assert_eq!(core.register(), core.load(Word::Asked), "what was saved is found");
}

/// Until it is called.
fn sleep(core: &mut Core) {
    core.waited = 0;
    while !core.is_called(Side::Kernel) {
        core.wait();
    }
}

fn run(before: u32, stops: bool, wrong: Option<Wrong>) {
    let word = || AtomicU32::new(0);
    let machine = Arc::new(Machine {
        words: std::array::from_fn(|_| word()),
        called: [word(), word()],
        register: word(),
    });
    let core = || Core { machine: Arc::clone(&machine), wrong, waited: 0 };
    let (mut kernels, mut threads) = (core(), core());
    kernels.store(Word::Next, FIRST);
    let threads = thread::spawn(move || threads_core(&mut threads));
    kernels_core(&mut kernels, before, stops);
    seen_some_time();
    threads.join().expect("the second thread has its core");
}

/// All ways in which a call and an interrupt meet.
fn explore(before: u32, stops: bool, wrong: Option<Wrong>) {
    let mut model = loom::model::Builder::new();
    // As many changes from one core to the other as it takes to miss each of what is left out below, and one more.
    model.preemption_bound = Some(3);
    model.check(move || run(before, stops, wrong));
}

#[test]
fn a_call_and_an_interrupt_meet_in_any_way() {
    for before in 0..2 {
        explore(before, false, None);
    }
}

#[test]
fn who_is_brought_in_is_at_work_with_nothing() {
    for before in 0..2 {
        explore(before, true, None);
    }
}

/// Each order is needed: without it, somebody reads what was there before, or waits in vain.
macro_rules! needed {
    ($($name:ident $wrong:expr, $missed:literal;)+) => {
        $(
            #[test]
            #[should_panic(expected = $missed)]
            fn $name() {
                for before in 0..2 {
                    explore(before, false, Some($wrong));
                    explore(before, true, Some($wrong));
                }
            }
        )+
    };
}

needed! {
    all_is_told_before_it_is_asked Wrong::Without(Order::Told), "what was saved is found";
    it_is_asked_before_the_kernel_is_called Wrong::Without(Order::Asked), "nobody waits in vain";
    a_call_is_withdrawn_before_the_kernel_looks Wrong::Without(Order::Withdrawn), "nobody waits in vain";
    a_question_is_seen_before_it_is_read Wrong::Without(Order::Taken), "what was saved is found";
    all_is_done_before_it_is_answered Wrong::Without(Order::Done), "nobody waits in vain";
    an_answer_is_seen_before_it_is_read Wrong::Without(Order::Heard), "nobody waits in vain";
    a_kernel_that_looks_before_it_withdraws_misses_a_question Wrong::LooksFirst, "nobody waits in vain";
    who_withdraws_that_it_was_beckoned_too_late_is_not_beckoned_again Wrong::WithdrawsLate, "nobody waits in vain";
}
