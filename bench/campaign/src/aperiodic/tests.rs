//! The kernel serves soft work when the model does, and the recorded ratios come out again.

use beryl_analysis::Ticks;
use beryl_analysis::servers::model::background::Background;
use beryl_analysis::servers::model::dual::{Dual, Gain};
use beryl_analysis::servers::model::{Order, Policy, Workload, run};

use super::*;

/// When the model serves it, in microseconds.
fn modelled(application: &Application, policy: &mut dyn Policy) -> Vec<u64> {
    let workload = Workload {
        tasks: application.tasks.clone(),
        order: Order::Fixed,
        jobs: application.jobs.clone(),
        soft: application.soft.clone(),
        dispatch: Ticks::ZERO,
    };
    run(&workload, policy).served.iter().map(|end| end.get()).collect()
}

#[test]
fn without_costs_the_kernel_serves_when_the_model_does() {
    for point in points().into_iter().step_by(17) {
        let application = Application::of(point).expect("an application");
        let dual = &mut Dual::new(application.promotions.clone(), Gain::None);
        let seen = served(&application, Way::Dual, false).expect("a run");
        assert_eq!(seen, modelled(&application, dual), "{point:?}");
        let seen = served(&application, Way::Background, false).expect("a run");
        assert_eq!(seen, modelled(&application, &mut Background), "{point:?}");
    }
}

/// Those of docs/measurements/servers.md.
#[test]
fn recorded_ratios_of_dual_priorities_on_the_kernel_come_out_again() {
    assert_eq!(aperiodic(1).expect("runs"), (270, Ratio { free: 549, charged: 584 }));
}
