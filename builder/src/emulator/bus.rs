//! The bus between emulated nodes: carries each frame from the one that sends it to those that read it, one after the
//! other as the schedule has them.
//!
//! Each node is at the other end of a line, where its bus controller speaks (`sim/src/plugged/bus.rs`). A frame has its
//! number and the time at which its slot begins, and both have to be those that are due: so nodes can't get out of step
//! unseen. Nothing here depends on how fast anybody is.
//!
//! What hits a frame on its way, its sender's controller does to it. The bus gives it to all as it is, and sees by its
//! checksum what they will see.

use std::fmt;
use std::io::{self, ErrorKind, Read, Write};
use std::os::unix::net::UnixStream;
use std::sync::{Mutex, PoisonError};

use beryl_abi::frame::{Fate, Head, LOST};

use crate::crossing::{Frame, Link, Schedule};

/// The bus of a run.
pub(super) struct Bus<'a> {
    pub(super) schedule: &'a Schedule,
    pub(super) links: &'a [Link],
    /// For each node or core, the number of its machine, which has the line.
    pub(super) machines: &'a [usize],
    /// Whom it waits for.
    pub(super) awaited: &'a Awaited,
}

/// What has gone over it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Frames that were sent.
    pub sent: u64,
    /// Of those, how many were lost.
    pub lost: u64,
    /// Of those that weren't, how many had another checksum than their bytes have.
    pub corrupt: u64,
    /// What has become of each frame of the schedule, as [`Fate`] tells it.
    pub fates: String,
}

impl Tally {
    fn note(&mut self, fate: Fate) {
        self.sent += u64::from(fate != Fate::Unsent);
        self.lost += u64::from(fate == Fate::Lost);
        self.corrupt += u64::from(fate == Fate::Corrupt);
        self.fates.push(fate.letter());
    }
}

impl fmt::Display for Tally {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(to, "{} frames, {} lost, {} corrupt", self.sent, self.lost, self.corrupt)
    }
}

/// Which node the bus waits for.
#[derive(Debug, Default)]
pub(super) struct Awaited(Mutex<Option<Waiting>>);

/// A node that is waited for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Waiting {
    /// The node's machine.
    pub(super) machine: usize,
    /// What it has to do.
    pub(super) due: Due,
    /// The frame's number.
    pub(super) frame: u64,
    /// When its slot begins, in nanoseconds.
    pub(super) start: u64,
}

/// What a node has to do with a frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Due {
    Send,
    Take,
}

impl Awaited {
    fn set(&self, waiting: Option<Waiting>) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = waiting;
    }

    /// Who it is now.
    pub(super) fn now(&self) -> Option<Waiting> {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Bus<'_> {
    /// Carries frames until all nodes that have to do with them have hung up. A frame of one that has doesn't come: it is
    /// as if it were lost.
    ///
    /// # Errors
    /// A frame that isn't due, or a line that is broken otherwise than by its end.
    pub(super) fn carry(&self, lines: Vec<UnixStream>) -> io::Result<Tally> {
        let mut lines: Vec<_> =
            lines.into_iter().map(|stream| Line { stream, speaks: true, listens: true }).collect();
        let mut tally = Tally::default();
        for number in 0_u64.. {
            let Some((start, frame)) = self.slot(number) else { break };
            if !self.goes_on(&lines) {
                break;
            }
            let waiting = |machine, due| Waiting { machine, due, frame: number, start };
            let sender = self.machine(frame.node);
            self.awaited.set(Some(waiting(sender, Due::Send)));
            let carried = match lines.get_mut(sender) {
                Some(line) => line.take(number, start)?,
                None => None,
            };
            tally.note(carried.as_deref().map_or(Fate::Unsent, fate));
            let carried = carried.unwrap_or_else(|| Head { number, start, length: LOST }.encode().to_vec());
            for reader in self.readers(frame) {
                self.awaited.set(Some(waiting(reader, Due::Take)));
                let Some(line) = lines.get_mut(reader) else { continue };
                line.give(&carried)?;
            }
        }
        self.awaited.set(None);
        // What nobody has sent at the end would be behind it.
        tally.fates.truncate(tally.fates.trim_end_matches(Fate::Unsent.letter()).len());
        Ok(tally)
    }

    /// A frame, and when its slot begins.
    fn slot(&self, number: u64) -> Option<(u64, &Frame)> {
        let frames = &self.schedule.frames;
        let count = u64::try_from(frames.len()).ok()?;
        let frame = frames.get(usize::try_from(number.checked_rem(count)?).ok()?)?;
        let begin = (number / count).checked_mul(self.schedule.cycle.get())?;
        Some((begin.checked_add(frame.start.get())?, frame))
    }

    /// The machine of a node or core.
    fn machine(&self, node: usize) -> usize {
        self.machines.get(node).copied().unwrap_or(node)
    }

    /// The machines that read something of a frame, each once. What its sender reads itself, it reads in its memory.
    fn readers(&self, frame: &Frame) -> Vec<usize> {
        let links = frame.links.iter().filter_map(|link| self.links.get(*link));
        let mut readers: Vec<_> = links.flat_map(|link| &link.to).map(|node| self.machine(*node)).collect();
        readers.retain(|machine| *machine != self.machine(frame.node));
        readers.sort_unstable();
        readers.dedup();
        readers
    }

    /// Whether some frame still has somebody who sends or reads it.
    fn goes_on(&self, lines: &[Line]) -> bool {
        let has_somebody = |frame: &Frame| {
            lines.get(self.machine(frame.node)).is_some_and(|line| line.speaks)
                || self
                    .readers(frame)
                    .iter()
                    .any(|reader| lines.get(*reader).is_some_and(|line| line.listens))
        };
        self.schedule.frames.iter().any(has_somebody)
    }
}

/// What has become of a frame that was sent.
fn fate(frame: &[u8]) -> Fate {
    let Some((head, body)) = frame.split_first_chunk() else { return Fate::Unsent };
    match body.split_last_chunk() {
        _ if Head::decode(*head).length == LOST => Fate::Lost,
        Some((content, checksum)) if crc32fast::hash(content) == u32::from_le_bytes(*checksum) => Fate::Came,
        _ => Fate::Corrupt,
    }
}

/// A line to a node. One that has hung up has sent all that it will, but not all of it may have been taken.
struct Line {
    stream: UnixStream,
    speaks: bool,
    listens: bool,
}

impl Line {
    /// Takes the frame that is due. Nothing if none comes any more.
    fn take(&mut self, number: u64, start: u64) -> io::Result<Option<Vec<u8>>> {
        if !self.speaks {
            return Ok(None);
        }
        let mut head = [0; Head::BYTES];
        self.speaks = !has_hung_up(self.stream.read_exact(&mut head))?;
        let read = Head::decode(head);
        if self.speaks && (read.number, read.start) != (number, start) {
            let reason = format!(
                "frame {} of {} ns came where frame {number} of {start} ns was due",
                read.number, read.start
            );
            return Err(io::Error::new(ErrorKind::InvalidData, reason));
        }
        let mut frame = head.to_vec();
        frame.resize(Head::BYTES + usize::try_from(read.behind()).unwrap_or_default(), 0);
        self.speaks = self.speaks && !has_hung_up(self.stream.read_exact(&mut frame[Head::BYTES..]))?;
        Ok(Some(frame).filter(|_| self.speaks))
    }

    /// Gives a frame to whoever is at the other end.
    fn give(&mut self, frame: &[u8]) -> io::Result<()> {
        self.listens = self.listens && !has_hung_up(self.stream.write_all(frame))?;
        Ok(())
    }
}

/// Whether a line has ended.
fn has_hung_up(done: io::Result<()>) -> io::Result<bool> {
    let ends = [ErrorKind::UnexpectedEof, ErrorKind::BrokenPipe, ErrorKind::ConnectionReset];
    match done {
        Ok(()) => Ok(false),
        Err(reason) if ends.contains(&reason.kind()) => Ok(true),
        Err(reason) => Err(reason),
    }
}

#[cfg(test)]
mod tests;
