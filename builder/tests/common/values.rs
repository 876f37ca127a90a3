//! Generated system code carried out in the plainest way, with values, on one node or on several.

use std::collections::{BTreeSet, HashMap};

use beryl_abi::{DriverId, Duration, ThreadId, link};
use beryl_builder::assembly::{CellId, Driver, DriverKind, Home, Role, Shape};
use beryl_builder::crossing::Schedule;
use beryl_builder::{Nodes, Project};
use beryl_sim::{Clocks, Keeping};
use beryl_syscode::{Condition, Instruction};
use beryl_testing::{Draw, SplitMix64 as Random};

/// A write of an actuator.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Write {
    /// Microseconds.
    pub at: u64,
    pub name: String,
    pub value: i32,
}

/// What happens, in the order of one instant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Event {
    /// The bus, or memory between cores, puts values down; which of those that are under way.
    Delivers(usize),
    /// A job is done: the node and the thread.
    Done(usize, usize),
    /// A program goes on: its node, the phase, the program and the address.
    Code(usize, u8, usize, u16),
    /// The bus takes a frame: the cycle and the frame.
    Takes(u64, usize),
}

/// One node.
struct Node {
    project: Project,
    memory: HashMap<(Home, u32), u32>,
    positions: Vec<u64>,
    read: BTreeSet<(u64, DriverId)>,
    /// Tasks that are at work, and those that are done and not published.
    at_work: BTreeSet<usize>,
    done: BTreeSet<usize>,
}

/// Values under way: each by its link, the instant from which it counts, and its words; and the nodes that they go to.
#[derive(Clone)]
struct UnderWay {
    values: Vec<(usize, u64, Vec<u32>)>,
    to: Vec<usize>,
    /// Of a frame: its number in the cycle, its sender, and what that one's clock shows at its end.
    frame: Option<(usize, usize, u64)>,
}

/// All nodes and what is between them.
pub struct Machine {
    nodes: Vec<Node>,
    /// The machine of each.
    machines: Vec<usize>,
    schedule: Schedule,
    links: Vec<beryl_builder::crossing::Link>,
    /// What each node does, in microseconds of its clock.
    queues: Vec<BTreeSet<(u64, Event)>>,
    /// What arrives, in nanoseconds of common time.
    arrivals: BTreeSet<(u64, Event)>,
    pub clocks: Clocks,
    /// Of a thousand frames, so many are lost; of those by which clocks are set, no more after another than are allowed.
    pub loss: u64,
    lost_in_a_row: u64,
    /// When the last frame is over, in common time.
    busy: u64,
    /// How many frames began before the one before was over.
    pub met: usize,
    under_way: Vec<UnderWay>,
    random: Random,
    seed: u64,
    writes: Vec<Write>,
    /// How many values crossed.
    pub crossed: usize,
    /// So many microseconds later than it should, what is under way is put down.
    pub late: u64,
}

impl Machine {
    pub fn alone(project: &Project, seed: u64) -> Machine {
        Machine::made(vec![project.clone()], vec![0], Schedule::default(), Vec::new(), seed)
    }

    pub fn of(nodes: &Nodes, seed: u64) -> Machine {
        let projects = nodes.parts.iter().map(|node| node.project.clone()).collect();
        let machines = nodes.parts.iter().map(|node| node.machine).collect();
        Machine::made(projects, machines, nodes.schedule.clone(), nodes.links.clone(), seed)
    }

    fn made(
        projects: Vec<Project>,
        machines: Vec<usize>,
        schedule: Schedule,
        links: Vec<beryl_builder::crossing::Link>,
        seed: u64,
    ) -> Machine {
        let node = |project: Project| {
            let mut memory = HashMap::new();
            let processes = (0..project.assembly.processes.len()).map(Home::Process);
            for home in processes.chain([Home::Published]) {
                let image = project.assembly.cells.image(home);
                for (place, word) in (0..).step_by(4).zip(image.as_chunks::<4>().0) {
                    memory.insert((home, place), u32::from_le_bytes(*word));
                }
            }
            let positions = vec![0; project.programs.len()];
            let (read, at_work, done) = (BTreeSet::new(), BTreeSet::new(), BTreeSet::new());
            Node { project, memory, positions, read, at_work, done }
        };
        let nodes: Vec<Node> = projects.into_iter().map(node).collect();
        let mut queues = vec![BTreeSet::new(); nodes.len()];
        for (number, node) in nodes.iter().enumerate() {
            for (index, program) in node.project.programs.iter().enumerate() {
                queues[number].insert((0, Event::Code(number, 0, index, program.start)));
            }
        }
        for (index, frame) in schedule.frames.iter().enumerate() {
            queues[frame.node].insert((frame.start.get() / 1000, Event::Takes(0, index)));
        }
        let clocks = Clocks::exact(nodes.len());
        let (under_way, writes) = (Vec::new(), Vec::new());
        let random = Random(seed ^ 0x7157);
        Machine {
            nodes,
            machines,
            schedule,
            links,
            queues,
            arrivals: BTreeSet::new(),
            clocks,
            loss: 0,
            lost_in_a_row: 0,
            busy: 0,
            met: 0,
            under_way,
            random,
            seed,
            writes,
            crossed: 0,
            late: 0,
        }
    }

    /// The same with clocks that drift as may be, and are kept together as the schedule says.
    pub fn drifting(self, seed: u64) -> Machine {
        let kept = self.schedule.clocks.as_ref().expect("clocks are kept together");
        let keeping = Keeping {
            frame: kept.frame,
            reading: kept.reading.get(),
            most: kept.one.get(),
            spread: kept.spread.get(),
        };
        Machine { clocks: Clocks::new(self.nodes.len(), kept.drift, seed, Some(keeping)), ..self }
    }

    /// What is written before a time in microseconds of each node's clock.
    pub fn run(&mut self, horizon: u64) -> Vec<Write> {
        while let Some((at, now, event)) = self.next() {
            match event {
                Event::Delivers(values) => self.deliver(at, values),
                _ if now >= horizon => {}
                Event::Done(node, thread) => self.complete(now, node, thread),
                Event::Code(node, phase, program, address) => {
                    self.carry_out(now, node, phase, program, address)
                }
                Event::Takes(cycle, frame) => self.take(at, cycle, frame),
            }
        }
        std::mem::take(&mut self.writes)
    }

    /// What happens next: when in common time, when by its node's clock in microseconds, and what.
    fn next(&mut self) -> Option<(u64, u64, Event)> {
        let own = self.queues.iter().enumerate().filter_map(|(node, queue)| {
            let (now, event) = *queue.first()?;
            Some((self.clocks.comes(node, now * 1000), event, now))
        });
        let arrival = self.arrivals.first().map(|(at, event)| (*at, *event, at / 1000));
        let (at, event, now) = own.chain(arrival).min()?;
        let of = |queue: &mut BTreeSet<(u64, Event)>| queue.pop_first();
        match event {
            Event::Delivers(_) => of(&mut self.arrivals),
            Event::Done(node, _) | Event::Code(node, ..) => of(&mut self.queues[node]),
            Event::Takes(_, frame) => of(&mut self.queues[self.schedule.frames[frame].node]),
        };
        Some((at, now, event))
    }

    /// Whether a frame is lost: the same ones whatever clocks do.
    fn loses(&mut self, cycle: u64, index: usize) -> bool {
        let mut dice = Random(self.seed ^ (cycle << 12 | index as u64).wrapping_mul(0x9E37_79B9));
        let is_lost = dice.under(1000) < self.loss;
        match &self.schedule.clocks {
            Some(kept) if kept.frame == index => {
                let is_lost = is_lost && self.lost_in_a_row < kept.lost;
                self.lost_in_a_row = if is_lost { self.lost_in_a_row + 1 } else { 0 };
                is_lost
            }
            _ => is_lost,
        }
    }

    fn take(&mut self, now: u64, cycle: u64, index: usize) {
        let is_lost = self.loses(cycle, index);
        let frame = &self.schedule.frames[index];
        let begin = cycle * self.schedule.cycle.get();
        let mut taken = Vec::new();
        for number in &frame.links {
            let link = &self.links[*number];
            let node = &self.nodes[link.from];
            let counts = begin + frame.counts.get();
            let row =
                node.project.assembly.leaving.iter().find(|row| row.link == *number).expect("it leaves");
            let stamp = counts / u64::from(node.project.tick());
            let place = |offset: u32| node.place(row.cell, offset);
            let is_it = |entry: &u32| {
                let at = link::stamp(*entry, row.length);
                u64::from(node.memory[&place(at)]) | u64::from(node.memory[&place(at + 4)]) << 32 == stamp
            };
            let Some(entry) = (0..link::ENTRIES).find(is_it) else { continue };
            let base = link::value(entry, row.length);
            let value = (0..row.length).step_by(4).map(|offset| node.memory[&place(base + offset)]).collect();
            taken.push((*number, counts, value));
        }
        self.crossed += taken.len();
        let sender = frame.node;
        let is_far = |node: &usize| self.machines[*node] != self.machines[sender];
        let to = (0..self.nodes.len()).filter(is_far).collect();
        let ends = begin + frame.end.get();
        let over = self.clocks.comes(sender, ends);
        self.met += usize::from(now < self.busy);
        self.busy = over;
        if !is_lost {
            self.under_way.push(UnderWay { values: taken, to, frame: Some((index, sender, ends)) });
            let at = over + self.late * 1000;
            self.arrivals.insert((at, Event::Delivers(self.under_way.len() - 1)));
        }
        let next = (begin + self.schedule.cycle.get() + frame.start.get()) / 1000;
        self.queues[sender].insert((next, Event::Takes(cycle + 1, index)));
    }

    fn deliver(&mut self, at: u64, index: usize) {
        let UnderWay { values, to, frame } = self.under_way[index].clone();
        if let Some((frame, sender, ends)) = frame {
            let tick = |node: usize| u64::from(self.nodes[node].project.tick());
            self.clocks.hear(frame, sender, (at, ends), tick);
        }
        for (number, counts, value) in values {
            for reader in &to {
                let node = &mut self.nodes[*reader];
                let rows = node.project.assembly.arriving.clone();
                for row in rows.iter().filter(|row| row.link == number) {
                    let newest = node.place(row.cell, 0);
                    let next = link::after(node.memory[&newest]);
                    let stamp = counts / u64::from(node.project.tick());
                    let mut put = |offset: u32, word: u32| {
                        let place = node.place(row.cell, offset);
                        node.memory.insert(place, word);
                    };
                    put(link::stamp(next, row.length), stamp as u32);
                    put(link::stamp(next, row.length) + 4, (stamp >> 32) as u32);
                    for (offset, word) in (0..).step_by(4).zip(&value) {
                        put(link::value(next, row.length) + offset, *word);
                    }
                    put(0, next);
                }
            }
        }
    }

    /// A job computes its output from its inputs, and publishes it for others.
    fn complete(&mut self, now: u64, number: usize, thread: usize) {
        let node = &mut self.nodes[number];
        node.done.insert(thread);
        let row = &node.project.assembly.threads[thread];
        let Role::Task(task) = &row.role else { panic!("a task") };
        let mut mixed =
            row.name.bytes().fold(7_u32, |sum, byte| sum.wrapping_mul(31).wrapping_add(byte.into()));
        for (cell, changes) in &task.arguments {
            if !changes {
                mixed = mixed.wrapping_mul(1_000_003).wrapping_add(node.memory[&node.place(*cell, 0)]);
            }
        }
        for (cell, _) in task.arguments.clone().into_iter().filter(|(_, changes)| *changes) {
            let place = node.place(cell, 0);
            node.memory.insert(place, mixed % 20);
        }
        let leaving = node.project.assembly.leaving.clone();
        for row in leaving.iter().filter(|row| row.task == thread) {
            let next = link::after(node.memory[&node.place(row.cell, 0)]);
            let stamp = link::stamp(next, row.length);
            for (to, from) in [(stamp, (row.stamp, 0)), (stamp + 4, (row.stamp, 4))] {
                node.copy(from, (row.cell, to));
            }
            for offset in (0..row.length).step_by(4) {
                node.copy((row.from, offset), (row.cell, link::value(next, row.length) + offset));
            }
            let newest = node.place(row.cell, 0);
            node.memory.insert(newest, next);
        }
        for row in leaving.iter().filter(|row| row.task == thread) {
            self.share(now, number, row.link);
        }
    }

    /// What a core has published is seen by the others after a random time, at the latest when it counts.
    fn share(&mut self, now: u64, core: usize, link: usize) {
        let near = |node: &usize| *node != core && self.machines[*node] == self.machines[core];
        let to: Vec<usize> = (0..self.nodes.len()).filter(near).collect();
        if !self.links[link].to.iter().any(|reader| to.contains(reader)) {
            return;
        }
        let node = &self.nodes[core];
        let leaves = &node.project.assembly.leaving;
        let row = leaves.iter().find(|row| row.link == link).expect("it leaves");
        let word = |offset: u32| node.memory[&node.place(row.cell, offset)];
        let newest = word(0);
        let stamp = link::stamp(newest, row.length);
        let counts =
            (u64::from(word(stamp)) | u64::from(word(stamp + 4)) << 32) * u64::from(node.project.tick());
        let value = (0..row.length).step_by(4).map(|at| word(link::value(newest, row.length) + at)).collect();
        self.under_way.push(UnderWay { values: vec![(link, counts, value)], to, frame: None });
        let at = now + self.random.under((counts / 1000).saturating_sub(now) + 1) + self.late;
        self.crossed += 1;
        self.arrivals.insert((at * 1000, Event::Delivers(self.under_way.len() - 1)));
    }

    fn carry_out(&mut self, now: u64, number: usize, phase: u8, index: usize, start: u16) {
        let node = &mut self.nodes[number];
        let tick = u64::from(node.project.tick());
        let micro = |duration: Duration| duration.ticks() * tick / 1000;
        let program = node.project.programs[index].clone();
        let time = |number: u8| micro(program.durations[usize::from(number)]);
        let (mut at, mut yes, mut done) = (usize::from(start), false, 0);
        loop {
            let instruction = Instruction::decode(program.code[at]).expect("it is checked");
            let (instruction, count) = match instruction {
                Instruction::Calls { first, count } => {
                    (Instruction::Call { driver: DriverId(first.0 + u16::from(done)) }, count)
                }
                Instruction::Releases { first, deadline, count } => {
                    (Instruction::Release { task: ThreadId(first.0 + done), deadline }, count)
                }
                other => (other, 1),
            };
            done = if done + 1 < count { done + 1 } else { 0 };
            at += usize::from(done == 0);
            match instruction {
                Instruction::Call { driver }
                    if program.read_again.contains(&driver.index()) && !node.read.insert((now, driver)) => {}
                Instruction::Call { driver } => {
                    let row = node.project.assembly.drivers[driver.index()].clone();
                    if let DriverKind::Guard { function } = row.kind {
                        yes = node.asks(&row, function, now, self.seed);
                    } else if let Some(value) = node.drive(&row, now) {
                        self.writes.push(Write { at: now, name: row.name, value });
                    }
                }
                Instruction::Release { task, deadline } => {
                    node.at_work.insert(task.index());
                    let by = now + self.random.under(time(deadline) + 1);
                    self.queues[number].insert((
                        by.max(now + 1).min(now + time(deadline)),
                        Event::Done(number, task.index()),
                    ));
                }
                Instruction::Future { delay, address } => {
                    self.queues[number].insert((now + time(delay), Event::Code(number, 0, index, address)));
                }
                Instruction::Next { round, address } => {
                    let Condition::Round { length, beats } = program.conditions[usize::from(round)] else {
                        panic!("there is a round")
                    };
                    let position: &mut u64 = &mut node.positions[index];
                    let beats = beats.into_iter().chain([length]).map(time);
                    let ahead = beats.map(|beat| beat - *position % beat).min().expect("there are some");
                    *position = (*position + ahead) % time(length);
                    self.queues[number].insert((now + ahead, Event::Code(number, 0, index, address)));
                }
                Instruction::Beat { beat, address } => {
                    if !node.positions[index].is_multiple_of(time(beat)) {
                        at = usize::from(address);
                    }
                }
                Instruction::Round {} => node.positions[index] = 0,
                Instruction::Phase { phase: next } => {
                    assert!(next > phase, "phases go forward");
                    let address = u16::try_from(at).expect("an address");
                    self.queues[number].insert((now, Event::Code(number, next, index, address)));
                    break;
                }
                Instruction::Jump { address } => at = usize::from(address),
                Instruction::Branch { address } if !yes => at = usize::from(address),
                Instruction::Branch { .. } => {}
                Instruction::Return {} => break,
                other => panic!("{other:?} isn't generated for modules"),
            }
        }
    }
}

impl Node {
    fn place(&self, cell: CellId, offset: u32) -> (Home, u32) {
        let cell = self.project.assembly.cells.get(cell);
        (cell.home, cell.offset + offset)
    }

    fn copy(&mut self, (from, at): (CellId, u32), (to, there): (CellId, u32)) {
        let word = self.memory[&self.place(from, at)];
        let place = self.place(to, there);
        self.memory.insert(place, word);
    }

    /// Carries a driver out; answers what it writes, if it is a setter.
    fn drive(&mut self, row: &Driver, now: u64) -> Option<i32> {
        let ticks = now * 1000 / u64::from(self.project.tick());
        match row.kind {
            DriverKind::Publish => {
                let task = row.task.expect("a task's");
                if self.at_work.remove(&task) {
                    assert!(self.done.remove(&task), "{} isn't done", row.name);
                    (0..row.length).step_by(4).for_each(|at| self.copy((row.from, at), (row.to, at)));
                }
            }
            DriverKind::Input | DriverKind::Constant | DriverKind::Setter { .. } => {
                (0..row.length).step_by(4).for_each(|at| self.copy((row.from, at), (row.to, at)));
            }
            DriverKind::Ahead { by } => {
                let stamp = ticks + by.ticks();
                let [low, high] = [self.place(row.to, 0), self.place(row.to, 4)];
                self.memory.insert(low, stamp as u32);
                self.memory.insert(high, (stamp >> 32) as u32);
            }
            DriverKind::Arrival => {
                let newest = self.memory[&self.place(row.from, 0)];
                let counts = |entry: &u32| {
                    let at = link::stamp(*entry, row.length);
                    let [low, high] =
                        [at, at + 4].map(|at| u64::from(self.memory[&self.place(row.from, at)]));
                    (low | high << 32) <= ticks
                };
                let all = std::iter::successors(Some(newest), |number| Some(link::before(*number)));
                let entry = all.take(link::ENTRIES as usize).find(counts).expect("one counts");
                for at in (0..row.length).step_by(4) {
                    self.copy((row.from, link::value(entry, row.length) + at), (row.to, at));
                }
            }
            DriverKind::Getter { .. } => {
                let mixed =
                    row.name.bytes().fold(now as u32, |sum, byte| sum.wrapping_mul(37) ^ u32::from(byte));
                let place = self.place(row.to, 0);
                self.memory.insert(place, mixed % 20);
            }
            DriverKind::Guard { .. } => panic!("guards are asked"),
            DriverKind::Fetch { .. } | DriverKind::Feed { .. } => {
                panic!("these programs read nothing at once")
            }
        }
        let value = self.memory[&self.place(row.to, 0)];
        matches!(row.kind, DriverKind::Setter { .. }).then_some(value as i32)
    }

    /// What a guard says of the values that it is given.
    fn asks(&self, row: &Driver, function: usize, now: u64, seed: u64) -> bool {
        let cells = match &self.project.assembly.processes[row.process].functions[function].shape {
            Shape::Decides(cells) => cells.clone(),
            Shape::Holds { cells, .. } => cells.clone(),
            _ => Vec::new(),
        };
        let values = cells.iter().map(|cell| u64::from(self.memory[&self.place(*cell, 0)]));
        let name = row.name.bytes().map(u64::from);
        let mixed = name.chain(values).fold(seed, |sum, part| sum.wrapping_mul(1_000_003).wrapping_add(part));
        Random(mixed.wrapping_add(now)).chance(40)
    }
}
