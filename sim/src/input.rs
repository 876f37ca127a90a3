//! The console's receiver: it holds one byte, raises an interrupt when one has come, and doesn't wait for it
//! to be fetched.

use beryl_abi::Instant;

use crate::peer::Peer;
use crate::simulation::Tick;

/// The receiver, and the peer that sends to it.
pub(crate) struct Input {
    peer: Box<dyn Peer>,
    tick: Tick,
    /// The next byte that the peer sends, if it was asked since anything changed.
    upcoming: Option<Option<(Instant, u8)>>,
    /// The byte that has come and hasn't been fetched.
    held: Option<u8>,
}

impl Input {
    pub(crate) fn new(peer: Box<dyn Peer>, tick: Tick) -> Input {
        Input { peer, tick, upcoming: None, held: None }
    }

    /// When the next byte comes.
    pub(crate) fn next(&mut self) -> Instant {
        self.upcoming().map_or(Instant::NEVER, |(instant, _)| instant)
    }

    /// Whether a byte has come by `now`; the next call tells of the next one. A byte that hasn't been fetched
    /// is lost.
    pub(crate) fn has_come(&mut self, now: Instant) -> bool {
        match self.upcoming() {
            Some((instant, byte)) if instant.is_due(now) => {
                self.held = Some(byte);
                self.upcoming = None;
                self.peer.arrived();
                true
            }
            _ => false,
        }
    }

    /// Fetches the byte that has come.
    pub(crate) fn fetch(&mut self) -> Option<u8> {
        self.held.take()
    }

    /// The peer hears a byte.
    pub(crate) fn hear(&mut self, now: Instant, byte: u8) {
        self.peer.hear(self.tick.nanoseconds(now), byte);
        self.upcoming = None;
    }

    fn upcoming(&mut self) -> Option<(Instant, u8)> {
        let (peer, tick) = (&mut self.peer, self.tick);
        *self.upcoming.get_or_insert_with(|| {
            let (instant, byte) = peer.next()?;
            Some((tick.instant(instant), byte))
        })
    }
}

#[cfg(test)]
mod tests {
    use beryl_abi::Instant;

    use crate::environment::Nanoseconds;

    use super::Input;
    use crate::peer::{Peer, Script};
    use crate::simulation::Tick;

    fn at(ticks: u64) -> Instant {
        Instant::from_ticks(ticks)
    }

    #[test]
    fn bytes_come_at_their_instants_and_the_latest_is_held() {
        let bytes = [(30, b'a'), (80, b'b'), (81, b'c')];
        let script = Script::new(bytes.map(|(instant, byte)| (Nanoseconds::new(instant), byte)));
        let mut input = Input::new(Box::new(script), Tick::of_nanoseconds(40));
        assert_eq!((input.next(), input.fetch()), (at(1), None));
        assert_eq!([0, 1, 1].map(|now| input.has_come(at(now))), [false, true, false]);
        assert_eq!([(); 2].map(|()| input.fetch()), [Some(b'a'), None]);
        assert_eq!([2, 3, 9].map(|now| input.has_come(at(now))), [true, true, false]);
        assert_eq!((input.fetch(), input.next()), (Some(b'c'), Instant::NEVER));
    }

    /// Sends back what it hears, 100 ns later.
    struct Echo(Option<(Nanoseconds, u8)>);

    impl Peer for Echo {
        fn next(&mut self) -> Option<(Nanoseconds, u8)> {
            self.0
        }

        fn arrived(&mut self) {
            self.0 = None;
        }

        fn hear(&mut self, instant: Nanoseconds, byte: u8) {
            self.0 = Some((Nanoseconds::new(instant.count() + 100), byte));
        }
    }

    #[test]
    fn a_peer_answers_what_it_hears() {
        let mut input = Input::new(Box::new(Echo(None)), Tick::of_nanoseconds(40));
        assert_eq!(input.next(), Instant::NEVER);
        input.hear(at(10), b'x');
        assert_eq!(input.next(), at(13));
        assert!(input.has_come(at(13)));
        assert_eq!((input.fetch(), input.next()), (Some(b'x'), Instant::NEVER));
    }
}
