//! Records: structs within structs and arrays of them, through getters, tasks, guards and setters, with each
//! bit of their values.

use crate::work;

/// A place. `records.tdl` has the same structs.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Point {
    /// To the right.
    pub x: f32,
    /// Up.
    pub y: f32,
}

/// A part of a route.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Leg {
    /// How fast.
    pub speed: f64,
    /// From where to where.
    pub ends: [Point; 2],
    /// What to look at.
    pub flags: [i8; 8],
}

/// A route and its goal.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Route {
    /// The legs there.
    pub legs: [Leg; 2],
    /// The leg back.
    pub back: Leg,
    /// Where to.
    pub goal: Point,
}

/// Moves both corners, each another way.
pub fn read_corners(corners: &mut [Point; 2]) {
    work(25);
    let [one, other] = corners;
    one.x += 1.25;
    one.y = one.y * 0.5 + one.x / 3.0;
    other.x -= one.y;
    other.y = other.x / one.x;
}

/// Sets a course along the corners; the last leg's ends become the first's.
pub fn chart_impl(corners: &[Point; 2], last: &mut Leg, course: &mut Route) {
    work(630);
    let [from, to] = *corners;
    let leg = Leg {
        speed: f64::from(from.x) / 7.0 + last.speed * 0.75,
        ends: [to, last.ends[0]],
        flags: last.flags.map(|flag| flag.wrapping_mul(3).wrapping_add(1)),
    };
    // Not a number, with bits of its own: it has one representation when others see it.
    let spoilt = f64::from_bits(0x7FF8_0000_0000_1234);
    let back = Leg { speed: if leg.flags[0] < 0 { spoilt } else { -leg.speed }, ..*last };
    *course = Route { legs: [*last, leg], back, goal: Point { x: to.y, y: from.x } };
    *last = leg;
}

/// Takes a route apart and puts it together again, the other way round.
pub fn turn_impl(course: &Route, speed: &f64, legs: &mut [Leg; 3], goal: &mut Point) {
    work(410);
    let [one, other] = course.legs;
    *legs = [course.back, other, Leg { speed: one.speed + *speed, ..one }];
    *goal = Point { x: course.goal.y + legs[2].ends[1].x, y: course.goal.x };
}

/// Whether a route leads to the right.
pub fn is_right(course: &Route, corners: &[Point; 2]) -> bool {
    work(25);
    course.goal.x > corners[1].y && course.legs[1].flags[7] % 2 != 0
}

/// Whether a way back is quick, by fields of its route.
pub fn is_quick(flags: &[i8; 8], height: &f32, speed: &f64) -> bool {
    work(25);
    flags[7] % 3 == 0 || f64::from(*height) > *speed
}

/// Shows a route to nobody but the trace.
pub fn show_route(_course: &Route) {
    work(25);
}

/// Shows three legs to nobody but the trace.
pub fn show_legs(_legs: &[Leg; 3]) {
    work(25);
}

/// Shows a place to nobody but the trace.
pub fn show_point(_point: &Point) {
    work(25);
}
