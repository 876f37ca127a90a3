//! Which misdeeds a run has: all that there is a place for, or one kind.

use anyhow::{Result, anyhow};
use beryl_builder::Project;
use beryl_builder::assembly::{Trigger, Use};
use clap::ValueEnum;

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
