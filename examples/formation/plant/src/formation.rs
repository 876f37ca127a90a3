//! The formation: three plants, and how far the followers are from their places beside the leader.

use core::fmt;
use core::time::Duration;
use helicopter_plant::{Gusts, Noise, Plant, State};

/// How far from its place a follower may be, m.
pub const ENVELOPE: f64 = 1.0;

/// One of the three.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Helicopter {
    /// The one in front.
    Leader,
    /// The one at its left.
    Left,
    /// The one at its right.
    Right,
}

impl Helicopter {
    /// All of them.
    pub const ALL: [Helicopter; 3] = [Helicopter::Leader, Helicopter::Left, Helicopter::Right];

    /// Its place beside the leader, forward and up; m.
    pub const fn place(self) -> [f32; 2] {
        match self {
            Helicopter::Leader => [0.0, 0.0],
            Helicopter::Left => [-2.0, 0.5],
            Helicopter::Right => [-2.0, -0.5],
        }
    }

    /// How much earlier than the leader it meets a gust, s: these come from behind and from the left.
    const fn ahead(self) -> f64 {
        match self {
            Helicopter::Leader => 0.0,
            Helicopter::Left => 0.6,
            Helicopter::Right => 0.3,
        }
    }
}

impl fmt::Display for Helicopter {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(match self {
            Helicopter::Leader => "the leader",
            Helicopter::Left => "the left one",
            Helicopter::Right => "the right one",
        })
    }
}

/// A follower that has left its place.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Departure {
    /// The end of the first step after which it was outside the envelope.
    pub instant: Duration,
    /// Which one.
    pub who: Helicopter,
    /// How far it was from its place, m.
    pub distance: f64,
}

impl fmt::Display for Departure {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            out,
            "formation was lost after {:.3} s: {} was {:.3} m from its place, where {ENVELOPE:.1} m is the bound",
            self.instant.as_secs_f64(),
            self.who,
            self.distance
        )
    }
}

/// Three helicopters that start at rest in formation. The origin is where the leader starts.
#[derive(Clone, Debug)]
pub struct Formation {
    plants: [Plant; 3],
    /// Steps of 1 ms that all of them have made.
    steps: u64,
    worst: [f64; 3],
    departure: Option<Departure>,
}

impl Formation {
    /// A formation in these gusts, whose sensors have the usual noise, drawn from `seed`.
    pub fn new(seed: u64, gusts: &Gusts) -> Formation {
        Formation::with_noise(seed, gusts, Noise::USUAL)
    }

    /// A formation whose sensors have this noise, drawn from `seed`.
    pub fn with_noise(seed: u64, gusts: &Gusts, noise: Noise) -> Formation {
        let plant = |who: Helicopter| {
            let own = seed.wrapping_mul(3).wrapping_add(who as u64);
            Plant::with_noise(own, gusts.earlier(who.ahead()), noise)
        };
        Formation { plants: Helicopter::ALL.map(plant), steps: 0, worst: [0.0; 3], departure: None }
    }

    /// Flies on until `instant`, counted from the start, in whole steps of 1 ms; an instant in the past changes
    /// nothing.
    pub fn advance_to(&mut self, instant: Duration) {
        while Duration::from_millis(self.steps + 1) <= instant {
            self.steps += 1;
            let end = Duration::from_millis(self.steps);
            self.plants.iter_mut().for_each(|plant| plant.advance_to(end));
            Helicopter::ALL.iter().for_each(|who| self.record(*who, end));
        }
    }

    /// A noisy position fix, forward and up of the leader's start; m.
    pub fn fix(&self, who: Helicopter) -> [f32; 2] {
        let [forward, up] = self.plants[who as usize].fix();
        let [x, z] = who.place();
        [x + forward, z + up]
    }

    /// The noisy pitch: rad, nose down is positive.
    pub fn attitude(&self, who: Helicopter) -> f32 {
        self.plants[who as usize].attitude()
    }

    /// Commands a rotor, from now on: thrust by mass in m/s², tilt of its disc in rad.
    pub fn command(&mut self, who: Helicopter, command: [f32; 2]) {
        self.plants[who as usize].command(command);
    }

    /// How one of them moves; its position is counted from its own start.
    pub fn state(&self, who: Helicopter) -> State {
        self.plants[who as usize].state()
    }

    /// The largest distance from its place so far, seen at every step; m.
    pub fn worst(&self, who: Helicopter) -> f64 {
        self.worst[who as usize]
    }

    /// The first step that ended with a follower outside the envelope, if one did.
    pub fn departure(&self) -> Option<Departure> {
        self.departure
    }

    /// All start in their places: who has gone the same way as the leader is where it should be.
    fn record(&mut self, who: Helicopter, instant: Duration) {
        let [leader, own] = [Helicopter::Leader, who].map(|one| self.state(one));
        let [forward, up] = [own.x - leader.x, own.z - leader.z];
        let distance = (forward * forward + up * up).sqrt();
        let worst = &mut self.worst[who as usize];
        *worst = worst.max(distance);
        // What is no number isn't within any bound.
        let is_near = distance <= ENVELOPE;
        if !is_near && self.departure.is_none() {
            self.departure = Some(Departure { instant, who, distance });
        }
    }
}
