//! A hostile interpreter on each emulated board: whoever is beside it keeps deadlines and memory, and each fault is told
//! of who did it.
//!
//! `BERYL_ATTACK=100000` goes on until there were so many misdeeds, and prints the tables of
//! `docs/measurements/attack.md`; with `BERYL_BLESS=1` it writes them there, too.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use beryl_abi::{CallNumber, FaultKind, Instant, Passed, ThreadId};
use beryl_builder::assembly::{Home, Use};
use beryl_builder::board::{BOARDS, Board};
use beryl_builder::emit::names::names_of;
use beryl_builder::emulator::{self, Accesses};
use beryl_builder::image::{self, Built};
use beryl_builder::proof::{prove, relied, stopped};
use beryl_builder::workshop::Workshop;
use beryl_builder::{Project, Variant};
use beryl_testing::SplitMix64 as Random;
use beryl_trace::jobs::{History, Outcome};
use beryl_trace::{DecodedNote, Event, Happening, Names, Tick, decode};
use common::places::{millisecond, places};
use common::{folder, lock, root};
use misdeeds::{Around, Expected, Misdeed, STRANGER, WHATS};

mod common;
#[path = "hostile/misdeeds.rs"]
mod misdeeds;

/// Threads without times, one after the other; and jobs with budgets.
const CULPRITS: usize = 100;
/// Bytes of their stacks.
const STACK: u32 = 512;
const JOBS: usize = 4;
/// Misdeeds that lie ready in a run at most, and how many bytes of the window each takes; how long a run is, in milliseconds.
const READY: u32 = 8_000;
const BYTES: u32 = 40;
const LENGTH: u64 = 400;
/// What is told of a misdeed begins so.
const TOLD: u16 = 0xA700;
/// Who must not notice.
const HONEST: [&str; 3] = ["steady", "fast", "slow"];

/// The system with its culprits, built for a board.
struct System {
    project: Project,
    names: Names,
    built: Built,
}

/// Describes the system.
fn described() -> PathBuf {
    let source = root().join("kernel/boards/mps2-an385/hostile");
    let system = folder().join("hostile_board");
    fs::create_dir_all(&system).expect("a folder for the system");
    let text = fs::read_to_string(source.join("beryl.toml")).expect("the description");
    let text = text.replace("name = \"hostile\"", "name = \"hostile_board\"");
    // From `target/e2e/hostile_board`, or what it is called.
    let application = "application = \"../../../kernel/boards/mps2-an385/hostile/app\"";
    let mut text = text.replace("application = \"app\"", application);
    for number in 0..CULPRITS {
        text += &format!(
            "\n[thread.culprit_{number:03}]\nprocess = \"hostile\"\nband = \"background\"\npriority = 1\nentry = \"wild\"\nstack = \"512\"\n"
        );
    }
    for number in 0..JOBS {
        text += &format!(
            "\n[thread.job_{number}]\nprocess = \"hostile\"\nband = \"threads\"\npriority = 16\nentry = \"wild_job\"\nstack = \"512\"\n\
             period = \"40ms\"\noffset = \"{}ms\"\nworst = \"300us\"\non_overrun = \"end-job\"\nwaits = \"never\"\n",
            5 * number
        );
    }
    fs::write(system.join("beryl.toml"), text).expect("the description");
    fs::copy(source.join("hostile.tdl"), system.join("hostile.tdl")).expect("the timing program");
    system
}

impl System {
    fn new(system: &Path, board: &'static Board) -> System {
        let variant = Variant { board: Some(board), ..Variant::default() };
        let project = Project::load(system, variant).unwrap_or_else(|error| panic!("{error:#?}"));
        let built = image::build(&project, &Workshop::new(&folder()), |_| ())
            .unwrap_or_else(|error| panic!("{error:#?}"));
        let names = names_of(&project, Tick::new(project.tick(), 1).expect("a tick"));
        System { names, project, built }
    }

    fn board(&self) -> &'static Board {
        self.project.description.board.board.value
    }

    /// How many misdeeds the board's window has room for.
    fn ready(&self) -> u32 {
        let window = self.board().device(self.board().environment).expect("a window").interval;
        READY.min((window.limit - window.base) / BYTES)
    }

    fn process(&self, name: &str) -> usize {
        self.project.assembly.processes.iter().position(|process| process.name == name).expect(name)
    }

    fn thread(&self, name: &str) -> usize {
        self.project.assembly.threads.iter().position(|thread| thread.name == name).expect(name)
    }

    fn is_hostile(&self, thread: ThreadId) -> bool {
        let row = self.project.assembly.threads.get(thread.index());
        row.is_some_and(|row| row.process == self.process("hostile"))
    }

    fn memory(&self, process: &str) -> u32 {
        let plan = self.built.plan.processes.iter().find(|plan| plan.name == process).expect(process);
        plan.memory.region.interval.base
    }

    fn stack(&self, thread: &str) -> u32 {
        let stack = self.project.plan.stacks.iter().find(|stack| stack.thread == thread).expect(thread);
        stack.block.region.interval.base
    }

    /// Where hostile stacks end, from a multiple of how many bytes: the largest for which that is the same of all.
    fn stacks(&self) -> [u32; 2] {
        let threads = self.project.assembly.threads.iter();
        let hostile = threads.filter(|thread| thread.process == self.process("hostile"));
        let ends: Vec<u32> = hostile.map(|thread| self.stack(&thread.name) + STACK).collect();
        let grains = [512, 256, 128].into_iter();
        let mut fitting = grains.filter(|grain| ends.iter().all(|end| end % grain == ends[0] % grain));
        let grain = fitting.next().expect("stacks that lie alike");
        [ends[0] % grain, grain]
    }

    /// The words of locks and state messages that the hostile process may write.
    fn shared(&self) -> Vec<u32> {
        let (cells, hostile) = (&self.project.assembly.cells, self.process("hostile"));
        let words = [Home::Process(hostile), Home::State(hostile)].into_iter().flat_map(|home| {
            let first = self.project.places.home(home);
            (0..cells.size(home) / 4).map(move |word| first + 4 * word)
        });
        words.collect()
    }

    /// A call about each object that is others', of each kind, and about one that there isn't.
    fn strangers(&self) -> Vec<(CallNumber, u8)> {
        use CallNumber as C;
        let (objects, bit) = (&self.project.assembly.objects, 1 << self.process("hostile"));
        let mut all = Vec::new();
        let mut add = |calls: &[CallNumber], rights: Vec<u32>| {
            let lacks = rights.iter().enumerate().filter(|(_, rights)| *rights & bit == 0);
            let numbers: Vec<u8> = lacks.map(|(number, _)| u8::try_from(number).expect("a number")).collect();
            assert!(!numbers.is_empty(), "nothing for {calls:?}");
            all.extend(
                calls.iter().flat_map(|call| numbers.iter().chain(&[200]).map(|number| (*call, *number))),
            );
        };
        let server = |thread: usize| 1_u32 << self.project.assembly.threads[thread].process;
        add(
            &[C::SemaphoreWait, C::SemaphoreSignal],
            objects.semaphores.iter().map(|row| row.processes).collect(),
        );
        add(
            &[C::ConditionWait, C::ConditionSignal, C::ConditionBroadcast],
            objects.conditions.iter().map(|row| row.processes).collect(),
        );
        add(&[C::MailboxSend], objects.mailboxes.iter().map(|row| row.senders).collect());
        add(&[C::MailboxReceive], objects.mailboxes.iter().map(|row| row.receivers).collect());
        add(
            &[C::EndpointReceive, C::EndpointReply],
            objects.endpoints.iter().map(|row| server(row.server)).collect(),
        );
        add(
            &[C::EventGroupSet, C::EventGroupClear],
            objects.event_groups.iter().map(|row| row.sources).collect(),
        );
        add(&[C::EventGroupWait], objects.event_groups.iter().map(|row| row.waiters).collect());
        add(&[C::Notify], objects.notifications.iter().map(|row| row.senders).collect());
        let slow = objects.states.iter().filter(|row| row.id.is_some());
        add(&[C::StateMessageRead], slow.map(|row| row.slow_readers).collect());
        // Of these the system has none, or none that a call names.
        let others = [C::EndpointCall, C::Acknowledge, C::SlotWrite, C::SlotCheck, C::SlotRead, C::TraceRead];
        all.extend(others.map(|call| (call, 77)));
        all
    }

    /// What the hostile process may ask so often only.
    fn limited(&self) -> Vec<(CallNumber, u8)> {
        let limits = self.project.assembly.objects.limits.iter();
        let number = |index: usize| u8::try_from(index).expect("a number");
        let calls = limits.filter_map(|limit| match limit.of {
            Use::Send(index) => Some((CallNumber::MailboxSend, number(index))),
            Use::Call(index) => Some((CallNumber::EndpointCall, number(index))),
            _ => None,
        });
        calls.collect()
    }

    fn around(&self) -> Around {
        let plan = &self.built.plan;
        let clock = self.board().device(self.board().clock).expect("a clock").interval.base;
        Around {
            is_arm: self.board().processor.vectors.is_some(),
            clock,
            kernel: plan.kernel.ram.base,
            text: plan.text.region.interval.base,
            // Not what is the hostile process's own among it: its state message.
            published: self.project.places.home(Home::Published),
            // A neighbour's memory and stack, and the hostile process's own memory.
            others: vec![
                self.memory("beats"),
                self.memory("steady"),
                self.memory("office"),
                self.stack("fast"),
                self.stack("slow"),
                self.stack("steady drivers"),
            ],
            own: self.memory("hostile"),
            shared: self.shared(),
            strangers: self.strangers(),
            limited: self.limited(),
        }
    }
}

/// What came of runs.
#[derive(Default)]
struct Tally {
    runs: u64,
    /// How often each misdeed was told.
    told: BTreeMap<&'static str, u64>,
    /// How often each kind of fault was.
    faults: BTreeMap<&'static str, u64>,
    /// Jobs of those beside, all done in time.
    jobs: u64,
    /// Calls that were counted for want of a right.
    lacks: u64,
    /// Requests that passed their limit, and that didn't.
    passed: u64,
    beyond: u64,
}

impl Tally {
    fn misdeeds(&self) -> u64 {
        self.told.values().sum()
    }
}

/// A channel's values in the form of a simulation's exchange.
fn channel(number: u32, misdeeds: &[Misdeed], stacks: [u32; 2]) -> Vec<u8> {
    let value = |(index, misdeed): (usize, &Misdeed)| {
        let number_of = u32::try_from(index).expect("a number");
        [&[number, 32, 0, 0][..], &misdeed.words(number_of, stacks)].concat()
    };
    let end = [&[number, 32, 0, 0][..], &[u32::MAX, 0, 0, 0, 0, 0, 0, 0]].concat();
    misdeeds.iter().enumerate().flat_map(value).chain(end).flat_map(u32::to_le_bytes).collect()
}

/// Runs a list of misdeeds on the board.
fn run(system: &System, misdeeds: &[Misdeed]) -> Vec<Event> {
    let board = system.board();
    let stop = Instant::from_ticks(LENGTH * millisecond(board));
    let window = Accesses::parse(&channel(1, misdeeds, system.stacks()))
        .and_then(|accesses| accesses.window(board, stop));
    let folder = folder().join("out/hostile_board");
    fs::create_dir_all(&folder).expect("a folder for the run");
    let speed = system.project.description.board.speed;
    let left = emulator::run(board, &system.built.image, &window.expect("a window"), speed, &folder)
        .unwrap_or_else(|error| panic!("{error:#?}"));
    decode(&left.trace).expect("a whole trace")
}

/// The state of a hostile thread, as far as its next fault depends on it.
#[derive(Clone, Copy, Default)]
struct Doing {
    /// The number of the misdeed under way.
    misdeed: Option<usize>,
    /// Whether it has written to its own stack, or holds what may make any call a fault.
    is_broken: bool,
    /// Whether its call was counted for want of a right.
    is_counted: bool,
}

/// Holds each fault against what was asked for, and counts.
fn check_faults(system: &System, misdeeds: &[Misdeed], events: &[Event], tally: &mut Tally) {
    let mut doing: BTreeMap<ThreadId, Doing> = BTreeMap::new();
    for event in events {
        match event.happening {
            Happening::Note(DecodedNote::Event { thread, event, value }) if event & 0xFF00 == TOLD => {
                let number = value as usize;
                let Some(misdeed) = misdeeds.get(number) else { continue };
                if misdeed.what != u32::from(event & 0xFF) || !system.is_hostile(thread) {
                    continue;
                }
                let state = doing.entry(thread).or_default();
                if let Some(last) = state.misdeed.replace(number)
                    && !state.is_broken
                {
                    let last = &misdeeds[last];
                    let may_go_on = matches!(last.expected, Expected::Nothing | Expected::Perhaps);
                    assert!(may_go_on || is_job(system, thread), "{thread:?} went on after {last:x?}");
                    let is_owed = last.what == STRANGER && !is_job(system, thread);
                    assert!(
                        state.is_counted || !is_owed,
                        "{thread:?} has no right, and wasn't counted: {last:x?}"
                    );
                }
                state.is_counted = false;
                state.is_broken |= misdeed.breaks();
                *tally.told.entry(WHATS[misdeed.what as usize]).or_default() += 1;
            }
            Happening::Note(DecodedNote::Lack { thread, call, object }) => {
                assert!(system.is_hostile(thread), "{} is named: {event:x?}", system.names.thread(thread));
                let state = doing.entry(thread).or_default();
                let asked = state.misdeed.and_then(|number| misdeeds[number].asked());
                assert!(
                    asked == Some((call.into(), object)) || state.is_broken,
                    "{event:x?} after {asked:x?}"
                );
                state.is_counted = true;
                tally.lacks += 1;
            }
            Happening::Fault { thread, fault } => {
                assert!(system.is_hostile(thread), "{} is named: {event:x?}", system.names.thread(thread));
                let state = doing.get(&thread).copied().unwrap_or_default();
                let misdeed = state.misdeed.map(|number| &misdeeds[number]);
                let is_right = match misdeed.map(|misdeed| misdeed.expected) {
                    Some(Expected::Exactly(kind, address)) => (fault.kind, fault.address) == (kind, address),
                    Some(Expected::OfKind(kind)) => fault.kind == kind,
                    Some(Expected::Some | Expected::Perhaps) => true,
                    Some(Expected::Nothing) | None => false,
                };
                assert!(is_right || state.is_broken, "{event:x?} after {misdeed:x?}");
                *tally.faults.entry(name(fault.kind)).or_default() += 1;
            }
            _ => {}
        }
    }
}

fn is_job(system: &System, thread: ThreadId) -> bool {
    system.names.thread(thread).starts_with("job")
}

fn name(kind: FaultKind) -> &'static str {
    kind.words()
}

/// What a process may ask in a millisecond is what comes of it, however much it asks.
fn check_limits(system: &System, events: &[Event], tally: &mut Tally) {
    let count = |wanted: Passed| {
        let is_wanted = |event: &&Event| {
            matches!(event.happening, Happening::Note(DecodedNote::Message { thread, passed, object: 0 })
                if passed == wanted && system.is_hostile(thread))
        };
        events.iter().filter(is_wanted).count() as u64
    };
    let [sent, asked] = [Passed::Sent, Passed::Asked].map(count);
    assert!(sent <= 3 * (LENGTH + 1) && asked <= 2 * (LENGTH + 1), "{sent} messages, {asked} requests");
    tally.passed += sent + asked;
    tally.beyond += count(Passed::SentBeyond) + count(Passed::AskedBeyond);
}

/// Nobody else is late, named or left out.
fn check_others(system: &System, events: &[Event], tally: &mut Tally) {
    for event in events {
        let blamed = match event.happening {
            Happening::Miss { task, .. }
            | Happening::Violation { task, .. }
            | Happening::Overrun { task } => Some(task),
            Happening::Skip { .. } | Happening::Stray { .. } => panic!("{event:?}"),
            _ => None,
        };
        if let Some(thread) = blamed {
            assert!(system.is_hostile(thread), "{}: {event:?}", system.names.thread(thread));
        }
    }
    let history = History::of(events);
    let end = Instant::from_ticks((LENGTH - 1) * millisecond(system.board()));
    for name in HONEST {
        let index = system.thread(name);
        let thread = ThreadId(u8::try_from(index).expect("a number"));
        let jobs: Vec<_> = history.jobs_of(thread).filter(|job| job.deadline < end).collect();
        assert!(jobs.iter().all(|job| job.outcome == Outcome::Completed), "{name}: {jobs:?}");
        let period = match name {
            "steady" => 5,
            "fast" => 10,
            _ => 40,
        };
        assert!(jobs.len() as u64 >= LENGTH / period - 3, "{name} has only {} jobs", jobs.len());
        tally.jobs += jobs.len() as u64;
    }
}

fn attack(system: &System, seed: u64, tally: &mut Tally) {
    let mut random = Random(seed);
    let around = system.around();
    let misdeeds: Vec<Misdeed> = (0..system.ready()).map(|_| Misdeed::draw(&around, &mut random)).collect();
    let events = run(system, &misdeeds);
    check_others(system, &events, tally);
    check_faults(system, &misdeeds, &events, tally);
    check_limits(system, &events, tally);
    tally.runs += 1;
}

/// What is summed up of a board, and how.
type Sum = (&'static str, fn(&Tally) -> u64);

/// The tables of the page on attacks, a column a board.
fn tables(tallies: &[(&Board, Tally)]) -> String {
    let sums: [Sum; 7] = [
        ("runs", |tally| tally.runs),
        ("misdeeds", Tally::misdeeds),
        ("faults", |tally| tally.faults.values().sum()),
        ("jobs beside them, none late", |tally| tally.jobs),
        ("calls counted for want of a right, each of the thread that made it", |tally| tally.lacks),
        ("requests that passed their limit", |tally| tally.passed),
        ("requests beyond it", |tally| tally.beyond),
    ];
    let sums =
        sums.iter().map(|(what, count)| (*what, tallies.iter().map(|(_, tally)| count(tally)).collect()));
    let counted = |of: fn(&Tally) -> &BTreeMap<&'static str, u64>| {
        let names: BTreeSet<_> = tallies.iter().flat_map(|(_, tally)| of(tally).keys()).collect();
        let count = |name: &&str| {
            tallies.iter().map(|(_, tally)| of(tally).get(*name).copied().unwrap_or(0)).collect()
        };
        names.into_iter().map(|name| (*name, count(name))).collect::<Vec<_>>()
    };
    [
        table(tallies, &format!("of {LENGTH} ms"), sums.collect()),
        table(tallies, "misdeed", counted(|tally| &tally.told)),
        table(tallies, "fault told", counted(|tally| &tally.faults)),
    ]
    .join("\n")
}

fn table(tallies: &[(&Board, Tally)], head: &str, rows: Vec<(&str, Vec<u64>)>) -> String {
    let boards: String = tallies.iter().map(|(board, _)| format!(" `{}` |", board.name)).collect();
    let rows = rows.into_iter().map(|(what, counts)| {
        let counts: String = counts.iter().map(|count| format!(" {count} |")).collect();
        format!("| {what} |{counts}\n")
    });
    format!("| {head} |{boards}\n|---|{}\n{}", "--:|".repeat(tallies.len()), rows.collect::<String>())
}

/// Writes the table into the page, if that is asked for.
fn record(table: &str) {
    if std::env::var_os("BERYL_BLESS").is_none() {
        return;
    }
    let path = root().join("docs/measurements/attack.md");
    let page = fs::read_to_string(&path).expect("the page");
    let (before, rest) = page.split_once("<!-- table: board -->\n").expect("the table");
    let (_, after) = rest.split_once("<!-- end -->").expect("its end");
    fs::write(&path, format!("{before}<!-- table: board -->\n{table}<!-- end -->{after}")).expect("written");
}

#[test]
fn a_hostile_interpreter_makes_nobody_late_and_changes_nobodys_memory() {
    let _lock = lock("hostile_board");
    let described = described();
    let boards = places("a hostile interpreter", &[]);
    let tallies: Vec<_> =
        boards.iter().map(|board| (*board, bears_it(&System::new(&described, board)))).collect();
    println!("{}", tables(&tallies));
    if boards.len() == BOARDS.len() {
        record(&tables(&tallies));
    }
}

fn bears_it(system: &System) -> Tally {
    assert!(prove(&system.project).is_ok(), "those beside it are promised their deadlines");
    let relied = relied(&system.project, &stopped(&system.project), system.process("hostile"));
    for name in HONEST {
        let thread = system.thread(name);
        let mut clauses = relied.iter();
        assert!(clauses.all(|reliance| !reliance.whom.contains(&thread)), "{name}: {relied:?}");
    }
    let wanted: u64 = std::env::var("BERYL_ATTACK").map_or(5_000, |count| count.parse().expect("a number"));
    let mut tally = Tally::default();
    for seed in 1.. {
        attack(system, seed, &mut tally);
        println!("seed {seed}: {} misdeeds so far", tally.misdeeds());
        if tally.misdeeds() >= wanted {
            break;
        }
    }
    assert!(tally.lacks > 100 && tally.beyond > 100, "{} lacks, {} beyond limits", tally.lacks, tally.beyond);
    tally
}
