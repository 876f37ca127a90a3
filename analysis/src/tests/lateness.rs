//! How late instants are carried out: the longest stretch of work above all bands, by hand and in schedules.

use crate::model::{Band, Interference, KernelCosts, Policy, System, Task};
use crate::{Failure, Ticks, lateness};

fn driver(period: u64, worst: u64) -> Interference {
    let [period, worst] = [period, worst].map(Ticks::new);
    Interference { name: "driver".to_owned(), period, worst, ..Interference::default() }
}

fn task(period: u64, worst: u64) -> Task {
    let [period, worst] = [period, worst].map(Ticks::new);
    Task { name: "task".to_owned(), period, deadline: period, worst, ..Task::default() }
}

fn system(drivers: &[Interference], tasks: &[Task], costs: KernelCosts) -> System {
    let band = Band { name: "band".to_owned(), policy: Policy::Dynamic, tasks: tasks.to_vec() };
    System { bands: vec![band], interference: drivers.to_vec(), costs, ..System::default() }
}

#[test]
fn jobs_make_no_instant_late() {
    let all = system(&[driver(10, 2)], &[task(10, 8)], KernelCosts::default());
    assert_eq!(lateness(&all), Ok(Ticks::new(2)));
}

#[test]
fn what_the_kernel_does_counts_and_so_does_what_it_has_begun() {
    let costs = KernelCosts {
        alarm: Ticks::new(1),
        instant: Ticks::new(2),
        driver: Ticks::new(3),
        release: Ticks::new(4),
        under_way: Ticks::new(5),
        timers: Ticks::new(6),
        ..KernelCosts::default()
    };
    // An instant each for the task and the driver: the alarm and the entry, and what is done there.
    let all = system(&[driver(1000, 7)], &[task(900, 50)], costs);
    assert_eq!(lateness(&all), Ok(Ticks::new(2 * (1 + 2) + (3 + 7) + 4 + 5 + 6)));
}

#[test]
fn what_comes_meanwhile_is_waited_for() {
    // Done at 10, when the next one comes; with one tick more it comes before that is done.
    let all = system(&[driver(30, 6), driver(10, 4)], &[], KernelCosts::default());
    assert_eq!(lateness(&all), Ok(Ticks::new(10)));
    let all = system(&[driver(30, 7), driver(10, 4)], &[], KernelCosts::default());
    assert_eq!(lateness(&all), Ok(Ticks::new(15)));
}

#[test]
fn whatever_takes_all_of_the_processor_is_never_done() {
    let costs = KernelCosts { under_way: Ticks::new(1), ..KernelCosts::default() };
    let all = system(&[driver(10, 6), driver(10, 4)], &[], costs);
    assert_eq!(lateness(&all), Err(Failure::TooLong));
    // More than all of it doesn't fit into any time.
    let all = system(&[driver(10, 6), driver(10, 5)], &[], KernelCosts::default());
    assert_eq!(lateness(&all), Err(Failure::TimesTooLarge));
}
