//! Proofs against runs: an accepted system never misses, and never exceeds its printed figures.

use beryl_builder::Project;
use beryl_builder::assembly::{Policy, Role, Stretch, Thread, Trigger, Use};
use beryl_kernel::Rule;

use crate::further::{DOZING, LIMITED, PROMISED};
use crate::summary::{Broken, Summary};
use crate::supplied::SPENDING;
use crate::trial::{Promise, project, promised, runs, see};
use crate::written::{Kind, draw};

/// Draws this many systems from a seed on, proves each, and runs the accepted ones.
pub fn held(from: u64, count: u64) -> anyhow::Result<Summary> {
    let mut summary = Summary::default();
    for seed in from..from.saturating_add(count) {
        one(seed, &mut summary)?;
    }
    Ok(summary)
}

/// The same for the system of one seed.
pub fn one(seed: u64, summary: &mut Summary) -> anyhow::Result<()> {
    summary.systems += 1;
    let Ok(project) = project(&draw(seed, Kind::Any)) else {
        summary.unfit += 1;
        return Ok(());
    };
    let classes = classes(&project);
    classes.iter().for_each(|name| summary.class(name).drawn += 1);
    let Ok(promises) = promised(&project) else {
        summary.refused += 1;
        return Ok(());
    };
    summary.accepted += 1;
    let mut tightest = 0;
    for (number, run) in (0..).zip(runs(&project, seed)) {
        let seen = see(&project, run)?;
        summary.runs += 1;
        summary.jobs += seen.jobs;
        tightest = seen.tightest(&promises).max(tightest);
        let said = match seen.broken(&promises) {
            Some((promise, response)) => Some(words(&project, promise, response)),
            None if seen.faults > 0 => Some(format!("{} faults", seen.faults)),
            None if seen.late > 0 && promises.len() == jobs(&project) => Some(format!("{} late", seen.late)),
            None => None,
        };
        summary.broken.extend(said.map(|said| Broken { seed, run: number, said }));
    }
    summary.tightest = summary.tightest.max((tightest, seed));
    for name in classes {
        let class = summary.class(name);
        class.accepted += 1;
        class.tightest = class.tightest.max(tightest);
    }
    Ok(())
}

/// How many threads have jobs or budgets that a proof can cover.
fn jobs(project: &Project) -> usize {
    let is_counted = |thread: &&Thread| thread.has_jobs() || thread.enforced_budget().is_some();
    project.assembly.threads.iter().filter(is_counted).count()
}

fn words(project: &Project, promise: &Promise, response: u64) -> String {
    let name = &project.assembly.threads[promise.thread].name;
    let seen = if response == u64::MAX { "a job that isn't done".to_owned() } else { response.to_string() };
    format!("`{name}`: {} ticks are promised by {:?}, seen: {seen}", promise.response, promise.method)
}

/// Whether a partition with a band of jobs has more than one window, apart from each other.
fn has_several_windows(project: &Project) -> bool {
    let frame = &project.assembly.frame;
    let end = |window: &Stretch| window.from.ticks() + window.lasts.ticks();
    let is_split = |number: usize| {
        let own: Vec<&Stretch> = frame.of_partition(number).collect();
        own.windows(2).any(|pair| matches!(pair, [one, next] if end(one) < next.from.ticks()))
    };
    let jobs = project.assembly.threads.iter().filter(|thread| thread.has_jobs());
    jobs.filter_map(|thread| project.assembly.partition_of(thread)).any(is_split)
}

/// The features of a system.
fn classes(project: &Project) -> Vec<&'static str> {
    let assembly = &project.assembly;
    let role = |is: fn(&Role) -> bool| assembly.threads.iter().any(|thread| is(&thread.role));
    let sporadic = |is: fn(u64) -> bool| {
        let mut rows = assembly.threads.iter();
        rows.any(|thread| matches!(thread.role, Role::Free { sporadic: Some(times), .. } if is(times.jitter.ticks())))
    };
    let used = |dynamic: bool| {
        let mut rows = assembly.threads.iter().filter(|thread| thread.role.is_applications());
        rows.any(|thread| matches!(assembly.bands[thread.band].policy, Policy::Dynamic { .. }) == dynamic)
    };
    let uses = |is: fn(&Use) -> bool| assembly.threads.iter().any(|thread| thread.uses.iter().any(is));
    let released = |is: fn(&Trigger) -> bool| assembly.asynchronous.iter().any(|row| is(&row.trigger));
    let served = |name: &str| {
        let mut rows = assembly.threads.iter().filter(|thread| thread.enforced_budget().is_some());
        rows.any(|thread| thread.name.starts_with(name))
    };
    let by_rule = |rule: Rule| {
        let mut budgets = assembly.threads.iter().filter_map(Thread::enforced_budget);
        budgets.any(|budget| budget.rule == rule)
    };
    let nested = |is: fn(&Thread) -> bool| {
        let mut inside = assembly.threads.iter().filter(|thread| assembly.partition_of(thread).is_some());
        inside.any(is)
    };
    let costs = &project.description.costs;
    let own = [costs.release, costs.completion, costs.switch, costs.instant, costs.driver, costs.alarm];
    let all = [
        ("a dynamic band", used(true)),
        ("jobs in a fixed band", used(false)),
        ("periodic threads", role(|role| matches!(role, Role::Periodic(_)))),
        ("offsets", role(|role| matches!(role, Role::Periodic(times) if times.offset.ticks() > 0))),
        (
            "releases that are made up for",
            role(|role| matches!(role, Role::Periodic(times) if times.catch_up > 0)),
        ),
        ("interrupts", sporadic(|_| true)),
        ("interrupts with jitter", sporadic(|jitter| jitter > 0)),
        ("modules", !assembly.modules.is_empty()),
        ("modes", assembly.modules.iter().any(|module| module.modes.len() > 1)),
        ("native drivers", assembly.processes.iter().any(|process| process.driver_thread.is_some())),
        ("ceiling locks", !assembly.objects.locks.is_empty()),
        ("semaphores", !assembly.objects.semaphores.is_empty()),
        ("a server", !assembly.objects.endpoints.is_empty()),
        ("a busy thread below", assembly.threads.iter().any(|thread| thread.name == "busy")),
        ("costs of the description", own.iter().any(Option::is_some)),
        ("threads that others wake", uses(|used| matches!(used, Use::Await(_) | Use::Receive(_)))),
        ("threads that sleep", assembly.threads.iter().any(|thread| thread.name.starts_with("sleeping"))),
        ("values that are read by calls", uses(|used| matches!(used, Use::ReadSlow(_)))),
        ("mailboxes", !assembly.objects.mailboxes.is_empty()),
        ("a band by S code", assembly.bands_by_code().next().is_some()),
        ("tasks that interrupts release", released(|trigger| matches!(trigger, Trigger::Interrupt(_)))),
        ("tasks that go on from one to the next", assembly.asynchronous.len() > 1),
        ("tasks that changes release", released(|trigger| matches!(trigger, Trigger::Change(_)))),
        ("a slot that is filled", !assembly.objects.slots.is_empty()),
        ("waits with a limit", assembly.threads.iter().any(|thread| thread.name.contains(LIMITED))),
        (
            "waits that come back with a semaphore",
            assembly.threads.iter().any(|thread| thread.name.contains(PROMISED)),
        ),
        ("threads below that doze", assembly.threads.iter().any(|thread| thread.name.starts_with(DOZING))),
        ("conditions", !assembly.objects.conditions.is_empty()),
        ("threads with a budget that never stop", served(SPENDING)),
        ("threads with a budget that doze", served(DOZING)),
        ("threads with a sporadic budget", by_rule(Rule::Sporadic)),
        ("threads with a polling budget", by_rule(Rule::Polling)),
        ("threads with constant bandwidth", by_rule(Rule::ConstantBandwidth)),
        ("jobs that share a budget", assembly.threads.iter().any(Thread::is_member)),
        ("partitions", assembly.has_partitions()),
        ("partitions with several windows", has_several_windows(project)),
        ("partitions with locks", assembly.has_partitions() && !assembly.objects.locks.is_empty()),
        (
            "partitions with budgets of threads",
            nested(|thread| thread.enforced_budget().is_some_and(|own| own.pool.is_none())),
        ),
        ("partitions with jobs that share a budget", nested(Thread::is_member)),
        ("a trace buffer", assembly.objects.trace.is_some()),
    ];
    all.into_iter().filter(|(_, is)| *is).map(|(name, _)| name).collect()
}
