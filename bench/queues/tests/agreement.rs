//! Each queue chooses as the plainest one does: the most urgent of a list that is searched.

use beryl_abi::Instant;
use beryl_queues::{
    DispatchTables, Heap, NOBODY, Queue, RingByDeadline, Rings, SortedList, TASKS, UnsortedList, WinnerTree,
};
use beryl_testing::{Draw, XorShift};

/// Who is ready, in the order in which they became so, each with what decides.
struct Plain(Vec<(u64, u8)>);

impl Plain {
    /// The smallest decides; of equal ones the first.
    fn select(&self) -> u8 {
        self.0.iter().min_by_key(|(urgency, _)| *urgency).map_or(NOBODY, |(_, task)| *task)
    }
}

/// Blocks and unblocks at random; `urgency` says what decides about a task with a deadline.
fn agrees<Q: Queue>(urgency: impl Fn(u8, u8, u64) -> u64) {
    for start in 1..=300_u64 {
        let mut random = XorShift::new(start);
        let tasks = 1 + random.below(TASKS) as u8;
        let (mut queue, mut plain) = (Q::new(tasks), Plain(Vec::new()));
        assert_eq!(queue.select(), NOBODY, "{}: nobody is ready, {tasks} tasks", Q::NAME);
        for step in 0..200 {
            let task = random.below(tasks.into()) as u8;
            match plain.0.iter().position(|(_, ready)| *ready == task) {
                Some(place) => {
                    plain.0.remove(place);
                    queue.block(task);
                }
                None => {
                    let deadline = random.under(50);
                    plain.0.push((urgency(task, tasks, deadline), task));
                    queue.unblock(task, Instant::from_ticks(deadline));
                }
            }
            let ready = &plain.0;
            assert_eq!(queue.select(), plain.select(), "{}, seed {start}, step {step}: {ready:?}", Q::NAME);
        }
    }
}

/// Deadlines; where they are equal, task numbers.
fn deadline(task: u8, _tasks: u8, deadline: u64) -> u64 {
    deadline << 8 | u64::from(task)
}

fn priority(task: u8, _tasks: u8, _deadline: u64) -> u64 {
    task.into()
}

#[test]
fn the_unsorted_list_chooses_the_earliest_deadline() {
    agrees::<UnsortedList>(deadline);
}

#[test]
fn the_sorted_list_chooses_the_highest_priority() {
    agrees::<SortedList>(priority);
}

#[test]
fn the_heap_chooses_the_highest_priority() {
    agrees::<Heap>(priority);
}

#[test]
fn the_dispatch_tables_choose_the_earliest_deadline_of_a_table() {
    agrees::<DispatchTables>(|task, tasks, _| DispatchTables::deadline(task, tasks));
}

#[test]
fn the_winner_tree_chooses_the_earliest_deadline() {
    agrees::<WinnerTree>(deadline);
}

#[test]
fn the_ring_by_deadline_chooses_the_earliest_deadline() {
    agrees::<RingByDeadline>(deadline);
}

#[test]
fn the_rings_choose_the_highest_priority_and_the_first_of_it() {
    agrees::<Rings>(|task, tasks, _| Rings::rank(task, tasks).into());
}

#[test]
fn few_tasks_have_priorities_of_their_own_and_many_share_them() {
    let ranks = |tasks: u8| (0..tasks).map(|task| Rings::rank(task, tasks)).collect::<Vec<_>>();
    assert_eq!(ranks(5), [0, 1, 2, 3, 4]);
    let hundred = ranks(100);
    assert!(hundred.is_sorted(), "{hundred:?}");
    assert_eq!((0..32).map(|rank| hundred.iter().filter(|other| **other == rank).count()).max(), Some(4));
}
