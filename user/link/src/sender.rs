//! The tools' end: sends an order and its program, repeats what gets no answer, and says what came of it.
//!
//! One request is on the way at a time. Its answer carries its sequence number; others are late, and are passed over.

use crate::frame::{Frames, Heard, Outgoing};
use crate::message::{Answer, LONGEST_PIECE, Phase, Request, Standing, Welcome};
use crate::order::SignedOrder;
use crate::refusal::{Reason, Refusal};

/// How long to wait, in nanoseconds of whatever clock the sender is told.
#[derive(Clone, Copy, Debug)]
pub struct Patience {
    /// For an answer, before the request is repeated.
    pub answer: u64,
    /// The same for an order, whose signature takes the board a while.
    pub order: u64,
    /// Between two questions whether the program runs.
    pub pause: u64,
    /// How often a request is sent at most.
    pub tries: u8,
}

/// What came of an order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// Who is there: the answer to [`Sender::hello`].
    Welcome(Welcome),
    /// It runs, after so many steps of checking.
    Running {
        /// Steps of checking.
        steps: u32,
    },
    /// It was refused.
    Refused(Refusal),
    /// Nobody answered, however often it was asked.
    Silence,
}

/// What the sender does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    Hello,
    Order,
    Pieces { offset: u32 },
    Asking,
    Done(Outcome),
}

/// The tools' end of the link.
#[derive(Clone, Debug)]
pub struct Sender {
    order: Option<SignedOrder>,
    patience: Patience,
    frames: Frames,
    stage: Stage,
    sequence: u8,
    /// When the present request is sent next.
    due: u64,
    /// How often it was sent.
    tries: u8,
    /// How far the order has come, as last heard.
    standing: Option<Standing>,
    /// Whether the program was sent a second time.
    is_second: bool,
}

impl Sender {
    /// Asks who is there. Sequence numbers begin behind `sequence`.
    #[must_use]
    pub fn hello(patience: Patience, sequence: u8) -> Sender {
        Sender::begin(Stage::Hello, None, patience, sequence)
    }

    /// Sends an order, and the program that it describes: see [`Sender::say`].
    #[must_use]
    pub fn new(order: SignedOrder, patience: Patience, sequence: u8) -> Sender {
        Sender::begin(Stage::Order, Some(order), patience, sequence)
    }

    fn begin(stage: Stage, order: Option<SignedOrder>, patience: Patience, sequence: u8) -> Sender {
        Sender {
            order,
            patience,
            frames: Frames::default(),
            stage,
            sequence: sequence.wrapping_add(1),
            due: 0,
            tries: 0,
            standing: None,
            is_second: false,
        }
    }

    /// What came of it, as soon as that is known.
    #[must_use]
    pub fn outcome(&self) -> Option<Outcome> {
        match self.stage {
            Stage::Done(outcome) => Some(outcome),
            _ => None,
        }
    }

    /// How far the order has come, as last heard.
    #[must_use]
    pub fn standing(&self) -> Option<Standing> {
        self.standing
    }

    /// The last sequence number that was used.
    #[must_use]
    pub fn sequence(&self) -> u8 {
        self.sequence
    }

    /// When to ask [`Sender::say`] again, if nothing is heard before; nothing if all is said.
    #[must_use]
    pub fn due(&self) -> Option<u64> {
        self.outcome().is_none().then_some(self.due)
    }

    /// What to send now, if anything. `program` is the one that the order describes, each time.
    pub fn say(&mut self, program: &[u8], now: u64) -> Option<Outgoing> {
        if now < self.due || self.outcome().is_some() {
            return None;
        }
        if self.tries >= self.patience.tries {
            self.stage = Stage::Done(Outcome::Silence);
            return None;
        }
        let order = self.order.as_ref().map(SignedOrder::bytes);
        let request = match self.stage {
            Stage::Hello => Request::Hello,
            Stage::Order => Request::Order(order?),
            Stage::Pieces { offset } => Request::Piece { offset, bytes: piece(program, offset) },
            Stage::Asking => Request::Ask,
            Stage::Done(_) => return None,
        };
        let wait = if self.stage == Stage::Order { self.patience.order } else { self.patience.answer };
        self.tries = self.tries.saturating_add(1);
        self.due = now.saturating_add(wait);
        Some(request.encode(self.sequence))
    }

    /// Takes a byte from the line. Answers whether it ended something that is no frame: text, for example.
    pub fn hear(&mut self, byte: u8, now: u64) -> bool {
        let answer = match self.frames.take(byte) {
            None => return false,
            Some(Heard::Damaged) => return true,
            Some(Heard::Frame(frame)) if frame.sequence == self.sequence => Answer::decode(&frame),
            Some(Heard::Frame(_)) => None,
        };
        if let Some(answer) = answer {
            self.take(answer, now);
        }
        false
    }

    fn take(&mut self, answer: Answer, now: u64) {
        let mine = self.order.as_ref().map(|order| order.order().number);
        match (self.stage, answer) {
            (Stage::Done(_), _) => {}
            (Stage::Hello, Answer::Welcome(welcome)) => self.stage = Stage::Done(Outcome::Welcome(welcome)),
            (Stage::Hello, _) | (_, Answer::Welcome(_)) => {}
            // It is repeated when its time has come.
            (_, Answer::Refused { refusal: Refusal { reason: Reason::Damaged, .. }, .. }) => {}
            (_, Answer::Standing(standing)) if Some(standing.number) == mine => self.follow(standing, now),
            (_, Answer::Refused { number, refusal }) if number == 0 || Some(number) == mine => {
                self.refused(refusal, now);
            }
            // The board has another order by now: it says why it doesn't take this one.
            (_, Answer::Standing(_) | Answer::Refused { .. }) => self.turn(Stage::Order, now),
        }
    }

    fn follow(&mut self, standing: Standing, now: u64) {
        self.standing = Some(standing);
        match standing.phase {
            Phase::Receiving => self.turn(Stage::Pieces { offset: standing.count }, now),
            Phase::Running => self.stage = Stage::Done(Outcome::Running { steps: standing.count }),
            Phase::Waiting | Phase::Checking | Phase::Accepted => {
                let pause = self.patience.pause;
                self.turn(Stage::Asking, now.saturating_add(pause));
            }
        }
    }

    fn refused(&mut self, refusal: Refusal, now: u64) {
        match refusal.reason {
            // Something happened to the program on its way, or the board was reset: once more, but only once.
            Reason::Digest | Reason::NoOrder if !self.is_second => {
                self.is_second = true;
                self.turn(Stage::Order, now);
            }
            _ => self.stage = Stage::Done(Outcome::Refused(refusal)),
        }
    }

    /// The next request, due at an instant.
    fn turn(&mut self, stage: Stage, due: u64) {
        (self.stage, self.due, self.tries) = (stage, due, 0);
        self.sequence = self.sequence.wrapping_add(1);
    }
}

fn piece(program: &[u8], offset: u32) -> &[u8] {
    let from = usize::try_from(offset).unwrap_or(usize::MAX);
    let rest = program.get(from..).unwrap_or_default();
    rest.get(..LONGEST_PIECE).unwrap_or(rest)
}
