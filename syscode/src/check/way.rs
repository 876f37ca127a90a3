//! Single ways through a program, for tools that show how a rule is broken.
//!
//! The check of [structure](super::structure) keeps the worst over all ways to an instruction. Here the same
//! rules are applied to one way: what is known at its current instruction, and where it may go on. No target
//! needs this.

use super::flow::Flow;
use super::mark::{Mark, Mode};
use super::structure::Structure;
use super::time::Parts;
use super::{Reason, Refusal};
use crate::instruction::Instruction;

/// An instruction, with what is known on the way that has led there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Point {
    /// The instruction.
    pub address: usize,
    known: u32,
}

impl Point {
    /// The same knowledge at another instruction: a rule is broken on the way to the one that was asked for.
    #[must_use]
    pub const fn at(self, address: usize) -> Point {
        Point { address, ..self }
    }
}

impl Structure<'_> {
    /// The beginnings of ways: the start, completions, handlers.
    pub fn beginnings(&self, mut tell: impl FnMut(Point)) {
        let mut begin = |address: u16, mode| {
            tell(Point { address: address.into(), known: Mark::of(self.entry(mode)).word() });
        };
        begin(self.container.start(), Mode::Start);
        self.container.completions().for_each(|(_, address)| begin(address, Mode::Completion));
        self.container.handlers().for_each(|(_, address)| begin(address, Mode::Handler));
    }

    /// Where a way may go on, and whether that is later: after a trigger, or in a thread of its own. The
    /// contents of the marks are lost.
    ///
    /// # Errors
    /// The rule that this way breaks here.
    pub fn follow(&mut self, point: Point, mut tell: impl FnMut(Point, bool)) -> Result<(), Refusal> {
        let Point { address, known } = point;
        let Some(state) = Mark::from_word(known).state() else { return Ok(()) };
        let refused = |reason| Refusal { address, reason };
        let instruction = self.instruction(address).map_err(refused)?;
        let entry = self.operands::<Parts<'_>>(instruction).map_err(refused)?;
        let next = address + 1;
        if entry.is_some_and(|(to, _)| usize::from(to) >= self.container.length()) {
            return Err(refused(Reason::Address));
        }
        let target = match instruction {
            Instruction::Jump { address: to }
            | Instruction::Branch { address: to }
            | Instruction::Late { address: to, .. }
            | Instruction::Beat { address: to, .. }
            | Instruction::Owed { address: to, .. }
            | Instruction::Offender { address: to, .. } => Some(usize::from(to)),
            Instruction::DispatchUntil { otherwise, .. } => Some(next + usize::from(otherwise)),
            _ => None,
        };
        let successors = [Some(next), target];
        for to in successors.into_iter().flatten() {
            self.forget(to);
        }
        Flow::<Parts<'_>>::of(self, state, instruction).map_err(refused)?;
        for to in successors.into_iter().flatten() {
            let known = self.forget(to);
            if known != 0 {
                tell(Point { address: to, known }, false);
            }
        }
        if let Some((to, mode)) = entry {
            tell(Point { address: to.into(), known: Mark::of(self.entry(mode)).word() }, true);
        }
        Ok(())
    }

    /// Removes what is known of an instruction.
    fn forget(&mut self, address: usize) -> u32 {
        self.marks.get_mut(address).map(core::mem::take).unwrap_or_default()
    }
}
