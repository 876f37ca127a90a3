//! The bus controller of an emulated node: a plugin that has the node's links as a time-triggered controller has the
//! memory that it shares with its processor.
//!
//! When a job has published a value, the controller notes it and when that was. A frame that the node sends carries what
//! was there when its slot began; a frame that it reads is put down as soon as it has arrived. The processor does nothing
//! for either, and no virtual time passes, however long the node has to wait for a frame. All it does hangs on the
//! node's own clock and on what frames say, so a run repeats.
//!
//! ```text
//!   image --publishes--> link ----> Coupled --frames--> line to the bus
//!   kernel <----takes--- link <----    ^    <--frames--
//!   recording: what time it is --------+
//! ```
//!
//! The kernel tells what time it is by its records. A node that waits for a frame has sent all of its own before: frames
//! arrive later than they are sent, so no ring of nodes waits for itself.
//!
//! A node with cores has a kernel on each, and one controller. It follows the records of all. Their clock is one, and
//! instructions of all pass by it, one processor at a time; so whoever has read it last knows best what time it is.

mod line;
mod published;
mod settings;
#[cfg(test)]
mod tests;

use std::io::{Read, Write};

use super::clock::Clock;
use super::recording::Recording;
use super::{Access, Broken, Shared};
use crate::bus::{Frame, Link, Schedule};
use crate::corruption::Corruption;
use crate::environment::Nanoseconds;
use crate::losses::Losses;
use beryl_abi::{Instant, link};
use line::{Line, Value};
use published::Published;
pub(crate) use settings::Settings;

/// A node at its bus: its records in `R`, its links in `M`, and the line in `L`.
pub(crate) struct Coupled<R, M, L> {
    settings: Settings,
    schedule: Schedule<'static>,
    records: R,
    memory: M,
    line: Line<L>,
    /// The kernels' recordings, by their processors.
    recordings: Vec<Recording>,
    clock: Clock,
    losses: Losses,
    corruption: Corruption,
    published: Vec<Published>,
    /// How many frames of the bus are over for the node as a sender.
    sent: u64,
    /// The same as a reader.
    received: u64,
}

impl<R: Shared, M: Shared, L: Read + Write> Coupled<R, M, L> {
    pub(crate) fn new(
        settings: Settings,
        schedule: Schedule<'static>,
        records: R,
        memory: M,
        line: L,
    ) -> Coupled<R, M, L> {
        let links = schedule.links.iter().enumerate();
        let own = links.filter(|(_, link)| settings.has(link.from.0));
        let published = own.map(|(number, link)| Published::of(number, link.from.1, link.length)).collect();
        Coupled {
            recordings: settings.recordings.iter().cloned().map(Recording::new).collect(),
            clock: Clock::new(settings.tick, settings.speed),
            losses: Losses::new(settings.loss, settings.seed),
            corruption: Corruption::new(settings.corrupt, settings.seed),
            settings,
            schedule,
            records,
            memory,
            line: Line(line),
            published,
            sent: 0,
            received: 0,
        }
    }

    /// A processor of the node has touched its memory, when the node had carried out `count` instructions.
    pub(crate) fn touched(
        &mut self,
        processor: usize,
        access: Access,
        address: u32,
        count: u64,
    ) -> Result<(), Broken> {
        if address == self.settings.clock {
            self.recordings.get_mut(processor).into_iter().for_each(|own| own.clock_was_read(count));
        } else if let Some(recorder) = self.settings.recorder_at(address) {
            if access == Access::Store {
                if let Some(own) = self.recordings.get_mut(recorder) {
                    own.grew(address, &self.records)?;
                }
                self.pass(count)?;
            }
        } else if access == Access::Store {
            self.publish(address, count)?;
        }
        Ok(())
    }

    /// Whether a node or one of its cores publishes by a store to this address: of the word that names a link's newest entry.
    pub(crate) fn publishes(schedule: &Schedule<'_>, nodes: &[usize], address: u32) -> bool {
        schedule.links.iter().any(|link| link.from.1 == address && nodes.contains(&link.from.0))
    }

    /// Hears what kernels have recorded; the latest instant that one carries out.
    fn hear(&mut self) -> Result<Instant, Broken> {
        let mut logical = Instant::START;
        for recording in &mut self.recordings {
            let heard = recording.heard(&self.records)?;
            self.clock.hear(heard);
            logical = logical.max(heard.logical);
        }
        Ok(logical)
    }

    fn publish(&mut self, address: u32, count: u64) -> Result<(), Broken> {
        self.hear()?;
        let now = self.clock.now(count).unwrap_or_default();
        match self.published.iter_mut().find(|link| link.address == address) {
            Some(link) => link.note(&self.memory, now),
            None => Ok(()),
        }
    }

    /// Some time has passed: what was sent until now is sent, and what has arrived is put down.
    fn pass(&mut self, count: u64) -> Result<(), Broken> {
        let logical = self.hear()?;
        let Some(now) = self.clock.now(count) else { return Ok(()) };
        self.send_before(now)?;
        // An instant is carried out after it has come, whatever is known of the time.
        let logical = self.settings.tick().nanoseconds(logical);
        self.receive_until(now.max(logical))
    }

    /// Sends the frames whose slots have begun before.
    fn send_before(&mut self, now: Nanoseconds) -> Result<(), Broken> {
        while let Some((begin, frame)) = self.schedule.slot(self.sent) {
            let start = begin.saturating_add(frame.start);
            if start >= now.count() {
                break;
            }
            let number = self.sent;
            self.sent += 1;
            // Drawn for frames of others, too: all agree on what becomes of each.
            let hit = if self.losses.takes_next() { None } else { Some(self.corruption.hits_next()) };
            if self.is_from_here(frame) {
                let carried = hit.map(|hit| (self.carried(begin, frame), hit));
                self.line.send(number, start, carried)?;
            }
        }
        Ok(())
    }

    fn is_from_here(&self, frame: Frame<'_>) -> bool {
        self.links(frame).any(|link| self.settings.has(link.from.0))
    }

    fn links<'s>(&'s self, frame: Frame<'s>) -> impl Iterator<Item = &'s Link<'static>> {
        frame.links.iter().filter_map(|number| self.schedule.links.get(*number))
    }

    /// What a frame carries: values that count from its instant on, and that were there when its slot began.
    fn carried(&self, begin: u64, frame: Frame<'_>) -> Vec<Value> {
        let start = Nanoseconds::new(begin.saturating_add(frame.start));
        let counts = begin.saturating_add(frame.counts);
        let stamp = self.settings.tick().instant(Nanoseconds::new(counts));
        let own =
            frame.links.iter().filter_map(|number| self.published.iter().find(|link| link.link == *number));
        let carried = own.filter_map(|link| {
            let bytes = link.at(stamp, start)?.to_vec();
            Some(Value { link: link.link, counts, bytes })
        });
        carried.collect()
    }

    /// Waits for the frames that have arrived until then, and puts them down. A corrupt one leaves everything as it was.
    fn receive_until(&mut self, now: Nanoseconds) -> Result<(), Broken> {
        while let Some((begin, frame)) = self.schedule.slot(self.received) {
            if begin.saturating_add(frame.end) > now.count() {
                break;
            }
            let number = self.received;
            self.received += 1;
            if self.links(frame).any(|link| link.to.iter().any(|(node, _)| self.settings.has(*node))) {
                let start = begin.saturating_add(frame.start);
                for value in self.line.receive(number, start, self.schedule.links)? {
                    self.put_down(&value)?;
                }
            }
        }
        Ok(())
    }

    /// Puts a value down wherever the node reads it.
    fn put_down(&self, value: &Value) -> Result<(), Broken> {
        let Some(Link { length, to, .. }) = self.schedule.links.get(value.link) else { return Ok(()) };
        let stamp = self.settings.tick().instant(Nanoseconds::new(value.counts)).ticks();
        for (_, address) in to.iter().filter(|(node, _)| self.settings.has(*node)) {
            let next = link::after(self.memory.word(*address)?);
            let entry = address.saturating_add(link::stamp(next, *length));
            self.memory.write(entry, &[&stamp.to_le_bytes()[..], &value.bytes].concat())?;
            self.memory.write(*address, &next.to_le_bytes())?;
        }
        Ok(())
    }

    /// The run is over: what its last jobs have computed is sent.
    pub(crate) fn finish(&mut self) -> Result<(), Broken> {
        let end = self.settings.tick().nanoseconds(Instant::from_ticks(self.settings.end));
        self.send_before(end)
    }
}
