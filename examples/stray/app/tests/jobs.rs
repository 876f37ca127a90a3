//! The jobs that don't go wrong, without a kernel.

use stray::{overflow_impl, pointer_impl, privilege_impl, steady_impl};

/// The counts of the first jobs of a task.
fn counts(task: fn(&mut i32, &mut i32), jobs: usize) -> Vec<i32> {
    let (mut done, mut count) = (0, 0);
    let run = |_| {
        task(&mut done, &mut count);
        count
    };
    (0..jobs).map(run).collect()
}

#[test]
fn each_task_counts_until_its_wrong_job() {
    assert_eq!(counts(pointer_impl, 2), [1, 2]);
    assert_eq!(counts(privilege_impl, 4), [1, 2, 3, 4]);
    assert_eq!(counts(overflow_impl, 6), [1, 2, 3, 4, 5, 6]);
}

#[test]
fn steady_gathers_the_counts() {
    let (mut jobs, mut counts) = (7, [0; 4]);
    steady_impl(&2, &4, &6, &mut jobs, &mut counts);
    assert_eq!((jobs, counts), (8, [8, 2, 4, 6]));
}
