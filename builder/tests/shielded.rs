//! Random placements of processes, their threads, lines and doorbells on cores: what a core has is its own, and nothing of it is
//! another's. These are ASMP-Linux's invariants of a shielded processor (EURASIP 2008, section 5), as a description fixes them
//! before a system runs. A failure prints the seed of its placement.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use beryl_builder::assembly::{Assembly, Role, Thread};
use beryl_builder::description::Description;
use beryl_builder::interval::Interval;
use beryl_builder::{BuildError, Nodes, Variant};
use beryl_testing::{Draw, SplitMix64 as Random};

/// What is drawn.
struct Placement {
    text: String,
    /// The core of each process, and the process of each thread.
    cores: Vec<usize>,
    threads: Vec<usize>,
    /// The thread that serves each line of a device.
    served: BTreeMap<u16, usize>,
    /// For each doorbell who rings it and who hears it.
    bells: Vec<[usize; 2]>,
}

/// Devices of virt, each with its line.
const DEVICES: [(&str, u16); 2] = [("uart0", 10), ("rtc", 11)];

impl Placement {
    /// Two to four cores with one to three processes each, which have one to three threads.
    fn of(seed: u64) -> Placement {
        let mut random = Random(seed);
        let count = random.within(2, 4) as usize;
        let mut cores: Vec<usize> = (0..count).collect();
        let further = random.below(2 * count + 1);
        cores.extend((0..further).map(|_| random.below(count)));
        let threads: Vec<usize> =
            (0..cores.len()).flat_map(|process| vec![process; random.within(1, 3) as usize]).collect();
        let devices = DEVICES.map(|(_, line)| (line, random.below(threads.len())));
        let bell = |random: &mut Random| [random.below(threads.len()), random.below(threads.len())];
        let drawn: Vec<_> = (0..random.below(5)).map(|_| bell(&mut random)).collect();
        let core = |thread: usize| cores[threads[thread]];
        let bells = drawn.into_iter().filter(|[from, to]| core(*from) != core(*to)).collect();
        let mut placement = Placement { text: String::new(), cores, threads, served: devices.into(), bells };
        placement.text = placement.described(count);
        placement
    }

    fn described(&self, count: usize) -> String {
        let mut text = "[system]\nname = \"drawn\"\napplication = \"app\"\n\n[board]\nname = \"virt\"\nflash = \"64k\"\n\
                        ram = \"64k\"\nspeed = 4\n\n[[band]]\nname = \"all\"\npolicy = \"fixed\"\n"
            .to_owned();
        (0..count).for_each(|core| text += &format!("\n[core.c{core}]\n"));
        for (process, core) in self.cores.iter().enumerate() {
            let has = |line: &u16| self.threads[self.served[line]] == process;
            let devices: Vec<_> =
                DEVICES.iter().filter(|(_, line)| has(line)).map(|(name, _)| format!("{name:?}")).collect();
            let devices = devices.join(", ");
            text += &format!(
                "\n[process.p{process}]\ncore = \"c{core}\"\nmemory = \"64\"\ndevices = [{devices}]\n"
            );
        }
        for (thread, process) in self.threads.iter().enumerate() {
            let lines =
                self.served.iter().filter(|(_, by)| **by == thread).map(|(line, _)| format!("\"l{line}\""));
            let ends = self.bells.iter().enumerate().flat_map(|(bell, [from, to])| {
                let end = |of: usize, role: &str| (of == thread).then(|| format!("\"b{bell}.{role}\""));
                [end(*from, "ring"), end(*to, "hear")].into_iter().flatten()
            });
            let uses = lines.chain(ends).collect::<Vec<_>>().join(", ");
            text += &format!(
                "\n[thread.t{thread}]\nprocess = \"p{process}\"\nband = \"all\"\npriority = {}\nentry = \"run\"\n\
                 stack = \"512\"\nuses = [{uses}]\n",
                thread % 30 + 1
            );
        }
        self.served.keys().for_each(|line| text += &format!("\n[interrupt.l{line}]\nline = {line}\n"));
        (0..self.bells.len())
            .for_each(|bell| text += &format!("\n[doorbell.b{bell}]\nseparation = \"1ms\"\n"));
        text
    }

    fn nodes(&self) -> Result<Nodes, BuildError> {
        Nodes::of(Path::new(""), Description::parse("beryl.toml", &self.text)?, &[], Variant::default())
    }

    fn core(&self, thread: usize) -> usize {
        self.cores[self.threads[thread]]
    }
}

/// The threads of a core, but for those of the kernel.
fn own(assembly: &Assembly) -> impl Iterator<Item = &Thread> {
    assembly.threads.iter().filter(|thread| !matches!(thread.role, Role::Idle | Role::Drivers))
}

fn names(all: impl Iterator<Item = String>) -> BTreeSet<String> {
    all.collect()
}

/// I1, I2 and I4: a thread is on the core of its process, and on no other; a process is there with all that it has.
fn threads_are_on_their_core_only(seed: u64, placement: &Placement, nodes: &Nodes) {
    for (core, part) in nodes.parts.iter().enumerate() {
        let is_here = |thread: &usize| placement.core(*thread) == core;
        let expected = (0..placement.threads.len()).filter(is_here).map(|thread| format!("t{thread}"));
        let found = own(&part.project.assembly).map(|thread| thread.name.clone());
        assert_eq!(names(found), names(expected), "seed {seed}, threads of core {core}\n{}", placement.text);
        let processes = part.project.assembly.processes.iter().map(|process| process.name.clone());
        let of_core = placement.cores.iter().enumerate().filter(|(_, of)| **of == core);
        let expected = of_core.map(|(process, _)| format!("p{process}"));
        assert_eq!(names(processes), names(expected), "seed {seed}, processes of core {core}");
    }
}

/// I3: a kernel knows the lines that its own threads serve, and each is served by one core. Doorbells are lines of the core that hears.
fn lines_are_of_the_core_that_serves_them(seed: u64, placement: &Placement, nodes: &Nodes) {
    for (core, part) in nodes.parts.iter().enumerate() {
        let objects = &part.project.assembly.objects;
        let lines = placement.served.iter().filter(|(_, thread)| placement.core(**thread) == core);
        let bells = placement.bells.iter().enumerate().filter(|(_, [_, to])| placement.core(*to) == core);
        let lines = lines.map(|(line, _)| format!("l{line}"));
        let expected = lines.chain(bells.map(|(bell, _)| format!("b{bell}")));
        let found = objects.interrupts.iter().map(|row| row.name.clone());
        assert_eq!(names(found), names(expected), "seed {seed}, lines of core {core}\n{}", placement.text);
        for row in &objects.interrupts {
            let server = row.thread.and_then(|thread| part.project.assembly.threads.get(thread));
            assert!(server.is_some(), "seed {seed}: nobody serves {} on core {core}", row.name);
        }
    }
}

/// Nothing of what a core has in memory is another's.
fn memory_is_of_one_core(seed: u64, nodes: &Nodes) {
    let parts = nodes.on_boards();
    let all: Vec<_> = parts
        .iter()
        .flat_map(|part| {
            let board = &part.project.plan.board;
            [board.flash, board.ram]
        })
        .collect();
    for (number, one) in all.iter().enumerate() {
        let apart = |other: &Interval| !one.overlaps(*other);
        assert!(all.iter().skip(number + 1).all(apart), "seed {seed}: {all:?}");
    }
}

#[test]
fn what_a_core_has_is_no_other_cores() {
    let (mut shielded, mut lines) = (0, 0);
    for seed in 0..400 {
        let placement = Placement::of(seed);
        let nodes =
            placement.nodes().unwrap_or_else(|wrong| panic!("seed {seed}: {wrong:?}\n{}", placement.text));
        assert_eq!(nodes.parts.len(), placement.cores.iter().collect::<BTreeSet<_>>().len(), "seed {seed}");
        threads_are_on_their_core_only(seed, &placement, &nodes);
        lines_are_of_the_core_that_serves_them(seed, &placement, &nodes);
        memory_is_of_one_core(seed, &nodes);
        let has_one = |part: &&beryl_builder::nodes::Node| part.project.assembly.processes.len() == 1;
        shielded += nodes.parts.iter().filter(has_one).count();
        lines += placement.bells.len() + placement.served.len();
    }
    assert!(shielded > 200 && lines > 1000, "{shielded} cores with one process, {lines} lines");
}
