//! A run whose executed instructions are read while it goes on, line by line. It ends when enough has been seen.
//!
//! A log of all instructions of a long run has gigabytes. Whoever wants a part of it, and recognises it when it comes,
//! needs no file.

use std::fs;
use std::io::{BufRead, BufReader, ErrorKind};
use std::ops::{ControlFlow, Range};
use std::path::Path;
use std::process::{Child, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant as HostInstant;

use super::{Serial, command, failed, patience};
use crate::alone::Alone;
use crate::error::BuildError;
use crate::plan::Board;
use crate::workshop::replace;

/// What the emulator is asked to log: each instruction, and what is read from the devices that tell time.
const OPTIONS: [&str; 7] = [
    "-singlestep",
    "-d",
    "exec,nochain",
    "-trace",
    "cmsdk_apb_timer_read",
    "-trace",
    "cmsdk_apb_dualtimer_read",
];

/// Boots `image` on `board` as [`run_logged`](super::run_logged) does, and gives each line of the log to
/// `watch`: an instruction of those in `code`, or a reading of a timer. The run is over when `watch` breaks.
///
/// # Errors
/// The run ends before, or doesn't come to its end in time.
pub fn run_watched(
    board: &Board,
    image: &Path,
    window: &[u8],
    speed: u8,
    folder: &Path,
    code: &[Range<u32>],
    watch: impl FnMut(&str) -> ControlFlow<()> + Send,
) -> Result<(), BuildError> {
    match watched(board, image, window, speed, folder, code, watch)? {
        ControlFlow::Break(()) => Ok(()),
        ControlFlow::Continue(_) => Err(failed(&what(board), "it ended before all was seen")),
    }
}

/// The same up to the end of the run that the window says.
///
/// # Errors
/// The run doesn't come to its end, or not in time.
pub fn run_read(
    board: &Board,
    image: &Path,
    window: &[u8],
    speed: u8,
    folder: &Path,
    code: &[Range<u32>],
    mut read: impl FnMut(&str) + Send,
) -> Result<(), BuildError> {
    let line = |line: &str| {
        read(line);
        ControlFlow::Continue(())
    };
    match watched(board, image, window, speed, folder, code, line)? {
        ControlFlow::Continue(Whole(true)) | ControlFlow::Break(()) => Ok(()),
        ControlFlow::Continue(Whole(false)) => Err(failed(&what(board), "it didn't come to its end")),
    }
}

/// Whether a board came to the end of its run.
struct Whole(bool);

fn what(board: &Board) -> String {
    format!("the watched run on the emulated {}", board.name)
}

fn watched(
    board: &Board,
    image: &Path,
    window: &[u8],
    speed: u8,
    folder: &Path,
    code: &[Range<u32>],
    watch: impl FnMut(&str) -> ControlFlow<()> + Send,
) -> Result<ControlFlow<(), Whole>, BuildError> {
    let image = image.canonicalize().map_err(|reason| BuildError::file("find", image, reason))?;
    let _alone = Alone::in_folder(folder)?;
    // A board that comes to its end leaves a trace, and be it an empty one.
    let trace = folder.join("trace.bin");
    if trace.exists() {
        fs::remove_file(&trace).map_err(|reason| BuildError::file("remove", &trace, reason))?;
    }
    replace(&folder.join("window.bin"), window)?;
    let said = folder.join("messages.txt");
    let file = fs::File::create(&said).map_err(|reason| BuildError::file("write", &said, reason))?;
    let filter: Vec<_> = code.iter().map(|range| format!("{:#x}..{:#x}", range.start, range.end)).collect();
    let what = what(board);
    let broken = |reason: std::io::Error| failed(&what, &reason.to_string());
    let mut command = command(board, &image, speed, folder, Serial::File)?;
    // Without a file, the log goes where the emulator's messages go.
    command.args(OPTIONS).args(["-dfilter", &filter.join(",")]).stdout(file).stderr(Stdio::piped());
    let mut child = command.spawn().map_err(broken)?;
    let (log, is_over) = (child.stderr.take(), AtomicBool::new(false));
    std::thread::scope(|scope| {
        let reader = scope.spawn(|| {
            // Without a log, nothing has been seen.
            let seen = log.map_or(Ok(ControlFlow::Continue(())), |log| {
                read(BufReader::with_capacity(1 << 20, log), watch)
            });
            is_over.store(true, Ordering::Release);
            seen
        });
        let ended = attend(&mut child, &is_over, patience(board, window));
        // Also if nobody could wait for it: the reader's input ends when the emulator does.
        let killed = child.kill().and_then(|()| child.wait());
        let seen = reader.join().map_err(|_| failed(&what, "whoever watched it failed"))?.map_err(broken)?;
        ended.and(killed.map(drop)).map_err(broken)?;
        Ok(match seen {
            ControlFlow::Break(()) => ControlFlow::Break(()),
            ControlFlow::Continue(()) => ControlFlow::Continue(Whole(trace.exists())),
        })
    })
}

/// Reads lines until enough has been seen.
fn read(
    mut log: impl BufRead,
    mut watch: impl FnMut(&str) -> ControlFlow<()>,
) -> std::io::Result<ControlFlow<()>> {
    let mut line = Vec::new();
    while log.read_until(b'\n', &mut line)? > 0 {
        if watch(&String::from_utf8_lossy(&line)).is_break() {
            return Ok(ControlFlow::Break(()));
        }
        line.clear();
    }
    Ok(ControlFlow::Continue(()))
}

/// Waits until the log is over, or patience runs out.
fn attend(child: &mut Child, is_over: &AtomicBool, patience: std::time::Duration) -> std::io::Result<()> {
    let start = HostInstant::now();
    while !is_over.load(Ordering::Acquire) {
        if start.elapsed() > patience * PATIENCE {
            let reason = format!("it didn't come to its end within {} s", (patience * PATIENCE).as_secs());
            child.kill()?;
            return Err(std::io::Error::new(ErrorKind::TimedOut, reason));
        }
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
    Ok(())
}

/// How many times as long a run may take if its instructions are logged.
const PATIENCE: u32 = 5;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_read_behind_what_was_enough() -> std::io::Result<()> {
        let mut seen = Vec::new();
        let mut log = BufReader::new(&b"one\ntwo\nthree\nfour\n"[..]);
        let end = read(&mut log, |line| {
            seen.push(line.trim_end().to_owned());
            if line.starts_with("th") { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        })?;
        assert!(end.is_break());
        assert_eq!(seen, ["one", "two", "three"]);
        assert!(read(log, |_| ControlFlow::Continue(()))?.is_continue(), "the rest, to its end");
        Ok(())
    }
}
