//! A line between both ends on which anything can happen, and a slot that does what the kernel says of itself.

use std::collections::VecDeque;

use beryl_link::loader::Post;
use beryl_link::slot::CallRefused;
use beryl_link::{
    Challenge, Command, Identity, Loader, Order, Outcome, Pace, Patience, Progress, PublicKey, Sender,
    SignedOrder, SinceReset, Slot,
};
use ed25519_compact::{KeyPair, SecretKey, Seed};

/// Bytes of the loader's room.
pub const ROOM: usize = 1000;
pub const IDENTITY: Identity = Identity([0xA5; 32]);
pub const CHALLENGE: Challenge = Challenge([0; 16]);
pub const SLOT: u8 = 2;
/// The status of a busy slot.
pub const BUSY: u32 = 0xFFFF_FFF0;

pub const PATIENCE: Patience = Patience { answer: 1000, order: 1000, pause: 100, tries: 5 };

pub fn secret() -> SecretKey {
    KeyPair::from_seed(Seed::new([9; 32])).sk
}

pub fn public() -> PublicKey {
    PublicKey::new(*KeyPair::from_seed(Seed::new([9; 32])).pk)
}

/// A program that the slot's checker accepts: `length` bytes that follow from `seed`.
pub fn program(seed: u8, length: usize) -> Vec<u8> {
    (0..length).map(|place| seed.wrapping_mul(31).wrapping_add((place * place) as u8)).collect()
}

pub fn order(number: u64, program: &[u8]) -> Order {
    let order = Order {
        identity: IDENTITY,
        challenge: CHALLENGE,
        number,
        at: 0,
        command: Command::Swap,
        slot: SLOT,
        length: 0,
        digest: [0; 64],
    };
    order.describing(program)
}

pub fn signed(number: u64, program: &[u8]) -> SignedOrder {
    SignedOrder::sign(order(number, program), &secret())
}

pub fn back(number: u64) -> SignedOrder {
    SignedOrder::sign(Order { command: Command::Back, ..order(number, &[]) }, &secret())
}

pub type Board = Loader<SinceReset, ROOM>;

pub fn loader() -> Board {
    loader_with(CHALLENGE)
}

pub fn loader_with(challenge: Challenge) -> Board {
    Loader::new(Post {
        key: public(),
        identity: IDENTITY,
        slot: SLOT,
        challenge,
        numbers: SinceReset::default(),
    })
}

/// A slot as the kernel has it: the program that runs, the one before, and the one on its way.
#[derive(Default)]
pub struct ModelSlot {
    /// All programs that ever ran, in order.
    pub ran: Vec<Vec<u8>>,
    /// All that was ever written.
    pub written: Vec<Vec<u8>>,
    running: Option<Vec<u8>>,
    previous: Option<Vec<u8>>,
    spare: Option<Vec<u8>>,
    /// Steps of checking that are left.
    left: u32,
    /// Looks at a program that was accepted, before it runs.
    waits: u32,
}

impl ModelSlot {
    fn let_run(&mut self, program: Vec<u8>) {
        self.ran.push(program.clone());
        self.previous = self.running.replace(program);
    }
}

impl Slot for ModelSlot {
    fn write(&mut self, container: &[u8]) -> Result<(), CallRefused> {
        if self.spare.is_some() {
            return Err(CallRefused(BUSY));
        }
        self.written.push(container.to_vec());
        self.spare = Some(container.to_vec());
        (self.left, self.waits) = (3, 2);
        Ok(())
    }

    fn check(&mut self) -> Result<Progress, CallRefused> {
        if self.spare.is_none() {
            return Ok(Progress::Running);
        }
        if self.left > 0 {
            self.left -= 1;
            return Ok(Progress::More);
        }
        if self.spare.as_ref().is_some_and(|program| program.starts_with(b"bad")) {
            self.spare = None;
            return Ok(Progress::Refused { reason: 7, address: 3 });
        }
        if self.waits > 0 {
            self.waits -= 1;
            return Ok(Progress::Accepted);
        }
        if let Some(program) = self.spare.take() {
            self.let_run(program);
        }
        Ok(Progress::Running)
    }

    fn rollback(&mut self) -> Result<(), CallRefused> {
        match (&self.spare, self.previous.clone()) {
            (None, Some(program)) => {
                self.spare = Some(program);
                (self.left, self.waits) = (0, 1);
                Ok(())
            }
            _ => Err(CallRefused(BUSY)),
        }
    }
}

/// Which way a byte goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    ToBoard,
    ToTools,
}

/// Both ends and what is between them. A step takes a tick: a byte each way, a step of work.
pub struct Line {
    pub board: Board,
    pub slot: ModelSlot,
    pub now: u64,
    /// All bytes that the tools sent.
    pub sent: Vec<u8>,
    /// All bytes that the board sent.
    pub answered: Vec<u8>,
}

impl Line {
    pub fn new() -> Line {
        Line::with(loader())
    }

    pub fn with(board: Board) -> Line {
        Line { board, slot: ModelSlot::default(), now: 0, sent: Vec::new(), answered: Vec::new() }
    }

    /// Lets `sender` speak to the board until it knows what came of it. `fate` says what becomes of each byte: its
    /// way, how many went that way before, and the byte itself.
    pub fn exchange(
        &mut self,
        mut sender: Sender,
        program: &[u8],
        mut fate: impl FnMut(Way, usize, u8) -> Vec<u8>,
    ) -> Outcome {
        let (mut there, mut here) = (VecDeque::new(), VecDeque::new());
        for _ in 0..1_000_000 {
            if let Some(outcome) = sender.outcome() {
                return outcome;
            }
            if let Some(outgoing) = sender.say(program, self.now) {
                for byte in outgoing.as_ref() {
                    there.extend(fate(Way::ToBoard, self.sent.len(), *byte));
                    self.sent.push(*byte);
                }
            }
            if let Some(byte) = there.pop_front() {
                for byte in self.feed(&[byte]) {
                    here.extend(fate(Way::ToTools, self.answered.len(), byte));
                    self.answered.push(byte);
                }
            }
            if let Some(byte) = here.pop_front() {
                sender.hear(byte, self.now);
            }
            self.work();
            self.now += 1;
        }
        panic!("the exchange never ends")
    }

    /// Hands bytes to the board; answers what it says.
    pub fn feed(&mut self, bytes: &[u8]) -> Vec<u8> {
        let mut said = Vec::new();
        for byte in bytes {
            said.extend(
                self.board.take(*byte, self.now).iter().flat_map(|outgoing| outgoing.as_ref().to_vec()),
            );
        }
        said
    }

    pub fn work(&mut self) -> Pace {
        self.board.work(&mut self.slot, self.now)
    }

    /// Sends a program, undisturbed.
    pub fn swap(&mut self, number: u64, program: &[u8]) -> Outcome {
        self.exchange(Sender::new(signed(number, program), PATIENCE, 0), program, well)
    }
}

/// Every byte arrives.
pub fn well(_: Way, _: usize, byte: u8) -> Vec<u8> {
    vec![byte]
}
