//! What drivers and tasks of others pay for the faces of `beryl-ecosystem`: instructions of each, beside the calls below them.

use std::io::{Read, Write};
use std::net::Shutdown;
use std::os::unix::net::UnixStream;

use anyhow::{Context, Result, ensure};
use beryl_builder::workshop::Workshop;
use beryl_builder::{emulator, image};

use crate::console::Console;
use crate::row::Row;
use crate::systems::{FACES, after, load};

/// The benches in this file.
pub const NAMES: &[&str] = &[
    "ecosystem/write",
    "ecosystem/line",
    "ecosystem/read",
    "ecosystem/section",
    "ecosystem/wake",
    "ecosystem/back",
    "ecosystem/i2c",
];

/// The cases of each, and the end of their samples' name; the first one is without a face.
pub const CASES: [&[(&str, &str)]; 7] = [
    &[("`console::put`", "native"), ("`embedded_io::Write`", "face")],
    &[("`console::write`", "native"), ("`embedded_io::Write`", "face")],
    &[("`console::receive`", "native"), ("`embedded_io::Read`", "face")],
    &[
        ("`Lock::with`", "lock"),
        ("`critical_section::with`, the first thread of seven", "first"),
        ("`critical_section::with`, the sixth", "last"),
    ],
    &[
        ("`Notification::wait`", "native"),
        ("a task, `Event::wait`", "event"),
        ("a task, `Signal::wait`", "signal"),
    ],
    &[
        ("`Notification::wait`", "native"),
        ("a task, `Event::wait`", "event"),
        ("a task, `Signal::wait`", "signal"),
    ],
    &[
        ("the wires", "wires"),
        ("`embedded_hal::i2c::I2c::write_read`", "hal"),
        ("`Eeprom24x::read_byte`", "driver"),
    ],
];

/// How many samples each has: the application says so, too.
const SAMPLES: usize = 100;

/// How many bytes it reads: by each of two ways a sample, and one before.
const TYPED: usize = 2 * (SAMPLES + 1);

/// The length of the run, in nanoseconds of the board's clock.
const LENGTH: u64 = 12_000_000_000;

/// Builds the system, runs it, and counts.
///
/// # Errors
/// Those of building and running it, or samples that are missing.
pub fn rows(workshop: &Workshop) -> Result<Vec<Row>> {
    let console = run(workshop)?;
    let cases =
        NAMES.iter().zip(CASES).flat_map(|(bench, cases)| cases.iter().map(move |case| (*bench, *case)));
    cases.map(|(bench, (case, end))| row(&console, bench, case, end)).collect()
}

fn row(console: &Console, bench: &str, case: &str, end: &str) -> Result<Row> {
    let samples = console.samples(&format!("{bench}/{end}"))?;
    ensure!(samples.len() == SAMPLES, "{bench}, {case}: {} samples instead of {SAMPLES}", samples.len());
    let each = samples.iter().map(|sample| sample.instructions());
    Row::instructions(bench, case, &each.collect::<Result<Vec<_>>>().with_context(|| bench.to_owned())?)
}

/// Runs the system with somebody who types all that it reads. Bytes wait at the line until the board has room for the next.
fn run(workshop: &Workshop) -> Result<Console> {
    let project = load(FACES)?;
    let board = project.description.board.board.value;
    let built = image::build(&project, workshop, |_| ())?;
    let awake = built.awake.as_deref().context("the image has an idle thread of its own")?;
    let window = emulator::Accesses::default().window_without_trace(board, after(board, LENGTH))?;
    let folder = workshop.folder(&project.assembly.name).join("run");
    let speed = project.description.board.speed;
    let (_, said) = emulator::run_linked(board, awake, &window, speed, &folder, type_and_listen)?;
    Console::parse(&said, board.tick.get()).context("the run of the faces")
}

/// Types, and listens until all is measured.
fn type_and_listen(mut ours: UnixStream, mut output: UnixStream) -> std::io::Result<String> {
    ours.write_all(&[b'a'; TYPED])?;
    let (mut said, mut room) = (Vec::new(), [0; 4096]);
    while !said.ends_with(b"end\n") {
        match output.read(&mut room)? {
            0 => break,
            count => said.extend(room.iter().take(count)),
        }
    }
    ours.shutdown(Shutdown::Both)?;
    Ok(String::from_utf8_lossy(&said).into_owned())
}
