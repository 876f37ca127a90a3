//! The console: text, and a device that sends it byte by byte.

use std::collections::VecDeque;

use beryl_abi::{Duration, Instant, Line};

/// Collects what is printed. Its device sends a byte at a time and raises [`Console::LINE`] after each.
pub(crate) struct Console {
    text: Vec<u8>,
    /// How long a byte takes.
    byte_time: Duration,
    /// The bytes that were handed over, and when they will have been sent.
    sent: VecDeque<(Instant, u8)>,
}

impl Console {
    /// The line that the device raises.
    pub(crate) const LINE: Line = Line(1);
    /// Nanoseconds that a byte takes: ten bits at 115,200 a second.
    pub(crate) const BYTE_NANOSECONDS: u64 = 86_806;

    /// A console whose device needs `byte_time` for a byte.
    pub(crate) fn new(byte_time: Duration) -> Console {
        Console { text: Vec::new(), byte_time, sent: VecDeque::new() }
    }

    /// Writes text past the device.
    pub(crate) fn print(&mut self, text: &str) {
        self.text.extend_from_slice(text.as_bytes());
    }

    /// Hands a byte to the device, which sends it after those that it still has.
    pub(crate) fn transmit(&mut self, byte: u8, now: Instant) {
        self.text.push(byte);
        let begin = self.sent.back().map_or(now, |(last, _)| now.max(*last));
        self.sent.push_back((begin.after(self.byte_time), byte));
    }

    /// When the next byte will have been sent.
    pub(crate) fn next(&self) -> Instant {
        self.sent.front().map_or(Instant::NEVER, |(instant, _)| *instant)
    }

    /// The byte that has been sent by `now`, if one has; asked again, it tells of the next.
    pub(crate) fn has_sent(&mut self, now: Instant) -> Option<u8> {
        let is_sent = self.next().is_due(now);
        self.sent.pop_front_if(|_| is_sent).map(|(_, byte)| byte)
    }

    /// All that was written.
    pub(crate) fn into_text(self) -> String {
        String::from_utf8_lossy(&self.text).into_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::Console;
    use beryl_abi::{Duration, Instant};

    #[test]
    fn bytes_follow_each_other_a_byte_time_apart() {
        let at = Instant::from_ticks;
        let mut console = Console::new(Duration::from_ticks(10));
        console.print("<");
        for (byte, time) in [(b'a', 3), (b'b', 5), (b'c', 40)] {
            console.transmit(byte, at(time));
        }
        assert_eq!(console.next(), at(13));
        assert_eq!(
            [12, 13, 13, 23, 49, 50, 50].map(|time| console.has_sent(at(time))),
            [None, Some(b'a'), None, Some(b'b'), None, Some(b'c'), None]
        );
        assert_eq!(console.next(), Instant::NEVER);
        assert_eq!(console.into_text(), "<abc");
    }
}
