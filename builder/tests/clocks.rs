//! Nodes whose clocks drift: random drifts, programs, placements and losses.
//!
//! Programs are carried out as in `nodes.rs`, with the simulator's clocks between the nodes.

use std::collections::BTreeSet;

use beryl_builder::description::Description;
use beryl_sim::Clocks;
use beryl_testing::{Draw, SplitMix64 as Random};
use common::placed::{BOARD, BUS, HORIZON, Program, READS, TASK, refused, small, written};
use common::values::Machine;

mod common;

/// A program with clocks that drift: what it was, and what came of it.
struct Drifted {
    apart: u64,
    bound: u64,
    crossed: usize,
    writes: usize,
}

/// Random drifts, errors of reading and losses, as the description allows them. Each node writes at each instant of its
/// clock what it writes with exact clocks and the same losses; without losses, that is what one node writes.
fn drift(seed: u64) -> Option<Drifted> {
    let program = Program::of(seed);
    let mut random = Random(seed ^ 0xD21F7);
    let places: Vec<usize> = program.modules.iter().map(|_| random.under(3) as usize).collect();
    let senders = program.on(&places).ok()?.schedule.frames;
    let by = senders.get(random.under(senders.len().max(1) as u64) as usize)?.node;
    let by = program_node(&places, by);
    let [drift, lost, reading] = [1 + random.under(200), random.under(4), random.under(3000)];
    let clocks =
        format!("drift = \"{drift}ppm\"\nclock = \"n{by}\"\nlost = {lost}\nreading = \"{reading}ns\"\n");
    let nodes = match program.over(&[BUS, &clocks].concat(), &places) {
        Ok(nodes) => nodes,
        Err(wrong) => {
            let said = format!("{wrong:?}");
            let why = ["has no time", "no time to compute", "too wrong for this bus"];
            assert!(why.iter().any(|why| said.contains(why)), "seed {seed}: {said}");
            return None;
        }
    };
    let loss = if seed.is_multiple_of(2) { 0 } else { 1 + random.under(300) };
    let run = |mut machine: Machine| {
        machine.loss = loss;
        let writes = written(machine.run(HORIZON));
        (writes, machine)
    };
    let (found, drifting) = run(Machine::of(&nodes, seed).drifting(seed));
    let (exact, _) = run(Machine::of(&nodes, seed));
    let what = format!("seed {seed}, {places:?}, {clocks}\n{}", program.text);
    assert_eq!(found, exact, "left with drift, and right without; {what}");
    if loss == 0 {
        let alone = written(Machine::alone(&program.alone(), seed).run(HORIZON));
        assert_eq!(found, alone, "left on several, and right on one; {what}");
    }
    let bound = nodes.schedule.clocks.as_ref().expect("they are kept together").apart.get();
    let apart = drifting.clocks.apart();
    assert!(apart <= bound, "{apart} ns apart, of {bound}; {what}");
    assert_eq!(drifting.met, 0, "frames were on the bus at once; {what}");
    Some(Drifted { apart, bound, crossed: drifting.crossed, writes: found.len() })
}

/// The name's number of a node that is the so-manieth of those that are used.
fn program_node(places: &[usize], node: usize) -> usize {
    let used: BTreeSet<_> = places.iter().copied().collect();
    used.into_iter().nth(node).expect("it is one of them")
}

#[test]
fn nodes_whose_clocks_drift_write_what_one_writes_and_stay_as_near_as_is_derived() {
    let all: Vec<Drifted> = (0..1000).filter_map(drift).collect();
    let sum = |what: fn(&Drifted) -> usize| all.iter().map(what).sum::<usize>();
    let near = all.iter().filter(|row| row.apart * 2 > row.bound).count();
    let [crossed, writes] = [sum(|row| row.crossed), sum(|row| row.writes)];
    assert!(all.len() > 300 && crossed > 5_000 && writes > 10_000, "{}: {crossed}, {writes}", all.len());
    assert!(near * 5 > all.len(), "the bound is far away: in {near} of {} it is half used", all.len());
}

/// Nobody keeps clocks together, and no slot is any longer: values come too late, and frames meet each other.
#[test]
fn nodes_whose_clocks_nobody_keeps_together_go_wrong() {
    let (mut wrong, mut met, mut apart) = (0, 0, 0);
    for seed in 0..60 {
        let program = Program::of(seed);
        let places: Vec<usize> = (0..program.modules.len()).map(|module| module % 3).collect();
        let Ok(nodes) = program.on(&places) else { continue };
        let exact = written(Machine::of(&nodes, seed).run(HORIZON));
        let mut machine = Machine::of(&nodes, seed);
        machine.clocks = Clocks::new(nodes.parts.len(), 1000, seed, None);
        wrong += usize::from(written(machine.run(HORIZON)) != exact);
        met += machine.met;
        apart = apart.max(machine.clocks.apart());
    }
    // Two clocks that are wrong by a thousandth part by 300 us in 150 ms.
    assert!((280_000..=301_000).contains(&apart), "{apart}");
    assert!(wrong > 15 && met > 50, "{wrong} are wrong, {met} frames met others");
}

/// What the description says of clocks, and what it can't.
#[test]
fn what_is_no_clock_is_refused_where_it_is_written() {
    let said = |nodes: &str, keys: &str| {
        let bus = format!("[bus]\nframe = \"20us\"\nbyte = \"1us\"\n{keys}\n");
        let wrong =
            Description::parse("beryl.toml", &[BOARD, nodes, &bus].concat()).expect_err("it is wrong");
        format!("{wrong:?}")
    };
    let [nodes, cores] = ["[node.n0]\n[node.n1]\n", "[node.n0]\n[node.n1]\n[core.c0]\nnode = \"n0\"\n"];
    for (nodes, keys, why) in [
        (nodes, "drift = \"50\"", "`drift` of [bus] isn't how wrong a clock may be"),
        (nodes, "drift = \"1001ppm\"", "write parts per million up to 1000"),
        (nodes, "drift = 50", "`drift` of [bus] is a whole number"),
        (nodes, "clock = \"n0\"", "[bus] has no `drift`"),
        (nodes, "drift = \"50ppm\"\nclock = \"n7\"", "there is no node `n7`"),
        (nodes, "drift = \"50ppm\"\nlost = 17", "`lost` of [bus] is out of range"),
        (
            cores,
            "drift = \"50ppm\"",
            "only nodes without cores keep their clocks together, and `c0` is a core",
        ),
    ] {
        let said = said(nodes, keys);
        assert!(said.contains(why), "{said}\n{why}");
    }
}

/// By its own clock a reader may be as much less late as clocks may be apart: a newer value may come so much earlier.
#[test]
fn readers_may_be_less_late_where_clocks_drift() {
    let every_10 = format!("{TASK} start mode m [period = 10ms] {{ task [freq = 1] t0(); }}");
    let within = |keys: &str| {
        let nodes = small(&every_10, READS, &[BUS, keys].concat()).expect("a system");
        let apart = nodes.schedule.clocks.as_ref().map_or(0, |kept| kept.apart.get());
        let [reading] = nodes.reading()[..] else { panic!("one value crosses") };
        (reading.within.expect("a sender").get(), apart)
    };
    let (exact, none) = within("");
    let (drifting, apart) = within("drift = \"50ppm\"\nclock = \"n0\"\n");
    assert_eq!((exact, none), (10_000_000, 0));
    assert!(apart > 1000 && drifting == exact - apart, "{drifting}, {apart}");
}

#[test]
fn clocks_that_cannot_be_kept_together_are_refused_with_what_could() {
    let every_10 = format!("{TASK} start mode m [period = 10ms] {{ task [freq = 1] t0(); }}");
    for (first, second, rest, says, proposes) in [
        (
            &every_10,
            READS,
            &[BUS, "drift = \"50ppm\"\n"].concat(),
            "clocks that are wrong by up to 50ppm part by up to 100us in each second, and nothing keeps these together",
            "add `clock = \"n0\"`, a node by whose frames all others set their clocks",
        ),
        (
            &every_10,
            READS,
            &[BUS, "drift = \"50ppm\"\nclock = \"n1\"\n"].concat(),
            "node `n1` sends nothing, so nobody can set a clock by it",
            "name one that sends: n0",
        ),
        (
            &every_10,
            READS,
            &[BUS, "drift = \"50ppm\"\nclock = \"n0\"\nreading = \"2ms\"\n"].concat(),
            "clocks part by up to 2001085ns until they are set again, and half a cycle of the bus, 5ms, makes up for less than a quarter of itself",
            "a smaller error of reading",
        ),
        (
            &every_10,
            READS,
            &"[bus]\nframe = \"9800us\"\nbyte = \"1us\"\ndrift = \"1000ppm\"\nclock = \"n0\"\nlost = 9\n"
                .to_owned(),
            "its 10 bytes take 9810us, and of the cycle only 9799us are left before they count, at 10ms, as clocks may be 201us apart",
            "clocks that are wrong by no more than 948ppm would do; or take a faster bus",
        ),
    ] {
        let said = refused(first, second, rest);
        let words = said.split_whitespace().filter(|word| *word != "│").collect::<Vec<_>>().join(" ");
        assert!(words.contains(says) && words.contains(proposes), "{said}\n{says}");
    }
}
