//! The kernel serves soft work when the model does, and the recorded ratios come out again.

use beryl_analysis::servers::model::approximate::Approximate;
use beryl_analysis::servers::model::background::Background;
use beryl_analysis::servers::model::dual::{Dual, Gain};
use beryl_analysis::servers::model::{self, Job, Order, Policy, Workload};
use beryl_analysis::{Sporadic, Ticks};
use beryl_builder::toolchain::root;
use beryl_kernel::Charges;

use super::grid::{By, Experiment, Point};
use super::overheads::Overheads;
use super::promoting::{Known, Promoting};
use super::stealing::{Place, Stealing, Told};
use super::*;
use beryl_analysis::servers::model::background::Place as At;
use beryl_analysis::servers::model::each_period::EachPeriod;
use beryl_analysis::servers::model::sporadic::Sporadic as Parts;
use beryl_analysis::servers::{Server, capacity};

/// Every so many applications of both grids.
fn some(every: usize) -> impl Iterator<Item = Point> {
    Experiment::ALL.into_iter().flat_map(Experiment::points).step_by(every)
}

/// When the kernel serves soft work, in microseconds.
fn served(application: &Application, way: Way, takes: Takes) -> Result<Vec<u64>> {
    let outcome = run(application, &budget::project(application, way, takes)?, way, takes)?;
    ends(application, &outcome)
}

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
    model::run(&workload, policy).served.iter().map(|end| end.get()).collect()
}

fn modelled(application: &Application, policy: &mut dyn Policy) -> Vec<u64> {
    modelled_with(application, 0, policy)
}

#[test]
fn without_costs_the_kernel_serves_when_the_model_does() {
    for point in some(17).filter(|point| point.tasks < 16) {
        let application = Application::of(point).expect("an application");
        for gain in [Gain::None, Gain::Own, Gain::Propagated, Gain::Both] {
            let dual = &mut Dual::new(application.promotions.clone(), gain);
            let seen = served(&application, Way::Dual(gain), Takes::Nothing).expect("a run");
            assert_eq!(seen, modelled(&application, dual), "{point:?}, {gain:?}");
        }
        let seen = served(&application, Way::Background, Takes::Nothing).expect("a run");
        assert_eq!(seen, modelled(&application, &mut Background), "{point:?}");
    }
}

/// A budget ends with the first tick that is too much, so a microsecond may be another one. Where parts of a sporadic one
/// are merged isn't the same: the kernel dates anew all that can be used, the model keeps each part's date.
#[test]
fn without_costs_servers_serve_when_the_model_does() {
    for (rule, others) in [(Rule::Polling, 0), (Rule::Deferrable, 0), (Rule::Sporadic, 2)] {
        let (mut count, mut differ) = (0, 0);
        for point in some(7) {
            let application = Application::of(point).expect("an application");
            let budget = capacity(rule.policy(), application.mean, &application.tasks).expect("an analysis");
            let server = Server::new(budget.expect("a budget"), application.mean);
            let mut model: Box<dyn Policy> = match rule {
                Rule::Polling => Box::new(EachPeriod::polling(server, At::TOP)),
                Rule::Deferrable => Box::new(EachPeriod::deferrable(server, At::TOP)),
                Rule::Sporadic => Box::new(Parts::new(server, At::TOP, budget::PARTS)),
            };
            let seen = served(&application, Way::Server(rule), Takes::Nothing).expect("a run");
            let expected = modelled(&application, &mut *model);
            let mut apart = seen.iter().zip(&expected).map(|(seen, expected)| seen.abs_diff(*expected));
            count += 1;
            differ += u64::from(apart.any(|microseconds| microseconds > 1));
        }
        assert_eq!((count, differ), (86, others), "{rule:?}");
    }
}

#[test]
fn without_costs_slack_is_stolen_on_the_kernel_when_the_model_steals_it() {
    for point in some(11) {
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

/// Periods of 1000 and 3000; steps of a tick each, so that a turn takes 8 and the last call of a job 2. Soft work comes just
/// as the second task tells its end, and runs once that one waits.
#[test]
fn a_limit_counts_from_where_soft_work_may_run() {
    let one = beryl_abi::Duration::from_ticks(1);
    let charges = Charges {
        alarm: one,
        release: one,
        completion: one,
        decision: one,
        job: one,
        call: one,
        ..Charges::NONE
    };
    let seen = |instant: u64| {
        let overheads = Overheads::of(&charges, 0);
        let mut stealing = Stealing::new(&[(1000, 100), (3000, 200)], true, overheads);
        let mut turn = |now, ends, came| {
            let (_, place) = stealing.turn(now, Told { ends, came, gone: false });
            (place, stealing.limit())
        };
        turn(150, 1, false);
        [turn(instant, 2, true), turn(1005, 0, false)]
    };
    // At 1000 the first task comes before soft work; then 819 are left of its slack, of which 2 pass before the wait.
    assert_eq!(seen(900), [(Place::Behind(1), Some(100)), (Place::Top, Some(817))]);
    assert_eq!(seen(989)[0], (Place::Behind(1), Some(11)));
    // Soft work doesn't run before that: the end of the first task is told.
    assert_eq!(seen(990)[0], (Place::Behind(1), None));
}

#[test]
fn no_hard_job_is_late_whatever_serves_soft_work_beside_it() {
    let tried = sets::sets(1, 40).expect("no hard job is late");
    assert!(tried.sets == 40 && tried.heavy >= 5 && tried.runs > 100, "{tried:?}");
    assert!(tried.charged > 100, "{tried:?}");
}

/// It told the end of a job just before two more urgent ones were released. While these ran the scheduler woke again and
/// again for slack that nobody used, and the last call of the job came too late.
#[test]
fn who_has_told_its_end_comes_to_its_wait_in_time() {
    let tried = sets::sets(6148, 1).expect("no hard job is late");
    assert_eq!((tried.sets, tried.charged), (1, 4));
}

/// Those of the page, of applications of the second grid with four hard tasks.
#[test]
fn recorded_rows_of_small_applications_come_out_again() {
    let recorded = std::fs::read_to_string(root().join(record::FILE)).expect("recorded rows");
    let points = Experiment::Gain.points().into_iter().filter(|point| point.tasks == 4);
    let rows = record::rows(Experiment::Gain, &points.collect::<Vec<Point>>()).expect("runs");
    for row in rows.iter().filter(|row| row.by == By::Tasks && row.value == 4) {
        let line = serde_json::to_string(row).expect("a row");
        assert!(recorded.lines().any(|other| other == line), "{line} isn't recorded");
    }
}

#[test]
fn reckoning_takes_what_was_counted_on_the_board() {
    let recorded = std::fs::read_to_string(root().join("docs/measurements/recorded.jsonl")).expect("figures");
    for (tasks, instructions) in parts::RECKONING {
        let is_it = |line: &&str| line.contains(&format!("\"bench\":\"slack\",\"case\":\"{tasks} tasks\""));
        let row = recorded.lines().find(is_it).expect("a row");
        assert!(row.contains(&format!("\"max\":{instructions},")), "{row}");
    }
}

/// What a scheduler that promotes makes of each of these turns: changes, and its limit.
fn turns(promoting: &mut Promoting, all: &[(u64, Told)]) -> Vec<(Vec<(usize, bool)>, u64)> {
    all.iter().map(|(now, told)| (promoting.turn(*now, *told), promoting.limit())).collect()
}

const QUIET: Told = Told { ends: 0, came: false, gone: false };
const CAME: Told = Told { came: true, ..QUIET };
const GONE: Told = Told { gone: true, ..QUIET };
const ENDED: Told = Told { ends: 1, ..QUIET };

/// A task of period 100 is promoted 50 after its release, and later by what it has run below.
#[test]
fn what_a_job_has_run_below_makes_its_own_promotion_later() {
    let known = Known { period: 100, worst: 40, promotion: 50, below: 1 };
    let mut promoting = Promoting::new(&[known], Gain::Own, Overheads::default());
    // If it runs all the time it isn't promoted; its next job may be.
    assert_eq!(promoting.limit(), 50);
    let told = [(10, CAME), (60, QUIET), (80, ENDED), (100, QUIET), (110, GONE), (150, QUIET)];
    let expected = [
        // It has run 10 before soft work came.
        (vec![], 50),
        (vec![(0, true)], 40),
        // It is above until its next release.
        (vec![], 20),
        (vec![(0, false)], 50),
        // It runs on from here, so its promotion moves along until the next release at 200.
        (vec![], 130),
        // It has run 40 since.
        (vec![], 90),
    ];
    assert_eq!(turns(&mut promoting, &told), expected);
}

/// A step is a tick: what the kernel may have taken is nothing that a job has run.
#[test]
fn what_the_kernel_may_have_taken_is_nobodys_gain() {
    let one = beryl_abi::Duration::from_ticks(1);
    let charges = Charges {
        alarm: one,
        release: one,
        completion: one,
        decision: one,
        job: one,
        call: one,
        ..Charges::NONE
    };
    let overheads = Overheads::of(&charges, 0);
    let known = Known { period: 1000, worst: 400, promotion: 500, below: 1 };
    let mut promoting = Promoting::new(&[known], Gain::Own, overheads);
    // Of the first 100 the release takes 4, and that soft work comes 5 and what tells it 3.
    let seen = turns(&mut promoting, &[(100, CAME)]);
    assert_eq!(seen, [(vec![], 500 + 100 - 12 - 100 - 1)]);
}

/// The second task is promoted at 60, which the first one makes later by the 50 that it leaves of 60; once that is above,
/// the next job of the first takes it back below for 50.
#[test]
fn what_a_promoted_job_leaves_keeps_less_urgent_ones_below() {
    let first = Known { period: 100, worst: 60, promotion: 20, below: 2 };
    let second = Known { period: 200, worst: 30, promotion: 60, below: 1 };
    let mut promoting = Promoting::new(&[first, second], Gain::Propagated, Overheads::default());
    let told = [
        (0, CAME),
        (20, QUIET),
        (30, ENDED),
        (80, QUIET),
        (100, QUIET),
        (120, QUIET),
        (130, ENDED),
        (180, QUIET),
    ];
    let expected = [
        (vec![], 20),
        (vec![(0, true)], 40),
        (vec![], 50),
        (vec![(1, true)], 20),
        (vec![(0, false)], 20),
        (vec![(0, true)], 80),
        (vec![(1, false)], 50),
        (vec![(1, true)], 20),
    ];
    assert_eq!(turns(&mut promoting, &told), expected);
}
