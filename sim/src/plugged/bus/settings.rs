//! What the bus controller of a node is told.

use std::ops::Range;
use std::path::PathBuf;

use crate::plugged::arguments::Arguments;
use crate::simulation::Tick;

/// The node, its board, and the run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Settings {
    /// The number of the node in the schedule; of one with cores, that of each core, by their processors.
    pub(crate) nodes: Vec<usize>,
    /// The file of the memory that board and plugin share, and the address of its first byte; nothing where the emulator is asked.
    pub(crate) memory: Option<(PathBuf, u32)>,
    /// Where the kernel of each records.
    pub(crate) recordings: Vec<Range<u32>>,
    /// The address of the clock's count.
    pub(crate) clock: u32,
    /// A tick of the clock, in nanoseconds.
    pub(crate) tick: u32,
    /// An instruction of any processor takes 2^`speed` nanoseconds.
    pub(crate) speed: u32,
    /// Where the emulator takes orders.
    pub(crate) socket: PathBuf,
    /// The tick at which the run ends.
    pub(crate) end: u64,
    /// Of a thousand frames, how many are lost.
    pub(crate) loss: u32,
    /// Of a thousand frames that aren't, how many arrive corrupt.
    pub(crate) corrupt: u32,
    /// The seed of both.
    pub(crate) seed: u64,
}

impl Settings {
    /// Reads them.
    pub(crate) fn parse(arguments: &[String]) -> Result<Settings, String> {
        let told = Arguments(arguments);
        let [begins, ends] = [told.numbers("recording")?, told.numbers("recorded")?];
        Ok(Settings {
            nodes: told.numbers("nodes")?,
            memory: told.memory()?,
            recordings: begins.into_iter().zip(ends).map(|(begin, end)| begin..end).collect(),
            clock: told.address("clock")?,
            tick: told.address("tick")?,
            speed: told.address("speed")?,
            socket: PathBuf::from(told.value("socket")?),
            end: told.number("end")?,
            loss: told.address("loss")?,
            corrupt: told.address("corrupt")?,
            seed: told.number("seed")?,
        })
    }

    /// A tick.
    pub(crate) fn tick(&self) -> Tick {
        Tick::of_nanoseconds(self.tick)
    }

    /// Whether the controller has to know of accesses to an address that isn't a link's.
    pub(crate) fn is_about(&self, address: u32) -> bool {
        address == self.clock || self.recorder_at(address).is_some()
    }

    /// The processor whose kernel records at an address.
    pub(crate) fn recorder_at(&self, address: u32) -> Option<usize> {
        self.recordings.iter().position(|recording| recording.contains(&address))
    }

    /// Whether a node, or a core, is this machine's.
    pub(crate) fn has(&self, node: usize) -> bool {
        self.nodes.contains(&node)
    }
}
