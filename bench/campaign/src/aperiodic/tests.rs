//! The kernel serves soft work when the model does, and the recorded ratios come out again.

use beryl_analysis::servers::model::approximate::Approximate;
use beryl_analysis::servers::model::background::Background;
use beryl_analysis::servers::model::dual::{Dual, Gain};
use beryl_analysis::servers::model::{Job, Order, Policy, Workload, run};
use beryl_analysis::{Sporadic, Ticks};

use super::overheads::Overheads;
use super::stealing::{Place, Stealing, Told};
use super::*;

/// When the model serves it, in microseconds, where jobs are supposed to take so much more at most.
fn modelled_with(application: &Application, spare: u64, policy: &mut dyn Policy) -> Vec<u64> {
    let more = |worst: Ticks| Ticks::new(worst.get() + spare);
    let tasks = application.tasks.iter().map(|task| Sporadic { worst: more(task.worst), ..*task });
    let jobs = application.jobs.iter().map(|job| Job { worst: more(job.worst), ..*job });
    let workload = Workload {
        tasks: tasks.collect(),
        order: Order::Fixed,
        jobs: jobs.collect(),
        soft: application.soft.clone(),
        dispatch: Ticks::ZERO,
    };
    run(&workload, policy).served.iter().map(|end| end.get()).collect()
}

fn modelled(application: &Application, policy: &mut dyn Policy) -> Vec<u64> {
    modelled_with(application, 0, policy)
}

#[test]
fn without_costs_the_kernel_serves_when_the_model_does() {
    for point in points().into_iter().filter(|point| point.tasks <= OF_DUAL).step_by(17) {
        let application = Application::of(point).expect("an application");
        let dual = &mut Dual::new(application.promotions.clone(), Gain::None);
        let seen = served(&application, Way::Dual, Takes::Nothing).expect("a run");
        assert_eq!(seen, modelled(&application, dual), "{point:?}");
        let seen = served(&application, Way::Background, Takes::Nothing).expect("a run");
        assert_eq!(seen, modelled(&application, &mut Background), "{point:?}");
    }
}

#[test]
fn without_costs_slack_is_stolen_on_the_kernel_when_the_model_steals_it() {
    for point in points().into_iter().step_by(11) {
        let application = Application::of(point).expect("an application");
        for has_gain in [false, true] {
            let model = &mut Approximate::new(application.tasks.len(), has_gain);
            let seen = served(&application, Way::Slack { has_gain }, Takes::Nothing).expect("a run");
            assert_eq!(
                seen,
                modelled_with(&application, parts::SPARE, model),
                "{point:?}, gain time: {has_gain}"
            );
        }
    }
}

/// Those of docs/measurements/servers.md.
#[test]
fn recorded_ratios_of_dual_priorities_on_the_kernel_come_out_again() {
    let ratio = aperiodic(Way::Dual, OF_DUAL, 1).expect("runs");
    assert_eq!((ratio.count, ratio.free, ratio.charged), (270, 549, 584));
}

/// Those of docs/measurements/servers.md.
#[test]
fn recorded_ratios_of_slack_stealing_on_the_kernel_come_out_again() {
    let ratio = aperiodic(Way::Slack { has_gain: false }, 16, 1).expect("runs");
    assert_eq!(ratio, Ratio { count: 360, free: 548, charged: 580, reckoned: 616 });
}

/// The same.
#[test]
fn recorded_ratios_of_slack_stealing_with_gain_time_come_out_again() {
    let ratio = aperiodic(Way::Slack { has_gain: true }, 16, 1).expect("runs");
    assert_eq!(ratio, Ratio { count: 360, free: 548, charged: 596, reckoned: 636 });
}

/// Periods of 100, and a job of 60 at the start: soft work may go first for 40, and then waits.
#[test]
fn slack_is_what_a_constructed_case_leaves() {
    let mut stealing = Stealing::new(&[(100, 60)], false, Overheads::default());
    let told = |ends, came, gone| Told { ends, came, gone };
    let turn = |stealing: &mut Stealing, now, what| {
        let (_, place) = stealing.turn(now, what);
        (place, stealing.limit())
    };
    let seen = [
        // It comes at 10, while the job runs: 40 are left of 100 - 60.
        turn(&mut stealing, 10, told(0, true, false)),
        // They are used up.
        turn(&mut stealing, 50, told(0, false, false)),
        // The job ends in time; soft work stands behind it until 200 - 100 - 60 are used up.
        turn(&mut stealing, 100, told(1, false, false)),
        // The job's thread is at its wait by then, and the next is released.
        turn(&mut stealing, 101, told(0, false, false)),
        // Soft work is done.
        turn(&mut stealing, 120, told(0, false, true)),
    ];
    let expected = [
        (Place::Top, Some(40)),
        (Place::Below, None),
        (Place::Behind(0), Some(40)),
        (Place::Top, Some(39)),
        (Place::Top, None),
    ];
    assert_eq!(seen, expected);
}

#[test]
fn no_hard_job_is_late_whatever_serves_soft_work_beside_it() {
    let tried = sets::sets(1, 40).expect("no hard job is late");
    assert!(tried.sets == 40 && tried.heavy >= 5 && tried.runs > 100, "{tried:?}");
    assert!(tried.charged > 50 && tried.late == 0, "{tried:?}");
}
