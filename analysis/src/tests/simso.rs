//! The simulator SimSo as an oracle: its results for 600 random sets are recorded in `oracle/simso.txt`, by
//! `oracle/record.py`.

use super::*;

const RECORDED: &str = include_str!("../../oracle/simso.txt");

/// Policy, tasks in the order of periods, and the longest responses; `None` if a deadline is missed.
fn sets() -> impl Iterator<Item = (Policy, Vec<Sporadic>, Vec<Option<u64>>)> {
    RECORDED.lines().map(|line| {
        let [policy, tasks, answers] = line.split("; ").collect::<Vec<_>>()[..] else { panic!("{line}") };
        let task = |text: &str| {
            let times: Vec<u64> = text.split(',').map(|time| time.parse().unwrap()).collect();
            Sporadic::implicit(ticks(times[0]), ticks(times[2])).due(ticks(times[1]))
        };
        let policy = if policy == "edf" { Policy::Dynamic } else { Policy::Fixed };
        (
            policy,
            tasks.split(' ').map(task).collect(),
            answers.split(' ').map(|answer| answer.parse().ok()).collect(),
        )
    })
}

#[test]
fn simso_misses_where_the_tests_refuse() {
    let (mut held, mut late) = (0, 0);
    for (policy, tasks, answers) in sets() {
        let in_time = answers.iter().all(Option::is_some);
        let bands: &[usize] = if policy == Policy::Dynamic { &[tasks.len()] } else { &[] };
        assert_eq!(csd::holds(&tasks, bands), Ok(in_time), "{policy:?}: {tasks:?}");
        if !in_time {
            // SimSo cuts late jobs off, this crate doesn't.
        } else if policy == Policy::Fixed {
            // When all are released together, the first jobs take longest.
            let responses = fixed_priority::response_times(&tasks, &[]).unwrap();
            for (response, answer) in responses.iter().zip(&answers) {
                assert!(*answer == Some(response.get()), "{tasks:?}: {answers:?}");
            }
        } else {
            assert_eq!(edf::holds(&tasks), Ok(in_time), "{tasks:?}");
            let responses = edf::response_times(&tasks).unwrap();
            let within = responses
                .iter()
                .zip(&answers)
                .all(|(response, answer)| answer.unwrap_or(0) <= response.get());
            assert!(within, "{tasks:?}: {answers:?} beyond {responses:?}");
        }
        held += u32::from(in_time);
        late += u32::from(!in_time);
    }
    assert!(held > 400 && late > 30, "{held} in time, {late} late");
}
