//! Messages: what is asked of a board, and what it answers. Each request has one answer.
//!
//! | kind | message | payload |
//! |---|---|---|
//! | 0x01 | hello | none |
//! | 0x02 | order | a signed order, 208 bytes |
//! | 0x03 | piece | where (4), then up to 192 bytes of the program |
//! | 0x04 | ask | none |
//! | 0x81 | welcome | version (1), slot (1), longest piece (1), zero (1), room (4), last number (8), challenge (16), identity (32) |
//! | 0x82 | standing | phase (1), number of the order (8), bytes that came, or steps of checking (4) |
//! | 0x83 | refused | number of the order, or 0 (8), reason (1), details (4, 4) |

use crate::bytes::{Reader, Writer};
use crate::frame::{Frame, LONGEST_PAYLOAD, Outgoing};
use crate::order::{Challenge, Identity, SignedOrder};
use crate::refusal::Refusal;

/// The version of the link that this is.
pub const VERSION: u8 = 1;
/// The most bytes of a piece.
pub const LONGEST_PIECE: usize = 192;

const _: () = assert!(SignedOrder::BYTES <= LONGEST_PAYLOAD && LONGEST_PIECE + 4 <= LONGEST_PAYLOAD);

/// What is asked of a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Request<'a> {
    /// Who is there?
    Hello,
    /// Do this. The bytes are a signed order, or not.
    Order(&'a [u8]),
    /// A piece of the program.
    Piece {
        /// Its place in the program.
        offset: u32,
        /// Its bytes.
        bytes: &'a [u8],
    },
    /// What came of the last order?
    Ask,
}

impl<'a> Request<'a> {
    /// What a frame asks, or nothing.
    #[must_use]
    pub fn decode(frame: &Frame<'a>) -> Option<Request<'a>> {
        let payload = frame.payload;
        match frame.kind {
            0x01 if payload.is_empty() => Some(Request::Hello),
            0x02 => Some(Request::Order(payload)),
            0x03 => {
                let (offset, bytes) = payload.split_first_chunk()?;
                Some(Request::Piece { offset: u32::from_le_bytes(*offset), bytes })
            }
            0x04 if payload.is_empty() => Some(Request::Ask),
            _ => None,
        }
    }

    /// The request as it goes onto the line.
    #[must_use]
    pub fn encode(&self, sequence: u8) -> Outgoing {
        let mut payload = [0; LONGEST_PAYLOAD];
        let mut writer = Writer::new(&mut payload);
        let kind = match self {
            Request::Hello => 0x01,
            Request::Order(order) => {
                writer.put(order);
                0x02
            }
            Request::Piece { offset, bytes } => {
                writer.put(&offset.to_le_bytes());
                writer.put(bytes);
                0x03
            }
            Request::Ask => 0x04,
        };
        let length = writer.length();
        Outgoing::new(Frame { kind, sequence, payload: payload.get(..length).unwrap_or_default() })
    }
}

/// Who is there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Welcome {
    /// The version of the link.
    pub version: u8,
    /// The slot that it is for.
    pub slot: u8,
    /// The most bytes of a piece.
    pub piece: u8,
    /// The most bytes of a program.
    pub room: u32,
    /// The number of the last order that was taken.
    pub last: u64,
    /// What the board chose at its last reset.
    pub challenge: Challenge,
    /// The image that it runs.
    pub identity: Identity,
}

/// How far an order has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[repr(u8)]
pub enum Phase {
    /// Pieces are missing.
    Receiving = 1,
    /// All is there; its instant hasn't come.
    Waiting = 2,
    /// The kernel checks it.
    Checking = 3,
    /// The kernel has accepted it; it takes over at the module's next harmonic instant.
    Accepted = 4,
    /// It runs.
    Running = 5,
}

impl Phase {
    fn decode(number: u8) -> Option<Phase> {
        use Phase::{Accepted, Checking, Receiving, Running, Waiting};
        let all = [Receiving, Waiting, Checking, Accepted, Running];
        all.into_iter().find(|phase| *phase as u8 == number)
    }
}

/// How far which order has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Standing {
    /// The order's number.
    pub number: u64,
    /// How far.
    pub phase: Phase,
    /// While receiving, how many bytes of the program are there; later, how many steps of checking were done.
    pub count: u32,
}

/// What a board answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answer {
    /// Who is there.
    Welcome(Welcome),
    /// How far the order has come.
    Standing(Standing),
    /// What was asked, or what became of the order.
    Refused {
        /// The order's number; 0 if it is about none.
        number: u64,
        /// Why.
        refusal: Refusal,
    },
}

impl Answer {
    /// What a frame answers, or nothing.
    #[must_use]
    pub fn decode(frame: &Frame<'_>) -> Option<Answer> {
        let mut reader = Reader(frame.payload);
        let answer = match frame.kind {
            0x81 => Answer::Welcome(welcome(&mut reader)?),
            0x82 => {
                let phase = Phase::decode(reader.byte()?)?;
                Answer::Standing(Standing { phase, number: reader.long()?, count: reader.word()? })
            }
            0x83 => Answer::Refused { number: reader.long()?, refusal: Refusal::decode(&mut reader)? },
            _ => return None,
        };
        reader.end()?;
        Some(answer)
    }

    /// The answer as it goes onto the line.
    #[must_use]
    pub fn encode(&self, sequence: u8) -> Outgoing {
        let mut payload = [0; LONGEST_PAYLOAD];
        let mut writer = Writer::new(&mut payload);
        let kind = match self {
            Answer::Welcome(welcome) => {
                writer.put(&[welcome.version, welcome.slot, welcome.piece, 0]);
                writer.put(&welcome.room.to_le_bytes());
                writer.put(&welcome.last.to_le_bytes());
                writer.put(&welcome.challenge.0);
                writer.put(&welcome.identity.0);
                0x81
            }
            Answer::Standing(standing) => {
                writer.put(&[standing.phase as u8]);
                writer.put(&standing.number.to_le_bytes());
                writer.put(&standing.count.to_le_bytes());
                0x82
            }
            Answer::Refused { number, refusal } => {
                writer.put(&number.to_le_bytes());
                writer.put(&refusal.encode());
                0x83
            }
        };
        let length = writer.length();
        Outgoing::new(Frame { kind, sequence, payload: payload.get(..length).unwrap_or_default() })
    }
}

fn welcome(reader: &mut Reader<'_>) -> Option<Welcome> {
    let [version, slot, piece, _] = reader.array()?;
    Some(Welcome {
        version,
        slot,
        piece,
        room: reader.word()?,
        last: reader.long()?,
        challenge: Challenge(reader.array()?),
        identity: Identity(reader.array()?),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::frame::{Frames, Heard};
    use crate::refusal::Reason;

    fn through<R>(outgoing: &Outgoing, read: impl Fn(&Frame<'_>) -> R) -> R {
        let mut frames = Frames::default();
        for byte in outgoing.as_ref() {
            if let Some(Heard::Frame(frame)) = frames.take(*byte) {
                assert_eq!(frame.sequence, 77);
                return read(&frame);
            }
        }
        panic!("no frame came");
    }

    #[test]
    fn requests_come_back() {
        let requests = [
            Request::Hello,
            Request::Order(&[7; SignedOrder::BYTES]),
            Request::Piece { offset: 0x0102_0304, bytes: &[0; LONGEST_PIECE] },
            Request::Ask,
        ];
        for request in requests {
            assert!(through(&request.encode(77), |frame| Request::decode(frame) == Some(request)));
        }
    }

    #[test]
    fn answers_come_back() {
        let welcome = Welcome {
            version: 1,
            slot: 2,
            piece: 3,
            room: 4,
            last: 5 << 40,
            challenge: Challenge([6; 16]),
            identity: Identity([7; 32]),
        };
        let phases = [Phase::Receiving, Phase::Waiting, Phase::Checking, Phase::Accepted, Phase::Running];
        let standings = phases.map(|phase| Answer::Standing(Standing { number: 1 << 50, phase, count: 9 }));
        let refusals = Reason::ALL.iter().map(|reason| Answer::Refused {
            number: 3,
            refusal: Refusal { reason: *reason, details: [1, 1 << 31] },
        });
        for answer in [Answer::Welcome(welcome)].into_iter().chain(standings).chain(refusals) {
            assert!(through(&answer.encode(77), |frame| Answer::decode(frame) == Some(answer)));
        }
    }
}
