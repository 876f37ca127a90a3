//! A ringer and a receiver on two cores: every interleaving, and what a memory may do to the order of their words.
//!
//! Both run the code that ships ([`beryl_abi::doorbell`]) over words that `loom` follows. The ringer changes what it tells before
//! each ring; whoever has taken the bell reads it. When both are done, and the receiver isn't called any more, the last that was
//! told has to have been read: a ring that is lost is one that nobody looks for. Each order is left out once, and is missed.

use beryl_abi::doorbell::{self, Order, Panels, Word};
use loom::sync::Arc;
use loom::sync::atomic::{AtomicU32, Ordering, fence};
use loom::thread;

const RINGER: u32 = 0;
const RECEIVER: u32 = 1;

/// What both see: a panel for each core, whether it is called, and what is told.
struct Machine {
    panels: [[AtomicU32; 3]; doorbell::CORES as usize],
    called: [AtomicU32; 2],
    told: AtomicU32,
}

impl Machine {
    fn new() -> Machine {
        let word = || AtomicU32::new(0);
        let panel = || [word(), word(), word()];
        Machine { panels: [panel(), panel(), panel(), panel()], called: [word(), word()], told: word() }
    }
}

/// What is wrong with a core.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Fault {
    /// An order isn't kept.
    Without(Order),
    /// The ringer looks whether the bell is armed, and rings it then.
    LooksFirst,
}

/// One of the cores.
struct Core {
    machine: Arc<Machine>,
    own: u32,
    fault: Option<Fault>,
    /// A store that is done too late.
    late: Option<u32>,
}

impl Core {
    fn word(&self, core: u32, word: Word) -> &AtomicU32 {
        &self.machine.panels[core as usize][word as usize]
    }
}

impl Panels for Core {
    fn own(&self) -> u32 {
        self.own
    }

    fn load(&mut self, core: u32, word: Word) -> u32 {
        let bells = self.word(core, word).load(Ordering::Relaxed);
        if let Some(late) = self.late.take() {
            self.word(self.own, Word::Rung).store(late, Ordering::Relaxed);
        }
        bells
    }

    fn store(&mut self, word: Word, bells: u32) {
        match word {
            Word::Rung if self.fault == Some(Fault::LooksFirst) => self.late = Some(bells),
            _ => self.word(self.own, word).store(bells, Ordering::Relaxed),
        }
    }

    fn order(&mut self, order: Order) {
        if self.fault != Some(Fault::Without(order)) {
            fence(Ordering::SeqCst);
        }
    }

    fn call(&mut self, core: u32) {
        self.machine.called[core as usize].store(1, Ordering::Relaxed);
    }

    fn withdraw(&mut self) {
        self.machine.called[self.own as usize].store(0, Ordering::Relaxed);
    }
}

/// The bell as the ringer has it.
const RUNG: u32 = doorbell::bell(RECEIVER, 2);
/// And as the receiver has it.
const HEARD: u32 = doorbell::bell(RINGER, 2);

/// A receiver that serves its bell, as a kernel and the bell's thread do.
struct Receiver {
    core: Core,
    /// What it has read last.
    read: u32,
    /// How often it has taken the bell, and how often it was called.
    taken: u32,
    calls: u32,
}

impl Receiver {
    /// Does what a call asks for, if there is one.
    fn look(&mut self) -> bool {
        if self.core.machine.called[RECEIVER as usize].load(Ordering::Relaxed) == 0 {
            return false;
        }
        self.calls += 1;
        if let Some(bell) = doorbell::take(&mut self.core) {
            assert_eq!(bell, HEARD);
            doorbell::disarm(&mut self.core, bell);
            self.read = self.core.machine.told.load(Ordering::Relaxed);
            self.taken += 1;
            doorbell::arm(&mut self.core, bell);
        }
        true
    }
}

/// A ringer rings so often, while the receiver looks at its calls so often, and afterwards to the end.
fn run(rings: u32, looks: u32, fault: Option<Fault>) {
    let machine = Arc::new(Machine::new());
    let core = |own| Core { machine: Arc::clone(&machine), own, fault, late: None };
    let mut receiver = Receiver { core: core(RECEIVER), read: 0, taken: 0, calls: 0 };
    let mut ringer = core(RINGER);
    let ringer = thread::spawn(move || {
        for told in 1..=rings {
            ringer.machine.told.store(told, Ordering::Relaxed);
            doorbell::ring(&mut ringer, RUNG);
        }
    });
    doorbell::arm(&mut receiver.core, HEARD);
    for _ in 0..looks {
        receiver.look();
    }
    ringer.join().expect("it has rung");
    while receiver.look() {}
    assert_eq!(receiver.read, rings, "the last that was told was read");
    assert!(receiver.taken <= rings, "a bell is taken no more often than it is rung");
    assert!(receiver.calls <= 2 * receiver.taken, "a bell that is taken costs two calls at most");
}

/// All ways in which a ringer that rings twice meets its receiver.
fn explore(fault: Option<Fault>) {
    loom::model(move || run(2, 1, fault));
}

#[test]
fn no_ring_is_lost_whatever_the_memory_does() {
    explore(None);
}

#[test]
#[should_panic(expected = "the last that was told was read")]
fn a_ringer_that_looks_before_it_rings_is_lost() {
    explore(Some(Fault::LooksFirst));
}

/// Each order is needed: without it, a ring is lost.
macro_rules! needed {
    ($($name:ident $order:ident;)+) => {
        $(
            #[test]
            #[should_panic(expected = "the last that was told was read")]
            fn $name() {
                explore(Some(Fault::Without(Order::$order)));
            }
        )+
    };
}

needed! {
    what_is_told_is_seen_before_the_ringer_looks_whether_its_bell_was_taken Told;
    a_bell_is_seen_before_the_ringer_looks_whether_it_is_armed Rung;
    a_call_is_withdrawn_before_the_receiver_looks_at_its_bells Withdrawn;
    a_bell_is_taken_before_its_thread_reads_what_was_told Taken;
    a_bell_is_armed_before_the_receiver_looks_whether_it_is_up Armed;
}
