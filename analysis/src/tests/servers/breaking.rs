//! Rules that are broken on purpose: the comparison with the bounds sees each of them.

use super::posix::Posix;
use super::*;
use crate::fixed_priority;
use crate::servers::Supply;
use crate::servers::model::{Turn, World};
use crate::servers::supply::Whole;

const LENGTH: u64 = 160;

/// A policy with one rule broken.
struct Broken {
    inner: Box<dyn model::Policy>,
    how: How,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum How {
    /// Nothing.
    Not,
    /// One tick of three isn't charged.
    Undercharged,
    /// What tasks run is charged to the server, too.
    Overcharged,
    /// Budgets come back a tick late: the work isn't told of an instant.
    Late,
    /// Nothing is lost when no work waits.
    Kept,
}

impl model::Policy for Broken {
    fn woke(&mut self, world: &World) {
        self.inner.woke(world);
    }

    fn slept(&mut self, world: &World) {
        if self.how != How::Kept {
            self.inner.slept(world);
        }
    }

    fn instant(&mut self, world: &World) {
        if self.how != How::Late || world.now.get() % 2 == 1 {
            self.inner.instant(world);
        }
    }

    fn passed(&mut self, world: &World, runner: Runner, length: Ticks) {
        let charged = match self.how {
            How::Undercharged if runner == Runner::Served => ticks(length.get() - length.get() / 3),
            _ => length,
        };
        let runner = match (self.how, runner) {
            (How::Overcharged, Runner::Hard(_)) => Runner::Served,
            _ => runner,
        };
        self.inner.passed(world, runner, charged);
    }

    fn place(&self, world: &World) -> Option<Turn> {
        self.inner.place(world)
    }

    fn until(&self, world: &World, runner: Runner) -> Option<Ticks> {
        let next = self.inner.until(world, runner);
        match self.how {
            How::Late => next.max(Some(world.now.later(ticks(1)))),
            _ => next,
        }
    }
}

/// In how many of these systems a bound is exceeded.
fn exceeded(policy: Policy, make: impl Fn(Server, usize) -> Box<dyn model::Policy>) -> u32 {
    let mut exceeded = 0;
    for seed in 0..120 {
        let mut random = Random(seed);
        let (tasks, of, above) = system(&mut random);
        let Some(served) = of.served(&Whole, &tasks[..above]).unwrap() else { continue };
        let mut all = tasks.clone();
        all.insert(above, policy.as_task(&of));
        let Ok(responses) = fixed_priority::response_times(&all, &[]) else { continue };
        let work = work(&of, LENGTH, &mut random);
        let given = workload(tasks.clone(), arrivals(&tasks, LENGTH, &mut random), work);
        let run = model::run(&given, &mut *make(of, above));
        let begins = beginnings(&given, &run, above, LENGTH);
        let most = most(&run, LENGTH, |start| above == 0 || begins[start as usize]);
        let supply = policy.supply(&of, served).unwrap();
        let is_more = most
            .iter()
            .zip(0..)
            .any(|(most, length)| *most > policy.interference(&of, ticks(length)).unwrap().get());
        let is_less = least(&given, &run, LENGTH).iter().zip(0..).any(|(least, length)| {
            least.is_some_and(|least| least < supply.least(ticks(length)).unwrap().get())
        });
        let is_late = given.jobs.iter().zip(&run.ends).any(|(job, end)| {
            end.less(job.release) > responses[if job.task < above { job.task } else { job.task + 1 }]
        });
        exceeded += u32::from(is_more || is_less || is_late);
    }
    exceeded
}

fn broken(policy: Policy, how: How) -> u32 {
    exceeded(policy, |of, above| Box::new(Broken { inner: server(policy, of, above), how }))
}

#[test]
fn each_broken_rule_is_seen() {
    for policy in FIXED {
        assert_eq!(broken(policy, How::Not), 0, "{policy:?}");
        for how in [How::Undercharged, How::Overcharged] {
            let seen = broken(policy, how);
            assert!(seen > 10, "{policy:?}, {how:?}: only {seen}");
        }
    }
    for policy in [Policy::Polling, Policy::Deferrable, Policy::Sporadic { pending: usize::MAX }] {
        let seen = broken(policy, How::Late);
        assert!(seen > 10, "{policy:?}, late: only {seen}");
    }
    let kept = broken(Policy::Polling, How::Kept);
    assert!(kept > 10, "a polling server that keeps its budget: only {kept}");
}

/// One policy isn't counted as another, and what POSIX prints isn't counted at all.
#[test]
fn no_policy_passes_for_another() {
    let as_sporadic = Policy::Sporadic { pending: usize::MAX };
    let deferrable = exceeded(as_sporadic, |of, above| server(Policy::Deferrable, of, above));
    assert!(deferrable > 10, "a deferrable server as a periodic task: only {deferrable}");
    let polling = exceeded(Policy::Deferrable, |of, above| server(Policy::Polling, of, above));
    assert!(polling > 10, "a polling server as one that keeps its budget: only {polling}");
    let few = exceeded(as_sporadic, |of, above| server(Policy::Sporadic { pending: 1 }, of, above));
    assert!(few > 10, "room for one as room for all: only {few}");
    let posix = exceeded(as_sporadic, |of, above| {
        let place = Place { above, background: false };
        Box::new(Posix::new(of, place))
    });
    assert!(posix > 0, "what POSIX prints is never seen");
}
