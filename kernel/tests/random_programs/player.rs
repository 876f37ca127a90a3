//! Whoever runs does something; or time passes, or something happens from outside.

use std::collections::BTreeMap;

use beryl_abi::call::{FOREVER, LONGEST_WAIT, Operand, POLL};
use beryl_abi::{CallNumber as C, SemaphoreId, ThreadId};
use beryl_kernel::{Place, Sizes, Table, ThreadKind};
use beryl_testing::{Draw, XorShiftStar as Random};

use crate::host::objects::{memory, stack};
use crate::host::user::level;
use crate::model::twins::Twins;
use crate::plan::{APART, Plan};

/// Twins, and what their threads remember.
pub struct Player<'a, S: Sizes> {
    plan: &'a Plan<S>,
    pub twins: Twins<'a, S>,
    random: Random,
    /// What each thread's word was before the locks that it holds.
    nested: BTreeMap<ThreadId, Vec<u32>>,
    /// How often each answer came of each call.
    pub answers: BTreeMap<String, usize>,
}

impl<'a, S: Sizes> Player<'a, S> {
    pub fn new(plan: &'a Plan<S>, seed: u64) -> Player<'a, S> {
        let mut twins = Twins::new(&plan.system, &plan.tasks);
        // Runs that aren't recorded take the ordinary way, recorded ones the other.
        twins.rig.kernel.state.set_tracing(seed.is_multiple_of(2));
        Player {
            plan,
            twins,
            random: Random::from_zero(seed ^ 0x5EED),
            nested: BTreeMap::new(),
            answers: BTreeMap::new(),
        }
    }

    /// One thing happens.
    pub fn step(&mut self) {
        let seen = self.twins.host().log.len();
        self.something();
        for thread in std::mem::take(&mut self.twins.host().restarted) {
            self.nested.remove(&thread);
        }
        let numbers: Vec<_> = self.twins.host().log[seen..].to_vec();
        for line in numbers {
            self.count(&line);
        }
    }

    fn something(&mut self) {
        let (now, alarm) = (self.twins.host().clock, self.twins.host().alarm);
        if alarm.is_due(now) {
            return self.twins.alarm();
        }
        let me = self.twins.running();
        let idle = self.plan.system.threads.at(me.index()).kind == ThreadKind::Idle;
        match self.random.below(40) {
            0..=3 => self.time_passes(),
            4 => self.interrupt(),
            5 if self.random.once_in(3) && !idle => self.twins.fault(),
            6 if self.random.once_in(6) => self.call(C::Stop, [0; 4]),
            _ if idle && !self.random.once_in(6) => self.time_passes(),
            7..=15 if !idle => self.user_code(),
            16..=19 if !idle => self.release_something(),
            _ => self.any_call(),
        }
    }

    /// To the next alarm, a little beyond it, or somewhere before.
    fn time_passes(&mut self) {
        let (now, alarm) = (self.twins.host().clock.ticks(), self.twins.host().alarm.ticks());
        let alarm = alarm.min(now + 200);
        let until = match self.random.below(4) {
            0 => self.random.within(now, alarm),
            1 => alarm + self.random.within(0, 40),
            _ => alarm,
        };
        self.twins.pass(until);
    }

    fn interrupt(&mut self) {
        let lines: Vec<_> = self.twins.host().unmasked.iter().map(|line| line.0).collect();
        match self.random.once_in(5) {
            true => self.twins.interrupt(77),
            false if lines.is_empty() => {}
            false => self.twins.interrupt(*self.random.one_of(&lines)),
        }
    }

    /// Without the kernel, if it isn't needed.
    fn user_code(&mut self) {
        let me = self.twins.running();
        let row = *self.plan.system.threads.at(me.index());
        match self.random.below(4) {
            0 if row.highest_ceiling > 0 => self.raise(me, row.level, row.highest_ceiling),
            1 => self.lower(me),
            2 => self.short_way(me),
            _ => {
                let offset = 4 * self.random.below(64) as u32;
                let value = self.random.next() as u32;
                self.twins.write(memory(row.process.0).address + offset, value);
            }
        }
    }

    fn raise(&mut self, me: ThreadId, own: u8, highest: u8) {
        let before = self.twins.host().word(level(me));
        let ceiling = self.random.within(own.into(), highest.into()) as u32;
        self.nested.entry(me).or_default().push(before);
        self.twins.write(level(me), before.max(ceiling));
    }

    fn lower(&mut self, me: ThreadId) {
        let Some(before) = self.nested.entry(me).or_default().pop() else { return };
        self.twins.write(level(me), before);
        if before < self.twins.host().word(level(me) + 4) {
            self.call(C::Preempt, [0; 4]);
        }
    }

    /// A semaphore by its word.
    fn short_way(&mut self, me: ThreadId) {
        let process = self.plan.system.threads.at(me.index()).process;
        let own = |(id, _): &&(SemaphoreId, u32)| {
            self.plan.system.semaphores.at(id.index()).processes >> process.0 & 1 == 1
        };
        let Some((semaphore, word)) = self.plan.words.iter().find(own).copied() else { return };
        let mine = u32::from(me.0) + 1;
        match self.twins.host().word(word) {
            0 => self.twins.write(word, mine),
            value if value == mine => self.twins.write(word, 0),
            value if value & 0xFF == mine => self.call(C::SemaphoreSignal, [semaphore.0.into(), 0, 0, 0]),
            _ => {
                let wait = self.patience();
                self.call(C::SemaphoreWait, [semaphore.0.into(), 0, 0, wait]);
            }
        }
    }

    /// Threads that only take come to an end soon.
    fn release_something(&mut self) {
        let me = self.twins.running();
        let owned = self.twins.model.owned_by(me.index());
        if let Some(semaphore) = owned.first() {
            return self.call(C::SemaphoreSignal, [*semaphore as u32, 0, 0, 0]);
        }
        let serving = (0..2).find(|endpoint| {
            let server = self.plan.system.endpoints.at(*endpoint).server;
            server == me && self.twins.model.serving[*endpoint].is_some()
        });
        match serving {
            Some(endpoint) => self.exchange(C::EndpointReply, endpoint as u32),
            None => self.lower(me),
        }
    }

    fn any_call(&mut self) {
        let then = self.promise();
        let wait = self.patience();
        let random_word = self.random.next() as u32;
        let random = &mut self.random;
        let object = |random: &mut Random, length: usize| {
            if random.once_in(30) { random.next() as u32 & 0xFF } else { random.below(length) as u32 }
        };
        let number = loop {
            let number = *random.one_of(&CALLS);
            if random.once_in(20) || self.plan.fits(self.twins.model.running, number) {
                break number;
            }
        };
        let semaphore = object(random, S::Semaphores::LENGTH.min(4));
        match number {
            C::SemaphoreWait => self.call(number, [semaphore | then, 0, 0, wait]),
            C::SemaphoreSignal => self.call(number, [semaphore, 0, 0, 0]),
            C::ConditionWait => {
                let condition = object(random, 2);
                let owned = self.twins.model.owned_by(self.twins.running().index());
                let lock = owned.first().map_or(0, |lock| (*lock as u32 + 1) << 8);
                let then = if self.random.once_in(8) { then } else { lock };
                self.call(number, [condition | then, 0, 0, wait]);
            }
            C::ConditionSignal | C::ConditionBroadcast => {
                let condition = object(random, 2);
                self.call(number, [condition, 0, 0, 0]);
            }
            C::MailboxSend | C::MailboxReceive => {
                let hears = S::SUPERVISED && random.once_in(2);
                let mailbox = if hears { 4 } else { object(random, 4) };
                let value = if mailbox >= 2 { self.address(64) } else { random_word };
                self.call(number, [mailbox | then, value, value ^ 1, wait]);
            }
            C::EndpointCall | C::EndpointReceive | C::EndpointReply => {
                let mut endpoint = object(random, 2);
                if number != C::EndpointCall && !random.once_in(6) {
                    let own = |at: &usize| self.plan.system.endpoints.at(*at).server == self.twins.running();
                    endpoint = (0..2).find(own).map_or(endpoint, |at| at as u32);
                }
                self.exchange_with(number, endpoint | then, wait);
            }
            C::Notify => {
                let (object, bits) = (object(random, 3), random_word & 0xF);
                self.call(number, [object, bits, 0, 0]);
            }
            C::NotificationWait => {
                let acknowledged =
                    if random.once_in(2) { Operand::NO_OBJECT.into() } else { object(random, 2) };
                self.call(number, [acknowledged | then, random_word & 0x3F, 0, wait]);
            }
            C::Acknowledge => {
                let interrupt = object(random, 2);
                self.call(number, [interrupt, 0, 0, 0]);
            }
            C::EventGroupSet | C::EventGroupClear => {
                let (group, bits) = (object(random, 2), random_word & 0xF);
                self.call(number, [group, bits, 0, 0]);
            }
            C::EventGroupWait => {
                let bits = if random.once_in(30) { 0 } else { random_word & 7 | 1 << random.below(4) };
                let how = if random.once_in(20) { random_word } else { random.below(4) as u32 };
                let group = object(random, 2);
                self.call(number, [group | then, bits, how, wait]);
            }
            C::SetPriority => {
                let length = S::Threads::LENGTH;
                // Most of them concern somebody who isn't alone in a queue, if anybody is.
                let crowd = self.twins.model.crowd();
                let thread = match !random.once_in(4) && !crowd.is_empty() {
                    true => *random.one_of(&crowd) as u32,
                    false => object(random, length),
                };
                let priority = match self.plan.system.threads.rows().get(thread as usize).map(|row| row.place)
                {
                    Some(Place::Fixed { least, most, .. }) if !random.once_in(8) => {
                        random.within(least.into(), most.into()) as u32
                    }
                    _ => random_word % 9,
                };
                self.call(number, [thread, priority, 0, 0]);
            }
            C::SleepUntil => {
                let until = self.apart(self.random.clone().within(1, 60));
                self.call(number, [Operand::NO_OBJECT as u32 | then, until as u32, (until >> 32) as u32, 0]);
            }
            C::WaitPeriod => {
                let then = if self.plan.together { 0 } else { then };
                self.call(number, [Operand::NO_OBJECT as u32 | then, 0, 0, 0]);
            }
            C::StateMessageRead => {
                let (message, to) = (object(random, 3), self.address(140));
                self.call(number, [message, to, 0, 0]);
            }
            _ => self.call(number, [random_word, 0, 0, wait]),
        }
    }

    fn exchange(&mut self, number: C, endpoint: u32) {
        let wait = self.patience();
        self.exchange_with(number, endpoint, wait);
    }

    /// Short messages in registers, long ones at addresses.
    fn exchange_with(&mut self, number: C, operand: u32, wait: u32) {
        let long = operand & 0xFF == 1;
        // Who always gives up soon is seldom answered.
        let is_patient = number == C::EndpointCall && !self.random.once_in(4);
        let wait = if is_patient { FOREVER } else { wait };
        let word = |player: &mut Self| if long { player.address(64) } else { player.random.next() as u32 };
        let (second, third) = (word(self), word(self));
        self.call(number, [operand, second, third, wait]);
    }

    /// An address for a message, good in most cases.
    fn address(&mut self, length: u32) -> u32 {
        let me = self.twins.running();
        let process = self.plan.system.threads.at(me.index()).process.0;
        match self.random.below(12) {
            0 => self.random.next() as u32,
            1 => memory(1 - process).address,
            2 => memory(process).address + 2,
            3 => memory(process).address + memory(process).length - length + 4,
            4..=6 => stack(me).address,
            _ => memory(process).address + 4 * self.random.below(32) as u32,
        }
    }

    /// A semaphore to come back with, once in a while.
    fn promise(&mut self) -> u32 {
        match self.random.below(12) {
            0 => (self.random.next() as u32 & 0xFF) << 8,
            1..=7 => (self.random.below(3) as u32 + 1) << 8,
            _ => 0,
        }
    }

    fn patience(&mut self) -> u32 {
        match self.random.below(10) {
            0 => POLL,
            1..=3 => FOREVER,
            4 if self.random.once_in(4) => LONGEST_WAIT + 1,
            _ => {
                let until = self.apart(self.random.clone().within(1, 60));
                (until - self.twins.host().clock.ticks()) as u32
            }
        }
    }

    /// An instant about so many ticks from now that is the running thread's alone.
    fn apart(&mut self, ticks: u64) -> u64 {
        self.random.next();
        let now = self.twins.host().clock.ticks();
        (now + ticks).next_multiple_of(APART) + u64::from(self.twins.running().0)
    }

    fn call(&mut self, number: C, arguments: [u32; 4]) {
        self.twins.call(number as u32, arguments);
    }

    /// Counts what calls returned.
    fn count(&mut self, line: &str) {
        let words: Vec<_> = line.split(' ').collect();
        if words[1] == "returns" && words[4] != "Time" {
            *self.answers.entry(format!("{} {}", words[4], words[5])).or_default() += 1;
        }
    }
}

/// The calls that are made, the more often the more there is to say about them.
const CALLS: [C; 55] = [
    C::Null,
    C::Yield,
    C::Complete,
    C::Complete,
    C::DriverDone,
    C::Time,
    C::Preempt,
    C::WaitPeriod,
    C::WaitPeriod,
    C::WaitPeriod,
    C::SleepUntil,
    C::SleepUntil,
    C::SemaphoreWait,
    C::SemaphoreWait,
    C::SemaphoreWait,
    C::SemaphoreWait,
    C::SemaphoreSignal,
    C::SemaphoreSignal,
    C::ConditionWait,
    C::ConditionWait,
    C::ConditionSignal,
    C::ConditionBroadcast,
    C::MailboxSend,
    C::MailboxSend,
    C::MailboxSend,
    C::MailboxReceive,
    C::MailboxReceive,
    C::MailboxReceive,
    C::EndpointCall,
    C::EndpointCall,
    C::EndpointCall,
    C::EndpointCall,
    C::EndpointReceive,
    C::EndpointReceive,
    C::EndpointReceive,
    C::EndpointReply,
    C::EndpointReply,
    C::Notify,
    C::Notify,
    C::NotificationWait,
    C::NotificationWait,
    C::Acknowledge,
    C::StateMessageRead,
    C::EventGroupSet,
    C::EventGroupSet,
    C::EventGroupClear,
    C::EventGroupWait,
    C::EventGroupWait,
    C::EventGroupWait,
    C::SetPriority,
    C::SetPriority,
    C::SetPriority,
    C::SetPriority,
    C::SetPriority,
    C::SetPriority,
];
