//! A background thread that loads a program by slot 0, part by part.

use beryl_abi::{CallNumber, Progress};
use beryl_kernel::{Call, Event};

/// Where the background thread has the part that it writes next.
pub const BUFFER: u32 = 0x1000;
/// Bytes of a part.
pub const PART: u32 = 32;

/// The thread's part, and what its last call came to: status and values.
#[derive(Clone, Default)]
pub struct Desk {
    buffer: [u32; PART as usize / 4],
    answer: [u32; 3],
}

impl Desk {
    /// The word at an address, if it is one of the part's.
    pub fn load(&self, address: u32) -> Option<u32> {
        address.checked_sub(BUFFER).map(|offset| self.buffer[(offset / 4) as usize])
    }

    pub fn result(&mut self, values: [u32; 2]) {
        self.answer[1..].copy_from_slice(&values);
    }

    pub fn status(&mut self, status: u32) {
        self.answer[0] = status;
    }

    fn put(&mut self, part: &[u8]) {
        for (place, four) in part.chunks(4).enumerate() {
            let mut value = [0; 4];
            value[..four.len()].copy_from_slice(four);
            self.buffer[place] = u32::from_le_bytes(value);
        }
    }
}

/// A run whose background thread loads programs.
pub trait Loading {
    fn desk(&mut self) -> &mut Desk;
    /// Lets the kernel do all steps of an event.
    fn raise(&mut self, event: Event);

    fn call(&mut self, number: CallNumber, arguments: [u32; 4]) -> [u32; 3] {
        self.desk().answer = [0; 3];
        self.raise(Event::Call(Call { number: number as u32, arguments }));
        self.desk().answer
    }

    /// Loads a program; says what the check of it comes to.
    fn load(&mut self, bytes: &[u8], seed: u64) -> Progress {
        for (index, part) in bytes.chunks(PART as usize).enumerate() {
            self.desk().put(part);
            let length = part.len().next_multiple_of(4) as u32;
            let [status, ..] = self.call(CallNumber::SlotWrite, [0, PART * index as u32, BUFFER, length]);
            assert_eq!(status, 0, "seed {seed}, part {index}");
        }
        for _ in 0..20_000 {
            let [_, first, second] = self.call(CallNumber::SlotCheck, [0; 4]);
            match Progress::decode([first, second]) {
                Progress::More => {}
                answer => return answer,
            }
        }
        panic!("seed {seed}: the check never ends");
    }
}
