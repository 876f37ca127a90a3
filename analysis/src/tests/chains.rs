//! Chains: examples by hand, and random chains compared with every run, tick by tick.

use beryl_testing::{Draw, SplitMix64 as Random};

use super::plain_chains;
use super::plain_runs;
use super::*;
use crate::chain::state_graph::{End, Runs};
use crate::chain::{self, Chain, Class, Found, Jobs, Longest, Mode, Module, Switch, Times, Updates};
use crate::rhythm::Rhythm;

fn found(chain: &Chain) -> Found {
    chain::times(chain).unwrap_or_else(|failure| panic!("{failure}: {chain:?}"))
}

fn within(latency: u64, age: u64) -> Times {
    Times { latency: Longest::Within(ticks(latency)), age: Longest::Within(ticks(age)) }
}

/// Jobs of a stage, one after the other.
fn jobs(stage: usize, period: u64, every: u64) -> Jobs {
    let starts = (0..period / every).map(|number| number * every);
    Jobs {
        stage,
        carries: true,
        at_once: false,
        windows: starts.map(|start| (ticks(start), ticks(start + every))).collect(),
    }
}

fn updates(every: u64) -> Option<Updates> {
    Some(Updates { come: Rhythm::Every(ticks(every)), carries: true })
}

fn switch(every: u64, target: usize) -> Switch {
    Switch { tested: Rhythm::Every(ticks(every)), always: false, target }
}

/// The helicopter's chain from its position to its rotor, in milliseconds.
fn helicopter() -> Chain {
    let jobs = vec![jobs(0, 20, 10), jobs(1, 20, 20)];
    let mode = Mode { period: ticks(20), jobs, updates: updates(20), ..Mode::default() };
    Chain { places: vec![0, 0, 0], modules: vec![Module { modes: vec![mode], start: 0 }] }
}

#[test]
fn the_helicopters_times_are_those_by_hand() {
    // A sample at 10 is published at 20, read there, published at 40 and flown at 40: its age is 30. The one
    // at 0 is published at 10 and overwritten at 20, before anything reads it. So a change just after 10 is
    // first seen by the sample at 30, which is flown at 60: after 50.
    let Found { switching, staying, combinations, class } = found(&helicopter());
    assert_eq!((switching, staying, class), (within(50, 30), Some(within(50, 30)), Class::Exact));
    assert_eq!(combinations.len(), 1);
}

/// The chain of `examples/relay`, in milliseconds: three rates, the last two stages perhaps at once.
fn relay(at_once: bool) -> Chain {
    let later = |stage, every| Jobs { at_once, ..jobs(stage, 20, every) };
    let jobs = vec![jobs(0, 20, 5), later(1, 10), later(2, 20)];
    let mode = Mode { period: ticks(20), jobs, updates: updates(20), ..Mode::default() };
    Chain { places: vec![0; 4], modules: vec![Module { modes: vec![mode], start: 0 }] }
}

#[test]
fn stages_that_read_at_once_take_the_time_of_the_last_one_alone() {
    // All three work on the sample at 0, flown at 20. What changes just after it is in that at 20, flown at 40.
    assert_eq!(found(&relay(true)).switching, within(40, 20));
    // Else a sample at 5 is read at 10 and at 20, for the update at 40; the next that is read is the one at 25.
    assert_eq!(found(&relay(false)).switching, within(55, 35));
    // A slow stage behind reads the last of three activations, a fast one what the last came to, visible or not.
    let mut chain = relay(true);
    chain.modules[0].modes[0].jobs = vec![jobs(0, 20, 20), Jobs { at_once: true, ..jobs(1, 20, 5) }];
    chain.places.pop();
    chain.modules[0].modes[0].updates = updates(5);
    // A sample at 0 is read up to 15, flown at 5 for the first time and at 20 for the last.
    assert_eq!(found(&chain).switching, within(25, 20));
}

#[test]
fn an_actuator_that_takes_a_sensor_is_fresh_and_late_by_its_distance() {
    let mode = Mode { period: ticks(20), updates: updates(5), ..Mode::default() };
    let chain = Chain { places: vec![0], modules: vec![Module { modes: vec![mode], start: 0 }] };
    assert_eq!(found(&chain).switching, within(5, 0));
}

#[test]
fn a_mode_that_does_nothing_leaves_a_change_waiting() {
    let mut chain = helicopter();
    chain.modules[0].modes[0].switches.push(switch(20, 1));
    chain.modules[0].modes.push(Mode { period: ticks(10), switches: vec![switch(10, 0)], ..Mode::default() });
    let Found { switching, staying, combinations, .. } = found(&chain);
    // The other mode may take any time, even between the sample and its flight.
    assert_eq!(switching, Times { latency: Longest::Unbounded, age: Longest::Unbounded });
    assert_eq!(staying, Some(within(50, 30)), "while it flies");
    assert_eq!(combinations[1].times, Times { latency: Longest::Unbounded, age: Longest::Never });
    // If it must go on at once, it takes one of its periods, and another one for each flight.
    chain.modules[0].modes[1].switches[0].always = true;
    let Found { switching, combinations, .. } = found(&chain);
    assert_eq!(switching, plain_chains::times(&chain));
    assert_eq!(combinations.len(), 1, "nobody stays in the other one");
}

#[test]
fn restarting_a_mode_before_its_update_keeps_it_from_ever_coming() {
    let mode = Mode {
        period: ticks(20),
        jobs: vec![jobs(0, 20, 10)],
        updates: updates(20),
        enters: false,
        switches: vec![switch(10, 0)],
    };
    let chain = Chain { places: vec![0, 0], modules: vec![Module { modes: vec![mode], start: 0 }] };
    let Found { switching, staying, .. } = found(&chain);
    assert_eq!(switching.latency, Longest::Unbounded);
    assert_eq!(switching.age, Longest::Within(ticks(10)), "what arrives has just been made");
    assert_eq!(staying, Some(within(30, 10)));
}

#[test]
fn what_another_source_overwrites_is_lost() {
    let always = |every: u64, target: usize| Switch { always: true, ..switch(every, target) };
    let other = Jobs { carries: false, ..jobs(0, 4, 2) };
    let samples =
        Mode { period: ticks(2), jobs: vec![jobs(0, 2, 2)], switches: vec![always(2, 1)], ..Mode::default() };
    let flies = Mode {
        period: ticks(4),
        jobs: vec![other],
        updates: updates(4),
        switches: vec![always(4, 0)],
        ..Mode::default()
    };
    let mut chain =
        Chain { places: vec![0, 0], modules: vec![Module { modes: vec![samples, flies], start: 0 }] };
    let never = Times { latency: Longest::Unbounded, age: Longest::Never };
    assert_eq!(found(&chain).switching, never, "published at 2, overwritten at 4, flown at 6");
    chain.modules[0].modes[1].updates = updates(1);
    // Sampled at 0, flown at 3; the next sample at 6 is flown at 9.
    assert_eq!(found(&chain).switching, within(9, 3));
}

/// A chain of up to three stages through up to three modules of up to three modes.
fn random_chain(random: &mut Random) -> Chain {
    let count = random.within(1, 3);
    let places: Vec<_> =
        (0..=random.within(0, 3)).map(|_| usize::try_from(random.within(0, count - 1)).unwrap()).collect();
    let modules = (0..count).map(|module| random_module(random, &places, usize::try_from(module).unwrap()));
    let mut modules: Vec<_> = modules.collect();
    for mode in &mut modules[*places.last().unwrap()].modes {
        mode.enters = random.within(0, 3) == 0;
    }
    for mode in modules.iter_mut().flat_map(|module| &mut module.modes) {
        let tested = mode.switches.iter_mut().map(|switch| &mut switch.tested);
        let rhythms: Vec<_> =
            tested.chain(mode.updates.iter_mut().map(|updates| &mut updates.come)).collect();
        rhythms.into_iter().for_each(|rhythm| thin(random, rhythm, mode.period));
    }
    Chain { modules, places }
}

/// Leaves out some of the instants, but not all.
fn thin(random: &mut Random, rhythm: &mut Rhythm, period: Ticks) {
    if random.within(0, 3) == 0 {
        let mut instants = rhythm.instants(period, 100).unwrap();
        let kept = usize::try_from(random.within(0, instants.len() as u64 - 1)).unwrap();
        let kept = instants[kept];
        instants.retain(|at| *at == kept || random.within(0, 1) == 0);
        *rhythm = Rhythm::At(instants);
    }
}

fn random_module(random: &mut Random, places: &[usize], module: usize) -> Module {
    let count = random.within(1, 2);
    let (last, stages) = places.split_last().unwrap();
    let mut modes = Vec::new();
    for _ in 0..count {
        let period: u64 = *random.one_of(&[2, 3, 4, 6]);
        let divisors: Vec<_> = (1..=period).filter(|every| period.is_multiple_of(*every)).collect();
        let mut mode = Mode { period: ticks(period), ..Mode::default() };
        let here = stages.iter().enumerate().filter(|(_, place)| **place == module);
        for (stage, _) in here.filter(|_| random.within(0, 7) > 0).collect::<Vec<_>>() {
            let mut own = jobs(stage, period, *random.one_of(&divisors));
            own.carries = random.within(0, 7) > 0;
            own.at_once = stage > 0 && places[stage - 1] == module && random.within(0, 1) == 0;
            if own.windows.len() > 1 && random.within(0, 3) == 0 {
                own.windows.remove(usize::try_from(random.within(0, 1)).unwrap());
            }
            mode.jobs.push(own);
        }
        if *last == module && random.within(0, 7) > 0 {
            let carries = random.within(0, 7) > 0;
            mode.updates = Some(Updates { carries, ..updates(*random.one_of(&divisors)).unwrap() });
        }
        let is_free = |every: u64| {
            let at = |number: u64| ticks(number * every);
            let inside = |at: Ticks| {
                mode.jobs.iter().flat_map(|jobs| &jobs.windows).any(|(start, end)| *start < at && at < *end)
            };
            (0..period / every).all(|number| !inside(at(number)))
        };
        let free: Vec<_> = divisors.iter().copied().filter(|every| is_free(*every)).collect();
        for _ in 0..random.within(0, 2) {
            let target = usize::try_from(random.within(0, count - 1)).unwrap();
            let always = random.within(0, 5) == 0;
            mode.switches.push(Switch { always, ..switch(*random.one_of(&free), target) });
        }
        modes.push(mode);
    }
    Module { modes, start: 0 }
}

#[test]
fn random_chains_take_what_the_worst_of_all_runs_takes() {
    let (mut bounded, mut several, mut at_once) = (0, 0, 0);
    for seed in 0..600 {
        let chain = random_chain(&mut Random(seed));
        let found = found(&chain);
        assert_eq!(found.class, Class::Exact);
        assert_eq!(found.switching, plain_chains::times(&chain), "seed {seed}: {chain:?}");
        bounded += usize::from(found.switching.is_whole());
        several += usize::from(found.switching.is_whole() && chain.modules.len() > 1);
        at_once += usize::from(found.switching.is_whole() && is_quicker_at_once(chain, &found));
    }
    assert!(
        bounded > 120 && several > 40 && at_once > 20,
        "lopsided: {bounded} bounded, {several} of them of several modules, {at_once} quicker at once"
    );
}

/// Whether a chain takes longer where nobody reads at once.
fn is_quicker_at_once(mut chain: Chain, times: &Found) -> bool {
    let modes = chain.modules.iter_mut().flat_map(|module| &mut module.modes);
    modes.flat_map(|mode| &mut mode.jobs).for_each(|jobs| jobs.at_once = false);
    found(&chain).switching.latency > times.switching.latency
}

#[test]
fn staying_takes_what_runs_without_switches_take() {
    let mut looked_at = 0;
    for seed in 0..600 {
        let chain = random_chain(&mut Random(seed));
        if chain.modules.len() > 1 {
            continue; // with several, a mode may begin at any distance from the others
        }
        for combination in found(&chain).combinations {
            let mode = &chain.modules[0].modes[combination.modes[0]];
            let mode = Mode { switches: Vec::new(), enters: false, ..mode.clone() };
            let alone = Chain { modules: vec![Module { modes: vec![mode], start: 0 }], ..chain.clone() };
            assert_eq!(combination.times, plain_chains::times(&alone), "seed {seed}: {chain:?}");
            looked_at += 1;
        }
    }
    assert!(looked_at > 200, "{looked_at} modes");
}

#[test]
fn parts_alone_are_never_less_than_the_whole() {
    let (mut compared, mut equal) = (0, 0);
    for seed in 0..1500 {
        let chain = random_chain(&mut Random(seed));
        let (whole, parts) = (found(&chain), chain::in_parts(&chain).unwrap());
        let said = format!("seed {seed}: {chain:?}");
        assert!(parts.switching.latency >= whole.switching.latency, "{said}");
        assert!(parts.switching.age >= whole.switching.age, "{said}");
        if let (Some(parts), Some(whole)) = (parts.staying, whole.staying) {
            assert!(parts.latency >= whole.latency && parts.age >= whole.age, "{said}");
        }
        compared += usize::from(parts.switching.is_whole());
        equal += usize::from(parts.switching.is_whole() && parts.switching == whole.switching);
    }
    assert!(compared > 300 && equal > 100 && equal < compared, "{equal} of {compared} equal");
}

/// The graph equals that of the naive search, state by state, even if there is too much to visit.
#[test]
fn runs_are_those_of_the_plainest_search() {
    let (mut random, mut states) = (Random(7), 0);
    for number in 0..2000 {
        let chain = random_chain(&mut random);
        for end in [End::Update, End::Publication] {
            let found = Runs::of(&chain, end).map(|runs| {
                states += runs.states();
                let steps: Vec<_> = (0..runs.states()).map(|state| runs.steps(state).to_vec()).collect();
                (runs.begin, steps)
            });
            assert_eq!(found, plain_runs::runs(&chain, end), "chain {number}: {chain:?}");
        }
    }
    assert!(states > 10_000, "{states}");
}

#[test]
fn what_makes_no_sense_is_refused() {
    let refused = |change: &dyn Fn(&mut Chain)| {
        let mut chain = helicopter();
        change(&mut chain);
        match chain::times(&chain) {
            Err(Failure::Invalid { fault, .. }) => fault,
            other => panic!("{other:?}"),
        }
    };
    assert_eq!(refused(&|chain| chain.places.clear()), Fault::NoSuchModule);
    assert_eq!(refused(&|chain| chain.places.push(1)), Fault::NoSuchModule);
    assert_eq!(refused(&|chain| chain.modules[0].start = 1), Fault::NoSuchMode);
    assert_eq!(refused(&|chain| chain.modules[0].modes[0].jobs[0].at_once = true), Fault::AtOnceFromOutside);
    let mode = |change: &dyn Fn(&mut Mode)| refused(&|chain| change(&mut chain.modules[0].modes[0]));
    assert_eq!(mode(&|mode| mode.period = ticks(0)), Fault::NoPeriod);
    assert_eq!(mode(&|mode| mode.switches.push(switch(20, 1))), Fault::NoSuchMode);
    assert_eq!(mode(&|mode| mode.jobs[0].stage = 2), Fault::WindowOutOfRange);
    assert_eq!(mode(&|mode| mode.jobs[0].windows[0].1 = ticks(11)), Fault::WindowOutOfRange);
}
