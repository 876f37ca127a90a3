//! Modules that switch modes: what is proved never misses, tick by tick, whatever switches are taken; and
//! what holds with all modes at a time is proved.

use beryl_testing::{Draw, SplitMix64 as Random};

use super::*;
use crate::demand::Load;
use crate::modes::{self, Job, Modal, Mode, Module, Switch};
use crate::proof::analyse;
use crate::rhythm::Rhythm;
use crate::sensitivity::{Factor, slower_modal, speed_in_modes};

fn job(task: (usize, usize), start: u64, end: u64) -> Job {
    let (band, task) = task;
    Job { task: TaskIndex { band, task }, start: ticks(start), end: ticks(end) }
}

fn switch(every: u64, target: usize) -> Switch {
    Switch { tested: Rhythm::Every(ticks(every)), target }
}

/// Two tasks in two modes, each of which takes most of the processor.
fn in_turn(policy: Policy) -> Modal {
    let tasks = by_order(vec![task("a", 10, 6), task("b", 10, 7)]);
    let mode = |task, target| Mode {
        period: ticks(10),
        jobs: vec![job((0, task), 0, 10)],
        switches: vec![switch(10, target)],
        ..Mode::default()
    };
    let modules = vec![Module { modes: vec![mode(0, 1), mode(1, 0)] }];
    Modal { system: System { bands: vec![band(policy, tasks)], ..System::default() }, modules }
}

#[test]
fn modes_are_not_counted_at_a_time() {
    for policy in [Policy::Dynamic, Policy::Fixed] {
        let modal = in_turn(policy);
        let proof = modes::prove(&modal).unwrap();
        assert!(prove(&modal.system).is_err(), "13 of 10 at a time");
        let expected = match policy {
            Policy::Dynamic => [7, 7],
            // A window that begins before a switch holds a job of each; but `a` is above `b`.
            Policy::Fixed => [6, 7],
        };
        let found = responses(&proof);
        assert!(found[0] >= expected[0] && found[1] >= expected[1], "{found:?}");
        assert!(proof.total <= Utilisation::new(ticks(8), ticks(10)), "{}", proof.total);
    }
}

#[test]
fn a_window_across_a_switch_holds_work_of_both_modes() {
    // Beneath, a task of another module that meets `a` of one mode and `b` of the next: 4 + 4 + 2 of 10.
    let mut modal = in_turn(Policy::Fixed);
    for (mode, task) in modal.modules[0].modes.iter_mut().zip([0, 1]) {
        mode.period = ticks(5);
        mode.jobs = vec![job((0, task), 0, 5)];
        mode.switches = vec![switch(5, 1 - task)];
    }
    let tasks = by_order(vec![task("a", 5, 4), task("b", 5, 4), task("low", 10, 2)]);
    modal.system.bands[0].tasks = tasks;
    assert_eq!(responses(&modes::prove(&modal).unwrap())[2], 10);
    modal.system.bands[0].tasks[2].deadline = ticks(9);
    assert!(matches!(modes::prove(&modal), Err(Failure::NotProved { task, .. }) if task == "low"));
}

/// One or two modules with three tasks each, and up to two periodic ones; all in one or two bands.
fn random_modal(random: &mut Random) -> Modal {
    let bands = random.within(1, 2);
    let policies = [Policy::Dynamic, Policy::Fixed];
    let new = |_| band(*random.one_of(&policies), Vec::new());
    let mut system = System { bands: (0..bands).map(new).collect(), ..System::default() };
    let mut modules = Vec::new();
    let mut add = |random: &mut Random, name: String, period: u64, most: u64| {
        let index = usize::try_from(random.within(0, bands - 1)).unwrap();
        let priority = u32::try_from(random.within(0, 5)).unwrap();
        let task = Task { priority, ..task(&name, period, random.within(1, most)) };
        system.bands[index].tasks.push(task);
        (index, system.bands[index].tasks.len() - 1)
    };
    for module in 0..random.within(1, 2) {
        let tasks = [0, 1, 2].map(|task| add(random, format!("m{module}t{task}"), 12, 2));
        let count = random.within(1, 3);
        let modes = (0..count).map(|_| random_mode(random, &tasks, count)).collect();
        modules.push(Module { modes });
    }
    for number in 0..random.within(0, 2) {
        let period = *random.one_of(&[6, 8, 12, 15]);
        add(random, format!("p{number}"), period, period / 4);
    }
    let tasks = system.bands.iter_mut().flat_map(|band| &mut band.tasks);
    for task in tasks.filter(|task| task.name.starts_with('p')) {
        task.offset = ticks(random.within(0, task.period.get() - 1));
    }
    Modal { system, modules }
}

fn random_mode(random: &mut Random, tasks: &[(usize, usize)], modes: u64) -> Mode {
    let period = *random.one_of(&[6, 12, 24]);
    let mut mode = Mode { period: ticks(period), ..Mode::default() };
    let mut whole = 1;
    for task in tasks.iter().filter(|_| random.within(0, 1) > 0).collect::<Vec<_>>() {
        let every = *random.one_of(&[period, period / 2, period / 3]);
        whole = whole.max(every);
        mode.jobs.extend((0..period / every).map(|number| job(*task, number * every, (number + 1) * every)));
    }
    let is_free = |every: &u64| {
        let inside = |at: u64| mode.jobs.iter().any(|job| job.start < ticks(at) && ticks(at) < job.end);
        (1..=period / every).all(|number| !inside(number * every))
    };
    let free: Vec<u64> = [period, period / 2, period / 3]
        .into_iter()
        .filter(|every| *every >= whole)
        .filter(is_free)
        .collect();
    for _ in 0..random.within(1, 2) {
        let target = usize::try_from(random.within(0, modes - 1)).unwrap();
        let mut switch = switch(*random.one_of(&free), target);
        // Some are tested at one of their instants only.
        let instants = switch.tested.instants(mode.period, 100).unwrap();
        if instants.len() > 1 && target % 2 == 0 {
            switch.tested = Rhythm::At(vec![instants[mode.jobs.len() % instants.len()]]);
        }
        mode.switches.push(switch);
    }
    mode
}

/// In a time that is finer by `scale`.
fn finer(mut modal: Modal, scale: u64) -> Modal {
    for task in modal.system.bands.iter_mut().flat_map(|band| &mut band.tasks) {
        for time in [&mut task.period, &mut task.offset, &mut task.deadline, &mut task.worst] {
            *time = time.times(scale).unwrap();
        }
    }
    for mode in modal.modules.iter_mut().flat_map(|module| &mut module.modes) {
        mode.period = mode.period.times(scale).unwrap();
        for switch in &mut mode.switches {
            switch.tested = match &switch.tested {
                Rhythm::Every(every) => Rhythm::Every(every.times(scale).unwrap()),
                Rhythm::At(at) => Rhythm::At(at.iter().map(|at| at.times(scale).unwrap()).collect()),
            };
        }
        for job in &mut mode.jobs {
            (job.start, job.end) = (job.start.times(scale).unwrap(), job.end.times(scale).unwrap());
        }
    }
    modal
}

/// Drivers and kernel costs, in a time that is finer by `scale`.
fn with_costs(random: &mut Random, modal: Modal, scale: u64) -> Modal {
    let mut modal = finer(modal, scale);
    for mode in modal.modules.iter_mut().flat_map(|module| &mut module.modes) {
        for job in &mode.jobs {
            mode.begins.push((job.start, ticks(random.within(0, 1))));
            mode.calls.push((job.end, ticks(random.within(0, 1))));
        }
    }
    let costs = &mut modal.system.costs;
    let parts = [&mut costs.release, &mut costs.completion, &mut costs.switch, &mut costs.instant];
    for cost in parts.into_iter().chain([&mut costs.driver, &mut costs.alarm]) {
        *cost = ticks(random.within(0, 1));
    }
    for mode in modal.modules.iter_mut().flat_map(|module| &mut module.modes) {
        mode.enters = ticks(random.within(0, 3) / 3);
    }
    modal
}

/// A job at work.
struct Running {
    task: TaskIndex,
    released: u64,
    deadline: u64,
    left: u64,
}

/// The least that jobs of each task had left in one run and the longest that they took, by band; and the
/// first who misses. One task goes behind all its equals.
fn run(modal: &Modal, random: &mut Random, length: u64) -> (Vec<Vec<(u64, u64)>>, Option<String>) {
    let costs = &modal.system.costs;
    let row = |task: TaskIndex| &modal.system.bands[task.band].tasks[task.task];
    let is_of_module = |task: TaskIndex| {
        modal
            .modules
            .iter()
            .flat_map(|module| &module.modes)
            .flat_map(|mode| &mode.jobs)
            .any(|job| job.task == task)
    };
    let mut at: Vec<(usize, u64)> = modal.modules.iter().map(|_| (0, 0)).collect();
    let mut margins: Vec<Vec<(u64, u64)>> =
        modal.system.bands.iter().map(|band| vec![(u64::MAX, 0); band.tasks.len()]).collect();
    let (mut ready, mut above): (Vec<Running>, u64) = (Vec::new(), 0);
    // It goes behind all its equals.
    let band = usize::try_from(random.within(0, margins.len() as u64 - 1)).unwrap();
    let task = usize::try_from(random.within(0, margins[band].len().max(1) as u64 - 1)).unwrap();
    let last = TaskIndex { band, task };
    let periodic: Vec<(TaskIndex, u64)> = modal
        .system
        .bands
        .iter()
        .enumerate()
        .flat_map(|(band, row)| (0..row.tasks.len()).map(move |task| TaskIndex { band, task }))
        .filter(|task| !is_of_module(*task))
        .map(|task| (task, row(task).offset.get()))
        .collect();
    let entry = costs.alarm.get() + costs.instant.get();
    let whole = |task: TaskIndex| costs.job(row(task)).unwrap().get();
    for now in 0..length {
        let mut release = |task: TaskIndex, deadline: u64, above: &mut u64| {
            *above += costs.release.get();
            ready.push(Running { task, released: now, deadline, left: whole(task) });
        };
        // Of tasks that are released together, the instant is one.
        let is_due = |(task, offset): &&(TaskIndex, u64)| {
            now >= *offset && (now - offset).is_multiple_of(row(*task).period.get())
        };
        above += if periodic.iter().any(|row| is_due(&row)) { entry } else { 0 };
        for (task, _) in periodic.iter().filter(is_due) {
            release(*task, now + row(*task).deadline.get(), &mut above);
        }
        for (module, (mode, since)) in modal.modules.iter().zip(&mut at) {
            let own = &module.modes[*mode];
            let is_at = |(at, _): &&(Ticks, Ticks)| at.get() == *since;
            let calls: u64 = own.calls.iter().filter(is_at).map(|(_, worst)| worst.get()).sum();
            let mut is_instant = calls > 0 || own.jobs.iter().any(|job| job.end.get() == *since);
            above += calls;
            let is_tested = |switch: &&Switch| match &switch.tested {
                Rhythm::Every(every) => *since > 0 && since.is_multiple_of(every.get()),
                Rhythm::At(instants) => instants.contains(&ticks(*since)),
            };
            let due: Vec<_> = own.switches.iter().filter(is_tested).cloned().collect();
            is_instant |= !due.is_empty();
            is_instant |= now == 0 && own.enters > Ticks::ZERO;
            above += if now == 0 { own.enters.get() } else { 0 };
            if let Some(taken) = due.iter().find(|_| random.within(0, 1) == 0) {
                (*mode, *since) = (taken.target, 0);
                above += module.modes[*mode].enters.get();
            } else if *since == own.period.get() {
                *since = 0;
            }
            let own = &module.modes[*mode];
            let begins = own.begins.iter().filter(|(at, _)| at.get() == *since);
            above += begins.map(|(_, worst)| worst.get()).sum::<u64>();
            for job in own.jobs.iter().filter(|job| job.start.get() == *since) {
                is_instant = true;
                release(job.task, now + job.end.get() - job.start.get(), &mut above);
            }
            above += if is_instant { entry } else { 0 };
            *since += 1;
        }
        if let Some(late) = ready.iter().find(|job| job.deadline <= now) {
            return (margins, Some(row(late.task).name.clone()));
        }
        if above > 0 {
            above -= 1;
            continue;
        }
        let urgency = |job: &Running| {
            let key = match modal.system.bands[job.task.band].policy {
                Policy::Dynamic => job.deadline,
                Policy::Fixed => u64::from(u32::MAX - row(job.task).priority),
            };
            (job.task.band, key, job.task == last, job.released)
        };
        let Some(first) = (0..ready.len()).min_by_key(|index| urgency(&ready[*index])) else { continue };
        ready[first].left -= 1;
        if ready[first].left == 0 {
            let job = ready.swap_remove(first);
            let (least, longest) = &mut margins[job.task.band][job.task.task];
            *least = (job.deadline - now - 1).min(*least);
            *longest = (now + 1 - job.released).max(*longest);
        }
    }
    (margins, None)
}

#[test]
fn what_is_proved_never_misses_whatever_switches_are_taken() {
    let (mut proved, mut refused, mut missed, mut reached) = (0, 0, 0, 0);
    for seed in 0..120 {
        let mut random = Random(seed);
        let modal = random_modal(&mut random);
        let modal = if seed % 2 == 0 { modal } else { with_costs(&mut random, modal, 8) };
        let scale = if seed % 2 == 0 { 1 } else { 8 };
        let verdict = modes::prove(&modal);
        let mut ever = false;
        for _ in 0..5 {
            let (found, late) = run(&modal, &mut random, 400 * scale);
            ever |= late.is_some();
            let Ok(proof) = &verdict else { continue };
            assert_eq!(late, None, "seed {seed}: {modal:?}");
            for (band, found) in proof.bands.iter().zip(found) {
                for (task, (found, longest)) in band.tasks.iter().zip(found) {
                    let said =
                        format!("seed {seed}: {} has {found} left, takes {longest}: {modal:?}", task.name);
                    assert!(task.margin.get() <= found && longest <= task.response.get(), "{said}");
                    reached += usize::from(task.margin.get() == found);
                }
            }
        }
        match verdict {
            Ok(_) => proved += 1,
            Err(Failure::NotProved { .. } | Failure::Overload { .. }) => {
                refused += 1;
                missed += usize::from(ever);
            }
            Err(other) => panic!("seed {seed}: {other}"),
        }
    }
    println!("{proved} proved, {refused} refused, of which {missed} missed; {reached} bounds were reached");
    assert!(proved > 25 && refused > 25 && missed * 2 > refused, "{proved} {refused} {missed}");
}

#[test]
fn proofs_are_those_of_the_plainest_way() {
    let (mut proved, mut late, mut overloads) = (0, 0, 0);
    for seed in 0..100 {
        let mut random = Random(seed);
        let modal = random_modal(&mut random);
        let modal = if seed % 4 < 3 { modal } else { with_costs(&mut random, modal, 8) };
        let found = modes::prove(&modal);
        assert_eq!(found, modes::plain::prove(&modal), "seed {seed}: {modal:?}");
        assert_eq!(modes::holds(&modal), Ok(found.is_ok()), "seed {seed}: {modal:?}");
        match found {
            Ok(_) => proved += 1,
            Err(Failure::Overload { .. }) => overloads += 1,
            Err(_) => late += 1,
        }
    }
    println!("{proved} proved, {late} late, {overloads} with more work than time");
    assert!(proved > 25 && late > 0 && overloads > 25, "{proved} {late} {overloads}");
}

#[test]
fn speeds_are_those_of_a_search_over_all_factors() {
    let (mut slower, mut named) = (0, 0);
    for seed in 0..48 {
        let mut random = Random(seed);
        let modal = random_modal(&mut random);
        let modal = if seed % 2 == 0 { finer(modal, 4) } else { with_costs(&mut random, modal, 8) };
        if modes::prove(&modal).is_err() {
            continue;
        }
        let expected = modes::plain::speed(&modal, |factor| slower_modal(&modal, factor));
        let found = speed_in_modes(&modal);
        assert_eq!(found, expected, "seed {seed}: {modal:?}");
        let (factor, first) = found.unwrap();
        slower += usize::from(factor > Factor::ONE);
        named += usize::from(first.is_some());
    }
    println!("{slower} can be slower, {named} name who is late first");
    assert!(slower > 5 && named > 1, "{slower} {named}");
}

/// The system with all modes at a time.
fn union(modal: &Modal) -> System {
    let mut system = modal.system.clone();
    for (index, band) in system.bands.iter_mut().enumerate() {
        for (position, task) in band.tasks.iter_mut().enumerate() {
            let own = TaskIndex { band: index, task: position };
            let jobs = modal.modules.iter().flat_map(|module| &module.modes).flat_map(|mode| &mode.jobs);
            let shortest = jobs.filter(|job| job.task == own).map(|job| job.end.less(job.start)).min();
            if let Some(shortest) = shortest {
                (task.period, task.deadline) = (shortest, shortest);
            }
        }
    }
    system
}

#[test]
fn what_holds_with_all_modes_at_a_time_is_proved_and_no_worse() {
    let (mut both, mut only_modes) = (0, 0);
    for seed in 0..300 {
        let modal = random_modal(&mut Random(seed));
        let system = union(&modal);
        if system.bands.iter().flat_map(|band| &band.tasks).any(|task| task.worst > task.deadline) {
            continue;
        }
        let load = Load::of(&system).unwrap();
        let analyses = || {
            let rows = system.bands.iter().enumerate();
            rows.map(|(index, band)| analyse(&load, index, band.policy).unwrap()).collect::<Vec<_>>()
        };
        let analyses = if load.utilisation().unwrap().exceeds_one() { Vec::new() } else { analyses() };
        let holds = !analyses.is_empty() && analyses.iter().all(|analysis| analysis.holds);
        let proof = modes::prove(&modal);
        assert!(proof.is_ok() || !holds, "seed {seed}: {modal:?}");
        let Ok(proof) = proof else { continue };
        both += usize::from(holds);
        only_modes += usize::from(!holds);
        for ((band, row), analysis) in system.bands.iter().zip(&proof.bands).zip(&analyses) {
            if holds && band.policy == Policy::Fixed {
                for (task, response) in row.tasks.iter().zip(&analysis.responses) {
                    assert!(task.response <= *response, "seed {seed}: {modal:?}");
                }
            }
        }
    }
    println!("{both} hold both ways, {only_modes} by modes only");
    assert!(both > 50 && only_modes > 8, "{both} {only_modes}");
}
