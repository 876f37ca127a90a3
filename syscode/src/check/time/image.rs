//! What the check of time has to know: programs that run side by side, their tasks, and their supply of the
//! processor.

use beryl_abi::Duration;

use crate::condition::Condition;
use crate::container::Container;
use crate::instruction::Instruction;

/// Which of a rank's tasks runs among those that no thread dispatches, while no thread holds one of the rank.
/// It also runs while threads idle.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Policy {
    /// None.
    None,
    /// The earliest deadline; of equal ones the lowest number.
    EarliestDeadline,
    /// The lowest number.
    FixedPriority,
}

/// A task.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Task {
    /// Its longest execution time in ticks.
    pub bound: u32,
    /// Its rank: tasks of a lower rank go before those of a higher one.
    pub rank: u8,
}

/// A recurring loss to drivers, the kernel, and everything above: up to `worst` ticks in each period.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Loss {
    /// The period in ticks.
    pub period: u32,
    /// The loss in each period, in ticks.
    pub worst: u32,
    /// Whether its periods begin with the programs. If not, any length of time may contain the loss of one
    /// more.
    pub is_in_step: bool,
}

impl Loss {
    /// The most that may be lost from `from` to before `to`: each period that overlaps this may have all its
    /// loss there. If 32 bits can't count the ticks in between, all of them are lost.
    #[must_use]
    pub fn between(&self, from: u64, to: u64) -> u64 {
        let period = self.period.max(1);
        let count = match u32::try_from(to.saturating_sub(from)) {
            Err(_) => return u64::MAX,
            Ok(0) => 0,
            Ok(length) if self.is_in_step => {
                // How much belongs to the period in which `from` lies, and how many periods the rest has.
                let first = period - self.phase(from);
                u64::from(length.saturating_sub(first).div_ceil(period)) + 1
            }
            Ok(length) => u64::from(length.div_ceil(period)) + 1,
        };
        count * u64::from(self.worst)
    }

    /// The position of an instant in its period, if its periods begin with the programs.
    pub(super) fn phase(&self, instant: u64) -> u32 {
        remainder(instant, self.period.max(1))
    }
}

/// The remainder of a number of ticks. On a target, a division of 64 bits takes longer than the check of a
/// loss, and usually 32 bits are enough.
fn remainder(ticks: u64, period: u32) -> u32 {
    let mut rest = u64::from((ticks >> 32) as u32 % period);
    if rest == 0 {
        return ticks as u32 % period;
    }
    // bound: 32, the bits of the lower half
    for bit in (0..32).rev() {
        rest = rest << 1 | (ticks >> bit & 1);
        if rest >= u64::from(period) {
            rest -= u64::from(period);
        }
    }
    rest as u32
}

/// Programs that run side by side from one instant on, and their image. Programs, tasks and rows of losses
/// are numbered from 0 without gaps.
pub trait Image {
    /// Whether programs have threads. If none has, a target leaves out the half of the check that deals with
    /// them.
    const HAS_THREADS: bool = true;
    /// Whether timeouts of threads may be on events. No check of time knows when these come.
    const HAS_EVENT_TIMEOUTS: bool = true;
    /// How many programs there are, at most 32.
    fn programs(&self) -> u8;
    /// Where a program starts.
    fn start(&self, program: u8) -> u16;
    /// An instruction.
    fn instruction(&self, program: u8, address: u16) -> Option<Instruction>;
    /// A duration in a program's pool.
    fn duration(&self, program: u8, number: u8) -> Option<Duration>;
    /// A condition in a program's pool.
    fn condition(&self, program: u8, number: u8) -> Option<Condition>;
    /// A completion entry of a program: the task and the address.
    fn completion(&self, program: u8, index: u8) -> Option<(u8, u16)>;
    /// The most triggers that a program has.
    fn trigger_places(&self, program: u8) -> u8;
    /// The most threads that it has.
    fn thread_places(&self, program: u8) -> u8;
    /// How many tasks there are.
    fn tasks(&self) -> u8;
    /// A task.
    fn task(&self, task: u8) -> Task;
    /// How many ranks there are.
    fn ranks(&self) -> u8;
    /// The policy for a rank's tasks that no thread dispatches.
    fn policy(&self, rank: u8) -> Policy;
    /// The tasks whose ports a driver touches (paper, section 2: the matrix of bits): 32 of them, the first
    /// in the lowest bit.
    fn touched(&self, driver: u16, word: u8) -> u32;
    /// A row of the losses.
    fn loss(&self, row: u8) -> Option<Loss>;
}

/// An image of containers and tables.
#[derive(Clone, Copy, Debug)]
pub struct Parts<'a> {
    /// The programs.
    pub programs: &'a [Container<'a>],
    /// The tasks.
    pub tasks: &'a [Task],
    /// For each driver, a bit for each task whose ports it touches; rows of whole bytes, the lowest bit
    /// first.
    pub touches: &'a [u8],
    /// A policy for each rank.
    pub policies: &'a [Policy],
    /// The losses.
    pub losses: &'a [Loss],
}

impl<'a> Parts<'a> {
    fn program(&self, program: u8) -> Option<&Container<'a>> {
        self.programs.get(usize::from(program))
    }
}

fn count(length: usize) -> u8 {
    u8::try_from(length).unwrap_or(u8::MAX)
}

impl Image for Parts<'_> {
    fn programs(&self) -> u8 {
        count(self.programs.len())
    }

    fn start(&self, program: u8) -> u16 {
        self.program(program).map_or(0, Container::start)
    }

    fn instruction(&self, program: u8, address: u16) -> Option<Instruction> {
        self.program(program)?.decoded(address.into())
    }

    fn duration(&self, program: u8, number: u8) -> Option<Duration> {
        self.program(program)?.duration(number)
    }

    fn condition(&self, program: u8, number: u8) -> Option<Condition> {
        self.program(program)?.condition(number)
    }

    fn completion(&self, program: u8, index: u8) -> Option<(u8, u16)> {
        self.program(program)?.completions().nth(index.into())
    }

    fn trigger_places(&self, program: u8) -> u8 {
        self.program(program).map_or(0, Container::trigger_places)
    }

    fn thread_places(&self, program: u8) -> u8 {
        self.program(program).map_or(0, Container::thread_places)
    }

    fn tasks(&self) -> u8 {
        count(self.tasks.len())
    }

    fn task(&self, task: u8) -> Task {
        self.tasks.get(usize::from(task)).copied().unwrap_or(Task { bound: u32::MAX, rank: 0 })
    }

    fn ranks(&self) -> u8 {
        count(self.policies.len())
    }

    fn policy(&self, rank: u8) -> Policy {
        self.policies.get(usize::from(rank)).copied().unwrap_or(Policy::None)
    }

    fn touched(&self, driver: u16, word: u8) -> u32 {
        let row = self.tasks.len().div_ceil(8);
        let first = usize::from(word) * 4;
        let bytes = self.touches.get(usize::from(driver) * row + first..).unwrap_or_default();
        let bytes = bytes.get(..row.saturating_sub(first).min(4)).unwrap_or_default();
        bytes.iter().rev().fold(0, |word, byte| word << 8 | u32::from(*byte))
    }

    fn loss(&self, row: u8) -> Option<Loss> {
        self.losses.get(usize::from(row)).copied()
    }
}

#[cfg(test)]
mod tests {
    use beryl_testing::{Draw, SplitMix64};

    use super::{Loss, remainder};

    #[test]
    fn a_remainder_is_that_of_a_division() {
        let periods = [1, 2, 3, 7, 250_000, 0x7FFF_FFFF, 0x8000_0001, u32::MAX];
        for seed in 0..2000 {
            let number = SplitMix64(seed).next();
            for period in periods {
                for ticks in [number, number >> 20, number >> 32, number >> 50, u64::from(period) << 31] {
                    let expected = ticks % u64::from(period);
                    assert_eq!(
                        u64::from(remainder(ticks, period)),
                        expected,
                        "seed {seed}: {ticks} of {period}"
                    );
                }
            }
        }
    }

    #[test]
    fn a_stretch_has_as_many_periods_as_a_division_says() {
        for period in 1..12 {
            let loss = Loss { period, worst: 1, is_in_step: true };
            let period = u64::from(period);
            for from in (0..30).chain(u64::from(u32::MAX) - 15..u64::from(u32::MAX) + 15) {
                for length in 1..30 {
                    let periods = (from + length - 1) / period - from / period + 1;
                    assert_eq!(loss.between(from, from + length), periods, "{length} from {from}, {period}");
                }
            }
        }
    }

    #[test]
    fn a_stretch_has_the_work_of_each_period_that_has_a_part_of_it() {
        let own = Loss { period: 10, worst: 3, is_in_step: true };
        let cases = [(0, 10, 3), (0, 11, 6), (5, 15, 6), (10, 20, 3), (9, 10, 3), (5, 5, 0), (15, 45, 12)];
        for (from, to, lost) in cases {
            assert_eq!(own.between(from, to), lost, "{from} to {to}");
        }
        let other = Loss { is_in_step: false, ..own };
        assert_eq!([other.between(0, 10), other.between(0, 11), other.between(3, 3)], [6, 9, 0]);
    }
}
