//! Where the robot is: of what its two wheels have turned.

use beryl_user::math::{cosf, sinf};

/// Between the wheels, mm.
const AXLE: f32 = 400.0;

/// A place (mm) and a heading (rad), counted from where the robot began: ahead, to the left, turned to the left.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pose {
    /// Ahead and to the left, mm.
    pub place: [f32; 2],
    /// Turned to the left, rad.
    pub heading: f32,
}

impl Pose {
    /// After the wheels have turned so far, mm: along an arc, of which the chord is taken in the middle's direction.
    pub fn after(self, [left, right]: [f32; 2]) -> Pose {
        let (way, turned) = ((left + right) / 2.0, (right - left) / AXLE);
        let middle = self.heading + turned / 2.0;
        let [x, y] = self.place;
        Pose { place: [x + way * cosf(middle), y + way * sinf(middle)], heading: self.heading + turned }
    }

    /// What is so far away in a direction, counted from the heading to the left.
    pub fn seen(&self, direction: f32, range: f32) -> [f32; 2] {
        let angle = self.heading + direction;
        let [x, y] = self.place;
        [x + range * cosf(angle), y + range * sinf(angle)]
    }
}
