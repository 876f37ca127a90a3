//! The kernel against the reference model: random systems, record by record.

mod host;
mod model;

use beryl_abi::{CallNumber, Fault, FaultKind, Instant};
use beryl_kernel::{Call, Event, Sizes};
use beryl_testing::{Draw, XorShiftStar as Random, cases};

use host::draft::{Large, LargeBudgeted};
use host::{Rig, only_records};
use model::e_machine::plan::{Job, Plan, result_of};
use model::e_machine::tables::{ports, tables};

/// What the threads of a plan would do on a processor: use time, then act.
struct Bench<'a, S: Sizes> {
    plan: &'a Plan,
    rig: Rig<S>,
    /// How much of its job or quantum each thread has left.
    remaining: Vec<u64>,
    jobs: Vec<(u64, Job)>,
    /// How much of the log has been looked at.
    seen: usize,
    random: Random,
}

impl<S: Sizes> Bench<'_, S> {
    fn new(plan: &Plan) -> Bench<'_, S> {
        let rig = Rig::new(&tables(plan));
        let quanta = plan.free.iter().map(|free| free.quantum);
        let remaining = plan.tasks.iter().map(|_| 0).chain(quanta).chain([u64::MAX]).collect();
        let jobs = vec![(0, Job { time: 0, faults: false }); plan.tasks.len()];
        let random = Random::from_zero(plan.seed);
        Bench { plan, rig, remaining, jobs, seen: 0, random }
    }

    fn run(mut self, end: u64) -> Vec<String> {
        self.raise(Event::Start);
        while self.step(end) {}
        only_records(self.rig.kernel.machine.log)
    }

    fn step(&mut self, end: u64) -> bool {
        let now = self.rig.kernel.machine.clock.ticks();
        let running = self.rig.state().running().index();
        let (done, alarm) =
            (now.saturating_add(self.remaining[running]), self.rig.kernel.machine.alarm.ticks());
        let thread_first = if self.plan.completion_first { done <= alarm } else { done < alarm };
        let next = done.min(alarm);
        if next >= end {
            return false;
        }
        // once in a while an alarm that is early: it must not show
        if self.random.once_in(20) && now < next {
            self.rig.kernel.machine.clock = Instant::from_ticks(self.random.within(now, next - 1));
            self.use_time(running, self.rig.kernel.machine.clock.ticks() - now);
            self.raise(Event::Alarm);
            return true;
        }
        self.rig.kernel.machine.clock = Instant::from_ticks(next);
        self.use_time(running, next - now);
        let event = if thread_first { self.act(running) } else { Event::Alarm };
        self.raise(event);
        true
    }

    fn use_time(&mut self, thread: usize, time: u64) {
        self.remaining[thread] = self.remaining[thread].saturating_sub(time);
    }

    fn act(&mut self, thread: usize) -> Event {
        let call = |number: CallNumber| Event::Call(Call { number: number as u32, arguments: [0; 4] });
        let Some((number, job)) = self.jobs.get(thread).copied() else {
            self.remaining[thread] = self.plan.free[thread - self.plan.tasks.len()].quantum;
            return call(CallNumber::Yield);
        };
        if job.faults {
            return Event::Fault(Fault { kind: FaultKind::Data, address: 0, instruction: 0 });
        }
        let [input, private, _] = ports(thread);
        let value = result_of(
            thread,
            number,
            self.rig.kernel.machine.memory.get(&input).copied().unwrap_or_default(),
        );
        self.rig.kernel.machine.memory.insert(private, value);
        call(CallNumber::Complete)
    }

    /// Lets the kernel work, then looks for releases. A job that begins to run leaves half of a
    /// result in its private port; nobody may ever see it.
    fn raise(&mut self, event: Event) {
        self.rig.raise(event);
        for line in &self.rig.kernel.machine.log[self.seen..] {
            if let ["release", task, ..] = line.split(' ').skip(1).collect::<Vec<_>>()[..] {
                let task: usize = task.parse().unwrap();
                let number = self.jobs[task].0 + 1;
                self.jobs[task] = (number, self.plan.job(task, number));
                self.remaining[task] = self.jobs[task].1.time;
            }
        }
        self.seen = self.rig.kernel.machine.log.len();
        let running = self.rig.state().running().index();
        if running < self.plan.tasks.len() {
            self.rig.kernel.machine.memory.insert(ports(running)[1], 0xBAD_F00D);
        }
    }
}

#[track_caller]
fn compare<S: Sizes>(plan: &Plan) -> Vec<String> {
    let (seed, end) = (plan.seed, 1200);
    let (kernel, model) = (Bench::<S>::new(plan).run(end), model::e_machine::run(plan, end));
    if let Some(at) = (0..kernel.len().max(model.len())).find(|at| kernel.get(*at) != model.get(*at)) {
        panic!(
            "seed {seed}: record {at} differs\n kernel {:?}\n model  {:?}\nafter {:#?}\n{plan:#?}",
            kernel.get(at),
            model.get(at),
            &model[at.saturating_sub(60)..at]
        );
    }
    kernel
}

/// Compares all plans; something of each kind has to happen.
fn compare_all<S: Sizes>(plans: impl Iterator<Item = Plan>) -> Vec<String> {
    let mut kinds = std::collections::BTreeMap::<String, usize>::new();
    let lines: Vec<_> = plans.flat_map(|plan| compare::<S>(&plan)).collect();
    for line in &lines {
        *kinds.entry(line.split(' ').nth(1).unwrap_or_default().to_string()).or_default() += 1;
    }
    // a comparison in which something never happens says nothing about it
    for kind in ["release", "switch", "complete", "miss", "driver", "skip", "violation", "fault", "overrun"] {
        assert!(kinds.get(kind).is_some_and(|count| *count > 100), "{kinds:?}");
    }
    lines
}

#[test]
fn the_kernel_does_what_the_model_does() {
    compare_all::<Large>((0..cases(500, 1500)).map(Plan::random));
}

#[test]
fn the_kernel_enforces_what_the_model_does() {
    let lines = compare_all::<LargeBudgeted>((0..cases(500, 1500)).map(Plan::enforced));
    let stopped = lines.iter().filter(|line| line.contains("budget used up")).count();
    assert!(stopped > 100, "{stopped} were stopped");
}

#[test]
fn budgets_that_nobody_has_change_nothing() {
    for plan in (0..50).map(Plan::random) {
        compare::<LargeBudgeted>(&plan);
    }
}

#[test]
fn the_same_plan_gives_the_same_run() {
    for seed in 0..50 {
        let plan = Plan::random(seed);
        let (mut first, mut second) = (Bench::<Large>::new(&plan), Bench::<Large>::new(&plan));
        first.raise(Event::Start);
        second.raise(Event::Start);
        while first.step(400) && second.step(400) {
            assert_eq!(first.rig.kernel.state, second.rig.kernel.state, "seed {seed}");
            assert_eq!(first.rig.kernel.machine.log, second.rig.kernel.machine.log, "seed {seed}");
        }
    }
}
