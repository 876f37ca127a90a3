//! The lift's shaft and its passengers: the environment of the simulation.
//!
//! Whole millimetres and nanoseconds, so that a run gives the same bits on every host. Somebody calls at fixed times; a
//! call is served when the door is open at its floor. The first passenger stands in the doorway for a while.
#![forbid(unsafe_code)]

use std::path::Path;

use beryl_abi::environment::Channel;
use beryl_sim::{Environment, Nanoseconds};

// The channels of `app/src/drivers.rs`.
const POSITION: u32 = 0;
const WANTED: u32 = 1;
const MOTOR: u32 = 2;
const GAP: u32 = 3;
const BEAM: u32 = 4;
const LEAF: u32 = 5;
const BELL: u32 = 6;

const MILLISECOND: u64 = 1_000_000;
/// The gap of the open door, in mm.
const OPEN: i64 = 800;
/// When somebody calls, in ms, and from where, in mm.
const CALLS: [(u64, i32); 3] = [(300, 3000), (9_000, 0), (9_500, 6000)];
/// When something is in the doorway, in ms.
const BLOCKED: std::ops::Range<u64> = 6_400..7_000;

/// What moves, in mm and mm/s.
#[derive(Clone, Debug, Default)]
struct Moving {
    /// In billionths of a millimetre, so that whole nanoseconds at whole speeds are exact.
    place: i64,
    speed: i64,
}

impl Moving {
    /// A nanosecond at a mm/s is a billionth of it.
    const MILLIMETRE: i64 = 1_000_000_000;

    fn advance(&mut self, nanoseconds: u64) {
        let way = self.speed.saturating_mul(i64::try_from(nanoseconds).unwrap_or(i64::MAX));
        self.place = self.place.saturating_add(way);
    }

    fn millimetres(&self) -> i64 {
        self.place.div_euclid(Moving::MILLIMETRE)
    }
}

/// The shaft with cabin, door and passengers.
#[derive(Clone, Debug, Default)]
pub struct Shaft {
    now: u64,
    cabin: Moving,
    door: Moving,
    /// How many calls have been served.
    served: usize,
    rings: bool,
    strokes: u32,
    /// What must never happen, at its first time.
    wrong: Option<String>,
}

/// The shaft; seed and folder make no difference.
///
/// # Errors
/// None.
pub fn environment(_seed: u64, _folder: &Path) -> Result<Shaft, std::convert::Infallible> {
    Ok(Shaft::default())
}

impl Shaft {
    fn advance(&mut self, instant: Nanoseconds) {
        let passed = instant.count().saturating_sub(self.now);
        self.now = instant.count();
        self.cabin.advance(passed);
        self.door.advance(passed);
        let open = OPEN * Moving::MILLIMETRE;
        self.door.place = self.door.place.clamp(0, open);
        if self.cabin.speed != 0 && self.door.millimetres() > 0 {
            let at = self.now / MILLISECOND;
            self.wrong.get_or_insert(format!("the cabin moved with its door open, at {at} ms"));
        }
        if self.door.place == open && self.wanted().is_some() {
            self.served += 1;
        }
    }

    /// The call that waits.
    fn wanted(&self) -> Option<i32> {
        let (at, floor) = *CALLS.get(self.served)?;
        (at * MILLISECOND <= self.now).then_some(floor)
    }

    fn misused(&mut self, access: &str, channel: Channel) {
        let number = channel.number();
        self.wrong.get_or_insert(format!("{access} on channel {number}, where the lift has no such thing"));
    }
}

impl Environment for Shaft {
    fn read(&mut self, instant: Nanoseconds, channel: Channel, value: &mut [u8]) {
        self.advance(instant);
        let whole = |place: i64| i32::try_from(place).unwrap_or(i32::MAX).to_le_bytes();
        match (channel.number(), value.len()) {
            (POSITION, 4) => value.copy_from_slice(&whole(self.cabin.millimetres())),
            (WANTED, 4) => value.copy_from_slice(&self.wanted().unwrap_or(-1).to_le_bytes()),
            (GAP, 4) => value.copy_from_slice(&whole(self.door.millimetres())),
            (BEAM, 1) => value.fill(u8::from(BLOCKED.contains(&(self.now / MILLISECOND)))),
            _ => self.misused("a read", channel),
        }
    }

    fn write(&mut self, instant: Nanoseconds, channel: Channel, value: &[u8]) {
        self.advance(instant);
        match (channel.number(), value) {
            (MOTOR, &[a, b, c, d]) => self.cabin.speed = i32::from_le_bytes([a, b, c, d]).into(),
            (LEAF, &[a, b, c, d]) => self.door.speed = i32::from_le_bytes([a, b, c, d]).into(),
            (BELL, &[on]) => {
                self.strokes += u32::from(on != 0 && !self.rings);
                self.rings = on != 0;
            }
            _ => self.misused("a write", channel),
        }
    }

    fn finish(&mut self, instant: Nanoseconds) -> Result<String, String> {
        self.advance(instant);
        match self.wrong.take() {
            Some(wrong) => Err(wrong),
            None => Ok(format!("{} calls served, {} strokes of the bell", self.served, self.strokes)),
        }
    }
}
