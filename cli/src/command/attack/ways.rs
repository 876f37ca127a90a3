//! Which misdeeds a run has: all that there is a place for, or one kind.

use anyhow::{Result, anyhow};
use beryl_builder::Project;
use beryl_builder::assembly::{Trigger, Use};
use beryl_builder::emit::container::containers;
use beryl_builder::emit::identifier;
use clap::ValueEnum;

use crate::command::faults::random::Random;
use crate::command::sim::Costs;

/// A kind of misdeed; `sim` knows what each is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, ValueEnum)]
pub enum Misdeed {
    /// Doesn't come back for a while, or ever.
    Spin,
    /// Any call, with any registers.
    Call,
    /// One call many times.
    Flood,
    /// The time is asked in a loop.
    Clock,
    /// Wild timeouts.
    Wait,
    /// No lock is given back, nobody is answered.
    Keep,
    /// Words are forged.
    Forge,
    /// Interrupts come.
    Storm,
    /// Programs are written, checked and rolled back.
    Swap,
    /// It faults.
    Fault,
}

impl Misdeed {
    /// As the simulation program calls it.
    pub fn name(self) -> &'static str {
        match self {
            Misdeed::Spin => "spin",
            Misdeed::Call => "call",
            Misdeed::Flood => "flood",
            Misdeed::Clock => "clock",
            Misdeed::Wait => "wait",
            Misdeed::Keep => "keep",
            Misdeed::Forge => "forge",
            Misdeed::Storm => "storm",
            Misdeed::Swap => "swap",
            Misdeed::Fault => "fault",
        }
    }

    /// Whether a system has anything that it could be done with.
    fn has_place(self, project: &Project) -> bool {
        match self {
            Misdeed::Storm => !project.description.objects.interrupts.is_empty(),
            Misdeed::Swap => !project.assembly.objects.slots.is_empty(),
            _ => true,
        }
    }

    fn needs(self) -> &'static str {
        match self {
            Misdeed::Storm => "its description has no [interrupt.name]",
            _ => "none of its modules has a slot",
        }
    }
}

/// The misdeeds of one run after the other.
pub struct Ways(Vec<Vec<Misdeed>>);

impl Ways {
    /// Those that are wanted, in each run; or all together, then one by one.
    ///
    /// # Errors
    /// If the system has no place for one that is wanted.
    pub fn new(project: &Project, wanted: &[Misdeed]) -> Result<Ways> {
        if let Some(misdeed) = wanted.iter().find(|misdeed| !misdeed.has_place(project)) {
            let system = &project.assembly.name;
            return Err(anyhow!("{system} has no place for `{}`: {}", misdeed.name(), misdeed.needs()));
        }
        if !wanted.is_empty() {
            return Ok(Ways(vec![wanted.to_vec()]));
        }
        let all: Vec<_> =
            Misdeed::value_variants().iter().copied().filter(|misdeed| misdeed.has_place(project)).collect();
        let single = all.iter().map(|misdeed| vec![*misdeed]).collect::<Vec<_>>();
        Ok(Ways([vec![all], single].concat()))
    }

    /// Whether each step of the kernel takes what the proof charges, in a turn: for each process and each kind of
    /// misdeed now one, now the other.
    pub fn costs(&self, number: u64, turn: u64) -> Costs {
        let count = u64::try_from(self.0.len()).unwrap_or(1).max(1);
        match (number.wrapping_add(turn).wrapping_add(turn / count)) % 2 {
            0 => Costs::None,
            _ => Costs::Worst,
        }
    }

    /// Those of a turn.
    pub fn of(&self, turn: u64) -> &[Misdeed] {
        let count = u64::try_from(self.0.len()).unwrap_or(1).max(1);
        let place = usize::try_from(turn % count).unwrap_or(0);
        self.0.get(place).map(Vec::as_slice).unwrap_or_default()
    }
}

/// How many forged programs there are for each slot.
const FORGED: u64 = 12;

/// The programs that a process may send, as the simulation program reads them: for each of its slots the module's own,
/// and forged ones, in which a byte has changed and the checksum is right.
pub fn programs(project: &Project, process: usize, seed: u64) -> String {
    let mut random = Random::new(seed);
    let mut sent = Vec::new();
    for (number, slot) in project.assembly.objects.slots.iter().enumerate() {
        let container = containers(project)
            .into_iter()
            .find(|(name, _)| *name == format!("{}.bsc", identifier(&slot.name)));
        let Some((_, own)) = container.filter(|_| slot.processes >> process & 1 == 1) else { continue };
        let forged = (0..FORGED).map(|_| forge(own.clone(), &mut random));
        let all = std::iter::once(own.clone()).chain(forged);
        sent.extend(all.map(|bytes| format!("{number}:{}", hexadecimal(&bytes))));
    }
    sent.join(".")
}

fn forge(mut container: Vec<u8>, random: &mut Random) -> Vec<u8> {
    let Some(body) = container.len().checked_sub(CHECKSUM).filter(|body| *body > HEAD) else {
        return container;
    };
    let (inner, checksum) = container.split_at_mut(body);
    let place = random.below(u64::try_from(body - HEAD).unwrap_or(0));
    if let Some(byte) = usize::try_from(place).ok().and_then(|place| inner.get_mut(HEAD + place)) {
        *byte ^= u8::try_from(1 + random.below(u64::from(u8::MAX))).unwrap_or(1);
    }
    checksum.copy_from_slice(&crc32fast::hash(inner).to_le_bytes());
    container
}

/// Bytes of a container before its numbers, and of its checksum.
const HEAD: usize = 8;
const CHECKSUM: usize = 4;

fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// The interrupt lines of a process's devices: of those that its threads serve, and that release its tasks.
pub fn lines(project: &Project, process: usize) -> Vec<u16> {
    let assembly = &project.assembly;
    let is_its = |thread: usize| assembly.threads.get(thread).is_some_and(|row| row.process == process);
    let interrupts = assembly.objects.interrupts.iter().enumerate();
    let served = interrupts.filter(|(index, row)| {
        let uses = |thread: &beryl_builder::assembly::Thread| thread.uses.contains(&Use::Interrupt(*index));
        row.thread.is_some_and(is_its) || assembly.threads_of(process).any(uses)
    });
    let releasing = assembly.asynchronous.iter().filter_map(|row| match row.trigger {
        Trigger::Interrupt(line) if is_its(row.task) => Some(line),
        _ => None,
    });
    served.map(|(_, row)| row.line).chain(releasing).collect()
}
