//! The sampler: a program by hand that waits for an interrupt gets its certificate, takes over in a running
//! system, reacts, and is rolled back; on both machines alike.

use std::fs;
use std::path::{Path, PathBuf};

use beryl_builder::board::Board;
use beryl_trace::{Happening, Names, decode};
use common::places::{millisecond, places};
use common::{Ran, assert_recorded, beryl, change, example, folder, left, left_text, lock, root};

mod common;

/// What the files of a swap are called.
const SIMULATED: &str = "swap.sim";
/// Ticks of 40 ns in a millisecond.
const MILLISECOND: u64 = 25_000;

/// When programs took over in a machine's last run, and when `sample` was released, in ticks.
fn run_of(system: &str, machine: &str) -> (Vec<u64>, Vec<u64>) {
    let names = Names::parse(&left_text(system, "names.json")).expect("names");
    let sample = names.threads.iter().position(|thread| thread.name == "sample").expect("a task");
    let events = decode(&left(system, &format!("{machine}.trace"))).expect("a whole trace");
    let (mut swaps, mut releases) = (Vec::new(), Vec::new());
    for event in &events {
        match event.happening {
            Happening::Swap { instant, .. } => swaps.push(instant.ticks()),
            Happening::Release { task, instant, .. } if task.index() == sample => {
                releases.push(instant.ticks());
            }
            _ => {}
        }
    }
    (swaps, releases)
}

/// A place for a test's own files.
fn own(name: &str) -> PathBuf {
    let place = folder().join(format!("sampler-{name}-{}", std::process::id()));
    fs::create_dir_all(&place).expect("a folder");
    place
}

/// The program by hand, with some of its texts changed.
fn text(place: &Path, changes: &[(&str, &str)]) -> String {
    text_of("by_pulse", place, changes)
}

/// The same of a program that is named.
fn text_of(name: &str, place: &Path, changes: &[(&str, &str)]) -> String {
    let text = fs::read_to_string(root().join(format!("examples/sampler/{name}.bsa"))).expect("the program");
    let text = changes.iter().fold(text, |text, (from, to)| {
        assert!(text.contains(from), "no {from}");
        text.replace(from, to)
    });
    let path = place.join(format!("{name}.bsa"));
    fs::write(&path, text).expect("a text");
    path.display().to_string()
}

/// A copy of the example by another name, in which some texts are others: file, from, to.
fn copy(name: &str, changes: &[(&str, &str, &str)]) -> String {
    let system = folder().join("systems").join(name);
    fs::create_dir_all(&system).expect("a folder");
    for file in ["beryl.toml", "sampler.tdl", "stream.tdl", "link.key"] {
        fs::copy(root().join("examples/sampler").join(file), system.join(file)).expect("a copy");
    }
    let description = system.join("beryl.toml");
    change(&description, "name = \"sampler\"", &format!("name = {name:?}"));
    for (key, part) in [("application", "app"), ("environment", "stream")] {
        let (from, to) =
            (format!("{key} = {part:?}"), format!("{key} = \"../../../../examples/sampler/{part}\""));
        change(&description, &from, &to);
    }
    changes.iter().for_each(|(file, from, to)| change(&system.join(file), from, to));
    system.display().to_string()
}

/// A program by hand is certified, takes over at 8 s and gives way again at `back`, in the simulator and on
/// the board. The time between is for a slow machine to send the second order.
fn on_both(sampler: &str, program: &str, board: &str, back: &str) -> Ran {
    beryl(&["assemble", program, "--certify", sampler, "--board", board]).ended(0);
    let container = program.replace(".bsa", ".bsc");
    let swap = ["swap", sampler, &container, "--board", board, "--on", board];
    beryl(&[&swap[..], &["--at", "8s", "--back", back, "--for", "12s"]].concat())
}

/// What has to be written into a program by hand for another board: how long its ticks are, and which line the pulses have.
fn for_board(board: &Board) -> [(&'static str, String); 2] {
    let [line, ..] =
        ["dualtimer", "timers", "timer3", "rtc"].map(|device| board.lines_of(device)).concat()[..]
    else {
        panic!("{} has no pulses", board.name)
    };
    [("tick 40ns", format!("tick {}", board.tick)), ("interrupt(10)", format!("interrupt({line})"))]
}

#[test]
fn it_takes_over_waits_for_pulses_and_is_rolled_back() {
    let _lock = lock("sampler");
    let (sampler, place) = (example("sampler"), own("flight"));
    let program = text(&place, &[]);
    let said = beryl(&["assemble", &program, "--certify", &sampler]).ended(0);
    assert!(said.contains("certified for slot `Sampler` of sampler; the target checks that in "), "{said}");
    let container = program.replace(".bsa", ".bsc");
    beryl(&["swap", &sampler, &container, "--at", "1s", "--back", "1985ms", "--for", "3s"]).ended(0);
    let (swaps, releases) = run_of("sampler", SIMULATED);
    let [over, back] = swaps[..] else { panic!("{swaps:?}") };
    // Pulses come each 24 ms from 160 ms on, each 16 ms from 1360 ms on; a period ends 10 ms after one.
    assert_eq!((over, back), (1040 * MILLISECOND, 1994 * MILLISECOND));
    let between: Vec<_> = releases.iter().filter(|at| (over..back).contains(at)).collect();
    let slow = (1048..1360).step_by(24).chain([1360]);
    let pulses: Vec<_> = slow.chain((1376..1990).step_by(16)).map(|at| at * MILLISECOND).collect();
    assert_eq!(between, pulses.iter().collect::<Vec<_>>());
    // Before and behind, a clock says when.
    let by_time = |at: &&u64| **at < over && at.is_multiple_of(10 * MILLISECOND);
    assert_eq!(releases.iter().filter(by_time).count(), 104);
    let behind = |at: &&u64| **at >= back && (**at - back).is_multiple_of(10 * MILLISECOND);
    assert_eq!(releases.iter().filter(behind).count(), 101);
    assert_eq!(releases.len(), 104 + pulses.len() + 101);
    fs::remove_dir_all(place).expect("removed");
}

#[test]
fn on_each_board_it_is_the_same() {
    let _lock = lock("sampler");
    let (sampler, place) = (example("sampler"), own("board"));
    for board in places("a program waits for pulses", &[]) {
        let changes = for_board(board);
        let changes = changes.each_ref().map(|(from, to)| (*from, to.as_str()));
        let ran = on_both(&sampler, &text(&place, &changes), board.name, "11011ms");
        waits_for_pulses(board, &ran.ended(0));
    }
    fs::remove_dir_all(place).expect("removed");
}

/// A text counts in ticks, which are others on another board: it isn't taken for one of that.
#[test]
fn a_program_by_hand_is_for_one_board() {
    let (sampler, place) = (example("sampler"), own("ticks"));
    let program = text(&place, &[]);
    let certify = ["assemble", &program, "--certify", &sampler, "--board", "virt"];
    let said = beryl(&certify).err.split_whitespace().collect::<Vec<_>>().join(" ");
    let why = "a tick of it is 40ns, and one of virt 100ns; write `tick 100ns`, and the lines that interrupts have on virt";
    assert!(said.replace("│ ", "").contains(why), "{said}");
    // With its ticks alone it waits for a line that nobody there has.
    text(&place, &[("tick 40ns", "tick 100ns")]);
    let said = beryl(&certify);
    assert!(said.code == Some(1) && said.err.contains("an interrupt that releases no"), "{said:?}");
    assert!(!place.join("by_pulse.bsc").exists());
    text(&place, &[("tick 40ns", "tick 100ns"), ("interrupt(10)", "interrupt(11)")]);
    beryl(&certify).ended(0);
    let alone = beryl(&["assemble", &program, "--board", "virt"]);
    assert_eq!(alone.code, Some(2), "a board is that of a system: {alone:?}");
    fs::remove_dir_all(place).expect("removed");
}

fn waits_for_pulses(board: &Board, said: &str) {
    let last =
        format!("sampler: 600 actuator writes, identical on sim and {}; 0 deadline misses", board.name);
    assert_eq!(said.lines().last(), Some(last.as_str()), "{said}");
    let on_board = format!("swap.{}", board.name);
    let [(swaps, released), (others, flown)] =
        [SIMULATED, &on_board].map(|machine| run_of("sampler", machine));
    assert!(swaps.len() == 2 && others.len() == 2, "{swaps:?} {others:?}");
    assert_eq!(
        (swaps[0], released.len()),
        (others[0], flown.len()),
        "the image's program ends a period by the clock"
    );
    for (one, other) in released.iter().chain(&swaps).zip(flown.iter().chain(&others)) {
        assert!((*one..one + millisecond(board) / 2).contains(other), "{one} {other}");
    }
}

/// It waits for an output of another module, which becomes another one each 40 ms while water flows: at
/// logical instants, so both machines agree on all of them.
#[test]
fn a_port_of_another_module_is_waited_for_on_each_board() {
    let _lock = lock("sampler");
    let (sampler, place) = (example("sampler"), own("volume"));
    for board in places("a program waits for a port", &[]) {
        let [(from, to), _] = for_board(board);
        let ran = on_both(&sampler, &text_of("by_volume", &place, &[(from, &to)]), board.name, "11011ms");
        waits_for_a_port(board, &ran.ended(0));
    }
    fs::remove_dir_all(place).expect("removed");
}

fn waits_for_a_port(board: &Board, said: &str) {
    let last =
        format!("sampler: 600 actuator writes, identical on sim and {}; 0 deadline misses", board.name);
    assert_eq!(said.lines().last(), Some(last.as_str()), "{said}");
    let on_board = format!("swap.{}", board.name);
    let [(swaps, releases), flown] = [SIMULATED, &on_board].map(|machine| run_of("sampler", machine));
    assert_eq!((swaps.clone(), releases.clone()), flown);
    let [over, back] = swaps[..] else { panic!("{swaps:?}") };
    let between: Vec<_> = releases.into_iter().filter(|at| (over..back).contains(at)).collect();
    // Shut from 8400 on, which is read there and known 40 ms later; open again from 8700 on, read at 8720.
    let more = (8080..=8400).step_by(40).chain((8760..11020).step_by(40)).map(|at| at * millisecond(board));
    assert_eq!((over, between), (8040 * millisecond(board), more.collect()));
}

#[test]
fn a_value_that_is_reached_is_waited_for() {
    let _lock = lock("sampler");
    let (sampler, place) = (example("sampler"), own("reached"));
    let program = text_of("by_volume", &place, &[("change(steer.volume)", "steer.volume >= 12000")]);
    beryl(&["assemble", &program, "--certify", &sampler]).ended(0);
    let container = program.replace(".bsa", ".bsc");
    beryl(&["swap", &sampler, &container, "--at", "1s", "--for", "1500ms"]).ended(0);
    fs::remove_dir_all(place).expect("removed");
    let (swaps, releases) = run_of("sampler", SIMULATED);
    let after: Vec<_> = releases.into_iter().filter(|at| *at >= swaps[0]).collect();
    // 400 each 40 ms, from 160 on. Then it is true whenever somebody looks, and the program's own 20 ms keep
    // its jobs apart.
    assert_eq!((swaps[0], after[0]), (1040 * MILLISECOND, 1320 * MILLISECOND));
    assert!(after.len() > 5, "{after:?}");
    assert!(after.windows(2).all(|pair| pair[1] - pair[0] > 20 * MILLISECOND), "{after:?}");
}

/// The valve sticks: a job takes 12 ms. The image's program would have it stopped; this one looks once more
/// 10 ms later.
#[test]
fn its_handler_lets_a_late_job_go_on() {
    let _lock = lock("sampler_sticky");
    let sampler = copy("sampler_sticky", &[("sampler.tdl", "sample_impl", "sticky_impl")]);
    let place = own("sticky");
    let twice = "       future 10ms, more\n       return\nmore:  call \"publish sample\"\nagain: period";
    let program = text(&place, &[("again: period", twice)]);
    let ran = on_both(&sampler, &program, "mps2-an385", "11010ms");
    fs::remove_dir_all(place).expect("removed");
    let said = ran.ended(1);
    // `count` can't run meanwhile, and is late, too: once or twice on the board, as bytes come.
    let last = said.lines().last().unwrap_or_default();
    assert!(
        last.starts_with("sampler_sticky: 600 actuator writes, identical on sim and mps2-an385"),
        "{said}"
    );
    assert_eq!(said.matches("time-safety violation: `sample` hadn't completed").count(), 1, "{said}");
    let row = said.lines().find(|line| line.starts_with("sample ")).expect("its row");
    let words: Vec<_> = row.split_whitespace().collect();
    assert_eq!(words[1], words[2], "each job that was released has completed, also the late one: {row}");
}

#[test]
fn a_changed_certificate_is_refused_and_changes_nothing() {
    let _lock = lock("sampler");
    let (sampler, place) = (example("sampler"), own("changed"));
    let program = text(&place, &[]);
    beryl(&["assemble", &program, "--certify", &sampler]).ended(0);
    let container = program.replace(".bsa", ".bsc");
    let numbers = beryl(&["assemble", &container]).ended(0);
    let numbers = numbers.lines().find(|line| line.starts_with("certificate ")).expect("numbers").to_owned();
    let mut said = String::new();
    for changed in ["certificate 1", ""] {
        text(&place, &[("start begin", &format!("{changed}\nstart begin"))]);
        beryl(&["assemble", &program]).ended(0);
        let ran = beryl(&["swap", &sampler, &container, "--for", "1s"]).ended(1);
        said += ran
            .lines()
            .find_map(|line| line.split_once(" s: swap ").filter(|(_, why)| why.starts_with("refused")))
            .expect("refused")
            .1;
        said += "\n";
        assert!(run_of("sampler", SIMULATED).0.is_empty());
    }
    assert!(numbers.len() > "certificate 1".len(), "{numbers}");
    assert_recorded("sampler/refused.txt", &said);
    fs::remove_dir_all(place).expect("removed");
}

#[test]
fn where_there_is_no_certificate_it_is_said_why_and_nothing_is_written() {
    let place = own("uncertified");
    let slow = copy(
        "sampler_slow",
        &[(
            "beryl.toml",
            "worst = \"1ms\"\nstack = \"512\"\n\n[task.count]",
            "worst = \"4ms\"\nstack = \"512\"\n\n[task.count]",
        )],
    );
    let tight = copy("sampler_tight", &[("beryl.toml", "size = \"512\"", "size = \"208\"")]);
    let (sampler, landing, meter) = (example("sampler"), example("landing"), example("meter"));
    let mut said = String::new();
    let at_once = ("release sample, 10ms\n", "release sample, 10ms\n       call \"publish sample\"\n");
    for (what, system, changes) in [
        ("reads at once what it has just released", &sampler, vec![at_once]),
        (
            "waits for another event at once",
            &sampler,
            vec![("future 10ms, done", "when interrupt(10), done")],
        ),
        ("asks a guard", &sampler, vec![("pulse: phase releases", "pulse: branch done")]),
        ("waits for somebody else's line", &sampler, vec![("interrupt(10)", "interrupt(0)")]),
        (
            "has other names",
            &sampler,
            vec![("task sample,", "task simple,"), ("release sample", "release simple")],
        ),
        ("has another grain", &sampler, vec![("10ms", "9ms")]),
        ("releases a task of another module", &sampler, vec![("release sample", "release steer")]),
        ("others leave too little time", &slow, vec![]),
        ("is too long for its slot", &tight, vec![]),
        ("is for another module", &landing, vec![]),
        ("is for a system without slots", &meter, vec![]),
    ] {
        let program = text(&place, &changes);
        let ran = beryl(&["assemble", &program, "--certify", system]);
        let words = ran.everything().replace(&place.display().to_string(), "PLACE");
        said += &format!(
            "a program: {what}\n{}\n",
            words.replace(&format!("sampler-uncertified-{}", std::process::id()), "OWN")
        );
        assert!(!place.join("by_pulse.bsc").exists(), "{what}");
    }
    assert_recorded("sampler/uncertified.txt", &said);
    fs::remove_dir_all(place).expect("removed");
}
