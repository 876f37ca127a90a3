//! The task that does its work, whatever the others do.

use crate::count_job;
use beryl_user::environment::{self, Channel};

/// The jobs that have counted: steady, pointer, privilege, overflow.
pub const ALIVE: Channel = Channel::new(0);

/// Gathers the counts of the others and its own.
pub fn steady_impl(pointer: &i32, privilege: &i32, overflow: &i32, jobs: &mut i32, counts: &mut [i32; 4]) {
    let mut own = 0;
    count_job(jobs, &mut own);
    *counts = [own, *pointer, *privilege, *overflow];
}

/// Shows which tasks are alive: their counts go up.
pub fn show_alive(counts: &[i32; 4]) {
    environment::write(ALIVE, counts);
}
