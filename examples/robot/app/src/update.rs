//! Enters what was heard into the map, at the place where the robot was then.

use crate::pose::Pose;
use crate::send::BLOCKS;
use crate::waiting::{self, Ranges};
use crate::{grid, last, length::Length};

/// What an echo comes from at most, mm.
pub const FARTHEST: i32 = 3_000;
/// What it comes from at least, mm.
const NEAREST: i32 = 200;
/// How far the robot looks through what it shall forget, mm.
const FORGETS: i32 = 1_500;
/// What is so near to a wall stays, mm.
const MARGIN: i32 = 150;
/// From scan to scan, and from one look at the wheels to the next, ms.
const SCAN: i32 = 500;
const LOOK: i32 = 1_200;
/// Counts of a wheel in a mm.
const COUNTS: f32 = 10.0;
/// Where the sonars look, counted from ahead to the left, rad: 90, 54 and 18 degrees to either side.
const DIRECTIONS: [f32; 6] =
    [1.570_796_4, 0.942_477_8, 0.314_159_27, -0.314_159_27, -0.942_477_8, -1.570_796_4];

/// What the wheels had turned at two looks, and where the robot was at the first of them.
struct Drive<'a> {
    ways: &'a mut [i32; 4],
    reads: &'a mut [i32; 2],
    pose: &'a mut [f32; 3],
}

/// One job: a scan came in, and scans whose place is known go into the map.
#[expect(clippy::too_many_arguments, reason = "these are the task's ports")]
pub fn update_impl(
    r1: &i32,
    r2: &i32,
    r3: &i32,
    r4: &i32,
    r5: &i32,
    r6: &i32,
    left: &[i32; 2],
    right: &[i32; 2],
    forgotten: &i32,
    asked: &i32,
    seen: &mut [i32; 4],
    ways: &mut [i32; 4],
    reads: &mut [i32; 2],
    pose: &mut [f32; 3],
    map: &mut [i32; 2],
    block: &mut i32,
) {
    let length = Length::long();
    let [jobs, forgot, answered, must_forget] = seen;
    if *jobs > 0 {
        waiting::put((*jobs - 1).wrapping_mul(SCAN), [*r1, *r2, *r3, *r4, *r5, *r6]);
    }
    let mut drive = Drive { ways, reads, pose };
    drive.look(left, right);
    if *forgotten != *forgot {
        (*forgot, *must_forget) = (*forgotten, 1);
    }
    // bound: no more scans than can wait
    while let Some((instant, ranges)) = waiting::take_until(drive.reads[0]) {
        let pose = drive.at(instant);
        if core::mem::take(must_forget) != 0 {
            forget_ahead(&pose, &ranges);
        }
        enter(&pose, &ranges);
    }
    *map = grid::sum();
    *block = match *block {
        sent if (1..BLOCKS).contains(&sent) => sent + 1,
        _ if *asked != *answered => {
            *answered = *asked;
            grid::keep();
            1
        }
        _ => 0,
    };
    *jobs = jobs.wrapping_add(1);
    length.pass();
}

impl Drive<'_> {
    /// Takes over what the wheels have turned, if that is news. The odometers are looked at together.
    fn look(&mut self, [looks, left]: &[i32; 2], [_, right]: &[i32; 2]) {
        let now = looks.wrapping_sub(1).wrapping_mul(LOOK);
        if *looks == 0 || (*looks > 1 && now == self.reads[0]) {
            return;
        }
        let Pose { place: [x, y], heading } = self.at(self.reads[0]);
        *self.pose = [x, y, heading];
        *self.ways = [*left, *right, self.ways[0], self.ways[1]];
        *self.reads = [now, self.reads[0]];
    }

    /// Where the robot was at an instant between the two looks: wheels turn evenly from one to the other.
    fn at(&self, instant: i32) -> Pose {
        let [x, y, heading] = *self.pose;
        let ([last, before], [left, right, left_before, right_before]) = (*self.reads, *self.ways);
        let part = if last > before { (instant - before) as f32 / (last - before) as f32 } else { 0.0 };
        let turned = [left.wrapping_sub(left_before), right.wrapping_sub(right_before)];
        Pose { place: [x, y], heading }.after(turned.map(|counts| part * counts as f32 / COUNTS))
    }
}

/// Raises the cells in which something was heard; for each, the oldest reading is taken back.
fn enter(pose: &Pose, ranges: &Ranges) {
    for (range, direction) in ranges.iter().zip(DIRECTIONS) {
        let is_echo = (NEAREST..=FARTHEST).contains(range);
        let cell = if is_echo { grid::cell_of(pose.seen(direction, *range as f32)) } else { None };
        cell.into_iter().for_each(grid::raise);
        last::replace(cell).into_iter().for_each(grid::lower);
    }
}

/// Lowers all cells ahead, between the two sonars that look there, as far as both look through.
fn forget_ahead(pose: &Pose, ranges: &Ranges) {
    let far = |sonar: usize| if ranges[sonar] < NEAREST { FORGETS } else { ranges[sonar] - MARGIN };
    let far = far(2).min(far(3)).min(FORGETS);
    if far <= 0 {
        return;
    }
    let [x, y] = pose.place.map(|number| number as i32);
    // Both directions as vectors of some length: on which side of them a cell is, is a matter of whole numbers.
    let [[left_x, left_y], [right_x, right_y]] = [DIRECTIONS[2], DIRECTIONS[3]].map(|direction| {
        let [end_x, end_y] = pose.seen(direction, 1_000.0);
        [end_x as i32 - x, end_y as i32 - y]
    });
    for cell in 0..grid::SIDE * grid::SIDE {
        let [middle_x, middle_y] = grid::middle_of(cell);
        let (to_x, to_y) = (middle_x - x, middle_y - y);
        let is_left_of_right = right_x * to_y - right_y * to_x >= 0;
        let is_right_of_left = left_x * to_y - left_y * to_x <= 0;
        if is_left_of_right && is_right_of_left && to_x * to_x + to_y * to_y <= far * far {
            grid::lower(cell);
        }
    }
}
