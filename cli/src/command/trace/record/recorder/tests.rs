//! Recording with a simulated board and disk: everything that arrives is in the file, and failures are
//! reported.

use std::cell::RefCell;
use std::io::{self, Read, Seek, SeekFrom};
use std::rc::Rc;
use std::time::Duration;

use beryl_abi::{Note, Record, ThreadId};
use beryl_link::tracing::Drain;
use beryl_trace::{DecodedNote, Event, Happening, file};

use super::*;
use crate::command::trace::record::line::{SILENCE, follow, until};
use crate::command::trace::show::tail::Tail;

/// A disk with a limited size, and its reader's position.
#[derive(Clone)]
struct Disk {
    bytes: Rc<RefCell<Vec<u8>>>,
    room: usize,
    place: usize,
}

impl Disk {
    fn of(room: usize) -> Disk {
        Disk { bytes: Rc::default(), room, place: 0 }
    }
}

impl Write for Disk {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let mut all = self.bytes.borrow_mut();
        let part = bytes.len().min(self.room - all.len());
        if part == 0 {
            return Err(io::Error::new(io::ErrorKind::StorageFull, "no room is left"));
        }
        all.extend_from_slice(&bytes[..part]);
        Ok(part)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Sink for Disk {
    fn cut(&mut self, length: u64) {
        self.bytes.borrow_mut().truncate(usize::try_from(length).expect("small"));
    }
}

impl Read for Disk {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let all = self.bytes.borrow();
        let count = all.get(self.place..).unwrap_or_default().read(into)?;
        self.place += count;
        Ok(count)
    }
}

impl Seek for Disk {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        let SeekFrom::Start(place) = to else { return Err(io::ErrorKind::Unsupported.into()) };
        self.place = usize::try_from(place).expect("small");
        Ok(place)
    }
}

fn recorder(disk: &Disk) -> Recorder<Disk> {
    Recorder::begin(disk.clone(), Path::new("run.trace")).expect("there is room")
}

/// The bytes of a frame whose note says that a thread completed its job at `time`.
fn frame(drain: &mut Drain, thread: u8, time: u64) -> Vec<u8> {
    let note: Note = Record::Complete { task: ThreadId(thread) }.note();
    let words = [note.header, u32::try_from(time).expect("small"), note.words[0], note.words[1]];
    drain.add(&words.map(u32::to_le_bytes).concat());
    drain.send(time).expect("a note").as_ref().to_vec()
}

fn completed(time: u64, thread: u8) -> Event {
    Event { time: Instant::from_ticks(time), happening: Happening::Complete { task: ThreadId(thread) } }
}

#[test]
fn what_has_arrived_is_shown_by_whoever_follows() {
    let disk = Disk::of(100_000);
    let mut recorder = recorder(&disk);
    let mut drain = Drain::new(beryl_link::Identity([7; 32]));
    let mut tail = Tail::all(disk);
    assert_eq!(tail.more().expect("readable"), (vec![], None));
    for number in 0..50_u8 {
        let time = u64::from(number) * 10;
        let line = frame(&mut drain, number, time);
        let (first, rest) = line.split_at(line.len() / 2);
        recorder.hear(first).expect("there is room");
        assert_eq!(tail.more().expect("readable"), (vec![], None), "half a frame is nothing");
        recorder.hear(rest).expect("there is room");
        assert_eq!(tail.more().expect("readable"), (vec![completed(time, number)], None));
    }
}

#[test]
fn a_frame_that_never_arrives_is_told_as_lost_where_it_is_missing() {
    let disk = Disk::of(100_000);
    let mut recorder = recorder(&disk);
    let mut drain = Drain::new(beryl_link::Identity([7; 32]));
    let mut lines = [1, 2, 3].map(|number| frame(&mut drain, number, u64::from(number) * 10));
    let middle = lines[1].len() / 2;
    lines[1][middle] ^= 4;
    lines.iter().for_each(|line| recorder.hear(line).expect("there is room"));
    let lost =
        Event { time: Instant::from_ticks(30), happening: Happening::Note(DecodedNote::Lost { count: 1 }) };
    assert_eq!(file::readable(&disk.bytes.borrow()), (vec![completed(10, 1), lost, completed(30, 3)], None));
}

/// Wherever the disk fills up, the file holds the whole blocks that fitted, no partial block, and the reason
/// is reported.
#[test]
fn a_full_disk_leaves_whole_blocks_and_says_how_much() {
    for room in 8..200 {
        let disk = Disk::of(room);
        let mut recorder = recorder(&disk);
        let mut drain = Drain::new(beryl_link::Identity([7; 32]));
        let ended = (1..50_u8).find_map(|number| {
            recorder
                .hear(&frame(&mut drain, number, number.into()))
                .err()
                .map(|reason| (number, format!("{reason:#}")))
        });
        let (last, reason) = ended.expect("the disk is full");
        let written = disk.bytes.borrow().len();
        let expected = format!(
            "run.trace can't grow beyond {written} bytes; what is in it is readable: no room is left"
        );
        assert_eq!(reason, expected);
        let events: Vec<_> = (1..last).map(|number| completed(number.into(), number)).collect();
        assert_eq!(file::readable(&disk.bytes.borrow()), (events, None), "{room} bytes");
    }
    let refused =
        Recorder::begin(Disk::of(5), Path::new("run.trace")).err().map(|reason| format!("{reason:#}"));
    assert_eq!(refused.as_deref(), Some("can't write run.trace: no room is left"));
}

#[test]
fn a_board_that_stops_talking_ends_the_recording_with_a_reason_and_what_came() {
    let disk = Disk::of(100_000);
    let mut recorder = recorder(&disk);
    let mut drain = Drain::new(beryl_link::Identity([7; 32]));
    let line = frame(&mut drain, 4, 10);
    let (board, heard) = std::sync::mpsc::channel();
    // The bytes arrive before anybody checks a clock, and the line stays open.
    board.send(line).expect("somebody listens");
    let ended = follow(&mut recorder, &heard, &mut io::sink(), None, None, Duration::ZERO);
    drop(board);
    let reason = ended.map_err(|reason| format!("{reason:#}")).expect_err("it is silent");
    assert!(
        reason.starts_with("the board has said nothing for 0 s; does it run an image with a [trace]")
            && reason.ends_with("What came before is in the file"),
        "{reason}"
    );
    assert_eq!(file::readable(&disk.bytes.borrow()), (vec![completed(10, 4)], None));
}

#[test]
fn another_image_is_refused_and_a_line_that_is_closed_is_an_end() {
    let disk = Disk::of(100_000);
    let mut recorder = recorder(&disk);
    recorder.expect(Identity([8; 32]));
    let mut drain = Drain::new(beryl_link::Identity([7; 32]));
    let line = [frame(&mut drain, 4, 10), drain.tracing(3).as_ref().to_vec()].concat();
    let incoming = io::Cursor::new(line.clone());
    let ended = until(&mut recorder, incoming, &mut io::sink(), None, None, SILENCE);
    let reason = ended.map_err(|reason| format!("{reason:#}")).expect_err("another image");
    assert!(reason.starts_with("the board runs another image, whose numbers mean other things"), "{reason}");
    assert_eq!(file::readable(&disk.bytes.borrow()), (vec![completed(10, 4)], None));

    let disk = Disk::of(100_000);
    let mut recorder = self::recorder(&disk);
    until(&mut recorder, io::Cursor::new(line), &mut io::sink(), None, None, SILENCE).expect("it ends");
    assert_eq!((recorder.told(), file::readable(&disk.bytes.borrow()).0.len()), (Some(Classes(3)), 1));
}
