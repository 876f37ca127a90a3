//! Walls, and a box that is taken away.

use crate::Place;

/// Walls along the axes: least and most forward and to the left of where the robot began, mm.
type Rectangle = [Place; 2];

/// A room with a box in it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Room {
    /// The room's own walls.
    pub walls: Rectangle,
    /// The box's.
    pub obstacle: Rectangle,
    /// When the box is taken away, s.
    pub taken_away: f64,
}

impl Room {
    /// The example's room.
    pub const USUAL: Room = Room {
        walls: [[-1460.0, -780.0], [1440.0, 1590.0]],
        obstacle: [[700.0, 900.0], [900.0, 1100.0]],
        taken_away: 15.0,
    };

    /// How far it is to the next wall from a place in a direction (rad), at an instant in s; mm.
    pub fn range(&self, from: Place, direction: f64, seconds: f64) -> f64 {
        let box_there = (seconds < self.taken_away).then_some(self.obstacle);
        let rectangles = [Some(self.walls), box_there].into_iter().flatten();
        let hits = rectangles.flat_map(sides).filter_map(|side| hit(side, from, direction));
        hits.fold(f64::INFINITY, f64::min)
    }

    /// How far a place is from the next of the room's walls, mm.
    pub fn distance(&self, place: Place) -> f64 {
        let to = |side: Side| {
            let along = place[1 - side.axis].clamp(side.from, side.to);
            libm::hypot(place[side.axis] - side.at, place[1 - side.axis] - along)
        };
        sides(self.walls).map(to).into_iter().fold(f64::INFINITY, f64::min)
    }

    /// Whether a place is in the box, or so near to it; mm.
    pub fn is_at_obstacle(&self, place: Place, near: f64) -> bool {
        let [least, most] = self.obstacle;
        (0..2).all(|axis| (least[axis] - near..=most[axis] + near).contains(&place[axis]))
    }

    /// Places along the walls, each so far from the next; mm.
    pub fn along(&self, step: f64) -> Vec<Place> {
        let places = |side: Side| {
            let count = ((side.to - side.from) / step) as u32;
            (0..=count).map(move |number| {
                let mut place = [side.at; 2];
                place[1 - side.axis] = side.from + step * f64::from(number);
                place
            })
        };
        sides(self.walls).into_iter().flat_map(places).collect()
    }
}

/// A side of a rectangle: across which axis it lies and where, and from where to where along the other.
#[derive(Clone, Copy)]
struct Side {
    axis: usize,
    at: f64,
    from: f64,
    to: f64,
}

fn sides([least, most]: Rectangle) -> [Side; 4] {
    let side = |axis: usize, at: f64| Side { axis, at, from: least[1 - axis], to: most[1 - axis] };
    [side(0, least[0]), side(0, most[0]), side(1, least[1]), side(1, most[1])]
}

/// How far a ray goes until it meets a side, if it does.
fn hit(side: Side, from: Place, direction: f64) -> Option<f64> {
    let towards = [libm::cos(direction), libm::sin(direction)];
    let far = (side.at - from[side.axis]) / towards[side.axis];
    let met = from[1 - side.axis] + far * towards[1 - side.axis];
    (far > 0.0 && (side.from..=side.to).contains(&met)).then_some(far)
}
