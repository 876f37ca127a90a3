//! The environment of the simulation: the wire with its host, and the tank.

use std::collections::VecDeque;
use std::fmt::{self, Write as _};

use beryl_abi::Line;
use beryl_abi::environment::Channel;
use beryl_sim::{Environment, Nanoseconds};

use crate::host::{Asked, Host};
use crate::queue::Frame;
use crate::tank::Tank;
use crate::traffic::Traffic;

const LEVEL: u32 = 0;
const VALVE: u32 = 1;
/// What the system receives, and what it sends: how many bytes, in two of them, and a frame.
const RECEIVED: u32 = 2;
const SENT: u32 = 3;
/// The line of [interrupt.frame].
const FRAME: Line = Line(13);

/// Frames for which the device has room; more are lost.
const ROOM: usize = 32;
/// Behind a flood, and before the end, nobody expects an answer for so long, in nanoseconds.
const SETTLING: u64 = 100_000_000;
const MICROSECOND: u64 = 1000;

/// Something that happens again and again.
#[derive(Clone, Copy, Debug)]
struct Regular {
    next: u64,
    every: u64,
    end: u64,
}

impl Regular {
    fn new([from, every, to]: [u32; 3]) -> Regular {
        let [next, every, end] = [from, every, to].map(|time| u64::from(time) * MICROSECOND);
        Regular { next, every, end }
    }

    fn next(&self) -> Option<u64> {
        (self.next < self.end).then_some(self.next)
    }
}

/// The wire, and the tank.
pub struct Surroundings {
    tank: Tank,
    host: Host,
    /// Pings, datagrams, and frames that nobody asked for.
    regular: [Regular; 3],
    flood: std::ops::Range<u64>,
    /// Frames in the device, with the instants at which they came.
    waiting: VecDeque<(u64, Frame)>,
    /// How many came, and how many of them were lost.
    frames: u32,
    lost: u32,
    wrong: Vec<String>,
}

impl Surroundings {
    /// With that traffic.
    #[must_use]
    pub fn new(seed: u64, traffic: Traffic) -> Surroundings {
        let always = |first, every| Regular::new([first, every, u32::MAX]);
        let flood = traffic.flood.map_or([0; 3], |flood| [flood.from, flood.every, flood.to]);
        let flood = Regular::new(flood);
        Surroundings {
            tank: Tank::new(seed),
            host: Host::default(),
            regular: [always(5_000, traffic.ping), always(8_000, traffic.datagram), flood],
            flood: flood.next..flood.end,
            waiting: VecDeque::new(),
            frames: 0,
            lost: 0,
            wrong: Vec::new(),
        }
    }

    /// When something happens next, and what.
    fn next(&self) -> Option<(u64, usize)> {
        let all = self.regular.iter().enumerate();
        all.filter_map(|(what, regular)| Some((regular.next()?, what))).min()
    }

    /// Lets everything happen up to an instant.
    fn advance(&mut self, now: u64) {
        while let Some((at, what)) = self.next().filter(|(at, _)| *at <= now) {
            self.regular[what].next += self.regular[what].every;
            match what {
                0 => self.host.ping(at),
                1 => self.host.datagram(at),
                _ => self.comes(at, nobodys()),
            }
            self.given(at);
        }
    }

    /// What the host has given comes to the device.
    fn given(&mut self, now: u64) {
        while let Some(frame) = self.host.give() {
            self.comes(now, frame);
        }
    }

    fn comes(&mut self, now: u64, frame: Frame) {
        self.frames += 1;
        match self.waiting.len() < ROOM {
            true => self.waiting.push_back((now, frame)),
            false => self.lost += 1,
        }
    }

    fn is_quiet(&self, asked: &Asked) -> bool {
        !(self.flood.start..self.flood.end.saturating_add(SETTLING)).contains(&asked.at)
            || self.flood.is_empty()
    }

    /// How many questions were asked, how many of them were answered, and the longest that it took, in microseconds.
    fn said(&self, all: &[Asked], is_quiet: bool) -> Said {
        let asked = all.iter().filter(|asked| self.is_quiet(asked) == is_quiet);
        let took = |asked: &Asked| Some(asked.answered?.saturating_sub(asked.at) / MICROSECOND);
        let (mut said, mut longest) = ([0; 2], 0);
        for asked in asked {
            said[0] += 1;
            if let Some(took) = took(asked) {
                said[1] += 1;
                longest = longest.max(took);
            }
        }
        Said { asked: said[0], answered: said[1], longest }
    }
}

/// What is said of some questions.
struct Said {
    asked: u32,
    answered: u32,
    longest: u64,
}

impl fmt::Display for Said {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{} of {} answered, after {} us at most", self.answered, self.asked, self.longest)
    }
}

impl Environment for Surroundings {
    fn read(&mut self, instant: Nanoseconds, channel: Channel, value: &mut [u8]) {
        let now = instant.count();
        match channel.number() {
            LEVEL => value.copy_from_slice(&self.tank.level(now).to_le_bytes()),
            RECEIVED => {
                self.advance(now);
                value.fill(0);
                let Some((_, frame)) = self.waiting.pop_front() else { return };
                let [low, high] = u16::try_from(frame.len()).unwrap_or(0).to_le_bytes();
                let bytes = [low, high].into_iter().chain(frame);
                value.iter_mut().zip(bytes).for_each(|(place, byte)| *place = byte);
            }
            other => self.wrong.push(format!("channel {other} is read")),
        }
    }

    fn write(&mut self, instant: Nanoseconds, channel: Channel, value: &[u8]) {
        let now = instant.count();
        match (channel.number(), value) {
            (VALVE, _) => self.tank.set(now, value.try_into().map_or(0, i32::from_le_bytes)),
            (SENT, [low, high, bytes @ ..]) => {
                self.advance(now);
                let length = usize::from(u16::from_le_bytes([*low, *high]));
                self.host.take(now, bytes.iter().copied().take(length).collect());
                self.given(now);
            }
            (other, _) => self.wrong.push(format!("channel {other} is written")),
        }
    }

    fn interrupts(&mut self, after: Nanoseconds) -> Option<(Nanoseconds, Line)> {
        let after = after.count();
        self.advance(after);
        let came = self.waiting.iter().map(|(at, _)| *at).find(|at| *at > after);
        let next = self.next().map(|(at, _)| at);
        came.into_iter().chain(next).min().map(|at| (Nanoseconds::new(at), FRAME))
    }

    fn level(&mut self, instant: Nanoseconds, _line: Line) -> Option<bool> {
        self.advance(instant.count());
        Some(!self.waiting.is_empty())
    }

    fn finish(&mut self, instant: Nanoseconds) -> Result<String, String> {
        let expected = instant.count().saturating_sub(SETTLING);
        let mut wrong = [self.wrong.clone(), self.host.wrong.clone()].concat();
        let mut report = String::new();
        for (what, tally) in [("pings", &self.host.pings), ("datagrams", &self.host.datagrams)] {
            let all: Vec<_> = tally.0.iter().filter(|asked| asked.at < expected).copied().collect();
            let [quiet, flooded] = [true, false].map(|is_quiet| self.said(&all, is_quiet));
            if quiet.answered < quiet.asked {
                wrong.push(format!("{what} that nobody answered, and no flood: {quiet}"));
            }
            let _ = writeln!(report, "{what}: {quiet}");
            if flooded.asked > 0 {
                let _ = writeln!(report, "{what} in the flood: {flooded}");
            }
        }
        let [told, received] = self.host.told;
        let _ = write!(
            report,
            "{} frames came, {} of them were lost; the stack has told {told} times, of {received} frames the last time",
            self.frames, self.lost
        );
        match wrong.is_empty() {
            true => Ok(report),
            false => Err(wrong.join("\n")),
        }
    }
}

/// A question to everybody who 10.0.0.99 is, which is nobody (RFC 826).
fn nobodys() -> Frame {
    let asks = [0x02, 0, 0, 0, 0, 0x63];
    let head = [[0xFF; 6], asks].concat();
    let question = [0x08, 0x06, 0, 1, 0x08, 0, 6, 4, 0, 1];
    let mut frame = [&head[..], &question, &asks, &[10, 0, 0, 98], &[0; 6], &[10, 0, 0, 99]].concat();
    // No frame is shorter on a wire.
    frame.resize(60, 0);
    frame
}
