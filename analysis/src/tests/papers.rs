//! Workloads printed in papers.

use super::*;

/// The typical workload of *EMERALDS: a small-memory real-time microkernel* (Zuberi and Shin), Table 1, in
/// tenths of a millisecond.
fn emeralds() -> Vec<Task> {
    let rows =
        [(40, 10), (50, 10), (60, 10), (70, 10), (80, 5), (200, 5), (300, 5), (500, 5), (1000, 5), (1300, 5)];
    rows.iter().zip(1..).map(|(&(period, worst), row)| task(&format!("t{row}"), period, worst)).collect()
}

fn coscheduled(dynamic_sizes: &[usize]) -> System {
    let mut rest = emeralds();
    let mut bands = Vec::new();
    for &size in dynamic_sizes {
        let below = rest.split_off(size);
        bands.push(band(Policy::Dynamic, rest));
        rest = below;
    }
    bands.push(band(Policy::Fixed, by_order(rest)));
    System { bands, ..System::default() }
}

#[test]
fn emeralds_fits_under_earliest_deadline_first() {
    let proof = prove(&dynamic(emeralds())).unwrap();
    assert_eq!(proof.total.to_string(), "88.26 %");
}

/// Figure 2: t5 misses its deadline of 8 ms, as the first four tasks run twice before it.
#[test]
fn emeralds_misses_under_rate_monotonic_priorities() {
    let system = fixed(emeralds());
    let miss = missed(&system);
    assert_eq!((miss.task.as_str(), miss.job.release, miss.job.deadline), ("t5", ticks(0), ticks(80)));
    let expected = "t1 0-10, t2 10-20, t3 20-30, t4 30-40, t1 40-50, t2 50-60, t3 60-70, t4 70-80";
    assert_eq!(drawn(&system, &miss.schedule), expected);
}

/// Section 5.3: t5 is the only troublesome task; with it in the dynamic band, the rest may have fixed
/// priorities.
#[test]
fn emeralds_fits_under_combined_static_and_dynamic_scheduling() {
    let proof = prove(&coscheduled(&[5])).unwrap();
    assert_eq!(proof.bands.iter().map(|band| band.tasks.len()).collect::<Vec<_>>(), [5, 5]);
    let mut without_trouble = emeralds();
    without_trouble.remove(4);
    prove(&fixed(without_trouble)).unwrap();
}

/// Section 5.6: a split into two dynamic bands must not cut t5 off.
#[test]
fn emeralds_misses_when_the_dynamic_band_is_split_before_t5() {
    assert_eq!(missed(&coscheduled(&[4, 1])).task, "t5");
    prove(&coscheduled(&[5, 3])).unwrap();
}

/// The helicopter of *A programmable microkernel for real-time systems* (Kirsch, Sanvido and Henzinger),
/// section 2: control every 20 ms, navigation every 10 ms. The paper's necessary condition is also sufficient
/// here, up to equality.
#[test]
fn helicopter_fits_just_when_control_and_two_navigations_fit() {
    for control in 1..=20 {
        for navigation in 1..=10 {
            let fits = control + 2 * navigation <= 20;
            let tasks = || vec![task("navigation", 10, navigation), task("control", 20, control)];
            assert_eq!(prove(&dynamic(tasks())).is_ok(), fits, "dynamic, {control} and {navigation}");
            assert_eq!(prove(&fixed(tasks())).is_ok(), fits, "fixed, {control} and {navigation}");
        }
    }
}
