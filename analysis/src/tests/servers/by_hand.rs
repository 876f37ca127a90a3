//! The critical instants of the literature: where each bound is reached, in windows of all lengths.

use super::*;
use crate::fixed_priority;
use crate::servers::{self, Supply};

const LENGTH: u64 = 60;

fn alone(policy: Policy, of: Server, work: &[(u64, u64)]) -> (Workload, Run) {
    let given = workload(Vec::new(), Vec::new(), soft(work));
    let run = model::run(&given, &mut *server(policy, of, 0));
    (given, run)
}

/// Whether the windows from this instant on take the most, whatever their length.
fn takes_most(policy: Policy, of: Server, work: &[(u64, u64)], start: u64) {
    let (_, run) = alone(policy, of, work);
    let most = most(&run, LENGTH, |begin| begin == start);
    let bounds = (0..=LENGTH - start).map(|length| policy.interference(&of, ticks(length)).unwrap().get());
    assert_eq!(most[..=(LENGTH - start) as usize], bounds.collect::<Vec<_>>(), "{policy:?} {of:?}");
}

/// Whether the windows from this instant on give the least, whatever their length.
fn gives_least(policy: Policy, of: Server, work: &[(u64, u64)], start: u64) {
    let (_, run) = alone(policy, of, work);
    let sums = Sums::of(&run, LENGTH, is_served);
    let supply = policy.supply(&of, of.budget).unwrap();
    for end in start..=LENGTH {
        let bound = supply.least(ticks(end - start)).unwrap().get();
        assert_eq!(sums.between(start, end), bound, "{policy:?} {of:?} from {start} to {end}");
    }
}

/// A deferrable server is hit twice: at the end of a period, and again right behind it.
#[test]
fn a_deferrable_server_hits_twice_in_a_row() {
    for (budget, period) in [(1, 3), (2, 5), (3, 10), (5, 10), (10, 10)] {
        let of = Server::new(ticks(budget), ticks(period));
        takes_most(Policy::Deferrable, of, &[(period - budget, 100)], period - budget);
        gives_least(Policy::Deferrable, of, &[(0, 100)], budget);
    }
}

#[test]
fn a_polling_server_is_a_periodic_task_and_misses_who_comes_a_tick_late() {
    for (budget, period) in [(1, 3), (2, 5), (3, 10), (10, 10)] {
        let of = Server::new(ticks(budget), ticks(period));
        takes_most(Policy::Polling, of, &[(0, 100)], 0);
        gives_least(Policy::Polling, of, &[(1, 100)], 1);
    }
}

#[test]
fn a_sporadic_server_is_a_periodic_task_and_gives_as_much_as_a_deferrable_one() {
    for (budget, period) in [(1, 3), (2, 5), (3, 10), (10, 10)] {
        let of = Server::new(ticks(budget), ticks(period));
        let policy = Policy::Sporadic { pending: usize::MAX };
        takes_most(policy, of, &[(0, 100)], 0);
        gives_least(policy, of, &[(0, 100)], budget);
    }
}

/// With room for one replenishment, each new one takes the one before with it.
#[test]
fn a_sporadic_server_with_room_for_one_gives_as_little_as_a_polling_one() {
    for (budget, period) in [(2, 5), (3, 10), (4, 9)] {
        let of = Server::new(ticks(budget), ticks(period));
        let mut work: Vec<_> = (0..budget).map(|used| (2 * used, 1)).collect();
        let last = 2 * (budget - 1) + 1;
        work.push((last, 100));
        gives_least(Policy::Sporadic { pending: 1 }, of, &work, last);
    }
}

/// The server of budget 2 and period 5 beside a task of 10: it is in the way three times, not twice, and what
/// is left for the task is what the literature's analysis of the back-to-back hit gives.
#[test]
fn the_double_hit_costs_the_task_below_a_budget_more() {
    let of = Server::new(ticks(2), ticks(5));
    let response = |policy: Policy, worst: u64| {
        let all = [policy.as_task(&of), task(20, worst)];
        fixed_priority::response_times(&all, &[]).unwrap()[1].get()
    };
    // By w = C + 2 ceil(w / 5) for a periodic server, and w = C + 2 ceil((w + 3) / 5) for a deferrable one.
    assert_eq!([1, 3, 4, 6].map(|worst| response(Policy::Polling, worst)), [3, 5, 8, 10]);
    assert_eq!([1, 3, 4, 6].map(|worst| response(Policy::Deferrable, worst)), [5, 7, 10, 12]);
    // Reached: the server's work comes with the task, two ticks before the period ends.
    for worst in [1, 3, 4, 6] {
        let jobs = vec![Job { task: 0, release: ticks(3), worst: ticks(worst), takes: ticks(worst) }];
        let given = workload(vec![task(20, worst)], jobs, soft(&[(3, 100)]));
        let run = model::run(&given, &mut *server(Policy::Deferrable, of, 0));
        assert_eq!(run.ends[0].get() - 3, response(Policy::Deferrable, worst), "{worst}");
    }
}

/// So its budget is smaller, the more the tasks ask for: the reason that the OSPERT paper gives.
#[test]
fn the_deferrable_servers_capacity_is_the_smaller() {
    let tasks = [task(10, 3), task(20, 6)];
    let capacity = |policy| servers::capacity(policy, ticks(10), &tasks).unwrap().map(Ticks::get);
    assert_eq!(capacity(Policy::Polling), Some(4));
    assert_eq!(capacity(Policy::Sporadic { pending: 1 }), Some(4));
    assert_eq!(capacity(Policy::Deferrable), Some(2));
    assert_eq!(servers::capacity(Policy::Polling, ticks(10), &[task(10, 10)]).unwrap(), None);
}

/// Shin and Lee's resource: nothing for two gaps, then a budget a period; the line lies beneath.
#[test]
fn a_periodic_resource_gives_what_shin_and_lee_say() {
    let of = Server::new(ticks(3), ticks(5));
    let exact = servers::supply::Pulses::of_resource(&of).unwrap();
    let least =
        |supply: &dyn Supply| (0..=14).map(|length| supply.least(ticks(length)).unwrap().get()).collect();
    let expected: Vec<u64> = vec![0, 0, 0, 0, 0, 1, 2, 3, 3, 3, 4, 5, 6, 6, 6];
    assert_eq!((exact.wait(), expected), (ticks(4), least(&exact)));
    let line: Vec<u64> = vec![0, 0, 0, 0, 0, 0, 1, 1, 2, 3, 3, 4, 4, 5, 6];
    assert_eq!(line, least(&exact.linear()));
}

#[test]
fn servers_that_are_none_are_refused() {
    use crate::{Failure, Fault};
    let refused = |budget, period| match Policy::Polling
        .interference(&Server::new(ticks(budget), ticks(period)), ticks(1))
    {
        Err(Failure::Invalid { fault, .. }) => Some(fault),
        _ => None,
    };
    assert_eq!(refused(1, 0), Some(Fault::NoPeriod));
    assert_eq!([refused(0, 3), refused(4, 3)], [Some(Fault::BudgetOutOfRange); 2]);
    assert_eq!(refused(3, 3), None);
    let of = Server::new(ticks(2), ticks(5));
    for served in [1, 6] {
        let refused = Policy::Deferrable.supply(&of, ticks(served));
        assert!(matches!(refused, Err(Failure::Invalid { fault: Fault::BudgetTooLate, .. })), "{refused:?}");
    }
    assert_eq!(of.served(&servers::supply::Whole, &[task(5, 4)]), Ok(None));
}
