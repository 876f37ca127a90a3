//! The tasks by themselves: the course, the vote, and who goes wrong.

use formation::{course_impl, fly_impl, navigate_impl, stray_impl, vote_impl};

/// The course at the end of each job.
fn course(jobs: usize) -> Vec<[f32; 4]> {
    let (mut job, mut wanted) = (0, [0.0; 4]);
    let one = |_| {
        course_impl(&mut job, &mut wanted);
        wanted
    };
    (0..jobs).map(one).collect()
}

#[test]
fn the_course_hovers_climbs_goes_forward_and_hovers() {
    let course = course(1000);
    let at = |seconds: f32| course[(seconds * 50.0) as usize - 1];
    assert_eq!(at(0.5), [0.0; 4]);
    let [x, z, x_speed, z_speed] = at(1.7);
    assert!(x == 0.0 && x_speed == 0.0 && 0.4 < z && z < 0.6 && z_speed > 0.7, "{:?}", at(1.7));
    assert_eq!(at(3.0), [0.0, 1.0, 0.0, 0.0]);
    let [x, z, x_speed, z_speed] = at(6.5);
    assert!((x - 1.5).abs() < 0.001 && z == 1.0 && x_speed > 0.8 && z_speed == 0.0, "{:?}", at(6.5));
    assert_eq!(at(10.0), [3.0, 1.0, 0.0, 0.0]);
    assert_eq!(at(20.0), [3.0, 1.0, 0.0, 0.0]);
}

/// Speeds are what positions do between two jobs.
#[test]
fn the_course_goes_as_fast_as_it_says() {
    for pair in course(600).windows(2) {
        let [before, after] = [pair[0], pair[1]];
        for axis in 0..2 {
            let moved = (after[axis] - before[axis]) / 0.02;
            let said = (after[axis + 2] + before[axis + 2]) / 2.0;
            assert!((moved - said).abs() < 0.002, "{before:?} {after:?}");
        }
    }
}

/// What a vote says, whose place is the leader's own, and without its way in the age of the motion.
fn vote(three: [[f32; 4]; 3]) -> [f32; 4] {
    let mut wanted = [0.0; 4];
    let [first, second, third] = three;
    vote_impl(&first, &second, &third, &[0.0; 2], &mut wanted);
    let [x, z, x_velocity, z_velocity] = wanted;
    [x - 0.02 * x_velocity, z - 0.02 * z_velocity, x_velocity, z_velocity]
}

#[test]
fn two_who_agree_outvote_the_third_whatever_it_says() {
    let right = [1.0, 2.0, 0.0, 0.0];
    let infinite = f32::INFINITY;
    let wrong = [0.0, 1.0, 1.5, 2.0, -7.0, 1e30, infinite, -infinite, f32::NAN, -f32::NAN];
    for wrong in wrong.map(|number| [number; 4]) {
        for three in [[wrong, right, right], [right, wrong, right], [right, right, wrong]] {
            assert_eq!(vote(three).map(f32::to_bits), right.map(f32::to_bits), "{three:?}");
        }
    }
}

/// The plain meaning of the middle: put in order, it is the second.
#[test]
fn of_three_that_differ_it_takes_the_middle_number_by_number() {
    let numbers = [-2.0, -0.5, 0.0, 0.25, 1.0, 3.0, f32::NAN];
    for a in numbers {
        for b in numbers {
            for c in numbers {
                let mut sorted = [a, b, c];
                sorted.sort_by(f32::total_cmp);
                let middle = vote([[a, 0.0, 0.0, 0.0], [b, 0.0, 0.0, 0.0], [c, 0.0, 0.0, 0.0]])[0];
                assert_eq!(middle.to_bits(), sorted[1].to_bits(), "{a} {b} {c}");
            }
        }
    }
    let three = [[1.0, 30.0, 0.0, 0.0], [2.0, 10.0, 0.0, 0.0], [3.0, 20.0, 0.0, 0.0]];
    assert_eq!(vote(three), [2.0, 20.0, 0.0, 0.0]);
}

#[test]
fn the_place_is_beside_where_the_leader_will_be() {
    let mut wanted = [0.0; 4];
    let leader = [1.0, 2.0, 0.5, -0.25];
    vote_impl(&leader, &leader, &leader, &[-2.0, 0.5], &mut wanted);
    assert_eq!(wanted, [1.0 + 0.02 * 0.5 - 2.0, 2.0 - 0.02 * 0.25 + 0.5, 0.5, -0.25]);
}

#[test]
fn who_is_where_it_shall_be_carries_its_weight_only() {
    let motion = [3.0, -1.0, 0.5, 0.25];
    let (mut offset, mut turning, mut command) = ([0.0; 2], [0.0; 2], [0.0; 2]);
    fly_impl(&motion, &0.0, &motion, &mut offset, &mut turning, &mut command);
    assert_eq!((offset, turning, command), ([0.0; 2], [0.0; 2], [9.81, 0.0]));
    // Too low and behind: more thrust, and the disc forward.
    fly_impl(&motion, &0.0, &[3.2, -0.8, 0.5, 0.25], &mut offset, &mut turning, &mut command);
    assert!(command[0] > 10.0 && command[1] > 0.01, "{command:?}");
}

/// Right for 2 s, then further and further off, and no number from 6 s on.
#[test]
fn who_goes_wrong_is_right_at_first() {
    let (fix, pitch, told) = ([0.1, -0.2], 0.01, [9.9, 0.02]);
    let (mut right, mut strayed, mut job) = ([0.0; 4], [0.0; 4], 0);
    for number in 1..=1000 {
        let (mut expected, mut motion) = ([0.0; 4], [0.0; 4]);
        navigate_impl(&fix, &pitch, &told, &mut right, &mut expected);
        stray_impl(&fix, &pitch, &told, &mut strayed, &mut job, &mut motion);
        match number {
            ..=200 => assert_eq!(motion, expected, "{number}"),
            201..600 => {
                let off = 0.02 * (number - 200) as f32;
                assert!((motion[0] - expected[0] - off).abs() < 0.001, "{number}: {motion:?}");
            }
            _ => assert!(motion.iter().all(|part| part.is_nan()), "{number}: {motion:?}"),
        }
    }
}
