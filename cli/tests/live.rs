//! `beryl run --live`: the environment answers while the emulated board runs.

use std::fs;
use std::path::PathBuf;

use beryl_builder::board::Board;
use beryl_trace::{DecodedNote, Event, Happening, decode};
use common::places::{millisecond, places};
use common::{Ran, application, beryl, change, environment, example, left, lock, threads};

mod common;

/// The environment of [`echo`]: it gives back what it was told last, in a long block.
const PLANT: &str = r#"
use std::convert::Infallible;
use std::path::Path;

use beryl_abi::environment::Channel;
use beryl_sim::{Environment, Nanoseconds};

#[derive(Default)]
pub struct Echo {
    command: u32,
    given: u32,
}

pub fn environment(_seed: u64, _folder: &Path) -> Result<Echo, Infallible> {
    Ok(Echo::default())
}

impl Environment for Echo {
    fn read(&mut self, _instant: Nanoseconds, _channel: Channel, value: &mut [u8]) {
        self.given += 1;
        value[..4].copy_from_slice(&self.command.to_le_bytes());
        value[60..].copy_from_slice(&self.given.to_le_bytes());
    }

    fn write(&mut self, _instant: Nanoseconds, _channel: Channel, value: &[u8]) {
        self.command = u32::from_le_bytes(value.try_into().expect("a word"));
    }

    fn finish(&mut self, instant: Nanoseconds) -> Result<String, String> {
        Ok(format!("{} blocks in {} ms, {} at the end", self.given, instant.count() / 1_000_000, self.command))
    }
}
"#;

/// A thread that writes a number each millisecond, another one on the board than in the simulation, and reads 20 blocks.
const APPLICATION: &str = r#"#![no_std]

use beryl_user::environment::{self, Channel};
use beryl_user::period::Period;
use beryl_user::println;

const TIMES: i32 = if cfg!(target_os = "none") { 2 } else { 1 };

pub fn reader(mut period: Period) -> ! {
    let (mut round, mut block) = (0_i32, [0_i32; 16]);
    loop {
        round += 1;
        environment::write(Channel::new(1), &(round * TIMES));
        let mut sum = 0;
        for _ in 0..20 {
            environment::read(Channel::new(0), &mut block);
            sum += block[0];
        }
        if round % 500 == 0 {
            println!("round {round}: the sum of 20 is {sum}, block {}", block[15]);
        }
        period.wait();
    }
}
"#;

/// Describes that system by a name of its own.
fn echo(name: &str) -> PathBuf {
    let text = "[thread.reader]\nprocess = \"one\"\npriority = 1\nperiod = \"1ms\"\nentry = \"reader\"\nworst = \"0.9ms\"\nstack = \"1k\"\n";
    let system = threads(name, "app", text);
    change(
        &system.join("beryl.toml"),
        "application = \"app\"",
        "application = \"app\"\nenvironment = \"plant\"",
    );
    change(&system.join("beryl.toml"), "ram = \"24k\"", "ram = \"24k\"\nspeed = 4");
    change(
        &system.join("beryl.toml"),
        "memory = \"64\"",
        "memory = \"64\"\ndevices = [\"environment\", \"uart0\"]",
    );
    application(&system, &format!("{name}-app"), APPLICATION);
    environment(&system.join("plant"), &format!("{name}-plant"), PLANT);
    system
}

fn run(system: &str, options: &[&str]) -> Ran {
    beryl(&[&["run", system], options].concat())
}

/// A board whose code takes an instruction more to read the only value that there is than to read one of several.
const UNEVEN: &str = "virt";
/// How far apart the same event may be there, in ticks.
const APART: u64 = 5;

/// No virtual time passes while the plant answers, and it answers what it answered in the simulation: so the board's
/// records are those of a run with the simulation's values, to the byte where reading takes as many instructions.
#[test]
fn a_run_with_the_plant_is_the_same_to_the_byte() {
    let _lock = lock("helicopter");
    let system = example("helicopter");
    for board in places("the plant flies with the board", &[]) {
        let name = board.name;
        run(&system, &["--board", name, "--for", "1s"]).ended(0);
        let trace = format!("{name}/trace.bin");
        let recorded = left("helicopter", &trace);
        let said = run(&system, &["--board", name, "--for", "1s", "--live"]).ended(0);
        let lively = left("helicopter", &trace);
        assert!(lively == recorded || name == UNEVEN && are_near(&lively, &recorded), "on {name}");
        assert!(said.contains("hover held for 1.000 s"), "{said}");
        assert!(said.contains(&format!("50 actuator writes, identical on sim and {name}")), "{said}");
    }
}

/// The same happened in two runs, at nearly the same instants.
fn are_near(one: &[u8], other: &[u8]) -> bool {
    let [one, other] = [one, other].map(|trace| decode(trace).expect("a whole trace"));
    let is_near = |(one, other): (&Event, &Event)| {
        let apart = one.time.ticks().abs_diff(other.time.ticks());
        one.happening == other.happening && apart <= APART
    };
    let far = one.iter().zip(&other).find(|pair| !is_near(*pair));
    println!("{} and {} events; the first that are apart: {far:?}", one.len(), other.len());
    one.len() == other.len() && far.is_none()
}

/// The board of this system writes other numbers than its simulation, and more is read than a window has room for.
#[test]
fn the_plant_answers_the_board_for_as_long_as_it_runs() {
    let _lock = lock("live");
    for board in places("a plant hears the board", &[]) {
        answers_the_board(board.name);
    }
}

fn answers_the_board(board: &str) {
    let system = echo("live");
    let plant = system.join("plant/src/lib.rs");
    let system = system.display().to_string();
    let run = |length: &str, live: &[&str]| {
        run(&system, &[&["--board", board, "--unchecked", "--for", length][..], live].concat())
    };
    let refused = run("1s", &[]);
    assert!(refused.err.contains("`--live`"), "{}", refused.err);
    let said = run("1s", &["--live"]).ended(0);
    let expected = [
        "round 500: the sum of 20 is 20000, block 10000",
        "round 1000: the sum of 20 is 40000, block 20000",
        "20000 blocks in 1000 ms, 2000 at the end",
    ];
    let lines: Vec<_> = said.lines().map(common::spoken).filter(|line| expected.contains(line)).collect();
    assert_eq!(lines, expected, "{said}");
    // Only the board's numbers go beyond 1000.
    change(
        &plant,
        "self.given += 1;",
        "self.given += 1;\n        assert!(self.command < 1200, \"too much: {}\", self.command);",
    );
    let failed = run("1s", &["--live"]);
    assert_eq!(failed.code, Some(1), "{}", failed.err);
    assert!(failed.err.contains("too much: 1200"), "{}", failed.err);
    change(&plant, "Ok(format!(", "Err(format!(");
    change(&plant, "self.command < 1200", "true");
    let said = run("100ms", &["--live"]).ended(1);
    assert!(said.contains("2000 blocks in 100 ms, 200 at the end"), "{said}");
}

/// Serves an interrupt for a millisecond each; another thread is at work for 0.4 ms each 4 ms.
const SERVER: &str = r#"#![no_std]

use beryl_user::call;
use beryl_user::interrupt::Interrupt;
use beryl_user::period::Period;
use beryl_user::time::{microseconds, milliseconds};

pub fn serve(mut bell: Interrupt) -> ! {
    while bell.wait().is_ok() {
        call::keep_busy(milliseconds(1));
    }
    call::stop()
}

pub fn work(mut period: Period) -> ! {
    loop {
        call::keep_busy(microseconds(400));
        period.wait();
    }
}
"#;

/// The bell's instants in us: on an idle board, on a busy one, while it is served (it comes when that is done), twice while
/// it is served (it comes once), and on the idle board again.
const RUNG: [u32; 6] = [5_000, 8_200, 8_900, 15_300, 15_500, 15_700];

/// When interrupts came in a machine's run, in microseconds with what is begun of one.
fn interrupts(machine: &str, board: &Board) -> Vec<u64> {
    let events = decode(&left("bell", &format!("{machine}.trace"))).expect("a whole trace");
    let at = |event: &Event| match event.happening {
        Happening::Note(DecodedNote::Interrupt { .. }) => {
            Some((event.time.ticks() * 1000).div_ceil(millisecond(board)))
        }
        _ => None,
    };
    events.iter().filter_map(at).collect()
}

/// Describes the system with that server and its bell, by a name of its own, for a board: the bell's line is no device's.
fn bell(name: &str, board: &Board) -> String {
    let text = "[thread.serve]\nprocess = \"one\"\npriority = 2\nentry = \"serve\"\nseparation = \"1ms\"\nworst = \"1.1ms\"\n\
                stack = \"512\"\nuses = [\"bell\"]\n\n[thread.work]\nprocess = \"one\"\npriority = 1\nperiod = \"4ms\"\n\
                entry = \"work\"\nworst = \"0.5ms\"\nstack = \"512\"\n\n[interrupt.bell]\nline = 20\n";
    let system = threads(name, "app", text);
    change(
        &system.join("beryl.toml"),
        "application = \"app\"",
        "application = \"app\"\nenvironment = \"bell.csv\"",
    );
    change(&system.join("beryl.toml"), "memory = \"64\"", "memory = \"64\"\ndevices = [\"environment\"]");
    change(&system.join("beryl.toml"), "ram = \"24k\"", "ram = \"24k\"\nspeed = 4");
    change(&system.join("beryl.toml"), "\"mps2-an385\"", &format!("\"{}\"", board.name));
    application(&system, &format!("{name}-app"), SERVER);
    let rows: String = RUNG.iter().map(|instant| format!("{instant}, 1\n")).collect();
    fs::write(system.join("bell.csv"), format!("time us, interrupt 20\n{rows}")).expect("written");
    system.display().to_string()
}

/// Also where nobody else needs the processor, and where the line is masked when it is raised.
#[test]
fn interrupts_of_the_environment_come_to_the_board_when_they_come_in_the_simulation() {
    let _lock = lock("bell");
    for board in places("a bell rings beside the board", &[]) {
        let (system, name) = (bell("bell", board), board.name);
        run(&system, &["--for", "30ms", "--unchecked", "--live"]).ended(0);
        let (simulated, on_board) = (interrupts(&format!("{name}.sim"), board), interrupts(name, board));
        let came = [5_000, 8_200, 9_200, 15_300, 16_300];
        assert_eq!(simulated, came, "{name}");
        assert_eq!(on_board.len(), came.len(), "{name}: {on_board:?}");
        // Behind its instant by an entry into the kernel; where it waited, also by what the board takes for serving more.
        let entry = if name == UNEVEN { 6 } else { 4 };
        for ((at, instant), most) in on_board.iter().zip(came).zip([entry, entry, 50, entry, 50]) {
            assert!((instant..=instant + most).contains(at), "{name}: {on_board:?}, {came:?}");
        }
        // Without the environment nobody rings.
        run(&system, &["--for", "30ms", "--unchecked"]);
        assert!(interrupts(name, board).is_empty());
    }
}
