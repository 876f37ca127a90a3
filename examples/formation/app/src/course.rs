//! The leader's course: it hovers, climbs, flies forward and hovers again.

/// Logical execution time, which is also the time between two jobs; s.
const STEP: f32 = 0.02;

/// The climb.
const CLIMB: Leg = Leg { start: 0.5, length: 2.5, distance: 1.0 };
/// The way forward.
const FORWARD: Leg = Leg { start: 3.0, length: 7.0, distance: 3.0 };
/// The job at the end of all legs: the course doesn't change any more.
const LAST: i32 = 500;

/// A way from rest to rest: when it begins and how long it takes (s), how far it goes (m).
struct Leg {
    start: f32,
    length: f32,
    distance: f32,
}

impl Leg {
    /// Distance (m) and speed (m/s) at a time: the way with the least jerk.
    fn at(&self, time: f32) -> [f32; 2] {
        let part = (time - self.start) / self.length;
        if part <= 0.0 {
            return [0.0, 0.0];
        }
        if part >= 1.0 {
            return [self.distance, 0.0];
        }
        let way = part * part * part * (10.0 - part * (15.0 - 6.0 * part));
        let rest = 1.0 - part;
        let pace = 30.0 * part * part * rest * rest;
        [self.distance * way, self.distance / self.length * pace]
    }
}

/// Computes where the leader shall be (m, m/s: forward and up of each) at the end of this job's logical execution
/// time. `job` counts jobs.
pub fn course_impl(job: &mut i32, wanted: &mut [f32; 4]) {
    if *job < LAST {
        *job += 1;
    }
    let time = STEP * *job as f32;
    let [forward, forward_speed] = FORWARD.at(time);
    let [up, up_speed] = CLIMB.at(time);
    *wanted = [forward, up, forward_speed, up_speed];
}
