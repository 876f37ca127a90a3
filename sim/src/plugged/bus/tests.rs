//! A node at its bus, without an emulator: the test does what the image does with its links, and what the bus does.

use std::cell::RefCell;
use std::collections::VecDeque;
use std::io::{self, Read, Write};
use std::rc::Rc;

use beryl_abi::frame::{Head, LOST};
use beryl_abi::{Instant, Note, ProgramId, Record, link};

use super::{Coupled, Settings};
use crate::bus::{Frame, Link, Schedule};
use crate::corruption::{Corruption, opened, sealed};
use crate::losses::Losses;
use crate::plugged::tests::Bytes;
use crate::plugged::{Access, Broken, Shared};

/// A line that keeps what is sent, and gives what was put in.
#[derive(Clone, Default)]
struct Ends(Rc<RefCell<(Vec<u8>, VecDeque<u8>)>>);

impl Read for Ends {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        self.0.borrow_mut().1.read(bytes)
    }
}

impl Write for Ends {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.borrow_mut().0.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

const CLOCK: u32 = 0x800;
const RECORDING: u32 = 0x400;
const LEAVING: u32 = 0x100;
const ARRIVING: u32 = 0x200;
/// The same of a node's second core.
const RECORDINGS: [u32; 2] = [RECORDING, 0x900];
const LEAVINGS: [u32; 2] = [LEAVING, 0x180];
const ARRIVINGS: [u32; 2] = [ARRIVING, 0x280];

/// Each 10 us the node sends a word at 4, which counts at 6; and reads one that is sent at 7, has arrived at 9, and
/// counts at 10.
const SCHEDULE: Schedule<'_> = Schedule {
    cycle: 10_000,
    frames: &[
        Frame { start: 4_000, end: 5_000, counts: 6_000, links: &[0] },
        Frame { start: 7_000, end: 9_000, counts: 10_000, links: &[1] },
    ],
    links: &[
        Link { length: 4, from: (0, LEAVING), to: &[(1, 0)] },
        Link { length: 4, from: (1, 0), to: &[(0, ARRIVING)] },
    ],
    drift: 0,
    keeping: None,
};

/// The same for a node whose cores are 0 and 2: its second core sends a word at 6, which counts at 8, and both read what is sent at 7.
const FOR_CORES: Schedule<'_> = Schedule {
    frames: &[
        Frame { start: 4_000, end: 5_000, counts: 6_000, links: &[0] },
        Frame { start: 6_000, end: 7_000, counts: 8_000, links: &[2] },
        Frame { start: 7_000, end: 9_000, counts: 10_000, links: &[1] },
    ],
    links: &[
        Link { length: 4, from: (0, LEAVING), to: &[(1, 0)] },
        Link { length: 4, from: (1, 0), to: &[(0, ARRIVING), (2, ARRIVINGS[1])] },
        Link { length: 4, from: (2, LEAVINGS[1]), to: &[(1, 0)] },
    ],
    ..SCHEDULE
};

const TOLD: &str = "nodes=0 recording=1024 recorded=2048 clock=2048 tick=40 speed=3 socket=s end=1000 \
                    loss=0 corrupt=0 seed=1";

fn settings(line: &str) -> Result<Settings, String> {
    Settings::parse(&line.split_whitespace().map(str::to_owned).collect::<Vec<_>>())
}

/// A node whose instructions take 8 ns and whose ticks take 40 ns, as far as the controller sees it.
struct Node {
    coupled: Coupled<Bytes, Bytes, Ends>,
    ends: Ends,
    memory: Bytes,
    /// Where each core records next.
    recorded: [u32; 2],
}

impl Node {
    fn new(told: &str) -> Node {
        Node::with(told, SCHEDULE)
    }

    fn with(told: &str, schedule: Schedule<'static>) -> Node {
        let (memory, ends) = (Bytes::new(0xD00), Ends::default());
        let settings = settings(told).expect("settings");
        let coupled = Coupled::new(settings, schedule, memory.clone(), memory.clone(), ends.clone());
        Node { coupled, ends, memory, recorded: RECORDINGS }
    }

    fn store(&mut self, processor: usize, address: u32, word: u32, now: u64) -> Result<(), Broken> {
        self.memory.write(address, &word.to_le_bytes())?;
        self.coupled.touched(processor, Access::Store, address, now / 8)
    }

    /// The kernel carries out an instant, `late` nanoseconds after it.
    fn react(&mut self, instant: u64, late: u64) -> Result<(), Broken> {
        self.read_clock(0, instant + late)?;
        self.record(0, instant, instant + late)
    }

    fn read_clock(&mut self, processor: usize, now: u64) -> Result<(), Broken> {
        self.coupled.touched(processor, Access::Load, CLOCK, now / 8)
    }

    /// The kernel on a processor has read the clock at `now`, and records an instant.
    fn record(&mut self, processor: usize, instant: u64, now: u64) -> Result<(), Broken> {
        let note = Note::react(ProgramId(0), 0, Instant::from_ticks(instant / 40));
        let mut words = Vec::new();
        Record::Note(note).encode(Instant::from_ticks(now / 40), |word| words.push(word), |_| 0);
        for word in words {
            self.store(processor, self.recorded[processor], word, now)?;
            self.recorded[processor] += 4;
        }
        Ok(())
    }

    fn publish(&mut self, counts: u64, value: u32, now: u64) -> Result<(), Broken> {
        self.publish_on(0, counts, value, now)
    }

    /// As `publish` in `user/src/link.rs` does.
    fn publish_on(&mut self, core: usize, counts: u64, value: u32, now: u64) -> Result<(), Broken> {
        let leaving = LEAVINGS[core];
        let next = link::after(self.memory.word(leaving)?);
        let stamp = u32::try_from(counts / 40).expect("early");
        self.store(core, leaving + link::stamp(next, 4), stamp, now)?;
        self.store(core, leaving + link::stamp(next, 4) + 4, 0, now)?;
        self.store(core, leaving + link::value(next, 4), value, now)?;
        self.store(core, leaving, next, now)
    }

    /// The frames that the node has sent: number, start, and what it carries, if it comes as it was sent.
    fn sent(&self) -> Vec<(u64, u64, Option<Vec<u8>>)> {
        let content =
            |body: Option<Vec<u8>>| body.map(|body| opened(&body).expect("as it was sent").to_vec());
        self.on_the_line().into_iter().map(|(number, start, body)| (number, start, content(body))).collect()
    }

    /// The same with all that is behind their heads.
    fn on_the_line(&self) -> Vec<(u64, u64, Option<Vec<u8>>)> {
        let (mut frames, sent) = (Vec::new(), self.ends.0.borrow());
        let mut rest = sent.0.as_slice();
        while let Some((head, behind)) = rest.split_first_chunk() {
            let head = Head::decode(*head);
            let (body, behind) = behind.split_at(head.behind() as usize);
            frames.push((head.number, head.start, (head.length != LOST).then(|| body.to_vec())));
            rest = behind;
        }
        frames
    }

    /// The bus brings a frame.
    fn bring(&self, number: u64, start: u64, value: Option<(u64, u32)>) {
        let body = value.map(|(counts, value)| {
            let content = [&1_u32.to_le_bytes()[..], &counts.to_le_bytes(), &value.to_le_bytes()].concat();
            sealed(&content, None)
        });
        self.bring_bytes(number, start, body);
    }

    /// The same with all that is behind its head.
    fn bring_bytes(&self, number: u64, start: u64, body: Option<Vec<u8>>) {
        let length = body.as_ref().map_or(LOST, |body| body.len() as u32);
        let head = Head { number, start, length }.encode();
        self.ends.0.borrow_mut().1.extend(head.iter().chain(&body.unwrap_or_default()));
    }

    /// From which tick on the newest value counts that has arrived, and the value.
    fn arrived(&self) -> [u32; 2] {
        self.arrived_on(0)
    }

    fn arrived_on(&self, core: usize) -> [u32; 2] {
        let newest = self.memory.word(ARRIVINGS[core]).expect("memory");
        [link::stamp(newest, 4), link::value(newest, 4)]
            .map(|offset| self.memory.word(ARRIVINGS[core] + offset).expect("memory"))
    }
}

/// The body of a frame with a value of the node's.
fn body(counts: u64, value: u32) -> Option<Vec<u8>> {
    body_of(0, counts, value)
}

/// The same of a link.
fn body_of(link: u32, counts: u64, value: u32) -> Option<Vec<u8>> {
    Some([&link.to_le_bytes()[..], &counts.to_le_bytes(), &value.to_le_bytes()].concat())
}

#[test]
fn a_frame_carries_what_was_there_when_its_slot_began() -> Result<(), Broken> {
    let mut node = Node::new(TOLD);
    (0..3).for_each(|cycle| node.bring(2 * cycle + 1, cycle * 10_000 + 7_000, None));
    node.react(0, 80)?;
    // Just in time; the next one late by an instruction; the third is there, and so is what was late.
    node.publish(6_000, 5, 4_000)?;
    assert_eq!(node.sent(), [], "its slot has only just begun");
    node.react(10_000, 0)?;
    node.publish(16_000, 6, 14_008)?;
    node.react(20_000, 0)?;
    node.publish(26_000, 7, 23_000)?;
    node.react(30_000, 0)?;
    let expected = [(0, 4_000, body(6_000, 5)), (2, 14_000, Some(Vec::new())), (4, 24_000, body(26_000, 7))];
    assert_eq!(node.sent(), expected);
    Ok(())
}

#[test]
fn what_has_arrived_is_there_before_the_instant_at_which_it_counts() -> Result<(), Broken> {
    let mut node = Node::new(TOLD);
    node.react(0, 80)?;
    node.bring(1, 7_000, Some((10_000, 9)));
    node.react(8_960, 0)?;
    assert_eq!(node.arrived(), [0, 0], "it arrives at 9000");
    // The record knows no time behind the instant: it has come all the same.
    node.react(10_000, 0)?;
    assert_eq!(node.arrived(), [250, 9]);
    node.bring(3, 17_000, None);
    node.react(20_000, 400)?;
    assert_eq!(node.arrived(), [250, 9], "a lost frame leaves everything as it was");
    Ok(())
}

#[test]
fn a_frame_that_is_not_due_and_a_bus_that_has_ended_end_the_run() -> Result<(), Broken> {
    let mut node = Node::new(TOLD);
    node.react(0, 80)?;
    node.bring(1, 17_000, None);
    let reason = "frame 1 of 17000 ns came where frame 1 of 7000 ns was due";
    assert_eq!(node.react(10_000, 0), Err(Broken(reason.to_owned())));
    let mut node = Node::new(TOLD);
    node.react(0, 80)?;
    assert_eq!(node.react(10_000, 0), Err(Broken("the bus ended before frame 1".to_owned())));
    Ok(())
}

/// Both cores send over one line, in the order of the schedule, whichever of them tells the time; what arrives is put down for both.
#[test]
fn cores_of_a_node_have_one_controller() -> Result<(), Broken> {
    let told = TOLD
        .replace("nodes=0", "nodes=0.2")
        .replace("recording=1024 recorded=2048", "recording=1024.2304 recorded=2048.3328");
    let mut node = Node::with(&told, FOR_CORES);
    node.react(0, 80)?;
    // The second core has recorded nothing, and knows the time from the first.
    node.publish_on(1, 8_000, 7, 4_400)?;
    node.publish_on(0, 6_000, 5, 4_008)?;
    node.bring(2, 7_000, Some((10_000, 9)));
    // It reads the clock before the first core does, and records afterwards.
    node.read_clock(1, 10_000)?;
    node.read_clock(0, 10_160)?;
    node.record(1, 10_000, 10_000)?;
    let late = Some(Vec::new());
    assert_eq!(node.sent(), [(0, 4_000, late.clone()), (1, 6_000, body_of(2, 8_000, 7))]);
    assert_eq!([0, 1].map(|core| node.arrived_on(core)), [[250, 9]; 2]);
    // What the first core read was its own, so it isn't taken for a time behind that of its record.
    node.publish_on(1, 18_000, 8, 15_992)?;
    node.bring(5, 17_000, None);
    node.record(0, 10_000, 10_160)?;
    node.read_clock(1, 20_000)?;
    node.record(1, 20_000, 20_000)?;
    let sent = node.sent();
    // All have slept, so time has passed without instructions: who wakes first, and reads the clock, says how much.
    [(8, 27_000), (11, 37_000)].into_iter().for_each(|(number, start)| node.bring(number, start, None));
    node.read_clock(1, 20_000)?;
    node.record(1, 30_000, 30_000)?;
    let starts: Vec<_> = node.sent()[4..].iter().map(|(_, start, _)| *start).collect();
    assert_eq!(starts, [24_000, 26_000, 34_000, 36_000]);
    assert_eq!(sent[2..], [(3, 14_000, late), (4, 16_000, body_of(2, 18_000, 8))]);
    Ok(())
}

/// The node draws for frames of others, too: all draw the same.
#[test]
fn lost_frames_are_those_of_the_simulation() -> Result<(), Broken> {
    let lost = |seed: u64| -> Result<Vec<bool>, Broken> {
        let told = TOLD.replace("loss=0 corrupt=0 seed=1", &format!("loss=300 corrupt=0 seed={seed}"));
        let mut node = Node::new(&told);
        node.react(0, 80)?;
        for cycle in 0..20 {
            node.bring(2 * cycle + 1, cycle * 10_000 + 7_000, None);
            node.react((cycle + 1) * 10_000, 0)?;
        }
        Ok(node.sent().iter().map(|(.., body)| body.is_none()).collect())
    };
    let drawn = |seed: u64| {
        let mut losses = Losses::new(300, seed);
        let all: Vec<bool> = (0..40).map(|_| losses.takes_next()).collect();
        all.into_iter().step_by(2).collect::<Vec<_>>()
    };
    for seed in [1, 2] {
        assert_eq!(lost(seed)?, drawn(seed), "seed {seed}");
    }
    assert_ne!(drawn(1), drawn(2));
    Ok(())
}

/// So are the corrupt ones, of those that aren't lost.
#[test]
fn corrupt_frames_are_those_of_the_simulation() -> Result<(), Broken> {
    let told = TOLD.replace("loss=0 corrupt=0 seed=1", "loss=200 corrupt=300 seed=3");
    let mut node = Node::new(&told);
    node.react(0, 80)?;
    for cycle in 0..40 {
        node.publish(cycle * 10_000 + 6_000, 5, cycle * 10_000 + 3_000)?;
        node.bring(2 * cycle + 1, cycle * 10_000 + 7_000, None);
        node.react((cycle + 1) * 10_000, 0)?;
    }
    let sent = node.on_the_line();
    // Nothing came, one that was lost, or one that was hit.
    let seen = sent.iter().map(|(.., body)| body.as_ref().map(|body| opened(body).is_none()));
    let (mut losses, mut corruption) = (Losses::new(200, 3), Corruption::new(300, 3));
    let drawn = (0..80).map(|_| (!losses.takes_next()).then(|| corruption.hits_next().is_some()));
    let drawn: Vec<_> = drawn.collect();
    assert_eq!(seen.collect::<Vec<_>>(), drawn.iter().copied().step_by(2).collect::<Vec<_>>());
    assert!(
        [None, Some(true), Some(false)].iter().all(|fate| drawn.iter().step_by(2).any(|one| one == fate))
    );
    Ok(())
}

#[test]
fn a_corrupt_frame_leaves_everything_as_it_was() -> Result<(), Broken> {
    let mut node = Node::new(TOLD);
    node.react(0, 80)?;
    node.bring(1, 7_000, Some((10_000, 9)));
    node.react(10_000, 0)?;
    assert_eq!(node.arrived(), [250, 9]);
    let content = [&1_u32.to_le_bytes()[..], &20_000_u64.to_le_bytes(), &8_u32.to_le_bytes()].concat();
    let mut corruption = Corruption::new(1000, 1);
    node.bring_bytes(3, 17_000, Some(sealed(&content, corruption.hits_next())));
    node.react(20_000, 0)?;
    assert_eq!(node.arrived(), [250, 9]);
    // Neither is one taken that has no room for a checksum.
    node.bring_bytes(5, 27_000, Some(vec![0; 3]));
    node.react(30_000, 0)?;
    assert_eq!(node.arrived(), [250, 9]);
    Ok(())
}

#[test]
fn a_frame_with_other_values_than_the_schedule_ends_the_run() -> Result<(), Broken> {
    let mut node = Node::new(TOLD);
    node.react(0, 80)?;
    node.bring_bytes(1, 7_000, Some(sealed(&[1, 0, 0], None)));
    let reason = "frame 1 has other values than the schedule";
    assert_eq!(node.react(10_000, 0), Err(Broken(reason.to_owned())));
    Ok(())
}

#[test]
fn what_was_computed_last_is_sent_at_the_end() -> Result<(), Broken> {
    let mut node = Node::new(TOLD);
    node.react(0, 80)?;
    node.publish(6_000, 5, 3_000)?;
    node.coupled.finish()?;
    // The run ends at 40 us; frames behind the first have nothing to carry.
    let starts: Vec<_> = node.sent().into_iter().map(|(_, start, body)| (start, body)).collect();
    let none = || Some(Vec::new());
    let expected = [(4_000, body(6_000, 5)), (14_000, none()), (24_000, none()), (34_000, none())];
    assert_eq!(starts, expected);
    Ok(())
}

#[test]
fn all_settings_are_needed() {
    for name in TOLD.split_whitespace().filter_map(|pair| pair.split('=').next()) {
        let without: Vec<_> =
            TOLD.split_whitespace().filter(|pair| !pair.starts_with(&format!("{name}="))).collect();
        assert_eq!(settings(&without.join(" ")), Err(format!("`{name}` is missing")));
    }
    let memory = |more: &str| settings(&format!("{TOLD}{more}")).map(|settings| settings.memory);
    assert_eq!(memory(""), Ok(None), "the emulator is asked");
    assert_eq!(memory(" memory=m base=16"), Ok(Some(("m".into(), 16))));
    assert_eq!(memory(" memory=m"), Err("`base` is missing".to_owned()));
}
