//! The memory of a process that begins anew holds what boot puts there, and nothing else is touched. Random maps of memory
//! are put back piece by piece, beside a model that does it at once.

use beryl_abi::{Instant, Journal, Line, Moment, ProcessId, Range, Record, ThreadId};
use beryl_kernel::{Machine, Piece, Process, State, System, Table, sizes};
use beryl_port::Image;
use beryl_port::images::put_back;
use beryl_testing::{Draw, XorShift};

sizes! {
    /// Processes, and nothing else.
    struct Processes {
        threads: 2, processes: 4, bands: 1, slots: 2, drivers: 1, programs: 1, triggers: 2,
        semaphores: 1, conditions: 1, mailboxes: 1, endpoints: 1, notifications: 1, interrupts: 1,
        state_messages: 1
    }
}

/// Words of flash and of RAM.
const WORDS: u32 = 1024;
/// Where RAM begins.
const RAM: u32 = 0x2000_0000;
/// What is in all of RAM before.
const SPOILT: u32 = 0x5B01_1ED5;

/// A machine with memory, of which nothing else is asked.
struct Host {
    system: &'static System<Processes>,
    flash: Vec<u32>,
    ram: Vec<u32>,
    /// Bytes that were copied or cleared since somebody looked last.
    moved: u32,
}

impl Machine<Processes> for Host {
    fn system(&self) -> &'static System<Processes> {
        self.system
    }

    fn copy(&mut self, from: u32, to: u32, length: u32) {
        assert!(length <= State::<Processes>::CHUNK && length.is_multiple_of(4), "{length} bytes at once");
        for offset in (0..length).step_by(4) {
            let value = self.flash[(from + offset) as usize / 4];
            self.store(to + offset, value);
        }
    }

    fn store(&mut self, address: u32, value: u32) {
        self.moved += 4;
        self.ram[(address - RAM) as usize / 4] = value;
    }

    fn now(&mut self) -> Instant {
        unreachable!("no time passes")
    }

    fn load(&mut self, _: u32) -> u32 {
        unreachable!("nothing is read but what is copied")
    }

    fn arm(&mut self, _: Moment) {}
    fn result(&mut self, _: ThreadId, _: [u32; 2]) {}
    fn status(&mut self, _: ThreadId, _: u32) {}
    fn restart(&mut self, _: ThreadId) {}
    fn mask(&mut self, _: Line) {}
    fn unmask(&mut self, _: Line) {}
    fn trace(&mut self, _: Record) {}
}

/// Whose a stretch is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Owner {
    Process(usize),
    /// The journal of a process, which stays as it is.
    Journal(usize),
}

/// A map of memory: the processes' rows, and the stretches with their owners.
type Map = (System<Processes>, Vec<(Image, Owner)>);

/// Each process has a few stretches, one behind the other, and at most one of them is its journal.
fn map(draw: &mut XorShift) -> Map {
    let (mut system, mut stretches) = (System::<Processes>::empty(), Vec::new());
    let (mut load, mut address) = (0, RAM);
    for process in 0..4 {
        let (base, journal) = (address, draw.below(4));
        let mut row = Process::NONE;
        for number in 0..=draw.below(3) {
            // Lengths about whole pieces, and none.
            let mut length = || 4 * [0, 1, 15, 16, 17, 31, 32, 33][draw.below(8)];
            let (length, zeros) = (length(), length().max(4));
            stretches.push((
                Image { load, address, length, zeros },
                if number == journal { Owner::Journal(process) } else { Owner::Process(process) },
            ));
            if number == journal {
                row.journal = Journal { address, ..Journal::NONE };
            }
            (load, address) = (load + length, address + length + zeros);
        }
        row.memory[0] = Range::new(base, address - base);
        *system.processes.at_mut(process) = row;
        // Padding, which is nobody's.
        address += 4 * draw.below(3) as u32;
    }
    (system, stretches)
}

/// How many pieces a stretch takes that is put back: contents and zeros aren't in one.
fn pieces(image: &Image) -> u32 {
    let chunk = State::<Processes>::CHUNK;
    (image.length.div_ceil(chunk) + image.zeros.div_ceil(chunk)).max(1)
}

#[test]
fn a_process_gets_back_what_boot_gave_it_piece_by_piece_and_nobody_else_does() {
    for seed in 1..=300 {
        let mut draw = XorShift::new(seed);
        let (system, stretches) = map(&mut draw);
        let images: Vec<_> = stretches.iter().map(|(image, _)| *image).collect();
        let system = Box::leak(Box::new(system));
        for process in 0..4 {
            let flash: Vec<_> = (0..WORDS).map(|word| word | 0xF1A5_0000).collect();
            let (mut expected, mut steps) = (vec![SPOILT; WORDS as usize], 0);
            for (image, owner) in &stretches {
                if *owner != Owner::Process(process) {
                    steps += 1;
                    continue;
                }
                steps += pieces(image);
                let [from, to, words] =
                    [image.load, image.address - RAM, image.length].map(|bytes| bytes as usize / 4);
                expected[to..to + words].copy_from_slice(&flash[from..from + words]);
                expected[to + words..to + words + image.zeros as usize / 4].fill(0);
            }
            let mut host = Host { system, flash, ram: vec![SPOILT; WORDS as usize], moved: 0 };
            let (mut next, mut taken) = (Some(Piece::FIRST), 0);
            while let Some(piece) = next {
                host.moved = 0;
                next = put_back(&mut host, &images, ProcessId(process as u8), piece);
                assert!(
                    host.moved <= State::<Processes>::CHUNK,
                    "seed {seed}: {} bytes at {piece:?}",
                    host.moved
                );
                taken += 1;
                assert!(taken <= steps + 1, "seed {seed}: no end at {piece:?}");
            }
            assert_eq!(host.ram, expected, "seed {seed}, process {process}: {stretches:?}");
            // One more finds that there is no other stretch.
            assert_eq!(taken, steps + 1, "seed {seed}, process {process}: {stretches:?}");
        }
    }
}
