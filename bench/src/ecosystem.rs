//! What drivers and tasks of others pay for the faces of `beryl-ecosystem`: instructions of each, beside the calls below them.

use std::io::{Read, Write};
use std::net::Shutdown;
use std::os::unix::net::UnixStream;

use anyhow::{Context, Result, ensure};
use beryl_builder::workshop::Workshop;
use beryl_builder::{emulator, image};

use crate::console::Console;
use crate::row::Row;
use crate::systems::{FACES, MILLION, after, load, run};

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

/// What the board says behind what it writes, and behind what it reads.
const END: &str = "\nend\n";

/// How many bytes it reads: by each of two ways a sample, and one before.
const TYPED: usize = 2 * (SAMPLES + 1);

/// The one that needs somebody who types.
const READING: &str = NAMES[2];

/// The length of both runs, in millions of instructions.
const MILLIONS: u64 = 20;

/// Builds the system, runs it, and counts.
///
/// # Errors
/// Those of building and running it, or samples that are missing.
pub fn rows(workshop: &Workshop) -> Result<Vec<Row>> {
    let (console, typed) = (run(&load(FACES)?, workshop, MILLIONS)?, typed(workshop)?);
    let cases =
        NAMES.iter().zip(CASES).flat_map(|(bench, cases)| cases.iter().map(move |case| (*bench, *case)));
    let said = |bench: &str| if bench == READING { &typed } else { &console };
    cases.map(|(bench, (case, end))| row(said(bench), bench, case, end)).collect()
}

fn row(console: &Console, bench: &str, case: &str, end: &str) -> Result<Row> {
    let samples = console.samples(&format!("{bench}/{end}"))?;
    ensure!(samples.len() == SAMPLES, "{bench}, {case}: {} samples instead of {SAMPLES}", samples.len());
    let each = samples.iter().map(|sample| sample.instructions());
    Row::instructions(bench, case, &each.collect::<Result<Vec<_>>>().with_context(|| bench.to_owned())?)
}

/// Runs the system with somebody who types all that it reads, and answers what is measured then. Bytes wait at the line until the board has room
/// for the next. Whoever listens may be slow, so what writes is measured in a run without.
fn typed(workshop: &Workshop) -> Result<Console> {
    let project = load(FACES)?;
    let board = project.description.board.board.value;
    let built = image::build(&project, workshop, |_| ())?;
    let awake = built.awake.as_deref().context("the image has an idle thread of its own")?;
    let window =
        emulator::Accesses::default().window_without_trace(board, after(board, MILLIONS * MILLION))?;
    let folder = workshop.folder(&project.assembly.name).join("run");
    let speed = project.description.board.speed;
    let (_, said) = emulator::run_linked(board, awake, &window, speed, &folder, type_and_listen)?;
    let (_, read) = said.split_once(END).context("the board has written nothing")?;
    Console::parse(read, board.tick.get()).context("what was typed")
}

/// Types, and listens until all is measured.
fn type_and_listen(mut ours: UnixStream, mut output: UnixStream) -> std::io::Result<String> {
    ours.write_all(&[b'a'; TYPED])?;
    let (mut said, mut room) = (String::new(), [0; 4096]);
    while said.matches(END).count() < 2 {
        match output.read(&mut room)? {
            0 => break,
            count => said += &String::from_utf8_lossy(room.get(..count).unwrap_or_default()),
        }
    }
    ours.shutdown(Shutdown::Both)?;
    Ok(said)
}
