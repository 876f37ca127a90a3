//! The board's end: takes orders that the key's owner signed, and does what they say.
//!
//! ```text
//!            order                all pieces          its instant           accepted            harmonic instant
//!   (idle) ---------> receiving ------------> waiting ------------> checking ---------> accepted ---------> running
//!                         |                      |                      |
//!                         +----- refused <-------+----------------------+
//! ```
//!
//! An order is looked at before anything of its program is kept, and its number is used up there and then: the same
//! order may go on where it was, or be asked about, but is never done twice, and one with a lower number never again.
//! Damaged frames change nothing. What is handed to the kernel is the program that was signed, whole, or nothing.

use crate::frame::{Frames, Heard, Outgoing};
use crate::key::PublicKey;
use crate::message::{Answer, LONGEST_PIECE, Phase, Request, Standing, VERSION, Welcome};
use crate::order::{Challenge, Command, Identity, Order, SignedOrder};
use crate::refusal::{Reason, Refusal};
use crate::slot::{Progress, Slot};

/// The numbers of orders that were taken. A board with memory that survives a reset keeps the last one there.
pub trait Numbers {
    /// The last one, or 0.
    fn last(&self) -> u64;
    /// Keeps a new one. It must be safe when this returns: the order is done afterwards.
    fn keep(&mut self, number: u64);
}

/// Numbers that are kept until the next reset only, for boards that have no memory to survive it: there an order of
/// before the reset can come again, unless the board has chosen another [`Challenge`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SinceReset(u64);

impl Numbers for SinceReset {
    fn last(&self) -> u64 {
        self.0
    }

    fn keep(&mut self, number: u64) {
        self.0 = number;
    }
}

/// What a loader is told when it starts.
#[derive(Clone, Copy, Debug)]
pub struct Post<N> {
    /// Whose orders are believed.
    pub key: PublicKey,
    /// The image that the board runs.
    pub identity: Identity,
    /// The slot that the link is for.
    pub slot: u8,
    /// What the board chose at this reset; zeros if it has nothing to choose it with.
    pub challenge: Challenge,
    /// The numbers of orders.
    pub numbers: N,
}

/// What comes next, if no byte does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pace {
    /// More work, at once.
    Now,
    /// More work at this tick.
    At(u64),
    /// A look at the slot after a while.
    Soon,
    /// Nothing.
    Never,
}

/// Where the order has come to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    Receiving { got: u32 },
    Waiting,
    Checking { steps: u32 },
    Accepted { steps: u32 },
    Running { steps: u32 },
    Refused(Refusal),
}

/// The order that was taken last, and where it has come to.
#[derive(Clone, Copy, Debug)]
struct Current {
    signed: SignedOrder,
    state: State,
}

/// The board's end of the link, with room for a program of so many bytes.
#[derive(Clone, Debug)]
pub struct Loader<N, const ROOM: usize> {
    post: Post<N>,
    frames: Frames,
    current: Option<Current>,
    room: [u8; ROOM],
}

impl<N: Numbers, const ROOM: usize> Loader<N, ROOM> {
    /// A loader that has heard nothing.
    #[must_use]
    pub fn new(post: Post<N>) -> Self {
        Loader { post, frames: Frames::default(), current: None, room: [0; ROOM] }
    }

    /// Takes a byte from the line, at a tick of kernel time; answers what goes back.
    pub fn take(&mut self, byte: u8, now: u64) -> Option<Outgoing> {
        let (sequence, answer) = match self.frames.take(byte)? {
            Heard::Damaged => (0, refused(0, Refusal::plain(Reason::Damaged))),
            Heard::Frame(frame) => {
                let sequence = frame.sequence;
                let answer = match Request::decode(&frame) {
                    None => refused(0, Refusal::plain(Reason::Unknown)),
                    Some(Request::Hello) => Answer::Welcome(self.welcome()),
                    Some(Request::Ask) => self.standing(),
                    Some(Request::Order(bytes)) => match SignedOrder::decode(bytes) {
                        None => refused(0, Refusal::plain(Reason::Malformed)),
                        Some(signed) => self.order(signed, now),
                    },
                    Some(Request::Piece { offset, bytes }) => {
                        // The frame lies in `frames`, the piece goes elsewhere.
                        let mut piece = [0; LONGEST_PIECE];
                        match piece.get_mut(..bytes.len()) {
                            None => refused(0, Refusal::plain(Reason::Unknown)),
                            Some(piece) => {
                                piece.copy_from_slice(bytes);
                                self.piece(offset, piece, now)
                            }
                        }
                    }
                };
                (sequence, answer)
            }
        };
        Some(answer.encode(sequence))
    }

    /// Does a bounded piece of the work that the last order asks for, at a tick of kernel time.
    pub fn work(&mut self, slot: &mut impl Slot, now: u64) -> Pace {
        let Some(Current { signed, state }) = &mut self.current else { return Pace::Never };
        let order = signed.order();
        let after = match *state {
            State::Waiting if now < order.at => return Pace::At(order.at),
            State::Waiting => {
                let length = usize::try_from(order.length).unwrap_or(usize::MAX);
                let done = match (order.command, self.room.get(..length)) {
                    (Command::Back, _) => slot.rollback(),
                    (Command::Swap, Some(program)) => slot.write(program),
                    // `look_at` lets no longer one through.
                    (Command::Swap, None) => return Pace::Never,
                };
                done.map(|()| State::Checking { steps: 0 })
            }
            State::Checking { steps } | State::Accepted { steps } => {
                slot.check().map(|progress| after_a_step(progress, steps))
            }
            State::Receiving { .. } | State::Running { .. } | State::Refused(_) => return Pace::Never,
        };
        *state =
            after.unwrap_or_else(|status| State::Refused(Refusal::with(Reason::Kernel, u64::from(status.0))));
        match *state {
            State::Checking { .. } => Pace::Now,
            State::Accepted { .. } => Pace::Soon,
            _ => Pace::Never,
        }
    }

    /// The number of the last order that was taken.
    #[must_use]
    pub fn last(&self) -> u64 {
        self.post.numbers.last()
    }

    fn welcome(&self) -> Welcome {
        Welcome {
            version: VERSION,
            slot: self.post.slot,
            piece: LONGEST_PIECE as u8,
            room: u32::try_from(ROOM).unwrap_or(u32::MAX),
            last: self.post.numbers.last(),
            challenge: self.post.challenge,
            identity: self.post.identity,
        }
    }

    fn standing(&self) -> Answer {
        let Some(Current { signed, state }) = &self.current else {
            return refused(0, Refusal::plain(Reason::NoOrder));
        };
        let number = signed.order().number;
        let (phase, count) = match *state {
            State::Receiving { got } => (Phase::Receiving, got),
            State::Waiting => (Phase::Waiting, 0),
            State::Checking { steps } => (Phase::Checking, steps),
            State::Accepted { steps } => (Phase::Accepted, steps),
            State::Running { steps } => (Phase::Running, steps),
            State::Refused(refusal) => return refused(number, refusal),
        };
        Answer::Standing(Standing { number, phase, count })
    }

    /// Takes an order. The one that was taken last may come again: it tells how far it is, and begins anew only
    /// if what came wasn't what was signed.
    fn order(&mut self, signed: SignedOrder, now: u64) -> Answer {
        let number = signed.order().number;
        match &mut self.current {
            Some(Current { signed: last, state }) if *last == signed => {
                if *state == State::Refused(Refusal::plain(Reason::Digest)) {
                    *state = State::Receiving { got: 0 };
                }
            }
            _ => {
                if let Err(refusal) = self.look_at(&signed, now) {
                    return refused(number, refusal);
                }
                self.post.numbers.keep(number);
                self.current = Some(Current { signed, state: State::Receiving { got: 0 } });
                self.complete(now);
            }
        }
        self.standing()
    }

    /// Everything that can be wrong with an order; its signature last, since that is most of the work.
    fn look_at(&self, signed: &SignedOrder, now: u64) -> Result<(), Refusal> {
        let Post { key, identity, slot, challenge, numbers } = &self.post;
        let order = signed.order();
        let last = numbers.last();
        let is_busy = self
            .current
            .as_ref()
            .is_some_and(|current| matches!(current.state, State::Checking { .. } | State::Accepted { .. }));
        if order.identity != *identity {
            return Err(Refusal::plain(Reason::Image));
        }
        if order.challenge != *challenge {
            return Err(Refusal::plain(Reason::Challenge));
        }
        if order.slot != *slot {
            return Err(Refusal::with(Reason::Slot, u64::from(*slot)));
        }
        if usize::try_from(order.length).map_or(true, |length| length > ROOM) {
            return Err(Refusal::with(Reason::TooLong, u64::try_from(ROOM).unwrap_or(u64::MAX)));
        }
        if order.number <= last {
            return Err(Refusal::with(Reason::Replay, last));
        }
        if is_late(order, now) {
            return Err(Refusal::with(Reason::Late, now));
        }
        if is_busy {
            return Err(Refusal::plain(Reason::Busy));
        }
        if !signed.is_of(key) {
            return Err(Refusal::plain(Reason::Signature));
        }
        Ok(())
    }

    /// Takes the next piece. One that was there already, or that leaves a gap, is answered with the place at which
    /// the program goes on.
    fn piece(&mut self, offset: u32, bytes: &[u8], now: u64) -> Answer {
        let Some(Current { signed, state }) = &mut self.current else {
            return refused(0, Refusal::plain(Reason::NoOrder));
        };
        let order = signed.order();
        let State::Receiving { got } = state else { return self.standing() };
        let end = u32::try_from(bytes.len()).ok().and_then(|length| offset.checked_add(length));
        let Some(end) = end.filter(|end| *end <= order.length) else {
            return refused(order.number, Refusal::with(Reason::Outside, u64::from(order.length)));
        };
        if offset == *got {
            let places = self.room.iter_mut().skip(usize::try_from(offset).unwrap_or(usize::MAX));
            places.zip(bytes).for_each(|(place, byte)| *place = *byte);
            *got = end;
            self.complete(now);
        }
        self.standing()
    }

    /// If all of the program is there: is it the one that was signed, and in time?
    fn complete(&mut self, now: u64) {
        let Some(Current { signed, state: state @ State::Receiving { .. } }) = &mut self.current else {
            return;
        };
        let order = signed.order();
        if *state != (State::Receiving { got: order.length }) {
            return;
        }
        let length = usize::try_from(order.length).unwrap_or(usize::MAX);
        let is_signed = self.room.get(..length).is_some_and(|program| order.is_for(program));
        *state = match (is_signed, is_late(order, now)) {
            (false, _) => State::Refused(Refusal::plain(Reason::Digest)),
            (true, true) => State::Refused(Refusal::with(Reason::Late, now)),
            (true, false) => State::Waiting,
        };
    }
}

fn after_a_step(progress: Progress, steps: u32) -> State {
    match progress {
        Progress::More => State::Checking { steps: steps.saturating_add(1) },
        Progress::Accepted => State::Accepted { steps },
        Progress::Running => State::Running { steps },
        Progress::Refused { reason, address } => {
            State::Refused(Refusal { reason: Reason::Check, details: [reason, address] })
        }
    }
}

fn is_late(order: &Order, now: u64) -> bool {
    order.at != 0 && now > order.at
}

const fn refused(number: u64, refusal: Refusal) -> Answer {
    Answer::Refused { number, refusal }
}
