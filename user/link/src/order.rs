//! Orders: what is signed.
//!
//! ```text
//!   0   8  "BRYL-O1", zero: what this is, so that a signature of anything else is none of an order
//!   8  32  identity of the image
//!  40  16  what the board chose at its last reset
//!  56   8  number, larger than that of every order before
//!  64   8  when, in ticks of kernel time; 0: as soon as possible
//!  72   4  length of the program in bytes
//!  76   1  command: 1 swap, 2 back
//!  77   1  slot
//!  78   2  zero
//!  80  64  SHA-512 of the program
//! 144  64  Ed25519 signature of everything before it
//! ```
//!
//! The order comes before the program, and says what program. So nothing that isn't signed fills the board's memory,
//! and the work of a signature is the same for every program.

use ed25519_compact::{Noise, SecretKey, sha512};

use crate::bytes::{Reader, Writer};
use crate::key::PublicKey;

/// Bytes of an order that are signed.
const SIGNED: usize = 144;
const SIGNATURE: usize = 64;
const DIGEST: usize = 64;
const MAGIC: [u8; 8] = *b"BRYL-O1\0";

/// Which image a board runs: a hash, so that it says for all what the numbers in a program mean.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Identity(pub [u8; 32]);

/// What a board chose at its last reset; all zeros on boards that have nothing to choose it with.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Challenge(pub [u8; 16]);

/// What is to be done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Command {
    /// The program that follows takes over.
    Swap = 1,
    /// The previous program takes over again; no program follows.
    Back = 2,
}

impl Command {
    fn decode(number: u8) -> Option<Command> {
        [Command::Swap, Command::Back].into_iter().find(|command| *command as u8 == number)
    }
}

/// What a key's owner wants of a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Order {
    /// The image that it is meant for.
    pub identity: Identity,
    /// What the board chose at its last reset.
    pub challenge: Challenge,
    /// Larger than that of every order before.
    pub number: u64,
    /// When, in ticks of kernel time: the board waits until then, and refuses the order if it is later. 0: as soon
    /// as possible.
    pub at: u64,
    /// What is to be done.
    pub command: Command,
    /// The slot of the timing module.
    pub slot: u8,
    /// Bytes of the program that follows.
    pub length: u32,
    /// What the program must be.
    pub digest: [u8; DIGEST],
}

impl Order {
    /// An order for this program; it is as long as it is, and has its digest. No program is longer than 4 GB.
    #[must_use]
    pub fn describing(self, program: &[u8]) -> Order {
        let length = u32::try_from(program.len()).unwrap_or(u32::MAX);
        Order { length, digest: sha512::Hash::hash(program), ..self }
    }

    /// Whether this is the program. The digest is no secret, yet it takes the same time for any.
    #[must_use]
    pub fn is_for(&self, program: &[u8]) -> bool {
        let pairs = sha512::Hash::hash(program).into_iter().zip(self.digest);
        let difference = pairs.fold(0, |all, (one, other)| all | one ^ other);
        difference == 0 && usize::try_from(self.length) == Ok(program.len())
    }

    fn encode(&self) -> [u8; SIGNED] {
        let mut bytes = [0; SIGNED];
        let mut writer = Writer::new(&mut bytes);
        writer.put(&MAGIC);
        writer.put(&self.identity.0);
        writer.put(&self.challenge.0);
        writer.put(&self.number.to_le_bytes());
        writer.put(&self.at.to_le_bytes());
        writer.put(&self.length.to_le_bytes());
        writer.put(&[self.command as u8, self.slot, 0, 0]);
        writer.put(&self.digest);
        bytes
    }

    fn decode(bytes: &[u8; SIGNED]) -> Option<Order> {
        let mut reader = Reader(bytes);
        if reader.array()? != MAGIC {
            return None;
        }
        let order = Order {
            identity: Identity(reader.array()?),
            challenge: Challenge(reader.array()?),
            number: reader.long()?,
            at: reader.long()?,
            length: reader.word()?,
            command: Command::decode(reader.byte()?)?,
            slot: reader.byte()?,
            digest: if reader.half()? == 0 { reader.array()? } else { return None },
        };
        let is_whole = order.command == Command::Swap || order.length == 0;
        is_whole.then_some(order)
    }
}

/// An order with a signature, which may be anybody's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SignedOrder {
    bytes: [u8; SignedOrder::BYTES],
    order: Order,
}

impl SignedOrder {
    /// Its length on the line.
    pub const BYTES: usize = SIGNED + SIGNATURE;

    /// Signs an order. The same order and key give the same bytes (RFC 8032).
    #[must_use]
    pub fn sign(order: Order, key: &SecretKey) -> SignedOrder {
        let signed = order.encode();
        let signature = key.sign(signed, None::<Noise>);
        let mut bytes = [0; SignedOrder::BYTES];
        let mut writer = Writer::new(&mut bytes);
        writer.put(&signed);
        writer.put(signature.as_ref());
        SignedOrder { bytes, order }
    }

    /// Reads an order; nothing if it is none. Whose signature it has is another question.
    #[must_use]
    pub fn decode(bytes: &[u8]) -> Option<SignedOrder> {
        let bytes: [u8; SignedOrder::BYTES] = bytes.try_into().ok()?;
        let order = Order::decode(bytes.first_chunk()?)?;
        Some(SignedOrder { bytes, order })
    }

    /// Its bytes.
    #[must_use]
    pub const fn bytes(&self) -> &[u8; SignedOrder::BYTES] {
        &self.bytes
    }

    /// What it says.
    #[must_use]
    pub const fn order(&self) -> &Order {
        &self.order
    }

    /// Whether the owner of this key signed it. On a board this is the longest piece of work.
    #[must_use]
    pub fn is_of(&self, key: &PublicKey) -> bool {
        let (signed, signature) = self.bytes.split_at(SIGNED);
        signature.try_into().is_ok_and(|signature| key.has_signed(signed, signature))
    }
}

#[cfg(test)]
mod tests {
    use ed25519_compact::{KeyPair, Seed};

    use super::*;

    fn order() -> Order {
        let order = Order {
            identity: Identity([1; 32]),
            challenge: Challenge([2; 16]),
            number: 0x0102_0304_0506_0708,
            at: 9,
            command: Command::Swap,
            slot: 3,
            length: 0,
            digest: [0; 64],
        };
        order.describing(b"a program")
    }

    fn keys() -> (SecretKey, PublicKey) {
        let pair = KeyPair::from_seed(Seed::new([5; 32]));
        (pair.sk, PublicKey::new(*pair.pk))
    }

    #[test]
    fn what_is_signed_is_read_again() {
        let (secret, public) = keys();
        let signed = SignedOrder::sign(order(), &secret);
        let read = SignedOrder::decode(signed.bytes()).expect("an order");
        assert_eq!((read.order(), read.is_of(&public)), (&order(), true));
        assert_eq!(read, signed);
        assert!(read.order().is_for(b"a program"));
        for other in [&b"a program "[..], b"a progran", b"", b"a progra"] {
            assert!(!read.order().is_for(other));
        }
    }

    #[test]
    fn every_flipped_bit_of_an_order_is_refused() {
        let (secret, public) = keys();
        let signed = SignedOrder::sign(order(), &secret);
        for bit in 0..SignedOrder::BYTES * 8 {
            let mut bytes = *signed.bytes();
            bytes[bit / 8] ^= 1 << (bit % 8);
            let believed = SignedOrder::decode(&bytes).is_some_and(|order| order.is_of(&public));
            assert!(!believed, "bit {bit}");
        }
    }

    #[test]
    fn another_key_is_not_believed() {
        let (secret, _) = keys();
        let other = PublicKey::new(*KeyPair::from_seed(Seed::new([6; 32])).pk);
        assert!(!SignedOrder::sign(order(), &secret).is_of(&other));
    }

    #[test]
    fn a_way_back_that_brings_a_program_is_no_order() {
        let (secret, _) = keys();
        let back = Order { command: Command::Back, ..order() };
        assert_eq!(SignedOrder::decode(SignedOrder::sign(back, &secret).bytes()), None);
        let back = back.describing(b"");
        assert!(SignedOrder::decode(SignedOrder::sign(back, &secret).bytes()).is_some());
    }
}
