//! System code while it is written: instructions whose addresses aren't known yet.

use beryl_abi::{DriverId, Duration, ThreadId};
use beryl_syscode::instruction::Instruction;

/// An address that is known when the code is complete.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Label(usize);

/// An instruction, perhaps with an address that isn't known yet.
enum Draft {
    Ready(Instruction),
    Jump(Label),
    Branch(Label),
    Future { delay: u8, label: Label },
}

/// What is written so far.
#[derive(Default)]
pub(super) struct Drafts {
    drafts: Vec<Draft>,
    labels: Vec<usize>,
    /// The durations that instructions name, in the order of their first use.
    pub(super) durations: Vec<Duration>,
}

impl Drafts {
    /// A label that is placed later.
    pub(super) fn label(&mut self) -> Label {
        self.labels.push(usize::MAX);
        Label(self.labels.len() - 1)
    }

    /// The label stands for the next instruction.
    pub(super) fn place(&mut self, label: Label) {
        self.labels[label.0] = self.drafts.len();
    }

    pub(super) fn put(&mut self, instruction: Instruction) {
        self.drafts.push(Draft::Ready(instruction));
    }

    pub(super) fn call(&mut self, driver: usize) {
        self.put(Instruction::Call { driver: DriverId(u16::try_from(driver).unwrap_or(u16::MAX)) });
    }

    pub(super) fn release(&mut self, thread: usize, deadline: Duration) {
        let deadline = self.duration(deadline);
        self.put(Instruction::Release { task: ThreadId(u8::try_from(thread).unwrap_or(u8::MAX)), deadline });
    }

    pub(super) fn jump(&mut self, label: Label) {
        self.drafts.push(Draft::Jump(label));
    }

    /// Goes on at the label if the last guard said no.
    pub(super) fn branch(&mut self, label: Label) {
        self.drafts.push(Draft::Branch(label));
    }

    pub(super) fn future(&mut self, delay: Duration, label: Label) {
        let delay = self.duration(delay);
        self.drafts.push(Draft::Future { delay, label });
    }

    /// How many instructions there are.
    pub(super) fn length(&self) -> usize {
        self.drafts.len()
    }

    /// The number of a duration in the pool; who asks for the code refuses pools that are too large.
    fn duration(&mut self, duration: Duration) -> u8 {
        let known = self.durations.iter().position(|other| *other == duration);
        let number = known.unwrap_or_else(|| {
            self.durations.push(duration);
            self.durations.len() - 1
        });
        u8::try_from(number).unwrap_or(u8::MAX)
    }

    /// The instructions' words.
    pub(super) fn words(&self) -> Vec<u32> {
        let address = |label: Label| u16::try_from(self.labels[label.0]).unwrap_or(u16::MAX);
        let instructions = self.drafts.iter().map(|draft| match *draft {
            Draft::Ready(instruction) => instruction,
            Draft::Jump(label) => Instruction::Jump { address: address(label) },
            Draft::Branch(label) => Instruction::Branch { address: address(label) },
            Draft::Future { delay, label } => Instruction::Future { delay, address: address(label) },
        });
        instructions.map(Instruction::encode).collect()
    }
}
