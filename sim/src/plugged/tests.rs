//! The plant behind a window, without an emulator: the test does what the image does with its row.

use std::cell::RefCell;
use std::rc::Rc;

use beryl_abi::environment::{Channel, MAGIC};
use beryl_abi::{Instant, Line, Note, ProgramId, Record, ThreadId};

use super::lines::Controller;
use super::{Access, Broken, Plugged, Settings, Shared};
use crate::environment::{Environment, Nanoseconds};

/// A controller that keeps what was done with its lines.
#[derive(Clone, Default)]
struct Inputs(Rc<RefCell<Vec<(u16, bool)>>>);

impl Controller for Inputs {
    fn set(&mut self, line: Line, is_up: bool) -> Result<(), Broken> {
        self.0.borrow_mut().push((line.0, is_up));
        Ok(())
    }
}

/// Memory from address 0 on.
#[derive(Clone)]
pub(super) struct Bytes(Rc<RefCell<Vec<u8>>>);

impl Bytes {
    pub(super) fn new(length: usize) -> Bytes {
        Bytes(Rc::new(RefCell::new(vec![0; length])))
    }
}

impl Shared for Bytes {
    fn read(&self, address: u32, bytes: &mut [u8]) -> Result<(), Broken> {
        let (all, start) = (self.0.borrow(), address as usize);
        let found = all.get(start..start + bytes.len()).ok_or(Broken("outside".to_owned()))?;
        bytes.copy_from_slice(found);
        Ok(())
    }

    fn write(&self, address: u32, bytes: &[u8]) -> Result<(), Broken> {
        let (mut all, start) = (self.0.borrow_mut(), address as usize);
        let place = all.get_mut(start..start + bytes.len()).ok_or(Broken("outside".to_owned()))?;
        place.copy_from_slice(bytes);
        Ok(())
    }
}

/// What a plant was asked and told: instant, channel, and the value it gave or took.
type Exchanged = Vec<(char, u64, u32, Vec<u8>)>;

/// Gives twice the command that it got last, and one more for each time it is asked.
#[derive(Clone, Default)]
struct Plant {
    exchanged: Rc<RefCell<Exchanged>>,
    command: u8,
    asked: u8,
}

impl Environment for Plant {
    fn read(&mut self, instant: Nanoseconds, channel: Channel, value: &mut [u8]) {
        self.asked += 1;
        value[0] = 2 * self.command + self.asked;
        self.exchanged.borrow_mut().push(('r', instant.count(), channel.number(), value.to_vec()));
    }

    fn write(&mut self, instant: Nanoseconds, channel: Channel, value: &[u8]) {
        self.command = value[0];
        self.exchanged.borrow_mut().push(('w', instant.count(), channel.number(), value.to_vec()));
    }

    /// Each 10 us, as soon as there was a command.
    fn interrupts(&mut self, after: Nanoseconds) -> Option<(Nanoseconds, Line)> {
        let next = Nanoseconds::new((after.count() / 10_000 + 1) * 10_000);
        (self.command > 0).then_some((next, Line(7)))
    }

    fn finish(&mut self, instant: Nanoseconds) -> Result<String, String> {
        Err(format!("over at {}", instant.count()))
    }
}

const CLOCK: u32 = 0x800;
const RECORDING: u32 = 0x400;
const DRIVERS: ThreadId = ThreadId(3);
/// Rows of a sensor of two bytes and of an actuator of one, and where their values are.
const ROWS: [u32; 8] = [0x40, 2, 1, 0, 0x44, 1, 1, 0];
const SENSOR: u32 = 20;
const ACTUATOR: u32 = 36;

/// A board, as far as the plugin sees it.
struct Board {
    plugged: Plugged<Bytes, Inputs>,
    inputs: Inputs,
    memory: Bytes,
    recorded: u32,
    count: u64,
    exchanged: Rc<RefCell<Exchanged>>,
}

impl Board {
    fn new() -> Board {
        let (memory, plant, inputs) = (Bytes::new(0x900), Plant::default(), Inputs::default());
        let header = [MAGIC, 0, 0, 2, 1];
        for (index, word) in header.iter().chain(&ROWS).enumerate() {
            memory.write(4 * index as u32, &word.to_le_bytes()).expect("room");
        }
        let settings = "socket=s window=0 recording=1024 recorded=2048 clock=2048 tick=40 speed=5 drivers=3 end=100 \
                        seed=1 report=r";
        let settings: Vec<_> = settings.split_whitespace().map(str::to_owned).collect();
        let settings = Settings::parse(&settings).expect("settings");
        let exchanged = plant.exchanged.clone();
        let plugged =
            Plugged::new(settings, memory.clone(), Box::new(plant), Some(inputs.clone())).expect("a window");
        Board { plugged, inputs, memory, recorded: RECORDING, count: 0, exchanged }
    }

    fn load(&mut self, address: u32) -> u32 {
        self.count += 1;
        self.plugged.touched(Access::Load, address, self.count).expect("told");
        self.memory.word(address).unwrap_or_default()
    }

    fn store(&mut self, address: u32, word: u32) {
        self.count += 1;
        self.memory.write(address, &word.to_le_bytes()).expect("room");
        self.plugged.touched(Access::Store, address, self.count).expect("told");
    }

    /// The kernel records something.
    fn record(&mut self, record: Record, time: u64) {
        self.load(CLOCK);
        let mut words = Vec::new();
        record.encode(Instant::from_ticks(time), |word| words.push(word), |_| 0);
        for word in words {
            self.store(self.recorded, word);
            self.recorded += 4;
        }
    }

    fn switch(&mut self, to: ThreadId, time: u64) {
        self.record(Record::Switch { to, from: ThreadId(0) }, time);
    }

    /// As `environment_read` does.
    fn read(&mut self, row: u32, length: u32) -> Option<Vec<u8>> {
        (self.load(row + 4) == length).then_some(())?;
        let last = self.load(row + 8).checked_sub(1)?;
        let place = self.load(row + 12).min(last);
        let mut value = vec![0; length as usize];
        let address = self.load(row) + 4 * place;
        self.memory.read(address, &mut value).expect("inside");
        let cursor = self.load(row + 12);
        self.store(row + 12, cursor + 1);
        Some(value)
    }

    /// As `environment_write` does.
    fn write(&mut self, row: u32, value: &[u8]) {
        if self.load(row + 4) as usize != value.len() {
            return;
        }
        let cursor = self.load(row + 12);
        if cursor < self.load(row + 8) {
            let address = self.load(row) + 4 * self.load(row + 12);
            self.memory.write(address, value).expect("inside");
        }
        let cursor = self.load(row + 12);
        self.store(row + 12, cursor + 1);
    }
}

#[test]
fn the_plant_answers_each_reader_and_hears_each_writer() {
    let mut board = Board::new();
    let react = |instant| Record::Note(Note::react(ProgramId(0), 0, Instant::from_ticks(instant)));
    board.record(react(10), 12);
    board.switch(DRIVERS, 13);
    assert_eq!(board.read(SENSOR, 2), Some(vec![1, 0]));
    board.write(ACTUATOR, &[20]);
    assert_eq!(board.read(SENSOR, 2), Some(vec![42, 0]));
    board.record(react(50), 51);
    board.write(ACTUATOR, &[30]);
    board.write(ACTUATOR, &[31]);
    assert_eq!(board.read(SENSOR, 2), Some(vec![65, 0]));
    let expected = [
        ('r', 400, 0, vec![1, 0]),
        ('w', 400, 1, vec![20]),
        ('r', 400, 0, vec![42, 0]),
        ('w', 2000, 1, vec![30]),
        ('w', 2000, 1, vec![31]),
        ('r', 2000, 0, vec![65, 0]),
    ];
    assert_eq!(*board.exchanged.borrow(), expected);
    assert_eq!(board.plugged.finish(), Err("over at 4000".to_owned()));
}

/// A thread's access is at the instant of its instruction: of the last record, and 32 ns for each instruction since the
/// kernel read that time.
#[test]
fn a_threads_access_has_its_own_instant_and_none_goes_back() {
    let mut board = Board::new();
    board.switch(ThreadId(5), 100);
    // Five instructions of the record, then the two of the reader up to the number of values.
    board.read(SENSOR, 2);
    board.switch(DRIVERS, 120);
    board.read(SENSOR, 2);
    let instants: Vec<_> = board.exchanged.borrow().iter().map(|(_, instant, ..)| *instant).collect();
    assert_eq!(instants, [4000 + 32 * 6, 4000 + 32 * 6], "the driver's logical instant is the start");
}

#[test]
fn who_has_another_length_exchanges_nothing() {
    let mut board = Board::new();
    assert_eq!(board.read(SENSOR, 4), None);
    board.write(ACTUATOR, &[1, 2]);
    board.load(0);
    board.load(12);
    assert!(board.exchanged.borrow().is_empty());
    assert!(board.read(SENSOR, 2).is_some(), "as if nothing had been");
}

/// Time passes with instructions, from the record on that knows most: one that tells of an earlier moment changes nothing.
#[test]
fn interrupts_come_with_the_first_instruction_that_is_not_before_them() {
    let mut board = Board::new();
    let look = |board: &mut Board, count| {
        board.plugged.look(count).expect("a look");
        (board.plugged.next_look, board.inputs.0.take())
    };
    assert_eq!(look(&mut board, 40), (1040, vec![]), "nothing is known of the board's time");
    board.count = 99;
    // The clock is read at 4000 ns, when 100 instructions have been carried out.
    board.switch(DRIVERS, 100);
    assert_eq!(look(&mut board, 106), (u64::MAX, vec![]), "nobody interrupts");
    board.switch(ThreadId(5), 101);
    board.write(ACTUATOR, &[1]);
    assert_eq!(board.plugged.next_look, 0, "the answer may be another one");
    // 187 instructions of 32 ns are 5984 ns, so 10 us are over behind one more.
    assert_eq!(look(&mut board, 200), (287, vec![]));
    assert_eq!(look(&mut board, 287).1, []);
    assert_eq!(look(&mut board, 288), (288 + 312, vec![(7, true)]));
    // It goes down when the kernel has recorded that its interrupt came, and not with another one's.
    board.count = 290;
    for (line, moved) in [(8, vec![]), (7, vec![(7, false)]), (7, vec![])] {
        board.record(Record::Note(Note::interrupt(ThreadId(2), Line(line))), 300);
        assert_eq!(board.inputs.0.take(), moved, "line {line}");
    }
}
