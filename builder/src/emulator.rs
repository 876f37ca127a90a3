//! The emulated board: boots an image with a recorded environment, and brings back its trace.

use std::ffi::{OsStr, OsString};
use std::fmt;
use std::fs;
use std::ops::Range;
use std::os::fd::OwnedFd;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};
use std::time::{Duration as HostDuration, Instant as HostInstant};

mod accesses;
mod bus;
mod cores;
mod debugged;
mod live;
pub mod log;
mod network;
mod spoken;
mod together;
mod watched;

use crate::alone::Alone;
use crate::error::BuildError;
use crate::plan::{Board, Device};
use crate::workshop::replace;

pub use accesses::Accesses;
pub use bus::Tally;
pub use cores::{Core, alone_on_one_board, on_one_board, on_one_board_logged, require_cores};
pub use debugged::debugged;
pub use live::{Live, Report};
pub use network::{Wire, run_on_wire};
pub use spoken::Spoken;
pub use together::{Member, Together, Trouble, require_bus};
pub use watched::{run_read, run_watched};

/// How often a timer of the emulator's own goes off while the processor sleeps, in microseconds of virtual time.
///
/// While the processor sleeps, the emulator (7.2) puts the clock forward to the next instant at which something
/// happens. If that is a device's timer that reloads, it does so once more before the processor is awake: a device
/// that interrupts every 2.7 ms is then seen every 5.4 ms. That doesn't happen if another timer comes first. The
/// kernel's own alarm doesn't reload, and was never late. So devices may interrupt as often as this timer goes off.
const HEARTBEAT_MICROSECONDS: u32 = 500;

/// Checks that the emulator is installed, before anything is made for it.
///
/// # Errors
/// [`BuildError::Tool`] where it isn't, which says first what is left undone.
pub fn require(board: &Board, undone: impl fmt::Display) -> Result<(), BuildError> {
    let [program, package] = board.processor.emulator;
    let answer = Command::new(program).arg("--version").stdout(Stdio::null()).stderr(Stdio::null()).status();
    if answer.is_ok_and(|status| status.success()) {
        return Ok(());
    }
    Err(BuildError::Tool {
        missing: format!("{undone}: {program} isn't installed"),
        proposal: format!("run `./x setup`, or install Debian's package {package}"),
    })
}

/// What an emulated run brought back.
pub struct Outcome {
    /// The kernel's records.
    pub trace: Vec<u8>,
    /// What the application printed on the console.
    pub console: String,
    /// The same byte by byte with times, if the emulator was asked to log them.
    pub spoken: Vec<Spoken>,
    /// What the environment left at the end, if it was loaded.
    environment: String,
}

/// How long a run may take on this machine before it counts as hung: two minutes, and ten seconds more for each second
/// of the run. This is a guard against a board that never ends, not a measure of speed.
fn patience(board: &Board, window: &[u8]) -> HostDuration {
    let half = |offset: usize| {
        let bytes = window.get(offset..offset + 4).and_then(|bytes| bytes.try_into().ok());
        u64::from(bytes.map_or(0, u32::from_le_bytes))
    };
    let stop = half(4) | half(8) << 32;
    let virtual_seconds = stop.saturating_mul(board.tick.get()) / 1_000_000_000;
    HostDuration::from_secs(virtual_seconds.saturating_mul(10).saturating_add(120).min(86_400))
}

/// Boots `image` on `board` with a window, in `folder`, after other runs there. An instruction takes 2^`speed` ns.
///
/// # Errors
/// The board reports a failure of its own, doesn't come to the end, or leaves no trace.
pub fn run(
    board: &Board,
    image: &Path,
    window: &[u8],
    speed: u8,
    folder: &Path,
) -> Result<Outcome, BuildError> {
    boot(board, image, window, speed, folder, &spoken::OPTIONS, Serial::File, || Ok(()))
}

/// The same with somebody at the other end of the console's line, who may speak as long as the board runs. `image` is
/// one that doesn't sleep: see [`Built::awake`](crate::image::Built::awake). The board's clock never runs ahead of the
/// host's, so that a slow host has the time that it needs to answer.
///
/// # Errors
/// As [`run`], and those of `speak`.
pub fn run_linked<R>(
    board: &Board,
    image: &Path,
    window: &[u8],
    speed: u8,
    folder: &Path,
    speak: impl FnOnce(UnixStream, UnixStream) -> std::io::Result<R>,
) -> Result<(Outcome, R), BuildError> {
    let speaking = |reason: std::io::Error| failed("speaking with the emulated board", &reason.to_string());
    let (ours, theirs) = UnixStream::pair().map_err(speaking)?;
    let output = ours.try_clone().map_err(speaking)?;
    let mut said = None;
    let run = boot(board, image, window, speed, folder, &[], Serial::Line(theirs), || {
        said = Some(speak(ours, output)?);
        Ok(())
    })?;
    let missing = || failed("speaking with the emulated board", "it wasn't spoken with");
    Ok((run, said.ok_or_else(missing)?))
}

/// Where the console's line goes.
enum Serial {
    /// Into a file with what the board says. Nobody speaks to the board.
    File,
    /// The same, and somebody has to answer elsewhere.
    FileInTime,
    /// To this end of a pair of sockets, which is the emulator's standard input, since nothing but the board speaks
    /// there. (Its standard output won't do: warnings about a slow host appear in it, in the middle of frames.)
    Line(UnixStream),
    /// Into a file; the emulator's standard input is a line to the bus, for its plugin.
    AtBus(UnixStream),
}

impl Serial {
    /// How virtual time passes: as fast as it can, or no faster than the host's if somebody there has to answer.
    fn pace(&self) -> &'static str {
        match self {
            Serial::File | Serial::AtBus(_) => "sleep=off,align=off",
            Serial::Line(_) => "sleep=on,align=on",
            Serial::FileInTime => "sleep=on,align=off",
        }
    }

    fn options(&self) -> &'static [&'static str] {
        match self {
            Serial::File | Serial::FileInTime | Serial::AtBus(_) => &["-serial", "file:console.txt"],
            Serial::Line(_) => &["-chardev", "socket,id=line,fd=0", "-serial", "chardev:line"],
        }
    }

    fn into_input(self) -> Stdio {
        match self {
            Serial::File | Serial::FileInTime => Stdio::null(),
            Serial::Line(end) | Serial::AtBus(end) => OwnedFd::from(end).into(),
        }
    }
}

/// The file in which [`run_logged`] leaves the executed instructions.
pub const LOG: &str = "instructions.txt";

/// The same, one instruction at a time, with those from addresses in `code` logged to [`LOG`].
///
/// # Errors
/// As [`run`].
pub fn run_logged(
    board: &Board,
    image: &Path,
    window: &[u8],
    speed: u8,
    folder: &Path,
    code: Range<u32>,
) -> Result<Outcome, BuildError> {
    let filter = format!("{:#x}..{:#x}", code.start, code.end);
    let options = ["-singlestep", "-d", "exec,nochain", "-D", LOG, "-dfilter", &filter];
    boot(board, image, window, speed, folder, &options, Serial::File, || Ok(()))
}

/// The same, with the processor's registers logged to [`LOG`] wherever it comes to one of some addresses.
///
/// # Errors
/// As [`run`].
pub fn run_with_registers(
    board: &Board,
    image: &Path,
    window: &[u8],
    speed: u8,
    folder: &Path,
    places: &[u32],
) -> Result<Outcome, BuildError> {
    let filter: Vec<_> = places.iter().map(|place| format!("{place:#x}+1")).collect();
    let filter = filter.join(",");
    let options = ["-singlestep", "-d", "exec,cpu,nochain", "-D", LOG, "-dfilter", &filter];
    boot(board, image, window, speed, folder, &options, Serial::File, || Ok(()))
}

#[expect(clippy::too_many_arguments, reason = "each says something else of one run")]
fn boot(
    board: &Board,
    image: &Path,
    window: &[u8],
    speed: u8,
    folder: &Path,
    options: &[&str],
    serial: Serial,
    meanwhile: impl FnOnce() -> std::io::Result<()>,
) -> Result<Outcome, BuildError> {
    require_one_processor(board)?;
    let mut booted = Booted::prepare(board, image, window, speed, folder, options, serial)?;
    let status = wait(booted.command()?, &booted.what, patience(board, window), meanwhile);
    booted.left(status)
}

/// Where the kernel has a processor of its own, both take turns, which only runs of a system by itself have.
fn require_one_processor(board: &Board) -> Result<(), BuildError> {
    match board.has_kernel_apart() {
        false => Ok(()),
        true => Err(BuildError::Limit {
            message: format!("this run of {} isn't made for a kernel on another core", board.name),
            proposal: "run the system by `beryl run` alone, or leave out `kernel = \"other core\"`"
                .to_owned(),
        }),
    }
}

/// An emulator that has a folder to itself, from before it starts until what it has left is read.
struct Booted {
    what: String,
    folder: PathBuf,
    command: Option<Command>,
    _alone: Alone,
}

impl Booted {
    /// Prepares a run in `folder`, after other runs there.
    fn prepare(
        board: &Board,
        image: &Path,
        window: &[u8],
        speed: u8,
        folder: &Path,
        options: &[&str],
        serial: Serial,
    ) -> Result<Booted, BuildError> {
        let image = image.canonicalize().map_err(|reason| BuildError::file("find", image, reason))?;
        let alone = Alone::in_folder(folder)?;
        replace(&folder.join("window.bin"), window)?;
        // Files of an earlier run must not be taken for this one's.
        let of_one = ["trace.bin", "console.txt", spoken::LOG].into_iter().chain(live::FILES);
        for name in of_one.map(str::to_owned).chain(cores::files()) {
            match fs::remove_file(folder.join(&name)) {
                Err(reason) if reason.kind() != std::io::ErrorKind::NotFound => {
                    return Err(BuildError::file("remove", folder.join(&name), reason));
                }
                _ => {}
            }
        }
        let messages = folder.join("messages.txt");
        let unwritable = |reason| BuildError::file("write", &messages, reason);
        let file = fs::File::create(&messages).map_err(unwritable)?;
        let warnings = file.try_clone().map_err(unwritable)?;
        let mut command = command(board, &image, speed, folder, serial)?;
        command.args(options).stderr(file).stdout(warnings);
        let what = format!("the run on the emulated {}", board.name);
        Ok(Booted { what, folder: folder.to_owned(), command: Some(command), _alone: alone })
    }

    /// What starts it, once.
    fn command(&mut self) -> Result<Command, BuildError> {
        self.command.take().ok_or_else(|| failed(&self.what, "it was started before"))
    }

    /// What the emulator has left when it ended.
    fn left(self, status: Result<ExitStatus, BuildError>) -> Result<Outcome, BuildError> {
        let Booted { what, folder, .. } = &self;
        let [world, report, _] = live::FILES;
        // As large as the board's memory, and of no use to anybody.
        drop(fs::remove_file(folder.join(world)));
        let status = status?;
        let said = fs::read_to_string(folder.join("messages.txt")).unwrap_or_default();
        if !status.success() {
            return Err(failed(what, &format!("{status}\n{}", said.trim())));
        }
        let trace = fs::read(folder.join("trace.bin"))
            .map_err(|reason| failed(what, &format!("no trace: {reason}\n{said}")))?;
        let left = |name: &str| fs::read(folder.join(name)).unwrap_or_default();
        let text = |name: &str| String::from_utf8_lossy(&left(name)).into_owned();
        let spoken = spoken::spoken(&text(spoken::LOG));
        Ok(Outcome { trace, console: text("console.txt"), spoken, environment: text(report) })
    }
}

fn command(
    board: &Board,
    image: &Path,
    speed: u8,
    folder: &Path,
    serial: Serial,
) -> Result<Command, BuildError> {
    let window = environment(board)?.interval.base;
    let mut command = Command::new(board.processor.emulator[0]);
    command
        .current_dir(folder)
        .args(board.emulated)
        .args(["-display", "none", "-monitor", "none"])
        .args(serial.options())
        .args(["-icount", &format!("shift={speed},{}", serial.pace())])
        .args(["-netdev", "hubport,id=nobody,hubid=0"])
        .args([
            "-object",
            &format!("filter-buffer,id=heartbeat,netdev=nobody,interval={HEARTBEAT_MICROSECONDS}"),
        ])
        .args(["-semihosting-config", "enable=on,target=native"])
        .arg("-device")
        .arg(loaded(image, board.flash.base))
        .arg("-device")
        .arg(loaded(Path::new("window.bin"), window))
        .stdin(serial.into_input());
    Ok(command)
}

/// What puts a file into memory before reset. In a list of options, a comma of a file's name is written twice.
fn loaded(file: &Path, address: u32) -> OsString {
    let name = file.as_os_str().as_bytes().split(|byte| *byte == b',').collect::<Vec<_>>().join(&b",,"[..]);
    let mut option = OsString::from("loader,file=");
    option.push(OsStr::from_bytes(&name));
    option.push(format!(",addr={address:#x},force-raw=on"));
    option
}

fn environment(board: &Board) -> Result<&'static Device, BuildError> {
    let missing = || failed("emulating the environment", &format!("{} has no window for it", board.name));
    board.device(board.environment).ok_or_else(missing)
}

fn wait(
    mut command: Command,
    what: &str,
    patience: HostDuration,
    meanwhile: impl FnOnce() -> std::io::Result<()>,
) -> Result<ExitStatus, BuildError> {
    let broken = |reason: std::io::Error| failed(what, &reason.to_string());
    let mut child = command.spawn().map_err(broken)?;
    // This drops our copy of the emulator's end of the line, so the line ends when the emulator does.
    drop(command);
    let start = HostInstant::now();
    let spoken = meanwhile();
    if spoken.is_err() {
        child.kill().and_then(|()| child.wait()).map_err(broken)?;
    }
    spoken.map_err(broken)?;
    loop {
        if let Some(status) = child.try_wait().map_err(broken)? {
            return Ok(status);
        }
        if start.elapsed() > patience {
            child.kill().and_then(|()| child.wait()).map_err(broken)?;
            let reason =
                format!("the board didn't come to the end of the run within {} s", patience.as_secs());
            return Err(failed(what, &reason));
        }
        std::thread::sleep(HostDuration::from_millis(5));
    }
}

fn failed(what: &str, output: &str) -> BuildError {
    BuildError::Step { what: what.to_owned(), output: output.to_owned() }
}

#[cfg(test)]
mod tests {
    use beryl_abi::Instant;

    use super::*;
    use crate::plan::BOARDS;

    /// What the emulator says about itself must not get into frames: it goes to its own output, and the line is another
    /// file.
    #[test]
    fn nothing_but_the_board_speaks_on_a_line() -> Result<(), BuildError> {
        let (_ours, theirs) = UnixStream::pair().map_err(|reason| failed("a line", &reason.to_string()))?;
        let command = command(&BOARDS[0], Path::new("image"), 3, Path::new("."), Serial::Line(theirs))?;
        let options: Vec<_> = command.get_args().map(|option| option.to_string_lossy()).collect();
        let serial = options.iter().position(|option| option == "-serial").map(|place| &options[place + 1]);
        assert_eq!(serial.map(AsRef::as_ref), Some("chardev:line"));
        assert!(options.iter().any(|option| option == "socket,id=line,fd=0"), "{options:?}");
        Ok(())
    }

    #[test]
    fn patience_grows_with_the_run() -> Result<(), BuildError> {
        let seconds = |ticks: u64| -> Result<u64, BuildError> {
            let window = Accesses::default().window(&BOARDS[0], Instant::from_ticks(ticks))?;
            Ok(patience(&BOARDS[0], &window).as_secs())
        };
        assert_eq!([seconds(0)?, seconds(250_000_000)?, seconds(u64::MAX)?], [120, 220, 86_400]);
        Ok(())
    }
}
