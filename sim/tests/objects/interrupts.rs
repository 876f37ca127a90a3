//! Interrupts: from the environment, and from the console device.

use beryl_abi::environment::Channel;
use beryl_abi::{InterruptId, Line, NotificationId, ThreadId};
use beryl_kernel::{Interrupt as Row, Notification as Bits};
use beryl_sim::{Environment, Nanoseconds, Peer, Script, SimulationError};
use beryl_user::interrupt::Interrupt;
use beryl_user::notification::{Notification, Notifier, wait_any};
use beryl_user::time::Wait;
use beryl_user::{call, platform};

use crate::scenario::{ALL, Scenario, at_most, end, free, note, sleep_until, spend};

/// Line 4 is the business of the first thread.
fn scenario(entry: extern "C" fn() -> !) -> Scenario {
    let row = Row { line: Line(4), thread: ThreadId(0), bits: 1 };
    Scenario::new().thread(free(3), entry).with(|system| system.interrupts[0] = row)
}

fn interrupt() -> Interrupt {
    // SAFETY: the first interrupt is the first thread's, with this bit.
    unsafe { Interrupt::new(InterruptId(0), 1) }
}

extern "C" fn server() -> ! {
    let mut interrupt = interrupt();
    loop {
        interrupt.wait().unwrap();
        note("served");
        spend(5);
    }
}

extern "C" fn background() -> ! {
    spend(40);
    end("background ends")
}

#[test]
fn an_interrupt_stays_masked_until_its_thread_waits_again() {
    let scenario = scenario(server).thread(free(1), background);
    let lines = &[(10, 4), (12, 4), (13, 4), (30, 4), (31, 9)];
    let expected = [
        "10 served",
        "15 served", // the second and third came while the line was masked
        "30 served",
        "55 background ends",
    ];
    assert_eq!(scenario.interrupts(lines).notes(100), expected);
}

extern "C" fn sleeper() -> ! {
    sleep_until(10);
    end("the alarm")
}

#[test]
fn at_one_instant_the_alarm_comes_before_an_interrupt() {
    let scenario = scenario(server).thread(free(3), sleeper).interrupts(&[(10, 4)]);
    assert_eq!(scenario.notes(20), ["10 the alarm", "10 served"]);
}

#[test]
fn an_interrupt_wakes_an_idle_processor() {
    assert_eq!(scenario(server).interrupts(&[(1000, 4)]).notes(2000), ["1000 served"]);
}

#[test]
fn what_nobody_serves_stays_pending() {
    let outcome = scenario(server).interrupts(&[(10, 7)]).outcome(100).unwrap();
    assert_eq!((outcome.counts.strays, outcome.accesses), (0, Vec::new()));
}

/// Waits for its own bits, and for those of others.
extern "C" fn listener() -> ! {
    // SAFETY: both are the first thread's, with these bits.
    let (second, third) = unsafe { (Notification::new(0b010), Notification::new(0b100)) };
    let first = interrupt().bits();
    let (second, third) = (second.bits(), third.bits());
    loop {
        match wait_any(first | second | third, at_most(20)) {
            Ok(bits) => note(&format!("{:?}", [first, second, third].map(|bit| bits.has(bit)))),
            Err(error) => end(&format!("{error:?}")),
        }
    }
}

extern "C" fn notifying() -> ! {
    // SAFETY: both notifications are the first thread's, with these bits.
    let (mut second, mut third) =
        unsafe { (Notifier::new(NotificationId(0), 0b010), Notifier::new(NotificationId(1), 0b100)) };
    sleep_until(10);
    second.notify();
    note("notified");
    sleep_until(20);
    third.notify();
    end("notified again")
}

#[test]
fn interrupts_and_notifications_come_in_one_word() {
    let row = |bits| Bits { senders: ALL, thread: ThreadId(0), bits };
    let scenario = scenario(listener)
        .thread(free(1), notifying)
        .with(|system| system.notifications = [row(0b010), row(0b100)])
        .interrupts(&[(10, 4), (40, 4)]);
    let expected = [
        "10 [true, false, false]", // the alarm wakes the less urgent thread
        "10 [false, true, false]",
        "10 notified",
        "20 [false, false, true]",
        "20 notified again",
        "40 TimedOut", // it has never acknowledged the interrupt, so the second stays pending
    ];
    assert_eq!(scenario.notes(100), expected);
}

/// Nanoseconds that the console device needs for a byte: ten bits at 115,200 a second.
const BYTE: u64 = 86_806;

/// Sends two bytes, each after the one before it has gone.
extern "C" fn console() -> ! {
    // SAFETY: the first thread's interrupt.
    let mut sent = unsafe { Interrupt::new(InterruptId(0), 1) };
    for byte in *b"ab" {
        platform::transmit(byte);
        sent.wait().unwrap();
        note(&format!("{} is sent", char::from(byte)));
    }
    spend(BYTE);
    platform::transmit(b'c');
    platform::transmit(b'd');
    for _ in 0..2 {
        sent.wait().unwrap();
        note("one more");
    }
    call::stop()
}

#[test]
fn the_console_device_tells_when_it_has_sent_a_byte() {
    let row = Row { line: Line(1), thread: ThreadId(0), bits: 1 };
    let scenario = Scenario::new().thread(free(1), console).with(|system| system.interrupts[0] = row);
    let outcome = scenario.outcome(10 * BYTE).unwrap();
    let expected = ["86806 a is sent", "173612 b is sent", "347224 one more", "434030 one more"];
    assert_eq!(crate::scenario::notes(&outcome), expected);
    assert_eq!(outcome.console, "abcd");
}

/// Sends back what it receives, until it has come to a full stop.
extern "C" fn echo() -> ! {
    // SAFETY: the first thread's interrupt.
    let mut received = unsafe { Interrupt::new(InterruptId(0), 1) };
    platform::listen();
    loop {
        received.wait().unwrap();
        while let Some(byte) = platform::receive() {
            note(&format!("{} has come", char::from(byte)));
            platform::transmit(byte);
            if byte == b'.' {
                call::stop();
            }
        }
        spend(15);
    }
}

fn receiver(peer: impl Peer + 'static) -> Scenario {
    let row = Row { line: Line(0), thread: ThreadId(0), bits: 1 };
    let mut scenario = Scenario::new().thread(free(1), echo).with(|system| system.interrupts[0] = row);
    scenario.peer = Box::new(peer);
    scenario
}

#[test]
fn the_receiver_tells_when_a_byte_has_come_and_holds_the_latest() {
    let bytes = [(10, b'a'), (100, b'b'), (105, b'c'), (108, b'd'), (200, b'.')];
    let script = Script::new(bytes.map(|(instant, byte)| (Nanoseconds::new(instant), byte)));
    let outcome = receiver(script).outcome(10 * BYTE).unwrap();
    // The third came while its server was busy, and the fourth in its place.
    let expected = ["10 a has come", "100 b has come", "115 d has come", "200 . has come"];
    assert_eq!(
        (crate::scenario::notes(&outcome), outcome.console.as_str()),
        (expected.map(str::to_owned).to_vec(), "abd.")
    );
}

/// Says the next letter 50 ns after the one before has come back, until it is an e; then a full stop.
struct Speller(Option<(Nanoseconds, u8)>);

impl Peer for Speller {
    fn next(&mut self) -> Option<(Nanoseconds, u8)> {
        self.0
    }

    fn arrived(&mut self) {
        self.0 = None;
    }

    fn hear(&mut self, instant: Nanoseconds, byte: u8) {
        let next = if byte == b'e' { b'.' } else { byte + 1 };
        self.0 = (byte != b'.').then(|| (Nanoseconds::new(instant.count() + 50), next));
    }
}

#[test]
fn a_peer_hears_a_byte_when_it_has_been_sent_and_can_answer_it() {
    let outcome = receiver(Speller(Some((Nanoseconds::new(10), b'c')))).outcome(10 * BYTE).unwrap();
    let round = BYTE + 50;
    let expected = [
        "10 c has come".to_owned(),
        format!("{} d has come", 10 + round),
        format!("{} e has come", 10 + 2 * round),
        format!("{} . has come", 10 + 3 * round),
    ];
    assert_eq!(crate::scenario::notes(&outcome), expected);
}

/// Its interrupts are so many nanoseconds apart, until another number is written.
struct Generator(u64);

impl Environment for Generator {
    fn read(&mut self, _instant: Nanoseconds, _channel: Channel, _value: &mut [u8]) {}

    fn write(&mut self, _instant: Nanoseconds, _channel: Channel, value: &[u8]) {
        if let [distance] = value {
            self.0 = u64::from(*distance);
        }
    }

    fn interrupts(&mut self, after: Nanoseconds) -> Option<(Nanoseconds, Line)> {
        Some((Nanoseconds::new(after.count() + self.0), Line(4)))
    }

    fn finish(&mut self, _instant: Nanoseconds) -> Result<String, String> {
        Ok(String::new())
    }
}

extern "C" fn governor() -> ! {
    let mut interrupt = interrupt();
    for distance in [10, 10, 10, 30, 5, 2, 50] {
        interrupt.wait().unwrap();
        note("tooth");
        spend(3);
        platform::environment_write(Channel::new(1), &[distance]);
    }
    call::stop()
}

#[test]
fn what_is_written_changes_when_the_next_interrupt_comes() {
    let mut scenario = scenario(governor);
    scenario.environment = Box::new(Generator(10));
    let outcome = scenario.outcome(100).unwrap();
    let notes = crate::scenario::notes(&outcome);
    let teeth: Vec<_> = notes.iter().filter(|note| note.contains("tooth")).collect();
    let expected = [
        "10 tooth", "20 tooth", "30 tooth", "40 tooth", // ten apart until 43
        "70 tooth", // thirty after the last
        "75 tooth", "78 tooth", // two after the last, which has passed when it is written
    ];
    assert_eq!(teeth, expected);
}

#[test]
fn an_environment_that_names_a_past_interrupt_is_told_so() {
    let mut scenario = scenario(server);
    scenario.environment = Box::new(Generator(0));
    let error = scenario.outcome(100).unwrap_err();
    assert!(matches!(error, SimulationError::Interrupt { .. }));
    assert_eq!(
        error.to_string(),
        "the environment was asked for the first interrupt after 0 ns and named one at 0 ns; let its `interrupts` \
         answer a later instant"
    );
}

/// Transfers that take 10 ns each: the line is up from a transfer's end until the next one is started.
#[derive(Default)]
struct Transfers {
    end: Option<Nanoseconds>,
    /// How many have been started.
    count: u32,
}

/// Starts a transfer.
const START: Channel = Channel::new(1);

impl Environment for Transfers {
    fn read(&mut self, _instant: Nanoseconds, _channel: Channel, _value: &mut [u8]) {}

    fn write(&mut self, instant: Nanoseconds, channel: Channel, _value: &[u8]) {
        if channel == START {
            let is_under_way = self.end.is_some_and(|end| end > instant);
            assert!(!is_under_way, "the transfer of {instant:?} is started while another is under way");
            self.end = Some(Nanoseconds::new(instant.count() + 10));
            self.count += 1;
        }
    }

    fn interrupts(&mut self, after: Nanoseconds) -> Option<(Nanoseconds, Line)> {
        self.end.filter(|end| *end > after).map(|end| (end, Line(4)))
    }

    fn level(&mut self, instant: Nanoseconds, _line: Line) -> Option<bool> {
        Some(self.end.is_some_and(|end| end <= instant))
    }

    fn finish(&mut self, _instant: Nanoseconds) -> Result<String, String> {
        Ok(format!("{} transfers", self.count))
    }
}

/// Starts transfers, works shorter or longer than they take, and waits in each way that there is.
extern "C" fn transferring() -> ! {
    let mut interrupt = interrupt();
    for round in 0..200_u64 {
        platform::environment_write(START, &[1]);
        spend([0, 3, 10, 14, 9, 40, 11][(round % 7) as usize]);
        match round % 5 {
            0 | 1 => interrupt.wait().unwrap(),
            2 => while interrupt.wait_for(at_most(1)).is_err() {},
            3 => {
                // Who polls must say by itself that the line may come.
                while interrupt.wait_for(Wait::Poll).is_err() {
                    interrupt.acknowledge();
                    spend(1);
                }
            }
            _ => {
                interrupt.acknowledge();
                wait_any(interrupt.bits(), Wait::Forever).unwrap();
            }
        }
    }
    end("all transfers are done")
}

/// If one completion were seen twice, the next transfer would be started before the one that is under way has ended.
#[test]
fn each_completion_is_seen_once_by_who_starts_and_waits() {
    let mut scenario = scenario(transferring).thread(free(1), background);
    scenario.environment = Box::new(Transfers::default());
    let outcome = scenario.outcome(10_000).unwrap();
    assert_eq!(outcome.environment.as_deref(), Ok("200 transfers"));
    assert!(crate::scenario::notes(&outcome).iter().any(|note| note.ends_with("all transfers are done")));
}
