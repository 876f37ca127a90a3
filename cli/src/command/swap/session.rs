//! A session with a board: identify it, then send one order after another. It has no clock and no line:
//! instants in nanoseconds and bytes go in, bytes come out.

use std::collections::VecDeque;

use anyhow::anyhow;
use beryl_link::message::VERSION;
use beryl_link::{
    Challenge, Command, Identity, Order, Outcome, Outgoing, Patience, Phase, Refusal, Sender, SignedOrder,
    Standing, Welcome,
};
use ed25519_compact::SecretKey;

/// What to send, and to which board.
pub struct Exchange {
    /// Signs the orders.
    pub key: SecretKey,
    /// The image that the board should run.
    pub identity: Identity,
    /// The slot.
    pub slot: u8,
    /// The program in its container.
    pub program: Vec<u8>,
    /// The commands and when to carry them out: ticks of kernel time, or 0 for as soon as possible.
    pub orders: Vec<(Command, u64)>,
}

/// News of a session.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum News {
    /// A board answered.
    Met(Welcome),
    /// An order has reached this phase.
    Standing(Command, Standing),
    /// An order is done: its program runs, after this many checking steps.
    Running(Command, u32),
    /// An order was refused.
    Refused(Command, Refusal),
}

/// A session and its progress.
pub struct Session {
    plan: Exchange,
    patience: Patience,
    orders: VecDeque<(Command, u64)>,
    present: Option<Command>,
    sender: Sender,
    welcome: Option<Welcome>,
    /// The bytes since the last zero: perhaps text.
    since_zero: Vec<u8>,
    /// Bytes outside of frames: the system's output.
    text: String,
    news: Vec<News>,
    /// The last phase reported for the order.
    told: Option<Phase>,
    over: Option<Result<(), anyhow::Error>>,
}

/// The longest text kept between two frames.
const LONGEST_TEXT: usize = 4096;

impl Session {
    /// A session that hasn't sent anything yet.
    pub fn new(plan: Exchange, patience: Patience) -> Session {
        Session {
            orders: plan.orders.iter().copied().collect(),
            plan,
            patience,
            present: None,
            sender: Sender::hello(patience, 0),
            welcome: None,
            since_zero: Vec::new(),
            text: String::new(),
            news: Vec::new(),
            told: None,
            over: None,
        }
    }

    /// The same, asking for the board with another patience.
    pub fn greeting(self, patience: Patience) -> Session {
        Session { sender: Sender::hello(patience, 0), ..self }
    }

    /// When to send something if nothing arrives before.
    pub fn due(&self) -> Option<u64> {
        if self.over.is_some() { None } else { self.sender.due() }
    }

    /// The bytes to send now, if any.
    pub fn say(&mut self, now: u64) -> Option<Outgoing> {
        let said = if self.over.is_some() { None } else { self.sender.say(&self.plan.program, now) };
        self.advance();
        said
    }

    /// Takes a received byte.
    pub fn hear(&mut self, byte: u8, now: u64) {
        if self.sender.hear(byte, now) {
            self.text += &String::from_utf8_lossy(&self.since_zero);
        }
        match byte {
            0 => self.since_zero.clear(),
            byte if self.since_zero.len() < LONGEST_TEXT => self.since_zero.push(byte),
            _ => {}
        }
        self.advance();
    }

    /// The news since the last call.
    pub fn news(&mut self) -> Vec<News> {
        std::mem::take(&mut self.news)
    }

    /// Whether everything has been sent, or nothing more can be.
    pub fn is_over(&self) -> bool {
        self.over.is_some()
    }

    /// The outcome: an error if no board answered, or the wrong one; and the text outside of frames.
    pub fn end(self) -> (Result<(), anyhow::Error>, String) {
        let unfinished = || Err(anyhow!("the run ended before the board had answered"));
        (self.over.unwrap_or_else(unfinished), self.text)
    }

    fn advance(&mut self) {
        if self.over.is_some() {
            return;
        }
        if let (Some(command), Some(standing)) = (self.present, self.sender.standing()) {
            // That a program runs is reported as the order's outcome.
            if self.told != Some(standing.phase) && standing.phase != Phase::Running {
                self.told = Some(standing.phase);
                self.news.push(News::Standing(command, standing));
            }
        }
        let Some(outcome) = self.sender.outcome() else { return };
        match (outcome, self.present) {
            (Outcome::Welcome(welcome), _) => self.meet(welcome),
            (Outcome::Running { steps }, Some(command)) => {
                self.news.push(News::Running(command, steps));
                self.next();
            }
            (Outcome::Refused(refusal), Some(command)) => {
                self.news.push(News::Refused(command, refusal));
                self.over = Some(Ok(()));
            }
            (Outcome::Silence, Some(_)) => {
                self.over =
                    Some(Err(anyhow!("the board doesn't answer any more; what it does now isn't known")));
            }
            (Outcome::Silence, None) => {
                self.over = Some(Err(anyhow!(
                    "nobody answers; the system needs a loader on its console, as examples/landing has one"
                )));
            }
            (Outcome::Running { .. } | Outcome::Refused(_), None) => {}
        }
    }

    /// Checks which board answered, and begins with the first order.
    fn meet(&mut self, welcome: Welcome) {
        let Exchange { identity, slot, program, .. } = &self.plan;
        let fits = usize::try_from(welcome.room).is_ok_and(|room| program.len() <= room);
        let problem = if welcome.version != VERSION {
            Some(format!(
                "the board speaks version {} of the link, this is version {VERSION}",
                welcome.version
            ))
        } else if welcome.identity != *identity {
            Some(format!(
                "the board runs another image: {} instead of {}; build and load this one, or name the system that it \
                 runs",
                hex(&welcome.identity),
                hex(identity)
            ))
        } else if welcome.slot != *slot {
            Some(format!("the board's link is for slot {}, not for slot {slot}", welcome.slot))
        } else if !fits {
            let (has, room) = (program.len(), welcome.room);
            Some(format!("the program has {has} bytes, the board has room for {room}; make its slot larger"))
        } else {
            None
        };
        self.news.push(News::Met(welcome));
        self.welcome = Some(welcome);
        match problem {
            Some(problem) => self.over = Some(Err(anyhow!(problem))),
            None => self.next(),
        }
    }

    /// Signs and sends the next order.
    fn next(&mut self) {
        let (Some(welcome), Some((command, at))) = (self.welcome.as_mut(), self.orders.pop_front()) else {
            self.over = Some(Ok(()));
            return;
        };
        let Some(number) = welcome.last.checked_add(1).filter(|number| *number <= LAST_NUMBER) else {
            let problem =
                anyhow!("the board says that its last order had number {}, which can't be", welcome.last);
            self.over = Some(Err(problem));
            return;
        };
        welcome.last = number;
        let order = Order {
            identity: self.plan.identity,
            challenge: Challenge(welcome.challenge.0),
            number,
            at,
            command,
            slot: self.plan.slot,
            length: 0,
            digest: [0; 64],
        };
        let program: &[u8] = if command == Command::Swap { &self.plan.program } else { &[] };
        let signed = SignedOrder::sign(order.describing(program), &self.plan.key);
        self.sender = Sender::new(signed, self.patience, self.sender.sequence());
        (self.present, self.told) = (Some(command), None);
    }
}

/// No board has received that many orders; a higher number would make the next order the last one that the
/// board accepts.
const LAST_NUMBER: u64 = 1 << 48;

/// The first digits of an identity.
fn hex(identity: &Identity) -> String {
    identity.0.iter().take(8).map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use beryl_link::loader::Post;
    use beryl_link::slot::CallRefused;
    use beryl_link::{Loader, Numbers, Progress, PublicKey, Slot};
    use ed25519_compact::{KeyPair, Seed};

    use super::*;

    const PATIENCE: Patience = Patience { answer: 100, order: 100, pause: 1, tries: 3 };

    /// A slot that accepts everything, with order numbers that start anywhere.
    struct Willing;

    impl Slot for Willing {
        fn write(&mut self, _container: &[u8]) -> Result<(), CallRefused> {
            Ok(())
        }

        fn check(&mut self) -> Result<Progress, CallRefused> {
            Ok(Progress::Running)
        }

        fn rollback(&mut self) -> Result<(), CallRefused> {
            Ok(())
        }
    }

    struct From(u64);

    impl Numbers for From {
        fn last(&self) -> u64 {
            self.0
        }

        fn keep(&mut self, number: u64) {
            self.0 = number;
        }
    }

    /// The outcome of a session with a board for image 1 and slot 0, whose last order had the number `last`.
    fn session(last: u64, identity: u8, slot: u8, length: usize) -> (Vec<News>, Result<(), String>, String) {
        session_until(usize::MAX, last, identity, slot, length)
    }

    /// The same with a board that falls silent after a number of bytes.
    fn session_until(
        mut left: usize,
        last: u64,
        identity: u8,
        slot: u8,
        length: usize,
    ) -> (Vec<News>, Result<(), String>, String) {
        let pair = KeyPair::from_seed(Seed::new([3; 32]));
        let post = Post {
            key: PublicKey::new(*pair.pk),
            identity: Identity([1; 32]),
            slot: 0,
            challenge: Challenge([4; 16]),
            numbers: From(last),
        };
        let mut board = Loader::<_, 100>::new(post);
        let plan = Exchange {
            key: pair.sk,
            identity: Identity([identity; 32]),
            slot,
            program: vec![7; length],
            orders: vec![(Command::Swap, 0), (Command::Back, 0)],
        };
        let mut session = Session::new(plan, PATIENCE);
        let (mut news, mut now) = (Vec::new(), 0);
        b"the system prints\0".iter().for_each(|byte| session.hear(*byte, 0));
        while !session.is_over() {
            let said = session.say(now);
            for byte in said.iter().flat_map(|frame| frame.as_ref().to_vec()) {
                for byte in board.take(byte, now).iter().flat_map(|frame| frame.as_ref().to_vec()) {
                    if left > 0 {
                        session.hear(byte, now);
                    }
                    left = left.saturating_sub(1);
                }
            }
            board.work(&mut Willing, now);
            board.work(&mut Willing, now);
            news.extend(session.news());
            now += 1;
            assert!(now < 100_000, "it waits for ever");
        }
        let (end, text) = session.end();
        (news, end.map_err(|reason| reason.to_string()), text)
    }

    #[test]
    fn orders_are_given_one_after_the_other_with_the_next_numbers() {
        let (news, end, text) = session(41, 1, 0, 50);
        assert_eq!((end, text.as_str()), (Ok(()), "the system prints"));
        let standing = |number, phase| Standing { number, phase, count: 0 };
        let [News::Met(welcome), rest @ ..] = news.as_slice() else { panic!("{news:?}") };
        assert_eq!(welcome.last, 41);
        let expected = [
            News::Standing(Command::Swap, standing(42, Phase::Receiving)),
            News::Standing(Command::Swap, standing(42, Phase::Waiting)),
            News::Running(Command::Swap, 0),
            News::Standing(Command::Back, standing(43, Phase::Waiting)),
            News::Running(Command::Back, 0),
        ];
        assert_eq!(rest, expected);
    }

    /// Wherever the board falls silent, the session ends soon and says how.
    #[test]
    fn a_board_that_stops_talking_is_given_up() {
        let mut ends = Vec::new();
        for bytes in 0.. {
            let (_, end, _) = session_until(bytes, 41, 1, 0, 50);
            ends.push(end.clone().map_err(|reason| reason.split(';').next().unwrap_or_default().to_owned()));
            if end.is_ok() {
                break;
            }
        }
        ends.dedup();
        let silent = |words: &str| Err(words.to_owned());
        assert_eq!(ends, [silent("nobody answers"), silent("the board doesn't answer any more"), Ok(())]);
    }

    #[test]
    fn a_board_that_is_not_the_one_that_was_meant_gets_no_order() {
        let cases = [
            ((0, 2, 0, 50), "the board runs another image: 0101010101010101 instead of 0202020202020202"),
            ((0, 1, 3, 50), "the board's link is for slot 0, not for slot 3"),
            ((0, 1, 0, 101), "the program has 101 bytes, the board has room for 100"),
            ((LAST_NUMBER, 1, 0, 50), "the board says that its last order had number 281474976710656"),
        ];
        for ((last, identity, slot, length), reason) in cases {
            let (news, end, _) = session(last, identity, slot, length);
            assert!(matches!(news[..], [News::Met(_)]), "{news:?}");
            let said = end.expect_err(reason);
            assert!(said.starts_with(reason), "{said}");
        }
    }
}
