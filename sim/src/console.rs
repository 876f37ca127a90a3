//! The console: text, and a device that sends it byte by byte.

use std::collections::VecDeque;

use beryl_abi::{Duration, Instant, Line, ThreadId};

/// A line of the console, without its end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Printed {
    /// When it began.
    pub at: Instant,
    /// The thread that began it.
    pub thread: ThreadId,
    /// Its text; bytes that aren't text are replaced.
    pub text: String,
}

/// The interrupt lines of a board's console; none where the device doesn't interrupt for that.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ConsoleLines {
    /// A byte has come.
    pub received: Option<Line>,
    /// A byte has been sent.
    pub sent: Option<Line>,
}

impl Default for ConsoleLines {
    /// Those of the board on which steps are measured.
    fn default() -> ConsoleLines {
        ConsoleLines { received: Some(Line(0)), sent: Some(Line(1)) }
    }
}

/// Collects the output. Its device sends a byte at a time, and interrupts after each.
pub(crate) struct Console {
    text: Vec<u8>,
    /// When each line began, and the thread that began it.
    begun: Vec<(Instant, ThreadId)>,
    /// How long a byte takes.
    byte_time: Duration,
    /// The bytes that were handed over, and when each will be sent.
    sent: VecDeque<(Instant, u8)>,
}

impl Console {
    /// Nanoseconds that a byte takes: ten bits at 115,200 a second.
    pub(crate) const BYTE_NANOSECONDS: u64 = 86_806;

    /// A console whose device needs `byte_time` for a byte.
    pub(crate) fn new(byte_time: Duration) -> Console {
        Console { text: Vec::new(), begun: Vec::new(), byte_time, sent: VecDeque::new() }
    }

    /// Writes text past the device.
    pub(crate) fn print(&mut self, text: &str, thread: ThreadId, now: Instant) {
        text.bytes().for_each(|byte| self.push(byte, thread, now));
    }

    fn push(&mut self, byte: u8, thread: ThreadId, now: Instant) {
        if self.text.last().is_none_or(|last| *last == b'\n') {
            self.begun.push((now, thread));
        }
        self.text.push(byte);
    }

    /// Hands a byte to the device, which sends it after those that it still holds.
    pub(crate) fn transmit(&mut self, byte: u8, thread: ThreadId, now: Instant) {
        self.push(byte, thread, now);
        let begin = self.sent.back().map_or(now, |(last, _)| now.max(*last));
        self.sent.push_back((begin.after(self.byte_time), byte));
    }

    /// When the next byte will be sent.
    pub(crate) fn next(&self) -> Instant {
        self.sent.front().map_or(Instant::NEVER, |(instant, _)| *instant)
    }

    /// A byte that has been sent by `now`, if any; the next call returns the next one.
    pub(crate) fn has_sent(&mut self, now: Instant) -> Option<u8> {
        let is_sent = self.next().is_due(now);
        self.sent.pop_front_if(|_| is_sent).map(|(_, byte)| byte)
    }

    /// Everything that was written.
    pub(crate) fn text(&self) -> String {
        String::from_utf8_lossy(&self.text).into_owned()
    }

    /// Everything that was written, line by line.
    pub(crate) fn into_lines(self) -> Vec<Printed> {
        let lines = self.text.split(|byte| *byte == b'\n').zip(self.begun);
        let printed = |(line, (at, thread)): (&[u8], _)| Printed {
            at,
            thread,
            text: String::from_utf8_lossy(line).trim_end_matches('\r').to_owned(),
        };
        lines.map(printed).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::{Console, Printed};
    use beryl_abi::{Duration, Instant, ThreadId};

    #[test]
    fn bytes_follow_each_other_a_byte_time_apart() {
        let at = Instant::from_ticks;
        let mut console = Console::new(Duration::from_ticks(10));
        let (print, send) = (ThreadId(0), ThreadId(1));
        console.print("<", print, at(1));
        for (byte, time) in [(b'a', 3), (b'b', 5), (b'c', 40)] {
            console.transmit(byte, send, at(time));
        }
        assert_eq!(console.next(), at(13));
        assert_eq!(
            [12, 13, 13, 23, 49, 50, 50].map(|time| console.has_sent(at(time))),
            [None, Some(b'a'), None, Some(b'b'), None, Some(b'c'), None]
        );
        assert_eq!(console.next(), Instant::NEVER);
        assert_eq!(console.text(), "<abc");
    }

    #[test]
    fn a_line_is_of_who_began_it() {
        let (at, [one, other]) = (Instant::from_ticks, [0, 1].map(ThreadId));
        let mut console = Console::new(Duration::from_ticks(10));
        console.print("a\n\nb", one, at(3));
        console.transmit(b'c', other, at(5));
        console.transmit(b'\n', other, at(6));
        console.transmit(b'd', other, at(7));
        let line = |ticks, thread, text: &str| Printed { at: at(ticks), thread, text: text.to_owned() };
        let expected = [line(3, one, "a"), line(3, one, ""), line(3, one, "bc"), line(7, other, "d")];
        assert_eq!(console.into_lines(), expected);
    }
}
