//! Inputs that are fed: each reader has a buffer of its own, and values are copied to it.
//!
//! A reader that is activated while its writer is at work is less urgent, or delayed. If it isn't delayed it can't begin
//! before that job is done, so it may get its input then. Of a writer whose last job is done it gets it at once:
//!
//! ```text
//!            activated, writer at work (1)             writer done (2)
//!   dormant -------------------------------> waiting --------------------> has its input
//!      |                                                                         ^
//!      +-------------------------------------------------------------------------+
//!                  activated, writer not at work, or with a delay (3)
//! ```
//! (1) and (3) `reader_activated`, (2) `writer_completed`.
//!
//! What a reader with a delay gets is what ports have at the ends of logical execution times, if these are as long
//! as the writer's period: the visible value changes at the writer's next activation. So this is the protocol for a
//! kernel that copies ports, where no process reads another one's memory; see decision 0151. As many buffers as
//! with logical execution times: at most one more than with DBP, where all readers are less urgent than the writer.

use super::Graph;
use super::model::Port;

/// The buffer that the writer's jobs write.
const OWN: usize = 0;
/// What readers with a delay get.
const VISIBLE: usize = 1;
/// The first reader's input.
const INPUTS: usize = 2;

/// A writer's buffers: its own, the visible one, and an input for each reader.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fed {
    is_at_work: bool,
    /// Of each reader whether it has a delay, and whether it waits for the writer's job.
    readers: Vec<(bool, bool)>,
}

impl Fed {
    /// A writer's buffers; all have the initial value.
    pub fn new(graph: &Graph, writer: usize) -> Fed {
        let readers = graph.readers(writer).map(|link| (graph.links[link].delayed, false)).collect();
        Fed { is_at_work: false, readers }
    }
}

impl Port for Fed {
    fn buffers(&self) -> usize {
        INPUTS + self.readers.len()
    }

    fn writer_activated(&mut self, values: &mut [u64]) -> Option<()> {
        values[VISIBLE] = values[OWN];
        self.is_at_work = true;
        Some(())
    }

    fn writer_completed(&mut self, values: &mut [u64]) {
        self.is_at_work = false;
        for (reader, (_, waits)) in self.readers.iter_mut().enumerate() {
            if std::mem::take(waits) {
                values[INPUTS + reader] = values[OWN];
            }
        }
    }

    fn reader_activated(&mut self, reader: usize, values: &mut [u64]) {
        let (is_delayed, waits) = &mut self.readers[reader];
        *waits = self.is_at_work && !*is_delayed;
        if !*waits {
            values[INPUTS + reader] = values[if *is_delayed { VISIBLE } else { OWN }];
        }
    }

    fn written(&self) -> usize {
        OWN
    }

    fn read(&self, reader: usize) -> usize {
        INPUTS + reader
    }
}
