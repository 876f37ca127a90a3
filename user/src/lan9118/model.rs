//! The device by its data sheet, as far as the driver goes: for tests.

use std::cell::{Cell, RefCell};
use std::collections::VecDeque;
use std::vec::Vec;

use super::Registers;

/// What it has, and what happened to it.
#[derive(Default)]
pub struct Model {
    /// Frames that wait to be fetched: what became of them, and their words.
    pub waiting: RefCell<VecDeque<(u32, VecDeque<u32>)>>,
    /// Words of the frame that is being fetched.
    fetched: RefCell<VecDeque<u32>>,
    /// What was written, in its order, without the frames.
    pub written: RefCell<Vec<(usize, u32)>>,
    /// Words to be sent, with their orders.
    pub sent: RefCell<Vec<u32>>,
    /// How much room there is for them, and for how many frames nobody has asked what became of them.
    pub room: Cell<u32>,
    pub unasked: Cell<u32>,
    /// How often it must be looked at before it is done.
    pub looks: Cell<u32>,
}

impl Model {
    /// A frame comes, with its checksum behind it.
    pub fn comes(&self, frame: &[u8], flags: u32) {
        let bytes = [frame, &[0xCC; 4]].concat();
        let words = bytes.chunks(4).map(|chunk| {
            let mut word = [0; 4];
            word[..chunk.len()].copy_from_slice(chunk);
            u32::from_le_bytes(word)
        });
        let length = u32::try_from(bytes.len()).expect("short");
        self.waiting.borrow_mut().push_back((length << 16 | flags, words.collect()));
    }

    fn is_done(&self) -> bool {
        self.looks.set(self.looks.get().saturating_sub(1));
        self.looks.get() == 0
    }
}

impl Registers for &Model {
    fn read(&self, offset: usize) -> u32 {
        match offset {
            0x00 => self.fetched.borrow_mut().pop_front().expect("no more words than the frame has"),
            0x40 => {
                assert!(self.fetched.borrow().is_empty(), "a frame is left behind");
                let (status, words) = self.waiting.borrow_mut().pop_front().expect("a frame");
                *self.fetched.borrow_mut() = words;
                status
            }
            0x48 => {
                self.unasked.set(self.unasked.get() - 1);
                0
            }
            0x64 if self.is_done() => 0x8765_4321,
            0x7C => u32::try_from(self.waiting.borrow().len()).expect("few") << 16,
            0x80 => self.unasked.get() << 16 | self.room.get(),
            0x84 => 1,
            0x64 | 0x74 | 0xA4 => 0,
            _ => panic!("nobody reads {offset:#x}"),
        }
    }

    fn write(&self, offset: usize, value: u32) {
        match offset {
            0x20 => self.sent.borrow_mut().push(value),
            _ => self.written.borrow_mut().push((offset, value)),
        }
    }
}
