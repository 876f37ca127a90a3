//! Gates beside a plain model, tick by tick: what passes, when, what is dropped, and who is woken by it.
//!
//! Thread 0 receives, is the most urgent, and now and then works or sleeps instead; thread 1 sends. Whatever the
//! receiver does by time happens at odd instants, and not at one at which the gate opens: no order of both is asked for.

mod host;

use std::collections::VecDeque;

use beryl_abi::{EventGroupId, InterruptId, Line, MailboxId, NotificationId, ThreadId, Wanted};
use beryl_kernel::{Gated as Before, OnEarly, System};
use beryl_testing::{Draw, SplitMix64, cases};

use host::asks::Wait::{AtMost, Forever, Poll};
use host::asks::{
    Wait, acknowledge, await_bits, await_group, await_interrupt, notify, receive, send, set_group,
    sleep_until,
};
use host::draft::{Draft, Gated, Queue};
use host::{Do, Rig, play};

const LINE: u16 = 10;
/// Messages that the mailbox holds.
const CAPACITY: usize = 2;
const END: u64 = 400;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Bell,
    Group,
    Mailbox,
    Line,
}

/// What a gate is, in the plainest words.
#[derive(Debug)]
struct Model {
    kind: Kind,
    separation: u64,
    drops: bool,
    /// When something may pass again.
    opens: u64,
    /// Bits before the gate, and behind it.
    kept: u32,
    bits: u32,
    messages: VecDeque<u32>,
    is_unmasked: bool,
    /// Whether the line's server lets it come.
    may_come: bool,
    /// Whether the receiver waits, and until when.
    waits: Option<Option<u64>>,
    dropped: u16,
    /// When something passed.
    passed: Vec<u64>,
}

impl Model {
    fn pass(&mut self, now: u64) {
        self.opens = now + self.separation;
        self.passed.push(now);
    }

    /// Bits, a message or an interrupt come. Returns whether they are taken.
    fn comes(&mut self, now: u64, value: u32) -> bool {
        let is_early = now < self.opens || self.kept != 0;
        if self.drops && now < self.opens {
            self.dropped += 1;
            return false;
        }
        match self.kind {
            Kind::Bell | Kind::Group if is_early => self.kept |= value,
            Kind::Bell | Kind::Group => {
                self.pass(now);
                self.bits |= value;
            }
            Kind::Mailbox if self.messages.len() == CAPACITY => return false,
            Kind::Mailbox => {
                self.messages.push_back(value);
                if self.drops {
                    self.pass(now);
                }
            }
            Kind::Line => {
                (self.is_unmasked, self.may_come) = (false, false);
                self.pass(now);
                self.bits |= 1;
            }
        }
        true
    }

    /// What opens at this instant.
    fn ticks(&mut self, now: u64) {
        if now >= self.opens && self.kept != 0 {
            self.pass(now);
            self.bits |= std::mem::take(&mut self.kept);
        }
        self.is_unmasked |= self.may_come && now >= self.opens;
    }

    /// What there is for the receiver, if it asks now.
    fn take(&mut self, now: u64) -> Option<u32> {
        match self.kind {
            Kind::Mailbox if self.drops => self.messages.pop_front(),
            Kind::Mailbox if now < self.opens || self.messages.is_empty() => None,
            Kind::Mailbox => {
                self.pass(now);
                self.messages.pop_front()
            }
            _ => Some(std::mem::take(&mut self.bits)).filter(|bits| *bits != 0),
        }
    }

    /// What ends the receiver's wait at this instant, if anything does.
    fn wakes(&mut self, now: u64) -> Option<Option<u32>> {
        let until = self.waits?;
        let value = self.take(now);
        let is_over = value.is_some() || until.is_some_and(|until| until <= now);
        if is_over {
            self.waits = None;
        }
        is_over.then_some(value)
    }
}

fn system(kind: Kind, separation: u32, early: OnEarly) -> System<Gated> {
    let mut draft = Draft::<Gated>::new(&[Queue::Fixed]);
    let receiver = draft.free(0, 0, 9);
    draft.free(0, 0, 1);
    let before = match kind {
        Kind::Bell => Before::Notification(draft.notification(receiver, 0xFF)),
        Kind::Group => Before::EventGroup(draft.event_group()),
        Kind::Mailbox => Before::Mailbox(draft.mailbox(8, CAPACITY as u8)),
        Kind::Line => {
            draft.interrupt(LINE, receiver, 1);
            Before::Line(Line(LINE))
        }
    };
    draft.gate(before, separation, early);
    draft.finish().0
}

fn asks(kind: Kind, wait: Wait) -> Do {
    match kind {
        Kind::Bell => await_bits(0, wait),
        Kind::Group => await_group(EventGroupId(0), u32::MAX, Wanted::TAKE, wait),
        Kind::Mailbox => receive(MailboxId(0), 0, wait),
        Kind::Line => await_interrupt(InterruptId(0), 1, wait),
    }
}

fn sends(kind: Kind, value: u32) -> Do {
    match kind {
        Kind::Bell => notify(NotificationId(0), value),
        Kind::Group => set_group(EventGroupId(0), value),
        Kind::Mailbox => send(MailboxId(0), [value, 0], Poll),
        Kind::Line => Do::Interrupt(LINE),
    }
}

/// The rest of what a thread's last call returned.
fn returned(rig: &Rig<Gated>, thread: u8) -> String {
    let head = format!("returns to {thread}: ");
    let line = rig.kernel.machine.log.iter().rev().find_map(|line| line.split_once(&head));
    line.map_or_else(String::new, |(_, rest)| rest.split_once(' ').expect("a call").1.to_owned())
}

struct Run {
    rig: Rig<Gated>,
    model: Model,
    random: SplitMix64,
    now: u64,
    /// Until when the receiver sleeps instead of waiting.
    sleeps: Option<u64>,
    story: String,
}

impl Run {
    fn of(seed: u64, kind: Kind) -> Run {
        let mut random = SplitMix64(seed);
        let separation = 2 * random.within(1, 20);
        let drops = kind != Kind::Line && random.once_in(3);
        let early = if drops { OnEarly::Drop } else { OnEarly::Keep };
        let model = Model {
            kind,
            separation,
            drops,
            opens: 0,
            kept: 0,
            bits: 0,
            messages: VecDeque::new(),
            is_unmasked: true,
            may_come: false,
            waits: None,
            dropped: 0,
            passed: Vec::new(),
        };
        let rig = play(&system(kind, u32::try_from(separation).expect("short"), early), &[]);
        let story = format!("seed {seed}, {kind:?}, separation {separation}, {early:?}");
        Run { rig, model, random, now: 0, sleeps: None, story }
    }

    fn step(&mut self, step: Do) {
        self.story += &format!("\n{}: {step:?}", self.now);
        self.rig.step(step);
    }

    /// An odd instant that comes soon.
    fn soon(&mut self) -> u64 {
        (self.now + self.random.within(1, 50)) | 1
    }

    /// The receiver, which runs, does something until it doesn't run any more.
    fn receiver_goes_on(&mut self) {
        while self.sleeps.is_none() && self.model.waits.is_none() {
            assert_eq!(self.rig.state().running(), ThreadId(0), "{}", self.story);
            let kind = self.model.kind;
            let mut until = self.soon();
            if until == self.model.opens {
                until += 2;
            }
            match self.random.below(5) {
                0 => {
                    self.step(sleep_until(until));
                    self.sleeps = Some(until);
                    continue;
                }
                1 if kind == Kind::Line => {
                    self.step(acknowledge(InterruptId(0)));
                    self.model.may_come = true;
                    self.model.ticks(self.now);
                    continue;
                }
                _ => {}
            }
            let wait = match self.random.below(3) {
                0 => Poll,
                1 => AtMost(u32::try_from(until - self.now).expect("short")),
                _ => Forever,
            };
            self.step(asks(kind, wait));
            match (self.model.take(self.now), wait) {
                (Some(value), _) => self.assert_got(Some(value), "it was there"),
                (None, Poll) => assert!(returned(&self.rig, 0).starts_with("WouldBlock"), "{}", self.story),
                (None, wait) => {
                    self.model.waits = Some(matches!(wait, AtMost(_)).then_some(until));
                    self.model.may_come = true;
                    self.model.ticks(self.now);
                    assert_ne!(self.rig.state().running(), ThreadId(0), "{}", self.story);
                }
            }
        }
    }

    fn assert_got(&self, value: Option<u32>, why: &str) {
        let got = returned(&self.rig, 0);
        let is_right = match value {
            Some(value) => got == format!("Success {value}") || got == format!("Success {value} 0"),
            None => got == "TimedOut",
        };
        assert!(is_right, "{got} instead of {value:?}: {why}\n{}", self.story);
    }

    /// A tick passes, or the sender does something, or both.
    fn goes_on(&mut self) {
        self.receiver_goes_on();
        if self.now.is_multiple_of(2) && self.random.once_in(3) {
            let value = 1 << self.random.under(8);
            let may_come = self.model.kind != Kind::Line || self.model.is_unmasked;
            if may_come {
                self.step(sends(self.model.kind, value));
                let is_taken = self.model.comes(self.now, value);
                let wakes = self.model.wakes(self.now);
                if self.model.kind != Kind::Line && wakes.is_none() {
                    let is_success = returned(&self.rig, 1).starts_with("Success");
                    assert_eq!(is_success, is_taken, "{}", self.story);
                }
                self.assert_woken(wakes);
            }
        } else {
            self.now += 1;
            self.step(Do::At(self.now));
            self.model.ticks(self.now);
            let wakes = self.model.wakes(self.now);
            if self.sleeps.take_if(|until| *until <= self.now).is_none() {
                self.assert_woken(wakes);
            }
        }
        let is_unmasked = self.rig.kernel.machine.unmasked.contains(&Line(LINE));
        assert!(self.model.kind != Kind::Line || is_unmasked == self.model.is_unmasked, "{}", self.story);
    }

    fn assert_woken(&self, wakes: Option<Option<u32>>) {
        let runs = self.rig.state().running() == ThreadId(0);
        assert_eq!(runs, wakes.is_some(), "{wakes:?}, {:?}\n{}", self.model, self.story);
        if let Some(value) = wakes {
            self.assert_got(value, "it woke");
        }
    }
}

#[test]
fn gates_let_through_what_the_model_does() {
    let mut often = 0;
    for seed in 0..cases(150, 3000) {
        for kind in [Kind::Bell, Kind::Group, Kind::Mailbox, Kind::Line] {
            let mut run = Run::of(seed, kind);
            while run.now < END {
                run.goes_on();
            }
            let Model { passed, separation, dropped, .. } = &run.model;
            assert!(passed.windows(2).all(|pair| pair[1] - pair[0] >= *separation), "{}", run.story);
            assert_eq!(run.rig.state().dropped(0), *dropped, "{}", run.story);
            often += passed.len();
        }
    }
    assert!(often > 1000, "little passes: {often}");
}
