//! A set of tasks, one bit each.

use beryl_abi::ThreadId;

use crate::container::Container;
use crate::instruction::Instruction;

#[derive(Clone, Copy)]
pub(super) struct Tasks([u32; 8]);

impl Tasks {
    pub const NONE: Tasks = Tasks([0; 8]);

    /// Those that a program releases.
    pub fn released(module: &Container<'_>) -> Tasks {
        let mut tasks = Tasks::NONE;
        for instruction in module.code().filter_map(Instruction::decode) {
            let (first, count) = match instruction {
                Instruction::Release { task, .. } => (task.0, 1),
                Instruction::Releases { first, count, .. } => (first.0, count),
                _ => continue,
            };
            (first..first.saturating_add(count)).for_each(|task| tasks.insert(ThreadId(task)));
        }
        tasks
    }

    pub const fn has(&self, task: ThreadId) -> bool {
        self.0[task.index() / 32] >> (task.0 % 32) & 1 == 1
    }

    pub const fn insert(&mut self, task: ThreadId) {
        self.0[task.index() / 32] |= 1 << (task.0 % 32);
    }

    pub const fn remove(&mut self, task: ThreadId) {
        self.0[task.index() / 32] &= !(1 << (task.0 % 32));
    }
}
