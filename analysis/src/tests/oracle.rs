//! Other people's analyses as an oracle: the crate `response-time-analysis`, after mechanised proofs.

use beryl_testing::SplitMix64 as Random;

use response_time_analysis::arrival::Sporadic;
use response_time_analysis::demand::RBF;
use response_time_analysis::time::{Duration, Service};
use response_time_analysis::wcet::Scalar;
use response_time_analysis::{edf as their_edf, fixed_priority as their_fixed};

use super::*;
use crate::demand::{Demand, Load, Stream};
use crate::proof::analyse;

const LIMIT: u64 = 10_000;

type Bound = RBF<Sporadic, Scalar>;

fn bound(stream: &Stream) -> Bound {
    let arrivals = Sporadic::new_zero_jitter(Duration::from(stream.period.get()));
    RBF::new(arrivals, Scalar::new(Service::from(stream.cost.get())))
}

/// All members of the list but one.
fn others(band: &[Demand], index: usize) -> impl Iterator<Item = &Demand> {
    band.iter().enumerate().filter(move |&(other, _)| other != index).map(|(_, task)| task)
}

/// Their answer for a task of a fixed band; all work above the band simply counts as interference.
fn their_fixed_response(band: &[Demand], index: usize, above: &[Stream]) -> u64 {
    let task = &band[index];
    let as_urgent = others(band, index).filter(|other| other.priority >= task.priority);
    let interference: Vec<_> = above.iter().chain(as_urgent.map(|other| &other.stream)).map(bound).collect();
    let limit = Duration::from(LIMIT);
    their_fixed::fully_preemptive::dedicated_uniproc_rta(&bound(&task.stream), &interference, limit)
        .unwrap()
        .into()
}

/// Their answer for a task of a dynamic band alone on the processor.
fn their_dynamic_response(band: &[Demand], index: usize) -> u64 {
    use their_edf::fully_preemptive::{Task, dedicated_uniproc_rta};
    let deadline = |task: &Demand| Duration::from(task.deadline.get());
    let bounds: Vec<_> = others(band, index).map(|other| (bound(&other.stream), deadline(other))).collect();
    let interference: Vec<_> =
        bounds.iter().map(|(rbf, deadline)| Task { rbf, deadline: *deadline }).collect();
    let task = Task { rbf: &bound(&band[index].stream), deadline: deadline(&band[index]) };
    dedicated_uniproc_rta(&task, &interference, Duration::from(LIMIT)).unwrap().into()
}

/// The lowest band's demand, the work above it, and our answers, if the system fits the processor at all.
fn ours(system: &System) -> Option<(Vec<Demand>, Vec<Stream>, Vec<Ticks>)> {
    let load = Load::of(system).unwrap();
    let lowest = system.bands.len() - 1;
    let fits = !load.utilisation().unwrap().exceeds_one();
    let analysis = || analyse(&load, lowest, system.bands[lowest].policy).unwrap();
    fits.then(|| (load.bands[lowest].clone(), load.above(lowest), analysis().responses))
}

#[test]
fn fixed_bands_have_their_response_times() {
    let mut compared = 0;
    for seed in 0..400 {
        let mut system = random_systems::system_with_offsets_and_costs(&mut Random(seed), 8);
        let lowest = system.bands.len() - 1;
        system.bands[lowest].policy = Policy::Fixed;
        let Some((band, above, responses)) = ours(&system) else { continue };
        for (index, response) in
            responses.iter().enumerate().filter(|&(index, _)| responses[index] <= band[index].deadline)
        {
            assert_eq!(response.get(), their_fixed_response(&band, index, &above), "seed {seed}: {system:?}");
            compared += 1;
        }
    }
    assert!(compared > 50, "{compared} compared");
}

#[test]
fn dynamic_bands_have_their_response_times() {
    let mut compared = 0;
    for seed in 0..400 {
        let mut random = Random(seed);
        let system = dynamic(
            random_systems::band_of(&mut random, Policy::Dynamic)
                .tasks
                .into_iter()
                .chain(random_systems::band_of(&mut random, Policy::Dynamic).tasks)
                .collect(),
        );
        let Some((band, _, responses)) = ours(&system) else { continue };
        for (index, response) in responses.iter().enumerate() {
            assert_eq!(response.get(), their_dynamic_response(&band, index), "seed {seed}: {system:?}");
            compared += 1;
        }
    }
    assert!(compared > 200, "{compared} compared");
}
