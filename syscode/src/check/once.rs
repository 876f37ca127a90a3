//! At one instant no driver is carried out twice: what the builder counts for a module's drivers is each of them once an instant.
//!
//! What an activation may come to lies between one `return` and another that nothing jumps over. In such a stretch each driver may stand once. So
//! some programs are refused that would do no harm; generated ones aren't. For programs with one trigger, whose instants are one
//! activation each. Steps: a driver or an instruction. Memory: a bit a driver.

use crate::container::Container;
use crate::instruction::Instruction;

/// How far the check has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Once {
    address: u16,
    /// In a run of drivers: the one that is looked at.
    position: u8,
    /// The furthest that anything in this stretch jumps.
    furthest: u16,
    /// Whether the memory is to be cleared first.
    is_fresh: bool,
}

/// What a step came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Seen {
    /// There is more to do.
    Again,
    /// No driver stands twice.
    Once,
    /// The instruction at this address may carry out a driver again.
    Twice(u16),
}

impl Once {
    /// Before the first step.
    pub const BEGIN: Once = Once { address: 0, position: 0, furthest: 0, is_fresh: true };

    /// One step. The memory needs a word for each 32 drivers; drivers beyond it count as standing twice.
    pub fn step(&mut self, container: &Container<'_>, memory: &mut [u32]) -> Seen {
        if core::mem::take(&mut self.is_fresh) {
            memory.iter_mut().for_each(|word| *word = 0);
            return Seen::Again;
        }
        let Some(word) = container.instruction(self.address.into()) else { return Seen::Once };
        match Instruction::decode(word) {
            Some(Instruction::Call { driver }) => self.driver(driver.0, 1, memory),
            Some(Instruction::Calls { first, count }) => {
                self.driver(first.0.saturating_add(self.position.into()), count, memory)
            }
            Some(Instruction::Jump { address } | Instruction::Branch { address }) => {
                self.furthest = self.furthest.max(address);
                self.next()
            }
            Some(Instruction::Return {}) if self.address >= self.furthest => {
                self.is_fresh = true;
                self.next()
            }
            _ => self.next(),
        }
    }

    fn next(&mut self) -> Seen {
        self.address = self.address.saturating_add(1);
        self.position = 0;
        Seen::Again
    }

    fn driver(&mut self, driver: u16, count: u8, memory: &mut [u32]) -> Seen {
        let bit = 1 << (driver % 32);
        match memory.get_mut(usize::from(driver / 32)) {
            Some(word) if *word & bit == 0 => *word |= bit,
            _ => return Seen::Twice(self.address),
        }
        self.position = self.position.saturating_add(1);
        if self.position >= count { self.next() } else { Seen::Again }
    }
}

#[cfg(test)]
mod tests {
    use std::vec::Vec;

    use beryl_abi::{DriverId, Duration};

    use super::*;
    use crate::container::Content;

    fn seen(code: &[Instruction]) -> Seen {
        let code: Vec<_> = code.iter().map(|instruction| instruction.encode()).collect();
        let durations = [Duration::from_ticks(1)];
        let mut bytes = Vec::new();
        Container::write(&Content { code: &code, durations: &durations, ..Content::default() }, &mut bytes);
        let container = Container::read(&bytes).expect("a fresh container");
        let (mut once, mut memory) = (Once::BEGIN, [u32::MAX; 2]);
        loop {
            match once.step(&container, &mut memory) {
                Seen::Again => {}
                other => return other,
            }
        }
    }

    const RETURN: Instruction = Instruction::Return {};

    const fn call(driver: u16) -> Instruction {
        Instruction::Call { driver: DriverId(driver) }
    }

    #[test]
    fn a_driver_stands_once_between_returns() {
        assert_eq!(seen(&[call(1), call(40), RETURN, call(1), RETURN]), Seen::Once);
        assert_eq!(seen(&[call(1), call(40), call(1), RETURN]), Seen::Twice(2));
        assert_eq!(seen(&[Instruction::Calls { first: DriverId(3), count: 4 }, call(7), RETURN]), Seen::Once);
        assert_eq!(
            seen(&[Instruction::Calls { first: DriverId(3), count: 4 }, call(6), RETURN]),
            Seen::Twice(1)
        );
        assert_eq!(seen(&[call(64), RETURN]), Seen::Twice(0), "there is no memory for it");
    }

    #[test]
    fn what_is_jumped_over_belongs_together() {
        let jump = |address| Instruction::Jump { address };
        assert_eq!(seen(&[call(1), jump(3), RETURN, call(1), RETURN]), Seen::Twice(3));
        let branch = Instruction::Branch { address: 4 };
        assert_eq!(seen(&[branch, call(1), RETURN, RETURN, call(1), RETURN]), Seen::Twice(4));
        assert_eq!(seen(&[jump(2), RETURN, call(1), RETURN, call(1), RETURN]), Seen::Once);
    }
}
