//! What a thread may call, by the rules of a paper on usable interfaces (OSPERT 2014, 8): whether everything can be done, in how
//! many ways, and with how many functions. `docs/measurements/interfaces.md` has both tables.

use std::collections::BTreeSet;
use std::fs;
use std::sync::LazyLock;

use beryl_trace::{DecodedNote, Event, Happening, decode};
use calls::{CALLS, Called, called};
use common::{beryl, left, lock, root};
use ways::{WAYS, Way};

#[path = "interfaces/calls.rs"]
mod calls;
mod common;
#[path = "interfaces/ways.rs"]
mod ways;

const PAGE: &str = "docs/measurements/interfaces.md";
/// Ticks of a moment, which the threads wait where they wait for so long.
const MOMENT: u64 = 50_000;
/// How much later a thread may go on where the kernel takes time: a part of a moment.
const LATE: u64 = 5_000;

struct Told {
    event: u16,
    value: u32,
    /// In ticks.
    time: u64,
}

/// All that happens in a run: what threads tell, and how often interrupts came.
struct Story {
    told: Vec<Told>,
    interrupts: usize,
}

impl Story {
    fn of(command: &[&str], machine: &str) -> Story {
        let _lock = lock("interfaces");
        let system = root().join("cli/tests/interfaces").display().to_string();
        beryl(&[&[command[0], &system, "--for", "100ms"], &command[1..]].concat()).ended(0);
        let events = decode(&left("interfaces", &format!("{machine}.trace"))).expect("a whole trace");
        let telling = |event: &Event| match event.happening {
            Happening::Note(DecodedNote::Event { event: told, value, .. }) => {
                Some(Told { event: told, value, time: event.time.ticks() })
            }
            _ => None,
        };
        let came = |event: &&Event| matches!(event.happening, Happening::Note(DecodedNote::Interrupt { .. }));
        Story {
            told: events.iter().filter_map(telling).collect(),
            interrupts: events.iter().filter(came).count(),
        }
    }

    /// What was told of a way, with its times.
    fn about(&self, event: u16) -> (Vec<u32>, Vec<u64>) {
        self.told.iter().filter(|told| told.event == event).map(|told| (told.value, told.time)).unzip()
    }
}

static SIMULATED: LazyLock<Story> = LazyLock::new(|| Story::of(&["sim"], "sim"));
static ON_BOARD: LazyLock<Story> = LazyLock::new(|| Story::of(&["run", "--live"], "mps2-an385"));

fn both() -> [(&'static str, &'static Story); 2] {
    [("sim", &SIMULATED), ("mps2-an385", &ON_BOARD)]
}

/// Somebody waits, is woken, goes on, in this order; and who waits for so long goes on then.
#[test]
fn each_way_does_what_it_is_for() {
    for (machine, story) in both() {
        for Way { name, event, told, lasts } in WAYS.iter().flat_map(|requirement| requirement.ways) {
            let (values, times) = story.about(*event);
            assert!(values.starts_with(told), "{machine}: {name}: {values:?}");
            if let [.., from, until] = times.get(..told.len()).expect("as many times")
                && *lasts
            {
                let took = until - from;
                assert!((MOMENT..MOMENT + LATE).contains(&took), "{machine}: {name}: {took}");
            }
        }
    }
}

/// The line comes twice again before the thread has acknowledged the first time; the other one comes once.
#[test]
fn an_interrupt_that_is_not_acknowledged_comes_once() {
    for (machine, story) in both() {
        // What was kept for the first line comes when it is acknowledged.
        assert_eq!(story.interrupts, 3, "{machine}");
    }
}

/// A call of the library that is on no list, or one of a list that the library hasn't.
#[test]
fn every_call_has_its_mechanism() {
    let listed: Vec<_> = CALLS.iter().flat_map(|mechanism| mechanism.calls.iter().copied()).collect();
    let set: BTreeSet<_> = listed.iter().copied().map(str::to_owned).collect();
    assert_eq!(set.len(), listed.len(), "one is listed twice");
    assert_eq!(set, called(&root().join("user/src")));
}

#[test]
fn calls_of_a_source_are_found() {
    let text = "pub fn sleep(time: u32) {}\nimpl<T: Plain> Reader<T> {\n    pub const unsafe fn new() -> Self {}\n    \
                pub fn read(&self) {}\n    fn own(&self) {}\n}\nimpl Drop for Other {\n    pub fn not_its_own() {}\n}\n";
    assert_eq!(Called::of("time", text), ["Reader::read", "time::sleep"]);
}

/// The page says what the lists say; `BERYL_BLESS=1` writes it anew.
#[test]
fn the_page_has_both_tables() {
    let path = root().join(PAGE);
    let page = fs::read_to_string(&path).expect("the page");
    let made = put(&put(&page, "functions", &calls::table()), "ways", &ways::table());
    if std::env::var_os("BERYL_BLESS").is_some() {
        return fs::write(&path, &made).expect("the page can be written");
    }
    assert!(page == made, "{PAGE} isn't what `cli/tests/interfaces` says: {made}");
}

/// The page with this table in its place.
fn put(page: &str, name: &str, table: &str) -> String {
    let begin = format!("<!-- table: {name} -->\n");
    let (before, rest) = page.split_once(&begin).expect("a place for the table");
    let (_, after) = rest.split_once("<!-- end -->").expect("its end");
    format!("{before}{begin}{table}<!-- end -->{after}")
}
