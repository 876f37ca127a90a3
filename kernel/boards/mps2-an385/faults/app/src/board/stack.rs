//! Two tasks that lose their stacks in one of their jobs. Next to them is `bystander`, which stands ready to make a call that
//! would end it.

use super::processor::{NOWHERE, call_with, used_up};

unsafe extern "C" {
    // Where the builder has put it.
    safe static __beryl_stack_low_caller: u32;
}

/// The jobs in which the tasks go wrong, when all other threads have had their turn.
const WILD_JOB: i32 = 8;
const LOW_JOB: i32 = 10;

/// Task: in one of its jobs, which preempts `bystander`, a system call with a wild stack pointer.
pub fn wild_caller_impl(jobs: &mut i32) {
    *jobs = jobs.saturating_add(1);
    if *jobs == WILD_JOB {
        call_with(NOWHERE)
    }
}

/// Task: in one of its jobs, which preempts `bystander`, a system call with a stack that is used up.
pub fn low_caller_impl(jobs: &mut i32) {
    *jobs = jobs.saturating_add(1);
    if *jobs == LOW_JOB {
        call_with(used_up(&raw const __beryl_stack_low_caller))
    }
}
