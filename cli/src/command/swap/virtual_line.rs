//! The line to a simulated system: in step with its virtual time, so that a run is a function of its inputs.
//!
//! The simulation asks on its standard output and waits for the answer; see `sim/src/piped.rs` for the
//! questions.

use std::collections::VecDeque;
use std::io::{self, Read, Write};

use super::session::{News, Session};

/// Stands for "no instant".
const NEVER: u64 = u64::MAX;

/// Runs a session with a simulation until it is over, at `baud` bits a second. `tell` gets the news with
/// their instants.
pub fn speak(
    session: &mut Session,
    baud: u32,
    questions: &mut impl Read,
    answers: &mut impl Write,
    mut tell: impl FnMut(u64, &News),
) -> io::Result<()> {
    let mut line = Line { outgoing: VecDeque::new(), byte: byte_time(baud), free: 0, arriving: 0, now: 0 };
    loop {
        let mut question = [0; 10];
        questions.read_exact(&mut question)?;
        let [a, b, c, d, e, f, g, h, kind, byte] = question;
        match kind {
            0 => {
                let (instant, byte) = line.next(session);
                let mut answer = [byte; 9];
                answer[..8].copy_from_slice(&instant.to_le_bytes());
                answers.write_all(&answer)?;
                answers.flush()?;
            }
            1 => {
                line.now = u64::from_le_bytes([a, b, c, d, e, f, g, h]);
                session.hear(byte, line.now);
            }
            2 => line.arrived(session),
            _ => return Ok(()),
        }
        session.news().iter().for_each(|news| tell(line.now, news));
    }
}

/// The time of a byte with ten bits, in nanoseconds.
fn byte_time(baud: u32) -> u64 {
    10_000_000_000_u64.div_ceil(u64::from(baud.max(1)))
}

/// The direction towards the board.
struct Line {
    /// The bytes in transit after the first byte of a frame.
    outgoing: VecDeque<u8>,
    /// The time of a byte, in nanoseconds.
    byte: u64,
    /// When the line is free again.
    free: u64,
    /// The arrival of the next byte, as last announced.
    arriving: u64,
    now: u64,
}

impl Line {
    /// When the next byte arrives, and which. Every frame begins with a zero. The session is asked for the
    /// frame only once that zero has arrived: only then is it certain that nothing was received meanwhile.
    fn next(&mut self, session: &Session) -> (u64, u8) {
        let begin = match self.outgoing.is_empty() {
            false => Some(self.free),
            true => session.due().map(|due| due.max(self.free).max(self.now)),
        };
        self.arriving = begin.map_or(NEVER, |begin| begin.saturating_add(self.byte));
        (self.arriving, self.outgoing.front().copied().unwrap_or_default())
    }

    fn arrived(&mut self, session: &mut Session) {
        (self.free, self.now) = (self.arriving, self.arriving);
        if self.outgoing.pop_front().is_none() {
            let frame = session.say(self.now);
            self.outgoing.extend(frame.iter().flat_map(|frame| frame.as_ref().iter().skip(1)));
        }
    }
}
