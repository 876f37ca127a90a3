//! Slots: the programs of a module that may take each other's place, and what they carry out.

use super::{Activity, Assembly, Entering, Guard, Input, Module, Role, Switch};

impl Assembly {
    /// The image's program of a slot's module, and all others.
    #[must_use]
    pub fn bodies(&self, slot: usize) -> Vec<&Module> {
        let others = self.alternatives.iter().map(|row| &row.body);
        self.modules.iter().chain(others).filter(|body| body.slot == Some(slot)).collect()
    }

    /// Whether one of the programs carries out a driver.
    #[must_use]
    pub fn is_used(&self, bodies: &[&Module], driver: usize) -> bool {
        let is = |input: &Input| input.driver == driver || input.getter == Some(driver);
        let asks = |guard: &Guard| guard.driver == driver || guard.getters.contains(&driver);
        let publishes = |role: &Role| match role {
            Role::Task(task) => task.publisher == Some(driver) || task.reaction.drivers.contains(&driver),
            _ => false,
        };
        let acts = |activity: &Activity| {
            let own = match activity {
                Activity::Release { task, inputs, .. } => {
                    inputs.iter().any(is)
                        || self.threads.get(*task).is_some_and(|thread| publishes(&thread.role))
                }
                Activity::Actuate { update, .. } => is(update),
            };
            own || activity.guard().is_some_and(asks)
        };
        let switches = |switch: &Switch| switch.guard.as_ref().is_some_and(asks);
        let enters = |entering: &Entering| entering.drivers().any(|own| own == driver);
        let mut modes = bodies.iter().flat_map(|body| &body.modes);
        modes.any(|mode| {
            mode.activities.iter().any(acts)
                || mode.switches.iter().any(switches)
                || mode.entering.iter().any(enters)
        })
    }
}
