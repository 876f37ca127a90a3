//! A system for unit tests: what an application asks its sensors, its clock and its objects for comes from the test, and
//! what it does is kept for the test. There is no kernel and no simulator, and nobody else runs.
//!
//! ```
//! use beryl_user::environment::{self, Channel};
//! use beryl_user::fake::Fake;
//!
//! const LEVEL: Channel = Channel::new(0);
//! const PUMP: Channel = Channel::new(1);
//!
//! fn fill() {
//!     let mut level = 0_i32;
//!     environment::read(LEVEL, &mut level);
//!     environment::write(PUMP, &(100 - level));
//! }
//!
//! let fake = Fake::new();
//! fake.sensor(LEVEL, [30, 70]);
//! fake.run(|| (fill(), fill()));
//! assert_eq!(fake.written::<i32>(PUMP), [70, 30]);
//! ```
//!
//! A thread's function gets handles whose other end is the test's. It ends where it would wait for ever:
//!
//! ```
//! use beryl_user::fake::{End, Fake};
//! use beryl_user::mailbox::{Receiver, Sender};
//!
//! fn double(mut numbers: Receiver<i32>, mut doubled: Sender<i32>) -> ! {
//!     loop {
//!         if let Ok(number) = numbers.receive() {
//!             let _ = doubled.send(&(2 * number));
//!         }
//!     }
//! }
//!
//! let fake = Fake::new();
//! let (numbers, (doubled, sent)) = (fake.receiver([3, 4]), fake.sender(8));
//! let end = fake.thread(|| double(numbers, doubled));
//! assert_eq!((end, sent.take()), (End::NoMessage, vec![6, 8]));
//! ```

mod events;
mod kernel;
mod memory;
mod messages;
mod shared;

pub use events::{Group, Notified, Unmasked};
pub use shared::{Ownership, Shared, Signals, Units};

use std::boxed::Box;
use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::string::String;
use std::vec::Vec;

use core::cell::RefCell;
use core::marker::PhantomData;

use beryl_abi::environment::Channel;
use beryl_abi::{Duration, EndpointId, Instant, MailboxId};

use crate::endpoint::{Client, Server};
use crate::mailbox::{Receiver, Sender};
use crate::period::Period;
use crate::platform::with_host;
use crate::port::{self, Plain};
use crate::state::{Reader, Writer};

use events::Word;
use kernel::Object;
use memory::Memory;
use messages::{Message, value};

/// Why a thread's function ended: it never does on a board, where others would have gone on instead of waiting for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// It has had all releases of its period.
    NoRelease,
    /// It waits for a message that never comes.
    NoMessage,
    /// It waits for a request that never comes.
    NoRequest,
    /// It waits for room in a mailbox that nobody empties.
    NoRoom,
    /// It waits for a binary semaphore that another thread has.
    NotFree,
    /// It waits for a unit of a counting semaphore.
    NoUnit,
    /// It waits for a condition that nobody signals.
    NoSignal,
    /// It waits for bits of an event group that nobody sets.
    NoBits,
    /// It waits for a notification or an interrupt that never comes.
    NoNotification,
    /// It has stopped itself.
    Stopped,
}

/// A system that is none.
pub struct Fake {
    host: &'static Host,
}

/// What the application reaches. It lives as long as the program: a test's few kilobytes.
struct Host {
    memory: Memory,
    happened: RefCell<Happened>,
}

/// What the test has prepared, and what the application has done.
#[derive(Default)]
struct Happened {
    /// By the numbers of their channels.
    sensors: Vec<(Channel, VecDeque<Vec<u8>>)>,
    written: Vec<(Channel, Vec<u8>)>,
    printed: String,
    /// What is found at the console's receiver, look by look.
    typed: VecDeque<Option<u8>>,
    told: Vec<(u16, u32)>,
    spent: Duration,
    now: Instant,
    /// How long the period is, and how many releases are left.
    period: (Duration, u32),
    objects: Vec<Object>,
    word: Word,
    /// Whether the semaphore that the call under way takes had an owner that stopped.
    owner_died: bool,
}

impl Default for Fake {
    fn default() -> Fake {
        Fake::new()
    }
}

impl Fake {
    /// One in which nothing has happened, at the start of time.
    #[must_use]
    pub fn new() -> Fake {
        let host = Host { memory: Memory::new(), happened: RefCell::default() };
        Fake { host: Box::leak(Box::new(host)) }
    }

    /// Calls code that ends, and returns what it returns.
    pub fn run<R>(&self, body: impl FnOnce() -> R) -> R {
        with_host(self.host, body)
    }

    /// Calls the function of a thread, until it would wait for ever. A panic in it is the test's. Of what it still has
    /// then, the owner has died.
    pub fn thread<R>(&self, body: impl FnOnce() -> R) -> End {
        let ended = catch_unwind(AssertUnwindSafe(|| self.run(body)));
        self.host.leave_all();
        match ended {
            Ok(_) => End::Stopped,
            Err(reason) => match reason.downcast::<End>() {
                Ok(end) => *end,
                Err(panic) => resume_unwind(panic),
            },
        }
    }

    /// What a sensor gives from now on: one value each time it is read, and the last one for ever. Without any, what
    /// the application has stays unchanged.
    pub fn sensor<T: Plain>(&self, channel: Channel, values: impl IntoIterator<Item = T>) {
        let values = values.into_iter().map(|value| port::bytes(&value).to_vec()).collect();
        let sensors = &mut self.host.happened.borrow_mut().sensors;
        sensors.retain(|(other, _)| *other != channel);
        sensors.push((channel, values));
    }

    /// What was written to an actuator since this was asked last, in order.
    ///
    /// # Panics
    ///
    /// If a value has another length than `T`: the application and the test don't mean the same type.
    #[must_use]
    pub fn written<T: Plain>(&self, channel: Channel) -> Vec<T> {
        let written = &mut self.host.happened.borrow_mut().written;
        let values = written.extract_if(.., |(other, _)| *other == channel);
        values
            .map(|(_, bytes)| {
                assert_eq!(bytes.len(), size_of::<T>(), "bytes of a value on channel {}", channel.number());
                value(&bytes)
            })
            .collect()
    }

    /// What was printed since this was asked last.
    #[must_use]
    pub fn printed(&self) -> String {
        core::mem::take(&mut self.host.happened.borrow_mut().printed)
    }

    /// What was told to the trace ([`tell`](crate::trace::tell)) since this was asked last: which event, and its value.
    #[must_use]
    pub fn told(&self) -> Vec<(u16, u32)> {
        core::mem::take(&mut self.host.happened.borrow_mut().told)
    }

    /// How much processor time was used up by [`spend`](crate::call::spend).
    #[must_use]
    pub fn spent(&self) -> Duration {
        self.host.happened.borrow().spent
    }

    /// Kernel time. It passes where the application sleeps, waits with a time limit or for its period, and nowhere else.
    #[must_use]
    pub fn now(&self) -> Instant {
        self.host.happened.borrow().now
    }

    /// Lets time go on to an instant.
    ///
    /// # Panics
    ///
    /// If it is past.
    pub fn go_on_to(&self, instant: Instant) {
        let now = &mut self.host.happened.borrow_mut().now;
        assert!(*now <= instant, "time doesn't go back");
        *now = instant;
    }

    /// A period of this length for a thread that has `jobs` jobs: at the end of the last one it ends.
    #[must_use]
    pub fn period(&self, length: Duration, jobs: u32) -> Period {
        self.host.happened.borrow_mut().period = (length, jobs.saturating_sub(1));
        // SAFETY: the kernel of this host knows periods.
        unsafe { Period::new() }
    }

    /// The receiving side of a mailbox in which these messages are.
    #[must_use]
    pub fn receiver<T: Plain>(&self, messages: impl IntoIterator<Item = T>) -> Receiver<T> {
        let messages = messages.into_iter().map(|message| Message::of(&message)).collect();
        let number = self.add(Object::Mailbox { messages, room: usize::MAX, of: Message::shape::<T>() });
        // SAFETY: a mailbox of this host, with messages of this type.
        unsafe { Receiver::new(MailboxId(number)) }
    }

    /// The sending side of a mailbox that has room for so many messages, and what was sent.
    #[must_use]
    pub fn sender<T: Plain>(&self, room: usize) -> (Sender<T>, Sent<T>) {
        let mailbox = Object::Mailbox { messages: VecDeque::new(), room, of: Message::shape::<T>() };
        let number = self.add(mailbox);
        // SAFETY: a mailbox of this host, with messages of this type.
        let sender = unsafe { Sender::new(MailboxId(number)) };
        (sender, Sent { host: self.host, number, _messages: PhantomData })
    }

    /// What is found at the console's receiver, one of these each time that somebody looks: a byte, or nothing. Afterwards there
    /// is nothing. Its interrupt comes as [`Fake::coming`] says.
    pub fn typed(&self, looks: impl IntoIterator<Item = Option<u8>>) {
        self.host.happened.borrow_mut().typed.extend(looks);
    }

    /// The client's side of an endpoint whose server is `answer`.
    #[must_use]
    pub fn client<Q: Plain, R: Plain>(&self, mut answer: impl FnMut(Q) -> R + 'static) -> Client<Q, R> {
        let server = move |request: &Message| Message::of(&answer(request.value()));
        let number = self.add(Object::Answering {
            server: Some(Box::new(server)),
            of: Message::shape::<Q>().with(Message::shape::<R>()),
        });
        // SAFETY: an endpoint of this host, with messages of these types.
        unsafe { Client::new(EndpointId(number)) }
    }

    /// The server's side of an endpoint at which these requests come, one after the other, and what it replied.
    #[must_use]
    pub fn server<Q: Plain, R: Plain>(
        &self,
        requests: impl IntoIterator<Item = Q>,
    ) -> (Server<Q, R>, Sent<R>) {
        let messages = requests.into_iter().map(|request| Message::of(&request)).collect();
        let number = self.add(Object::Asking {
            requests: messages,
            replies: VecDeque::new(),
            of: Message::shape::<Q>().with(Message::shape::<R>()),
            reply: Message::shape::<R>(),
        });
        // SAFETY: an endpoint of this host, with messages of these types.
        let server = unsafe { Server::new(EndpointId(number)) };
        (server, Sent { host: self.host, number, _messages: PhantomData })
    }

    /// Both sides of a state message that has this value: one is for the application, the other for the test, which
    /// writes and reads inside of [`Fake::run`].
    #[must_use]
    pub fn state<T: Plain>(&self, initial: T) -> (Writer<T>, Reader<T>) {
        let message = Message::of(&initial);
        let depth = if message.words().len() > 1 { 4 } else { 1 };
        let (index, base) = self.host.memory.state(message.words(), depth);
        // SAFETY: memory for this state message alone, whose buffers have the initial value.
        unsafe { (Writer::new(index, base, depth), Reader::new(index, base, depth)) }
    }

    fn add(&self, object: Object) -> u8 {
        let objects = &mut self.host.happened.borrow_mut().objects;
        objects.push(object);
        u8::try_from(objects.len() - 1).expect("at most 256 objects in one test")
    }
}

/// What a mailbox's sender has sent, or what a server has replied.
pub struct Sent<T> {
    host: &'static Host,
    number: u8,
    _messages: PhantomData<T>,
}

impl<T: Plain> Sent<T> {
    /// Takes all of it, in order. Of a mailbox, that makes room.
    #[must_use]
    pub fn take(&self) -> Vec<T> {
        let mut happened = self.host.happened.borrow_mut();
        let sent = happened.objects.get_mut(usize::from(self.number)).and_then(Object::sent);
        sent.map(core::mem::take).unwrap_or_default().iter().map(Message::value).collect()
    }
}

#[cfg(test)]
mod tests;
