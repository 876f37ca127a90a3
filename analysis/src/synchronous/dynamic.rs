//! The dynamic buffering protocol, in constant time: buffers that nobody needs are in a list.
//!
//! A buffer is *used* by being the writer's current one, by being the one before, if a reader with a delay may
//! want that, and by each less urgent reader that holds it. When its last use ends, it goes to the list; a
//! writer's activation takes the first of the list. Each operation is a few loads and stores, whatever the
//! number of buffers: an array has a used buffer's count and a free one's successor in the same place.
//!
//! As printed, a reader's use ends with its job, which needs code at the completion that nothing may come
//! between. Ours may end at the reader's next activation instead ([`Letting::AtNextActivation`]), which is in the
//! kernel's hands anyway. A reader holds at most one buffer either way, so as many are enough.

use super::Graph;
use super::model::Port;

/// When a reader lets go of its buffer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Letting {
    /// When its job is done, as printed.
    AtCompletion,
    /// When it is activated again.
    AtNextActivation,
}

/// How a reader takes part.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Reader {
    delayed: bool,
    /// Whether its buffer is counted as used: it is less urgent than the writer.
    counted: bool,
    /// The buffer that it has.
    buffer: usize,
    /// Whether that one is counted now.
    holds: bool,
}

/// A writer's buffers under this protocol.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Dynamic {
    current: usize,
    /// The buffer before, where a reader has a delay.
    previous: Option<usize>,
    readers: Vec<Reader>,
    /// Of a used buffer how many use it; of a free one the next free one, or the number of buffers at the end.
    uses: Vec<usize>,
    /// The first free buffer, or the number of buffers.
    free: usize,
    letting: Letting,
}

/// How many buffers a writer needs: one for each less urgent reader, its own, and one more if a reader has a
/// delay.
pub fn depth(graph: &Graph, writer: usize) -> usize {
    let links = || graph.readers(writer).map(|link| graph.links[link]);
    links().filter(|link| graph.is_overtaken(*link)).count()
        + 1
        + usize::from(links().any(|link| link.delayed))
}

impl Dynamic {
    /// A writer's buffers, so many of them, at least one. All are free but the first, which has the initial value.
    pub fn new(graph: &Graph, writer: usize, depth: usize, letting: Letting) -> Dynamic {
        let reader = |link: usize| {
            let link = graph.links[link];
            Reader { delayed: link.delayed, counted: graph.is_overtaken(link), buffer: 0, holds: false }
        };
        let readers: Vec<_> = graph.readers(writer).map(reader).collect();
        let previous = readers.iter().any(|reader| reader.delayed).then_some(0);
        let mut uses: Vec<_> = (1..=depth).collect();
        uses[0] = 1 + usize::from(previous.is_some());
        Dynamic { current: 0, previous, readers, uses, free: 1, letting }
    }

    fn let_go(&mut self, buffer: usize) {
        self.uses[buffer] -= 1;
        if self.uses[buffer] == 0 {
            self.uses[buffer] = self.free;
            self.free = buffer;
        }
    }

    fn end_reading(&mut self, reader: usize) {
        if self.readers[reader].holds {
            self.readers[reader].holds = false;
            self.let_go(self.readers[reader].buffer);
        }
    }
}

impl Port for Dynamic {
    fn buffers(&self) -> usize {
        self.uses.len()
    }

    /// The buffer that was current becomes the one before, which is a use of it, too. So what ends is a use of the one
    /// before that, or without readers with a delay of the current one.
    fn writer_activated(&mut self, _values: &mut [u64]) -> Option<()> {
        let last = self.current;
        let over = self.previous.as_mut().map_or(last, |previous| std::mem::replace(previous, last));
        self.let_go(over);
        self.current = self.free;
        self.free = *self.uses.get(self.current)?;
        self.uses[self.current] = 1;
        Some(())
    }

    fn reader_activated(&mut self, reader: usize, _values: &mut [u64]) {
        self.end_reading(reader);
        let Reader { delayed, counted, .. } = self.readers[reader];
        let buffer = if delayed { self.previous.unwrap_or(self.current) } else { self.current };
        if counted {
            self.uses[buffer] += 1;
        }
        self.readers[reader] = Reader { buffer, holds: counted, ..self.readers[reader] };
    }

    fn reader_completed(&mut self, reader: usize) {
        if self.letting == Letting::AtCompletion {
            self.end_reading(reader);
        }
    }

    fn written(&self) -> usize {
        self.current
    }

    fn read(&self, reader: usize) -> usize {
        self.readers[reader].buffer
    }
}
