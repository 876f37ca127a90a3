//! The environment: what sonars and wheels give, who asks for the map, and what comes over the line.

use std::convert::Infallible;
use std::path::Path;

use beryl_abi::environment::Channel;
use beryl_sim::{Environment, Nanoseconds};

use crate::noise::normal;
use crate::{Map, Room, course};

// The channels of `app/src/drivers.rs`.
const SONARS: u32 = 6;
const WHEELS: u32 = 8;
const ASKED: u32 = 8;
const SHOWN: u32 = 9;
const LINE: u32 = 10;
/// Where the sonars look, degrees to the left.
const DIRECTIONS: [f64; 6] = [90.0, 54.0, 18.0, -18.0, -54.0, -90.0];
/// What a sonar hears, mm.
const HEARS: std::ops::RangeInclusive<f64> = 200.0..=3000.0;
/// By how much a sonar is wrong, and a wheel; the deviation, mm.
const WRONG_RANGE: f64 = 10.0;
const WRONG_WAY: f64 = 0.3;
/// When somebody asks for the map, s.
const ASKS: [f64; 2] = [10.0, 42.0];

/// A drive through the room; the folder makes no difference.
///
/// # Errors
/// None.
pub fn environment(seed: u64, _folder: &Path) -> Result<Drive, Infallible> {
    Ok(Drive::new(seed, Room::USUAL))
}

/// A drive of the robot.
#[derive(Clone, Debug)]
pub struct Drive {
    seed: u64,
    room: Room,
    /// The maps that came, the last one maybe in part.
    maps: Vec<Map>,
    wrong: Option<String>,
}

impl Drive {
    /// A drive through this room, with noise drawn from `seed`.
    pub fn new(seed: u64, room: Room) -> Drive {
        Drive { seed, room, maps: Vec::new(), wrong: None }
    }

    /// What a sonar says, in whole mm: how far it is to the next wall where it looks; 0 if that is too near or too far.
    fn echo(&self, sonar: usize, instant: Nanoseconds) -> i32 {
        let seconds = seconds(instant);
        let (place, heading) = course::pose(seconds);
        let range = self.room.range(place, heading + DIRECTIONS[sonar].to_radians(), seconds);
        let heard = range + WRONG_RANGE * normal(self.seed, sonar as u32, instant.count());
        if HEARS.contains(&heard) { libm::round(heard) as i32 } else { 0 }
    }

    fn value(&self, channel: u32, instant: Nanoseconds) -> Option<i32> {
        let number = channel as usize;
        match channel {
            0..SONARS => Some(self.echo(number, instant)),
            SONARS..WHEELS => {
                let wrong = WRONG_WAY * normal(self.seed, channel, instant.count());
                Some(course::counter(number - SONARS as usize, seconds(instant), wrong))
            }
            ASKED => Some(ASKS.iter().map(|asks| i32::from(*asks <= seconds(instant))).sum()),
            _ => None,
        }
    }

    /// A block has come over the line: the first one is that of another map.
    fn block(&mut self, packet: &[u8]) {
        if packet.first() == Some(&1) {
            self.maps.push(Map::default());
        }
        let taken = match self.maps.last_mut() {
            Some(map) => map.take(packet),
            None => Err("a map began in its middle".into()),
        };
        if let Err(reason) = taken {
            self.wrong.get_or_insert(reason);
        }
    }

    fn misused(&mut self, what: &str, channel: Channel) {
        self.wrong.get_or_insert(format!("{what} of channel {} that isn't there", channel.number()));
    }
}

impl Environment for Drive {
    fn read(&mut self, instant: Nanoseconds, channel: Channel, value: &mut [u8]) {
        match (self.value(channel.number(), instant), value.len()) {
            (Some(number), 4) => value.copy_from_slice(&number.to_le_bytes()),
            _ => self.misused("a read", channel),
        }
    }

    fn write(&mut self, _instant: Nanoseconds, channel: Channel, value: &[u8]) {
        match (channel.number(), value.len()) {
            (SHOWN, 8) => {}
            (LINE, 130) => self.block(value),
            _ => self.misused("a write", channel),
        }
    }

    fn finish(&mut self, _instant: Nanoseconds) -> Result<String, String> {
        if let Some(wrong) = self.wrong.take() {
            return Err(wrong);
        }
        let maps = self.maps.iter().filter(|map| map.is_whole());
        // The box is there while the first map is sent. Whoever asks for the second one gets the room.
        let Some((number, map)) = maps.enumerate().last() else { return Ok("no whole map was sent".into()) };
        let verdict = map.compare(&self.room);
        let report = format!("{}\nmap {}: {verdict}", map.text(), number + 1);
        if number == 0 || verdict.is_the_room() { Ok(report) } else { Err(report) }
    }
}

fn seconds(instant: Nanoseconds) -> f64 {
    instant.count() as f64 / 1e9
}
