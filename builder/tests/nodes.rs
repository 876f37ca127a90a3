//! Random timing programs on random nodes and cores: what is written, when and which value, is what one node writes.
//!
//! The generated code of each node is carried out in the plainest way, with values: a sensor's is made of its name and
//! the instant, a guard's verdict and a task's outputs of what they are given. Jobs are done at random times until they
//! have to be. A plain bus takes and puts down what the schedule says; between cores, a value is there at some time between
//! its publication and the instant from which it counts. A failure prints the seed of its program.

use beryl_builder::assembly::{Assembly, Role};
use beryl_builder::proof::{ChainTimes, chains};
use beryl_builder::{BuildError, Nodes, Project};
use beryl_testing::{Draw, SplitMix64 as Random};
use common::placed::{BUS, HORIZON, Program, READS, TASK, refused, small, written};
use common::values::Machine;

mod common;

/// How many values crossed, and how many writes there were.
fn compare(seed: u64) -> [usize; 2] {
    compare_with(seed, 3, "mps2-an385", Program::on)
}

/// The same on so many places, of a board, that are described as given.
fn compare_with(
    seed: u64,
    count: u64,
    board: &str,
    on: impl Fn(&Program, &[usize]) -> Result<Nodes, BuildError>,
) -> [usize; 2] {
    let program = Program::of(seed);
    let mut random = Random(seed ^ 0xC0FE);
    let places: Vec<usize> = program.modules.iter().map(|_| random.under(count) as usize).collect();
    let alone = Machine::alone(&program.alone_on(board), seed).run(HORIZON);
    let nodes = match on(&program, &places) {
        Ok(nodes) => nodes,
        // A logical execution time of a millisecond may leave no time beside the frames of others.
        Err(wrong) => {
            let said = format!("{wrong:?}");
            assert!(
                said.contains("has no time") || said.contains("no time to compute"),
                "seed {seed}: {said}"
            );
            return [0, 0];
        }
    };
    let mut together = Machine::of(&nodes, seed);
    let found = together.run(HORIZON);
    let writes = alone.len();
    assert_eq!(
        written(found),
        written(alone),
        "seed {seed}, left on several, {places:?}, and right on one\n{}",
        program.text
    );
    [together.crossed, writes]
}

#[test]
fn several_nodes_write_what_one_writes() {
    let counts: Vec<_> = (0..1000).map(compare).collect();
    let [crossed, writes] = [0, 1].map(|what| counts.iter().map(|row| row[what]).sum::<usize>());
    assert!(crossed > 10_000 && writes > 50_000, "{crossed} values crossed, of {writes} writes");
}

#[test]
fn several_cores_write_what_one_writes() {
    // Memory takes no time of its own, so no placement is refused.
    let on = |program: &Program, cores: &[usize]| Ok(program.on_cores(cores).expect("no time is needed"));
    let counts: Vec<_> = (0..1000).map(|seed| compare_with(seed, 2 + seed % 3, "virt", on)).collect();
    let [crossed, writes] = [0, 1].map(|what| counts.iter().map(|row| row[what]).sum::<usize>());
    assert!(crossed > 10_000 && writes > 50_000, "{crossed} values crossed, of {writes} writes");
}

/// A system may have both: a node with two cores, and another without.
#[test]
fn a_node_with_cores_and_one_without_write_what_one_writes() {
    let counts: Vec<_> = (1000..1300).map(|seed| compare_with(seed, 3, "virt", Program::on_both)).collect();
    let [crossed, writes] = [0, 1].map(|what| counts.iter().map(|row| row[what]).sum::<usize>());
    assert!(crossed > 3_000 && writes > 15_000, "{crossed} values crossed, of {writes} writes");
}

/// A value that other cores see only behind the instant from which it counts is noticed.
#[test]
fn memory_that_is_late_is_seen() {
    let differs = |seed: u64| {
        let program = Program::of(seed);
        let cores: Vec<usize> = (0..program.modules.len()).map(|module| module % 4).collect();
        let alone = written(Machine::alone(&program.alone_on("virt"), seed).run(HORIZON));
        let mut late = Machine::of(&program.on_cores(&cores).expect("no time is needed"), seed);
        late.late = 1000;
        written(late.run(HORIZON)) != alone
    };
    assert!((0..100).filter(|seed| differs(*seed)).count() > 20);
}

/// What crosses between cores needs no slot, so no job has to be done any earlier, and no bus is there.
#[test]
fn producers_for_other_cores_have_their_whole_time() {
    let mut crossing = 0;
    for seed in 0..30 {
        let program = Program::of(seed);
        let cores: Vec<usize> = (0..program.modules.len()).map(|module| module % 4).collect();
        let system = program.on_cores(&cores).expect("no time is needed");
        crossing += system.links.len();
        assert!(system.schedule.frames.is_empty(), "seed {seed}: {:?}", system.schedule);
        let threads = system.parts.iter().flat_map(|core| &core.project.assembly.threads);
        let early =
            threads.filter(|thread| matches!(&thread.role, Role::Task(task) if task.deadline.is_some()));
        let early: Vec<_> = early.map(|thread| &thread.name).collect();
        assert!(early.is_empty(), "seed {seed}: {early:?}");
    }
    assert!(crossing > 30, "{crossing}");
}

/// A value that is taken before it is there, or counts too early, is seen: the comparison isn't blind.
#[test]
fn a_bus_that_is_late_is_seen() {
    let differs = |seed: u64| {
        let program = Program::of(seed);
        let nodes: Vec<usize> = (0..program.modules.len()).map(|module| module % 3).collect();
        let alone = written(Machine::alone(&program.alone(), seed).run(HORIZON));
        let Ok(nodes) = program.on(&nodes) else { return false };
        let mut late = Machine::of(&nodes, seed);
        late.late = 1000;
        written(late.run(HORIZON)) != alone
    };
    assert!((0..100).filter(|seed| differs(*seed)).count() > 20);
}

/// Of chains that lead from node to node, `check` tells the times that they have on one node, and of no others.
#[test]
fn chains_over_the_bus_are_those_of_one_node() {
    let told = |assembly: &Assembly, rows: Vec<ChainTimes>, is_told: &dyn Fn(&[usize]) -> bool| {
        let number = |module: &usize| assembly.modules[*module].name[1..].parse().expect("M and its number");
        let rows = rows.into_iter().filter_map(|row| {
            let modules: Vec<usize> = row.modules.iter().map(number).collect();
            is_told(&modules).then(|| format!("{:?} {:?} {:?}", row.names, modules, row.found))
        });
        rows.collect::<Vec<_>>()
    };
    let mut found = 0;
    for seed in 0..300 {
        let program = Program::of(seed);
        let mut random = Random(seed ^ 0xC0FE);
        let places: Vec<usize> = program.modules.iter().map(|_| random.under(3) as usize).collect();
        let Ok(nodes) = program.on(&places) else { continue };
        let together = &nodes.together.as_ref().expect("one node has room").assembly;
        let over = nodes.chains().expect("they are told");
        let alone = program.alone();
        let all = chains(&alone.assembly);
        assert_eq!(over.is_cut, all.is_cut, "seed {seed}");
        let crosses = |modules: &[usize]| modules.iter().any(|module| places[*module] != places[modules[0]]);
        let expected = told(&alone.assembly, all.rows, &crosses);
        assert_eq!(told(together, over.rows, &|_| true), expected, "seed {seed}\n{}", program.text);
        found += expected.len();
    }
    assert!(found > 100, "{found}");
}

/// An assertion about points on two nodes is both nodes', and of those about one each node has its own.
#[test]
fn assertions_between_nodes_say_which_two_these_are() {
    let first = format!("{TASK} start mode m [period = 10ms] {{ task [freq = 1] t0(); }}");
    let asserted = "[assert.there]\nlatency = [\"t0\", \"t1\"]\nmost = \"1s\"\n\
                    [assert.back]\nage = [\"release of t1\", \"start of t0\"]\nmost = \"1s\"\n\
                    [assert.own]\norder = [\"release of t1\", \"t1\"]\n[assert.never]\nnever = \"miss\"\n";
    let nodes = small(&first, READS, &[BUS, asserted].concat()).expect("all of it is there");
    let across = nodes.across.iter().map(|row| (row.stated.name.as_str(), row.nodes));
    assert_eq!(across.collect::<Vec<_>>(), [("there", [0, 1]), ("back", [1, 0])]);
    let own = nodes.parts.iter().map(|node| {
        let names = node.project.said.assertions.iter().map(|stated| stated.name.as_str());
        names.collect::<Vec<_>>()
    });
    assert_eq!(own.collect::<Vec<_>>(), [vec!["never"], vec!["own", "never"]]);
}

/// Producers have to be done when their values are taken.
#[test]
fn deadlines_of_producers_end_with_their_slots() {
    let program = Program::of(11);
    let nodes: Vec<usize> = (0..program.modules.len()).map(|module| module % 3).collect();
    let nodes = program.on(&nodes).expect("there is time");
    let has = |project: &Project| {
        let tasks =
            project.assembly.threads.iter().enumerate().filter_map(|(index, thread)| match &thread.role {
                Role::Task(task) => Some((index, task.deadline.is_some())),
                _ => None,
            });
        tasks.collect::<Vec<_>>()
    };
    for node in &nodes.parts {
        for (thread, has_deadline) in has(&node.project) {
            let sends = node.project.assembly.leaving.iter().any(|row| row.task == thread);
            assert_eq!(has_deadline, sends, "{}", node.project.assembly.threads[thread].name);
        }
    }
}

#[test]
fn what_cannot_cross_is_refused_with_the_reason_and_a_proposal() {
    let every_10 = format!("{TASK} start mode m [period = 10ms] {{ task [freq = 1] t0(); }}");
    let asynchronous = format!(
        "{TASK} start mode m [period = 10ms] {{ }} asynchronous {{ task [trigger = uart, priority = 1] t0(); }}"
    );
    let triggered = "task t1 { input int a; output int y := 0; uses f1(a, y); } start mode m [period = 10ms] { } \
                     asynchronous { task [trigger = First.t0.x, priority = 1] t1(First.t0.x); }";
    let quick = format!("{TASK} start mode m [period = 10ms] {{ task [freq = 1000] t0(); }}");
    let often = format!("{TASK} start mode m [period = 100ms] {{ task [freq = 5000] t0(); }}");
    let split = format!(
        "sensor int s uses read; {TASK} start mode m [period = 10ms] {{ task [freq = 1] t0(); actuator [freq = 1] a := s; }} actuator int a := 0 uses set;"
    );
    let other = "[driver.read]\nprocess = \"p1\"\nworst = \"10us\"\n[driver.set]\nprocess = \"p0\"\nworst = \"10us\"\n";
    let uart = "[interrupt.uart]\nline = 10\nseparation = \"1ms\"\n";
    for (first, second, rest, says, proposes) in [
        (
            &every_10,
            READS,
            "",
            "`First.t0.x` is read on node `n1`, and nothing says how it gets there from `n0`",
            "add [bus] with",
        ),
        (
            &every_10,
            READS,
            "[bus]\nframe = \"9ms\"\nbyte = \"1ms\"\n",
            "the bus has no time for what node `n0` sends: its 10 bytes take 19ms, and of the cycle only 10ms are left before they count, at 10ms",
            "take a faster bus",
        ),
        (
            &every_10,
            READS,
            "[bus]\nframe = \"20us\"\nbyte = \"1us\"\nmost = \"5\"\n",
            "node `n0` has 10 bytes to send for 10ms of the cycle, and a frame has at most this",
            "allow \"10\" if the bus can",
        ),
        (
            &quick,
            "task t1 { input int a; output int y := 0; uses f1(a, y); } start mode m [period = 10us] { task [freq = 1] t1(First.t0.x); }",
            BUS,
            "the bus has no time for what node `n0` sends",
            "take a faster bus",
        ),
        (
            &often,
            READS,
            BUS,
            "task `t0` sends 5000 values in a period, and a schedule lists each",
            "write a shorter period: at most 4096",
        ),
        (
            &split,
            READS,
            &[BUS, other].concat(),
            "module `First` is on two nodes: task `t0` is on `n0`, and driver `read` is on `n1`",
            "make two modules of it",
        ),
        (
            &asynchronous,
            READS,
            &[BUS, uart].concat(),
            "`First.t0.x` is read on another node, and its task isn't released by time: nobody knows when it counts",
            "copy it by a periodic task",
        ),
        (
            &every_10,
            triggered,
            BUS,
            "an output of another node can't release a task: it arrives before it counts",
            "look at the output periodically",
        ),
        (
            &every_10,
            READS,
            &[BUS, "[assert.both]\nlatency = [\"t0\", \"t7\"]\nmost = \"1s\"\n"].concat(),
            "no node has `t7`",
            "name tasks, threads, sensors, actuators and modes as `beryl check` does",
        ),
        (
            &every_10,
            READS,
            &[BUS, "[assert.both]\nlatency = [\"t0\", \"t1\"]\nmost = \"1s\"\nmode = \"First.m\"\n"].concat(),
            "no node has all that this assertion names",
            "only `latency`, `age` and `order` are between nodes, and those without a `mode`",
        ),
        (
            &every_10,
            READS,
            &[BUS, "[assert.both]\njitter = \"t0\"\nmost = \"1s\"\nmode = \"Second.m\"\n"].concat(),
            "no node has all that this assertion names",
            "make it about one node",
        ),
    ] {
        let said = refused(first, second, rest);
        let words = said.split_whitespace().filter(|word| *word != "│").collect::<Vec<_>>().join(" ");
        assert!(words.contains(says) && words.contains(proposes), "{said}\n{says}");
    }
}

/// Modes exclude each other, and so do the cycles of a period: a frame is as large as the largest of what it may carry.
/// A value stays for a logical execution time of what sends it, and a driver of its reader's may take longer.
#[test]
fn a_reader_that_may_be_later_than_a_value_stays_is_seen() {
    let every_1 = format!("{TASK} start mode m [period = 10ms] {{ task [freq = 10] t0(); }}");
    let reads = "sensor int s uses read; task t1 { input int a; input int b; output int y := 0; uses f1(a, b, y); } \
                 start mode m [period = 10ms] { task [freq = 1] t1(First.t0.x, s); }";
    for (worst, is_too_late) in [("10us", false), ("1100us", true)] {
        let driver = format!("[driver.read]\nprocess = \"p1\"\nworst = \"{worst}\"\n");
        let nodes = small(&every_1, reads, &format!("{BUS}{driver}")).expect("a system");
        let [reading] = nodes.reading()[..] else { panic!("one value crosses") };
        assert_eq!(reading.within.map(|within| within.to_string()), Some("1ms".to_owned()));
        let (late, reader) = reading.latest.expect("it is known");
        assert_eq!((reader, reading.is_too_late()), (1, is_too_late), "late by {late}");
        // Beside the driver there is what the kernel does: some, and no millisecond.
        let own = late.get() - if is_too_late { 1_100_000 } else { 10_000 };
        assert!((1_000..500_000).contains(&own), "{own} ns of the kernel's own");
    }
}

#[test]
fn what_excludes_each_other_has_the_same_room() {
    let first = "sensor boolean s uses read; \
                 public task t0 { output int x := 3; uses f0(x); } public task big { output double[3] z := {0.0, 0.0, 0.0}; uses f2(z); } \
                 start mode one [period = 20ms] { task [freq = 2] t0(); mode [freq = 2] if s then two; } \
                 mode two [period = 10ms] { task [freq = 1] big(); mode [freq = 1] if s then one; }";
    let second = "task t1 { input int a; input double[3] b; output int y := 0; uses f1(a, b, y); } \
                  start mode m [period = 10ms] { task [freq = 1] t1(First.t0.x, First.big.z); }";
    let rest = "[task.big]\nprocess = \"p0\"\nworst = \"10us\"\nstack = \"512\"\n[driver.read]\nprocess = \"p0\"\nworst = \"10us\"\n";
    let nodes = small(first, second, &[BUS, rest].concat()).expect("there is room");
    let frames = nodes.schedule.frames.iter().map(|frame| {
        (
            frame.start.get() / 1000,
            frame.end.get() / 1000,
            frame.counts.get() / 1000,
            frame.bytes.get(),
            frame.links.len(),
        )
    });
    // 24 bytes of the second mode are more than 4 of the first; the tag has 2, and the checksum 4.
    assert_eq!(
        (nodes.schedule.cycle.get(), frames.collect::<Vec<_>>()),
        (10_000_000, vec![(9_950, 10_000, 10_000, 30, 2)])
    );
}
