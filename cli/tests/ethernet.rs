//! A protocol stack in user mode, beside a controller (`examples/ethernet`): what is answered, what a flood costs whom, and a
//! host that is a program of this machine.

use std::os::unix::net::UnixListener;
use std::path::Path;
use std::{fs, thread};

use beryl_builder::board::Board;
use common::places::places;
use common::{beryl, change, copy, example, folder, left, lock};
use ethernet_peer::{Host, serve};

mod common;

const FLOOD: &str = "[flood]                         # frames for everybody that nobody asked for
from = 1000000
to = 2000000
every = 40                      # some 25,000 a second
";

/// Without a flood everything is answered. In one most frames are lost, and answers with them; the controller writes the
/// same, and nobody is late.
#[test]
fn a_flood_costs_the_stack_its_answers_and_the_controller_nothing() {
    let name = "ethernet_flooded";
    let system = folder().join("systems").join(name);
    copy(Path::new(&example("ethernet")), &system);
    let description = system.join("beryl.toml");
    change(&description, "name = \"ethernet\"", &format!("name = \"{name}\""));
    for (key, part) in [("application", "app"), ("environment", "peer")] {
        let there = format!("{key} = \"../../../../examples/ethernet/{part}\"");
        change(&description, &format!("{key} = {part:?}"), &there);
    }
    let _lock = lock(name);
    let run = || {
        let said = beryl(&["sim", &system.display().to_string(), "--for", "3s"]).ended(0);
        assert!(said.ends_with(&format!("{name}: 0 deadline misses\n")), "{said}");
        (said, left(name, "sim.recording"))
    };
    let report = |said: &str, lines: &[&str]| {
        lines.iter().for_each(|line| assert!(said.contains(line), "{line} isn't in\n{said}"));
    };
    let (flooded, writes) = run();
    report(
        &flooded,
        &[
            "  pings: 90 of 90 answered, after 150 us at most",
            "  pings in the flood: 5 of 55 answered, after 150 us at most",
            "  datagrams: 36 of 36 answered, after 150 us at most",
            "  datagrams in the flood: 2 of 22 answered, after 150 us at most",
            "  25211 frames came, 15938 of them were lost; the stack has told 30 times, of 9266 frames the last time",
            "300 actuator writes",
        ],
    );
    change(&system.join("traffic.toml"), FLOOD, "");
    let (quiet, without) = run();
    report(
        &quiet,
        &["  pings: 145 of 145 answered", "  datagrams: 58 of 58 answered", " 0 of them were lost"],
    );
    assert!(!quiet.contains("in the flood"), "{quiet}");
    assert_eq!(writes, without, "the controller's sensor values and writes");
}

/// Frames cross to a program of this machine and back. How many are answered by the end of the run, and when, is the machine's
/// affair, and one that stands still for a second has none answered: then it is run again. What is answered is right, and the
/// controller's writes are the simulation's.
#[test]
fn a_program_at_the_other_end_of_the_wire_is_answered() {
    const RUNS: usize = 5;
    let _lock = lock("ethernet");
    for board in places("ethernet", &["stm32f405", "virt"]) {
        let is_answered = |host: Host| host.pings.answered() > 0 && host.datagrams.answered() > 0;
        assert!((0..RUNS).any(|_| is_answered(on_wire(board))), "nothing in {RUNS} runs");
    }
}

/// A run with a host at the other end, which is handed back.
fn on_wire(board: &Board) -> Host {
    let socket = folder().join("wire");
    drop(fs::remove_file(&socket));
    let listener = UnixListener::bind(&socket).expect("a socket");
    let host = thread::spawn(move || serve(listener.accept().expect("the board").0));
    let there = socket.display().to_string();
    let run = ["run", &example("ethernet"), "--board", board.name, "--for", "1s", "--network", &there];
    let said = beryl(&run).ended(0);
    let last = format!("100 actuator writes, identical on sim and {}; 0 deadline misses\n", board.name);
    assert!(said.ends_with(&last), "{said}");
    let host = host.join().expect("no panic").expect("a whole stream");
    assert_eq!(host.wrong, Vec::<String>::new());
    // It is asked whenever it has told of itself, ten times a second.
    let [told, _] = host.told;
    assert!(told <= 10, "{told}");
    assert_eq!([host.pings.0.len(), host.datagrams.0.len()], [told as usize; 2]);
    host
}

#[test]
fn a_wire_that_nobody_holds_is_refused() {
    let _lock = lock("ethernet");
    let nowhere = folder().join("nobody").display().to_string();
    let on = |board: &str| beryl(&["run", &example("ethernet"), "--board", board, "--network", &nowhere]);
    let said = on("mps2-an385");
    assert_eq!(said.code, Some(1), "{said:?}");
    assert!(said.err.contains("nobody listens at") && said.err.contains("start the program"), "{said:?}");
    let said = beryl(&["run", &example("formation"), "--network", &nowhere]);
    assert!(said.code != Some(0) && said.err.contains("--network"), "{said:?}");
    let said = beryl(&["run", &example("helicopter"), "--board", "virt", "--network", &nowhere]);
    assert!(said.code == Some(1) && said.err.contains("virt has no network"), "{said:?}");
}
