//! Each way of contention runs whom the paper's figures 3 and 5 say, and leaves the list as it was.

use beryl_queues::contention::{Contention, List, Scheme};
use beryl_queues::{Due, Moving, Switching};
use beryl_testing::{Draw, XorShift};

/// Tasks of the board's measurements, and a few more.
const TASKS: [u8; 8] = [2, 3, 5, 10, 15, 20, 25, 30];

/// Who runs after each step of a cycle: the urgent one (`true`) or the owner.
fn runs<L: List>(scheme: Scheme, expected: &[bool]) {
    for tasks in TASKS {
        let (owner, urgent) = (tasks - 1, tasks - 2);
        let mut band = Contention::<L>::new(scheme, tasks);
        for cycle in 0..5 {
            let mut ran = vec![band.acquire(owner), band.signal(urgent)];
            if scheme == Scheme::Standard {
                ran.push(band.acquire(urgent));
            }
            ran.push(band.release(owner));
            if scheme == Scheme::Early {
                ran.push(band.acquire(urgent));
            }
            ran.extend([band.release(urgent), band.wait(urgent)]);
            let expected: Vec<_> =
                expected.iter().map(|is_urgent| if *is_urgent { urgent } else { owner }).collect();
            assert_eq!(ran, expected, "{}, {tasks} tasks, cycle {cycle}", L::NAME);
        }
    }
}

#[test]
fn the_standard_way_runs_the_urgent_task_in_vain_as_figure_3_shows() {
    // acquired, signalled, asked in vain, given back, had, waits again
    let expected = [false, true, false, true, true, false];
    runs::<Moving>(Scheme::Standard, &expected);
    runs::<Switching>(Scheme::Standard, &expected);
    runs::<Due>(Scheme::Standard, &expected);
}

#[test]
fn the_early_way_lets_the_owner_run_on_as_figure_5_shows() {
    // acquired, signalled, given back, has it, had, waits again
    let expected = [false, false, true, true, true, false];
    runs::<Moving>(Scheme::Early, &expected);
    runs::<Switching>(Scheme::Early, &expected);
    runs::<Due>(Scheme::Early, &expected);
}

/// Whoever else is ready, the one that runs is the most urgent of all that are, inherited urgency included.
fn chooses_as_a_plain_list_does<L: List>() {
    for start in 1..=300_u64 {
        let mut random = XorShift::new(start);
        let tasks = 3 + random.below(28) as u8;
        let mut list = L::new(tasks);
        let mut ready: Vec<bool> = (0..tasks).map(|task| task == tasks - 1).collect();
        for step in 0..60 {
            let task = random.below(tasks.into()) as u8;
            let is_ready = &mut ready[usize::from(task)];
            if *is_ready {
                list.block(task)
            } else {
                list.unblock(task)
            }
            *is_ready ^= true;
            let plain = |ready: &[bool]| ready.iter().position(|is_ready| *is_ready).map(|task| task as u8);
            let highest = plain(&ready);
            assert_eq!(list.select(), highest.unwrap_or(u8::MAX), "{}, seed {start}, step {step}", L::NAME);
            // The most urgent one waits for some other ready one, which has its urgency meanwhile.
            let Some(urgent) = highest else { continue };
            let Some(owner) = (urgent + 1..tasks).rev().find(|task| ready[usize::from(*task)]) else {
                continue;
            };
            list.inherit(owner, urgent);
            list.block(urgent);
            assert_eq!(list.select(), owner, "{}, seed {start}, step {step}: it inherits", L::NAME);
            list.unblock(urgent);
            list.restore(owner, urgent);
            assert_eq!(list.select(), urgent, "{}, seed {start}, step {step}: given back", L::NAME);
        }
    }
}

#[test]
fn lists_in_which_tasks_change_places_choose_as_a_plain_one_does() {
    chooses_as_a_plain_list_does::<Moving>();
    chooses_as_a_plain_list_does::<Switching>();
}
