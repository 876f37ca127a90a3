//! Random systems with many equals: few periods, few priorities, releases at the same instants. Each follows
//! from its seed.

use beryl_analysis::modes::{Job, Modal, Mode, Module, Switch};
use beryl_analysis::{Band, KernelCosts, Policy, Rhythm, System, Task, TaskIndex, Ticks};
use beryl_testing::{Draw, SplitMix64 as Random};

/// All times are numbers of this. In the simulation the end of a job takes no time, but it comes behind a
/// release at the same instant; so in the analysis it takes a tick.
pub const UNIT: u64 = 10;
/// The most members of a dynamic band.
pub const LEAVES: usize = 4;

/// Who releases a member's jobs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum By {
    /// The kernel's timers: a periodic thread, which may make up for so many releases.
    Timer(u8),
    /// A program of its own.
    Program,
    /// The program of the module that switches modes.
    Module,
}

/// A thread or task.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Member {
    pub name: String,
    pub band: usize,
    pub priority: u8,
    pub period: u64,
    pub offset: u64,
    pub deadline: u64,
    pub best: u64,
    pub worst: u64,
    pub by: By,
}

/// A mode: its period, and the logical execution times in it by the name of the task.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DrawnMode {
    pub period: u64,
    pub jobs: Vec<(String, u64, u64)>,
}

/// A system; the members stand in the order in which it is described.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Drawn {
    pub policies: Vec<Policy>,
    pub members: Vec<Member>,
    pub modes: Vec<DrawnMode>,
}

const PERIODS: [u64; 6] = [4, 5, 8, 10, 10, 20];
/// After which they come again.
const LONG: u64 = 40 * UNIT;

fn member(random: &mut Random, name: String, band: usize, policy: Policy, is_together: bool) -> Member {
    let period = *random.one_of(&PERIODS);
    let worst = random.within(1, (period / 2).max(1));
    let by = if random.below(3) == 0 { By::Program } else { By::Timer(0) };
    let by = if by != By::Program && random.below(6) == 0 { By::Timer(1) } else { by };
    let longest = if by == By::Timer(1) { 2 * period } else { period };
    let deadline = match random.below(3) {
        0 => random.within(worst.max(period / 2), longest),
        _ => longest.min(*random.one_of(&[period, longest])),
    };
    let priority = if policy == Policy::Fixed { 1 + random.below(3) } else { 0 };
    Member {
        name,
        band,
        priority: u8::try_from(priority).unwrap(),
        period: UNIT * period,
        offset: if is_together { 0 } else { UNIT * random.within(0, period) },
        deadline: UNIT * deadline,
        best: UNIT * random.within(0, worst),
        worst: UNIT * worst,
        by,
    }
}

impl Drawn {
    /// Up to three bands with up to six members, which ask for most of the processor, and not for more than all.
    pub fn of(seed: u64) -> Drawn {
        let random = &mut Random(seed);
        loop {
            let drawn = Drawn::from(random);
            let asked: u64 =
                drawn.members.iter().map(|member| LONG / member.period * (member.worst + 1)).sum();
            if (LONG * 6 / 10..LONG).contains(&asked) {
                return drawn;
            }
        }
    }

    fn from(random: &mut Random) -> Drawn {
        let count = 1 + random.below(3);
        let policies: Vec<Policy> =
            (0..count).map(|_| *random.one_of(&[Policy::Dynamic, Policy::Fixed])).collect();
        let is_together = random.below(2) == 0;
        let mut members: Vec<Member> = Vec::new();
        for index in 0..2 + random.below(5) {
            let band = random.below(count);
            if members.iter().filter(|member| member.band == band).count() < LEAVES {
                members.push(member(random, format!("m{index}"), band, policies[band], is_together));
            }
        }
        Drawn { policies, members, modes: Vec::new() }
    }

    /// The same with a module of two modes, of which some members are the tasks.
    pub fn with_modes(seed: u64) -> Drawn {
        let mut drawn = Drawn::of(seed);
        let random = &mut Random(seed ^ 0x5eed);
        drawn.members.iter_mut().for_each(|member| member.deadline = member.deadline.min(member.period));
        drawn.members.iter_mut().filter(|row| row.by == By::Timer(1)).for_each(|row| row.by = By::Timer(0));
        let own = 1 + random.below(drawn.members.len().min(3));
        drawn.members.iter_mut().take(own).for_each(|member| (member.by, member.offset) = (By::Module, 0));
        for _ in 0..2 {
            let period = *random.one_of(&[8, 10, 20]);
            let mut jobs = Vec::new();
            for member in &drawn.members[..own] {
                let count = *random.one_of(&[0, 1, 1, 2]);
                let length = period / count.max(1);
                for job in 0..count {
                    let end = random.within((length / 2).max(1), length);
                    jobs.push((member.name.clone(), UNIT * job * length, UNIT * (job * length + end)));
                }
            }
            drawn.modes.push(DrawnMode { period: UNIT * period, jobs });
        }
        drawn
    }

    /// The same to the analysis, described in another order; some jobs are released by a timer instead of a
    /// program, or the other way round.
    pub fn otherwise(&self, seed: u64) -> Drawn {
        let (mut other, mut random) = (self.clone(), Random(seed));
        random.shuffle(&mut other.members);
        for member in &mut other.members {
            if matches!(member.by, By::Timer(0) | By::Program) {
                member.by = *random.one_of(&[By::Timer(0), By::Program]);
            }
        }
        other
    }

    /// Where a member stands in the analysis.
    pub fn place(&self, name: &str) -> TaskIndex {
        let member = self.members.iter().find(|member| member.name == name).unwrap();
        let beside = self.members.iter().filter(|other| other.band == member.band);
        TaskIndex { band: member.band, task: beside.take_while(|other| other.name != name).count() }
    }

    pub fn system(&self) -> System {
        let task = |member: &Member| Task {
            name: member.name.clone(),
            period: Ticks::new(member.period),
            offset: Ticks::new(member.offset),
            deadline: Ticks::new(member.deadline),
            backlog: if let By::Timer(backlog) = member.by { backlog.into() } else { 0 },
            worst: Ticks::new(member.worst),
            priority: member.priority.into(),
            ..Task::default()
        };
        let bands = self.policies.iter().enumerate().map(|(index, policy)| Band {
            name: format!("band {index}"),
            policy: *policy,
            tasks: self.members.iter().filter(|member| member.band == index).map(task).collect(),
        });
        let costs = KernelCosts { completion: Ticks::new(1), ..KernelCosts::default() };
        System { bands: bands.collect(), costs, ..System::default() }
    }

    /// Each mode may follow each at the end of a period.
    pub fn modal(&self) -> Modal {
        let switch = |every, target| Switch { tested: Rhythm::Every(Ticks::new(every)), target };
        let job = |(name, start, end): &(String, u64, u64)| Job {
            task: self.place(name),
            start: Ticks::new(*start),
            end: Ticks::new(*end),
        };
        let mode = |mode: &DrawnMode| Mode {
            period: Ticks::new(mode.period),
            jobs: mode.jobs.iter().map(job).collect(),
            switches: (0..self.modes.len()).map(|target| switch(mode.period, target)).collect(),
            ..Mode::default()
        };
        let modules = vec![Module { modes: self.modes.iter().map(mode).collect() }];
        Modal { system: self.system(), modules }
    }
}
