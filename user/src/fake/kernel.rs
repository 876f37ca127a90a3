//! What calls do in a fake system. Whatever would wait for ever ends the thread.

use std::boxed::Box;
use std::collections::VecDeque;
use std::panic::resume_unwind;

use beryl_abi::call::{FOREVER, Operand, POLL};
use beryl_abi::environment::Channel;
use beryl_abi::{CallError, CallNumber, Duration, Instant, Range, Wanted};

use super::events::Signal;
use super::memory::{CEILING, STACK};
use super::messages::{Message, Shape};
use super::shared::Exclusion;
use super::{End, Host};
use crate::platform;

/// The other end of a handle.
pub(super) enum Object {
    /// Messages that wait, and how many may.
    Mailbox { messages: VecDeque<Message>, room: usize, of: Shape },
    /// An endpoint for a client. While the server answers, it isn't here.
    Answering { server: Option<Answer>, of: Shape },
    /// An endpoint for a server.
    Asking { requests: VecDeque<Message>, replies: VecDeque<Message>, of: Shape, reply: Shape },
    /// What threads share under exclusion.
    Exclusion(Exclusion),
    /// Something that happens.
    Signal(Signal),
}

/// A server as a function.
type Answer = Box<dyn FnMut(&Message) -> Message>;

impl Object {
    /// What the application has sent there.
    pub(super) fn sent(&mut self) -> Option<&mut VecDeque<Message>> {
        match self {
            Object::Mailbox { messages, .. } => Some(messages),
            Object::Asking { replies, .. } => Some(replies),
            Object::Answering { .. } | Object::Exclusion(_) | Object::Signal(_) => None,
        }
    }
}

/// What a call comes to: the words of r1 and r2, or an error.
pub(super) type Result = core::result::Result<[u32; 2], CallError>;

/// Without results.
pub(super) const DONE: Result = Ok([0, 0]);

impl Host {
    fn carry_out(&self, number: CallNumber, [first, second, third, wait]: [u32; 4]) -> Result {
        match number {
            CallNumber::Null | CallNumber::Yield => DONE,
            CallNumber::Time => Ok(halves(self.happened.borrow().now.ticks())),
            CallNumber::ExecutionTime => Ok(halves(self.happened.borrow().spent.ticks())),
            CallNumber::Stop => end(End::Stopped),
            CallNumber::WaitPeriod => self.wait_for_period(),
            CallNumber::SleepUntil => {
                let until = Instant::from_ticks(u64::from(third) << 32 | u64::from(second));
                let now = &mut self.happened.borrow_mut().now;
                *now = (*now).max(until);
                DONE
            }
            CallNumber::TraceEvent => {
                let [low, high, ..] = first.to_le_bytes();
                self.happened.borrow_mut().told.push((u16::from_le_bytes([low, high]), second));
                DONE
            }
            CallNumber::MailboxSend => self.send(first, [second, third], wait),
            CallNumber::MailboxReceive => self.receive(first, second, wait),
            CallNumber::EndpointCall => self.ask(first, [second, third]),
            CallNumber::EndpointReceive => self.request(first, second, wait),
            CallNumber::EndpointReply => {
                self.reply(first, [second, third]);
                self.request(first, third, FOREVER)
            }
            CallNumber::SemaphoreWait => self.take(first, wait),
            CallNumber::SemaphoreSignal => self.give_back(first),
            CallNumber::ConditionWait => self.wait_for_condition(first, wait),
            CallNumber::ConditionSignal | CallNumber::ConditionBroadcast => self.signal(first),
            CallNumber::EventGroupSet => self.set_bits(first, second),
            CallNumber::EventGroupClear => self.clear_bits(first, second),
            CallNumber::EventGroupWait => {
                self.wait_for_bits(first, Wanted { bits: second, how: third }, wait)
            }
            CallNumber::Notify => self.notify(first),
            CallNumber::NotificationWait => self.wait_for_word(first, second, wait),
            CallNumber::Acknowledge => self.unmask(first),
            other => panic!(
                "a fake system doesn't carry out {other:?}: try what needs it in the simulator, with `beryl sim`"
            ),
        }
    }

    fn wait_for_period(&self) -> Result {
        let mut happened = self.happened.borrow_mut();
        let (length, left) = happened.period;
        let Some(left) = left.checked_sub(1) else {
            drop(happened);
            end(End::NoRelease)
        };
        (happened.period, happened.now) = ((length, left), happened.now.after(length));
        DONE
    }

    fn send(&self, operand: u32, message: [u32; 2], wait: u32) -> Result {
        self.must_not_be_raised()?;
        let mut happened = self.happened.borrow_mut();
        let Some(Object::Mailbox { messages, room, of }) = happened.objects.get_mut(index(operand)) else {
            return Err(CallError::NoSuchObject);
        };
        if messages.len() < *room {
            messages.push_back(self.message(message, *of));
            return DONE;
        }
        drop(happened);
        self.wait(wait, End::NoRoom)
    }

    fn receive(&self, operand: u32, place: u32, wait: u32) -> Result {
        self.must_not_be_raised()?;
        let mut happened = self.happened.borrow_mut();
        let Some(Object::Mailbox { messages, of, .. }) = happened.objects.get_mut(index(operand)) else {
            return Err(CallError::NoSuchObject);
        };
        let (message, of) = (messages.pop_front(), *of);
        drop(happened);
        match message {
            Some(message) => self.keep_promise(operand, self.hand(&message, of, place)),
            None => self.wait(wait, End::NoMessage),
        }
    }

    fn ask(&self, operand: u32, request: [u32; 2]) -> Result {
        self.must_not_be_raised()?;
        let mut happened = self.happened.borrow_mut();
        let Some(Object::Answering { server, of }) = happened.objects.get_mut(index(operand)) else {
            return Err(CallError::NoSuchObject);
        };
        // Only a server that asks itself isn't there.
        let (of, mut answer) = (*of, server.take().ok_or(CallError::Deadlock)?);
        drop(happened);
        let reply = answer(&self.message(request, of));
        if let Some(Object::Answering { server, .. }) =
            self.happened.borrow_mut().objects.get_mut(index(operand))
        {
            *server = Some(answer);
        }
        Ok(self.hand(&reply, of, request[1]))
    }

    fn request(&self, operand: u32, place: u32, wait: u32) -> Result {
        self.must_not_be_raised()?;
        let mut happened = self.happened.borrow_mut();
        let Some(Object::Asking { requests, of, .. }) = happened.objects.get_mut(index(operand)) else {
            return Err(CallError::NoSuchObject);
        };
        let (request, of) = (requests.pop_front(), *of);
        drop(happened);
        request.map_or_else(|| self.wait(wait, End::NoRequest), |request| Ok(self.hand(&request, of, place)))
    }

    fn reply(&self, operand: u32, reply: [u32; 2]) {
        let mut happened = self.happened.borrow_mut();
        if let Some(Object::Asking { replies, of, reply: own, .. }) = happened.objects.get_mut(index(operand))
        {
            replies.push_back(self.message(reply, own.travelling_as(*of)));
        }
    }

    /// A message on its way to the kernel: in two registers, or at the address in the first.
    fn message(&self, [first, second]: [u32; 2], of: Shape) -> Message {
        match of.is_short() {
            true => Message([first, second][..of.words()].to_vec()),
            false => Message(self.memory.load(first, of.words())),
        }
    }

    /// A message on its way from the kernel.
    fn hand(&self, message: &Message, of: Shape, place: u32) -> [u32; 2] {
        if !of.is_short() {
            self.memory.store(place, message.words());
        }
        [0, 1].map(|word| message.words().get(word).copied().unwrap_or(0))
    }

    /// Nothing comes: until the time limit, or for ever.
    pub(super) fn wait(&self, wait: u32, why: End) -> Result {
        match wait {
            POLL => Err(CallError::WouldBlock),
            FOREVER => end(why),
            ticks => {
                let now = &mut self.happened.borrow_mut().now;
                *now = now.after(Duration::from_ticks(ticks.into()));
                Err(CallError::TimedOut)
            }
        }
    }
}

pub(super) fn index(operand: u32) -> usize {
    Operand(operand).number().into()
}

fn halves(ticks: u64) -> [u32; 2] {
    let [a, b, c, d, e, f, g, h] = ticks.to_le_bytes();
    [u32::from_le_bytes([a, b, c, d]), u32::from_le_bytes([e, f, g, h])]
}

/// Leaves the thread's function: [`Fake::thread`](super::Fake::thread) sees why.
pub(super) fn end(why: End) -> ! {
    resume_unwind(Box::new(why))
}

impl platform::Host for Host {
    fn call(&self, number: CallNumber, arguments: [u32; 4]) -> [u32; 3] {
        match self.carry_out(number, arguments) {
            Ok([first, second]) => [self.success(number as u32), first, second],
            Err(error) => [error as u32, 0, 0],
        }
    }

    fn point(&self) {}

    fn stack(&self) -> Range {
        STACK
    }

    fn memory(&self, address: u32) -> *mut u8 {
        self.memory.place(address)
    }

    fn journal(&self) -> Option<u32> {
        None
    }

    /// As high as locks of this system.
    fn section(&self) -> Option<u8> {
        Some(CEILING)
    }

    fn moment(&self) -> u32 {
        halves(self.happened.borrow().now.ticks())[0]
    }

    fn spend(&self, duration: Duration) {
        let spent = &mut self.happened.borrow_mut().spent;
        *spent = spent.plus(duration);
    }

    fn environment_read(&self, channel: Channel, value: &mut [u8]) {
        let sensors = &mut self.happened.borrow_mut().sensors;
        let Some((_, values)) = sensors.iter_mut().find(|(other, _)| *other == channel) else { return };
        let next = if values.len() > 1 { values.pop_front() } else { values.front().cloned() };
        if let Some(next) = next {
            assert_eq!(next.len(), value.len(), "bytes of a value on channel {}", channel.number());
            value.copy_from_slice(&next);
        }
    }

    fn environment_write(&self, channel: Channel, value: &[u8]) {
        self.happened.borrow_mut().written.push((channel, value.to_vec()));
    }

    fn print(&self, text: &str) {
        self.happened.borrow_mut().printed.push_str(text);
    }

    fn transmit(&self, _byte: u8) {}

    fn receive(&self) -> Option<u8> {
        self.happened.borrow_mut().typed.pop_front().flatten()
    }

    fn panicked(&self) -> ! {
        panic!("the application panicked")
    }
}
