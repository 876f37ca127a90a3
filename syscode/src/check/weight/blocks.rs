//! Blocks: the work at an instant of a thread of S code that waits for one time after the other.
//!
//! Generated threads are of this kind: blocks of tasks, each task no longer than the `idle` after them waits,
//! and each `idle` until later than the one before; then the thread begins anew. Such a thread wakes when one
//! block's time is over, or when a job is complete. So at an instant it leaves one block and goes through
//! another up to its `idle`, which is later; and through the first one, if it begins anew on the way. Of any
//! other thread it is only known that it cycles once.

use beryl_abi::Duration;

use crate::condition::Condition;
use crate::container::Container;
use crate::instruction::Instruction;

/// How far the code of a program's thread was read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Blocks {
    /// Whether it is of this kind so far.
    is_plain: bool,
    /// Where the thread begins.
    entry: Option<u16>,
    /// How long the last block waited, and the latest time up to which a task of this one may run.
    waited: Duration,
    latest: Duration,
    /// The cost of this block, of the first, and of the heaviest.
    own: u32,
    first: Option<u32>,
    heaviest: u32,
}

impl Blocks {
    /// Before the first instruction.
    pub const NONE: Blocks = Blocks {
        is_plain: true,
        entry: None,
        waited: Duration::ZERO,
        latest: Duration::ZERO,
        own: 0,
        first: None,
        heaviest: 0,
    };

    /// The program's next instruction and its cost.
    pub fn take(
        &mut self,
        address: u16,
        instruction: Instruction,
        weight: u32,
        is_threads: bool,
        container: &Container<'_>,
    ) {
        if let Instruction::Fork { address: to } = instruction {
            // A thread that begins anew has waited.
            self.is_plain &= *self.entry.get_or_insert(to) == to && (!is_threads || self.first.is_some());
        }
        if !is_threads {
            self.is_plain &= !waits(instruction);
            return;
        }
        self.is_plain &= self.entry.is_some_and(|entry| entry <= address);
        self.own = self.own.saturating_add(weight);
        self.heaviest = self.heaviest.max(self.own);
        match instruction {
            Instruction::DispatchUntil { until, .. } => match clock(container, until) {
                Some(until) => self.latest = self.latest.max(until),
                None => self.is_plain = false,
            },
            Instruction::Idle { until } => {
                let until = clock(container, until).unwrap_or_default();
                self.is_plain &= until > self.waited && until >= self.latest;
                self.first.get_or_insert(self.own);
                (self.waited, self.latest, self.own) = (until, Duration::ZERO, 0);
            }
            Instruction::Fork { .. } | Instruction::Return {} => {}
            _ => self.is_plain = false,
        }
    }

    /// The most that the only thread takes at an instant, if it is of this kind.
    pub fn most(&self) -> Option<u32> {
        let first = self.first.filter(|_| self.is_plain && self.latest == Duration::ZERO)?;
        Some(self.heaviest.saturating_mul(2).saturating_add(first))
    }
}

fn waits(instruction: Instruction) -> bool {
    matches!(
        instruction,
        Instruction::Dispatch { .. } | Instruction::DispatchUntil { .. } | Instruction::Idle { .. }
    )
}

/// How long a condition on the clock waits.
fn clock(container: &Container<'_>, condition: u8) -> Option<Duration> {
    match container.condition(condition)? {
        Condition::Clock(number) => container.duration(number),
        _ => None,
    }
}
