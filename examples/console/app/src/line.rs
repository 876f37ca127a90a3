//! A line: what clients send and the server writes, as a message of fixed length.

use core::fmt::{self, Write};

/// Text, then zeros.
pub type Line = [i8; 32];

/// A line that says who speaks, and for which time. What is too long is cut off.
#[must_use]
pub fn line(name: &str, number: u32) -> Line {
    let mut end = End { line: [0; 32], length: 0 };
    // It takes everything, and cuts.
    let _ = write!(end, "{name} {number}");
    end.line
}

/// The bytes of a line, and the line's end.
pub fn text(line: &Line) -> impl Iterator<Item = u8> {
    line.iter().map(|byte| byte.cast_unsigned()).take_while(|byte| *byte != 0).chain([b'\n'])
}

/// Where the next text goes.
struct End {
    line: Line,
    length: usize,
}

impl Write for End {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        let room = self.line.iter_mut().skip(self.length);
        for (place, byte) in room.zip(text.bytes()) {
            *place = byte.cast_signed();
            self.length += 1;
        }
        Ok(())
    }
}
