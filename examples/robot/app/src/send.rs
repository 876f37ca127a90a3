//! Sends a map over a slow line, a block at a time: in runs of equal cells.

use beryl_user::call::keep_busy;
use beryl_user::environment;
use beryl_user::time::microseconds;

use crate::drivers::LINE;
use crate::grid::{self, SIDE};

/// Rows of a block: what they need at most, a byte a cell, is sent within the task's `worst`.
const ROWS: usize = 2;
/// Blocks of a map.
pub const BLOCKS: i32 = (SIDE / ROWS) as i32;
/// How long a byte is on the line: ten bits of 9600 a second.
const BYTE: u64 = 1_042;
/// Cells of a run, at most: a byte has the number of a cell in four bits, and how many follow it in four.
const LONGEST: u8 = 16;

/// A block: its number from 1 on, how many bytes there are, and those bytes.
pub type Packet = [u8; 2 + ROWS * SIDE];

/// Sends a block, if it is another one.
pub fn send_impl(block: &i32, before: &mut i32, sent: &mut i32) {
    if *block > 0 && *block != *before {
        let packet = packed(*block);
        let bytes = u64::from(packet[1]) + 2;
        keep_busy(microseconds(BYTE * bytes));
        environment::write(LINE, &packet);
        *sent = sent.wrapping_add(1);
    }
    *before = *block;
}

/// The block of this number.
fn packed(block: i32) -> Packet {
    let mut packet = [0; 2 + ROWS * SIDE];
    let first = usize::try_from(block - 1).unwrap_or(0) * ROWS;
    let (mut bytes, mut run) = (0, None);
    let (head, places) = packet.split_at_mut(2);
    let mut put = |(number, length): (u8, u8)| {
        if let Some(place) = places.get_mut(bytes) {
            *place = number << 4 | (length - 1);
            bytes += 1;
        }
    };
    for cell in grid::kept(first..first + ROWS) {
        run = match run {
            Some((number, length)) if number == cell && length < LONGEST => Some((number, length + 1)),
            other => {
                other.into_iter().for_each(&mut put);
                Some((cell, 1))
            }
        };
    }
    run.into_iter().for_each(&mut put);
    head[0] = block as u8;
    head[1] = bytes as u8;
    packet
}
