//! Partitions: their views beside the exact supply of their windows, and beside a plain run, tick by tick.

use beryl_testing::{Draw, SplitMix64 as Random};

use crate::model::{Band, Policy, System, Task};
use crate::partitions::{Frame, Partition};
use crate::servers::table::Table;
use crate::sporadic::Sporadic;
use crate::ticks::Ticks;
use crate::{Failure, Utilisation, Whose, prove};

pub(super) fn task(number: usize, period: u64, worst: u64, priority: u32) -> Task {
    Task {
        name: format!("task {number}"),
        period: Ticks::new(period),
        deadline: Ticks::new(period),
        worst: Ticks::new(worst),
        priority,
        ..Task::default()
    }
}

fn band(name: &str, tasks: Vec<Task>) -> Band {
    Band { name: name.to_owned(), policy: Policy::Fixed, tasks }
}

/// Whose each band is; `None` for the background's.
pub(super) fn framed(
    bands: Vec<(Option<usize>, Vec<Task>)>,
    length: u64,
    windows: &[(u64, u64, usize)],
) -> System {
    let count = windows.iter().map(|(.., whose)| whose + 1).max().unwrap_or(0);
    let of = |whose: usize| {
        let own = bands.iter().enumerate().filter(|(_, (of, _))| *of == Some(whose));
        let positions: Vec<usize> = own.map(|(band, _)| band).collect();
        let first = positions.first().copied().unwrap_or(bands.len());
        Partition { name: format!("partition {whose}"), first, bands: positions, locks: Vec::new() }
    };
    let frame = Frame {
        length: Ticks::new(length),
        windows: windows
            .iter()
            .map(|(from, lasts, whose)| (Ticks::new(*from), Ticks::new(*lasts), *whose))
            .collect(),
        partitions: (0..count).map(of).collect(),
    };
    let bands = bands.into_iter().map(|(_, tasks)| band("band", tasks)).collect();
    System { bands, frame: Some(frame), ..System::default() }
}

/// The response of each task, by band.
pub(super) fn responses(system: &System) -> Result<Vec<Vec<u64>>, Failure> {
    let proof = prove(system)?;
    Ok(proof.bands.iter().map(|band| band.tasks.iter().map(|task| task.response.get()).collect()).collect())
}

#[test]
fn a_view_is_as_exact_as_the_supply_of_one_window() {
    let mut proved = 0;
    for seed in 0..300 {
        let mut random = Random(seed);
        let length = random.within(6, 20);
        let from = random.within(0, length - 3);
        let lasts = random.within(1, length - from);
        let tasks: Vec<Task> = (0..2)
            .map(|number| task(number, length * random.within(1, 4), random.within(1, 4), 9 - number as u32))
            .collect();
        let plain: Vec<Sporadic> =
            tasks.iter().map(|task| Sporadic::implicit(task.period, task.worst)).collect();
        let table = Table::new(Ticks::new(length), &[(Ticks::new(from), Ticks::new(lasts))]).unwrap();
        let exact = table.responses(&plain).unwrap();
        match responses(&framed(vec![(Some(0), tasks)], length, &[(from, lasts, 0)])) {
            Ok(found) => {
                let exact: Vec<u64> = exact.iter().map(|response| response.unwrap().get()).collect();
                assert_eq!(found, [exact], "seed {seed}");
                proved += 1;
            }
            Err(_) => assert!(exact.iter().any(Option::is_none), "seed {seed}"),
        }
    }
    assert!((60..240).contains(&proved), "{proved} proved");
}

#[test]
fn what_others_do_in_their_windows_changes_nothing() {
    let bound = |worst: u64, above: u64| {
        let bands = vec![
            (None, vec![task(0, 20, above, 0)]),
            (Some(0), vec![task(1, 100, worst, 0)]),
            (Some(1), vec![task(2, 20, 3, 0)]),
            (None, vec![task(3, 100, 2, 0)]),
        ];
        responses(&framed(bands, 20, &[(0, 8, 0), (10, 8, 1)]))
    };
    // The right one's: a gap of 12, the background's tick, and its own 3. The last band: both windows, the tick, and its own 2.
    assert_eq!(bound(5, 1).unwrap()[2..], [vec![16], vec![19]]);
    assert_eq!(bound(30, 1).unwrap()[2..], bound(5, 1).unwrap()[2..]);
    assert_ne!(bound(5, 2).unwrap()[2..], bound(5, 1).unwrap()[2..], "the background is above");
    // More than its windows have: it is late alone, and by its own name.
    let share = |ticks: u64| Utilisation::new(Ticks::new(ticks), Ticks::new(100));
    let whose = Whose::Partition("partition 0".to_owned());
    assert_eq!(bound(41, 1), Err(Failure::Crowded { whose, asked: share(46), left: share(40) }));
    assert!(
        matches!(bound(36, 1), Err(Failure::Crowded { .. })),
        "the background's share is asked for there, too"
    );
    assert!(bound(35, 1).is_ok());
}

/// Releases by chance, at least a period apart; answers each task's longest response.
fn run(system: &System, frame: &Frame, of_band: &[Option<usize>], random: &mut Random) -> Vec<Vec<u64>> {
    let shape = || system.bands.iter().map(|band| vec![0; band.tasks.len()]).collect::<Vec<Vec<u64>>>();
    let (mut longest, mut next) = (shape(), shape());
    next.iter_mut().flatten().for_each(|next| *next = random.within(0, 30));
    // Of each task: when its jobs came, and what is left of the first.
    let mut jobs: Vec<Vec<Vec<(u64, u64)>>> =
        system.bands.iter().map(|band| vec![Vec::new(); band.tasks.len()]).collect();
    for tick in 0..600 {
        for (band, row) in system.bands.iter().enumerate() {
            for (number, task) in row.tasks.iter().enumerate() {
                if next[band][number] != tick {
                    continue;
                }
                jobs[band][number].push((tick, task.worst.get()));
                let late = if random.below(3) == 0 { random.within(0, 5) } else { 0 };
                next[band][number] = tick + task.period.get() + late;
            }
        }
        let at = tick % frame.length.get();
        let open = frame
            .windows
            .iter()
            .find(|(from, lasts, _)| (from.get()..from.get() + lasts.get()).contains(&at));
        let open = open.map(|(.., whose)| *whose);
        let counts = |band: usize| of_band[band].is_none() || of_band[band] == open;
        let ready = (0..jobs.len()).filter(|band| counts(*band)).find_map(|band| {
            let tasks = (0..jobs[band].len()).filter(|task| !jobs[band][*task].is_empty());
            Some((band, tasks.max_by_key(|task| system.bands[band].tasks[*task].priority)?))
        });
        if let Some((band, number)) = ready {
            let (came, left) = &mut jobs[band][number][0];
            *left -= 1;
            if *left == 0 {
                longest[band][number] = longest[band][number].max(tick + 1 - *came);
                jobs[band][number].remove(0);
            }
        }
    }
    longest
}

#[test]
fn no_job_takes_longer_than_its_bound_whatever_the_windows_are() {
    let (mut proved, mut reached) = (0, 0);
    for seed in 0..400 {
        let mut random = Random(seed);
        let length = random.within(12, 24);
        let mut windows = Vec::new();
        let mut at = random.within(0, 3);
        while at + 3 < length {
            let lasts = random.within(2, 7).min(length - at);
            windows.push((at, lasts, random.below(2)));
            at += lasts + random.within(0, 3);
        }
        windows.extend((!windows.iter().any(|(.., whose)| *whose == 1)).then_some((length, 1, 1)));
        let length = length + 1;
        let all = [None, Some(0), Some(1), Some(0), None];
        let of_band: Vec<Option<usize>> = all.into_iter().filter(|_| random.below(5) > 0).collect();
        let mut number = 0;
        let mut bands = Vec::new();
        for of in &of_band {
            let tasks = (0..random.within(1, 2)).map(|priority| {
                number += 1;
                task(number, random.within(30, 90), random.within(1, 4), priority as u32)
            });
            bands.push((*of, tasks.collect()));
        }
        let system = framed(bands, length, &windows);
        let Ok(bounds) = responses(&system) else { continue };
        proved += 1;
        let frame = system.frame.clone().unwrap();
        for _ in 0..4 {
            let longest = run(&system, &frame, &of_band, &mut random);
            for (found, bound) in longest.iter().flatten().zip(bounds.iter().flatten()) {
                assert!(found <= bound, "seed {seed}: {found} beyond {bound}, {system:?}");
                reached += usize::from(found == bound);
            }
        }
    }
    assert!(proved > 100 && reached > 100, "{proved} proved, {reached} bounds reached");
}
