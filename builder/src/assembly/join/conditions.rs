//! Conditions of the timing program: where they are asked, and what that may take.

use beryl_abi::Duration;
use beryl_timing::{self as timing, Basic, Condition, Operand, Type};

use super::Join;
use super::modules::{Functions, number};
use crate::assembly::{CellId, Function, Shape};
use crate::quantity::Nanoseconds;

/// What the glue takes around an expression, and for each thing that it asks, in instructions of the emulated board.
/// Measured there by the least charge that isn't used up (2026-11-26): 131 for one boolean, 137 for one comparison of
/// a `long` and 168 for one of a `double`, all with the way from the kernel and back. Charged is about twice as much, and for the kernel what `budget` adds;
/// `expressions_say_what_a_plain_reading_says_on_both_machines` fails where it is too little.
const AROUND: u64 = 256;
const WORD: u64 = 24;
const LONG: u64 = 40;
const FLOATING: u64 = 120;

impl Join<'_> {
    /// The process in which a condition is asked and its number there, in this order: that of the native guards in it,
    /// that of the first sensor in it, that of the first task whose output is in it.
    pub(super) fn condition(
        &mut self,
        guard: &timing::Guard,
        condition: &Condition,
        cells: &[CellId],
        getters: &[usize],
        functions: &mut Functions,
    ) -> Option<(usize, usize)> {
        let mut process = None;
        let mut worst = self.time(instructions(condition));
        for native in condition.leaves() {
            let Condition::Native { function, arguments, place } = native else { continue };
            let given = arguments.iter().filter_map(|number| cells.get(*number).copied()).collect();
            let (home, number) = self.function(function, Shape::Decides(given), *place, functions)?;
            if process.is_some_and(|known| known != home) {
                self.found.guards_apart(self.model, *place, function);
                return None;
            }
            process = Some(home);
            worst = worst.plus(functions[home][number].worst);
        }
        let process = process.or_else(|| self.home_of(guard, getters))?;
        let shape = Shape::Holds { condition: condition.clone(), cells: cells.to_vec() };
        let function = Function { name: guard.function.clone(), shape, best: Duration::ZERO, worst };
        Some((process, number(&mut functions[process], function)))
    }

    /// Where a condition without native guards is asked.
    fn home_of(&self, guard: &timing::Guard, getters: &[usize]) -> Option<usize> {
        let sensor = getters.first().and_then(|getter| self.assembly.drivers.get(*getter));
        let output = |operand: &Operand| match whole(operand) {
            Operand::Output { module, task, .. } => {
                self.thread_of(*module, *task).map(|(_, process)| process)
            }
            _ => None,
        };
        let mut outputs = guard.arguments.iter().filter_map(|argument| output(&argument.operand));
        sensor.map(|driver| driver.process).or_else(|| outputs.next())
    }

    fn time(&self, instructions: u64) -> Duration {
        let board = self.description.board;
        Nanoseconds::new(instructions.saturating_mul(1 << board.speed)).rounded_up(board.board.tick)
    }
}

fn whole(operand: &Operand) -> &Operand {
    match operand {
        Operand::Field { of, .. } => whole(of),
        _ => operand,
    }
}

/// What the glue takes itself; native guards come on top.
fn instructions(condition: &Condition) -> u64 {
    let one = |leaf: &Condition| match leaf {
        Condition::Compared { kind, .. } if [Basic::Float, Basic::Double].map(Type::basic).contains(kind) => {
            FLOATING
        }
        Condition::Compared { kind, .. } if *kind == Type::basic(Basic::Long) => LONG,
        Condition::Native { arguments, .. } => {
            WORD.saturating_add(u64::try_from(arguments.len()).unwrap_or(u64::MAX).saturating_mul(4))
        }
        _ => WORD,
    };
    condition.leaves().into_iter().map(one).fold(AROUND, u64::saturating_add)
}
