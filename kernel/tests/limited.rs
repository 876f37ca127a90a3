//! Limits beside a plain model, call by call: who is let through, who is refused, and how often.
//!
//! The model keeps all instants at which a client was let through, and counts those of the last stretch.

mod host;

use std::collections::BTreeMap;

use beryl_abi::{EndpointId, MailboxId, ThreadId};
use beryl_kernel::{Asked, System};
use beryl_testing::{Draw, SplitMix64, cases};

use host::asks::Wait::{self, AtMost, Forever, Poll};
use host::asks::{await_request, call_for, receive, reply, send, sleep_until};
use host::draft::{Draft, Limited, Queue};
use host::{Do, Rig, play};

const CAPACITY: usize = 2;
const END: u64 = 600;

/// A client's limit, in the plainest words.
#[derive(Clone, Debug)]
struct Model {
    requests: usize,
    within: u64,
    passed: Vec<u64>,
    refused: u16,
}

impl Model {
    fn is_used_up(&self, now: u64) -> bool {
        self.passed.iter().filter(|instant| **instant + self.within > now).count() >= self.requests
    }
}

/// What comes of a call, as far as limits decide it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fate {
    /// It comes to its object, and takes a credit.
    Passes,
    /// The limit refuses it.
    Beyond,
    /// It is refused for another reason.
    Otherwise,
}

/// A thread of each of three processes, the most urgent first, that sends, asks or sleeps; then the receiver and server,
/// which is below all of them.
struct Run {
    rig: Rig<Limited>,
    /// By the number of the process and whether it is about the endpoint.
    models: BTreeMap<(u8, bool), Model>,
    /// In the order of the table of limits.
    order: Vec<(u8, bool)>,
    random: SplitMix64,
    now: u64,
    messages: usize,
    /// Whether the server waits for a request, and whether it has one.
    waits: bool,
    serves: bool,
    story: String,
}

const CLIENTS: u8 = 3;
const SERVER: u8 = CLIENTS;
const MAILBOX: MailboxId = MailboxId(0);
const ENDPOINT: EndpointId = EndpointId(0);

impl Run {
    fn of(seed: u64) -> Run {
        let mut random = SplitMix64(seed);
        let mut draft = Draft::<Limited>::new(&[Queue::Fixed]);
        for client in 0..CLIENTS {
            draft.free(client, 0, 9 - client);
        }
        draft.free(3, 0, 1);
        draft.mailbox(8, CAPACITY as u8);
        draft.endpoint(ThreadId(SERVER), 8, 4);
        let (mut models, mut order) = (BTreeMap::new(), Vec::new());
        for key in [(0, false), (0, true), (1, false), (2, true)] {
            let (requests, within) = (random.within(1, 4), random.within(1, 60));
            let of = if key.1 { Asked::Endpoint(ENDPOINT) } else { Asked::Mailbox(MAILBOX) };
            let [number, stretch] = [requests, within].map(|drawn| u32::try_from(drawn).expect("small"));
            draft.limit(of, key.0, number as u8, stretch);
            models.insert(key, Model { requests: requests as usize, within, passed: Vec::new(), refused: 0 });
            order.push(key);
        }
        let story = format!("seed {seed}, {models:?}");
        let system: System<Limited> = draft.finish().0;
        Run {
            rig: play(&system, &[]),
            models,
            order,
            random,
            now: 0,
            messages: 0,
            waits: false,
            serves: false,
            story,
        }
    }

    fn step(&mut self, step: Do) {
        self.story += &format!("\n{}: {} does {step:?}", self.now, self.rig.state().running().0);
        self.rig.step(step);
    }

    /// What becomes of a client's call, if it passes unless a limit or something else is in the way.
    fn judge(&mut self, client: u8, is_endpoint: bool, is_refused_otherwise: bool) -> Fate {
        let now = self.now;
        let Some(model) = self.models.get_mut(&(client, is_endpoint)) else {
            return if is_refused_otherwise { Fate::Otherwise } else { Fate::Passes };
        };
        if model.is_used_up(now) {
            model.refused += 1;
            return Fate::Beyond;
        }
        if is_refused_otherwise {
            return Fate::Otherwise;
        }
        model.passed.push(now);
        Fate::Passes
    }

    /// The rest of what was returned to a thread last, if something was since there were so many lines.
    fn returned(&self, thread: u8, since: usize) -> Option<&str> {
        let head = format!("returns to {thread}: ");
        let lines = &self.rig.kernel.machine.log[since..];
        lines.iter().rev().find_map(|line| Some(line.split_once(&head)?.1.split_once(' ')?.1))
    }

    fn client_goes_on(&mut self, client: u8) {
        let since = self.rig.kernel.machine.log.len();
        let wait = match self.random.below(3) {
            0 => Poll,
            1 => AtMost(self.random.within(1, 20) as u32),
            _ => Forever,
        };
        let fate = match self.random.below(4) {
            0 => {
                let until = self.now + self.random.within(1, 30);
                return self.step(sleep_until(until));
            }
            1 | 2 => {
                let fate = self.judge(client, false, self.messages == CAPACITY && matches!(wait, Wait::Poll));
                // Whoever waits for room keeps it simple: nobody does here.
                if fate == Fate::Passes && self.messages == CAPACITY {
                    self.models.entry((client, false)).and_modify(|model| {
                        model.passed.pop();
                    });
                    return self.step(sleep_until(self.now + 1));
                }
                self.step(send(MAILBOX, [7, 0], wait));
                self.messages += usize::from(fate == Fate::Passes);
                fate
            }
            _ => {
                let fate = self.judge(client, true, matches!(wait, Wait::Poll) && !self.waits);
                self.step(call_for(ENDPOINT, [5, 0], wait));
                if fate == Fate::Passes && self.waits {
                    (self.waits, self.serves) = (false, true);
                }
                fate
            }
        };
        let told = self.returned(client, since);
        match fate {
            Fate::Beyond => assert_eq!(told, Some("OverLimit"), "{}", self.story),
            Fate::Otherwise => assert_eq!(told, Some("WouldBlock"), "{}", self.story),
            Fate::Passes => assert_ne!(told, Some("OverLimit"), "{}", self.story),
        }
    }

    fn goes_on(&mut self) {
        match self.rig.state().running().0 {
            client if client < CLIENTS && !self.random.once_in(6) => self.client_goes_on(client),
            SERVER => self.server_goes_on(),
            _ => {
                self.now += 1;
                self.step(Do::At(self.now));
            }
        }
    }

    /// The server answers the request that it has and waits for the next, or takes a message, or looks for a request.
    fn server_goes_on(&mut self) {
        let since = self.rig.kernel.machine.log.len();
        if self.serves {
            self.step(reply(ENDPOINT, [1, 0]));
            self.serves = self.returned(SERVER, since).is_some_and(|told| told.starts_with("Success"));
            self.waits = !self.serves;
            return;
        }
        if self.random.once_in(2) {
            let had = self.messages;
            self.step(receive(MAILBOX, 0, Poll));
            self.messages = had.saturating_sub(1);
            return;
        }
        self.step(await_request(ENDPOINT, 0, Poll));
        self.serves = self.returned(SERVER, since).is_some_and(|told| told.starts_with("Success"));
        self.now += 1;
        self.step(Do::At(self.now));
    }
}

#[test]
fn limits_let_through_what_the_model_does() {
    let (mut often, mut refused) = (0, 0);
    for seed in 0..cases(150, 3000) {
        let mut run = Run::of(seed);
        while run.now < END {
            run.goes_on();
        }
        for (index, key) in run.order.iter().enumerate() {
            let model = &run.models[key];
            let most = model.requests;
            let spans = model.passed.windows(most + 1).map(|some| some[most] - some[0]);
            assert!(spans.into_iter().all(|span| span >= model.within), "{key:?}: {}", run.story);
            assert_eq!(run.rig.state().refused(index), model.refused, "{key:?}: {}", run.story);
            often += model.passed.len();
            refused += u64::from(model.refused);
        }
    }
    assert!(often > 1000 && refused > 1000, "{often} pass, {refused} are refused");
}
