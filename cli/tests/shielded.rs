//! A core that is shielded and opened again while the system runs, in the simulator and on the emulated board: the system's part there
//! is handed over to another core, and back, by doorbells. What is asked of it are the invariants of ASMP-Linux (EURASIP 2008).
//!
//! ```text
//!   the part is on `own`                                        the part is on `near`
//!   at work --shield--> done with its piece --cleared---------> at work
//!   at work <----------------------------------------open------ done with its piece, if it isn't wanted any more
//! ```

use std::collections::BTreeSet;
use std::path::PathBuf;

use beryl_abi::ThreadId;
use beryl_testing::{Draw, SplitMix64};
use beryl_trace::{DecodedNote, Event, Happening, Names, decode};
use common::{beryl, left, left_text, lock, on_board};

mod common;

/// `manages` changes its mind in each period. `chores_here` and `chores_there` are the part on either core. A clock interrupts the
/// core of the system all the time, and `measured` never waits.
const SHIELDED: &str = r#"
[system]
name = "NAME"
application = "app"

[board]
name = "virt"
flash = "64k"
ram = "32k"
speed = 5

[core.near]
[core.own]

[[band]]
name = "threads"
policy = "fixed"

[process.system]
core = "near"
memory = "64"
devices = ["rtc"]

[process.part]
core = "own"
memory = "64"

[process.shielded]
core = "own"
memory = "64"

[thread.manages]
process = "system"
band = "threads"
priority = 5
period = "PERIOD"
worst = "100us"
entry = "manages"
stack = "512"
uses = ["shield.ring"]

[thread.chores_there]
process = "system"
band = "threads"
priority = 3
entry = "chores_there"
stack = "512"
uses = ["cleared.hear", "open.ring"]

[thread.serves]
process = "system"
band = "threads"
priority = 4
entry = "serves"
stack = "512"
uses = ["clock"]

[thread.closes]
process = "part"
band = "threads"
priority = 4
entry = "closes"
stack = "512"
uses = ["shield.hear"]

[thread.chores_here]
process = "part"
band = "threads"
priority = 3
entry = "chores_here"
stack = "512"
uses = ["cleared.ring", "open.hear"]

[thread.measured]
process = "shielded"
band = "threads"
priority = 1
entry = "measured"
stack = "512"

[interrupt.clock]
line = 11

[doorbell.shield]
separation = "100us"

[doorbell.cleared]
separation = "100us"

[doorbell.open]
separation = "100us"
"#;

const CODE: &str = "
#![no_std]
use core::hint::black_box;
use core::sync::atomic::{AtomicBool, Ordering::Relaxed};
use beryl_user::call;
use beryl_user::interrupt::Interrupt;
use beryl_user::notification::Notifier;
use beryl_user::period::Period;
use beryl_user::time::{self, Duration};

const PAUSE: Duration = time::microseconds(700);

/// Of the process `system`: whether the part is to be there.
static WANTED: AtomicBool = AtomicBool::new(false);
/// Of the process `part`: whether it is to leave.
static CLOSED: AtomicBool = AtomicBool::new(false);

pub fn manages(mut period: Period, mut shield: Notifier) -> ! {
    loop {
        period.wait();
        let wanted = !WANTED.load(Relaxed);
        WANTED.store(wanted, Relaxed);
        if wanted {
            shield.notify();
        }
    }
}
pub fn chores_there(mut cleared: Interrupt, mut open: Notifier) -> ! {
    loop {
        drop(cleared.wait());
        while WANTED.load(Relaxed) {
            piece();
        }
        open.notify();
    }
}
pub fn closes(mut shield: Interrupt) -> ! {
    loop {
        drop(shield.wait());
        CLOSED.store(true, Relaxed);
    }
}
pub fn chores_here(mut cleared: Notifier, mut open: Interrupt) -> ! {
    loop {
        while !CLOSED.load(Relaxed) {
            piece();
        }
        CLOSED.store(false, Relaxed);
        cleared.notify();
        drop(open.wait());
    }
}
pub fn serves(mut clock: Interrupt) -> ! {
    loop {
        #[cfg(target_os = \"none\")]
        beryl_user::goldfish::set(beryl_user::goldfish::now() + 300_000);
        drop(clock.wait());
    }
}
pub fn measured() -> ! {
    loop {
        spend();
    }
}
fn piece() {
    spend();
    drop(time::sleep(PAUSE));
}
fn spend() {
    call::spend(time::microseconds(50));
    for round in 0..500 {
        black_box(round);
    }
}
";

fn system(name: &str, period: &str) -> PathBuf {
    on_board(name, "", CODE, &SHIELDED.replace("PERIOD", period), &[])
}

/// What happened on a core, with the numbers of its threads.
struct Core {
    events: Vec<Event>,
    names: Names,
}

impl Core {
    fn of(name: &str, core: &str, file: &str) -> Core {
        let name = format!("{name}_{core}");
        let names = Names::parse(&left_text(&name, "names.json")).expect("names");
        Core { events: decode(&left(&name, file)).expect("a whole trace"), names }
    }

    fn is(&self, thread: ThreadId, name: &str) -> bool {
        self.names.threads.get(thread.index()).is_some_and(|row| row.name == name)
    }

    /// When a thread has rung its doorbell, and when it was told of one.
    fn rung(&self, name: &str) -> Vec<usize> {
        let is_own = |event: &Event| matches!(event.happening, Happening::Note(DecodedNote::Message { thread, .. }) if self.is(thread, name));
        (0..self.events.len()).filter(|place| is_own(&self.events[*place])).collect()
    }

    fn heard(&self, name: &str) -> Vec<usize> {
        let is_own = |event: &Event| matches!(event.happening, Happening::Note(DecodedNote::Interrupt { thread, .. }) if self.is(thread, name));
        (0..self.events.len()).filter(|place| is_own(&self.events[*place])).collect()
    }

    fn times(&self, places: &[usize]) -> Vec<u64> {
        places.iter().map(|place| self.events[*place].time.ticks()).collect()
    }

    /// When a thread that has rung has nothing more to do but to wait.
    fn at_rest(&self, name: &str, rung: usize) -> u64 {
        let is_own = |event: &&Event| matches!(event.happening, Happening::Note(DecodedNote::Block { thread, .. }) if self.is(thread, name));
        self.events[rung..].iter().find(is_own).map_or(u64::MAX, |event| event.time.ticks())
    }

    /// When the processor went to a thread.
    fn begun(&self, name: &str) -> Vec<u64> {
        let to =
            |event: &&Event| matches!(event.happening, Happening::Switch { to, .. } if self.is(to, name));
        self.events.iter().filter(to).map(|event| event.time.ticks()).collect()
    }

    /// The lines that came to it.
    fn lines(&self) -> BTreeSet<u16> {
        let line = |event: &Event| match event.happening {
            Happening::Note(DecodedNote::Interrupt { line, .. }) => Some(line.0),
            _ => None,
        };
        self.events.iter().filter_map(line).collect()
    }
}

/// Where the part is: from when its bell was heard to when it has rung the other one. Times are those of the board's one clock.
type Stays = Vec<[u64; 2]>;

/// The part's stays on the core that it leaves, and on the other.
fn stays(own: &Core, near: &Core) -> [Stays; 2] {
    let between = |begins: Vec<u64>, mut ends: Vec<u64>| {
        ends.resize(begins.len(), u64::MAX);
        begins.into_iter().zip(ends).map(|(begin, end)| [begin, end]).collect::<Stays>()
    };
    let begins = [vec![0], own.times(&own.heard(HERE))].concat();
    [
        between(begins, own.times(&own.rung(HERE))),
        between(near.times(&near.heard(THERE)), near.times(&near.rung(THERE))),
    ]
}

const HERE: &str = "chores_here";
const THERE: &str = "chores_there";

/// I1, I2: from when the part has left to when it comes back, nothing is told of the core but that its own thread goes on.
fn nobody_else_runs_while_it_is_shielded(own: &Core, which: &str) -> usize {
    let mut shielded = 0;
    let comes_back = own.heard(HERE);
    for left in own.rung(HERE) {
        let back = comes_back.iter().copied().find(|back| *back > left).unwrap_or(own.events.len());
        let meanwhile: Vec<_> = own.events[left + 1..back].iter().map(|event| &event.happening).collect();
        match meanwhile[..] {
            [
                Happening::Note(DecodedNote::Acknowledge { .. }),
                Happening::Note(DecodedNote::Block { .. }),
                Happening::Switch { to, .. },
            ] => assert!(own.is(*to, "measured"), "{which}: {to:?}"),
            _ => panic!("{which}: {meanwhile:?}"),
        }
        shielded += 1;
    }
    shielded
}

/// I5: the part is on one core at a time, in turns, and works only where it is. Who has rung yet has to wait, which isn't work.
fn the_part_is_on_one_core(own: &Core, near: &Core, which: &str) {
    let [here, there] = stays(own, near);
    let turns: Vec<_> = here.iter().zip(&there).flat_map(|(here, there)| [*here, *there]).collect();
    assert!(turns.windows(2).all(|pair| pair[0][1] <= pair[1][0]), "{which}: {here:?} {there:?}");
    assert!(here.len() - there.len() <= 1, "{which}: {here:?} {there:?}");
    for (core, name, stays) in [(own, HERE, &here), (near, THERE, &there)] {
        let mut ends: Vec<_> = core.rung(name).into_iter().map(|rung| core.at_rest(name, rung)).collect();
        ends.resize(stays.len(), u64::MAX);
        let works: Vec<_> = stays.iter().zip(ends).map(|([begin, _], end)| *begin..=end).collect();
        let is_there = |at: &u64| works.iter().any(|work| work.contains(at));
        let elsewhere: Vec<_> = core.begun(name).into_iter().filter(|at| !is_there(at)).collect();
        // Who isn't wanted at the start begins, to wait.
        let at_start = usize::from(name == THERE);
        assert_eq!(elsewhere.len(), at_start, "{which}: {name} at {elsewhere:?}, {stays:?}");
        assert!(core.begun(name).len() > 2 * stays.len(), "{which}: {name} does something there");
    }
}

/// I3: the clock's line comes to its core, also while the other is shielded, and never to that.
fn lines_stay_where_they_are(own: &Core, near: &Core) {
    assert_eq!(own.lines(), BTreeSet::from([32, 33]));
    assert_eq!(near.lines(), BTreeSet::from([11, 40]));
    let [_, there] = stays(own, near);
    let clock = near.times(&near.heard("serves"));
    for [begin, end] in there {
        assert!(clock.iter().any(|at| (begin..end).contains(at)), "from {begin} to {end}: {clock:?}");
    }
}

/// A core is shielded and opened again and again, at instants that the seed draws, in the simulator after delays that its own seed
/// draws.
#[test]
fn a_core_is_shielded_and_opened_while_the_system_runs() {
    let name = "shielded";
    let _lock = lock(name);
    for seed in [3, 8] {
        let period = SplitMix64(seed).within(3_000, 6_000);
        let system = system(name, &format!("{period}us")).display().to_string();
        let holds = |file: &str, simulated: u64| {
            let which = format!("seed {seed}, period {period} us, {file} with seed {simulated}");
            let [own, near] = ["own", "near"].map(|core| Core::of(name, core, file));
            assert!(nobody_else_runs_while_it_is_shielded(&own, &which) > 3, "{which}");
            the_part_is_on_one_core(&own, &near, &which);
            if file == "virt.trace" {
                lines_stay_where_they_are(&own, &near);
            }
        };
        beryl(&["run", &system, "--for", "60ms", "--unchecked"]).ended(0);
        holds("virt.trace", 0);
        for simulated in 1..=8 {
            let options = ["sim", &system, "--for", "60ms", "--unchecked", "--seed", &simulated.to_string()];
            beryl(&options).ended(0);
            holds("sim.trace", simulated);
        }
    }
}
