//! A peer in another process, in step with the simulation: questions to standard output, answers from
//! standard input.
//!
//! A question is ten bytes: an instant in nanoseconds (8, little-endian), 0, 0 for "what do you send next?";
//! the instant, 1 and a byte for "this was sent", 2 and 0 for "your byte has arrived". Only the first has an
//! answer: nine bytes, an instant ([`NEVER`] for nothing) and a byte. At the end of the run comes a question
//! with 3; text follows. The peer may take any time, since virtual time stands still meanwhile: so a run is a
//! function of its answers.

use std::io::{self, Read, Write};

use crate::environment::Nanoseconds;
use crate::peer::Peer;

/// Instead of an instant: there is none.
pub(crate) const NEVER: u64 = u64::MAX;
/// The question at the end of the run.
pub(crate) const END: [u8; 10] = [0, 0, 0, 0, 0, 0, 0, 0, 3, 0];

/// The peer at the other end of standard input and output, or of any two streams.
pub(crate) struct Piped<R, W> {
    answers: R,
    questions: W,
    /// The streams are broken: no more questions are asked.
    is_gone: bool,
}

impl<R: Read, W: Write> Piped<R, W> {
    pub(crate) fn new(answers: R, questions: W) -> Piped<R, W> {
        Piped { answers, questions, is_gone: false }
    }

    fn tell(&mut self, instant: u64, kind: u8, byte: u8) -> io::Result<()> {
        let mut question = [0; 10];
        question[..8].copy_from_slice(&instant.to_le_bytes());
        question[8..].copy_from_slice(&[kind, byte]);
        self.questions.write_all(&question)
    }

    fn ask(&mut self) -> io::Result<Option<(Nanoseconds, u8)>> {
        self.tell(0, 0, 0)?;
        // The other questions can wait for this one to be flushed; this one needs its answer.
        self.questions.flush()?;
        let (mut instant, mut byte) = ([0; 8], [0]);
        self.answers.read_exact(&mut instant)?;
        self.answers.read_exact(&mut byte)?;
        let instant = u64::from_le_bytes(instant);
        Ok((instant != NEVER).then(|| (Nanoseconds::new(instant), byte[0])))
    }

    /// A peer that has gone away counts as one that sends nothing.
    fn unless_gone<T>(&mut self, action: impl FnOnce(&mut Self) -> io::Result<T>) -> Option<T> {
        if self.is_gone {
            return None;
        }
        let done = action(self);
        self.is_gone = done.is_err();
        done.ok()
    }
}

impl<R: Read, W: Write> Peer for Piped<R, W> {
    fn next(&mut self) -> Option<(Nanoseconds, u8)> {
        self.unless_gone(Self::ask).flatten()
    }

    fn arrived(&mut self) {
        self.unless_gone(|peer| peer.tell(0, 2, 0));
    }

    fn hear(&mut self, instant: Nanoseconds, byte: u8) {
        self.unless_gone(|peer| peer.tell(instant.count(), 1, byte));
    }
}

#[cfg(test)]
mod tests {
    use super::{NEVER, Piped};
    use crate::environment::Nanoseconds;
    use crate::peer::Peer;

    #[test]
    fn questions_are_asked_and_answers_are_read() {
        let mut answers = Vec::new();
        for (instant, byte) in [(500_u64, b'a'), (NEVER, 0)] {
            answers.extend_from_slice(&instant.to_le_bytes());
            answers.push(byte);
        }
        let mut questions = Vec::new();
        let mut peer = Piped::new(answers.as_slice(), &mut questions);
        assert_eq!(peer.next(), Some((Nanoseconds::new(500), b'a')));
        peer.arrived();
        peer.hear(Nanoseconds::new(0x0102), b'z');
        assert_eq!(peer.next(), None);
        // No more answers come.
        assert_eq!((peer.next(), peer.next()), (None, None));
        let asked = [0; 10];
        let arrived = [0, 0, 0, 0, 0, 0, 0, 0, 2, 0];
        let heard = [2, 1, 0, 0, 0, 0, 0, 0, 1, b'z'];
        assert_eq!(questions, [asked, arrived, heard, asked, asked].concat());
    }
}
