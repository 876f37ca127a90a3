//! Equally urgent jobs, by hand: what is proved holds for any order.

use super::*;
use crate::sensitivity::{longest, speed};

fn at(offset: u64, task: Task) -> Task {
    Task { offset: ticks(offset), ..task }
}

fn due(deadline: u64, task: Task) -> Task {
    Task { deadline: ticks(deadline), ..task }
}

/// One fixed band in which all tasks have the same priority.
fn equals(tasks: Vec<Task>) -> System {
    System { bands: vec![band(Policy::Fixed, tasks)], ..System::default() }
}

fn in_all_orders(tasks: &[Task], check: &mut impl FnMut(Vec<Task>)) {
    fn place(rest: &[Task], placed: Vec<Task>, check: &mut impl FnMut(Vec<Task>)) {
        if rest.is_empty() {
            return check(placed);
        }
        for index in 0..rest.len() {
            let (mut rest, mut placed) = (rest.to_vec(), placed.clone());
            placed.push(rest.remove(index));
            place(&rest, placed, check);
        }
    }
    place(tasks, Vec::new(), check);
}

/// `m` has its deadline before all others are done. In the order of the description it would be in time.
#[test]
fn no_order_of_the_description_proves_what_another_one_misses() {
    let tasks = [task("m", 4, 2), task("c", 20, 1), task("x", 10, 1), task("a", 20, 1)];
    in_all_orders(&tasks, &mut |tasks| {
        let miss = missed(&equals(tasks));
        assert_eq!((miss.task.as_str(), miss.job.deadline, miss.unfinished), ("m", ticks(4), ticks(1)));
        let mut before = miss.equals;
        before.sort();
        assert_eq!(before, ["a", "c", "x"]);
    });
    // Without one of them it holds in all orders, and each waits for all others.
    in_all_orders(&tasks[..3], &mut |tasks| {
        let proof = prove(&equals(tasks)).unwrap();
        let mut rows: Vec<_> =
            proof.bands[0].tasks.iter().map(|task| (task.name.as_str(), task.response.get())).collect();
        rows.sort_unstable();
        assert_eq!(rows, [("c", 4), ("m", 4), ("x", 4)]);
    });
}

/// `late` and `other` wait for `first`. In the order of their releases `late` would go first, whatever the
/// description says: so there is no run to show.
#[test]
fn who_comes_later_may_go_first_all_the_same() {
    let tasks = |deadline| {
        vec![
            Task { priority: 1, ..task("first", 20, 2) },
            due(deadline, task("late", 20, 2)),
            at(1, due(8, task("other", 20, 3))),
            // Tasks that never meet: only the schedule knows.
            at(10, due(5, task("early", 20, 4))),
            at(15, due(5, task("end", 20, 4))),
        ]
    };
    let refused = prove(&equals(tasks(5))).unwrap_err();
    let expected = Failure::LateBehindEquals {
        task: "late".into(),
        deadline: ticks(5),
        response: ticks(7),
        equals: ["other", "early", "end"].map(String::from).to_vec(),
    };
    assert_eq!(refused, expected);
    assert!(refused.to_string().ends_with("give it a higher priority than they have"), "{refused}");
    assert!(speed(&equals(tasks(5))).is_err());
    let proof = prove(&equals(tasks(7))).unwrap();
    assert_eq!((proof.bands[0].method, responses(&proof)), (Method::Schedule, vec![2, 7, 6, 4, 4]));
}

/// The remedy: a priority of its own.
#[test]
fn a_higher_priority_than_equals_have_is_enough() {
    let mut tasks = vec![task("m", 4, 2), task("c", 20, 1), task("x", 10, 1), task("a", 20, 1)];
    tasks[0].priority = 1;
    assert_eq!(responses(&prove(&equals(tasks)).unwrap())[0], 2);
}

/// Equal deadlines: `y` comes while `x` is at work, and may go before it.
#[test]
fn equal_deadlines_go_first_whenever_they_come() {
    let tasks = [
        due(10, task("x", 20, 3)),
        at(2, due(8, task("y", 20, 3))),
        at(10, due(5, task("early", 20, 4))),
        at(15, due(5, task("late", 20, 4))),
    ];
    in_all_orders(&tasks, &mut |tasks| {
        let proof = prove(&dynamic(tasks)).unwrap();
        assert_eq!(proof.bands[0].method, Method::Schedule);
        let mut rows: Vec<_> =
            proof.bands[0].tasks.iter().map(|task| (task.name.as_str(), task.response.get())).collect();
        rows.sort_unstable();
        assert_eq!(rows, [("early", 4), ("late", 4), ("x", 6), ("y", 4)]);
    });
}

/// Sensitivity uses the same test: its limits hold in all orders.
#[test]
fn margins_hold_in_all_orders() {
    let tasks = [task("m", 5, 1), task("c", 20, 1), task("x", 10, 1), at(3, due(6, task("a", 20, 1)))];
    let mut known: Option<Vec<(String, Ticks)>> = None;
    in_all_orders(&tasks, &mut |tasks| {
        let most = longest(&equals(tasks.clone())).unwrap().remove(0);
        let mut rows: Vec<_> = tasks.into_iter().map(|task| task.name).zip(most).collect();
        rows.sort();
        assert_eq!(*known.get_or_insert_with(|| rows.clone()), rows);
    });
}
