//! The engine: nineteen threads hold the speed of an engine that answers, in the simulator and on the board.

use std::fs;
use std::path::PathBuf;
use std::sync::LazyLock;

use beryl_abi::ThreadId;
use beryl_trace::{DecodedNote, Event, Happening, Names, decode};
use common::{Ran, beryl, change, example, folder, left, left_text, lock, root, spoken};

mod common;

const BOARD: &str = "mps2-an385";
const LAST_LINE: &str = "engine: 0 actuator writes, identical on sim and mps2-an385; 0 deadline misses";
/// The periodic threads: period and first release, ms.
const PERIODIC: [(&str, usize, usize); 15] = [
    ("sample", 1, 0),
    ("mixture", 10, 0),
    ("lever", 20, 0),
    ("thermometer", 100, 0),
    ("inject", 2, 0),
    ("ignite", 2, 1),
    ("throttle", 5, 0),
    ("govern", 10, 0),
    ("trim", 20, 0),
    ("retard", 50, 0),
    ("adapt", 100, 0),
    ("monitor", 50, 0),
    ("report", 500, 500),
    ("keep", 1000, 99),
    ("engine", 2, 0),
];
/// Length of a run, ms.
const LENGTH: usize = 10_000;
/// Distance of two reports, ms.
const REPORTS: i64 = 500;
/// Reports by when all has settled, and the speed that is asked for then, 1/min.
const SETTLED: [(i64, i64); 4] = [(4, 1000), (9, 2800), (18, 1700), (19, 1700)];
/// How far the speed may then be from it, 1/min.
const TOLERANCE: i64 = 60;
/// Ticks of the board's clock in a millisecond.
const MILLISECOND: u64 = 25_000;

/// What a run said and left.
struct Run {
    ran: Ran,
    names: Names,
    events: Vec<Event>,
}

static SIMULATED: LazyLock<Run> = LazyLock::new(|| Run::of("engine", &["sim"], "sim"));
static ON_BOARD: LazyLock<Run> = LazyLock::new(|| Run::of("engine", &["run"], BOARD));

fn both() -> [(&'static str, &'static Run); 2] {
    [("Simulation", &SIMULATED), ("On mps2-an385", &ON_BOARD)]
}

/// What thread `report` says: number of the report, speed and target (1/min), whether that is near enough.
#[derive(Debug, PartialEq, Eq)]
struct Report {
    number: i64,
    speed: i64,
    target: i64,
    is_held: bool,
}

impl Run {
    fn of(system: &str, command: &[&str], machine: &str) -> Run {
        let _lock = lock(system);
        let path =
            if system == "engine" { example(system) } else { variant_folder(system).display().to_string() };
        let ran = beryl(&[command, &[path.as_str(), "--for", &format!("{LENGTH}ms")]].concat());
        Run {
            ran,
            names: Names::parse(&left_text(system, "names.json")).expect("names"),
            events: decode(&left(system, &format!("{machine}.trace"))).expect("a whole trace"),
        }
    }

    /// The console's lines under a title, as the application wrote them.
    fn console<'a>(&'a self, title: &'a str) -> impl Iterator<Item = &'a str> {
        let lines = self.ran.out.lines().skip_while(move |line| *line != title).skip(1);
        let lines = lines.map(spoken);
        lines.take_while(|line| line.starts_with(|first: char| first.is_ascii_digit()))
    }

    fn reports(&self, title: &str) -> Vec<Report> {
        self.console(title).filter_map(report).collect()
    }

    /// Who went wrong, and how.
    fn troubles(&self) -> Vec<String> {
        let trouble = |event: &Event| match &event.happening {
            Happening::Release { .. }
            | Happening::Switch { .. }
            | Happening::Complete { .. }
            | Happening::State { .. } => None,
            // Waiting and locking are no trouble; threads that stop are.
            Happening::Note(told) if !matches!(told, DecodedNote::Stop { .. } | DecodedNote::Lost { .. }) => {
                None
            }
            Happening::Miss { task, .. } | Happening::Overrun { task } => {
                Some(format!("{}: {event:?}", self.names.thread(*task)))
            }
            _ => Some(format!("{event:?}")),
        };
        self.events.iter().filter_map(trouble).collect()
    }

    fn thread(&self, name: &str) -> ThreadId {
        let mut threads = (0..=u8::MAX).map(ThreadId);
        threads.find(|thread| self.names.thread(*thread) == name).expect(name)
    }

    /// Who is given the processor from an instant on (ms), in order.
    fn given_from(&self, instant: u64) -> Vec<ThreadId> {
        let given = |event: &Event| match event.happening {
            Happening::Switch { to, .. } if event.time.ticks() >= instant * MILLISECOND => Some(to),
            _ => None,
        };
        self.events.iter().filter_map(given).collect()
    }

    /// When the jobs of a thread were released and completed, in order.
    fn jobs(&self, name: &str) -> (Vec<u64>, Vec<u64>) {
        let thread = self.thread(name);
        let (mut releases, mut completions) = (Vec::new(), Vec::new());
        for event in &self.events {
            match event.happening {
                Happening::Release { task, instant, .. } if task == thread => releases.push(instant.ticks()),
                Happening::Complete { task } if task == thread => completions.push(event.time.ticks()),
                _ => {}
            }
        }
        (releases, completions)
    }
}

/// Reads `507 ms: 1012 1/min of 1000, lambda 1.040, held`.
fn report(line: &str) -> Option<Report> {
    let (instant, rest) = line.split_once(" ms: ")?;
    let (speed, rest) = rest.split_once(" 1/min of ")?;
    let (target, rest) = rest.split_once(", lambda ")?;
    let number = |text: &str| text.parse::<i64>().unwrap_or_else(|_| panic!("{line}"));
    Some(Report {
        number: number(instant) / REPORTS,
        speed: number(speed),
        target: number(target),
        is_held: rest.ends_with(", held"),
    })
}

fn variant_folder(name: &str) -> PathBuf {
    folder().join("systems").join(name)
}

/// The example without its governor: its first job would begin when the run is over.
fn ungoverned(name: &str) {
    let system = variant_folder(name);
    fs::create_dir_all(&system).expect("a folder");
    let description = system.join("beryl.toml");
    fs::copy(root().join("examples/engine/beryl.toml"), &description).expect("a copy");
    change(&description, "name = \"engine\"", &format!("name = {name:?}"));
    for part in ["app", "road"] {
        change(&description, &format!("= {part:?}"), &format!("= \"../../../../examples/engine/{part}\""));
    }
    change(&description, "entry = \"govern\"", "entry = \"govern\"\noffset = \"40s\"");
}

#[test]
fn check_counts_all_periodic_threads() {
    let said = beryl(&["check", &example("engine")]).ended(0);
    let row = |name: &str| {
        let row = said
            .lines()
            .skip(1)
            .map(str::trim)
            .find(|line| line.starts_with(&format!("{name} ")))
            .expect(name);
        row.split_whitespace().last().expect("a band").to_owned()
    };
    let bands = PERIODIC.map(|(name, ..)| row(name));
    let count = |band: &str| bands.iter().filter(|found| *found == band).count();
    assert_eq!(["angle", "control", "background"].map(count), [3, 9, 3]);
    let safe = "time-safe: every job of `crank`, `sample`, `inject`, `ignite`, `revolution`, `mixture`, `lever`, \
                `thermometer`, `throttle`, `govern`, `trim`, `retard`, `adapt`, `engine` completes by its deadline";
    assert!(said.contains(safe), "{said}");
    assert!(
        said.contains("every job of `monitor`, `report`, `keep` would complete by its deadline"),
        "{said}"
    );
    // `keep` holds the store for 3 ms, and `adapt` waits for it.
    assert!(said.lines().any(|line| line.contains("  adapt ") && line.contains(" 3.224")), "{said}");
    assert!(said.contains("semaphore store: binary, with inheritance; across processes"), "{said}");
    // What steps of the kernel are charged is told to machines, too.
    let rows = beryl(&["check", &example("engine"), "--json"]).ended(0);
    let rows = rows.lines().filter_map(|line| serde_json::from_str::<serde_json::Value>(line).ok());
    let steps =
        rows.into_iter().find_map(|row| row.get("kernel_instructions_of_a_step").cloned()).expect("steps");
    let steps = steps.as_object().expect("kinds");
    assert!(steps.len() > 4, "{steps:?}");
    for (kind, count) in steps {
        assert!(said.contains(&format!("{kind} {count}")), "{kind}: {count}, and in words\n{said}");
    }
}

#[test]
fn the_speed_settles_where_it_is_asked_to() {
    for (title, run) in both() {
        let reports = run.reports(title);
        let numbers: Vec<_> = reports.iter().map(|report| report.number).collect();
        assert_eq!(numbers, (1..=19).collect::<Vec<_>>(), "{title}: {:?}", run.ran);
        for (number, asked) in SETTLED {
            let report = reports.iter().find(|report| report.number == number).expect("a report");
            assert!((report.speed - asked).abs() <= TOLERANCE && report.is_held, "{title}: {report:?}");
            assert!((report.target - asked).abs() <= 5, "{title}: {report:?}");
        }
    }
    assert!(SIMULATED.ran.out.contains("speed held: at most "), "{:?}", SIMULATED.ran);
}

/// Not only at the end: wherever the drive leads, both machines are nearly at the same speed, though one
/// takes worst-case times and the other its own.
#[test]
fn both_machines_drive_alike() {
    let [simulated, driven] = both().map(|(title, run)| run.reports(title));
    assert_eq!(simulated.len(), driven.len());
    for (simulated, driven) in simulated.iter().zip(&driven) {
        assert!((simulated.speed - driven.speed).abs() <= TOLERANCE, "{simulated:?}, {driven:?}");
        assert_eq!(simulated.target, driven.target);
    }
    assert_eq!(ON_BOARD.ran.out.lines().last(), Some(LAST_LINE));
}

/// Every release at its instant, every job done before the next, and nothing else that is worth a record.
#[test]
fn no_deadline_is_missed_and_nobody_faults() {
    for (title, run) in both() {
        assert_eq!(run.ran.code, Some(0), "{title}: {:?}", run.ran);
        assert_eq!(run.troubles(), Vec::<String>::new(), "{title}");
        for (name, period, offset) in PERIODIC {
            let (releases, completions) = run.jobs(name);
            let expected = (offset..LENGTH).step_by(period).map(|instant| instant as u64 * MILLISECOND);
            assert_eq!(releases, expected.collect::<Vec<_>>(), "{title}: {name}");
            assert_eq!(completions.len(), releases.len(), "{title}: {name}");
            let in_time = |(release, end): (&u64, &u64)| end - release <= period as u64 * MILLISECOND;
            assert!(releases.iter().zip(&completions).all(in_time), "{title}: {name}");
        }
        let lines: Vec<_> = run.console(title).filter(|line| !line.contains(" 1/min of ")).collect();
        assert_eq!(lines.len(), 10, "{title}: {lines:?}");
        // Whoever reads while another writes finds the sum wrong.
        assert!(lines.iter().all(|line| line.contains(" ms: kept ")), "{title}: {lines:?}");
    }
}

/// At 2800 1/min there are 933 teeth a second, and each is served.
#[test]
fn each_tooth_is_served() {
    for (title, run) in both() {
        let crank = run.thread("crank");
        let in_second = |event: &&Event| (4000..5000).contains(&(event.time.ticks() / MILLISECOND));
        let served = run.events.iter().filter(in_second).filter(
            |event| matches!(event.happening, Happening::Switch { from, to } if to == crank && from != crank),
        );
        let served = served.count();
        assert!((900..=960).contains(&served), "{title}: {served}");
    }
}

/// `keep` has the store when `adapt` is released, at 100 ms of each second. From then until `adapt` runs,
/// `keep` runs at `adapt`'s urgency: across processes and from the lowest band to the one above; `monitor`,
/// which is released at the same instant and more urgent than `keep`, waits.
#[test]
fn who_has_the_store_inherits() {
    for (title, run) in both() {
        let [adapt, keep] = ["adapt", "keep"].map(|name| run.thread(name));
        let background = ["monitor", "report", "diagnose"].map(|name| run.thread(name));
        let mut inherited = 0;
        for second in 0..LENGTH as u64 / 1000 {
            let given = run.given_from(second * 1000 + 100);
            let until: Vec<_> = given.into_iter().take_while(|thread| *thread != adapt).collect();
            inherited += usize::from(until.contains(&keep));
            let outsider = until.iter().find(|thread| background.contains(thread));
            assert_eq!(outsider, None, "{title}: second {second}");
        }
        assert!(inherited >= 8, "{title}: {inherited} of 10 times there was something to inherit");
    }
}

#[test]
fn on_every_road_and_with_every_time_the_speed_is_held() {
    let mut reports = vec![SIMULATED.reports("Simulation")];
    for seed in ["2", "3", "5", "8"] {
        let run =
            Run::of("engine", &["sim", "--times", "random", "--seed", seed, "--plant-seed", seed], "sim");
        assert_eq!(run.ran.code, Some(0), "seed {seed}: {:?}", run.ran);
        assert!(run.ran.out.contains("speed held: at most "), "seed {seed}: {:?}", run.ran);
        assert_eq!(run.troubles(), Vec::<String>::new(), "seed {seed}");
        let found = run.reports("Simulation");
        assert!(!reports.contains(&found), "seed {seed}: nothing was different, so nothing was tried");
        reports.push(found);
    }
}

/// The negative control: without the governor the springs hold the throttle open, and the engine runs away;
/// the other threads go on, keep their deadlines, and one tells.
#[test]
fn without_its_governor_the_engine_runs_away() {
    ungoverned("ungoverned");
    let runs = [("Simulation", &["sim"][..], "sim", Some(1)), ("On mps2-an385", &["run"], BOARD, Some(0))];
    for (title, command, machine, code) in runs {
        let run = Run::of("ungoverned", command, machine);
        assert_eq!(run.ran.code, code, "{title}: {:?}", run.ran);
        let reports = run.reports(title);
        // Later the target comes near where it has run to.
        let early: Vec<_> = reports.iter().filter(|report| (3..=6).contains(&report.number)).collect();
        assert_eq!(early.len(), 4, "{title}: {reports:#?}");
        assert!(early.iter().all(|report| report.speed > 2500 && !report.is_held), "{title}: {early:#?}");
        assert_eq!(run.troubles(), Vec::<String>::new(), "{title}");
        assert!(
            run.console(title).any(|line| line.ends_with(" ms: trouble: overspeed")),
            "{title}: {:?}",
            run.ran
        );
        if machine == "sim" {
            assert!(run.ran.out.contains("the speed was lost after 1600 ms: "), "{:?}", run.ran);
        }
    }
}

/// The teeth since the start are in the message that `crank` writes for each of them: so many writes were told, one after
/// the other, and the last value that was told says as many as were.
#[test]
fn what_is_written_without_the_kernel_is_in_the_trace() {
    for (title, run) in both() {
        let number = run.names.states.iter().find(|state| state.name == "speed").expect("speed").number;
        let told: Vec<(u32, f32)> = run
            .events
            .iter()
            .filter_map(|event| match &event.happening {
                Happening::State { message, writes, value } if message.0 == number => {
                    let teeth = value.get(4..).and_then(|bytes| bytes.first_chunk()).expect("two words");
                    Some((*writes, f32::from_le_bytes(*teeth)))
                }
                _ => None,
            })
            .collect();
        assert!(told.len() > 1000, "{title}: {}", told.len());
        let mut written = 0;
        for (writes, teeth) in &told {
            written += writes;
            assert_eq!(*teeth as u32, written, "{title}");
        }
    }
}
